//! Four float32 numbers that are computed at once: a 128-bit register in the
//! browser, an array elsewhere. Every operation rounds in the same way on both.

pub use of_this_machine::Lanes;

/// The largest `x` of which `exp` gives a number, near enough.
const EXP_MOST: f32 = 88.0;

impl Lanes {
    /// All zero.
    pub fn zero() -> Self {
        Self::splat(0.0)
    }

    /// The first four values of a slice.
    #[inline(always)]
    pub fn read(values: &[f32]) -> Self {
        Self::new([values[0], values[1], values[2], values[3]])
    }

    /// Writes to the first four places of a slice.
    #[inline(always)]
    pub fn write(self, places: &mut [f32]) {
        places[..4].copy_from_slice(&self.array());
    }

    /// Sum of the four.
    pub fn sum(self) -> f32 {
        let [a, b, c, d] = self.array();
        (a + b) + (c + d)
    }

    /// e to the power of each, to about 1e-7 of the result; `x` is cut to +-88.
    #[inline(always)]
    pub fn exp(self) -> Self {
        // x = n ln 2 + r with |r| <= ln 2 / 2; ln 2 in two parts, the first exact in n ln 2
        const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
        // the Taylor series of e^r: its remainder at ln 2 / 2 is below 1e-7
        const SERIES: [f32; 7] = [
            1.0 / 5040.0,
            1.0 / 720.0,
            1.0 / 120.0,
            1.0 / 24.0,
            1.0 / 6.0,
            0.5,
            1.0,
        ];
        let x = self.max(Self::splat(-EXP_MOST)).min(Self::splat(EXP_MOST));
        let n = (x * Self::splat(std::f32::consts::LOG2_E)).round();
        let r = x - n * Self::splat(LN_2[0]) - n * Self::splat(LN_2[1]);
        let mut sum = Self::splat(SERIES[0]);
        for term in &SERIES[1..] {
            sum = sum * r + Self::splat(*term);
        }
        (sum * r + Self::splat(1.0)) * n.two_to_whole()
    }

