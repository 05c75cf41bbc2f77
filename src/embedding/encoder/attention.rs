//! The first half of a layer as an operator: attention, added to its input and normalised.

use assay_kernels::attend;
use tract_core::internal::*;

use super::dense::Dense;
use super::norm::Norm;
use super::rows;

/// So many tokens of whole texts go through all of it together: what lies between its steps stays in a near cache.
const TOGETHER: usize = 256;

/// Takes rows of tokens, and how many of them each text has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attention {
    /// Number of heads.
    pub heads: usize,
    /// To queries, keys and values side by side, the queries scaled already.
    pub joint: Dense,
    /// From the mixed values of all heads side by side.
    pub mixed: Dense,
    /// Of its sum with the input.
    pub norm: Norm,
}

impl Attention {
    fn fill(&self, rows: &mut [f32], lengths: &[usize]) {
        let width = self.norm.width();
        let size = width / self.heads;
        // of the group at hand; the next uses their places again
        let [mut joint, mut values, mut mixed] = [const { Vec::new() }; 3];
        let (mut rest, mut lengths) = (rows, lengths);
        while !lengths.is_empty() {
            let mut tokens = 0;
            let fits = lengths.iter().take_while(|length| {
                tokens += *length;
                tokens <= TOGETHER
            });
            let (own, further) = lengths.split_at(fits.count().max(1));
            let tokens: usize = own.iter().sum();
            let (rows, others) = std::mem::take(&mut rest).split_at_mut(tokens * width);
            (rest, lengths) = (others, further);
            joint.resize(3 * rows.len(), 0.0);
            values.resize(rows.len(), 0.0);
            mixed.resize(rows.len(), 0.0);
            self.joint.fill(rows, &mut joint);
            attend(&joint, own, self.heads, size, &mut values);
            self.mixed.fill(&values, &mut mixed);
            self.norm.add(rows, &mixed);
        }
    }
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
        let lengths = rows::lengths(&inputs[1])?;
        rows::changed(inputs, |rows| self.fill(rows, &lengths))
    }
}

impl TypedOp for Attention {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let width = self.norm.width();
        rows::check(inputs[0], width)?;
        rows::check_whole(inputs[1])?;
        self.joint.check([width, 3 * width])?;
        self.mixed.check([width, width])?;
        ensure!(
            width.is_multiple_of(self.heads * assay_kernels::COLUMNS),
            "{} heads of {width} values are not of whole columns",
            self.heads
        );
        Ok(rows::fact(inputs[0], width))
    }
}
