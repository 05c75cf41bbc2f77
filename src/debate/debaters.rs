//! The debaters: how severe each is, how far they agree, whose absence would
//! change the verdict, who reviewed itself, and where the votes go round in a circle.

use std::collections::HashMap;

use serde::Serialize;

use super::numbers::Numbers;
use super::score::risks;
use super::verdict::Ruling;
use super::{Candidate, Domain, Payload, Review, ReviewField, Weights};
use crate::analysis::agreement::Ratings;
use crate::analysis::cycles::cycles;

/// Everything about the debaters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Debaters {
    /// Each debater, in the order of the reviews.
    pub debaters: Vec<Debater>,
    /// Agreement on each field of a review.
    pub agreement: Vec<Agreement>,
    /// The verdict without each debater.
    pub left_out: Vec<LeftOut>,
    /// Circles in the head-to-heads.
    pub cycles: Vec<VoteCycle>,
    /// Candidates that were reviewed by their own model.
    pub self_reviews: Vec<SelfReview>,
}

/// A debater's ratings. A debater without a name is its position among the
/// reviews of each candidate ("review 2").
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Debater {
    /// Its name, or its position in words.
    pub name: String,
    /// Whether it has a name.
    pub named: bool,
    /// How many reviews it wrote.
    pub reviews: usize,
    /// major_risks + 2 critical_fail - support - evidence, in [-4, 4]; more is more severe.
    pub severity: DebaterScale,
    /// In [0, 2].
    pub support: DebaterScale,
    /// In [0, 2].
    pub evidence: DebaterScale,
    /// In [0, 2].
    pub major_risks: DebaterScale,
    /// In [0, 1].
    pub critical_fail: DebaterScale,
}

/// A debater on one scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DebaterScale {
    /// The mean over its reviews.
    pub mean: f64,
    /// The mean, over its reviews of candidates that others reviewed too, of its
    /// value less the mean of the others' for the same candidate.
    pub deviation: Option<f64>,
}

/// Krippendorff's alpha for one field. Units are the candidates; every review of
/// a candidate is a rating.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The field.
    pub field: ReviewField,
    /// Ordinal alpha, at most 1; none where undefined (see [`Ratings::alpha`]).
    pub alpha: Option<f64>,
    /// 95 % bootstrap interval over the candidates.
    pub interval_95: Option<[f64; 2]>,
    /// Candidates with at least two ratings.
    pub units: usize,
}

/// The verdict without a debater.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOut {
    /// The debater.
    pub name: String,
    /// The verdict; none if some candidate would have no review left.
    pub ruling: Option<Ruling>,
    /// Whether it is another verdict.
    pub changes: bool,
    /// The candidates that would have no review left.
    pub unreviewed: Vec<String>,
}

/// A circle of candidates in the head-to-heads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VoteCycle {
    /// All candidates that lead to one another.
    pub members: Vec<String>,
    /// A shortest circle among them.
    pub shortest: Vec<String>,
    /// "A beats B, B beats C, C beats A".
    pub words: String,
}

/// A candidate and a review by its own model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SelfReview {
    /// The candidate.
    pub id: String,
    /// The review's position, from 0.
    pub review: usize,
    /// The debater.
    pub debater: String,
}

/// Who wrote which review.
pub(super) struct Roster<'a> {
    /// Name, or position.
    pub debaters: Vec<Key<'a>>,
    /// Per candidate and review, a position in `debaters`.
    pub of: Vec<Vec<usize>>,
}

/// A debater without a name is its position among the reviews of each candidate.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key<'a> {
    Named(&'a str),
    Position(usize),
}

impl Key<'_> {
    pub fn name(&self) -> String {
        match self {
            Self::Named(name) => (*name).to_owned(),
            Self::Position(position) => format!("review {}", position + 1),
        }
    }
}

