//! Layer normalisation of rows, and of sums of rows.

use tract_core::internal::*;

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

    /// Gives each row the mean 0 and the variance 1, then scale and bias.
    pub fn normalise(&self, rows: &mut [f32]) {
        assay_kernels::normalise(rows, &self.scale, &self.bias, self.epsilon);
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

impl Op for AddNorm {
    fn name(&self) -> StaticName {
        "AddNorm".into()
    }

    op_as_typed_op!();
}

impl EvalOp for AddNorm {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let mut inputs = inputs.into_iter();
        let (Some(sum), Some(other)) = (inputs.next(), inputs.next()) else {
            bail!("two inputs expected");
        };
        // nothing else needs the first, whose place is taken
        let mut sum = sum.into_tensor();
        let other = other.try_as_plain_ram()?;
        let mut view = sum.try_as_plain_ram_mut()?;
        let rows = view.as_slice_mut::<f32>()?;
        for (value, other) in rows.iter_mut().zip(other.as_slice::<f32>()?) {
            *value += other;
        }
        self.0.normalise(rows);
        Ok(tvec!(sum.into_tvalue()))
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
