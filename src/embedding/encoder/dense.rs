//! A dense layer: input x matrix^T + bias, with or without a gelu.

use assay_kernels::Matrix;
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
        let input = input.as_slice()?;
        let rows = input.len() / self.matrix.inputs();
        rows::output(self.matrix.outputs(), rows, |output| {
            self.matrix.product(input, &self.bias, self.gelu, output);
        })
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
