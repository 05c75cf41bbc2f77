//! Debates of which there is nothing to say, read in one go: what a job with a million of them waits
//! for. Whatever is not as a debate is meant to be goes the long way, which knows where everything
//! stands.

use std::collections::HashSet;

use serde::Deserialize;

use super::evaluate::score;
use super::options::Options;
use super::payload::{Candidate, DebateId, Payload, Review, impossible_wins};
use super::profile::Profiles;
use super::result::DebateResult;
use crate::document::{Object, input_sha256};
use crate::text::Place;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Debate {
    id: Option<DebateId>,
    question: Option<String>,
    domain: Option<String>,
    candidates: Vec<Object<Answer>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    id: String,
    model: Option<String>,
    wins: i64,
    formal_score: Option<f64>,
    reviews: Vec<Object<Rating>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rating {
    debater: Option<String>,
    support: i64,
    evidence: i64,
    major_risks: i64,
    critical_fail: i64,
    justification: Option<String>,
}

/// The result of a text that is one debate, where neither reading nor scoring it has a problem to
/// report: then the same as that of [`super::evaluate`] with these profiles. None of any other text.
/// `options.profiles` is not looked at.
///
/// ```
/// use assay::debate::{Options, Profiles, evaluate, evaluate_quickly};
///
/// let text = r#"{"candidates": [
///     {"id": "A", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
///     {"id": "B", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#;
/// let options = Options::default();
/// let quick = evaluate_quickly(text, Profiles::built_in(), &options);
/// assert_eq!(quick, evaluate(text, &options).result);
/// // a key that nobody reads is a warning
/// assert_eq!(evaluate_quickly(&text.replace("\"wins\"", "\"win\""), Profiles::built_in(), &options), None);
/// ```
pub fn evaluate_quickly(
    text: &str,
    profiles: &Profiles,
    options: &Options,
) -> Option<DebateResult> {
    let payload = read(text)?;
    let scored = score(&payload, profiles, options);
    scored.result.filter(|_| scored.problems.is_empty())
}

fn read(text: &str) -> Option<Payload> {
    let Object(debate) = serde_json::from_str::<Object<Debate>>(text).ok()?;
    let n = debate.candidates.len();
    if n < 2 {
        return None;
    }
    let candidates = debate.candidates.into_iter();
    let candidates: Vec<Candidate> = candidates
        .map(|Object(answer)| candidate(answer, n))
        .collect::<Option<_>>()?;
    let ids: HashSet<&str> = candidates.iter().map(|one| one.id.as_str()).collect();
    if ids.len() < n || impossible_wins(&candidates).is_some() {
        return None;
    }
    Some(Payload {
        id: debate.id.filter(|id| *id != DebateId::Text(String::new())),
        question: filled(debate.question),
        domain: filled(debate.domain),
        // where there is nothing to say, no place is asked for
        places: [Place::START; 2],
        candidates,
        pairwise: Vec::new(),
        what_if: None,
        origin: None,
        notes: Vec::new(),
        input_sha256: input_sha256(&[("payload", text)]),
    })
}

fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

fn candidate(answer: Answer, n: usize) -> Option<Candidate> {
    let is_formal = |score: f64| (-1.0..=1.0).contains(&score);
    let is_sound = !answer.id.is_empty()
        && (0..n as i64).contains(&answer.wins)
        && answer.formal_score.is_none_or(is_formal)
        && !answer.reviews.is_empty();
    if !is_sound {
        return None;
    }
    let reviews = answer.reviews.into_iter();
    let reviews = reviews.map(|Object(rating)| review(rating));
    Some(Candidate {
        id: answer.id,
        model: filled(answer.model),
        wins: answer.wins,
        formal_score: answer.formal_score,
        claims: Vec::new(),
        reviews: reviews.collect::<Option<_>>()?,
        place: Place::START,
    })
}

fn review(rating: Rating) -> Option<Review> {
    let Rating {
        support,
        evidence,
        major_risks,
        critical_fail,
        ..
    } = rating;
    let are_rated = [support, evidence, major_risks]
        .iter()
        .all(|rated| (0..=2).contains(rated));
    (are_rated && (0..=1).contains(&critical_fail)).then(|| Review {
        debater: filled(rating.debater),
        support,
        evidence,
        major_risks,
        critical_fail,
        justification: filled(rating.justification),
    })
}
