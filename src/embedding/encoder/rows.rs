//! What the operators have in common: their values are float32 matrices with a
//! row for each token.

use tract_core::internal::*;

/// The fact of a result: as many rows as `input` has.
pub fn fact(input: &TypedFact, width: usize) -> TVec<TypedFact> {
    tvec!(f32::fact([input.shape[0].clone(), width.to_dim()]))
}

/// Refuses an input that has not `width` float32 numbers in a row.
pub fn check(input: &TypedFact, width: usize) -> TractResult<()> {
    let fits = input.datum_type == f32::datum_type()
        && input.rank() == 2
        && input.shape[1] == width.to_dim();
    ensure!(
        fits,
        "rows of {width} float32 numbers expected, not {input:?}"
    );
    Ok(())
}

/// A result.
pub fn output(width: usize, values: Vec<f32>) -> TractResult<TVec<TValue>> {
    let rows = values.len() / width;
    let array = tract_ndarray::Array2::from_shape_vec((rows, width), values)?;
    Ok(tvec!(array.into_tvalue()))
}
