//! A debate as plain numbers, made once and scored as often as a weight moves.
//! The arithmetic is that of [`super::score`], bit for bit.

use std::cmp::Ordering;

use serde::Serialize;

use super::decision::{Standing, decision};
use super::score::{self, ELIMINATING_FAILS};
use super::{Decision, Domain, Payload};
use crate::analysis::{round4, sort_by};

/// What a verdict comes to: decision and who it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ruling {
    /// The decision.
    pub decision: Decision,
    /// As in [`super::DebateResult::winner`].
    pub winner: Option<String>,
    /// As in [`super::DebateResult::hybrid_candidates`].
    pub hybrid_candidates: Vec<String>,
}

impl Ruling {
    /// What a scored debate comes to.
    pub fn of(result: &super::DebateResult) -> Self {
        Self {
            decision: result.decision,
            winner: result.winner.clone(),
            hybrid_candidates: result.hybrid_candidates.clone(),
        }
    }

    /// What it makes of the debate: "E wins", "a hybrid of A and B", ...
    pub fn words(&self) -> String {
        match (
            self.decision,
            &self.winner,
            self.hybrid_candidates.as_slice(),
        ) {
            (Decision::Winner, Some(winner), _) => format!("{winner} wins"),
            (Decision::Hybrid, _, [first, second]) => {
                format!("a hybrid of {first} and {second}")
            }
            (Decision::AllEliminated, ..) => "all candidates are eliminated".into(),
            _ => "no candidate is good enough".into(),
        }
    }

    /// Completes "... makes": "E win", "it a hybrid of A and B", ...
    pub fn made(&self) -> String {
        match (self.decision, &self.winner) {
            (Decision::Winner, Some(winner)) => format!("{winner} win"),
            (Decision::Hybrid, _) => format!("it {}", self.words()),
            (Decision::AllEliminated, _) => "everyone eliminated".into(),
            _ => "the top score insufficient".into(),
        }
    }
}

/// The best two and the decision, by position among the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Top {
    pub decision: Decision,
    pub first: Option<usize>,
    pub second: Option<usize>,
}

impl Top {
    /// From survivors in any order; positions break full ties.
    pub fn of(standings: impl IntoIterator<Item = (usize, Standing)>) -> Self {
        let mut best: [Option<(usize, Standing)>; 2] = [None, None];
        for new in standings {
            if new.1.eliminated {
                continue;
            }
            let before =
                |old: Option<(usize, Standing)>| old.is_none_or(|old| comes_before(&new, &old));
            if before(best[0]) {
                best = [Some(new), best[0]];
            } else if before(best[1]) {
                best[1] = Some(new);
            }
        }
        let [first, second] = best;
        Self {
            decision: decision(first.map(|(_, s)| s.score), second.map(|(_, s)| s.score)),
            first: first.map(|(index, _)| index),
            second: second.map(|(index, _)| index),
        }
    }

    /// The verdict in names.
    pub fn ruling(&self, payload: &Payload) -> Ruling {
        let name = |index: Option<usize>| {
            let candidate = payload.candidates.get(index?)?;
            Some(candidate.id.clone())
        };
        let (first, second) = (name(self.first), name(self.second));
        let (winner, hybrid_candidates) = match self.decision {
            Decision::Winner => (first, Vec::new()),
            Decision::Hybrid => (first.clone(), first.into_iter().chain(second).collect()),
            Decision::Insufficient | Decision::AllEliminated => (None, Vec::new()),
        };
        Ruling {
            decision: self.decision,
            winner,
            hybrid_candidates,
        }
    }

    /// Whether this candidate is the winner.
    pub fn is_won_by(&self, index: usize) -> bool {
        self.decision == Decision::Winner && self.first == Some(index)
    }
}

fn comes_before(a: &(usize, Standing), b: &(usize, Standing)) -> bool {
    a.1.order(&b.1).then(a.0.cmp(&b.0)) == Ordering::Less
}

/// The numbers of all candidates, in input order.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// What each weight multiplies, in the order of [`super::Weights::NAMES`]; risk is negative.
    pub values: Vec<[f64; 5]>,
    /// Reviews with critical_fail = 1.
    pub critical_fails: Vec<usize>,
}

impl Terms {
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
    pub fn score(&self, candidate: usize, weights: &[f64; 5]) -> f64 {
        score::total(&score::terms(weights, &self.values[candidate]))
    }

    /// Whether a candidate is out.
    pub fn eliminated(&self, candidate: usize) -> bool {
        self.critical_fails[candidate] >= ELIMINATING_FAILS
    }

    /// The candidates that are not eliminated, in input order.
    pub fn survivors(&self) -> impl Iterator<Item = usize> {
        (0..self.values.len()).filter(|candidate| !self.eliminated(*candidate))
    }

    pub(super) fn standing(&self, candidate: usize, weights: &[f64; 5]) -> Standing {
        standing(
            &self.values[candidate],
            self.critical_fails[candidate],
            weights,
        )
    }

    /// Survivors by rank.
    pub(super) fn ranking(&self, weights: &[f64; 5]) -> Vec<(usize, Standing)> {
        let mut ranking: Vec<_> = self
            .survivors()
            .map(|candidate| (candidate, self.standing(candidate, weights)))
            .collect();
        // stable: full ties keep input order
        sort_by(&mut ranking, |a, b| a.1.order(&b.1));
        ranking
    }

    pub(super) fn top(&self, weights: &[f64; 5]) -> Top {
        let survivors = self.survivors();
        Top::of(survivors.map(|candidate| (candidate, self.standing(candidate, weights))))
    }

    /// Whether `a` comes before `b` when their scores are equal.
    pub(super) fn wins_tie(&self, a: usize, b: usize) -> bool {
        let standing = |index: usize| Standing {
            score: 0.0,
            critical_fails: self.critical_fails[index],
            base: round4(self.values[index][0]),
            eliminated: false,
        };
        comes_before(&(a, standing(a)), &(b, standing(b)))
    }
}

/// The standing of a candidate with such numbers.
pub(super) fn standing(values: &[f64; 5], critical_fails: usize, weights: &[f64; 5]) -> Standing {
    Standing {
        score: score::total(&score::terms(weights, values)),
        critical_fails,
        base: round4(values[0]),
        eliminated: critical_fails >= ELIMINATING_FAILS,
    }
}
