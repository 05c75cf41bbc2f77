//! Scoring a document again: the input, weights and options of a link or a report.

use serde_json::Value;

use super::permalink::{Document, Kind};
use super::report::Report;
use crate::constitution;
use crate::debate::{self, DomainChoice, Profiles, read_profiles};
use crate::document::{Place, Problem, Severity};
use crate::embedding::Embedder;
use crate::persona::voice::{self, Control};
use crate::persona::{self, Inputs, SecondOpinion};
use crate::steps::{THROUGH, at_once};
use crate::text::Shown;

/// What a persona is scored with beside its document.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// The model.
    pub embedder: &'a dyn Embedder,
    /// What a voice is held against.
    pub control: &'a Control,
    /// A second opinion on the rules of safety, where the result is to have one.
    pub second: Option<&'a SecondOpinion>,
}

/// The formula that a kind is scored with, and its version.
pub fn formula(kind: Kind) -> &'static str {
    match kind {
        Kind::Rwea => debate::FORMULA,
        Kind::Reward => constitution::FORMULA,
        Kind::Persona | Kind::Compare => persona::FORMULA,
    }
}

/// That a document is of another formula than this program's, in words; none where it names none.
pub fn other_formula(document: &Document) -> Option<String> {
    let (own, named) = (formula(document.kind), document.formula.as_deref()?);
    (named != own).then(|| {
        format!(
            "it is of the formula {}, and this program scores with {own}.",
            Shown(named)
        )
    })
}

/// The report of a document, not dated. Fails with the problems of its input or options; where it is of
/// another formula; where a persona has no [`Means`]; and where two transcripts are compared, of which
/// there is no report.
pub fn score_again(document: &Document, means: Option<Means>) -> Result<Report, Vec<Problem>> {
    if let Some(why) = other_formula(document) {
        return Err(problem(&why));
    }
    match document.kind {
        Kind::Rwea => debate(document),
        Kind::Reward => turns(document),
        Kind::Persona => match means {
            Some(means) => replies(document, means),
            None => Err(problem(
                "a persona is scored with an embedding model, and there is none here",
            )),
        },
        Kind::Compare => Err(problem("two transcripts that are compared have no report")),
    }
}

fn problem(message: &str) -> Vec<Problem> {
    vec![Problem::new(
        Severity::Error,
        Place { line: 1, column: 1 },
        "",
        message,
    )]
}

fn word<'a>(document: &'a Document, name: &str) -> Option<&'a str> {
    document.options.get(name)?.as_str()
}

fn number(document: &Document, name: &str) -> Option<f64> {
    document.options.get(name)?.as_f64()
}

/// What a debate is scored with.
fn debate_options(document: &Document) -> debate::Options {
    debate::Options {
        domain: word(document, "domain").map_or(DomainChoice::Payload, DomainChoice::parse),
        question: word(document, "question").map(str::to_owned),
        profiles: word(document, "profiles").map(str::to_owned),
        weights: document.weight_list(),
    }
}

fn debate(document: &Document) -> Result<Report, Vec<Problem>> {
    let options = debate_options(document);
    let own = options.profiles.as_deref().map(read_profiles);
    let profiles = match own {
        Some(own) => own.result.ok_or(own.problems)?,
        None => Profiles::built_in().clone(),
    };
    let read = debate::read(document.text().unwrap_or_default());
    let payload = read.result.ok_or(read.problems)?;
    let scored = debate::score(&payload, &profiles, &options);
    let result = scored.result.ok_or(scored.problems)?;
    Ok(Report::of_debate(
        document.clone(),
        (&payload, &profiles, &options),
        &result,
    ))
}

fn turns(document: &Document) -> Result<Report, Vec<Problem>> {
    let default = constitution::Options::default();
    let options = constitution::Options {
        weights: document.weight_list(),
        replace_weights: word(document, "weights_mode") == Some("replace"),
        ethical_floor: number(document, "ethical_floor"),
        gamma: number(document, "gamma").unwrap_or(default.gamma),
    };
    let scored = constitution::evaluate(document.text().unwrap_or_default(), &options);
    let result = scored.result.ok_or(scored.problems)?;
    Ok(Report::of_turns(document.clone(), &result))
}

/// What a persona is scored with.
fn persona_options(document: &Document) -> persona::Options {
    let weights = document.weight_list();
    let inner = persona::Metric::INNER.map(|metric| {
        let found = weights.iter().find(|(name, _)| name == metric.weight());
        found.map(|(_, weight)| weight.to_string())
    });
    // as the page keeps them: chosen by labels, and not turned since
    let by_labels = inner.into_iter().collect::<Option<Vec<_>>>();
    let by_labels = by_labels.map(|inner| inner.join(" "));
    let seed = document.options.get("seed");
    let seed = seed.and_then(|seed| seed.as_u64().or(seed.as_f64().map(|seed| seed as u64)));
    persona::Options {
        seed,
        voice_as_style: word(document, "style_by").map(|name| name == voice::FORMULA),
        weights_by_labels: by_labels
            .is_some_and(|inner| word(document, "weights_by_labels") == Some(&inner)),
        max_expected_variance: number(document, "max_expected_variance"),
        weights,
    }
}

fn replies(document: &Document, means: Means) -> Result<Report, Vec<Problem>> {
    let part = |name: &str| {
        let text = document.part(name).or_else(|| word(document, name));
        text.filter(|text| !text.trim().is_empty())
    };
    let read = persona::read(&Inputs {
        persona: document.part("persona").unwrap_or_default(),
        transcript: document.part("transcript").unwrap_or_default(),
        config: part("config"),
        safety: part("safety"),
        judge: part("judge"),
        labels: part("labels"),
        control: part("control"),
    });
    let run = read.result.ok_or(read.problems)?;
    let measured = run.measured(means.embedder, means.control);
    let options = persona_options(document);
    let scored = run.score_with(&options, Some(&measured));
    let mut result = scored.result.ok_or(scored.problems)?;
    if let Some(second) = means.second {
        result = result.with_opinions(&at_once(run.opinions(second, THROUGH)));
    }
    let intervals = run.intervals(&options, Some(&measured));
    Ok(Report::of_persona(
        document.clone(),
        &result,
        intervals.as_ref(),
    ))
}

/// Whether a result has a second opinion, so that what is computed again should have one.
pub fn has_second_opinion(result: &Value) -> bool {
    result.get("second_opinion").is_some()
}
