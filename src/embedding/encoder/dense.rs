//! A dense layer: input x matrix^T + bias, with or without a gelu.

use assay_kernels::Matrix;
use tract_core::internal::*;

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
    /// Fills a row of the output for each row of the input.
    pub fn fill(&self, input: &[f32], output: &mut [f32]) {
        self.matrix.product(input, &self.bias, self.gelu, output);
    }

    /// Refuses a layer that does not take rows of so many values and give such of so many.
    pub fn check(&self, [inputs, outputs]: [usize; 2]) -> TractResult<()> {
        ensure!(
            self.matrix.inputs() == inputs
                && self.matrix.outputs() == outputs
                && self.bias.len() == outputs,
            "a layer of {inputs} to {outputs} values expected, not {self:?}"
        );
        Ok(())
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
