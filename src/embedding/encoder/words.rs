//! From word pieces to the first rows: the row of the piece and the row of its
//! place, added and normalised.

use tract_core::internal::*;

use super::super::pack::PackedRows;
use super::norm::Norm;
use super::rows;

/// The tables. The one of the word pieces stays packed: a text needs few of
/// its 30,522 rows. Two are the same when they share their tables.
#[derive(Clone)]
pub struct Words {
    /// A row for each word piece.
    pub pieces: Arc<PackedRows>,
    /// A row for each place.
    pub places: Arc<[f32]>,
    /// Of the sum.
    pub norm: Norm,
}

impl Words {
    fn look_up(&self, ids: &[i64]) -> TractResult<Vec<f32>> {
        let width = self.norm.width();
        let most = self.places.len() / width;
        ensure!(
            ids.len() <= most,
            "{} tokens, at most {most} expected",
            ids.len()
        );
        let mut output = Vec::with_capacity(ids.len() * width);
        for (id, place) in ids.iter().zip(self.places.chunks_exact(width)) {
            let start = output.len();
            let row = usize::try_from(*id).ok().and_then(|id| self.pieces.row(id));
            output.extend(row.with_context(|| format!("no word piece has the number {id}"))?);
            let row = &mut output[start..];
            for (value, place) in row.iter_mut().zip(place) {
                *value += place;
            }
            self.norm.normalise(row);
        }
        Ok(output)
    }
}

impl std::fmt::Debug for Words {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Words(to {})", self.norm.width())
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pieces, &other.pieces)
            && Arc::ptr_eq(&self.places, &other.places)
            && self.norm == other.norm
    }
}

impl Eq for Words {}

impl Op for Words {
    fn name(&self) -> StaticName {
        "Words".into()
    }

    op_as_typed_op!();
}

impl EvalOp for Words {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let ids = inputs[0].try_as_plain_ram()?;
        rows::output(self.norm.width(), self.look_up(ids.as_slice()?)?)
    }
}

impl TypedOp for Words {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let ids = inputs[0];
        ensure!(
            ids.datum_type == i64::datum_type() && ids.rank() == 1,
            "the numbers of word pieces expected, not {ids:?}"
        );
        ensure!(
            self.pieces.width() == self.norm.width(),
            "rows of one width expected"
        );
        Ok(rows::fact(ids, self.norm.width()))
    }
}
