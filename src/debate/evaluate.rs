//! From a debate that was read to its result: which domain and which weights count,
//! and what there is to say of them.

use super::domain::{Detection, detect};
use super::options::{AUTO_NAME, DomainChoice, NO_DOMAIN_NAME, Options, Weights};
use super::payload::{Payload, parse, read_from};
use super::profile::{Domain, Profiles, read_profiles};
use super::result::{DebateResult, DomainHit};
use super::rules::{GENERAL, NO_DOMAIN, UNKNOWN_MODEL};
use super::score::rows;
use super::term::Term;
use super::verdict::{decide, idle_pairwise, rank};
use crate::analysis::{check_weights, overlay};
use crate::document::{Evaluation, Parsed, Place, Problem, Severity};
use crate::text::Shown;

/// Name and version of the formula.
pub const FORMULA: &str = "rwea/1";

/// Reads and scores a payload.
pub fn evaluate(text: &str, options: &Options) -> Evaluation<DebateResult> {
    evaluate_from(&parse(text), 0, options)
}

/// Reads and scores one of the payloads of a text that [`parse`] made ready.
pub fn evaluate_from(parsed: &Parsed, index: usize, options: &Options) -> Evaluation<DebateResult> {
    let read = read_from(parsed, index);
    let mut problems = read.problems;
    let profiles = options.profiles.as_deref().map(read_profiles);
    let (custom, profile_problems) = match profiles {
        Some(read) => (Some(read.result), read.problems),
        None => (None, Vec::new()),
    };
    problems.extend(profile_problems);
    let profiles = match &custom {
        None => Some(Profiles::built_in()),
        Some(read) => read.as_ref(),
    };
    let (Some(payload), Some(profiles)) = (read.result, profiles) else {
        return Evaluation {
            result: None,
            problems,
        };
    };
    let scored = score(&payload, profiles, options);
    problems.extend(scored.problems);
    Evaluation {
        result: scored.result,
        problems,
    }
}

/// Scores a payload that was read. Pure and quick: the work of every change of a
/// weight. `options.profiles` is not looked at, `profiles` is. The problems are
/// those of scoring (weights, unknown domain or model), not of reading.
///
/// ```
/// use assay::debate::{Decision, Options, Profiles, read, score};
///
/// let text = r#"{"candidates": [
///     {"id": "A", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
///     {"id": "B", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#;
/// let payload = read(text).result.expect("a valid debate");
/// let result = score(&payload, Profiles::built_in(), &Options::default()).result.expect("valid weights");
/// // 0.5 x 4 + 2 x 1 against 0.5 x 2 + 2 x 0
/// assert_eq!((result.results[0].score, result.results[1].score), (4.0, 1.0));
/// assert_eq!((result.decision, result.winner.as_deref()), (Decision::Winner, Some("A")));
/// ```
pub fn score(
    payload: &Payload,
    profiles: &Profiles,
    options: &Options,
) -> Evaluation<DebateResult> {
    let mut problems = Vec::new();
    let (name, domain_hits) = choose_domain(payload, profiles, options, &mut problems);
    let domain = name.as_deref().and_then(|name| profiles.domain(name));
    if let (Some(name), None) = (&name, domain) {
        let message = unknown_domain(name, profiles);
        problems.push(match options.domain {
            DomainChoice::Payload => in_payload(payload.places[1], "domain", message),
            _ => of_options("domain", message),
        });
    }
    let weights = match weights_of(domain, options) {
        Ok(weights) => weights,
        Err(wrong) => {
            problems.extend(wrong);
            return Evaluation {
                result: None,
                problems,
            };
        }
    };
    model_notes(payload, domain, &weights, &mut problems);
    problems.extend(no_head_to_heads(payload, &weights));

    let mut results = rows(payload, &weights, domain);
    rank(&mut results);
    let (ruling, tie_broken_by) = decide(&results);
    let mut notes = payload.notes.clone();
    notes.extend(problems.iter().map(|problem| problem.message.clone()));
    notes.extend(tie_broken_by.map(|tie| tie.note().to_owned()));
    let result = DebateResult {
        formula: FORMULA,
        id: payload.id.clone(),
        what_if: payload.what_if.clone(),
        question: payload.question.clone(),
        without_domain: name.is_none(),
        is_domain_known: domain.is_some(),
        domain: name.unwrap_or_else(|| NO_DOMAIN_NAME.into()),
        domain_hits,
        weights,
        original_weights: domain.map_or(NO_DOMAIN, |domain| domain.weights),
        decision: ruling.decision,
        winner: ruling.winner,
        hybrid_candidates: ruling.hybrid_candidates,
        tie_broken_by,
        results,
        notes,
        input_sha256: payload.input_sha256.clone(),
    };
    Evaluation {
        result: Some(result),
        problems,
    }
}