impl<'a> Roster<'a> {
    pub fn new(payload: &'a Payload) -> Self {
        let mut debaters = Vec::new();
        let mut known = HashMap::new();
        let mut place = |(position, review): (usize, &'a Review)| {
            let key = match &review.debater {
                Some(name) => Key::Named(name.trim()),
                None => Key::Position(position),
            };
            *known.entry(key).or_insert_with(|| {
                debaters.push(key);
                debaters.len() - 1
            })
        };
        let of = payload
            .candidates
            .iter()
            .map(|candidate| {
                candidate
                    .reviews
                    .iter()
                    .enumerate()
                    .map(&mut place)
                    .collect()
            })
            .collect();
        Self { debaters, of }
    }
}

/// Every debater's severity.
pub fn debaters(payload: &Payload) -> Vec<Debater> {
    let roster = Roster::new(payload);
    let fields = ReviewField::ALL.map(|field| scales(payload, &roster, |r| field.of(r) as f64));
    let severity = scales(payload, &roster, |review| {
        (risks(review) - review.support - review.evidence) as f64
    });
    let mut reviews = vec![0; roster.debaters.len()];
    for debater in roster.of.iter().flatten() {
        reviews[*debater] += 1;
    }
    let debaters = roster.debaters.iter().enumerate();
    debaters
        .map(|(index, key)| Debater {
            name: key.name(),
            named: matches!(key, Key::Named(_)),
            reviews: reviews[index],
            severity: severity[index],
            support: fields[0][index],
            evidence: fields[1][index],
            major_risks: fields[2][index],
            critical_fail: fields[3][index],
        })
        .collect()
}

/// Every debater on one scale.
fn scales(payload: &Payload, roster: &Roster, value: impl Fn(&Review) -> f64) -> Vec<DebaterScale> {
    /// Sums over a debater's reviews.
    #[derive(Clone, Copy, Default)]
    struct Sum {
        reviews: f64,
        value: f64,
        compared: f64,
        deviation: f64,
    }
    let n = roster.debaters.len();
    let mut sums = vec![Sum::default(); n];
    for (candidate, of) in payload.candidates.iter().zip(&roster.of) {
        let total: f64 = candidate.reviews.iter().map(&value).sum();
        // a debater may have reviewed a candidate more than once
        let mut own = HashMap::<usize, (f64, f64)>::new();
        for (review, debater) in candidate.reviews.iter().zip(of) {
            let (count, sum) = own.entry(*debater).or_default();
            *count += 1.0;
            *sum += value(review);
        }
        for (review, debater) in candidate.reviews.iter().zip(of) {
            let (count, own_total) = own.get(debater).copied().unwrap_or_default();
            let others = candidate.reviews.len() as f64 - count;
            let sum = &mut sums[*debater];
            sum.reviews += 1.0;
            sum.value += value(review);
            if others > 0.0 {
                sum.compared += 1.0;
                sum.deviation += value(review) - (total - own_total) / others;
            }
        }
    }
    sums.iter()
        .map(|sum| DebaterScale {
            mean: sum.value / sum.reviews.max(1.0),
            deviation: (sum.compared > 0.0).then(|| sum.deviation / sum.compared),
        })
        .collect()
}

/// Agreement on each field, with `samples` resamples for its interval.
pub fn agreement(payload: &Payload, samples: usize, seed: u64) -> Vec<Agreement> {
    ReviewField::ALL
        .into_iter()
        .map(|field| {
            let units: Vec<Vec<usize>> = payload
                .candidates
                .iter()
                .map(|candidate| {
                    let ratings = candidate.reviews.iter().map(|review| field.of(review));
                    ratings
                        .filter_map(|rating| usize::try_from(rating).ok())
                        .collect()
                })
                .collect();
            let ratings = Ratings::new(&units, field.most() as usize + 1);
            Agreement {
                field,
                alpha: ratings.alpha(),
                interval_95: ratings.interval_95(samples, seed),
                units: ratings.pairable_units(),
            }
        })
        .collect()
}

