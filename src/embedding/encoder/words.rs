//! From word pieces to the first rows: the row of the piece and the row of its
//! place in its text, added and normalised.

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
    /// The rows of texts one after the other, each of so many of `lengths`.
    fn look_up(&self, ids: &[i64], lengths: &[usize]) -> TractResult<Vec<f32>> {
        let width = self.norm.width();
        let most = self.places.len() / width;
        ensure!(
            lengths.iter().sum::<usize>() == ids.len(),
            "{} tokens of {lengths:?} are there",
            ids.len()
        );
        let mut output = Vec::with_capacity(ids.len() * width);
        let mut rest = ids;
        for length in lengths {
            let (text, further) = rest.split_at(*length);
            rest = further;
            ensure!(*length <= most, "{length} tokens, at most {most} expected");
            for (id, place) in text.iter().zip(self.places.chunks_exact(width)) {
                let start = output.len();
                let row = usize::try_from(*id).ok().and_then(|id| self.pieces.row(id));
                output.extend(row.with_context(|| format!("no word piece has the number {id}"))?);
                for (value, place) in output[start..].iter_mut().zip(place) {
                    *value += place;
                }
            }
        }
        self.norm.normalise(&mut output);
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
        let lengths = rows::lengths(&inputs[1])?;
        let rows = self.look_up(ids.as_slice()?, &lengths)?;
        let rows = Tensor::from_shape(&[ids.len(), self.norm.width()], &rows)?;
        Ok(tvec!(rows.into_tvalue()))
    }
}

impl TypedOp for Words {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let ids = inputs[0];
        rows::check_whole(ids)?;
        rows::check_whole(inputs[1])?;
        ensure!(
            self.pieces.width() == self.norm.width(),
            "rows of one width expected"
        );
        Ok(rows::fact(ids, self.norm.width()))
    }
}