fn unknown_domain(name: &str, profiles: &Profiles) -> String {
    let known = profiles.names().into_iter();
    let known: Vec<String> = known.map(|name| Shown(name).to_string()).collect();
    format!(
        "unknown domain {:?}: the weights without a domain are used; known are {}",
        Shown(name),
        known.join(", ")
    )
}

/// The weights and the domain that a caller's options come to; none if the
/// weights are refused.
pub(super) fn setting<'a>(
    payload: &Payload,
    profiles: &'a Profiles,
    options: &Options,
) -> Option<(Weights, Option<&'a Domain>)> {
    let (name, _) = choose_domain(payload, profiles, options, &mut Vec::new());
    let domain = name.and_then(|name| profiles.domain(&name));
    let weights = weights_of(domain, options).ok()?;
    Some((weights, domain))
}

/// The domain's weights, or those without a domain, under the caller's own.
fn weights_of(domain: Option<&Domain>, options: &Options) -> Result<Weights, Vec<Problem>> {
    let mut weights = domain.map_or(NO_DOMAIN, |domain| domain.weights);
    let mut wrong = overlay(&options.weights, &mut weights.slots_mut());
    wrong.extend(check_weights(&weights.named()));
    if wrong.is_empty() {
        Ok(weights)
    } else {
        Err(wrong)
    }
}

/// The domain's name (known or not), and the hits if it was detected.
fn choose_domain(
    payload: &Payload,
    profiles: &Profiles,
    options: &Options,
    problems: &mut Vec<Problem>,
) -> (Option<String>, Option<Vec<DomainHit>>) {
    let name = match &options.domain {
        DomainChoice::Payload => payload.domain.as_deref(),
        DomainChoice::None => None,
        DomainChoice::Auto => Some(AUTO_NAME),
        DomainChoice::Named(name) if profiles.domain(name).is_some() => {
            return (Some(name.clone()), None);
        }
        DomainChoice::Named(name) => Some(name.as_str()),
    };
    match name {
        None | Some(NO_DOMAIN_NAME | "") => (None, None),
        Some(AUTO_NAME) => {
            let question = options.question.as_ref().or(payload.question.as_ref());
            if question.is_none() {
                let message = format!("no question to detect the domain from: {GENERAL} is used");
                problems.push(in_payload(payload.places[1], "question", message));
            }
            let (name, hits) = detect(question.map_or("", String::as_str), profiles);
            problems.extend(one_keyword(payload, &hits));
            (Some(name), Some(hits))
        }
        Some(name) => (Some(name.to_owned()), None),
    }
}

/// Says which candidates have no reliability of their own.
fn model_notes(
    payload: &Payload,
    domain: Option<&Domain>,
    weights: &Weights,
    problems: &mut Vec<Problem>,
) {
    let Some(domain) = domain else {
        if weights.w_reliability > 0.0 {
            // the weights without a domain have none: it is the caller's own
            let weight = Term::Reliability.weight();
            problems.push(of_options(
                &format!("weights.{weight}"),
                "without a known domain no model has a reliability: its weight counts for nothing"
                    .to_owned(),
            ));
        }
        return;
    };
    for (index, candidate) in payload.candidates.iter().enumerate() {
        let id = Shown(&candidate.id);
        let (severity, message) = match &candidate.model {
            None => (
                Severity::Note,
                format!("candidate '{id}' names no model: its reliability is 0"),
            ),
            Some(model) if domain.reliability(model).is_none() => (
                Severity::Warning,
                format!(
                    "candidate '{id}': model {:?} is not in the profile of {}: its reliability is {UNKNOWN_MODEL}",
                    Shown(model),
                    Shown(&domain.name)
                ),
            ),
            Some(_) => continue,
        };
        let path = format!("candidates[{index}].model");
        problems.push(Problem::new(severity, candidate.place, path, message));
    }
}

