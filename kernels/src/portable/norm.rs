//! Layer normalisation.

use super::lanes::Lanes;

/// Gives each row the mean 0 and the variance 1, then scale and bias. `epsilon` is
/// added to the variance; a row is as long as scale and bias, a multiple of four.
pub fn normalise(rows: &mut [f32], scale: &[f32], bias: &[f32], epsilon: f32) {
    for row in rows.chunks_exact_mut(scale.len()) {
        normalise_row(row, scale, bias, epsilon);
    }
}

fn normalise_row(row: &mut [f32], scale: &[f32], bias: &[f32], epsilon: f32) {
    let count = Lanes::splat(row.len() as f32);
    let sum = row
        .chunks_exact(4)
        .fold(Lanes::zero(), |sum, four| sum + Lanes::read(four));
    let mean = Lanes::splat(sum.sum()) / count;
    let squares = row.chunks_exact(4).fold(Lanes::zero(), |sum, four| {
        let from_mean = Lanes::read(four) - mean;
        sum + from_mean * from_mean
    });
    let variance = squares.sum() / row.len() as f32;
    let factor = Lanes::splat(1.0 / (variance + epsilon).sqrt());
    let constants = scale.chunks_exact(4).zip(bias.chunks_exact(4));
    for (four, (scale, bias)) in row.chunks_exact_mut(4).zip(constants) {
        let normal = (Lanes::read(four) - mean) * factor;
        (normal * Lanes::read(scale) + Lanes::read(bias)).write(four);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_normalised_as_defined() {
        let values = |seed: usize| -> Vec<f32> {
            (0..24)
                .map(|i| ((i * 31 + seed * 17) % 23) as f32 / 7.0)
                .collect()
        };
        let (row, scale, bias) = (values(1), values(3), values(4));
        let mut found = row.clone();
        normalise(&mut found, &scale, &bias, 1e-12);
        let row: Vec<f64> = row.into_iter().map(f64::from).collect();
        let mean = row.iter().sum::<f64>() / 24.0;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 24.0;
        for (i, value) in row.into_iter().enumerate() {
            let normal = (value - mean) / variance.sqrt();
            let expected = normal * f64::from(scale[i]) + f64::from(bias[i]);
            assert!((f64::from(found[i]) - expected).abs() < 2e-6);
        }
    }
}
