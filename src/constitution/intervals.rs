//! How far each weight can move before a turn changes its band (SCORING.md
//! section 1).
//!
//! As one weight grows, the normalised total of a turn moves one way, towards
//! its score on that principle. So a turn leaves its band at most once on either
//! side of the weight's value, at a place that has a closed form. As bands are
//! taken on totals rounded to 4 decimals, the nearest place is then settled to
//! the neighbouring float by asking the scorer's own arithmetic.

use std::collections::HashSet;

use super::bands::Band;
use super::principles::{PerPrinciple, Principle, SCALE};
use super::result::RewardResult;
use super::reward::weigh;
use crate::analysis::flips::{self, beyond, edge};
use crate::analysis::{MOST_WEIGHT, round4};

/// Within which bounds of each weight every turn keeps its band.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    /// One interval per weight, in the order of the principles.
    pub weights: Vec<WeightInterval>,
    /// The flip with the least change in proportion to its weight; where only
    /// weights of 0 flip anything, the one with the least change.
    pub nearest: Option<Nearest>,
    /// The turn whose total is closest to another band; none if all are perfect.
    pub closest: Option<Closest>,
}

/// The values of one weight, others kept, within which every turn keeps its band.
pub type WeightInterval = flips::WeightInterval<Flip>;

/// An end of an interval.
pub type End = flips::End<Flip>;

/// A turn that changes its band.
#[derive(Clone, Debug, PartialEq)]
pub struct Flip {
    /// The first weight at which it has, no further than 2^-52 or the next float
    /// from the end.
    pub at: f64,
    /// The turn, by its position from 0; the first of several that change there.
    pub turn: usize,
    /// What tells it from other turns.
    pub turn_name: String,
    /// Its band there.
    pub band: Band,
    /// "ethical above 2.35 makes turn 5 poor".
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

/// The least change of a weight that changes a band.
pub type Nearest = flips::Nearest<Flip>;

/// A turn close to another band.
#[derive(Clone, Debug, PartialEq)]
pub struct Closest {
    /// Its position from 0.
    pub turn: usize,
    /// What tells it from other turns.
    pub name: String,
    /// Its total on the scale of [`SCALE`], rounded to 4 decimals.
    pub scaled: f64,
    /// Its band.
    pub band: Band,
    /// The band it is close to.
    pub other: Band,
    /// How far it is from the total that parts the two.
    pub by: f64,
}

/// The intervals of all weights. O(turns) per weight: meant for every input event.
pub fn intervals(result: &RewardResult) -> Intervals {
    let turns = standings(result);
    let weights: Vec<_> = Principle::ALL
        .into_iter()
        .map(|principle| {
            let moving = Moving {
                weights: result.weights,
                principle,
            };
            WeightInterval {
                weight: principle.name(),
                current: result.weights[principle],
                low: end(result, &turns, &moving, 0.0),
                high: end(result, &turns, &moving, MOST_WEIGHT),
            }
        })
        .collect();
    Intervals {
        nearest: flips::nearest(&weights),
        weights,
        closest: closest(result),
    }
}

/// What of a turn stays while weights move, and the band it has now.
struct Standing {
    /// Its position.
    turn: usize,
    scores: PerPrinciple,
    band: Band,
}

/// Of turns with the same scores the first stands for all: they flip together.
fn standings(result: &RewardResult) -> Vec<Standing> {
    let mut known = HashSet::new();
    let turns = result.turns.iter().enumerate();
    let first_of_its_kind = turns.filter(|(_, turn)| {
        known.insert(Principle::ALL.map(|principle| turn.scores[principle].to_bits()))
    });
    let standings = first_of_its_kind.map(|(index, turn)| Standing {
        turn: index,
        scores: turn.scores,
        band: turn.band,
    });
    standings.collect()
}

/// The weights, one of which moves.
struct Moving {
    weights: PerPrinciple,
    principle: Principle,
}

impl Moving {
    /// The value of the weight that moves.
    fn start(&self) -> f64 {
        self.weights[self.principle]
    }

