//! Products with constant matrices, and the tile that they and the attention
//! are computed by.
//!
//! The tile is 4 x 8: its 8 registers of sums leave room for what they are made
//! of in the 16 registers that x86-64 has. A tile of 8 x 8 was a third slower in
//! browsers, because its sums went through memory.

use super::lanes::Lanes;

/// Rows of a tile.
pub const ROWS: usize = 4;
/// Columns of a tile.
pub const COLUMNS: usize = crate::COLUMNS;

/// Eight columns.
pub type Columns = [Lanes; 2];
/// A tile.
pub type Tile = [Columns; ROWS];

/// The sum of outer products of a step's four row and eight column values. Each
/// of its 32 numbers is summed up step by step, so it depends on its row and
/// its column alone.
#[inline(never)]
#[cfg_attr(
    all(target_arch = "wasm32", feature = "relaxed-simd"),
    target_feature(enable = "relaxed-simd")
)]
pub fn tile(rows: &[[f32; ROWS]], columns: &[Columns]) -> Tile {
    let mut sums = [[Lanes::zero(); 2]; ROWS];
    for (row, column) in rows.iter().zip(columns) {
        for (sums, value) in sums.iter_mut().zip(row) {
            let value = Lanes::splat(*value);
            sums[0] = value.times_plus(column[0], sums[0]);
            sums[1] = value.times_plus(column[1], sums[1]);
        }
    }
    sums
}

/// The rows of a matrix in groups of four, value by value, as [`tile`] reads
/// them; rows that are missing in the last group are zero.
pub fn in_fours<'a>(rows: impl ExactSizeIterator<Item = &'a [f32]>, width: usize) -> Vec<[f32; 4]> {
    let mut fours = vec![[0.0; ROWS]; rows.len().div_ceil(ROWS) * width];
    for (index, row) in rows.enumerate() {
        let group = &mut fours[index / ROWS * width..][..width];
        for (four, value) in group.iter_mut().zip(row) {
            four[index % ROWS] = *value;
        }
    }
    fours
}

/// A constant matrix with a row of weights for each output, laid out for
/// products with many inputs.
pub struct Matrix {
    inputs: usize,
    outputs: usize,
    panels: Vec<Columns>,
}

impl Matrix {
    /// From the weights row by row; `outputs` is a multiple of [`COLUMNS`].
    pub fn new(inputs: usize, outputs: usize, weights: &[f32]) -> Self {
        let mut panels = vec![[Lanes::zero(); 2]; inputs * outputs / COLUMNS];
        for (panel, rows) in panels
            .chunks_exact_mut(inputs)
            .zip(weights.chunks_exact(inputs * COLUMNS))
        {
            for (index, columns) in panel.iter_mut().enumerate() {
                let at = |row: usize| rows[row * inputs + index];
                *columns = [
                    Lanes::new([at(0), at(1), at(2), at(3)]),
                    Lanes::new([at(4), at(5), at(6), at(7)]),
                ];
            }
        }
        Self {
            inputs,
            outputs,
            panels,
        }
    }

    /// Values in a row of the input.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Values in a row of the result.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `input x weights^T + bias`, row by row, and its gelu where that is asked for, into as many rows of the output.
    pub fn product(&self, input: &[f32], bias: &[f32], gelu: bool, output: &mut [f32]) {
        let with_bias = |first: usize, [low, high]: Columns| {
            let bias = &bias[first..];
            [low + Lanes::read(bias), high + Lanes::read(&bias[4..])]
        };
        if gelu {
            self.finish(input, output, |first, columns| {
                with_bias(first, columns).map(Lanes::gelu)
            });
        } else {
            self.finish(input, output, with_bias);
        }
    }

    /// `finish` gets the number of the first column and eight columns of a row, and gives
    /// what is stored.
    #[inline(always)]
    fn finish(
        &self,
        input: &[f32],
        output: &mut [f32],
        finish: impl Fn(usize, Columns) -> Columns,
    ) {
        let fours = in_fours(input.chunks_exact(self.inputs), self.inputs);
        // a panel of weights stays in the nearest cache while all rows pass by
        for (panel, first) in self
            .panels
            .chunks_exact(self.inputs)
            .zip((0..).step_by(COLUMNS))
        {
            for (rows, four) in output
                .chunks_mut(ROWS * self.outputs)
                .zip(fours.chunks_exact(self.inputs))
            {
                let tile = tile(four, panel);
                for (row, columns) in rows.chunks_exact_mut(self.outputs).zip(tile) {
                    let [low, high] = finish(first, columns);
                    let places = &mut row[first..first + COLUMNS];
                    low.write(places);
                    high.write(&mut places[4..]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_definition() {
        let (inputs, outputs) = (24, 40);
        let value = |i: usize| ((i * 37 % 101) as f32 - 50.0) / 64.0;
        let weights: Vec<f32> = (0..inputs * outputs).map(value).collect();
        let bias: Vec<f32> = (0..outputs).map(|i| value(i * 5)).collect();
        let matrix = Matrix::new(inputs, outputs, &weights);
        for count in [1, 3, 4, 5, 11] {
            let input: Vec<f32> = (0..count * inputs).map(|i| value(i + 7)).collect();
            // multiples of 2^-12 below 2^9: the sums are exact in any order
            let expected: Vec<f32> = input
                .chunks(inputs)
                .flat_map(|row| {
                    weights
                        .chunks(inputs)
                        .zip(&bias)
                        .map(move |(weights, bias)| {
                            bias + row.iter().zip(weights).map(|(a, b)| a * b).sum::<f32>()
                        })
                })
                .collect();
            let product = |gelu| {
                let mut output = vec![0.0; count * outputs];
                matrix.product(&input, &bias, gelu, &mut output);
                output
            };
            assert_eq!(product(false), expected);
            let gelu = expected.iter().map(|x| Lanes::splat(*x).gelu().array()[0]);
            assert!(product(true).into_iter().eq(gelu));
        }
    }
}
