//! The tile that products and attention are computed by.

use pulp::{Arch, Simd};

/// How a machine computes best: rows of a tile by registers of columns, and whether a product and a sum are one
/// step there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 6 by 8, in two steps: without a set of instructions that is known.
    Plain,
    /// 6 by 2: of the 16 registers of AVX2 the sums fill 12.
    SixByTwo,
    /// 6 by 4: of the 32 registers of NEON they fill 24.
    SixByFour,
    /// 12 by 2: as many of AVX-512, whose registers are wide: a panel of weights stays small.
    TwelveByTwo,
}

impl Shape {
    /// What suits the machine, and how many columns that is.
    pub fn of(arch: Arch) -> (Self, usize) {
        struct Lanes;
        impl pulp::WithSimd for Lanes {
            type Output = (usize, usize);

            fn with_simd<S: Simd>(self, _: S) -> Self::Output {
                (S::F32_LANES, S::REGISTER_COUNT)
            }
        }
        let (lanes, registers) = arch.dispatch(Lanes);
        match arch {
            Arch::Scalar => (Self::Plain, 8 * lanes),
            _ if registers < 32 => (Self::SixByTwo, 2 * lanes),
            _ if lanes < 16 => (Self::SixByFour, 4 * lanes),
            _ => (Self::TwelveByTwo, 2 * lanes),
        }
    }
}

/// No tile has more columns.
pub const MOST_COLUMNS: usize = 64;

/// Writes the columns of a tile, of which the last may be missing. Their number is known where this is compiled: no
/// call is made for it.
#[inline(always)]
pub fn write(places: &mut [f32], columns: &[f32]) {
    match places.get_mut(..columns.len()) {
        Some(places) => places.copy_from_slice(columns),
        None => places.copy_from_slice(&columns[..places.len()]),
    }
}

/// The sums of the products of the values of rows and columns, step by step. A row has as many values
/// as there are steps. Each sum is made one step after the other, so it depends on its row and its
/// column alone.
#[inline(always)]
pub fn tile<S: Simd, const ROWS: usize, const WIDE: usize>(
    simd: S,
    rows: [&[f32]; ROWS],
    columns: &[S::f32s],
) -> [[S::f32s; WIDE]; ROWS] {
    let mut sums = [[simd.splat_f32s(0.0); WIDE]; ROWS];
    let (columns, _) = columns.as_chunks::<WIDE>();
    // of one length, so that no step has to look whether its values are there
    let rows = rows.map(|row| &row[..columns.len()]);
    for (step, columns) in columns.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(rows) {
            let value = simd.splat_f32s(row[step]);
            for (sum, column) in sums.iter_mut().zip(columns) {
                *sum = simd.mul_add_e_f32s(value, *column, *sum);
            }
        }
    }
    sums
}

/// The rows from one on that a tile is made of; the first stands for those that are missing at the end.
#[inline(always)]
pub fn group<'a, const ROWS: usize>(
    first: usize,
    count: usize,
    row: impl Fn(usize) -> &'a [f32],
) -> [&'a [f32]; ROWS] {
    std::array::from_fn(|index| {
        let at = first + index;
        row(if at < count { at } else { first })
    })
}

/// What this machine has, and what others have in its place.
#[cfg(test)]
pub fn arches() -> impl Iterator<Item = Arch> {
    #[cfg(target_arch = "x86_64")]
    let others = pulp::x86::V3::try_new().map(Arch::V3);
    #[cfg(not(target_arch = "x86_64"))]
    let others = None;
    [Arch::Scalar, Arch::new()].into_iter().chain(others)
}
