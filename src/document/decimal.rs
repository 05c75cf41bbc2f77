//! Decimal text to the nearest 64-bit float.
//!
//! The standard library does this with a table of 10 kB that does not compress.
//! Here the digits themselves are doubled or halved until their whole part has
//! the 53 bits of a float: slower, and exact in the same way.

/// Digits of a decimal that can decide which float is nearest, and some more;
/// of all the others it only matters whether one is not zero.
const MOST_DIGITS: usize = 800;
/// The bits that are taken for an exponent as far from zero as there is.
const FAR: i32 = 100_000;
/// Bits of a float's whole number.
const BITS: i32 = 53;
/// The exponent of two of the smallest float.
const LEAST: i32 = -1074;
/// The decimal digits of a whole number of 53 bits.
const WHOLE: i32 = 16;

/// The float nearest to a decimal number, halves to even; none if the text is no
/// number. Numbers too large for a float are infinite.
pub fn parse_f64(text: &str) -> Option<f64> {
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = whole.bytes().chain(fraction.bytes());
    if whole.len() + fraction.len() == 0 || !digits.all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let magnitude = Decimal::new(whole, fraction, exponent).nearest();
    Some(if is_negative { -magnitude } else { magnitude })
}

/// An exponent of ten; one beyond all floats is cut to [`FAR`].
fn parse_exponent(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let value = digits.bytes().fold(0, |value: i32, digit| {
        (value * 10 + i32::from(digit - b'0')).min(FAR)
    });
    Some(sign * value)
}

/// The number 0.d₁d₂d₃… · 10^point · 2^scale.
struct Decimal {
    digits: Vec<u8>,
    point: i32,
    scale: i32,
}

impl Decimal {
    fn new(whole: &str, fraction: &str, exponent: i32) -> Self {
        let all = whole.bytes().chain(fraction.bytes());
        let mut digits: Vec<u8> = all
            .map(|digit| digit - b'0')
            .skip_while(|digit| *digit == 0)
            .collect();
        let zeros = (whole.len() + fraction.len() - digits.len()) as i32;
        if digits.len() > MOST_DIGITS {
            let more = digits.drain(MOST_DIGITS..).any(|digit| digit > 0);
            digits.push(u8::from(more));
        }
        Self {
            digits,
            point: whole.len() as i32 - zeros + exponent,
            scale: 0,
        }
    }

    fn nearest(mut self) -> f64 {
        if self.digits.is_empty() || self.point < -400 {
            return 0.0;
        }
        if self.point > 400 {
            return f64::INFINITY;
        }
        // a decimal digit is more than three bits and less than four
        while self.point > WHOLE {
            self.halve(((self.point - WHOLE) * 3).min(50));
        }
        while self.point < WHOLE {
            self.double(((WHOLE - self.point) * 3).min(50));
        }
        while self.whole() >> BITS > 0 {
            self.halve(1);
        }
        while self.whole() >> (BITS - 1) == 0 {
            self.double(1);
        }
        // below the normal floats there are fewer bits, down to none
        let missing = LEAST - self.scale;
        if missing > BITS {
            return 0.0;
        }
        if missing > 0 {
            self.halve(missing);
        }
        let mut whole = self.rounded();
        if whole >> BITS > 0 {
            whole >>= 1;
            self.scale += 1;
        }
        if self.scale > 971 {
            return f64::INFINITY;
        }
        // without its leading bit, which stands for an exponent of one more
        let exponent = (self.scale - LEAST) as u64;
        f64::from_bits((exponent << (BITS - 1)) + whole)
    }

    /// The digits before the point.
    fn whole(&self) -> u64 {
        (0..self.point.max(0) as usize).fold(0, |whole, place| {
            whole * 10 + u64::from(self.digits.get(place).copied().unwrap_or(0))
        })
    }

    /// The nearest whole number, halves to even.
    fn rounded(&self) -> u64 {
        let whole = self.whole();
        let Ok(point) = usize::try_from(self.point) else {
            return 0;
        };
        let rest = self.digits.get(point..).unwrap_or_default();
        let is_half = rest.first() == Some(&5) && rest[1..].iter().all(|digit| *digit == 0);
        let goes_up = if is_half {
            whole % 2 == 1
        } else {
            rest.first().is_some_and(|digit| *digit >= 5)
        };
        whole + u64::from(goes_up)
    }

