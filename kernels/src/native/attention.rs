//! Attention: every token takes a mean of all tokens' values of its text, weighted by the softmax of
//! its query with their keys, in each head apart.

use pulp::{Arch, Simd, WithSimd};

use super::curves::exp;
use super::norm::{most, sum};
use super::tile::{Shape, group, tile, write};

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
    let width = heads * size;
    let (shape, columns) = Shape::of(arch);
    let (mut joint, mut rest) = (joint, output);
    for length in lengths {
        let (text, further) = joint.split_at(length * 3 * width);
        let (mixed, others) = std::mem::take(&mut rest).split_at_mut(length * width);
        (joint, rest) = (further, others);
        arch.dispatch(Attend {
            joint: text,
            heads,
            size,
            shape,
            columns,
            output: mixed,
        });
    }
}

struct Attend<'a> {
    joint: &'a [f32],
    heads: usize,
    size: usize,
    shape: Shape,
    columns: usize,
    output: &'a mut [f32],
}

impl WithSimd for Attend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.shape {
            Shape::Plain => self.fill::<S, 6, 2, false>(simd),
            Shape::SixByTwo => self.fill::<S, 6, 2, true>(simd),
            Shape::SixByFour => self.fill::<S, 6, 4, true>(simd),
            Shape::TwelveByTwo => self.fill::<S, 12, 2, true>(simd),
        }
    }
}

impl<'a> Attend<'a> {
    #[inline(always)]
    fn fill<S: Simd, const ROWS: usize, const WIDE: usize, const FUSED: bool>(mut self, simd: S) {
        let tokens = self.tokens();
        // a row of scores has room for whole tiles
        let room = tokens.div_ceil(self.columns) * self.columns;
        let mut scores = vec![0.0; ROWS * room];
        for first in (0..self.heads * self.size).step_by(self.size) {
            let keys = self.keys(first, room);
            let values = self.values(first, tokens);
            for start in (0..tokens).step_by(ROWS) {
                let queries = group(start, tokens, |token| self.part(0, first, token));
                let panels = keys.chunks_exact(self.size * self.columns);
                for (panel, column) in panels.zip((0..).step_by(self.columns)) {
                    let (panel, _) = S::as_simd_f32s(panel);
                    let sums = tile::<S, ROWS, WIDE>(simd, queries, panel);
                    for (row, sums) in scores.chunks_exact_mut(room).zip(&sums) {
                        let sums: &[f32] = pulp::bytemuck::cast_slice(sums);
                        write(&mut row[column..], sums);
                    }
                }
                let mut shares = [0.0; ROWS];
                for (row, share) in scores.chunks_exact_mut(room).zip(&mut shares) {
                    *share = softmax::<FUSED>(&mut row[..tokens]);
                }
                let weights = group(0, ROWS, |row| &scores[row * room..][..tokens]);
                self.mix::<S, ROWS, WIDE>(simd, (start, first), (weights, &values, shares));
            }
        }
    }

    #[inline(always)]
    fn tokens(&self) -> usize {
        self.joint.len() / (3 * self.heads * self.size)
    }

    /// The query (0), key (1) or values (2) of a token.
    #[inline(always)]
    fn part(&self, part: usize, first: usize, token: usize) -> &'a [f32] {
        let width = self.heads * self.size;
        &self.joint[(3 * token + part) * width + first..][..self.size]
    }

    /// The keys as the columns of tiles, panel by panel the tokens' values of each step.
    #[inline(always)]
    fn keys(&self, first: usize, room: usize) -> Vec<f32> {
        let mut keys = vec![0.0; room * self.size];
        for token in 0..self.tokens() {
            let key = self.part(1, first, token);
            let panel = &mut keys[token / self.columns * self.columns * self.size..];
            let steps = panel.chunks_exact_mut(self.columns);
            for (step, value) in steps.zip(key) {
                step[token % self.columns] = *value;
            }
        }
        keys
    }

    /// The values as the columns of tiles, panel by panel those of each token.
    #[inline(always)]
    fn values(&self, first: usize, tokens: usize) -> Vec<f32> {
        let panels = self.size.div_ceil(self.columns);
        let mut values = vec![0.0; panels * tokens * self.columns];
        for token in 0..tokens {
            let row = self.part(2, first, token);
            for (panel, part) in row.chunks(self.columns).enumerate() {
                let start = (panel * tokens + token) * self.columns;
                values[start..start + part.len()].copy_from_slice(part);
            }
        }
        values
    }

    /// Writes the means of the values for a group of queries.
    #[inline(always)]
    fn mix<S: Simd, const ROWS: usize, const WIDE: usize>(
        &mut self,
        simd: S,
        (row, first): (usize, usize),
        (weights, values, shares): ([&[f32]; ROWS], &[f32], [f32; ROWS]),
    ) {
        let width = self.heads * self.size;
        let panels = values.chunks_exact(weights[0].len() * self.columns);
        for (panel, start) in panels.zip((0..).step_by(self.columns)) {
            let (panel, _) = S::as_simd_f32s(panel);
            let mut sums = tile::<S, ROWS, WIDE>(simd, weights, panel);
            let rows = self.output[row * width..].chunks_exact_mut(width);
            for ((row, sums), share) in rows.zip(&mut sums).zip(shares) {
                let sums: &mut [f32] = pulp::bytemuck::cast_slice_mut(sums);
                for sum in sums.iter_mut() {
                    *sum *= share;
                }
                write(&mut row[first + start..first + self.size], sums);
            }
        }
    }
}

/// e to the power of each, less the largest, in its place; one over their sum.
#[inline(always)]
fn softmax<const FUSED: bool>(scores: &mut [f32]) -> f32 {
    let most = most(scores);
    for score in &mut *scores {
        *score = exp::<FUSED>(*score - most);
    }
    1.0 / sum(scores, |score| score)
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
        let lengths = [5, 1, 17, 64];
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
