//! e to a power and the gelu, a number at a time: where many
//! stand in a row the compiler takes as many at once as the machine has room for.

/// `a b + c`, in one step where the machine has it: elsewhere that would be a call.
#[inline(always)]
fn add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// e to the power of `x`, which is at most 0, to about 2e-7 of the result; below -87.5 it is 0.
#[inline(always)]
pub fn exp<const FUSED: bool>(x: f32) -> f32 {
    // x = n ln 2 + r with |r| <= ln 2 / 2; ln 2 in two parts, the first exact in n ln 2
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    // added and taken away, it leaves the nearest whole number
    const WHOLE: f32 = 12_582_912.0;
    const LEAST: f32 = -88.0;
    let x = if x > LEAST { x } else { LEAST };
    let shifted = add::<FUSED>(x, std::f32::consts::LOG2_E, WHOLE);
    let n = shifted - WHOLE;
    let r = add::<FUSED>(n, -LN_2[1], add::<FUSED>(n, -LN_2[0], x));
    // e^r: the largest error up to ln 2 / 2 was made least, below 1e-7
    let sum = 8.290_315e-3;
    let sum = add::<FUSED>(sum, r, 4.189_793e-2);
    let sum = add::<FUSED>(sum, r, 0.166_676_36);
    let sum = add::<FUSED>(sum, r, 0.499_991_5);
    let sum = add::<FUSED>(sum, r, 0.999_999_7);
    // the last bits of `shifted` are n: they go where the exponent stands
    let power = shifted.to_bits().wrapping_add(127) << 23;
    add::<FUSED>(sum, r, 1.0) * f32::from_bits(power)
}

/// The exact gelu, x / 2 (1 + erf(x / sqrt 2)), to 3e-7 of max(1, |x|): erf as x times a quotient of polynomials in
/// x^2 whose largest error up to 5.5 was made least.
#[inline(always)]
pub fn gelu<const FUSED: bool>(x: f32) -> f32 {
    // there the quotient makes 1, as float32 has it
    const MOST: f32 = 5.5;
    let near = if x > -MOST { x } else { -MOST };
    let near = if near < MOST { near } else { MOST };
    let u = near * near;
    let above = 4.443_188e-8;
    let above = add::<FUSED>(above, u, 1.306_152_2e-5);
    let above = add::<FUSED>(above, u, 3.657_186_5e-4);
    let above = add::<FUSED>(above, u, 9.523_247e-3);
    let above = add::<FUSED>(above, u, 7.028_485e-2);
    let above = add::<FUSED>(above, u, 0.797_884);
    let below = 1.195_399_8e-6;
    let below = add::<FUSED>(below, u, 7.861_071e-5);
    let below = add::<FUSED>(below, u, 1.962_440_8e-3);
    let below = add::<FUSED>(below, u, 2.939_875_4e-2);
    let below = add::<FUSED>(below, u, 0.254_752_58);
    let below = add::<FUSED>(below, u, 1.0);
    let half = x * 0.5;
    add::<FUSED>(half, near * (above / below), half)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every `step` from -`most` to `most`.
    fn range(most: f64, step: f64) -> impl Iterator<Item = f32> {
        let steps = (most / step) as i32;
        (-steps..=steps).map(move |i| (f64::from(i) * step) as f32)
    }

    #[test]
    fn exp_is_exact_to_float32() {
        for x in range(80.0, 0.013).filter(|x| *x <= 0.0) {
            for found in [exp::<true>(x), exp::<false>(x)].map(f64::from) {
                assert!(
                    (found / f64::from(x).exp() - 1.0).abs() < 4e-7,
                    "{x}: {found}"
                );
            }
        }
        for x in [-88.0, -1000.0, f32::MIN, f32::NEG_INFINITY] {
            assert_eq!([exp::<true>(x), exp::<false>(x)], [0.0; 2]);
        }
    }

    /// erf by its series, which converges quickly enough up to 4.
    fn erf(x: f64) -> f64 {
        let (mut term, mut sum) = (x, x);
        for n in 1..120 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * 2.0 / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn gelu_is_exact_to_float32() {
        for x in range(5.5, 0.0007) {
            let exact = f64::from(x);
            let expected = exact / 2.0 * (1.0 + erf(exact / 2.0_f64.sqrt()));
            for found in [gelu::<true>(x), gelu::<false>(x)].map(f64::from) {
                let off = (found - expected).abs();
                assert!(off < 3e-7 * exact.abs().max(1.0), "{x}: {off}");
            }
        }
        for x in [5.5, 30.0, 1e9] {
            assert_eq!([gelu::<true>(x), gelu::<false>(x)], [x; 2]);
            assert_eq!([gelu::<true>(-x), gelu::<false>(-x)], [0.0; 2]);
        }
    }
}
