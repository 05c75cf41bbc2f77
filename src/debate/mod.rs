//! RWEA: candidates and reviews to a ranking, a decision and its reasons
//! (`rwea/1`, SCORING.md section 2).
//!
//! [`read`] once, [`score`] as often as a weight changes; [`evaluate`] does both.

mod changes;
mod debaters;
mod decision;
mod domain;
mod domains;
mod edit;
mod firmness;
pub mod form;
mod formal;
mod intervals;
mod payload;
mod profile;
mod score;
mod summary;
mod terms;
mod trace;
mod uncertainty;

pub use changes::{Change, FlagRule, Reach, changes, flag_rules};
pub use debaters::{
    Agreement, Debater, DebaterScale, Debaters, LeftOut, SelfReview, VoteCycle, agreement,
    debaters, leave_one_out, self_reviews, vote_cycles,
};
pub use decision::{CLEAR_GAP, SUFFICIENT};
pub use domain::{GENERAL, detect};
pub use domains::{DomainStanding, Place as DomainPlace, side_by_side};
pub use edit::{Edit, ReviewField};
pub use firmness::{Board, FIRM_CHANGE, FIRM_SHARE, Firmness, firmness, is_firm};
pub use formal::{ClaimStatus, formal_score};
pub use intervals::{End, Flip, Intervals, NearestFlip, WeightInterval, intervals};
pub use payload::{
    Candidate, Claim, Outcome, Payload, Review, debates, read, read_at, read_parsed, read_piece,
};
pub use profile::{Domain, NO_DOMAIN, Profiles, UNKNOWN_MODEL, read_profiles};
pub use score::ELIMINATING_FAILS;
pub use summary::summary;
pub use terms::{Ruling, Terms};
pub use trace::{Fact, FollowUp, Side, Step, Trace, trace};
pub use uncertainty::{
    CandidateShares, DecisionShares, Draws, Spread, Uncertainty, UncertaintyOptions, uncertainty,
};

use serde::Serialize;

use crate::analysis::{check_weights, overlay};
use crate::document::{Evaluation, Place, Problem, Severity};

/// Name and version of the formula.
pub const FORMULA: &str = "rwea/1";

/// What `domain` says when there is none.
pub const NO_DOMAIN_NAME: &str = "none";

/// The five weights, each finite and >= 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // named by the method
pub struct Weights {
    pub w_base: f64,
    pub w_pairwise: f64,
    pub w_risk: f64,
    pub w_reliability: f64,
    pub w_formal: f64,
}

impl Weights {
    /// The names, in the order of the formula.
    pub const NAMES: [&'static str; 5] = [
        "w_base",
        "w_pairwise",
        "w_risk",
        "w_reliability",
        "w_formal",
    ];

    /// Each weight with its name.
    pub fn named(&self) -> [(&'static str, f64); 5] {
        let mut copy = *self;
        copy.slots_mut().map(|(name, slot)| (name, *slot))
    }

    /// The weights alone, in the order of [`Self::NAMES`].
    pub fn values(&self) -> [f64; 5] {
        self.named().map(|(_, value)| value)
    }

    /// The weights of such a list.
    pub fn from_values(values: [f64; 5]) -> Self {
        let [w_base, w_pairwise, w_risk, w_reliability, w_formal] = values;
        Self {
            w_base,
            w_pairwise,
            w_risk,
            w_reliability,
            w_formal,
        }
    }

    fn slots_mut(&mut self) -> [(&'static str, &mut f64); 5] {
        let [base, pairwise, risk, reliability, formal] = Self::NAMES;
        [
            (base, &mut self.w_base),
            (pairwise, &mut self.w_pairwise),
            (risk, &mut self.w_risk),
            (reliability, &mut self.w_reliability),
            (formal, &mut self.w_formal),
        ]
    }
}

/// Which domain the weights come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DomainChoice {
    /// The payload's own `domain`, none if it names none.
    #[default]
    Payload,
    /// No domain, whatever the payload says.
    None,
    /// Detected from the question.
    Auto,
    /// This one.
    Named(String),
}

/// What the caller may change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Where the domain comes from.
    pub domain: DomainChoice,
    /// A question that replaces the payload's own.
    pub question: Option<String>,
    /// Text of a profiles file (JSON) that replaces the built-in one.
    pub profiles: Option<String>,
    /// Weights by name (`w_base`, ...) that replace the domain's.
    pub weights: Vec<(String, f64)>,
}

/// What to do with the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// One candidate wins.
    Winner,
    /// Synthesise the top two.
    Hybrid,
    /// Ask follow-up questions.
    Insufficient,
    /// Every candidate was eliminated.
    AllEliminated,
}

/// A scored debate, as interfaces give it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DebateResult {
    /// `rwea/1`.
    pub formula: &'static str,
    /// The domain; `none` when there is none.
    pub domain: String,
    /// Where the question's words matched, when the domain was detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain_hits: Option<Vec<DomainHit>>,
    /// The weights used.
    pub weights: Weights,
    /// The decision.
    pub decision: Decision,
    /// The candidate with the top score among survivors unless the decision is
    /// `insufficient` or `all_eliminated` (the original names one for `hybrid` too).
    pub winner: Option<String>,
    /// The two candidates to synthesise, when the decision is `hybrid`.
    pub hybrid_candidates: Vec<String>,
    /// What broke a tie for the first place: `critical_fails`, `base` or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie_broken_by: Option<TieBreak>,
    /// The candidates: survivors by rank, then the eliminated.
    pub results: Vec<Row>,
    /// Warnings and notes in words.
    pub notes: Vec<String>,
    /// SHA-256 of the input.
    pub input_sha256: String,
}

