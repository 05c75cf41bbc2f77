//! How far each weight can move before the grade changes (SCORING.md section 3).
//!
//! Over one weight, others kept, the overall score is a sum of pieces
//! (a + b w) / (d + e w): one for each set of parts that responses were measured
//! on. Each piece moves one way only, so between two weights the sum lies
//! between the sums of the least and the greatest ends. That locates the first
//! crossing of a grade's bound in few steps, whatever the number of responses;
//! the end is then settled to the neighbouring float by the scorer's arithmetic.

use std::sync::Arc;

use super::config::{self, Config};
use super::metric::Metric;
use super::options::Options;
use super::overall;
use super::result::{GRADES, Grade};
use super::run::{Run, ScoredTurn};
use super::style::Similarities;
use crate::analysis::MOST_WEIGHT;
use crate::analysis::flips::{self, Conditions, Failure, beyond, edge, first_failure};
use crate::document::Problems;

/// By how much sums of pieces may differ from the scorer's own.
const SLACK: f64 = 1e-10;
/// The neighbour of a weight of 0: what lies closer cannot be told from it.
const JUST_ABOVE_0: f64 = f64::EPSILON;

/// Within which bounds of each weight the grade stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    /// The grade that stands; none where nothing is scored.
    pub grade: Option<Grade>,
    /// One interval per weight, in the order of [`Metric::OUTER`] and [`Metric::INNER`].
    pub weights: Vec<WeightInterval>,
    /// The flip with the least change in proportion to its weight; where only
    /// weights of 0 flip anything, the one with the least change.
    pub nearest: Option<Nearest>,
}

/// The values of one weight (`safety_weight`, ...), others kept, within which the grade stands.
pub type WeightInterval = flips::WeightInterval<Flip>;

/// An end of an interval.
pub type End = flips::End<Flip>;

/// What a grade becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Flip {
    /// The first weight with the other grade, no further than 2^-52 or the next
    /// float from the end.
    pub at: f64,
    /// The grade there; none where nothing is left to score.
    pub becomes: Option<Grade>,
    /// "authenticity below 0.31 makes the grade C".
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

/// The least change of a weight that changes the grade.
pub type Nearest = flips::Nearest<Flip>;

impl Run {
    /// Within which bounds of each weight the grade stands; none if an option is
    /// an error. Without similarities, as the run is scored without.
    pub fn intervals(
        &self,
        options: &Options,
        similarities: Option<&Similarities>,
    ) -> Option<Intervals> {
        let mut problems = Problems::new();
        let config = config::with_options(&self.config, options, &mut problems);
        let none = Similarities::default();
        let similarities = similarities.unwrap_or(&none);
        (!problems.has_errors()).then(|| intervals(self, &config, similarities))
    }
}

/// What a weight is the weight of.
fn metric(term: usize) -> Metric {
    [Metric::OUTER, Metric::INNER].as_flattened()[term]
}

/// The intervals of all weights: O(responses) for each step that settles an end,
/// a dozen steps per end that flips.
fn intervals(run: &Run, config: &Config, similarities: &Similarities) -> Intervals {
    let scores = Scores::new(run, config, similarities);
    let grade = scores.grade(&scores.weights);
    let weights: Vec<_> = (0..6).map(|term| scores.interval(term, grade)).collect();
    Intervals {
        nearest: flips::nearest(&weights),
        weights,
        grade,
    }
}

/// What does not change with the weights, and the weights.
struct Scores {
    /// Per session, per response: style, traits, lexicon.
    responses: Vec<Vec<[Option<f64>; 3]>>,
    safety: Option<f64>,
    stability: Option<f64>,
    /// As given: the outer three, the inner three.
    weights: [f64; 6],
    /// Authenticity at these weights.
    authenticity: Option<f64>,
}

impl Scores {
    fn new(run: &Run, config: &Config, similarities: &Similarities) -> Self {
        let session = |(number, turns): (usize, &Arc<Vec<ScoredTurn>>)| {
            let parts = turns.iter().enumerate().map(|(at, scored)| {
                overall::parts(scored, similarities.manner(number, at, config))
            });
            parts.collect()
        };
        let stability = |number| overall::stability_of(similarities, number, config);
        let mut new = Self {
            responses: run.turns.iter().enumerate().map(session).collect(),
            safety: overall::mean_of(run.safety.iter().map(|session| Some(session.safety))),
            stability: overall::mean_of((0..run.turns.len()).map(stability)),
            weights: std::array::from_fn(|term| [config.outer, config.inner][term / 3][term % 3]),
            authenticity: None,
        };
        new.authenticity = new.authenticity_at(&new.weights);
        new
    }

