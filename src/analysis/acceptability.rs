//! In which share of the weight space a row of a weighted score is ranked
//! first, second, ... (stochastic multicriteria acceptability analysis), by
//! seeded sampling. Only additions, multiplications and comparisons are used, so
//! the same seed gives the same shares in the browser and natively.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Draws unless the caller says otherwise: a share is then within 0.01 of the
/// exact one in 95 of 100 cases.
pub const DEFAULT_DRAWS: usize = 10_000;

/// How weights are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Space {
    /// Uniform over all free weights >= 0 with the same sum as now.
    Simplex,
    /// Each free weight uniform within this share of its value, in [0, 1].
    Within(f64),
}

/// Rows of a weighted score and the weights to be varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling<'a> {
    /// Row after row, each as long as `weights`. A row that comes earlier is
    /// ranked before a later one of the same total.
    pub values: &'a [f64],
    /// The current weights, finite and >= 0.
    pub weights: &'a [f64],
    /// Which of them vary; the others keep their value.
    pub free: &'a [bool],
    /// How they vary.
    pub space: Space,
    /// How many times, at least 1.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
}

/// What sampling found.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceptability {
    /// Per row, the share of draws in which it has each rank, in [0, 1]. Every
    /// row and every rank sums to 1.
    pub ranks: Vec<Vec<f64>>,
    /// Per row, the mean of the weights with which it was first; none if it never was.
    pub central: Vec<Option<Vec<f64>>>,
}

/// Samples. A total is the sum of weight x value in the order of the weights,
/// put through `shown` (rounding). `observe` is given, for every draw, the
/// totals of all rows and the rows by rank.
pub fn sample(
    sampling: &Sampling,
    shown: impl Fn(f64) -> f64,
    observe: impl FnMut(&[f64], &[usize]),
) -> Acceptability {
    let mut sampler = Sampler::new(sampling);
    sampler.advance(sampling.draws, shown, observe);
    sampler.found()
}

/// A sampling that can be done in pieces: however it is cut, the result is the same.
pub struct Sampler {
    values: Vec<f64>,
    columns: usize,
    rows: usize,
    draws: usize,
    drawn: usize,
    /// Per row, how often it had each rank.
    counts: Vec<u32>,
    /// Per row, the sums of the weights with which it was first.
    sums: Vec<f64>,
    totals: Vec<f64>,
    order: Vec<usize>,
    weights: Weights,
}

impl Sampler {
    /// Nothing is drawn yet.
    pub fn new(sampling: &Sampling) -> Self {
        let columns = sampling.weights.len().max(1);
        let rows = sampling.values.len() / columns;
        Self {
            values: sampling.values.to_vec(),
            columns,
            rows,
            draws: sampling.draws.max(1),
            drawn: 0,
            counts: vec![0; rows * rows],
            sums: vec![0.0; rows * columns],
            totals: vec![0.0; rows],
            order: (0..rows).collect(),
            weights: Weights::new(sampling),
        }
    }

    /// How many draws are still to be made.
    pub fn left(&self) -> usize {
        self.draws - self.drawn
    }

    /// Makes up to `most` draws more; see [`sample`].
    pub fn advance(
        &mut self,
        most: usize,
        shown: impl Fn(f64) -> f64,
        mut observe: impl FnMut(&[f64], &[usize]),
    ) {
        let (rows, columns) = (self.rows, self.columns);
        let draws = most.min(self.left());
        for _ in 0..draws {
            let at = self.weights.draw();
            let values = self.values.chunks_exact(columns);
            for (total, values) in self.totals.iter_mut().zip(values) {
                *total = shown(weighted(values, at));
            }
            // the order of the last draw is nearly right
            insertion_sort(&mut self.order, &self.totals);
            for (rank, row) in self.order.iter().enumerate() {
                self.counts[row * rows + rank] += 1;
            }
            if let Some(first) = self.order.first() {
                let sum = &mut self.sums[first * columns..][..columns];
                for (sum, weight) in sum.iter_mut().zip(at) {
                    *sum += weight;
                }
            }
            observe(&self.totals, &self.order);
        }
        self.drawn += draws;
    }

