//! Rounding to the 4 decimals that results show and decisions are taken on.

/// Ten-thousandths in one.
const PER_ONE: f64 = 1e4;
/// From here on a count of ten-thousandths may have no exact half beside it.
const COUNTABLE: f64 = (1_u64 << 51) as f64;

/// Rounds to 4 decimals: the nearest decimal of the exact binary value, halves
/// to even, as Python's `round(x, 4)`. Never gives a negative zero.
pub fn round4(value: f64) -> f64 {
    let scaled = value * PER_ONE;
    // The product is off by at most half an ulp. Where that cannot carry it over
    // a half, the nearest integer is right, and an integer over 10000 is the same
    // float as its decimal. Near a half only printing is exact.
    let to_half = (scaled - scaled.floor() - 0.5).abs();
    if scaled.abs() < COUNTABLE && to_half > scaled.abs() * f64::EPSILON {
        return scaled.round_ties_even() / PER_ONE + 0.0;
    }
    printed(value)
}

fn printed(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    #[test]
    fn rounds_the_exact_binary_value_and_halves_to_even() {
        for (value, rounded) in [
            (0.00005, 0.0001), // just above the half in binary
            (0.00015, 0.0001), // just below
            (0.03125, 0.0312), // an exact half, to even
            (0.09375, 0.0938), // an exact half, to even
            (-0.03125, -0.0312),
            (2.0 / 3.0, 0.6667),
            (1e300, 1e300),
        ] {
            assert_eq!(round4(value), rounded, "{value}");
        }
    }

    #[test]
    fn zero_has_no_sign() {
        assert!(round4(-0.0).is_sign_positive());
        assert!(round4(-0.000_01).is_sign_positive());
    }

    #[test]
    fn the_quick_way_is_the_exact_way() {
        let mut generator = ChaCha8Rng::seed_from_u64(4);
        for index in 0..20_000_u32 {
            let ten_thousandths = i64::from(generator.next_u32()) >> (index % 32);
            let half = (ten_thousandths as f64 + 0.5) / 1e4;
            let magnitude = 10_f64.powi(index.cast_signed() % 40 - 10);
            let any = (f64::from(generator.next_u32()) - 2e9) / 1e9 * magnitude;
            for value in [half, half.next_up(), half.next_down(), -half, any] {
                let (quick, exact) = (round4(value), printed(value));
                assert_eq!(quick.to_bits(), exact.to_bits(), "{value:e}");
            }
        }
    }
}
