//! Attention: every token takes a mean of all tokens' values, weighted by the
//! softmax of its query with their keys, in each head apart.

use super::lanes::Lanes;
use super::matrix::{COLUMNS, Columns, ROWS, in_fours, tile};

/// Takes queries, keys and values side by side in a row for each token, the
/// queries scaled already, and gives to the output the mixed values of all heads side by side.
/// The tokens are those of texts one after the other, each of so many of `lengths`.
/// A head has `size` values of each, a multiple of [`COLUMNS`].
pub fn attend(joint: &[f32], lengths: &[usize], heads: usize, size: usize, output: &mut [f32]) {
    let width = heads * size;
    let (mut joint, mut rest) = (joint, output);
    for length in lengths {
        let (text, further) = joint.split_at(length * 3 * width);
        let (mixed, others) = std::mem::take(&mut rest).split_at_mut(length * width);
        (joint, rest) = (further, others);
        for first in (0..width).step_by(size) {
            let head = Head {
                joint: text,
                width,
                first,
                size,
            };
            head.attend(mixed);
        }
    }
}

/// One head: its place in the rows.
struct Head<'a> {
    joint: &'a [f32],
    width: usize,
    first: usize,
    size: usize,
}

impl Head<'_> {
    /// The queries (0), keys (1) or values (2) of the tokens.
    fn part(&self, part: usize) -> impl ExactSizeIterator<Item = &[f32]> {
        let start = part * self.width + self.first;
        self.joint
            .chunks_exact(3 * self.width)
            .map(move |row| &row[start..start + self.size])
    }

    fn attend(&self, output: &mut [f32]) {
        let queries: Vec<&[f32]> = self.part(0).collect();
        let keys = in_fours(self.part(1), self.size);
        let values: Vec<Vec<Columns>> = (0..self.size)
            .step_by(COLUMNS)
            .map(|first| {
                self.part(2)
                    .map(|row| [Lanes::read(&row[first..]), Lanes::read(&row[first + 4..])])
                    .collect()
            })
            .collect();
        let mut scores = Vec::with_capacity(queries.len() + ROWS);
        let blocks = queries.chunks(COLUMNS);
        for (queries, output) in blocks.zip(output.chunks_mut(COLUMNS * self.width)) {
            let columns = self.in_columns(queries);
            scores.clear();
            for keys in keys.chunks_exact(self.size) {
                scores.extend(tile(keys, &columns));
            }
            scores.truncate(self.joint.len() / (3 * self.width));
            let (weights, shares) = softmax(&scores);
            let halves = output.chunks_mut(ROWS * self.width);
            for ((output, weights), shares) in halves.zip(&weights).zip(shares) {
                self.mix(weights, &values, shares, output);
            }
        }
    }

    /// Up to eight queries as the columns of a tile; missing ones are zero.
    fn in_columns(&self, queries: &[&[f32]]) -> Vec<Columns> {
        let at = |query: usize, index: usize| queries.get(query).map_or(0.0, |query| query[index]);
        let lanes =
            |first: usize, index: usize| Lanes::new([0, 1, 2, 3].map(|i| at(first + i, index)));
        (0..self.size)
            .map(|index| [lanes(0, index), lanes(4, index)])
            .collect()
    }

    /// Writes the means of the values for up to four queries.
    fn mix(
        &self,
        weights: &[[f32; 4]],
        values: &[Vec<Columns>],
        shares: Lanes,
        output: &mut [f32],
    ) {
        for (values, first) in values.iter().zip((self.first..).step_by(COLUMNS)) {
            let rows = output.chunks_exact_mut(self.width);
            let tile = tile(weights, values).into_iter().zip(shares.array());
            for (row, ([low, high], share)) in rows.zip(tile) {
                let share = Lanes::splat(share);
                let places = &mut row[first..first + COLUMNS];
                (low * share).write(places);
                (high * share).write(&mut places[4..]);
            }
        }
    }
}

/// The softmax of eight columns of scores: e to the power of each, as the rows
/// of two tiles, and one over the sums.
fn softmax(scores: &[Columns]) -> ([Vec<[f32; 4]>; 2], [Lanes; 2]) {
    let most = scores
        .iter()
        .fold([Lanes::splat(f32::MIN); 2], |most, score| {
            [most[0].max(score[0]), most[1].max(score[1])]
        });
    let mut sums = [Lanes::zero(); 2];
    let mut weights = [0, 1].map(|_| Vec::with_capacity(scores.len()));
    for score in scores {
        for half in 0..2 {
            let weight = (score[half] - most[half]).exp();
            sums[half] = sums[half] + weight;
            weights[half].push(weight.array());
        }
    }
    (weights, sums.map(|sum| Lanes::splat(1.0) / sum))
}

#[cfg(test)]
mod tests {
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
            let mixed: f64 = weights
                .iter()
                .enumerate()
                .map(|(t, w)| w * at(t, 2, index))
                .sum();
            output[query * width + index] = mixed / weights.iter().sum::<f64>();
        }
        output
    }

    #[test]
    fn attention_is_that_of_the_definition() {
        for tokens in [1, 2, 4, 7, 8, 9, 21] {
            let joint: Vec<f32> = (0..tokens * 3 * 48)
                .map(|i| ((i * 7919 % 1009) as f32 - 504.0) / 400.0)
                .collect();
            let expected = defined(&joint, 3, 16);
            let mut found = vec![0.0; tokens * 48];
            attend(&joint, &[tokens], 3, 16, &mut found);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (f64::from(*found) - expected).abs() < 2e-6,
                    "{tokens}: {found} {expected}"
                );
            }
        }
    }
}