    /// As the scorer has it.
    fn authenticity_at(&self, weights: &[f64; 6]) -> Option<f64> {
        let (outer, inner) = halves(weights);
        let weights = config::scaled(outer, inner);
        overall::mean_of(self.responses.iter().map(|responses| {
            let responses = responses.iter();
            overall::mean_of(responses.map(|parts| overall::authenticity(&weights, *parts)))
        }))
    }

    /// As the scorer has it; none also where it refuses the weights.
    fn grade(&self, weights: &[f64; 6]) -> Option<Grade> {
        let (outer, inner) = halves(weights);
        let is_nothing = |weights: [f64; 3]| weights.iter().all(|weight| *weight == 0.0);
        if is_nothing(outer) || is_nothing(inner) {
            return None;
        }
        let authenticity = if inner == self.weights[3..] {
            self.authenticity
        } else {
            self.authenticity_at(weights)
        };
        let parts = [authenticity, self.safety, self.stability];
        overall::total(&config::scaled(outer, inner), parts).map(Grade::of)
    }

    fn grade_at(&self, term: usize, weight: f64) -> Option<Grade> {
        let mut weights = self.weights;
        weights[term] = weight;
        self.grade(&weights)
    }

    fn interval(&self, term: usize, grade: Option<Grade>) -> WeightInterval {
        let current = self.weights[term];
        let curve = grade.map(|grade| (self.curve(term), grade));
        let crossing = |from: f64, to: f64| {
            let (curve, grade) = curve.as_ref()?;
            self.crossing(term, curve, *grade, from, to)
        };
        let differs = |weight: f64| self.grade_at(term, weight) != grade;
        let mut low = None;
        if current > JUST_ABOVE_0 {
            low = crossing(current, JUST_ABOVE_0);
        }
        // at 0 the part is left out, which can be another score at once; a score
        // that comes to a bound there may round over it before
        if low.is_none() && current > 0.0 && differs(0.0) {
            let near = current.min(JUST_ABOVE_0);
            low = edge(current, near, |weight| !differs(weight)).or(Some((near, 0.0)));
        }
        let most = MOST_WEIGHT.max(current);
        let high = if current > 0.0 {
            crossing(current, most)
        } else if differs(JUST_ABOVE_0) {
            Some((0.0, JUST_ABOVE_0))
        } else {
            crossing(JUST_ABOVE_0, most)
        };
        WeightInterval {
            weight: metric(term).weight(),
            current,
            low: self.end(term, low, 0.0),
            high: self.end(term, high, most),
        }
    }

    /// The end of an interval: the last weight with the grade and the first without.
    fn end(&self, term: usize, found: Option<(f64, f64)>, bound: f64) -> End {
        let Some((last, at)) = found else {
            return End::standing(bound);
        };
        let name = metric(term).name();
        let becomes = self.grade_at(term, at);
        let made = becomes.map_or_else(
            || "leaves nothing to score".to_owned(),
            |grade| format!("makes the grade {}", grade.letter()),
        );
        let words = format!("{} {made}", beyond(name, at, self.weights[term]));
        End::flipping(last, Flip { at, becomes, words })
    }

    /// The last weight with the grade and the first without, on the way between
    /// two weights above 0; the first must have it.
    fn crossing(
        &self,
        term: usize,
        curve: &Curve,
        grade: Grade,
        from: f64,
        to: f64,
    ) -> Option<(f64, f64)> {
        let within = Within::new(curve, grade, SLACK);
        let Failure::At { first: outside, .. } = first_failure(&within, from, to) else {
            return None;
        };
        // about there; the scorer says where to the float
        let exact = Within::new(curve, grade, 0.0);
        let about = edge(from, outside, |weight| exact.hold(weight));
        let about = about.map_or(outside, |(last, _)| last);
        let holds = |weight: f64| self.grade_at(term, weight) == Some(grade);
        let direction = (to - from).signum();
        let (mut near, mut far) = (about, about);
        let mut step = (about * f64::EPSILON).max(f64::EPSILON);
        while !holds(near) && near != from {
            near -= direction * step;
            if (near - from) * direction <= 0.0 {
                near = from;
            }
            step *= 8.0;
        }
        while holds(far) && far != outside {
            far += direction * step;
            if (far - outside) * direction >= 0.0 {
                far = outside;
            }
            step *= 8.0;
        }
        edge(near, far, holds)
    }

