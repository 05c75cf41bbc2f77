//! Ridge-regularised logistic regression on sparse rows: convex, so it has one best fit, and without
//! chance, so it comes to the same digits wherever it is made (SCORING.md section 3, "Voice").
//!
//! What is made least is the sum of weight times log loss over the rows, and strength / 2 times the
//! squared length of the coefficients; the intercept costs nothing. Newton's method, each of its
//! steps solved by conjugate gradients, so that no matrix is ever written out.

use crate::steps::{Pause, Progress, step};

/// The most steps of Newton; a dozen is what most fits take.
const MOST_STEPS: usize = 60;
/// The most rounds of conjugate gradients within a step.
const MOST_ROUNDS: usize = 200;

/// Rows of numbers most of which are zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Where each row begins in the two lists below, and where the last ends.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// How many columns there are.
    width: usize,
}

impl Rows {
    /// No rows of so many columns.
    pub fn new(width: usize) -> Self {
        Self {
            starts: vec![0],
            width,
            ..Self::default()
        }
    }

    /// Adds a row of columns and values; columns beyond the width are left out.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f64)>) {
        for (column, value) in row {
            if (column as usize) < self.width && value != 0.0 {
                self.columns.push(column);
                self.values.push(value);
            }
        }
        self.starts.push(self.columns.len());
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns and values of a row.
    pub fn row(&self, number: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[number]..self.starts[number + 1];
        let values = self.values[range.clone()].iter().copied();
        self.columns[range].iter().copied().zip(values)
    }

    /// A row times a vector of the width.
    fn dot(&self, number: usize, vector: &[f64]) -> f64 {
        self.row(number)
            .map(|(column, value)| value * vector[column as usize])
            .sum()
    }
}

/// A fitted model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Logistic {
    /// One for each column.
    pub coefficients: Vec<f64>,
    /// The log-odds of a row of zeros.
    pub intercept: f64,
}

impl Logistic {
    /// The log-odds of a row.
    pub fn log_odds(&self, row: impl IntoIterator<Item = (u32, f64)>) -> f64 {
        let shares = row.into_iter().map(|(column, value)| {
            let coefficient = self.coefficients.get(column as usize);
            coefficient.map_or(0.0, |coefficient| coefficient * value)
        });
        self.intercept + shares.sum::<f64>()
    }
}

/// What a fit is made from: a target in [0, 1] and a weight of at least 0 for each row, and the
/// strength of the ridge, above 0.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The rows.
    pub rows: &'a Rows,
    /// What each row should come to.
    pub targets: &'a [f64],
    /// What each row counts for; 0 leaves it out.
    pub weights: &'a [f64],
    /// What a coefficient costs.
    pub strength: f64,
    /// The length of the gradient, over its length where all is nought, at which the fit ends.
    pub enough: f64,
}

/// 1 / (1 + e^-x).
pub fn sigmoid(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

/// Fits, beginning at an earlier fit where there is one. A round of conjugate gradients is a step.
pub async fn fit(task: Task<'_>, start: Option<&Logistic>, pause: Pause<'_>) -> Logistic {
    let width = task.rows.width;
    // the intercept is the last coefficient
    let mut at = match start {
        Some(start) if start.coefficients.len() == width => {
            let mut at = start.coefficients.clone();
            at.push(start.intercept);
            at
        }
        _ => vec![0.0; width + 1],
    };
    let nought = gradient(&task, &vec![0.0; width + 1]).0;
    let enough = task.enough * length(&nought).max(f64::MIN_POSITIVE);
    for _ in 0..MOST_STEPS {
        let (gradient, curvatures) = gradient(&task, &at);
        let steep = length(&gradient);
        if steep <= enough {
            break;
        }
        let direction = newton(&task, &gradient, &curvatures, pause).await;
        if !descend(&task, &mut at, &gradient, &direction) {
            break;
        }
    }
    let intercept = at.pop().unwrap_or_default();
    Logistic {
        coefficients: at,
        intercept,
    }
}

/// The log-odds of each row at some coefficients, the intercept the last of them.
fn all_log_odds<'a>(task: &'a Task, at: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    let intercept = at[at.len() - 1];
    (0..task.rows.len()).map(move |number| task.rows.dot(number, at) + intercept)
}

