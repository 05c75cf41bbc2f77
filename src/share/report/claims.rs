//! What a report says: the document it was made from, the result, and what is said of it in words.

use serde::Serialize;
use serde_json::Value;

use super::super::permalink::Document;
use crate::analysis::flips::{Flip, WeightInterval};
use crate::analysis::round4;
use crate::constitution::{self, RewardResult};
use crate::debate::{self, Beside, Board, DebateResult, Payload, Profiles, Ruling, Whole};
use crate::persona::{self, Metric, PersonaResult, remarks};

/// What a report says. It is all that the file is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The whole input with weights and options, as a link of the page has it.
    pub document: Document,
    /// The result as the command prints it.
    pub result: Value,
    /// What is said of it; the first is the verdict.
    pub said: Vec<Said>,
    /// The day, in words of the caller: a report knows no clock.
    pub dated: Option<String>,
}

/// Sentences under a heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The heading.
    pub title: String,
    /// The sentences; never none.
    pub sentences: Vec<String>,
}

/// Sentences under a heading, where there are any.
fn said(title: &str, sentences: Vec<String>) -> Option<Said> {
    (!sentences.is_empty()).then(|| Said {
        title: title.to_owned(),
        sentences,
    })
}

/// Plain data with string keys and finite numbers, which cannot fail to serialise.
fn value<T: Serialize>(result: &T) -> Value {
    serde_json::to_value(result).unwrap_or_default()
}

impl Report {
    /// A report of a debate, scored with these profiles and options from the payload of the document.
    pub fn of_debate(
        document: Document,
        (payload, profiles, options): (&Payload, &Profiles, &debate::Options),
        result: &DebateResult,
    ) -> Self {
        let beside = Beside::of(payload, profiles, options);
        let whole = Whole {
            result,
            beside: &beside,
        };
        let parts = beside.parts().into_iter();
        let parts = parts.filter_map(|(title, sentences)| said(title, sentences));
        let all = said_of_debate(result, Board::new(payload, profiles, options).as_ref());
        Self {
            document,
            result: value(&whole),
            said: all.into_iter().chain(parts).collect(),
            dated: None,
        }
    }

    /// A report of turns.
    pub fn of_turns(document: Document, result: &RewardResult) -> Self {
        Self {
            document,
            result: value(result),
            said: said_of_turns(result),
            dated: None,
        }
    }

    /// A report of replies held against a persona; with the bounds of the weights, where they are known.
    pub fn of_persona(
        document: Document,
        result: &PersonaResult,
        intervals: Option<&persona::Intervals>,
    ) -> Self {
        Self {
            document,
            result: value(result),
            said: said_of_persona(result, intervals),
            dated: None,
        }
    }

    /// The same with the day on which it was made.
    #[must_use]
    pub fn dated(mut self, day: Option<String>) -> Self {
        self.dated = day;
        self
    }
}

fn said_of_debate(result: &DebateResult, board: Option<&Board>) -> Vec<Said> {
    let trace = board.and_then(Board::trace);
    let steps = trace.map(|trace| trace.steps).unwrap_or_default();
    let steps = steps.into_iter().map(|step| step.sentence);
    let verdict = vec![Ruling::of(result).headline()];
    let question = result.question.iter().map(|text| text.trim().to_owned());
    let question: Vec<String> = question.filter(|text| !text.is_empty()).collect();
    let firm = board.map(firm_debate).unwrap_or_default();
    let second = board.and_then(Board::second_against_first);
    let second = second.map(|second| (format!("Why not {}", second.behind), second.sentences()));
    let second = second.and_then(|(title, sentences)| said(&title, sentences));
    let all = [
        said("Verdict", verdict),
        said("Question", question),
        said("Step by step", steps.collect()),
        said("How firm", firm),
        second,
        said("Notes", result.notes.clone()),
    ];
    all.into_iter().flatten().collect()
}

