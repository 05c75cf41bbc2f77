//! Where a series leaves its level for a higher one, and whether it comes back: the stretch that
//! stands out most, and how often chance alone would make one that does as much.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::bootstrap::draw;
use crate::steps::{Pause, Progress, step};

/// Fewer values than these cannot tell a change from chance at [`LEVEL`].
pub const LEAST: usize = 8;
/// The share of false alarms that is put up with.
pub const LEVEL: f64 = 0.05;
/// At most so many shuffles; the least p is 1 over one more.
pub const SHUFFLES: usize = 9_999;
/// After so many that stand out as much, no more are needed (Besag and Clifford 1991).
const ENOUGH: usize = 20;
/// A stretch, and what lies before and after it, has at least so many values.
const SHORTEST: usize = 2;
/// Ends of stretches are looked for at so many places of a long series at most.
const PLACES: usize = 100;

/// A stretch that lies higher than the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// Its first value.
    pub from: usize,
    /// Behind its last value; the length of the series where it does not come back.
    pub to: usize,
    /// Mean of all values outside.
    pub outside: f64,
    /// Mean within, above `outside`.
    pub within: f64,
    /// The share of shuffled series with a stretch that stands out as much, in (0, 1].
    pub p: f64,
}

/// The stretch, not at the beginning, that stands out most: that explains most of the sum of
/// squares among all whose mean is higher than that of the rest. None of fewer than [`LEAST`]
/// values, and of a series that nowhere rises. A shuffle is a step.
pub async fn departure(values: &[f64], seed: u64, pause: Pause<'_>) -> Option<Departure> {
    if values.len() < LEAST {
        return None;
    }
    let (strength, from, to) = highest(values)?;
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut shuffled = values.to_vec();
    let (mut drawn, mut as_much) = (0, 0);
    while drawn < SHUFFLES && as_much < ENOUGH {
        for left in (1..shuffled.len()).rev() {
            shuffled.swap(left, draw(&mut generator, left + 1));
        }
        drawn += 1;
        // the same sums in another order differ in their last digits
        let is_as_much = |other: f64| other >= strength * (1.0 - 1e-9);
        as_much += usize::from(highest(&shuffled).is_some_and(|(other, ..)| is_as_much(other)));
        step(pause, Progress::new(drawn, SHUFFLES, "shuffles drawn")).await;
    }
    let p = if as_much == ENOUGH {
        as_much as f64 / drawn as f64
    } else {
        (as_much + 1) as f64 / (drawn + 1) as f64
    };
    let mean = |sum: f64, count: usize| sum / count as f64;
    let within: f64 = values[from..to].iter().sum();
    let outside: f64 = values[..from].iter().chain(&values[to..]).sum();
    Some(Departure {
        from,
        to,
        outside: mean(outside, values.len() - (to - from)),
        within: mean(within, to - from),
        p,
    })
}

/// What the stretch that stands out most explains of the sum of squares, above 0, and where it is;
/// the first of equals.
fn highest(values: &[f64]) -> Option<(f64, usize, usize)> {
    let count = values.len();
    let mut sums = vec![0.0];
    for value in values {
        sums.push(sums[sums.len() - 1] + value);
    }
    let all = sums[count];
    let stride = count.div_ceil(PLACES);
    let mut best: Option<(f64, usize, usize)> = None;
    for from in (SHORTEST..=count - SHORTEST).step_by(stride) {
        let ends = (from + SHORTEST..=count - SHORTEST).step_by(stride);
        for to in ends.chain([count]) {
            let inside = to - from;
            let (within, outside) = (sums[to] - sums[from], all - (sums[to] - sums[from]));
            let rest = count - inside;
            let rise = within / inside as f64 - outside / rest as f64;
            if rise <= 0.0 {
                continue;
            }
            let strength = rise * rise * (inside * rest) as f64 / count as f64;
            if strength > 1e-12 && best.is_none_or(|(most, ..)| strength > most) {
                best = Some((strength, from, to));
            }
        }
    }
    best
}

/// Which of these p hold at [`LEVEL`] when all are looked at: the false discovery rate of
/// Benjamini and Hochberg (1995).
pub fn hold_together(all: &[f64]) -> Vec<bool> {
    let mut sorted = all.to_vec();
    sorted.sort_by(f64::total_cmp);
    let bound = |rank: usize| LEVEL * (rank + 1) as f64 / all.len() as f64;
    let most = sorted
        .iter()
        .enumerate()
        .filter(|(rank, p)| **p <= bound(*rank));
    let most = most.map(|(_, p)| *p).fold(0.0, f64::max);
    all.iter().map(|p| *p <= most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{THROUGH, at_once};

    fn found(values: &[f64]) -> Option<Departure> {
        at_once(departure(values, 42, THROUGH))
    }

    #[test]
    fn a_step_is_found_where_it_is() {
        let values = [0.1, 0.2, 0.1, 0.2, 0.1, 0.8, 0.9, 0.8, 0.9, 0.8];
        let found = found(&values).expect("a rise");
        assert_eq!((found.from, found.to), (5, 10));
        assert!((found.outside - 0.14).abs() < 1e-12 && (found.within - 0.84).abs() < 1e-12);
        // stretches of five high values among ten that do not begin before the third value:
        // chance makes few
        assert!(found.p < 0.05, "{}", found.p);
    }

    #[test]
    fn a_bump_comes_back() {
        let mut values = [0.2; 14];
        values[6..10].fill(0.7);
        let found = found(&values).expect("a rise");
        assert_eq!((found.from, found.to), (6, 10));
        assert!(found.p < 0.05, "{}", found.p);
    }

    #[test]
    fn chance_and_falls_are_none() {
        assert_eq!(found(&[0.5; 7]), None);
        assert_eq!(found(&[0.5; 20]), None);
        let noise = [0.3, 0.6, 0.2, 0.5, 0.4, 0.6, 0.3, 0.5, 0.2, 0.6];
        assert!(found(&noise).expect("some rise").p > 0.2);
    }

    #[test]
    fn a_long_series_is_searched_at_a_bounded_number_of_places() {
        let mut values = vec![0.2; 5_000];
        values[2_000..4_000].fill(0.6);
        let found = found(&values).expect("a rise");
        assert!(
            found.from.abs_diff(2_000) <= 50 && found.to.abs_diff(4_000) <= 50,
            "{found:?}"
        );
        assert!(found.p < 0.001);
    }

    #[test]
    fn many_tests_are_held_together() {
        assert_eq!(hold_together(&[]), Vec::<bool>::new());
        assert_eq!(hold_together(&[0.04, 0.5]), [false, false]);
        // 0.03 is below 2/3 of the level, and what is below it holds with it
        assert_eq!(hold_together(&[0.02, 0.5, 0.03]), [true, false, true]);
        assert_eq!(hold_together(&[0.02, 0.5, 0.04]), [false, false, false]);
    }
}