    /// What the draws made so far say.
    pub fn found(&self) -> Acceptability {
        let (rows, columns) = (self.rows, self.columns);
        let drawn = self.drawn.max(1) as f64;
        Acceptability {
            ranks: (0..rows)
                .map(|row| {
                    let counts = self.counts[row * rows..][..rows].iter();
                    counts.map(|count| f64::from(*count) / drawn).collect()
                })
                .collect(),
            central: (0..rows)
                .map(|row| {
                    let first = f64::from(self.counts[row * rows]);
                    let sums = &self.sums[row * columns..][..columns];
                    (first > 0.0).then(|| self.weights.means(sums, first))
                })
                .collect(),
        }
    }
}

fn weighted(values: &[f64], weights: &[f64]) -> f64 {
    let mut terms = values
        .iter()
        .zip(weights)
        .map(|(value, weight)| weight * value);
    let first = terms.next().unwrap_or(0.0);
    terms.fold(first, |total, term| total + term)
}

/// Highest total first, earlier row first on equal totals.
fn insertion_sort(order: &mut [usize], totals: &[f64]) {
    for end in 1..order.len() {
        let row = order[end];
        let mut place = end;
        while place > 0 {
            let other = order[place - 1];
            let before =
                totals[row] > totals[other] || (totals[row] == totals[other] && row < other);
            if !before {
                break;
            }
            order[place] = other;
            place -= 1;
        }
        order[place] = row;
    }
}

/// Draws weights into one array.
struct Weights {
    generator: ChaCha8Rng,
    space: Space,
    /// Position and current value of each free weight.
    free: Vec<(usize, f64)>,
    sum: f64,
    cuts: Vec<f64>,
    drawn: Vec<f64>,
}

impl Weights {
    fn new(sampling: &Sampling) -> Self {
        let weights = sampling.weights.iter().copied().enumerate();
        let free: Vec<_> = weights
            .zip(sampling.free)
            .filter_map(|(weight, free)| free.then_some(weight))
            .collect();
        Self {
            generator: ChaCha8Rng::seed_from_u64(sampling.seed),
            space: sampling.space,
            sum: free.iter().map(|(_, weight)| weight).sum(),
            cuts: vec![0.0; free.len().saturating_sub(1)],
            free,
            drawn: sampling.weights.to_vec(),
        }
    }

    fn draw(&mut self) -> &[f64] {
        match self.space {
            Space::Simplex => self.draw_from_simplex(),
            Space::Within(share) => {
                for (index, weight) in &self.free {
                    let offset = 2.0 * uniform(&mut self.generator) - 1.0;
                    self.drawn[*index] = weight * (1.0 + share * offset);
                }
            }
        }
        &self.drawn
    }

    /// The means of drawn weights; one that is not free is its own mean, without dust.
    fn means(&self, sums: &[f64], count: f64) -> Vec<f64> {
        let mut means = self.drawn.clone();
        for (index, _) in &self.free {
            means[*index] = sums[*index] / count;
        }
        means
    }

    /// The gaps between sorted uniform cuts are uniform on the simplex; unlike
    /// logarithms of uniforms they are the same on every platform.
    fn draw_from_simplex(&mut self) {
        for end in 0..self.cuts.len() {
            let cut = uniform(&mut self.generator);
            let mut place = end;
            while place > 0 && self.cuts[place - 1] > cut {
                self.cuts[place] = self.cuts[place - 1];
                place -= 1;
            }
            self.cuts[place] = cut;
        }
        let mut below = 0.0;
        for (position, (index, _)) in self.free.iter().enumerate() {
            let above = self.cuts.get(position).copied().unwrap_or(1.0);
            self.drawn[*index] = (above - below) * self.sum;
            below = above;
        }
    }
}

