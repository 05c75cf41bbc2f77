//! Contributions and their total: summed as the methods do, and shown so that they add up.

use super::round4;
use crate::text::sort_by;

/// The sum of some terms, compensated (Neumaier), so that neither their order
/// nor binary dust shows: 7 + 1.2 x 0.65 + 0.5 is 8.28, not 8.280000000000001.
pub fn sum(terms: &[f64]) -> f64 {
    sum_of(terms.iter().copied())
}

/// The same of terms that are worked out one by one.
pub fn sum_of(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0);
    for term in terms {
        let next = total + term;
        lost += if total.abs() >= term.abs() {
            (total - next) + term
        } else {
            (term - next) + total
        };
        total = next;
    }
    total + lost
}

/// Rounds terms to 4 decimals such that they add up to `total`, which is the
/// rounded sum of the unrounded terms.
///
/// Rounding each term alone would leave the shown terms up to 0.00025 off the
/// shown total. The difference is given, one ten-thousandth at a time, to the
/// terms whose own rounding went furthest the other way (largest remainder), so
/// a term is never more than 0.0001 from its exact value and a term with no more
/// than 4 decimals is kept as it is.
pub fn apportion<const N: usize>(terms: [f64; N], total: f64) -> [f64; N] {
    const UNIT: f64 = 0.0001;
    let mut rounded = terms.map(round4);
    let units = ((total - sum(&rounded)) / UNIT).round();
    // Terms beyond 2^53 ten-thousandths have no such grid; they stay as they are.
    if !units.is_finite() || units.abs() > N as f64 {
        return rounded;
    }
    let sign = units.signum();
    let mut order: Vec<usize> = (0..N).collect();
    sort_by(&mut order, |&a, &b| {
        let remainder = |i: usize| (terms[i] - rounded[i]) * sign;
        remainder(b).total_cmp(&remainder(a))
    });
    for &index in order.iter().take(units.abs() as usize) {
        rounded[index] = round4(rounded[index] + sign * UNIT);
    }
    rounded
}

/// The same for any number of terms, and for a total that rounding put further from
/// their sum: each gets its share of what is left.
pub fn apportion_all(terms: &[f64], total: f64) -> Vec<f64> {
    const UNIT: f64 = 0.0001;
    let mut rounded: Vec<f64> = terms.iter().copied().map(round4).collect();
    let units = ((total - sum(&rounded)) / UNIT).round();
    let most = terms.len() as f64 + 4.0;
    if terms.is_empty() || !units.is_finite() || units.abs() > most {
        return rounded;
    }
    let sign = units.signum();
    let mut order: Vec<usize> = (0..terms.len()).collect();
    sort_by(&mut order, |&a, &b| {
        let remainder = |i: usize| (terms[i] - rounded[i]) * sign;
        remainder(b).total_cmp(&remainder(a))
    });
    for &index in order.iter().cycle().take(units.abs() as usize) {
        rounded[index] = round4(rounded[index] + sign * UNIT);
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_dust_do_not_show() {
        let terms = [1.0, 1.0, 2.0, 1.2 * 0.65, 1.5, 1.0, 1.0];
        let mut reversed = terms;
        reversed.reverse();
        assert_eq!(sum(&terms), 8.28);
        assert_eq!(sum(&reversed), 8.28);
        assert_eq!(sum(&[]), 0.0);
    }

    #[test]
    fn shown_terms_add_up_to_the_shown_total() {
        let terms = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0];
        assert_eq!(apportion(terms, 1.0), [0.3334, 0.3333, 0.3333]);
        let terms = [2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 0.5];
        assert_eq!(apportion(terms, 2.5), [0.6666, 0.6667, 0.6667, 0.5]);
        assert_eq!(apportion([0.25, -0.5], -0.25), [0.25, -0.5]);
    }
}