/// Within which bounds of a weight a verdict stands, and what comes beyond.
fn bounds<F: Flip>(interval: &WeightInterval<F>) -> String {
    let weight = interval.weight;
    let [low, high] = interval.ends().map(|end| end.flips_at().map(round4));
    let stands = match (low, high) {
        (Some(low), Some(high)) => format!("from {low} to {high}"),
        (Some(low), None) => format!("from {low} on"),
        (None, Some(high)) => format!("up to {high}"),
        (None, None) => {
            return format!("{weight}: no value of this weight alone changes anything.");
        }
    };
    let flips = interval.flips().map(Flip::words);
    let flips = flips.collect::<Vec<_>>().join("; ");
    format!("{weight} {stands} changes nothing; {flips}.")
}

fn firm_debate(board: &Board) -> Vec<String> {
    let intervals = board.intervals();
    let nearest = intervals.nearest_relative.as_ref();
    let nearest = nearest.map(|flip| {
        format!(
            "The least change of a weight that changes the verdict: {}.",
            flip.words
        )
    });
    let each = intervals.weights.iter().map(bounds);
    nearest.into_iter().chain(each).collect()
}

fn said_of_turns(result: &RewardResult) -> Vec<Said> {
    let session = &result.session;
    let turns = if session.turns == 1 { "turn" } else { "turns" };
    let verdict = format!(
        "Mean total {:.4} of {} over {} {turns}",
        session.mean_total, result.weights_sum, session.turns
    );
    let weakest = format!("The weakest principle is {}.", session.weakest.word());
    let unsaid = format!(
        "{} of {} scores stand by default.",
        session.by_default,
        session.scores()
    );
    let verdict = vec![
        verdict,
        weakest,
        format!("Bands: {}.", session.bands_words()),
        unsaid,
    ];
    let intervals = constitution::intervals(result);
    let nearest = intervals.nearest.as_ref();
    let nearest = nearest.map(|nearest| {
        format!(
            "The least change of a weight that changes a band: {}.",
            nearest.flip.words
        )
    });
    let each = intervals.weights.iter().map(bounds);
    let costs = result.turns.iter().filter_map(|turn| {
        let costs = turn.costs(&result.weights).into_iter();
        let costs =
            costs.map(|(reason, _)| format!("{}: {}", reason.principle.word(), reason.words));
        let costs = costs.collect::<Vec<_>>().join("; ");
        (!costs.is_empty()).then(|| format!("Turn {}: {costs}.", turn.name()))
    });
    let notes = result.turns.iter().flat_map(|turn| {
        let notes = turn.notes.iter();
        notes.map(|note| format!("Turn {}: {note}", turn.name()))
    });
    let all = [
        said("Verdict", verdict),
        said("Why turns lost points", costs.collect()),
        said("How firm", nearest.into_iter().chain(each).collect()),
        said("Notes", notes.collect()),
    ];
    all.into_iter().flatten().collect()
}

fn said_of_persona(result: &PersonaResult, intervals: Option<&persona::Intervals>) -> Vec<Said> {
    let verdict = match (result.overall, result.grade) {
        (Some(overall), Some(grade)) => format!("Overall {overall:.3}, grade {}", grade.letter()),
        _ => "Overall not measured".to_owned(),
    };
    let partial = format!("Not measured: {}.", result.partial.join(", "));
    let partial = (!result.partial.is_empty()).then_some(partial);
    let remarked = Metric::ALL.into_iter().flat_map(|metric| {
        let said = remarks(metric, result).into_iter();
        said.map(move |remark| format!("{}: {remark}", metric.label()))
    });
    let nearest = intervals.and_then(|intervals| intervals.nearest.as_ref());
    let nearest = nearest.map(|nearest| {
        format!(
            "The least change of a weight that changes the grade: {}.",
            nearest.flip.words
        )
    });
    let each = intervals.map(|intervals| intervals.weights.iter().map(bounds));
    let firm = nearest.into_iter().chain(each.into_iter().flatten());
    let all = [
        said("Verdict", [verdict].into_iter().chain(partial).collect()),
        said("Remarks", remarked.collect()),
        said("How firm", firm.collect()),
        said("Notes", result.notes.clone()),
    ];
    all.into_iter().flatten().collect()
}
