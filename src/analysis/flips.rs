//! Where a verdict flips as one weight moves.
//!
//! A verdict stands as long as some conditions hold (one score ahead of another,
//! a score above a threshold). Each is linear in the weight, so the place where
//! it would fail has a closed form; rounded scores move that place by a little.
//! [`window`] gives the stretch that must contain the first failure whatever the
//! rounding does, [`first_failure`] finds it there to the neighbouring float.

use serde::Serialize;

/// The values of one weight, others kept, within which a verdict stands; `F` is
/// what comes beyond.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightInterval<F> {
    /// The weight's name.
    pub weight: &'static str,
    /// Its value as given.
    pub current: f64,
    /// The lower end, in [0, current].
    pub low: End<F>,
    /// The upper end, in [current, [`MOST_WEIGHT`](super::MOST_WEIGHT)].
    pub high: End<F>,
}

impl<F> WeightInterval<F> {
    /// Both ends, the lower first.
    pub fn ends(&self) -> [&End<F>; 2] {
        [&self.low, &self.high]
    }

    /// The flips beyond its ends, the lower first.
    pub fn flips(&self) -> impl Iterator<Item = &F> {
        self.ends().into_iter().filter_map(|end| end.flip.as_ref())
    }
}

/// An end of an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct End<F> {
    /// The last weight at which the verdict stands; 0 or
    /// [`MOST_WEIGHT`](super::MOST_WEIGHT) where it never flips.
    pub at: f64,
    /// What comes beyond; none where nothing does.
    pub flip: Option<F>,
    /// False if the search was cut short, and an earlier flip that lasts less
    /// than a rounding step is possible: two scores that hardly move apart.
    pub exact: bool,
}

impl<F> End<F> {
    /// An end beyond which something else comes, settled to the float.
    pub fn flipping(at: f64, flip: F) -> Self {
        Self {
            at,
            flip: Some(flip),
            exact: true,
        }
    }

    /// An end at the bound of the weight: nothing comes beyond.
    pub fn standing(bound: f64) -> Self {
        Self {
            at: bound,
            flip: None,
            exact: true,
        }
    }

    /// The last weight at which the verdict stands, where it flips beyond.
    pub fn flips_at(&self) -> Option<f64> {
        self.flip.as_ref().map(|_| self.at)
    }
}

/// What comes beyond an end, whatever the verdict is.
pub trait Flip {
    /// The first weight with the other verdict.
    fn at(&self) -> f64;
    /// The weight, the bound and what it makes: "pairwise below 1.31 makes E win".
    fn words(&self) -> &str;
}

/// The least change of a weight that flips a verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest<F> {
    /// The weight's name.
    pub weight: &'static str,
    /// Its value as given.
    pub from: f64,
    /// What comes beyond.
    pub flip: F,
}

impl<F: Flip> Nearest<F> {
    /// By how much the weight changes, from 0.
    pub fn change(&self) -> f64 {
        (self.flip.at() - self.from).abs()
    }

    /// The same in proportion to its value; none for a weight of 0.
    pub fn relative(&self) -> Option<f64> {
        (self.from > 0.0).then(|| self.change() / self.from)
    }
}

/// The flip of least change in proportion to its weight; where only weights of 0
/// flip anything, which have no proportion, the one of least change.
pub fn nearest<F: Flip + Clone>(intervals: &[WeightInterval<F>]) -> Option<Nearest<F>> {
    let flips = intervals.iter().flat_map(|interval| {
        interval.flips().map(|flip| Nearest {
            weight: interval.weight,
            from: interval.current,
            flip: flip.clone(),
        })
    });
    let cost = |flip: &Nearest<F>| {
        let relative = flip.relative();
        (relative.is_none(), relative.unwrap_or(flip.change()))
    };
    flips.min_by(|a, b| {
        let (a, b) = (cost(a), cost(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    })
}

/// How far a condition is from failing, as a line over the way from the start:
/// it fails about where this becomes negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// At the start.
    pub at_start: f64,
    /// Per unit of the weight.
    pub slope: f64,
}

/// The stretch, from the start towards `bound`, that contains the first failure
/// of any condition if rounding moves a margin by less than `slack`: before its
/// near end none fails, and at its far end one has failed, unless that end is
/// the bound. None if no condition can fail on the way.
pub fn window(margins: &[Margin], start: f64, bound: f64, slack: f64) -> Option<(f64, f64)> {
    let way = (bound - start).abs();
    let direction = (bound - start).signum();
    let (mut near, mut far) = (f64::INFINITY, way);
    for margin in margins {
        let loss = -margin.slope * direction;
        if margin.at_start <= slack {
            near = 0.0;
        } else if loss > 0.0 {
            near = near.min((margin.at_start - slack) / loss);
        }
        if loss > 0.0 {
            far = far.min((margin.at_start + slack) / loss);
        }
    }
    let reached = |distance: f64| {
        if distance >= way {
            bound
        } else {
            start + direction * distance.max(0.0)
        }
    };
    (near < way).then(|| (reached(near), reached(far)))
}

/// The conditions of a verdict over one weight.
pub trait Conditions {
    /// Whether all hold at a weight.
    fn hold(&self, weight: f64) -> bool;
    /// Whether all are known to hold everywhere between two weights. May say no
    /// where they do, but not where the two are so close that nothing changes between.
    fn surely_hold(&self, from: f64, to: f64) -> bool;
}

/// Where conditions first fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// Nowhere.
    Never,
    /// None was found before the search was cut short, and all hold at the far end.
    NotFound,
    /// They hold up to `last` and fail at `first`, its neighbour.
    At {
        /// The last weight at which all hold.
        last: f64,
        /// The next float (or one no further than 2^-52), where one fails.
        first: f64,
        /// False if the search was cut short and an earlier, brief failure is possible.
        exact: bool,
    },
}

