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

/// Refuses an input that is no list of whole numbers.
pub fn check_whole(input: &TypedFact) -> TractResult<()> {
    ensure!(
        input.datum_type == i64::datum_type() && input.rank() == 1,
        "a list of whole numbers expected, not {input:?}"
    );
    Ok(())
}

/// How many tokens each text has.
pub fn lengths(input: &TValue) -> TractResult<Vec<usize>> {
    let plain = input.try_as_plain_ram()?;
    let lengths = plain.as_slice::<i64>()?.iter();
    let lengths: Result<Vec<usize>, _> = lengths.map(|length| (*length).try_into()).collect();
    Ok(lengths?)
}

/// The first input with its rows changed. Nothing else needs it: they are changed where they are.
pub fn changed(inputs: TVec<TValue>, change: impl FnOnce(&mut [f32])) -> TractResult<TVec<TValue>> {
    let rows = inputs.into_iter().next().context("rows expected")?;
    let mut rows = rows.into_tensor();
    change(rows.try_as_plain_ram_mut()?.as_slice_mut()?);
    Ok(tvec!(rows.into_tvalue()))
}
