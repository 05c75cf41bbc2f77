//! Layer normalisation.

use pulp::{Arch, Simd, WithSimd};

/// So many sums are made side by side, on every machine: its digits do not depend on the width of
/// registers.
const SUMS: usize = 16;

/// Gives each row the mean 0 and the variance 1, then scale and bias. `epsilon` is added to the
/// variance; a row is as long as scale and bias.
pub fn normalise(rows: &mut [f32], scale: &[f32], bias: &[f32], epsilon: f32) {
    Arch::new().dispatch(Normalise {
        rows,
        scale,
        bias,
        epsilon,
    });
}

struct Normalise<'a> {
    rows: &'a mut [f32],
    scale: &'a [f32],
    bias: &'a [f32],
    epsilon: f32,
}

impl WithSimd for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for row in self.rows.chunks_exact_mut(self.scale.len()) {
            let count = row.len() as f32;
            let mean = sum(row, |value| *value) / count;
            let variance = sum(row, |value| (*value - mean) * (*value - mean)) / count;
            let factor = 1.0 / (variance + self.epsilon).sqrt();
            for ((value, scale), bias) in row.iter_mut().zip(self.scale).zip(self.bias) {
                *value = (*value - mean) * factor * scale + bias;
            }
        }
    }
}

/// The sum of what is made of each value, which that may change.
#[inline(always)]
pub fn sum(values: &mut [f32], of: impl Fn(&mut f32) -> f32) -> f32 {
    let (chunks, rest) = values.as_chunks_mut::<SUMS>();
    let mut sums = [0.0; SUMS];
    for chunk in chunks {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *sum += of(value);
        }
    }
    let rest: f32 = rest.iter_mut().map(of).sum();
    fold(sums, |one, other| one + other) + rest
}

/// The largest value, or the least of all numbers.
#[inline(always)]
pub fn most(values: &[f32]) -> f32 {
    let larger = |most: f32, value: f32| if value > most { value } else { most };
    let (chunks, rest) = values.as_chunks::<SUMS>();
    let mut all = [f32::MIN; SUMS];
    for chunk in chunks {
        for (most, value) in all.iter_mut().zip(chunk) {
            *most = larger(*most, *value);
        }
    }
    rest.iter().copied().fold(fold(all, larger), larger)
}

/// Half by half, so that few steps wait for each other.
#[inline(always)]
fn fold(mut all: [f32; SUMS], of: impl Fn(f32, f32) -> f32) -> f32 {
    let mut count = SUMS;
    while count > 1 {
        count /= 2;
        for at in 0..count {
            all[at] = of(all[at], all[at + count]);
        }
    }
    all[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_normalised_as_defined() {
        for width in [24, 40] {
            let values = |seed: usize, count: usize| -> Vec<f32> {
                let value = |i: usize| ((i * 31 + seed * 17) % 23) as f32 / 7.0;
                (0..count).map(value).collect()
            };
            let (rows, scale, bias) = (values(1, 3 * width), values(3, width), values(4, width));
            let mut found = rows.clone();
            normalise(&mut found, &scale, &bias, 1e-12);
            for (row, found) in rows.chunks(width).zip(found.chunks(width)) {
                let row: Vec<f64> = row.iter().copied().map(f64::from).collect();
                let mean = row.iter().sum::<f64>() / width as f64;
                let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width as f64;
                for (i, value) in row.into_iter().enumerate() {
                    let normal = (value - mean) / variance.sqrt();
                    let expected = normal * f64::from(scale[i]) + f64::from(bias[i]);
                    assert!((f64::from(found[i]) - expected).abs() < 2e-6);
                }
            }
        }
        assert_eq!(most(&[-3.0, -1.0, -2.0]), -1.0);
    }
}