/// What broke a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Fewer critical_fail flags.
    CriticalFails,
    /// Higher base.
    Base,
    /// Nothing did: synthesise, and consider one more debate pass.
    None,
}

/// A domain and the words of the question that speak for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainHit {
    /// The domain.
    pub domain: String,
    /// Each keyword once, at its first place.
    pub hits: Vec<KeywordHit>,
}

/// A keyword found in the question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeywordHit {
    /// The keyword as the profile spells it.
    pub keyword: String,
    /// Start in the question, in Unicode scalar values.
    pub start: usize,
    /// End, exclusive.
    pub end: usize,
}

/// A candidate's row. Numbers are rounded to 4 decimals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The candidate.
    pub id: String,
    /// Its model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Head-to-head wins.
    pub wins: i64,
    /// mean(support + evidence), in [0, 4].
    pub base: f64,
    /// mean(major_risks + 2 critical_fail), in [0, 4].
    pub risk: f64,
    /// wins / (n - 1), in [0, 1].
    pub pairwise: f64,
    /// The weighted sum.
    pub score: f64,
    /// Reviews with critical_fail = 1.
    pub critical_fails: usize,
    /// Two or more critical fails.
    pub eliminated: bool,
    /// Reliability of the model in the domain, in [0, 1]; only with a domain
    /// or a weight for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_weight: Option<f64>,
    /// w_reliability x model_weight; where `model_weight` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reliability_bonus: Option<f64>,
    /// Formal score in [-1, 1], where given; only with a domain or a weight for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formal_score: Option<f64>,
    /// w_formal x formal_score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formal_bonus: Option<f64>,
    /// Weight x value per term; they add up to the score.
    pub contributions: Contributions,
}

/// Weight x value of each term, rounded to 4 decimals such that they add up to
/// the score (see [`crate::analysis::apportion`]); risk is negative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // named by the method
pub struct Contributions {
    pub base: f64,
    pub pairwise: f64,
    pub risk: f64,
    pub reliability: f64,
    pub formal: f64,
}

/// Reads and scores a payload.
pub fn evaluate(text: &str, options: &Options) -> Evaluation<DebateResult> {
    let read = read(text);
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
pub fn score(
    payload: &Payload,
    profiles: &Profiles,
    options: &Options,
) -> Evaluation<DebateResult> {
    let mut problems = Vec::new();
    let (name, domain_hits) = choose_domain(payload, profiles, options, &mut problems);
    let domain = name.as_deref().and_then(|name| profiles.domain(name));
    if let (Some(name), None) = (&name, domain) {
        let known = profiles.names().join(", ");
        problems.push(warning(
            "domain",
            format!(
                "unknown domain {name:?}: the weights without a domain are used; known are {known}"
            ),
        ));
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

    let mut results = score::rows(payload, &weights, domain);
    decision::rank(&mut results);
    let verdict = decision::decide(&results);
    let mut notes = payload.notes.clone();
    notes.extend(problems.iter().map(|problem| problem.message.clone()));
    notes.extend(verdict.tie_broken_by.map(tie_note));
    let result = DebateResult {
        formula: FORMULA,
        domain: name.unwrap_or_else(|| NO_DOMAIN_NAME.into()),
        domain_hits,
        weights,
        decision: verdict.decision,
        winner: verdict.winner,
        hybrid_candidates: verdict.hybrid_candidates,
        tie_broken_by: verdict.tie_broken_by,
        results,
        notes,
        input_sha256: payload.input_sha256.clone(),
    };
    Evaluation {
        result: Some(result),
        problems,
    }
}

/// The weights and the domain that a caller's options come to; none if the
/// weights are refused.
fn setting<'a>(
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
        DomainChoice::Auto => Some("auto"),
        DomainChoice::Named(name) => Some(name.as_str()),
    };
    match name {
        None | Some(NO_DOMAIN_NAME | "") => (None, None),
        Some("auto") => {
            let question = options.question.as_ref().or(payload.question.as_ref());
            if question.is_none() {
                problems.push(warning(
                    "question",
                    format!("no question to detect the domain from: {GENERAL} is used"),
                ));
            }
            let (name, hits) = detect(question.map_or("", String::as_str), profiles);
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
            problems.push(warning(
                "weights.w_reliability",
                "without a known domain no model has a reliability: w_reliability weighs 0".into(),
            ));
        }
        return;
    };
    for (index, candidate) in payload.candidates.iter().enumerate() {
        let id = &candidate.id;
        let (severity, message) = match &candidate.model {
            None => (
                Severity::Note,
                format!("candidate '{id}' names no model: its reliability is 0"),
            ),
            Some(model) if domain.reliability(model).is_none() => (
                Severity::Warning,
                format!(
                    "candidate '{id}': model {model:?} is not in the profile of {}: its reliability is {UNKNOWN_MODEL}",
                    domain.name
                ),
            ),
            Some(_) => continue,
        };
        let path = format!("candidates[{index}].model");
        problems.push(Problem::new(severity, candidate.place, path, message));
    }
}

fn warning(path: &str, message: String) -> Problem {
    let start = Place { line: 1, column: 1 };
    Problem::new(Severity::Warning, start, path, message)
}

fn tie_note(tie: TieBreak) -> String {
    match tie {
        TieBreak::CriticalFails => "tie for the first place, broken by fewer critical_fail flags",
        TieBreak::Base => "tie for the first place, broken by the higher base",
        TieBreak::None => {
            "tie for the first place that nothing breaks: synthesise, and consider one more debate pass"
        }
    }
    .into()
}

#[cfg(test)]
mod tests {
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
