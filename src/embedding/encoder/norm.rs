//! Layer normalisation of rows, and of sums of rows.

use tract_core::internal::*;

use super::lanes::Lanes;
use super::rows;

/// Scale and bias of a normalisation. Two are the same when they share them.
#[derive(Clone, Debug)]
pub struct Norm {
    /// A factor for each value of a row; their number is a multiple of four.
    pub scale: Arc<[f32]>,
    /// A summand for each value of a row.
    pub bias: Arc<[f32]>,
    /// Added to the variance.
    pub epsilon: f32,
}

impl Norm {
    /// Values in a row.
    pub fn width(&self) -> usize {
        self.scale.len()
    }

    /// Gives a row the mean 0 and the variance 1, then scale and bias.
    pub fn normalise(&self, row: &mut [f32]) {
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
        let factor = Lanes::splat(1.0 / (variance + self.epsilon).sqrt());
        let fours = row.chunks_exact_mut(4);
        let constants = self.scale.chunks_exact(4).zip(self.bias.chunks_exact(4));
        for (four, (scale, bias)) in fours.zip(constants) {
            let normal = (Lanes::read(four) - mean) * factor;
            (normal * Lanes::read(scale) + Lanes::read(bias)).write(four);
        }
    }
}

impl PartialEq for Norm {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.scale, &other.scale)
            && Arc::ptr_eq(&self.bias, &other.bias)
            && self.epsilon.to_bits() == other.epsilon.to_bits()
    }
}

impl Eq for Norm {}

/// The normalised sum of two inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddNorm(pub Norm);

impl AddNorm {
    fn apply(&self, a: &[f32], b: &[f32]) -> Vec<f32> {
        let mut sum: Vec<f32> = a.iter().zip(b).map(|(a, b)| a + b).collect();
        for row in sum.chunks_exact_mut(self.0.width()) {
            self.0.normalise(row);
        }
        sum
    }
}

impl Op for AddNorm {
    fn name(&self) -> StaticName {
        "AddNorm".into()
    }

    op_as_typed_op!();
}

impl EvalOp for AddNorm {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let [a, b] = [0, 1].map(|i| inputs[i].try_as_plain_ram());
        rows::output(self.0.width(), self.apply(a?.as_slice()?, b?.as_slice()?))
    }
}

impl TypedOp for AddNorm {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        rows::check(inputs[0], self.0.width())?;
        rows::check(inputs[1], self.0.width())?;
        ensure!(
            inputs[0].shape == inputs[1].shape,
            "two inputs of one shape expected"
        );
        Ok(rows::fact(inputs[0], self.0.width()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_normalised_as_defined() {
        let values = |seed: usize| -> Vec<f32> {
            (0..32)
                .map(|i| ((i * 31 + seed * 17) % 23) as f32 / 7.0)
                .collect()
        };
        let (a, b, scale, bias) = (values(1), values(2), values(3), values(4));
        let norm = AddNorm(Norm {
            scale: scale[..16].into(),
            bias: bias[..16].into(),
            epsilon: 1e-12,
        });
        let found = norm.apply(&a, &b);
        for row in [0..16, 16..32] {
            let sums: Vec<f64> = row.clone().map(|i| f64::from(a[i] + b[i])).collect();
            let mean = sums.iter().sum::<f64>() / 16.0;
            let variance = sums.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 16.0;
            for (i, sum) in row.zip(sums) {
                let expected = (sum - mean) / variance.sqrt() * f64::from(scale[i % 16])
                    + f64::from(bias[i % 16]);
                assert!((f64::from(found[i]) - expected).abs() < 2e-6);
            }
        }
    }
}
