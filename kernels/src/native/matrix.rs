//! Products with constant matrices.

use pulp::{Arch, Simd, WithSimd};

use super::curves::gelu;
use super::tile::{MOST_COLUMNS, Shape, group, tile, write};

/// So many values of rows are multiplied together.
const NEAR: usize = 1 << 15;

/// A constant matrix with a row of weights for each output, laid out for products with many inputs on
/// this machine.
pub struct Matrix {
    inputs: usize,
    outputs: usize,
    arch: Arch,
    shape: Shape,
    /// Columns of a panel.
    columns: usize,
    /// Panel by panel the weights of each input; of outputs that are missing in the last they are 0.
    panels: Vec<f32>,
}

impl Matrix {
    /// From the weights row by row; `outputs` is a multiple of [`crate::COLUMNS`].
    pub fn new(inputs: usize, outputs: usize, weights: &[f32]) -> Self {
        Self::on(Arch::new(), [inputs, outputs], weights)
    }

    fn on(arch: Arch, [inputs, outputs]: [usize; 2], weights: &[f32]) -> Self {
        let (shape, columns) = Shape::of(arch);
        let mut panels = vec![0.0; outputs.div_ceil(columns) * columns * inputs];
        for (panel, rows) in panels
            .chunks_exact_mut(inputs * columns)
            .zip(weights.chunks(inputs * columns))
        {
            for (column, row) in rows.chunks_exact(inputs).enumerate() {
                for (step, weight) in panel.chunks_exact_mut(columns).zip(row) {
                    step[column] = *weight;
                }
            }
        }
        Self {
            inputs,
            outputs,
            arch,
            shape,
            columns,
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
        self.arch.dispatch(Product {
            matrix: self,
            input,
            bias,
            gelu,
            output,
        });
    }
}

struct Product<'a> {
    matrix: &'a Matrix,
    input: &'a [f32],
    bias: &'a [f32],
    gelu: bool,
    output: &'a mut [f32],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.matrix.shape {
            Shape::Plain => self.fill::<S, 6, 8, false>(simd),
            Shape::SixByTwo => self.fill::<S, 6, 2, true>(simd),
            Shape::SixByFour => self.fill::<S, 6, 4, true>(simd),
            Shape::TwelveByTwo => self.fill::<S, 12, 2, true>(simd),
        }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn fill<S: Simd, const ROWS: usize, const WIDE: usize, const FUSED: bool>(self, simd: S) {
        let Matrix {
            inputs,
            outputs,
            columns,
            ref panels,
            ..
        } = *self.matrix;
        // rows that stay in a near cache while all panels pass by; a panel stays in the nearest while they do, which
        // is of no use to few rows: there are about as many in each block
        let count = self.input.len() / inputs;
        let blocks = count.div_ceil((NEAR / inputs / ROWS).max(1) * ROWS).max(1);
        let rows = count.div_ceil(blocks).next_multiple_of(ROWS).max(ROWS);
        let inputs_of = self.input.chunks(rows * inputs);
        for (input, output) in inputs_of.zip(self.output.chunks_mut(rows * outputs)) {
            let count = input.len() / inputs;
            let firsts = (0..).step_by(columns);
            for (panel, first) in panels.chunks_exact(inputs * columns).zip(firsts) {
                let (panel, _) = S::as_simd_f32s(panel);
                let mut bias = [0.0; MOST_COLUMNS];
                let own = &self.bias[first..outputs.min(first + columns)];
                bias[..own.len()].copy_from_slice(own);
                let places = output.chunks_mut(ROWS * outputs);
                for (rows, start) in places.zip((0..).step_by(ROWS)) {
                    let of = |row: usize| &input[row * inputs..][..inputs];
                    let mut sums = tile::<S, ROWS, WIDE>(simd, group(start, count, of), panel);
                    let sums: &mut [f32] = pulp::bytemuck::cast_slice_mut(sums.as_flattened_mut());
                    for row in sums.chunks_exact_mut(WIDE * S::F32_LANES) {
                        for (sum, bias) in row.iter_mut().zip(bias) {
                            *sum += bias;
                        }
                    }
                    if self.gelu {
                        for sum in sums.iter_mut() {
                            *sum = gelu::<FUSED>(*sum);
                        }
                    }
                    let sums = sums.chunks_exact(WIDE * S::F32_LANES);
                    for (row, sums) in rows.chunks_exact_mut(outputs).zip(sums) {
                        write(&mut row[first..], sums);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tile::arches;
    use super::*;

    fn value(i: usize) -> f32 {
        ((i * 37 % 101) as f32 - 50.0) / 64.0
    }

    fn product(matrix: &Matrix, input: &[f32], bias: &[f32], gelu: bool) -> Vec<f32> {
        let mut output = vec![0.0; input.len() / matrix.inputs * matrix.outputs];
        matrix.product(input, bias, gelu, &mut output);
        output
    }

    #[test]
    fn products_are_those_of_the_definition() {
        for (inputs, outputs) in [(24, 8), (24, 40), (24, 64), (24, 136), (1536, 40)] {
            let weights: Vec<f32> = (0..inputs * outputs).map(value).collect();
            let bias: Vec<f32> = (0..outputs).map(|i| value(i * 5)).collect();
            let all = arches().map(|arch| Matrix::on(arch, [inputs, outputs], &weights));
            let all: Vec<Matrix> = all.collect();
            for (matrix, count) in all
                .iter()
                .flat_map(|one| [1, 5, 6, 7, 13, 50].map(|n| (one, n)))
            {
                let input: Vec<f32> = (0..count * inputs).map(|i| value(i + 7)).collect();
                // multiples of 2^-12 below 2^12: the sums are exact in any order
                let of = |row: &[f32], output: usize| {
                    let weights = &weights[output * inputs..][..inputs];
                    bias[output] + row.iter().zip(weights).map(|(a, b)| a * b).sum::<f32>()
                };
                let rows = input.chunks(inputs);
                let expected: Vec<f32> = rows
                    .flat_map(|row| (0..outputs).map(move |output| of(row, output)))
                    .collect();
                assert_eq!(product(matrix, &input, &bias, false), expected);
                let curve = match matrix.shape {
                    Shape::Plain => gelu::<false>,
                    _ => gelu::<true>,
                };
                let curved: Vec<f32> = expected.iter().copied().map(curve).collect();
                assert_eq!(product(matrix, &input, &bias, true), curved);
            }
        }
    }

    /// A text's vector may not depend on what is embedded with it.
    #[test]
    fn a_row_depends_on_nothing_beside_it() {
        let (inputs, outputs) = (384, 136);
        let weights: Vec<f32> = (0..inputs * outputs)
            .map(|i| value(i * 3) * 1.001)
            .collect();
        let bias = vec![0.1; outputs];
        let input: Vec<f32> = (0..200 * inputs).map(|i| value(i + 3) / 3.0).collect();
        for arch in arches() {
            let matrix = Matrix::on(arch, [inputs, outputs], &weights);
            let all = product(&matrix, &input, &bias, true);
            for first in [0, 1, 5, 17, 39, 150] {
                let some = product(&matrix, &input[first * inputs..], &bias, true);
                assert_eq!(some, all[first * outputs..], "{arch:?}");
            }
        }
    }
}