/// Uniform in [0, 1), with 53 bits.
fn uniform(generator: &mut ChaCha8Rng) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(values: &[f64], weights: &[f64], space: Space) -> Acceptability {
        let sampling = Sampling {
            values,
            weights,
            free: &vec![true; weights.len()],
            space,
            draws: DEFAULT_DRAWS,
            seed: 42,
        };
        sample(&sampling, |total| total, |_, _| {})
    }

    fn close(found: f64, exact: f64) {
        assert!((found - exact).abs() < 0.015, "{found} for {exact}");
    }

    #[test]
    fn two_rows_and_two_weights_have_the_exact_share() {
        // 4 a > b with a + b = s: a > s / 5
        let found = shares(&[4.0, 0.0, 0.0, 1.0], &[0.5, 2.0], Space::Simplex);
        close(found.ranks[0][0], 0.8);
        // then a is uniform on [s / 5, s]: its mean is 0.6 s
        close(found.central[0].as_ref().expect("first")[0] / 2.5, 0.6);
        close(found.central[1].as_ref().expect("first")[0] / 2.5, 0.1);
    }

    #[test]
    fn three_weights_have_the_exact_share() {
        // a > b + c: the corner a > 1/2 of the triangle, a quarter of its area
        let found = shares(&[1.0, 0.0, 0.0, 0.0, 1.0, 1.0], &[1.0; 3], Space::Simplex);
        close(found.ranks[0][0], 0.25);
        // the centroid of that corner
        close(found.central[0].as_ref().expect("first")[0], 2.0);
    }

    #[test]
    fn a_box_has_the_exact_share() {
        // a in [0.5, 1.5] beats b in [1, 3] x 0.5 = [0.5, 1.5] in half the cases
        close(
            shares(&[1.0, 0.0, 0.0, 0.5], &[1.0, 2.0], Space::Within(0.5)).ranks[0][0],
            0.5,
        );
        // a in [0.9, 1.1] > 1.05 in a quarter
        let found = shares(&[1.0, 0.0, 0.0, 1.05], &[1.0, 1.0], Space::Within(0.0));
        assert_eq!(found.ranks[0], [0.0, 1.0]);
        assert_eq!(found.central[0], None);
    }

    #[test]
    fn in_pieces_it_is_the_same() {
        let sampling = Sampling {
            values: &[2.0, 0.5, 1.0, 1.5, 0.0, 2.5],
            weights: &[1.0, 1.0],
            free: &[true, true],
            space: Space::Simplex,
            draws: 1000,
            seed: 7,
        };
        let mut whole = 0.0;
        let at_once = sample(&sampling, |total| total, |totals, _| whole += totals[0]);
        let mut pieces = 0.0;
        let mut sampler = Sampler::new(&sampling);
        while sampler.left() > 0 {
            sampler.advance(37, |total| total, |totals, _| pieces += totals[0]);
        }
        assert_eq!(sampler.found(), at_once);
        assert_eq!(f64::to_bits(pieces), f64::to_bits(whole));
    }

    #[test]
    fn every_row_and_every_rank_sums_to_one() {
        let values: Vec<f64> = (0..35).map(|i| f64::from(i * 7 % 11)).collect();
        let found = shares(&values, &[1.0, 2.0, 0.5, 0.1, 3.0], Space::Simplex);
        for rank in 0..7 {
            let row: f64 = found.ranks[rank].iter().sum();
            let column: f64 = found.ranks.iter().map(|row| row[rank]).sum();
            assert!((row - 1.0).abs() < 1e-12 && (column - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_not_free_stays_and_no_rows_have_no_shares() {
        let sampling = Sampling {
            values: &[1.0, 1.0],
            weights: &[2.0, 3.0],
            free: &[false, true],
            space: Space::Simplex,
            draws: 10,
            seed: 1,
        };
        let found = sample(
            &sampling,
            |total| total,
            |totals, _| assert_eq!(totals, [5.0]),
        );
        assert_eq!(found.central, [Some(vec![2.0, 3.0])]);
        assert_eq!(shares(&[], &[], Space::Simplex).ranks.len(), 0);
    }
}