/// Says so where one word alone makes the domain.
fn one_keyword(payload: &Payload, hits: &[DomainHit]) -> Option<Problem> {
    let (domain, word) = Detection::of(hits).by_one_keyword(hits)?;
    let (domain, word) = (Shown(domain), Shown(word));
    let message = format!("the domain {domain} is detected from one word alone, {word:?}");
    let severity = Severity::Note;
    Some(Problem::new(
        severity,
        payload.places[0],
        "question",
        message,
    ))
}

/// Says so where nobody has won a head-to-head: the formula counts it as 0.
fn no_head_to_heads(payload: &Payload, weights: &Weights) -> Option<Problem> {
    let is_idle = weights.w_pairwise > 0.0 && payload.candidates.iter().all(|c| c.wins == 0);
    let place = payload.candidates.first()?.place;
    is_idle.then(|| in_payload(place, "candidates", idle_pairwise(weights.w_pairwise)))
}

fn in_payload(place: Place, path: &str, message: String) -> Problem {
    Problem::new(Severity::Warning, place, path, message)
}

/// A warning about an option: it has no place in the payload's text.
fn of_options(path: &str, message: String) -> Problem {
    let mut problem = in_payload(Place { line: 1, column: 1 }, path, message);
    problem.input = Some("options".into());
    problem
}

#[cfg(test)]
mod tests {
    use super::super::summary::summary;
    use super::*;

