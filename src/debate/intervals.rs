//! How far each weight can move before the verdict changes (SCORING.md section 2).
//!
//! The verdict stands while a few conditions hold, each linear in the weight:
//! for a winner, that it has 1.20 and is 0.40 ahead of every other survivor; for
//! a hybrid, that its first has 1.20, its second is within 0.40, and nobody comes
//! between or before; for an insufficient debate, that nobody has 1.20. Their
//! crossing points are closed forms. As decisions are taken on scores rounded to
//! 4 decimals, each end is then settled to the neighbouring float by asking the
//! scorer on both sides.

use serde::Serialize;

use super::numbers::Numbers;
use super::rules::{CLEAR_GAP, SUFFICIENT};
use super::term::{ByTerm, Term};
use super::verdict::{Ruling, Top, gap};
use super::{Decision, Payload, Weights};
use crate::analysis::MOST_WEIGHT;
use crate::analysis::flips::{
    self, Conditions, Failure, Margin, beyond, edge, first_failure, window,
};

/// The most by which rounding can move a margin: two scores by half a
/// ten-thousandth each, and the last ten-thousandth below a threshold; doubled.
const SLACK: f64 = 2.5e-4;
/// Two scores that stay this close to the same distance at every weight are
/// taken to round alike at every weight.
const DUST: f64 = 1e-9;

/// Within which bounds of each weight the verdict stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Intervals {
    /// The verdict that stands.
    pub ruling: Ruling,
    /// One interval per weight, in the order of [`Weights::NAMES`].
    pub weights: Vec<WeightInterval>,
    /// The flip with the least change in proportion to its weight. A weight of
    /// 0 has no proportion and is left out.
    pub nearest_relative: Option<NearestFlip>,
    /// The flip with the least change.
    pub nearest_absolute: Option<NearestFlip>,
}

/// The values of one weight, others kept, within which the verdict stands.
pub type WeightInterval = flips::WeightInterval<Flip>;

/// An end of an interval.
pub type End = flips::End<Flip>;

/// What a verdict becomes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flip {
    /// The first weight with the other verdict, no further than 2^-52 or the
    /// next float from the end.
    pub at: f64,
    /// The verdict there.
    pub becomes: Ruling,
    /// "pairwise below 1.31 makes E win".
    pub words: String,
}

impl flips::Flip for Flip {
    fn at(&self) -> f64 {
        self.at
    }
    fn words(&self) -> &str {
        &self.words
    }
}

/// The least change of a weight that changes the verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NearestFlip {
    /// The weight's name.
    pub weight: &'static str,
    /// Its value.
    pub from: f64,
    /// The value that flips.
    pub to: f64,
    /// |to - from|.
    pub change: f64,
    /// |to - from| / from, where from > 0.
    pub relative: Option<f64>,
    /// The verdict there.
    pub becomes: Ruling,
    /// As in [`Flip::words`].
    pub words: String,
}

/// The intervals of all weights. O(candidates) per weight: meant for every
/// input event.
pub fn intervals(payload: &Payload, numbers: &Numbers, weights: &Weights) -> Intervals {
    let weights = weights.values();
    let top = numbers.top(&weights);
    let list: Vec<_> = Term::ALL
        .into_iter()
        .map(|term| interval(payload, numbers, &weights, &top, term))
        .collect();
    let (nearest_relative, nearest_absolute) = nearest(&list);
    Intervals {
        ruling: top.ruling(payload),
        weights: list,
        nearest_relative,
        nearest_absolute,
    }
}

/// The first weights below and above the one in use, the others kept, at which one
/// survivor no longer comes before another that it comes before now; none where it
/// always does. Exact to the float, except where the search is cut short (see
/// [`flips::End::exact`]): then a later one is given.
pub(super) fn overtaken(
    numbers: &Numbers,
    weights: &Weights,
    term: Term,
    [ahead, behind]: [usize; 2],
) -> [Option<f64>; 2] {
    let weights = weights.values();
    let mut demands = Demands::of(numbers, &weights, &numbers.top(&weights), term);
    let before = Demand::Before(ahead, behind);
    demands.list = if demands.can_fail(&before) {
        vec![before]
    } else {
        Vec::new()
    };
    [0.0, MOST_WEIGHT].map(|bound| demands.first_failing(bound))
}

fn interval(
    payload: &Payload,
    numbers: &Numbers,
    weights: &ByTerm<f64>,
    top: &Top,
    term: Term,
) -> WeightInterval {
    let standing = Demands::of(numbers, weights, top, term);
    let end = |bound: f64| standing.end(payload, bound);
    WeightInterval {
        weight: term.weight(),
        current: weights[term],
        low: end(0.0),
        high: end(MOST_WEIGHT),
    }
}