    /// Multiplies the digits by 2^bits, of at most 59.
    fn double(&mut self, bits: i32) {
        let mut carry = 0;
        for digit in self.digits.iter_mut().rev() {
            carry += u64::from(*digit) << bits;
            *digit = (carry % 10) as u8;
            carry /= 10;
        }
        while carry > 0 {
            self.digits.insert(0, (carry % 10) as u8);
            self.point += 1;
            carry /= 10;
        }
        self.scale -= bits;
    }

    /// Divides the digits by 2^bits, of at most 59.
    fn halve(&mut self, bits: i32) {
        let mut rest = 0;
        let mut next = |digit: u8| {
            let value = rest * 10 + u64::from(digit);
            rest = value & ((1 << bits) - 1);
            ((value >> bits) as u8, rest > 0)
        };
        let mut goes_on = false;
        for digit in &mut self.digits {
            (*digit, goes_on) = next(*digit);
        }
        while goes_on {
            let digit;
            (digit, goes_on) = next(0);
            self.digits.push(digit);
        }
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.point -= zeros as i32;
        self.scale += bits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    fn agrees(text: &str) {
        let theirs: f64 = text.parse().expect(text);
        let ours = parse_f64(text).expect(text);
        assert_eq!(
            ours.to_bits(),
            theirs.to_bits(),
            "{text}: {ours:e}, not {theirs:e}"
        );
    }

    #[test]
    fn edges_are_read_as_the_standard_library_reads_them() {
        for text in [
            "0",
            "-0",
            "+1",
            ".5",
            "5.",
            "0.1",
            "1e22",
            "1e23",
            "-1.5E-3",
            "1e+5",
            "00012.500",
            "0e999999999999",
            "1e-999999999999",
            "1e999999999999",
            // halves, and just beside them
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740992.9999999999999999",
            "9007199254740993.0000000000000001",
            "9007199254740995",
            // the smallest, the largest, the edge of the normal ones
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "7.4e-324",
            "2.2250738585072011e-308",
            "2.2250738585072012e-308",
            "2.2250738585072014e-308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
        ] {
            agrees(text);
        }
        // the exact half between two floats, with a digit far behind it, and with 2000 zeros
        let half = format!("{:.60}", 2f64.powi(-54) + 2f64.powi(-1));
        for more in ["", "1", "01"] {
            let one = format!("{}{}{more}", half.replacen("0.", "1.", 1), "0".repeat(900));
            agrees(&one);
        }
        agrees(&format!("0.{}1", "0".repeat(2000)));
        agrees(&format!("1{}e-2000", "0".repeat(2000)));
    }

    #[test]
    fn floats_and_digits_at_random_are_read_as_the_standard_library_reads_them() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..20_000 {
            let float = f64::from_bits(random.next_u64());
            if float.is_finite() {
                agrees(&format!("{float:e}"));
                agrees(&format!("{float:.17e}"));
            }
            let usual = f64::from(random.next_u32()) / 7.0;
            agrees(&usual.to_string());
            let exponent = (random.next_u32() % 700) as i32 - 350;
            agrees(&format!(
                "{}{}e{exponent}",
                random.next_u64(),
                random.next_u64()
            ));
            agrees(&format!(
                "0.{:020}{:020}",
                random.next_u64(),
                random.next_u64()
            ));
        }
    }

    #[test]
    fn halves_between_floats_go_to_the_even_one() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..2000 {
            // a float of 53 bits, and the half above it in digits: an odd number of 54 bits
            let odd = (random.next_u64() >> 10) | (1 << 53) | 1;
            agrees(&odd.to_string());
            agrees(&format!("{odd}.{}1", "0".repeat(30)));
            agrees(&format!("{}.{}", odd - 1, "9".repeat(30)));
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "", "-", "+", ".", "e5", "1e", "1e+", "1e5.", "--1", "+-1", "1.2.3", "1,5", " 1", "1 ",
            "0x10", "1_000", "inf", "NaN", "1e-+5", "é",
        ] {
            assert_eq!(parse_f64(text), None, "{text}");
        }
    }
}
