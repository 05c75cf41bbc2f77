//! The score of each candidate (SCORING.md section 2).

use super::payload::{Candidate, Payload};
use super::profile::Domain;
use super::rules::{FAIL_RISKS, UNKNOWN_MODEL, eliminates};
use super::term::{ByTerm, Term};
use super::{Contributions, Review, Row, Weights};
use crate::analysis::{apportion, round4};

/// The rows of all candidates, in input order.
pub fn rows(payload: &Payload, weights: &Weights, domain: Option<&Domain>) -> Vec<Row> {
    let opponents = opponents(payload);
    let weights = weights.values();
    payload
        .candidates
        .iter()
        .map(|candidate| row(candidate, opponents, &weights, domain))
        .collect()
}

/// What each weight multiplies: base and -risk in [-4, 4], pairwise and
/// reliability in [0, 1], formal score in [-1, 1].
pub fn values(candidate: &Candidate, opponents: f64, domain: Option<&Domain>) -> ByTerm<f64> {
    let reviews = candidate.reviews.len().max(1) as f64;
    let total = |value: fn(&Review) -> i64| candidate.reviews.iter().map(value).sum::<i64>() as f64;
    Term::ALL.map(|term| {
        let value = match term {
            Term::Base => total(|review| review.support + review.evidence) / reviews,
            Term::Pairwise => candidate.wins as f64 / opponents,
            Term::Risk => total(risks) / reviews,
            Term::Reliability => reliability(candidate, domain),
            Term::Formal => candidate.formal_score.unwrap_or(0.0),
        };
        term.sign() * value
    })
}

/// The risks of a review, a critical_fail as [`FAIL_RISKS`] of them.
pub fn risks(review: &Review) -> i64 {
    review.major_risks + FAIL_RISKS * review.critical_fail
}

/// Reviews with critical_fail = 1.
pub fn critical_fails(candidate: &Candidate) -> usize {
    let failed = |review: &&Review| review.critical_fail > 0;
    candidate.reviews.iter().filter(failed).count()
}

/// Weight x value of each term, not rounded.
pub fn terms(weights: &ByTerm<f64>, values: &ByTerm<f64>) -> ByTerm<f64> {
    Term::ALL.map(|term| weights[term] * values[term])
}

/// The shown score of some terms.
pub fn total(terms: &ByTerm<f64>) -> f64 {
    // in the order of the formula, so that the binary value is the original scorer's
    let [first, rest @ ..] = terms;
    round4(rest.iter().fold(*first, |total, term| total + term))
}

/// How many others each candidate meets.
pub fn opponents(payload: &Payload) -> f64 {
    payload.candidates.len().saturating_sub(1).max(1) as f64
}

fn row(
    candidate: &Candidate,
    opponents: f64,
    weights: &ByTerm<f64>,
    domain: Option<&Domain>,
) -> Row {
    let values = values(candidate, opponents, domain);
    let critical_fails = critical_fails(candidate);
    let terms = terms(weights, &values);
    let score = total(&terms);
    let counts = |term: Term| domain.is_some() || weights[term] > 0.0;
    let with_reliability = counts(Term::Reliability);
    let with_formal = candidate.formal_score.is_some() && counts(Term::Formal);
    let shown = |term: Term| round4(term.sign() * values[term]);
    Row {
        id: candidate.id.clone(),
        model: candidate.model.clone(),
        wins: candidate.wins,
        base: shown(Term::Base),
        risk: shown(Term::Risk),
        pairwise: shown(Term::Pairwise),
        score,
        critical_fails,
        eliminated: eliminates(critical_fails),
        model_weight: with_reliability.then(|| shown(Term::Reliability)),
        reliability_bonus: with_reliability.then(|| round4(terms[Term::Reliability])),
        formal_score: with_formal.then(|| shown(Term::Formal)),
        formal_bonus: with_formal.then(|| round4(terms[Term::Formal])),
        contributions: Contributions::from_values(apportion(terms, score)),
    }
}

/// Reliability of a candidate's model in a domain, in [0, 1]: 0 without a domain
/// or a model, [`UNKNOWN_MODEL`] for a model that the profile does not know.
pub fn reliability(candidate: &Candidate, domain: Option<&Domain>) -> f64 {
    match (domain, &candidate.model) {
        (Some(domain), Some(model)) => domain.reliability(model).unwrap_or(UNKNOWN_MODEL),
        _ => 0.0,
    }
}