/// The slope at some coefficients, and how fast each row's changes.
fn gradient(task: &Task, at: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let width = task.rows.width;
    let mut gradient: Vec<f64> = at.iter().map(|one| one * task.strength).collect();
    gradient[width] = 0.0;
    let mut curvatures = Vec::with_capacity(task.rows.len());
    for (number, log_odds) in all_log_odds(task, at).enumerate() {
        let chance = sigmoid(log_odds);
        let weight = task.weights[number];
        curvatures.push(weight * chance * (1.0 - chance));
        add_row(
            &mut gradient,
            task.rows,
            number,
            weight * (chance - task.targets[number]),
        );
    }
    (gradient, curvatures)
}

/// Adds a row, with 1 for the intercept, so many times.
fn add_row(sum: &mut [f64], rows: &Rows, number: usize, times: f64) {
    for (column, value) in rows.row(number) {
        sum[column as usize] += times * value;
    }
    let last = sum.len() - 1;
    sum[last] += times;
}

/// Solves the step of Newton by conjugate gradients, as exactly as the place is near.
async fn newton(
    task: &Task<'_>,
    gradient: &[f64],
    curvatures: &[f64],
    pause: Pause<'_>,
) -> Vec<f64> {
    let mut solution = vec![0.0; gradient.len()];
    let mut rest: Vec<f64> = gradient.iter().map(|one| -one).collect();
    let mut direction = rest.clone();
    let mut squared = dot(&rest, &rest);
    let enough = squared * 1e-6;
    for round in 0..MOST_ROUNDS {
        let curved = curve(task, curvatures, &direction);
        let bend = dot(&direction, &curved);
        if bend <= 0.0 || squared <= enough {
            break;
        }
        let stride = squared / bend;
        for (place, along) in direction.iter().enumerate() {
            solution[place] += stride * along;
            rest[place] -= stride * curved[place];
        }
        let before = std::mem::replace(&mut squared, dot(&rest, &rest));
        for (place, along) in direction.iter_mut().enumerate() {
            *along = rest[place] + squared / before * *along;
        }
        step(
            pause,
            Progress::new(round, MOST_ROUNDS, "rounds of the fit"),
        )
        .await;
    }
    solution
}

/// The curvature times a direction.
fn curve(task: &Task, curvatures: &[f64], direction: &[f64]) -> Vec<f64> {
    let mut curved: Vec<f64> = direction.iter().map(|one| one * task.strength).collect();
    let last = curved.len() - 1;
    // a trace of cost, so that rows that are all certain bend it too
    curved[last] = direction[last] * f64::EPSILON;
    for (number, along) in all_log_odds(task, direction).enumerate() {
        if curvatures[number] > 0.0 {
            add_row(&mut curved, task.rows, number, curvatures[number] * along);
        }
    }
    curved
}

/// Goes along the direction as far as the cost falls; false where it does not.
fn descend(task: &Task, at: &mut Vec<f64>, gradient: &[f64], direction: &[f64]) -> bool {
    const HALVINGS: i32 = 40;
    let slope = dot(gradient, direction);
    let before = cost(task, at);
    for halving in 0..HALVINGS {
        let stride = 0.5_f64.powi(halving);
        let moved: Vec<f64> = at
            .iter()
            .zip(direction)
            .map(|(one, along)| one + stride * along)
            .collect();
        if cost(task, &moved) <= before + 1e-4 * stride * slope {
            *at = moved;
            return true;
        }
    }
    false
}

