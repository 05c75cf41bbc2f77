//! The score of each candidate (SCORING.md section 2).

use super::payload::{Candidate, Payload};
use super::profile::{Domain, UNKNOWN_MODEL};
use super::{Contributions, Row, Weights};
use crate::analysis::{apportion, round4};

/// This many reviews with critical_fail = 1 eliminate a candidate.
pub const ELIMINATING_FAILS: usize = 2;

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

/// What each weight multiplies, in the order of [`Weights::NAMES`]: base and
/// -risk in [-4, 4], pairwise and reliability in [0, 1], formal score in [-1, 1].
pub fn values(candidate: &Candidate, opponents: f64, domain: Option<&Domain>) -> [f64; 5] {
    let reviews = candidate.reviews.len().max(1) as f64;
    let total =
        |value: fn(&super::Review) -> i64| candidate.reviews.iter().map(value).sum::<i64>() as f64;
    [
        total(|review| review.support + review.evidence) / reviews,
        candidate.wins as f64 / opponents,
        -(total(|review| review.major_risks + 2 * review.critical_fail) / reviews),
        reliability(candidate, domain),
        candidate.formal_score.unwrap_or(0.0),
    ]
}

/// Reviews with critical_fail = 1.
pub fn critical_fails(candidate: &Candidate) -> usize {
    let failed = |review: &&super::Review| review.critical_fail > 0;
    candidate.reviews.iter().filter(failed).count()
}

/// Weight x value of each term, not rounded.
pub fn terms(weights: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    std::array::from_fn(|term| weights[term] * values[term])
}

/// The shown score of some terms.
pub fn total(terms: &[f64; 5]) -> f64 {
    // in this order, so that the binary value is the original scorer's
    round4(terms[0] + terms[1] + terms[2] + terms[3] + terms[4])
}

/// How many others each candidate meets.
pub fn opponents(payload: &Payload) -> f64 {
    payload.candidates.len().saturating_sub(1).max(1) as f64
}

fn row(candidate: &Candidate, opponents: f64, weights: &[f64; 5], domain: Option<&Domain>) -> Row {
    let values = values(candidate, opponents, domain);
    let [base, pairwise, minus_risk, model_weight, formal_score] = values;
    let critical_fails = critical_fails(candidate);
    let terms = terms(weights, &values);
    let score = total(&terms);
    let [
        base_part,
        pairwise_part,
        risk_part,
        reliability_part,
        formal_part,
    ] = apportion(terms, score);
    let with_reliability = domain.is_some() || weights[3] > 0.0;
    let with_formal = candidate.formal_score.is_some() && (domain.is_some() || weights[4] > 0.0);
    Row {
        id: candidate.id.clone(),
        model: candidate.model.clone(),
        wins: candidate.wins,
        base: round4(base),
        risk: round4(-minus_risk),
        pairwise: round4(pairwise),
        score,
        critical_fails,
        eliminated: critical_fails >= ELIMINATING_FAILS,
        model_weight: with_reliability.then(|| round4(model_weight)),
        reliability_bonus: with_reliability.then(|| round4(terms[3])),
        formal_score: with_formal.then(|| round4(formal_score)),
        formal_bonus: with_formal.then(|| round4(terms[4])),
        contributions: Contributions {
            base: base_part,
            pairwise: pairwise_part,
            risk: risk_part,
            reliability: reliability_part,
            formal: formal_part,
        },
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
