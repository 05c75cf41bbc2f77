//! The second half of a layer as an operator: two dense layers, added to their input and normalised.

use tract_core::internal::*;

use super::dense::Dense;
use super::norm::Norm;
use super::rows;

/// So many rows go through all of it together: what lies between its steps stays in a near cache. The kernels take
/// six or twelve at a time.
const TOGETHER: usize = 120;

/// Takes rows of tokens, each of which is for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forward {
    /// To more values, with a gelu.
    pub wide: Dense,
    /// Back.
    pub narrow: Dense,
    /// Of its sum with the input.
    pub norm: Norm,
}

impl Forward {
    fn fill(&self, rows: &mut [f32]) {
        let (width, most) = (self.norm.width(), self.wide.matrix.outputs());
        let [mut wide, mut narrow] = [const { Vec::new() }; 2];
        for rows in rows.chunks_mut(TOGETHER * width) {
            wide.resize(rows.len() / width * most, 0.0);
            narrow.resize(rows.len(), 0.0);
            self.wide.fill(rows, &mut wide);
            self.narrow.fill(&wide, &mut narrow);
            self.norm.add(rows, &narrow);
        }
    }
}

impl Op for Forward {
    fn name(&self) -> StaticName {
        "Forward".into()
    }

    op_as_typed_op!();
}

impl EvalOp for Forward {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        rows::changed(inputs, |rows| self.fill(rows))
    }
}

impl TypedOp for Forward {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let (width, most) = (self.norm.width(), self.wide.matrix.outputs());
        rows::check(inputs[0], width)?;
        self.wide.check([width, most])?;
        self.narrow.check([most, width])?;
        Ok(rows::fact(inputs[0], width))
    }
}
