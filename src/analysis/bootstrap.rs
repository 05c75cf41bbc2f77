//! Bootstrap confidence intervals (SCORING.md section 3). The generator, the
//! way an index is drawn and the order of every sum are fixed, so the same
//! values and seed give the same interval in the browser and natively.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Resamples that are drawn unless a config says otherwise.
pub const DEFAULT_SAMPLES: usize = 1000;
/// The seed unless a config or an option says otherwise. Its value means nothing; that it is fixed does.
pub const DEFAULT_SEED: u64 = 42;
/// The two ends of a 95 % interval, as shares of the sorted resample means.
pub const ENDS_95: [f64; 2] = [0.025, 0.975];

/// The arithmetic mean; none of no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The population standard deviation, >= 0; none of no values.
pub fn population_std(values: &[f64]) -> Option<f64> {
    let centre = mean(values)?;
    let squares: Vec<f64> = values
        .iter()
        .map(|value| (value - centre).powi(2))
        .collect();
    mean(&squares).map(f64::sqrt)
}

/// The 95 % percentile interval of the mean from `samples` resamples of the
/// values, drawn with replacement. None with fewer than two values or no resample.
pub fn mean_interval_95(values: &[f64], samples: usize, seed: u64) -> Option<[f64; 2]> {
    if values.len() < 2 || samples == 0 {
        return None;
    }
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut means: Vec<f64> = (0..samples)
        .map(|_| {
            let sum: f64 = (0..values.len())
                .map(|_| values[draw(&mut generator, values.len())])
                .sum();
            sum / values.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Some(ENDS_95.map(|share| percentile(&means, share)))
}

/// An index below `length`. Drawn from 32 bits by multiplication, never by a
/// `usize`, whose width differs between the platforms.
pub fn draw(generator: &mut ChaCha8Rng, length: usize) -> usize {
    ((u64::from(generator.next_u32()) * length as u64) >> 32) as usize
}

/// The value at a share in [0, 1] of sorted values, with linear interpolation
/// between neighbours; 0 of no values.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let position = share * last as f64;
    let below = (position.floor() as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (position - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_interpolate_linearly() {
        let values = [0.0, 1.0, 2.0, 4.0];
        assert_eq!(percentile(&values, 0.0), 0.0);
        assert_eq!(percentile(&values, 0.5), 1.5);
        assert_eq!(percentile(&values, 1.0), 4.0);
        assert!((percentile(&values, 0.9) - 3.4).abs() < 1e-12);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }

    #[test]
    fn an_interval_needs_two_values() {
        assert_eq!(mean_interval_95(&[], 1000, 1), None);
        assert_eq!(mean_interval_95(&[0.5], 1000, 1), None);
        assert_eq!(mean_interval_95(&[0.5, 0.5], 1000, 1), Some([0.5, 0.5]));
    }

    #[test]
    fn the_seed_decides() {
        let values = [0.1, 0.4, 0.35, 0.8, 0.9, 0.2];
        let interval = mean_interval_95(&values, 1000, 7);
        assert_eq!(interval, mean_interval_95(&values, 1000, 7));
        assert_ne!(interval, mean_interval_95(&values, 1000, 8));
        let [low, high] = interval.expect("six values");
        assert!(low < 0.4583 && 0.4583 < high && low >= 0.1 && high <= 0.9);
    }

    #[test]
    fn the_spread_is_that_of_the_population() {
        assert_eq!(population_std(&[1.0, 3.0]), Some(1.0));
        assert_eq!(population_std(&[2.0]), Some(0.0));
        assert_eq!(population_std(&[]), None);
    }
}