/// What is made least.
fn cost(task: &Task, at: &[f64]) -> f64 {
    let coefficients = &at[..at.len() - 1];
    let ridge = 0.5 * task.strength * dot(coefficients, coefficients);
    let losses = all_log_odds(task, at)
        .enumerate()
        .map(|(number, log_odds)| {
            // log(1 + e^x) - target x, without overflow
            let log_loss = log_odds.max(0.0) + libm::log1p(libm::exp(-log_odds.abs()))
                - task.targets[number] * log_odds;
            task.weights[number] * log_loss
        });
    ridge + losses.sum::<f64>()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn length(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{THROUGH, at_once};

    fn fitted(rows: &[&[f64]], targets: &[f64], weights: &[f64], strength: f64) -> Logistic {
        let mut all = Rows::new(rows[0].len());
        for row in rows {
            all.push((0..).zip(row.iter().copied()));
        }
        let task = Task {
            rows: &all,
            targets,
            weights,
            strength,
            enough: 1e-8,
        };
        at_once(fit(task, None, THROUGH))
    }

    /// Without a column the intercept alone is fitted: the log-odds of the weighted mean.
    #[test]
    fn the_intercept_costs_nothing() {
        let model = fitted(
            &[&[0.0], &[0.0], &[0.0]],
            &[1.0, 1.0, 0.0],
            &[1.0, 1.0, 6.0],
            1.0,
        );
        assert!(
            (model.intercept - (2.0_f64 / 6.0).ln()).abs() < 1e-9,
            "{model:?}"
        );
        assert_eq!(model.coefficients, [0.0]);
    }

    /// Two rows at +1 and -1: the coefficient solves strength w = 2 (1 - sigmoid(w)), the intercept is 0.
    #[test]
    fn the_slope_is_nought_at_the_fit() {
        for strength in [1e-4, 0.1, 1.0, 50.0] {
            let model = fitted(&[&[1.0], &[-1.0]], &[1.0, 0.0], &[1.0, 1.0], strength);
            let w = model.coefficients[0];
            assert!(
                (strength * w - 2.0 * (1.0 - sigmoid(w))).abs() < 1e-7,
                "{strength}: {w}"
            );
            assert!(model.intercept.abs() < 1e-9);
        }
    }

    /// A row of weight two is two rows, one of weight nought is none.
    #[test]
    fn weights_count_rows() {
        let (a, b, c): (&[f64], &[f64], &[f64]) = (&[1.0, 0.5], &[0.2, -1.0], &[-0.4, 0.3]);
        let one = fitted(
            &[a, b, c, c],
            &[1.0, 0.0, 1.0, 0.0],
            &[2.0, 1.0, 1.0, 0.0],
            0.3,
        );
        let other = fitted(&[a, a, b, c], &[1.0, 1.0, 0.0, 1.0], &[1.0; 4], 0.3);
        for (x, y) in one.coefficients.iter().zip(&other.coefficients) {
            assert!((x - y).abs() < 1e-7, "{one:?} {other:?}");
        }
    }

    #[test]
    fn an_earlier_fit_is_as_good_a_start_as_none() {
        let mut rows = Rows::new(2);
        for row in [[1.0, 2.0], [-0.5, 0.3], [0.1, -2.0], [0.7, 0.7]] {
            rows.push((0..).zip(row));
        }
        let task = Task {
            rows: &rows,
            targets: &[1.0, 0.0, 0.0, 1.0],
            weights: &[1.0; 4],
            strength: 0.05,
            enough: 1e-8,
        };
        let fresh = at_once(fit(task, None, THROUGH));
        let start = Logistic {
            coefficients: vec![9.0, -9.0],
            intercept: 4.0,
        };
        let again = at_once(fit(task, Some(&start), THROUGH));
        assert!(
            (fresh.intercept - again.intercept).abs() < 1e-6,
            "{fresh:?} {again:?}"
        );
        assert_eq!(task.rows.len(), 4);
    }
}
