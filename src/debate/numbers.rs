//! A debate as plain numbers, made once and scored as often as a weight moves.
//! The arithmetic is that of [`super::score`], bit for bit.

use super::rules::eliminates;
use super::score;
use super::term::{ByTerm, Term};
use super::verdict::{Standing, Top, comes_before};
use super::{Domain, Payload};
use crate::analysis::round4;
use crate::text::sort_by;

/// The numbers of all candidates, in input order.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// What each weight multiplies, by term; risk is negative.
    pub values: Vec<ByTerm<f64>>,
    /// Reviews with critical_fail = 1.
    pub critical_fails: Vec<usize>,
}

impl Numbers {
    /// The numbers of a payload in a domain.
    pub fn new(payload: &Payload, domain: Option<&Domain>) -> Self {
        let opponents = score::opponents(payload);
        let candidates = &payload.candidates;
        Self {
            values: candidates
                .iter()
                .map(|candidate| score::values(candidate, opponents, domain))
                .collect(),
            critical_fails: candidates.iter().map(score::critical_fails).collect(),
        }
    }

    /// A candidate's score, rounded to 4 decimals.
    pub fn score(&self, candidate: usize, weights: &ByTerm<f64>) -> f64 {
        score::total(&score::terms(weights, &self.values[candidate]))
    }

    /// Whether a candidate is out.
    pub fn eliminated(&self, candidate: usize) -> bool {
        eliminates(self.critical_fails[candidate])
    }

    /// The candidates that are not eliminated, in input order.
    pub fn survivors(&self) -> impl Iterator<Item = usize> {
        (0..self.values.len()).filter(|candidate| !self.eliminated(*candidate))
    }

    pub(super) fn standing(&self, candidate: usize, weights: &ByTerm<f64>) -> Standing {
        standing(
            &self.values[candidate],
            self.critical_fails[candidate],
            weights,
        )
    }

    /// Survivors by rank.
    pub(super) fn ranking(&self, weights: &ByTerm<f64>) -> Vec<(usize, Standing)> {
        let mut ranking: Vec<_> = self
            .survivors()
            .map(|candidate| (candidate, self.standing(candidate, weights)))
            .collect();
        // stable: full ties keep input order
        sort_by(&mut ranking, |a, b| a.1.order(&b.1));
        ranking
    }

    pub(super) fn top(&self, weights: &ByTerm<f64>) -> Top {
        let survivors = self.survivors();
        Top::of(survivors.map(|candidate| (candidate, self.standing(candidate, weights))))
    }

    /// Whether `a` comes before `b` when their scores are equal.
    pub(super) fn wins_tie(&self, a: usize, b: usize) -> bool {
        let standing = |index: usize| Standing {
            score: 0.0,
            critical_fails: self.critical_fails[index],
            base: round4(self.values[index][Term::Base]),
            eliminated: false,
        };
        comes_before(&(a, standing(a)), &(b, standing(b)))
    }
}

/// The standing of a candidate with such numbers.
pub(super) fn standing(
    values: &ByTerm<f64>,
    critical_fails: usize,
    weights: &ByTerm<f64>,
) -> Standing {
    Standing {
        score: score::total(&score::terms(weights, values)),
        critical_fails,
        base: round4(values[Term::Base]),
        eliminated: eliminates(critical_fails),
    }
}
