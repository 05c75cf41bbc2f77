//! How the ranking fares when the weights are not certain: the share of weight
//! space in which each candidate comes first, second, ..., and what is decided there.
//!
//! Weights are drawn as [`crate::analysis::acceptability`] says and scored as the
//! scorer does, rounding and tie rules included; eliminated candidates have no
//! rank. A weight varies if it is above 0 (0 means switched off: nothing is known
//! of a domain's reliability where there is no domain), is not held, and
//! multiplies something: at least one survivor has a value other than 0 for it.

use serde::Serialize;

use super::numbers::Numbers;
use super::term::{ByTerm, Term};
use super::verdict::decision;
use super::{Decision, Payload, Weights};
use crate::analysis::acceptability::{DEFAULT_DRAWS, Sampler, Sampling, Space};
use crate::analysis::bootstrap::DEFAULT_SEED;
use crate::analysis::round4;
use crate::text::{sort_by, sort_by_key};

/// How far the weights may be from what they should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// Anything with the same sum.
    #[default]
    Simplex,
    /// Within this percentage of its value, in [0, 100], each on its own.
    WithinPercent(f64),
}

/// How to sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct UncertaintyOptions {
    /// How weights vary.
    pub spread: Spread,
    /// How many draws, at least 1.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
    /// Weights that keep their value, by term.
    pub held: ByTerm<bool>,
}

impl Default for UncertaintyOptions {
    fn default() -> Self {
        Self {
            spread: Spread::default(),
            draws: DEFAULT_DRAWS,
            seed: DEFAULT_SEED,
            held: [false; Term::COUNT],
        }
    }
}

/// What comes of uncertain weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Uncertainty {
    /// How it was sampled.
    pub options: UncertaintyOptions,
    /// The names of the weights that varied.
    pub varied: Vec<&'static str>,
    /// Survivors, in input order.
    pub candidates: Vec<CandidateShares>,
    /// How often each decision was taken.
    pub decisions: DecisionShares,
}

impl Uncertainty {
    /// The share of weight space in which a candidate is first; 0 for one that is
    /// eliminated or unknown.
    pub fn first(&self, id: &str) -> f64 {
        let found = self.candidates.iter().find(|candidate| candidate.id == id);
        found.map_or(0.0, |candidate| candidate.ranks[0])
    }

    /// The share of weight space in which a candidate is the winner; 0 as for [`Self::first`].
    pub fn wins(&self, id: &str) -> f64 {
        let found = self.candidates.iter().find(|candidate| candidate.id == id);
        found.map_or(0.0, |candidate| candidate.winner)
    }
}

/// The shares of a candidate. Shares are in [0, 1].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateShares {
    /// The candidate.
    pub id: String,
    /// The share of weight space in which it has rank 1, 2, ...; they sum to 1.
    pub ranks: Vec<f64>,
    /// The share in which it is the winner.
    pub winner: f64,
    /// The share in which it is one of a hybrid.
    pub hybrid: f64,
    /// The mean of the weights with which it is first; none if it never is.
    pub central_weights: Option<Weights>,
}

/// The share of weight space in which each decision is taken; they sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)] // named by the decision
pub struct DecisionShares {
    pub winner: f64,
    pub hybrid: f64,
    pub insufficient: f64,
    pub all_eliminated: f64,
}

/// Samples the weights.
pub fn uncertainty(
    payload: &Payload,
    numbers: &Numbers,
    weights: &Weights,
    options: &UncertaintyOptions,
) -> Uncertainty {
    let mut draws = Draws::new(payload, numbers, weights, options);
    draws.advance(options.draws.max(1));
    draws.found()
}

/// The sampling of [`uncertainty`] in pieces, so that a page can breathe between
/// them; however it is cut, the result is the same.
pub struct Draws {
    options: UncertaintyOptions,
    varied: Vec<&'static str>,
    /// Position and id of the candidate of each row, in the order that breaks ties.
    rows: Vec<(usize, String)>,
    sampler: Sampler,
    counts: Counts,
}