/// The verdict without each debater, in the order of [`debaters`].
pub fn leave_one_out(
    payload: &Payload,
    domain: Option<&Domain>,
    weights: &Weights,
) -> Vec<LeftOut> {
    let roster = Roster::new(payload);
    let with_all = ruling(payload, domain, weights);
    let debaters = roster.debaters.iter().enumerate();
    debaters
        .map(|(left_out, key)| {
            let without = without(payload, &roster, left_out);
            let unreviewed: Vec<String> = without
                .candidates
                .iter()
                .filter(|candidate| candidate.reviews.is_empty())
                .map(|candidate| candidate.id.clone())
                .collect();
            let ruling = unreviewed
                .is_empty()
                .then(|| ruling(&without, domain, weights));
            LeftOut {
                name: key.name(),
                changes: ruling.as_ref().is_some_and(|ruling| *ruling != with_all),
                ruling,
                unreviewed,
            }
        })
        .collect()
}

fn ruling(payload: &Payload, domain: Option<&Domain>, weights: &Weights) -> Ruling {
    let numbers = Numbers::new(payload, domain);
    numbers.top(&weights.values()).ruling(payload)
}

/// What is scored of a payload, without one debater's reviews.
fn without(payload: &Payload, roster: &Roster, left_out: usize) -> Payload {
    let kept = |candidate: &Candidate, of: &[usize]| -> Vec<Review> {
        let reviews = candidate.reviews.iter().zip(of);
        reviews
            .filter(|(_, debater)| **debater != left_out)
            .map(|(review, _)| Review {
                debater: None,
                justification: None,
                ..*review
            })
            .collect()
    };
    let candidates = payload.candidates.iter().zip(&roster.of);
    Payload {
        id: None,
        question: None,
        domain: None,
        places: payload.places,
        candidates: candidates
            .map(|(candidate, of)| Candidate {
                id: candidate.id.clone(),
                model: candidate.model.clone(),
                reviews: kept(candidate, of),
                claims: Vec::new(),
                ..*candidate
            })
            .collect(),
        pairwise: Vec::new(),
        what_if: None,
        origin: None,
        notes: Vec::new(),
        input_sha256: String::new(),
    }
}

/// Circles in the head-to-heads; none where only wins are given.
pub fn vote_cycles(payload: &Payload) -> Vec<VoteCycle> {
    let edges: Vec<(usize, usize)> = payload
        .pairwise
        .iter()
        .map(|outcome| (outcome.winner, outcome.loser))
        .collect();
    let names = |nodes: &[usize]| -> Vec<String> {
        let candidates = nodes.iter().map(|node| &payload.candidates[*node]);
        candidates.map(|candidate| candidate.id.clone()).collect()
    };
    cycles(payload.candidates.len(), &edges)
        .into_iter()
        .map(|cycle| {
            let shortest = names(&cycle.shortest);
            let nexts = shortest.iter().cycle().skip(1);
            let beats = shortest.iter().zip(nexts);
            let beats: Vec<String> = beats.map(|(a, b)| format!("{a} beats {b}")).collect();
            VoteCycle {
                members: names(&cycle.members),
                words: beats.join(", "),
                shortest,
            }
        })
        .collect()
}

/// Reviews whose debater is the candidate's own model or the candidate itself.
/// Names are compared by their letters and digits, in any case.
pub fn self_reviews(payload: &Payload) -> Vec<SelfReview> {
    let mut found = Vec::new();
    for candidate in &payload.candidates {
        let own: Vec<String> = std::iter::once(&candidate.id)
            .chain(&candidate.model)
            .map(|name| plain(name))
            .collect();
        for (review, of) in candidate.reviews.iter().enumerate() {
            if let Some(debater) = &of.debater
                && !plain(debater).is_empty()
                && own.contains(&plain(debater))
            {
                found.push(SelfReview {
                    id: candidate.id.clone(),
                    review,
                    debater: debater.clone(),
                });
            }
        }
    }
    found
}

fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}
