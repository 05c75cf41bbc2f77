//! Bootstrap confidence intervals (SCORING.md section 3). The generator, the
//! way an index is drawn and the order of every sum are fixed, so the same
//! values and seed give the same interval in the browser and natively.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::steps::{Pause, Progress, step};

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
        .map(|_| resampled(values, &mut generator))
        .collect();
    means.sort_by(f64::total_cmp);
    Some(ENDS_95.map(|share| percentile(&means, share)))
}

/// The 95 % percentile interval of the difference of two means, new - old, of values that have no
/// partners: each side is drawn by itself, the old one first. None where a side has fewer than two.
/// A resample is a step.
pub async fn difference_interval_95(
    old: &[f64],
    new: &[f64],
    (samples, seed): (usize, u64),
    pause: Pause<'_>,
) -> Option<[f64; 2]> {
    if old.len() < 2 || new.len() < 2 {
        return None;
    }
    let difference = |generator: &mut ChaCha8Rng| {
        let old = resampled(old, generator);
        resampled(new, generator) - old
    };
    interval_in_steps(samples, seed, difference, pause).await
}

/// The 95 % percentile interval of the mean over all values of clusters, none of which is empty:
/// whole clusters are drawn, since what is in one is alike. None with fewer than two clusters. A
/// resample is a step.
pub async fn clusters_interval_95(
    clusters: &[Vec<f64>],
    (samples, seed): (usize, u64),
    pause: Pause<'_>,
) -> Option<[f64; 2]> {
    if clusters.len() < 2 {
        return None;
    }
    let sums: Vec<(f64, usize)> = clusters
        .iter()
        .map(|cluster| (cluster.iter().sum(), cluster.len()))
        .collect();
    let drawn_mean = |generator: &mut ChaCha8Rng| {
        let drawn = (0..sums.len()).map(|_| sums[draw(generator, sums.len())]);
        let add = |all: (f64, usize), one: (f64, usize)| (all.0 + one.0, all.1 + one.1);
        let (sum, count) = drawn.fold((0.0, 0), add);
        sum / count as f64
    };
    interval_in_steps(samples, seed, drawn_mean, pause).await
}

async fn interval_in_steps(
    samples: usize,
    seed: u64,
    one: impl Fn(&mut ChaCha8Rng) -> f64,
    pause: Pause<'_>,
) -> Option<[f64; 2]> {
    if samples == 0 {
        return None;
    }
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut all = Vec::with_capacity(samples);
    for done in 1..=samples {
        all.push(one(&mut generator));
        step(pause, Progress::new(done, samples, "resamples drawn")).await;
    }
    all.sort_by(f64::total_cmp);
    Some(ENDS_95.map(|share| percentile(&all, share)))
}

/// The mean of as many values as there are, drawn with replacement.
fn resampled(values: &[f64], generator: &mut ChaCha8Rng) -> f64 {
    let drawn = (0..values.len()).map(|_| values[draw(generator, values.len())]);
    drawn.sum::<f64>() / values.len() as f64
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
    use crate::steps::{THROUGH, at_once};

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
    fn sides_without_partners_are_drawn_by_themselves() {
        let of = |old: &[f64], new: &[f64]| {
            at_once(difference_interval_95(old, new, (1000, 1), THROUGH))
        };
        assert_eq!(of(&[1.0], &[1.0, 2.0]), None);
        // the old mean is 0 always; the new one is 1, 2 or 3
        assert_eq!(of(&[0.0, 0.0], &[1.0, 3.0]), Some([1.0, 3.0]));
    }

    #[test]
    fn what_is_in_a_cluster_stays_together() {
        let of =
            |clusters: &[Vec<f64>]| at_once(clusters_interval_95(clusters, (1000, 1), THROUGH));
        assert_eq!(of(&[vec![1.0, 2.0]]), None);
        // drawn as a whole, clusters give 0, 1, or (0 + 3) / 4
        assert_eq!(of(&[vec![0.0], vec![1.0; 3]]), Some([0.0, 1.0]));
        let ones = [vec![0.0], vec![1.0], vec![1.0], vec![1.0]];
        let one_by_one = mean_interval_95(&ones.concat(), 1000, 1);
        assert_eq!(of(&ones), one_by_one);
        assert!(one_by_one.expect("four")[0] > 0.0);
    }

    #[test]
    fn the_spread_is_that_of_the_population() {
        assert_eq!(population_std(&[1.0, 3.0]), Some(1.0));
        assert_eq!(population_std(&[2.0]), Some(0.0));
        assert_eq!(population_std(&[]), None);
    }
}
