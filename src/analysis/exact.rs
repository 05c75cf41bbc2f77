//! Sums that do not depend on the order of their terms: correctly rounded, however many there are.

/// A sum while its terms come, after Shewchuk (1997): it is kept as terms that do not overlap, of which
/// there are few, and rounded once, at the end.
///
/// ```
/// use assay::analysis::ExactSum;
/// let sum = |terms: &[f64]| ExactSum::of(terms.iter().copied()).value();
/// assert_eq!(sum(&[1e16, 1.0, -1e16]), 1.0);
/// assert_eq!(sum(&[0.1; 10]), 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactSum {
    /// In the order of their sizes, the smallest first.
    parts: Vec<f64>,
}

impl ExactSum {
    /// The sum of some terms.
    pub fn of(terms: impl Iterator<Item = f64>) -> Self {
        let mut sum = Self::default();
        terms.for_each(|term| sum.add(term));
        sum
    }

    /// Adds a term, which is finite.
    pub fn add(&mut self, term: f64) {
        let (mut term, mut kept) = (term, 0);
        for at in 0..self.parts.len() {
            let (high, low) = two_sum(term, self.parts[at]);
            if low != 0.0 {
                self.parts[kept] = low;
                kept += 1;
            }
            term = high;
        }
        self.parts.truncate(kept);
        self.parts.push(term);
    }

    /// The sum, rounded to the nearest, halves to even.
    pub fn value(&self) -> f64 {
        let mut parts = self.parts.iter().rev();
        let Some(mut total) = parts.next().copied() else {
            return 0.0;
        };
        for part in parts.by_ref() {
            let (high, low) = two_sum(total, *part);
            total = high;
            if low == 0.0 {
                continue;
            }
            // half a unit is rounded to even, unless what is left says that it is more
            let more = parts
                .next()
                .is_some_and(|next| (*next < 0.0) == (low < 0.0) && *next != 0.0);
            let doubled = 2.0 * low;
            let next = total + doubled;
            if more && next - total == doubled {
                total = next;
            }
            break;
        }
        total
    }

    /// The mean of so many terms; 0 of none.
    pub fn mean(&self, number: usize) -> f64 {
        self.value() / number.max(1) as f64
    }
}

/// The rounded sum of two, and what rounding took.
fn two_sum(one: f64, other: f64) -> (f64, f64) {
    let (large, small) = if one.abs() < other.abs() {
        (other, one)
    } else {
        (one, other)
    };
    let high = large + small;
    (high, small - (high - large))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    fn sum(terms: &[f64]) -> f64 {
        ExactSum::of(terms.iter().copied()).value()
    }

    #[test]
    fn it_is_rounded_once() {
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[1e100, 1.0, -1e100, 1e-30]), 1.0 + 1e-30);
        // half of the last unit of 1 goes to even, with a little more it goes up
        let half = f64::EPSILON / 2.0;
        assert_eq!(sum(&[1.0, half]), 1.0);
        assert_eq!(sum(&[1.0, half, 1e-40]), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[1.0, half, -1e-40]), 1.0);
        assert_eq!(sum(&[-1.0, -half, -1e-40]), -1.0 - f64::EPSILON);
        assert_eq!(sum(&[1.0, 1.5 * f64::EPSILON]), 1.0 + 2.0 * f64::EPSILON);
    }

    /// Whole numbers times a power of two add up without rounding in wider integers.
    #[test]
    fn no_order_makes_a_difference() {
        let mut generator = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..200 {
            let whole: Vec<i64> = (0..40)
                .map(|_| {
                    let bits = 1 + generator.next_u32() % 52;
                    (generator.next_u64() as i64) >> (64 - bits)
                })
                .collect();
            let exact: i128 = whole.iter().map(|one| i128::from(*one)).sum();
            let mut terms: Vec<f64> = whole.iter().map(|one| *one as f64 / 1024.0).collect();
            let expected = exact as f64 / 1024.0;
            assert_eq!(sum(&terms), expected);
            terms.reverse();
            terms.rotate_left((generator.next_u32() % 40) as usize);
            assert_eq!(sum(&terms), expected);
        }
    }
}