fn nearest(list: &[WeightInterval]) -> (Option<NearestFlip>, Option<NearestFlip>) {
    let flips = list.iter().flat_map(|interval| {
        interval.flips().map(|flip| {
            let (from, change) = (interval.current, (flip.at - interval.current).abs());
            NearestFlip {
                weight: interval.weight,
                from,
                to: flip.at,
                change,
                relative: (from > 0.0).then(|| change / from),
                becomes: flip.becomes.clone(),
                words: flip.words.clone(),
            }
        })
    });
    let flips: Vec<_> = flips.collect();
    let absolute = flips.iter().min_by(|a, b| a.change.total_cmp(&b.change));
    let relative = flips
        .iter()
        .filter_map(|flip| Some((flip.relative?, flip)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, flip)| flip);
    (relative.cloned(), absolute.cloned())
}

/// What must hold for a verdict to stand.
#[derive(Clone, Copy, Debug)]
enum Demand {
    /// This candidate has a sufficient score.
    Enough(usize),
    /// It has not.
    TooLittle(usize),
    /// The first comes before the second.
    Before(usize, usize),
    /// The first is a clear gap ahead of the second.
    Clear(usize, usize),
    /// It is not.
    Close(usize, usize),
}

/// The demands of a verdict over one weight.
struct Demands<'a> {
    numbers: &'a Numbers,
    weights: ByTerm<f64>,
    term: Term,
    /// The verdict that they are of.
    top: Top,
    list: Vec<Demand>,
}

impl<'a> Demands<'a> {
    fn of(numbers: &'a Numbers, weights: &ByTerm<f64>, top: &Top, term: Term) -> Self {
        let mut new = Self {
            numbers,
            weights: *weights,
            term,
            top: *top,
            list: Vec::new(),
        };
        let demands = demands(numbers, top);
        new.list = demands
            .into_iter()
            .filter(|demand| new.can_fail(demand))
            .collect();
        new
    }

    /// A demand on scores that do not move, or that move as one, holds as it does now.
    fn can_fail(&self, demand: &Demand) -> bool {
        let value = |candidate: usize| self.numbers.values[candidate][self.term];
        let margin = self.margin(demand);
        match *demand {
            Demand::Enough(a) | Demand::TooLittle(a) => value(a) != 0.0,
            Demand::Before(a, b) | Demand::Clear(a, b) | Demand::Close(a, b) => {
                let still = value(a) == 0.0 && value(b) == 0.0;
                let as_one = margin.slope.abs() <= f64::EPSILON && margin.at_start.abs() <= DUST;
                let now = self.weights[self.term];
                let gap = gap(self.score(a, now), self.score(b, now));
                let as_expected = match demand {
                    Demand::Before(..) => gap == 0.0,
                    _ => gap == CLEAR_GAP,
                };
                !(still || as_one && as_expected)
            }
        }
    }

    fn score(&self, candidate: usize, weight: f64) -> f64 {
        let mut weights = self.weights;
        weights[self.term] = weight;
        self.numbers.score(candidate, &weights)
    }

    /// The least and the greatest rounded score between two weights: every step
    /// of the scorer is monotone in a weight, so they are at the ends.
    fn range(&self, candidate: usize, from: f64, to: f64) -> (f64, f64) {
        let (a, b) = (self.score(candidate, from), self.score(candidate, to));
        (a.min(b), a.max(b))
    }

    fn margin(&self, demand: &Demand) -> Margin {
        let unrounded = |candidate: usize| {
            let terms = super::score::terms(&self.weights, &self.numbers.values[candidate]);
            (
                terms.iter().sum::<f64>(),
                self.numbers.values[candidate][self.term],
            )
        };
        let ahead = |a: usize, b: usize| {
            let ((a, a_slope), (b, b_slope)) = (unrounded(a), unrounded(b));
            (a - b, a_slope - b_slope)
        };
        let (at_start, slope) = match *demand {
            Demand::Enough(a) => (unrounded(a).0 - SUFFICIENT, unrounded(a).1),
            Demand::TooLittle(a) => (SUFFICIENT - unrounded(a).0, -unrounded(a).1),
            Demand::Before(a, b) => ahead(a, b),
            Demand::Clear(a, b) => (ahead(a, b).0 - CLEAR_GAP, ahead(a, b).1),
            Demand::Close(a, b) => (CLEAR_GAP - ahead(a, b).0, -ahead(a, b).1),
        };
        Margin { at_start, slope }
    }

    /// The stretch in which the first demand fails, and the demands that may.
    fn in_doubt(&self, bound: f64) -> Option<(InDoubt<'_>, f64, f64)> {
        let start = self.weights[self.term];
        let margins: Vec<_> = self.list.iter().map(|demand| self.margin(demand)).collect();
        let (near, far) = window(&margins, start, bound, SLACK)?;
        let demands = self.list.iter().zip(&margins);
        let in_doubt = InDoubt {
            all: self,
            start,
            demands: demands
                .filter(|(_, margin)| !keeps_clear(margin, start, near, far))
                .map(|(demand, margin)| (*demand, *margin))
                .collect(),
        };
        Some((in_doubt, near, far))
    }