impl Draws {
    /// Nothing is drawn yet.
    pub fn new(
        payload: &Payload,
        numbers: &Numbers,
        weights: &Weights,
        options: &UncertaintyOptions,
    ) -> Self {
        let mut rows: Vec<usize> = numbers.survivors().collect();
        // the sampler ranks equal totals in the order of the rows
        sort_by(&mut rows, |a, b| {
            numbers.wins_tie(*b, *a).cmp(&numbers.wins_tie(*a, *b))
        });
        let free = Term::ALL.map(|term| {
            let matters = rows.iter().any(|row| numbers.values[*row][term] != 0.0);
            weights.values()[term] > 0.0 && !options.held[term as usize] && matters
        });
        let values: Vec<f64> = rows.iter().flat_map(|row| numbers.values[*row]).collect();
        let sampling = Sampling {
            values: &values,
            weights: &weights.values(),
            free: &free,
            space: match options.spread {
                Spread::Simplex => Space::Simplex,
                Spread::WithinPercent(percent) => Space::Within((percent / 100.0).clamp(0.0, 1.0)),
            },
            draws: options.draws.max(1),
            seed: options.seed,
        };
        let id = |row: usize| (row, payload.candidates[row].id.clone());
        Self {
            options: *options,
            varied: Weights::NAMES
                .into_iter()
                .zip(free)
                .filter_map(|(name, free)| free.then_some(name))
                .collect(),
            sampler: Sampler::new(&sampling),
            counts: Counts::new(rows.len()),
            rows: rows.into_iter().map(id).collect(),
        }
    }

    /// How many candidates are ranked at every draw.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many draws are still to be made.
    pub fn left(&self) -> usize {
        self.sampler.left()
    }

    /// Makes up to `most` draws more.
    pub fn advance(&mut self, most: usize) {
        let counts = &mut self.counts;
        self.sampler
            .advance(most, round4, |totals, order| counts.add(totals, order));
    }

    /// What the draws made so far say.
    pub fn found(&self) -> Uncertainty {
        let counts = &self.counts;
        let drawn = (self.options.draws.max(1) - self.left()).max(1);
        let share = |count: u32| f64::from(count) / drawn as f64;
        let found = self.sampler.found();
        let mut candidates: Vec<_> = self
            .rows
            .iter()
            .zip(found.ranks.into_iter().zip(found.central))
            .enumerate()
            .map(|(row, ((candidate, id), (ranks, central)))| {
                let shares = CandidateShares {
                    id: id.clone(),
                    ranks,
                    winner: share(counts.winner[row]),
                    hybrid: share(counts.hybrid[row]),
                    central_weights: central
                        .and_then(|weights| ByTerm::<f64>::try_from(weights).ok())
                        .map(Weights::from_values),
                };
                (*candidate, shares)
            })
            .collect();
        sort_by_key(&mut candidates, |(candidate, _)| *candidate);
        Uncertainty {
            options: self.options,
            varied: self.varied.clone(),
            candidates: candidates.into_iter().map(|(_, shares)| shares).collect(),
            decisions: DecisionShares {
                winner: share(counts.winner.iter().sum()),
                // two candidates each
                hybrid: share(counts.hybrid.iter().sum::<u32>() / 2),
                insufficient: share(counts.insufficient),
                all_eliminated: share(counts.all_eliminated),
            },
        }
    }
}

/// How often each decision was taken, and for whom.
struct Counts {
    winner: Vec<u32>,
    hybrid: Vec<u32>,
    insufficient: u32,
    all_eliminated: u32,
}

impl Counts {
    fn new(rows: usize) -> Self {
        Self {
            winner: vec![0; rows],
            hybrid: vec![0; rows],
            insufficient: 0,
            all_eliminated: 0,
        }
    }

    fn add(&mut self, totals: &[f64], order: &[usize]) {
        let (first, second) = (order.first().copied(), order.get(1).copied());
        let total = |row: usize| totals[row];
        match (decision(first.map(total), second.map(total)), first, second) {
            (Decision::Winner, Some(first), _) => self.winner[first] += 1,
            (Decision::Hybrid, Some(first), Some(second)) => {
                self.hybrid[first] += 1;
                self.hybrid[second] += 1;
            }
            (Decision::AllEliminated, ..) => self.all_eliminated += 1,
            _ => self.insufficient += 1,
        }
    }
}
