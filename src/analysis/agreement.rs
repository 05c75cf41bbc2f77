//! Agreement between raters: Krippendorff's alpha for ordinal ratings, from the
//! coincidence matrix, with missing ratings allowed (Krippendorff, Computing
//! Krippendorff's Alpha-Reliability, 2011), and its bootstrap interval.
//!
//! A unit with m >= 2 ratings adds 1 / (m - 1) to o(c, k) for every ordered pair
//! of ratings c, k by different raters. With n(c) = sum over k of o(c, k) and
//! n = sum of n(c), alpha = 1 - (n - 1) sum o(c, k) d(c, k) / sum n(c) n(k) d(c, k),
//! where d(c, k) = (n(c)/2 + n of the values between + n(k)/2)^2 is the ordinal distance.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::bootstrap::{ENDS_95, draw, percentile};

/// The least share of resamples in which alpha must be defined for an interval.
const LEAST_DEFINED: f64 = 0.5;

/// From this alpha on raters are said to agree: Krippendorff's own bound.
pub const AGREED: f64 = 0.8;
/// From this one on they agree tentatively.
pub const TENTATIVE: f64 = 0.667;

/// Ratings counted unit by unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    levels: usize,
    /// Coincidences of one pairable unit after another, each `levels` x `levels`.
    coincidences: Vec<f64>,
}

impl Ratings {
    /// From the ratings of each unit: levels from 0 to `levels` - 1 in their
    /// order, one per rater that rated the unit. Other levels are left out.
    pub fn new<U: AsRef<[usize]>>(units: &[U], levels: usize) -> Self {
        let mut coincidences = Vec::new();
        for unit in units {
            let mut counts = vec![0.0; levels];
            for rating in unit.as_ref() {
                if let Some(count) = counts.get_mut(*rating) {
                    *count += 1.0;
                }
            }
            let ratings: f64 = counts.iter().sum();
            if ratings < 2.0 {
                continue;
            }
            for c in 0..levels {
                for k in 0..levels {
                    let pairs = counts[c] * if c == k { counts[k] - 1.0 } else { counts[k] };
                    coincidences.push(pairs / (ratings - 1.0));
                }
            }
        }
        Self {
            levels,
            coincidences,
        }
    }

    /// Units with at least two ratings.
    pub fn pairable_units(&self) -> usize {
        self.coincidences.len() / (self.levels * self.levels).max(1)
    }

    /// Alpha, at most 1 (full agreement), about 0 where agreement is that of
    /// chance. None where it is undefined: no unit with two ratings, or all
    /// ratings the same.
    pub fn alpha(&self) -> Option<f64> {
        self.alpha_of(0..self.pairable_units())
    }

    /// The 95 % percentile interval of alpha over `samples` resamples of the
    /// units. None where alpha is undefined, with fewer than two units, or where
    /// it is undefined in more than half of the resamples.
    pub fn interval_95(&self, samples: usize, seed: u64) -> Option<[f64; 2]> {
        let units = self.pairable_units();
        if units < 2 {
            return None;
        }
        self.alpha()?;
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut alphas: Vec<f64> = (0..samples)
            .filter_map(|_| self.alpha_of((0..units).map(|_| draw(&mut generator, units))))
            .collect();
        if alphas.is_empty() || (alphas.len() as f64) < LEAST_DEFINED * samples as f64 {
            return None;
        }
        alphas.sort_by(f64::total_cmp);
        Some(ENDS_95.map(|share| percentile(&alphas, share)))
    }

    fn alpha_of(&self, units: impl Iterator<Item = usize>) -> Option<f64> {
        let levels = self.levels;
        let size = levels * levels;
        let mut observed = vec![0.0; size];
        for unit in units {
            let of_unit = &self.coincidences[unit * size..][..size];
            for (sum, value) in observed.iter_mut().zip(of_unit) {
                *sum += value;
            }
        }
        let counts: Vec<f64> = (0..levels)
            .map(|c| observed[c * levels..][..levels].iter().sum())
            .collect();
        let total: f64 = counts.iter().sum();
        let (mut disagreement, mut expected) = (0.0, 0.0);
        for c in 0..levels {
            for k in c + 1..levels {
                let between: f64 = counts[c..=k].iter().sum();
                let distance = (between - f64::midpoint(counts[c], counts[k])).powi(2);
                disagreement += observed[c * levels + k] * distance;
                expected += counts[c] * counts[k] * distance;
            }
        }
        (expected > 0.0).then(|| 1.0 - (total - 1.0) * disagreement / expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example with four observers, twelve units and missing values of
    /// Krippendorff (2011), by unit; there ordinal alpha is 0.815.
    const PUBLISHED: [&[usize]; 12] = [
        &[1, 1, 1],
        &[2, 2, 3, 2],
        &[3, 3, 3, 3],
        &[3, 3, 3, 3],
        &[2, 2, 2, 2],
        &[1, 2, 3, 4],
        &[4, 4, 4, 4],
        &[1, 1, 2, 1],
        &[2, 2, 2, 2],
        &[5, 5, 5],
        &[1, 1],
        &[3],
    ];

    #[test]
    fn the_published_example_has_its_published_alpha() {
        let ratings = Ratings::new(&PUBLISHED, 6);
        assert_eq!(ratings.pairable_units(), 11);
        let alpha = ratings.alpha().expect("defined");
        assert!((alpha - 0.815).abs() < 0.0005, "{alpha}");
    }

    #[test]
    fn a_small_example_by_hand() {
        // Units (0,0), (0,1), (1,2): n = 3, 2, 1 of levels 0, 1, 2; o(0,1) = o(1,2) = 1.
        // d(0,1) = 2.5^2 = 6.25, d(1,2) = 1.5^2 = 2.25, d(0,2) = (6 - 2)^2 = 16.
        // observed 8.5; expected 6 x 6.25 + 2 x 2.25 + 3 x 16 = 90; alpha = 1 - 5 x 8.5 / 90
        let ratings = Ratings::new(&[[0, 0], [0, 1], [1, 2]], 3);
        let alpha = ratings.alpha().expect("defined");
        assert!((alpha - (1.0 - 42.5 / 90.0)).abs() < 1e-12, "{alpha}");
    }

    #[test]
    fn full_agreement_is_one_and_opposition_is_below_zero() {
        assert_eq!(Ratings::new(&[[0, 0], [2, 2]], 3).alpha(), Some(1.0));
        // o(0,1) = 2, n = 2, 2: alpha = 1 - 3 x 2 / 4
        assert_eq!(Ratings::new(&[[0, 1], [1, 0]], 2).alpha(), Some(-0.5));
    }

    #[test]
    fn undefined_is_none() {
        assert_eq!(
            Ratings::new(&[[1, 1], [1, 1]], 3).alpha(),
            None,
            "no variation"
        );
        assert_eq!(Ratings::new(&[[1], [2]], 3).alpha(), None, "no pairs");
        assert_eq!(Ratings::new::<[usize; 0]>(&[], 3).alpha(), None);
        assert_eq!(Ratings::new(&[[7, 7]], 3).alpha(), None, "no such level");
        assert_eq!(Ratings::new(&[[0, 1]], 3).interval_95(100, 1), None);
    }

    #[test]
    fn the_interval_is_seeded_and_around_alpha() {
        let ratings = Ratings::new(&PUBLISHED, 6);
        let interval = ratings.interval_95(1000, 42);
        assert_eq!(interval, ratings.interval_95(1000, 42));
        let [low, high] = interval.expect("defined");
        assert!(low < 0.815 && 0.815 < high && high <= 1.0);
    }
}