/// Stretches that are looked at before the search gives up on the first of many
/// possible failures; a usual one takes a hundred.
const MOST_STRETCHES: usize = 5_000;

/// The first failure on the way from `near`, where all conditions must hold, to
/// `far`: the way is halved until the conditions are known to hold on every
/// stretch before the failure.
pub fn first_failure(conditions: &impl Conditions, near: f64, far: f64) -> Failure {
    // the nearest stretch is on top
    let mut open = vec![(near, far)];
    let mut looked_at = 0;
    while let Some((from, to)) = open.pop() {
        looked_at += 1;
        if looked_at > MOST_STRETCHES {
            return any_failure(conditions, from, far);
        }
        if conditions.surely_hold(from, to) {
            continue;
        }
        let middle = from + (to - from) / 2.0;
        if are_neighbours(from, to) || middle == from || middle == to {
            if !conditions.hold(to) {
                return Failure::At {
                    last: from,
                    first: to,
                    exact: true,
                };
            }
        } else if conditions.hold(middle) {
            open.push((middle, to));
            open.push((from, middle));
        } else {
            // what lies beyond a failure cannot be the first
            open.clear();
            open.push((from, middle));
        }
    }
    Failure::Never
}

/// Some failure between a place where the conditions hold and one where they fail.
fn any_failure(conditions: &impl Conditions, from: f64, to: f64) -> Failure {
    match edge(from, to, |weight| conditions.hold(weight)) {
        None => Failure::NotFound,
        Some((last, first)) => Failure::At {
            last,
            first,
            exact: false,
        },
    }
}

/// The last weight on the way from `start` to `bound` at which a condition holds,
/// and its neighbour, at which it fails; none if it holds at the bound. It must
/// hold at the start. Exact if it holds on one stretch only, as one over a
/// weighted mean does: as one weight grows, the mean
/// moves one way, towards that part.
pub fn edge(start: f64, bound: f64, holds: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
    if holds(bound) {
        return None;
    }
    let (mut last, mut first) = (start, bound);
    while !are_neighbours(last, first) {
        let middle = last + (first - last) / 2.0;
        if middle == last || middle == first {
            break;
        }
        if holds(middle) {
            last = middle;
        } else {
            first = middle;
        }
    }
    Some((last, first))
}

/// Near 0 floats lie closer than any product with them can show.
fn are_neighbours(a: f64, b: f64) -> bool {
    (a - b).abs() <= f64::EPSILON
}

/// A weight beyond a bound in words: "pairwise below 1.31".
pub fn beyond(weight: &str, at: f64, current: f64) -> String {
    let side = match at {
        0.0 => "at",
        _ if at < current => "below",
        _ => "above",
    };
    format!("{weight} {side} {}", bound_words(at, current))
}