    fn band(&self, scores: &PerPrinciple, weight: f64) -> Band {
        let mut weights = self.weights;
        weights[self.principle] = weight;
        Band::of(weigh(&weights, scores).2)
    }

    /// The flip of a turn at a weight.
    fn flip(&self, result: &RewardResult, standing: &Standing, at: f64) -> Flip {
        let turn = standing.turn;
        let band = self.band(&standing.scores, at);
        let turn_name = result.turns[turn].name();
        let words = format!(
            "{} makes turn {turn_name} {}",
            beyond(self.principle.word(), at, self.start()),
            band.word()
        );
        Flip {
            at,
            turn,
            turn_name,
            band,
            words,
        }
    }

    /// How far from its value, towards a bound, a turn leaves its band: no nearer
    /// than the first number and no further than the second, if at all.
    fn way_out(&self, standing: &Standing, bound: f64) -> Option<(f64, f64)> {
        let Standing { scores, band, .. } = standing;
        let start = self.start();
        // without the principle that moves
        let (mut others, mut rest) = (0.0, 0.0);
        for principle in Principle::ALL {
            if principle != self.principle {
                others += self.weights[principle] * scores[principle];
                rest += self.weights[principle];
            }
        }
        let score = scores[self.principle];
        if rest == 0.0 {
            // the mean is this score, whatever its weight
            return None;
        }
        let now = (others + start * score) / (rest + start);
        // where the mean goes
        let goal = if bound > start { score } else { others / rest };
        let rises = goal > now;
        let (_, least) = band.next(rises)?;
        let parting = (least - HALF) / SCALE;
        if (rises && goal < parting - DUST) || (!rises && goal > parting + DUST) {
            return None;
        }
        let slope = score - parting;
        let at = (parting * rest - others) / slope;
        let doubt = DUST * (rest + at.abs()) / slope.abs();
        // not numbers where the slope is 0: `max` and `min` leave the bounds then
        let (way, distance) = (
            (bound - start).abs(),
            (at - start) * (bound - start).signum(),
        );
        let (near, far) = (
            (distance - doubt).max(0.0),
            (distance + doubt).max(0.0).min(way),
        );
        (near <= way).then_some((near, far))
    }
}

/// Rounding to 4 decimals lifts what is this close below.
const HALF: f64 = 5e-5;
/// What the arithmetic of a mean in [0, 1] can be off; generous.
const DUST: f64 = 1e-14;

/// The end of an interval on the way to `bound`.
fn end(result: &RewardResult, turns: &[Standing], moving: &Moving, bound: f64) -> End {
    let start = moving.start();
    if bound == start {
        return End::standing(bound);
    }
    let ways: Vec<_> = turns
        .iter()
        .map(|turn| moving.way_out(turn, bound))
        .collect();
    let far = ways.iter().flatten().map(|(_, far)| *far);
    let far = far.fold(f64::INFINITY, f64::min);
    // the first to leave its band is among these: none leaves it before `far`
    let may_be_first = |way: &Option<(f64, f64)>| way.is_some_and(|(near, _)| near <= far);
    let candidates = turns.iter().zip(&ways);
    let candidates: Vec<_> = candidates.filter(|(_, way)| may_be_first(way)).collect();
    let leaves = |turn: &Standing, weight: f64| moving.band(&turn.scores, weight) != turn.band;
    let hold = |weight: f64| candidates.iter().all(|(turn, _)| !leaves(turn, weight));
    // the closed form is nearly there: few questions are left
    let near = candidates.iter().filter_map(|(_, way)| **way);
    let near = near.fold(f64::INFINITY, |least, (near, _)| least.min(near));
    let reached = |distance: f64| {
        let weight = start + distance * (bound - start).signum();
        Some(weight).filter(|_| distance.is_finite())
    };
    let last = reached(near)
        .filter(|weight| hold(*weight))
        .unwrap_or(start);
    let first = reached(far)
        .filter(|weight| !hold(*weight))
        .unwrap_or(bound);
    let Some((last, first)) = edge(last, first, hold) else {
        return End::standing(bound);
    };
    let turn = candidates.iter().find(|(turn, _)| leaves(turn, first));
    turn.map_or_else(
        || End::standing(bound),
        |(turn, _)| End::flipping(last, moving.flip(result, turn, first)),
    )
}

fn closest(result: &RewardResult) -> Option<Closest> {
    let neighbours = result.turns.iter().enumerate().flat_map(|(at, turn)| {
        // a perfect turn has nothing to gain, and lost nothing that a weight could stress
        let sides = [true, false]
            .into_iter()
            .filter(|_| turn.band != Band::Perfect);
        sides.filter_map(move |above| {
            let (other, least) = turn.band.next(above)?;
            let scaled = round4(turn.normalised * SCALE);
            let by = round4((scaled - least).abs());
            Some((by, at, scaled, other))
        })
    });
    let (by, turn, scaled, other) = neighbours.min_by(|(a, ..), (b, ..)| a.total_cmp(b))?;
    let scored = &result.turns[turn];
    Some(Closest {
        turn,
        name: scored.name(),
        scaled,
        band: scored.band,
        other,
        by,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{Options, evaluate};

    fn of(text: &str, weights: &[(&str, f64)]) -> Intervals {
        let weights = weights
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value));
        let options = Options {
            weights: weights.collect(),
            ..Options::default()
        };
        intervals(&evaluate(text, &options).result.expect("scored"))
    }

    /// Pattern 3 of the document: ethical 0.5, joy_inducing 0.55, composable 0.5.
    const POOR: &str = r#"{"has_mutations": true, "turn_result": {"response": "OK", "tools_passed": false,
        "tools": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}"#;

