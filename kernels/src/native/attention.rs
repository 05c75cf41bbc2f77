//! Attention: every token takes a mean of all tokens' values of its text, weighted by the softmax of
//! its query with their keys, in each head apart.

use pulp::{Arch, Simd, WithSimd};

use super::curves::exp;
use super::norm::{most, sum};
use super::tile::{Shape, group, tile, write};
use crate::COLUMNS;

/// Takes queries, keys and values side by side in a row for each token, the queries scaled already,
/// and gives to the output the mixed values of all heads side by side. The tokens are those of texts one after the
/// other, each of so many of `lengths`. A head has `size` values of each, a multiple of
/// [`crate::COLUMNS`].
pub fn attend(joint: &[f32], lengths: &[usize], heads: usize, size: usize, output: &mut [f32]) {
    attend_on(Arch::new(), joint, lengths, [heads, size], output);
}

fn attend_on(
    arch: Arch,
    joint: &[f32],
    lengths: &[usize],
    [heads, size]: [usize; 2],
    output: &mut [f32],
) {
    let (shape, _) = Shape::of(arch);
    arch.dispatch(Attend {
        joint,
        lengths,
        heads,
        size,
        shape,
        output,
    });
}

struct Attend<'a> {
    joint: &'a [f32],
    lengths: &'a [usize],
    heads: usize,
    size: usize,
    shape: Shape,
    output: &'a mut [f32],
}

impl WithSimd for Attend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.shape {
            Shape::Plain => self.fill::<S, 6, 8, false>(simd),
            Shape::SixByTwo => self.fill::<S, 6, 2, true>(simd),
            Shape::SixByFour => self.fill::<S, 6, 4, true>(simd),
            Shape::TwelveByTwo => self.fill::<S, 12, 2, true>(simd),
        }
    }
}

impl Attend<'_> {
    #[inline(always)]
    fn fill<S: Simd, const ROWS: usize, const WIDE: usize, const FUSED: bool>(self, simd: S) {
        let columns = WIDE * S::F32_LANES;
        let width = self.heads * self.size;
        let (mut joint, mut rest) = (self.joint, self.output);
        // of a head; the next uses their places again
        let [mut keys, mut values, mut scores] = [const { Vec::new() }; 3];
        for tokens in self.lengths {
            let (own, further) = joint.split_at(tokens * 3 * width);
            let (mixed, others) = std::mem::take(&mut rest).split_at_mut(tokens * width);
            (joint, rest) = (further, others);
            let text = Text {
                joint: own,
                tokens: *tokens,
                width,
                size: self.size,
            };
            // a row of scores has room for whole tiles
            let room = tokens.next_multiple_of(columns);
            keys.resize(room * self.size, 0.0);
            values.resize(self.size.next_multiple_of(columns) * tokens, 0.0);
            scores.resize(ROWS * room, 0.0);
            for first in (0..width).step_by(self.size) {
                text.keys::<S, WIDE>(first, &mut keys);
                text.values::<S, WIDE>(first, &mut values);
                for start in (0..*tokens).step_by(ROWS) {
                    text.score::<S, ROWS, WIDE>(simd, (start, first), &keys, &mut scores);
                    let mut shares = [0.0; ROWS];
                    for (row, share) in scores.chunks_exact_mut(room).zip(&mut shares) {
                        *share = softmax::<FUSED>(row);
                    }
                    let weights = group(0, ROWS, |row| &scores[row * room..][..*tokens]);
                    let mixed = &mut mixed[start * width + first..];
                    text.mix::<S, ROWS, WIDE>(simd, (weights, &values, shares), mixed);
                }
            }
        }
    }
}

/// The queries, keys and values of one text.
struct Text<'a> {
    joint: &'a [f32],
    tokens: usize,
    /// Values of all heads.
    width: usize,
    /// Values of a head.
    size: usize,
}