    /// The first weight on the way to a bound at which a demand fails.
    fn first_failing(&self, bound: f64) -> Option<f64> {
        let (in_doubt, near, far) = self.in_doubt(bound)?;
        match first_failure(&in_doubt, near, far) {
            Failure::At { first, .. } => Some(first),
            Failure::Never => {
                let hold = |weight: f64| in_doubt.hold(weight);
                edge(near, bound, hold).map(|(_, first)| first)
            }
            Failure::NotFound => None,
        }
    }

    fn end(&self, payload: &Payload, bound: f64) -> End {
        let stands = End::standing(bound);
        let Some((in_doubt, near, far)) = self.in_doubt(bound) else {
            return stands;
        };
        let flips = |last: f64, first: f64, exact: bool| End {
            exact,
            ..End::flipping(last, self.flip(payload, first))
        };
        match first_failure(&in_doubt, near, far) {
            // at 1e9 a score has fewer decimals than it is rounded to
            Failure::Never => match edge(near, bound, |weight| self.stands(weight)) {
                Some((last, first)) => flips(last, first, false),
                None => stands,
            },
            Failure::NotFound => End {
                exact: false,
                ..stands
            },
            Failure::At { last, first, exact } => {
                let (last, first) = self.settled(last, first);
                flips(last, first, exact)
            }
        }
    }

    /// The two sides of a flip by the whole verdict: what was kept clear may round
    /// otherwise at the very float beside it.
    fn settled(&self, mut last: f64, mut first: f64) -> (f64, f64) {
        let start = self.weights[self.term];
        while last != start && !self.stands(last) {
            first = last;
            last = if last > start {
                last.next_down()
            } else {
                last.next_up()
            };
        }
        (last, first)
    }

    /// Whether the verdict is the same at a weight.
    fn stands(&self, weight: f64) -> bool {
        let mut weights = self.weights;
        weights[self.term] = weight;
        let (top, before) = (self.numbers.top(&weights), &self.top);
        let of = |top: &Top| match top.decision {
            Decision::Winner => (top.first, None),
            Decision::Hybrid => (top.first, top.second),
            Decision::Insufficient | Decision::AllEliminated => (None, None),
        };
        top.decision == before.decision && of(&top) == of(before)
    }

    fn flip(&self, payload: &Payload, at: f64) -> Flip {
        let current = self.weights[self.term];
        let mut weights = self.weights;
        weights[self.term] = at;
        let becomes = self.numbers.top(&weights).ruling(payload);
        let beyond = beyond(self.term.name(), at, current);
        let words = format!("{beyond} makes {}", becomes.made());
        Flip { at, becomes, words }
    }
}

fn demands(numbers: &Numbers, top: &Top) -> Vec<Demand> {
    let (first, second) = (top.first, top.second);
    match (top.decision, first, second) {
        (Decision::Winner, Some(first), _) => {
            let others = numbers.survivors().filter(|other| *other != first);
            let clear = others.map(|other| Demand::Clear(first, other));
            std::iter::once(Demand::Enough(first))
                .chain(clear)
                .collect()
        }
        (Decision::Hybrid, Some(first), Some(second)) => {
            let others = numbers
                .survivors()
                .filter(|other| *other != first && *other != second);
            [
                Demand::Enough(first),
                Demand::Before(first, second),
                Demand::Close(first, second),
            ]
            .into_iter()
            .chain(others.map(|other| Demand::Before(second, other)))
            .collect()
        }
        (Decision::Insufficient, ..) => numbers.survivors().map(Demand::TooLittle).collect(),
        _ => Vec::new(),
    }
}

fn keeps_clear(margin: &Margin, start: f64, from: f64, to: f64) -> bool {
    let at = |weight: f64| margin.at_start + margin.slope * (weight - start);
    at(from) > SLACK && at(to) > SLACK
}

/// The demands that may fail in a window.
struct InDoubt<'a> {
    all: &'a Demands<'a>,
    start: f64,
    demands: Vec<(Demand, Margin)>,
}

impl Conditions for InDoubt<'_> {
    fn hold(&self, weight: f64) -> bool {
        self.demands
            .iter()
            .all(|(demand, _)| self.all.surely(demand, weight, weight))
    }

    fn surely_hold(&self, from: f64, to: f64) -> bool {
        self.demands.iter().all(|(demand, margin)| {
            keeps_clear(margin, self.start, from, to) || self.all.surely(demand, from, to)
        })
    }
}

impl Demands<'_> {
    /// Whether a demand holds for every rounded score between two weights; exact
    /// when the two are the same.
    fn surely(&self, demand: &Demand, from: f64, to: f64) -> bool {
        let range = |candidate: usize| self.range(candidate, from, to);
        match *demand {
            Demand::Enough(a) => range(a).0 >= SUFFICIENT,
            Demand::TooLittle(a) => range(a).1 < SUFFICIENT,
            Demand::Before(a, b) => {
                let (least, most) = (range(a).0, range(b).1);
                least > most || (least == most && self.numbers.wins_tie(a, b))
            }
            Demand::Clear(a, b) => gap(range(a).0, range(b).1) >= CLEAR_GAP,
            Demand::Close(a, b) => gap(range(a).1, range(b).0) < CLEAR_GAP,
        }
    }
}
