//! Rounding to the 4 decimals that results show and decisions are taken on.

/// Rounds to 4 decimals: the nearest decimal of the exact binary value, halves
/// to even, as Python's `round(x, 4)`. Never gives a negative zero.
pub fn round4(value: f64) -> f64 {
    // Multiplying by 10000 would round the binary value once more; printing is exact.
    format!("{value:.4}").parse().unwrap_or(value) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