    const PAYLOAD: &str = r#"{"question": "How do we hedge a bond portfolio?", "candidates": [
        {"id": "A", "model": "opus", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
        {"id": "B", "model": "other", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#;

    fn with(options: &Options) -> Evaluation<DebateResult> {
        evaluate(PAYLOAD, options)
    }

    #[test]
    fn no_domain_and_general_are_different_things() {
        let none = with(&Options::default()).result.expect("valid");
        assert_eq!((none.domain.as_str(), none.weights), ("none", NO_DOMAIN));
        assert_eq!(none.results[0].model_weight, None);
        let general = Options {
            domain: DomainChoice::Named("general".into()),
            ..Options::default()
        };
        let general = with(&general).result.expect("valid");
        assert_eq!(general.weights.w_reliability, 0.4);
        assert_eq!(general.results[0].model_weight, Some(0.9));
        assert_eq!(general.results[1].model_weight, Some(UNKNOWN_MODEL));
        assert!(general.notes[0].contains("\"other\" is not in the profile"));
    }

    #[test]
    fn the_domain_is_detected_from_the_question() {
        let mut options = Options {
            domain: DomainChoice::Auto,
            ..Options::default()
        };
        let found = with(&options).result.expect("valid");
        assert_eq!(found.domain, "finance");
        assert_eq!(found.domain_hits.expect("hits")[0].hits.len(), 3);
        options.question = Some("nothing".into());
        assert_eq!(with(&options).result.expect("valid").domain, "general");
    }

    #[test]
    fn an_unknown_domain_is_told_at_its_key_and_is_not_in_use() {
        let text = PAYLOAD.replace(
            "\"candidates\"",
            "\n \"domain\": \"medical\", \"candidates\"",
        );
        let found = evaluate(&text, &Options::default());
        let problem = found.problems.iter().find(|p| p.path == "domain");
        let problem = problem.expect("a warning");
        assert_eq!((problem.line, problem.column), (2, 12));
        let result = found.result.expect("valid");
        assert_eq!(
            (result.domain.as_str(), result.weights),
            ("medical", NO_DOMAIN)
        );
        assert!(!result.is_domain_known && !result.without_domain);
    }

    #[test]
    fn a_domain_of_one_word_is_told() {
        let told = |question: &str| {
            let options = Options {
                domain: DomainChoice::Auto,
                question: Some(question.into()),
                ..Options::default()
            };
            let result = with(&options).result.expect("valid");
            let one = result
                .notes
                .iter()
                .any(|note| note.contains("from one word alone"));
            (result.domain, one)
        };
        assert_eq!(told("Where do we hedge?"), ("finance".into(), true));
        assert_eq!(told("Do we hedge a bond?"), ("finance".into(), false));
        assert_eq!(told("Where?"), ("general".into(), false));
    }

    #[test]
    fn no_head_to_heads_are_told_and_count_as_0() {
        let text = PAYLOAD.replace("\"wins\": 1", "\"wins\": 0");
        let told = |weights: Vec<(String, f64)>| {
            let options = Options {
                weights,
                ..Options::default()
            };
            let result = evaluate(&text, &options).result.expect("valid");
            let is_told = |note: &String| note.starts_with("nobody has won a head-to-head");
            (result.notes.iter().any(is_told), result.idle_pairwise())
        };
        assert_eq!(told(Vec::new()), (true, Some(2.0)));
        assert_eq!(told(vec![("w_pairwise".into(), 0.0)]), (false, None));
        let result = with(&Options::default()).result.expect("valid");
        assert_eq!(result.idle_pairwise(), None);
    }

    #[test]
    fn bad_weights_leave_no_result_and_are_named() {
        for (weights, word) in [
            (vec![("w_base", -1.0)], "w_base"),
            (vec![("w_basis", 1.0)], "w_base, w_pairwise"),
            (Weights::NAMES.map(|name| (name, 0.0)).to_vec(), "above 0"),
        ] {
            let options = Options {
                weights: weights.iter().map(|(n, w)| ((*n).into(), *w)).collect(),
                ..Options::default()
            };
            let found = with(&options);
            assert_eq!(found.result, None);
            assert!(
                found.problems[0].message.contains(word),
                "{:?}",
                found.problems
            );
        }
    }

    #[test]
    fn a_domain_may_be_named_none() {
        let profiles = r#"{"domains": {"none": {"weights": {"w_base": 1, "w_pairwise": 0, "w_risk": 0, "w_reliability": 1, "w_formal": 0}}}}"#;
        let chosen = |spelling: &str| {
            let options = Options {
                domain: DomainChoice::parse(spelling),
                profiles: Some(profiles.into()),
                ..Options::default()
            };
            with(&options).result.expect("valid")
        };
        let (named, none) = (chosen("=none"), chosen("none"));
        assert_eq!((named.without_domain, named.weights.w_base), (false, 1.0));
        assert!(summary(&named).contains("Domain: none"));
        assert_eq!((none.without_domain, none.weights), (true, NO_DOMAIN));
        assert!(!summary(&none).contains("Domain"));
    }

    #[test]
    fn a_weight_that_weighs_nothing_is_told_of_the_options() {
        let options = Options {
            weights: vec![("w_reliability".into(), 1.0)],
            ..Options::default()
        };
        let problem = with(&options).problems.remove(0);
        assert_eq!(problem.path, "weights.w_reliability");
        assert_eq!(problem.input.as_deref(), Some("options"));
    }

    #[test]
    fn a_profiles_file_replaces_the_built_in_one() {
        let profiles = r#"{"domains": {"bonds": {"weights": {"w_base": 1, "w_pairwise": 0, "w_risk": 0, "w_reliability": 1, "w_formal": 0},
            "keywords": ["bond"], "models": {"other": 1}}}}"#;
        let mut options = Options {
            domain: DomainChoice::Auto,
            profiles: Some(profiles.into()),
            ..Options::default()
        };
        let found = with(&options).result.expect("valid");
        assert_eq!(
            (found.domain.as_str(), found.results[0].score),
            ("bonds", 4.5)
        );
        options.profiles = Some("{".into());
        let found = with(&options);
        assert_eq!((found.result, found.problems.len()), (None, 1));
    }
}
