//! A difference between two states, split among the parts that changed (SCORING.md section 0,
//! "Comparing two runs").

/// The share of each part in `worths[all] - worths[none]`: what its change from before to after
/// adds, averaged over every order in which the parts can change (Shapley). `worths` has a value
/// for each set of parts that are as after, bit `i` for part `i`: 2 to the power of `N`. The
/// shares add up to the difference but for the last bits of a float. None where a value is
/// missing or not finite.
///
/// ```
/// use assay::analysis::shapley::shares;
///
/// // together they add 1 more than each alone: the two halve it
/// assert_eq!(shares::<2>(&[0.0, 2.0, 3.0, 6.0]), Some([2.5, 3.5]));
/// ```
pub fn shares<const N: usize>(worths: &[f64]) -> Option<[f64; N]> {
    if worths.len() != 1 << N || worths.iter().any(|worth| !worth.is_finite()) {
        return None;
    }
    let factorial = |number: usize| (1..=number).product::<usize>() as f64;
    let orders = factorial(N);
    let mut shares = [0.0; N];
    for (part, share) in shares.iter_mut().enumerate() {
        let bit = 1 << part;
        for set in (0..worths.len()).filter(|set| set & bit == 0) {
            let before = set.count_ones() as usize;
            // in so many orders these parts come first and then this one
            let times = factorial(before) * factorial(N - before - 1);
            *share += times / orders * (worths[set | bit] - worths[set]);
        }
    }
    Some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_changes_nothing_has_no_share_and_equal_parts_equal_ones() {
        // the third of three changes nothing, the first two are worth 4 only together
        let worth = |set: usize| if set & 0b11 == 0b11 { 4.0 } else { 0.0 };
        let worths: Vec<f64> = (0..8).map(worth).collect();
        assert_eq!(shares::<3>(&worths), Some([2.0, 2.0, 0.0]));
    }

    #[test]
    fn every_order_of_three_by_hand() {
        // bits: a = 1, b = 2, c = 4
        let worths = [0.0, 1.0, 2.0, 6.0, 3.0, 5.0, 4.0, 12.0];
        let orders = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        let mut expected = [0.0; 3];
        for order in orders {
            let mut set = 0;
            for part in order {
                let next = set | 1 << part;
                expected[part] += (worths[next] - worths[set]) / 6.0;
                set = next;
            }
        }
        let found = shares::<3>(&worths).expect("shares");
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn without_a_value_there_are_no_shares() {
        assert_eq!(shares::<2>(&[0.0, 1.0, 2.0]), None);
        assert_eq!(shares::<1>(&[0.0, f64::NAN]), None);
    }
}