impl<'a> Text<'a> {
    /// The query (0), key (1) or values (2) of a token.
    #[inline(always)]
    fn part(&self, part: usize, first: usize, token: usize) -> &'a [f32] {
        &self.joint[(3 * token + part) * self.width + first..][..self.size]
    }

    /// The keys as the columns of tiles, panel by panel the tokens' values of each step. The
    /// columns behind the last token hold anything.
    #[inline(always)]
    fn keys<S: Simd, const WIDE: usize>(&self, first: usize, keys: &mut [f32]) {
        let columns = WIDE * S::F32_LANES;
        for start in (0..self.tokens).step_by(COLUMNS) {
            let tokens: [_; COLUMNS] =
                group(start, self.tokens, |token| self.part(1, first, token));
            let tokens = tokens.map(|key| key.as_chunks::<COLUMNS>().0);
            let column = start % columns;
            let panel = &mut keys[(start - column) * self.size..];
            let steps = panel.chunks_exact_mut(COLUMNS * columns);
            for (at, steps) in (0..self.size / COLUMNS).zip(steps) {
                let turned = turned(tokens.map(|key| key[at]));
                for (step, places) in turned.iter().zip(steps.chunks_exact_mut(columns)) {
                    places[column..][..COLUMNS].copy_from_slice(step);
                }
            }
        }
    }

    /// The values as the columns of tiles, panel by panel those of each token.
    #[inline(always)]
    fn values<S: Simd, const WIDE: usize>(&self, first: usize, values: &mut [f32]) {
        let columns = WIDE * S::F32_LANES;
        for token in 0..self.tokens {
            let (row, _) = self.part(2, first, token).as_chunks::<COLUMNS>();
            for (at, part) in row.iter().enumerate() {
                let (panel, column) = (at * COLUMNS / columns, at * COLUMNS % columns);
                let start = (panel * self.tokens + token) * columns + column;
                values[start..start + COLUMNS].copy_from_slice(part);
            }
        }
    }

    /// The products of a group of queries with all keys; behind the last the least of all numbers.
    #[inline(always)]
    fn score<S: Simd, const ROWS: usize, const WIDE: usize>(
        &self,
        simd: S,
        (start, first): (usize, usize),
        keys: &[f32],
        scores: &mut [f32],
    ) {
        let queries = group(start, self.tokens, |token| self.part(0, first, token));
        let columns = WIDE * S::F32_LANES;
        let room = scores.len() / ROWS;
        let panels = keys.chunks_exact(self.size * columns);
        for (panel, column) in panels.zip((0..).step_by(columns)) {
            let (panel, _) = S::as_simd_f32s(panel);
            let mut sums = tile::<S, ROWS, WIDE>(simd, queries, panel);
            if column + columns > self.tokens {
                for (at, first) in (column..).step_by(S::F32_LANES).take(WIDE).enumerate() {
                    let are_there = self.tokens.saturating_sub(first) as u32;
                    let are_there = simd.mask_between_m32s(0, are_there).mask();
                    for sums in &mut sums {
                        sums[at] = simd.select_f32s(are_there, sums[at], simd.splat_f32s(f32::MIN));
                    }
                }
            }
            for (row, sums) in scores.chunks_exact_mut(room).zip(&sums) {
                row[column..][..columns].copy_from_slice(pulp::bytemuck::cast_slice(sums));
            }
        }
    }

    /// Writes the means of the values for a group of queries.
    #[inline(always)]
    fn mix<S: Simd, const ROWS: usize, const WIDE: usize>(
        &self,
        simd: S,
        (weights, values, shares): ([&[f32]; ROWS], &[f32], [f32; ROWS]),
        mixed: &mut [f32],
    ) {
        let columns = WIDE * S::F32_LANES;
        let panels = values.chunks_exact(self.tokens * columns);
        for (panel, start) in panels.zip((0..).step_by(columns)) {
            let (panel, _) = S::as_simd_f32s(panel);
            let sums = tile::<S, ROWS, WIDE>(simd, weights, panel);
            for ((row, mut sums), share) in mixed.chunks_mut(self.width).zip(sums).zip(shares) {
                for sum in &mut sums {
                    *sum = simd.mul_f32s(*sum, simd.splat_f32s(share));
                }
                write(
                    &mut row[start..self.size],
                    pulp::bytemuck::cast_slice(&sums),
                );
            }
        }
    }
}

/// The columns of a square.
#[inline(always)]
fn turned(square: [[f32; COLUMNS]; COLUMNS]) -> [[f32; COLUMNS]; COLUMNS] {
    std::array::from_fn(|column| std::array::from_fn(|row| square[row][column]))
}

/// e to the power of each, less the largest, in its place; one over their sum. What is [`f32::MIN`] beside others
/// becomes 0.
#[inline(always)]
fn softmax<const FUSED: bool>(scores: &mut [f32]) -> f32 {
    let most = most(scores);
    1.0 / sum(scores, |score| {
        *score = exp::<FUSED>(*score - most);
        *score
    })
}

#[cfg(test)]
mod tests {
    use super::super::tile::arches;
    use super::*;

    /// By the definition, in 64-bit floats.
    fn defined(joint: &[f32], heads: usize, size: usize) -> Vec<f64> {
        let width = heads * size;
        let tokens: Vec<&[f32]> = joint.chunks(3 * width).collect();
        let at = |token: usize, part: usize, index: usize| {
            f64::from(tokens[token][part * width + index])
        };
        let mut output = vec![0.0; tokens.len() * width];
        for (query, index) in (0..tokens.len()).flat_map(|q| (0..width).map(move |i| (q, i))) {
            let head = index / size * size..index / size * size + size;
            let weights: Vec<f64> = (0..tokens.len())
                .map(|key| {
                    let score: f64 = head.clone().map(|i| at(query, 0, i) * at(key, 1, i)).sum();
                    score.exp()
                })
                .collect();
            let mixed = weights.iter().enumerate().map(|(t, w)| w * at(t, 2, index));
            output[query * width + index] = mixed.sum::<f64>() / weights.iter().sum::<f64>();
        }
        output
    }

    fn joint(tokens: usize) -> Vec<f32> {
        let value = |i: usize| ((i * 7919 % 1009) as f32 - 504.0) / 400.0;
        (0..tokens * 3 * 120).map(value).collect()
    }

    /// Of three heads with 40 values.
    fn attended(arch: Arch, joint: &[f32], lengths: &[usize]) -> Vec<f32> {
        let mut output = vec![0.0; joint.len() / 3];
        attend_on(arch, joint, lengths, [3, 40], &mut output);
        output
    }

    #[test]
    fn attention_is_that_of_the_definition() {
        for tokens in [1, 2, 6, 7, 8, 21, 65, 130] {
            let joint = joint(tokens);
            let expected = defined(&joint, 3, 40);
            for arch in arches() {
                let found = attended(arch, &joint, &[tokens]);
                assert_eq!(found.len(), expected.len());
                for (found, expected) in found.iter().zip(&expected) {
                    let off = (f64::from(*found) - expected).abs();
                    assert!(off < 1e-5, "{arch:?}, {tokens}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn texts_do_not_see_each_other() {
        // a long one before short ones: nothing of it may be left
        let lengths = [64, 5, 1, 17];
        let all = joint(lengths.iter().sum());
        for arch in arches() {
            let together = attended(arch, &all, &lengths);
            let mut start = 0;
            for length in lengths {
                let own = &all[start * 360..(start + length) * 360];
                let alone = attended(arch, own, &[length]);
                assert_eq!(alone, together[start * 120..(start + length) * 120]);
                start += length;
            }
        }
    }
}
