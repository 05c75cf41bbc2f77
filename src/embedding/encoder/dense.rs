//! A dense layer: input x matrix^T + bias, with or without a gelu.

use assay_kernels::{Columns, Lanes, Matrix};
use tract_core::internal::*;

use super::rows;

/// The layer. Two are the same when they share their weights.
#[derive(Clone)]
pub struct Dense {
    /// The matrix.
    pub matrix: Arc<Matrix>,
    /// A value for each output.
    pub bias: Arc<[f32]>,
    /// Whether the result goes through a gelu.
    pub gelu: bool,
}

impl Dense {
    fn apply(&self, input: &[f32]) -> Vec<f32> {
        let with_bias = |first: usize, [low, high]: Columns| {
            let bias = &self.bias[first..];
            [low + Lanes::read(bias), high + Lanes::read(&bias[4..])]
        };
        if self.gelu {
            self.matrix.product(input, |first, columns| {
                with_bias(first, columns).map(Lanes::gelu)
            })
        } else {
            self.matrix.product(input, with_bias)
        }
    }
}

impl std::fmt::Debug for Dense {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (inputs, outputs) = (self.matrix.inputs(), self.matrix.outputs());
        write!(formatter, "Dense({inputs} to {outputs})")
    }
}

impl PartialEq for Dense {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.matrix, &other.matrix)
            && Arc::ptr_eq(&self.bias, &other.bias)
            && self.gelu == other.gelu
    }
}

impl Eq for Dense {}

impl Op for Dense {
    fn name(&self) -> StaticName {
        "Dense".into()
    }

    op_as_typed_op!();
}

impl EvalOp for Dense {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = inputs[0].try_as_plain_ram()?;
        rows::output(self.matrix.outputs(), self.apply(input.as_slice()?))
    }
}

impl TypedOp for Dense {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        rows::check(inputs[0], self.matrix.inputs())?;
        ensure!(
            self.bias.len() == self.matrix.outputs(),
            "a bias for each output expected"
        );
        Ok(rows::fact(inputs[0], self.matrix.outputs()))
    }
}
