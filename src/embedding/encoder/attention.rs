//! Attention as an operator.

use assay_kernels::attend;
use tract_core::internal::*;

use super::rows;

/// Takes queries, keys and values side by side in a row for each token, the
/// queries scaled already, and how many tokens each text has; gives the mixed
/// values of all heads side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attention {
    /// Number of heads.
    pub heads: usize,
    /// Values of a token in a head, a multiple of [`assay_kernels::COLUMNS`].
    pub size: usize,
}

impl Op for Attention {
    fn name(&self) -> StaticName {
        "Attention".into()
    }

    op_as_typed_op!();
}

impl EvalOp for Attention {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let joint = inputs[0].try_as_plain_ram()?;
        let lengths = rows::lengths(&inputs[1])?;
        let (joint, width) = (joint.as_slice()?, self.heads * self.size);
        rows::output(width, joint.len() / (3 * width), |output| {
            attend(joint, &lengths, self.heads, self.size, output);
        })
    }
}

impl TypedOp for Attention {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        rows::check(inputs[0], 3 * self.heads * self.size)?;
        rows::check_whole(inputs[1])?;
        Ok(rows::fact(inputs[0], self.heads * self.size))
    }
}