/// A bound with as few decimals, two at least, as keep it near. It is rounded
/// away from the current value, so that the sentence stays true, unless it is
/// only the rounding of the score that keeps it off a short decimal.
fn bound_words(at: f64, current: f64) -> String {
    // the first weight above 0
    if at <= f64::EPSILON {
        return "0".into();
    }
    for decimals in 2..=8_usize {
        let scale = 10_f64.powi(decimals as i32);
        let scaled = at * scale;
        let nearest = scaled.round();
        let short = if (nearest / scale - at).abs() <= 1e-4 {
            nearest / scale
        } else if at < current {
            scaled.floor() / scale
        } else {
            scaled.ceil() / scale
        };
        if (short - at).abs() <= 0.05 * (at - current).abs() && short > 0.0 {
            return format!("{short:.decimals$}");
        }
    }
    format!("{at}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::round4;

    #[test]
    fn a_bound_is_told_on_its_far_side() {
        assert_eq!(bound_words(1.3125, 1.8), "1.31");
        assert_eq!(bound_words(1.3125, 1.0), "1.32");
        assert_eq!(bound_words(1.3125, 1.3126), "1.3125");
        assert_eq!(bound_words(1.600_05, 1.5), "1.60");
        assert_eq!(bound_words(1.600_05, 1.6), "1.60005");
        assert_eq!(bound_words(2.000_000_000_000_000_4, 1.0), "2.00");
        assert_eq!(bound_words(0.000_04, 1.0), "0.00004");
        assert_eq!(bound_words(0.0, 1.0), "0");
        assert_eq!(beyond("risk", 0.0, 1.0), "risk at 0");
        assert_eq!(beyond("risk", f64::EPSILON, 0.0), "risk above 0");
    }

    #[test]
    fn the_edge_of_a_weighted_mean_is_found_to_the_float() {
        let holds = |weight: f64| (2.0 + weight * 0.2) / (2.5 + weight) >= 0.6;
        let (last, first) = edge(1.0, 1e9, holds).expect("falls towards 0.2");
        assert!(holds(last) && !holds(first) && (last - 1.25).abs() < 1e-12);
        assert!(first - last <= f64::EPSILON);
        assert_eq!(edge(1.0, 0.0, holds), None);
    }

    /// Holds while round4(2 - w) >= 1.
    struct Falling;

    impl Conditions for Falling {
        fn hold(&self, weight: f64) -> bool {
            round4(2.0 - weight) >= 1.0
        }
        fn surely_hold(&self, from: f64, to: f64) -> bool {
            round4(2.0 - from.max(to)) >= 1.0
        }
    }

    #[test]
    fn the_window_is_closed_form() {
        let falling = Margin {
            at_start: 1.0,
            slope: -1.0,
        };
        let (near, far) = window(&[falling], 0.0, 10.0, 0.25).expect("fails");
        assert_eq!((near, far), (0.75, 1.25));
        assert_eq!(window(&[falling], 0.0, -10.0, 0.25), None, "the other way");
        let still = Margin {
            at_start: 0.1,
            slope: 0.0,
        };
        assert_eq!(window(&[still], 0.0, 10.0, 0.05), None);
        assert_eq!(window(&[still], 0.0, 10.0, 0.25), Some((0.0, 10.0)));
    }

    #[test]
    fn a_failure_is_found_to_the_neighbouring_float() {
        let Failure::At { last, first, exact } = first_failure(&Falling, 0.0, 10.0) else {
            unreachable!("it fails");
        };
        assert!(exact && Falling.hold(last) && !Falling.hold(first));
        assert!(first - last <= f64::EPSILON);
        assert!((last - 1.000_05).abs() < 1e-9, "half a rounding step on");
        assert_eq!(first_failure(&Falling, 0.0, 0.9), Failure::Never);
    }

    /// Fails only on [1, 1.001] and beyond 5.
    struct Brief;

    impl Conditions for Brief {
        fn hold(&self, weight: f64) -> bool {
            !(1.0..=1.001).contains(&weight) && weight <= 5.0
        }
        fn surely_hold(&self, from: f64, to: f64) -> bool {
            to < 1.0 || (from > 1.001 && to <= 5.0)
        }
    }

    /// Nothing is ever known, and nothing fails before 5.
    struct Doubtful;

    impl Conditions for Doubtful {
        fn hold(&self, weight: f64) -> bool {
            weight <= 5.0
        }
        fn surely_hold(&self, _: f64, _: f64) -> bool {
            false
        }
    }

    #[test]
    fn a_search_that_is_cut_short_says_so() {
        assert_eq!(first_failure(&Doubtful, 0.0, 4.0), Failure::NotFound);
        let Failure::At { last, first, exact } = first_failure(&Doubtful, 0.0, 8.0) else {
            unreachable!("it fails");
        };
        assert!(!exact && Doubtful.hold(last) && !Doubtful.hold(first));
    }

    #[test]
    fn a_brief_failure_before_a_lasting_one_is_not_missed() {
        let Failure::At { first, .. } = first_failure(&Brief, 0.0, 8.0) else {
            unreachable!("it fails");
        };
        assert_eq!(first, 1.0);
    }
}