    #[test]
    fn a_weight_moves_the_mean_towards_its_score() {
        let found = of(POOR, &[]);
        let ethical = &found.weights[2];
        // (6.41 + 0.5 d) / (8.7 + d) falls to 4.99995 / 8.7 never, as 0.5 x 8.7 = 4.35 is poor
        let flip = ethical.high.flip.as_ref().expect("poor in the end");
        assert_eq!((flip.turn, flip.band), (0, Band::Poor));
        let expected = 2.0 + (6.41 - 4.999_95) / (4.999_95 / 8.7 - 0.5);
        assert!((flip.at - expected).abs() < 1e-9, "{flip:?}");
        assert_eq!(
            ethical.low.flip.as_ref().expect("good without it").band,
            Band::Good
        );
        // less of what it lost most on is the nearest way to another band
        let nearest = found.nearest.expect("a flip").flip.words;
        assert_eq!(nearest, "ethical below 0.06 makes turn 1 good");
        let closest = found.closest.expect("not perfect");
        assert_eq!((closest.other, closest.by), (Band::Good, 0.59));
    }

    #[test]
    fn what_cannot_move_a_mean_flips_nothing() {
        let found = of("[{\"action\": \"a\"}, {\"action\": \"a\"}]", &[]);
        assert_eq!((found.nearest, found.closest), (None, None));
        let alone: Vec<_> = PerPrinciple::NAMES
            .iter()
            .map(|name| (*name, if *name == "ethical" { 2.0 } else { 0.0 }))
            .collect();
        let found = of(POOR, &alone);
        assert_eq!(found.weights[2].low.flip, None);
        assert_eq!(found.weights[2].high.flip, None);
        assert!(
            found.weights[0].high.flip.is_some(),
            "a weight of 0 can grow"
        );
        assert_eq!(found.weights[0].low, End::standing(0.0));
        assert_eq!(found.nearest.expect("of weights of 0").from, 0.0);
    }
}