    /// The overall score over one weight.
    fn curve(&self, term: usize) -> Curve {
        let (outer, inner) = halves(&self.weights);
        let mut curve = Curve {
            scale: if term < 3 {
                largest(outer)
            } else {
                largest(inner)
            },
            pieces: Vec::new(),
        };
        if term < 3 {
            let parts = [self.authenticity, self.safety, self.stability];
            curve.add(outer, term, parts, 1.0);
            return curve;
        }
        let is_measured = |parts: &&[Option<f64>; 3]| {
            (0..3).any(|index| parts[index].is_some() && (index == term - 3 || inner[index] > 0.0))
        };
        let counts = self.responses.iter();
        let counts: Vec<usize> = counts
            .map(|responses| responses.iter().filter(is_measured).count())
            .collect();
        let sessions = counts.iter().filter(|count| **count > 0).count();
        // what authenticity brings to the overall, and the rest
        let whole = [(sessions > 0).then_some(1.0), self.safety, self.stability];
        let share = |index: usize| outer[index] / largest(outer);
        let measured = (0..3).filter(|index| whole[*index].is_some());
        let sum: f64 = measured.map(share).sum();
        let brings = |index: usize| whole[index].map_or(0.0, |value| share(index) * value / sum);
        curve.pieces.push([brings(1) + brings(2), 0.0, 1.0, 0.0]);
        for (responses, count) in self.responses.iter().zip(counts) {
            let part = brings(0) / (sessions * count) as f64;
            for parts in responses.iter().filter(is_measured) {
                curve.add(inner, term - 3, *parts, part);
            }
        }
        curve
    }
}

/// The outer three and the inner three.
fn halves(weights: &[f64; 6]) -> ([f64; 3], [f64; 3]) {
    let half = |first: usize| std::array::from_fn(|index| weights[first + index]);
    (half(0), half(3))
}

fn largest(weights: [f64; 3]) -> f64 {
    weights.into_iter().fold(f64::MIN_POSITIVE, f64::max)
}

/// A score over one weight above 0: a sum of pieces.
struct Curve {
    /// Weights are taken in units of it, so that nothing overflows.
    scale: f64,
    /// a, b, d, e of (a + b w) / (d + e w).
    pieces: Vec<[f64; 4]>,
}

impl Curve {
    /// Adds `part` of a weighted mean.
    fn add(&mut self, weights: [f64; 3], term: usize, parts: [Option<f64>; 3], part: f64) {
        let mut piece = [0.0; 4];
        for (index, value) in parts.into_iter().enumerate() {
            let Some(value) = value else { continue };
            if index == term {
                (piece[1], piece[3]) = (part * value, 1.0);
            } else {
                let weight = weights[index] / self.scale;
                piece[0] += part * weight * value;
                piece[2] += weight;
            }
        }
        // responses that were measured on the same parts are one piece
        let same = |other: &&mut [f64; 4]| other[2..] == piece[2..];
        if let Some(other) = self.pieces.iter_mut().find(same) {
            other[0] += piece[0];
            other[1] += piece[1];
        } else {
            self.pieces.push(piece);
        }
    }

    /// The least and the greatest score between two weights, or the other way round.
    fn range(&self, from: f64, to: f64) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        for [a, b, d, e] in &self.pieces {
            let at = |weight: f64| {
                let weight = weight / self.scale;
                let below = d + e * weight;
                if below > 0.0 {
                    (a + b * weight) / below
                } else {
                    0.0
                }
            };
            let (one, other) = (at(from), at(to));
            sums.0 += one.min(other);
            sums.1 += one.max(other);
        }
        sums
    }
}

/// A score within the bounds of a grade, widened.
struct Within<'a> {
    curve: &'a Curve,
    low: f64,
    high: f64,
}

impl<'a> Within<'a> {
    fn new(curve: &'a Curve, grade: Grade, slack: f64) -> Self {
        let bounds = GRADES.iter().map(|(_, bound)| *bound);
        let own = GRADES.iter().position(|(name, _)| *name == grade);
        let above = own.unwrap_or(GRADES.len()).checked_sub(1);
        let low = own.and_then(|own| bounds.clone().nth(own));
        let high = above.and_then(|above| bounds.clone().nth(above));
        Self {
            curve,
            low: low.unwrap_or(f64::NEG_INFINITY) - slack,
            high: high.unwrap_or(f64::INFINITY) + slack,
        }
    }
}

impl Conditions for Within<'_> {
    fn hold(&self, weight: f64) -> bool {
        self.surely_hold(weight, weight)
    }

    fn surely_hold(&self, from: f64, to: f64) -> bool {
        let (least, most) = self.curve.range(from, to);
        least >= self.low && most < self.high
    }
}