    /// The exact gelu, x / 2 (1 + erf(x / sqrt 2)), to 2e-7 of max(1, |x|):
    /// erf by formula 7.1.26 of Abramowitz and Stegun's handbook.
    #[inline(always)]
    pub fn gelu(self) -> Self {
        const P: f32 = 0.327_591_1;
        const A: [f32; 5] = [
            1.061_405_4,
            -1.453_152,
            1.421_413_7,
            -0.284_496_74,
            0.254_829_6,
        ];
        let z = self.abs() * Self::splat(std::f32::consts::FRAC_1_SQRT_2);
        let t = Self::splat(1.0) / (Self::splat(1.0) + z * Self::splat(P));
        let mut sum = Self::splat(A[0]);
        for term in &A[1..] {
            sum = sum * t + Self::splat(*term);
        }
        // 1 - erf z; gelu(x) = max(x, 0) - |x| / 2 (1 - erf z)
        let rest = sum * t * (Self::zero() - z * z).exp();
        self.max(Self::zero()) - self.abs() * Self::splat(0.5) * rest
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod of_this_machine {
    use std::arch::wasm32::{
        f32x4, f32x4_abs, f32x4_add, f32x4_div, f32x4_extract_lane, f32x4_mul, f32x4_nearest,
        f32x4_pmax, f32x4_pmin, f32x4_splat, f32x4_sub, i32x4_add, i32x4_shl, i32x4_splat,
        i32x4_trunc_sat_f32x4, v128,
    };
    use std::ops::{Add, Div, Mul, Sub};

    /// Four numbers.
    #[derive(Clone, Copy, Debug)]
    pub struct Lanes(v128);

    impl Lanes {
        /// These four.
        #[inline(always)]
        pub fn new([a, b, c, d]: [f32; 4]) -> Self {
            Self(f32x4(a, b, c, d))
        }

        /// Four times the same.
        #[inline(always)]
        pub fn splat(value: f32) -> Self {
            Self(f32x4_splat(value))
        }

        /// As an array.
        #[inline(always)]
        pub fn array(self) -> [f32; 4] {
            [
                f32x4_extract_lane::<0>(self.0),
                f32x4_extract_lane::<1>(self.0),
                f32x4_extract_lane::<2>(self.0),
                f32x4_extract_lane::<3>(self.0),
            ]
        }

        /// The larger of each pair.
        #[inline(always)]
        pub fn max(self, other: Self) -> Self {
            Self(f32x4_pmax(other.0, self.0))
        }

        /// The smaller of each pair.
        #[inline(always)]
        pub fn min(self, other: Self) -> Self {
            Self(f32x4_pmin(other.0, self.0))
        }

        /// Without sign.
        #[inline(always)]
        pub fn abs(self) -> Self {
            Self(f32x4_abs(self.0))
        }

        /// The nearest whole numbers, the even one of two.
        #[inline(always)]
        pub fn round(self) -> Self {
            Self(f32x4_nearest(self.0))
        }

        /// 2 to the power of whole numbers between -126 and 127.
        #[inline(always)]
        pub fn two_to_whole(self) -> Self {
            Self(i32x4_shl(
                i32x4_add(i32x4_trunc_sat_f32x4(self.0), i32x4_splat(127)),
                23,
            ))
        }

        /// `self x factor + sum`, rounded once or twice.
        #[cfg(not(feature = "relaxed-simd"))]
        #[inline(always)]
        pub fn times_plus(self, factor: Self, sum: Self) -> Self {
            sum + self * factor
        }

        /// `self x factor + sum`, rounded once or twice.
        #[cfg(feature = "relaxed-simd")]
        #[inline]
        #[target_feature(enable = "relaxed-simd")]
        pub fn times_plus(self, factor: Self, sum: Self) -> Self {
            Self(std::arch::wasm32::f32x4_relaxed_madd(
                self.0, factor.0, sum.0,
            ))
        }
    }

    macro_rules! operator {
        ($operator:ident, $method:ident, $instruction:ident) => {
            impl $operator for Lanes {
                type Output = Self;

                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self($instruction(self.0, other.0))
                }
            }
        };
    }
    operator!(Add, add, f32x4_add);
    operator!(Sub, sub, f32x4_sub);
    operator!(Mul, mul, f32x4_mul);
    operator!(Div, div, f32x4_div);
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod of_this_machine {
    use std::ops::{Add, Div, Mul, Sub};

    /// Four numbers.
    #[derive(Clone, Copy, Debug)]
    #[repr(align(16))]
    pub struct Lanes([f32; 4]);

    impl Lanes {
        /// These four.
        #[inline(always)]
        pub fn new(values: [f32; 4]) -> Self {
            Self(values)
        }

        /// Four times the same.
        #[inline(always)]
        pub fn splat(value: f32) -> Self {
            Self([value; 4])
        }

        /// As an array.
        #[inline(always)]
        pub fn array(self) -> [f32; 4] {
            self.0
        }

        /// The larger of each pair.
        #[inline(always)]
        pub fn max(self, other: Self) -> Self {
            self.with(other, |a, b| if a > b { a } else { b })
        }

        /// The smaller of each pair.
        #[inline(always)]
        pub fn min(self, other: Self) -> Self {
            self.with(other, |a, b| if a < b { a } else { b })
        }

        /// Without sign.
        #[inline(always)]
        pub fn abs(self) -> Self {
            Self(self.0.map(f32::abs))
        }

        /// The nearest whole numbers, the even one of two.
        #[inline(always)]
        pub fn round(self) -> Self {
            Self(self.0.map(f32::round_ties_even))
        }

        /// 2 to the power of whole numbers between -126 and 127.
        #[inline(always)]
        pub fn two_to_whole(self) -> Self {
            Self(
                self.0
                    .map(|n| f32::from_bits(((n as i32 + 127) as u32) << 23)),
            )
        }

        /// `self x factor + sum`.
        #[inline(always)]
        pub fn times_plus(self, factor: Self, sum: Self) -> Self {
            sum + self * factor
        }

        #[inline(always)]
        fn with(self, other: Self, of: impl Fn(f32, f32) -> f32) -> Self {
            Self([0, 1, 2, 3].map(|i| of(self.0[i], other.0[i])))
        }
    }

    macro_rules! operator {
        ($operator:ident, $method:ident) => {
            impl $operator for Lanes {
                type Output = Self;

                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    self.with(other, f32::$method)
                }
            }
        };
    }
    operator!(Add, add);
    operator!(Sub, sub);
    operator!(Mul, mul);
    operator!(Div, div);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every `step` from -`most` to `most`.
    fn range(most: f64, step: f64) -> impl Iterator<Item = f64> {
        let steps = (most / step) as i32;
        (-steps..=steps).map(move |i| f64::from(i) * step)
    }

    #[test]
    fn exp_is_exact_to_float32() {
        for x in range(80.0, 0.013) {
            let x = f64::from(x as f32);
            let found = f64::from(Lanes::splat(x as f32).exp().array()[2]);
            assert!((found / x.exp() - 1.0).abs() < 4e-7, "{x}: {found}");
        }
        assert!(Lanes::splat(-1000.0).exp().array()[0] < 1e-37);
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
            let x = f64::from(x as f32);
            let expected = x / 2.0 * (1.0 + erf(x / 2.0_f64.sqrt()));
            let found = f64::from(Lanes::splat(x as f32).gelu().array()[1]);
            assert!(
                (found - expected).abs() < 4e-7 * x.abs().max(1.0),
                "{x}: {found}, expected {expected}"
            );
        }
        assert_eq!(Lanes::splat(30.0).gelu().array()[0], 30.0);
        assert_eq!(Lanes::splat(-30.0).gelu().array()[0], 0.0);
    }
}
