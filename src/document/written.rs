//! JSON on one line, byte for byte as serde_json writes it, for jobs that print a million results and
//! wait for that: most numbers of a result have a few decimals and need no search for the shortest.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// Numbers that are ten-thousandths are written as such: up to so many.
const MOST: u32 = 100_000_000;
const PER_ONE: u32 = 10_000;

const TENTHS: [f64; 100] = {
    let mut tenths = [0.0; 100];
    let mut at = 0;
    while at < tenths.len() {
        tenths[at] = at as f64 / 10.0;
        at += 1;
    }
    tenths
};

/// As many bytes as the longest of these numbers has: `-9999.9999`.
const LONGEST: usize = 10;

/// Appends a value as JSON. It fails only where the value's own writing does, or a key of it is no text.
pub fn push_json<T: Serialize>(out: &mut Vec<u8>, value: &T) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Quick))
}

/// Appends a finite number.
pub fn push_number(out: &mut Vec<u8>, number: f64) {
    // most are tenths
    let tenths = (number * 10.0 + 0.5) as usize;
    if TENTHS.get(tenths) == Some(&number) && number.is_sign_positive() {
        let [whole, part] = [tenths / 10, tenths % 10].map(|digit| b'0' + digit as u8);
        return out.extend_from_slice(&[whole, b'.', part]);
    }
    let (digits, length) = decimals(number);
    if length > 0 {
        out.extend_from_slice(&digits[LONGEST - length..]);
    } else {
        // writing to memory does not fail
        let _ = CompactFormatter.write_f64(out, number);
    }
}

/// Appends a whole number.
pub fn push_count(out: &mut Vec<u8>, count: usize) {
    match u8::try_from(count) {
        Ok(digit @ 0..=9) => out.push(b'0' + digit),
        // writing to memory does not fail
        _ => drop(CompactFormatter.write_u64(out, count as u64)),
    }
}

/// Appends a text with its quotation marks.
pub fn push_text(out: &mut Vec<u8>, text: &str) {
    // all of it is looked at, many bytes at once
    let is_escaped = |byte| matches!(byte, 0..=0x1f | b'"' | b'\\');
    if text.bytes().fold(false, |any, byte| any | is_escaped(byte)) {
        // a text can be written
        let _ = serde_json::to_writer(out, text);
    } else {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    }
}

/// Appends what stands in JSON as it is.
pub fn push_plain(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// Appends a name of ours, in which nothing is escaped, with quotation marks.
pub fn push_name(out: &mut Vec<u8>, name: &str) {
    out.push(b'"');
    push_plain(out, name);
    out.push(b'"');
}

/// Appends items, with commas between them.
pub fn push_all<T>(out: &mut Vec<u8>, all: &[T], push: impl Fn(&mut Vec<u8>, &T)) {
    for (place, one) in all.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        push(out, one);
    }
}

/// A number with at most four decimals, written right-aligned, and its length; 0 of any other. What is
/// the quotient of a whole number of ten-thousandths is the float of that decimal, and no shorter decimal
/// has the same float: below [`MOST`] ten-thousandths floats lie far closer than these do.
fn decimals(number: f64) -> ([u8; LONGEST], usize) {
    let mut digits = [0; LONGEST];
    // the nearest; what is too large, or no number, is none of these
    let units = (number.abs() * f64::from(PER_ONE) + 0.5) as u32;
    if units >= MOST || f64::from(units) / f64::from(PER_ONE) != number.abs() {
        return (digits, 0);
    }
    let mut at = LONGEST;
    let mut put = |digit: u8| {
        at -= 1;
        digits[at] = digit;
    };
    let (mut whole, mut part) = (units / PER_ONE, units % PER_ONE);
    let mut places = 4;
    while places > 1 && part % 10 == 0 {
        part /= 10;
        places -= 1;
    }
    for _ in 0..places {
        put(b'0' + (part % 10) as u8);
        part /= 10;
    }
    put(b'.');
    loop {
        put(b'0' + (whole % 10) as u8);
        whole /= 10;
        if whole == 0 {
            break;
        }
    }
    if number.is_sign_negative() {
        put(b'-');
    }
    (digits, LONGEST - at)
}

/// Writes numbers by [`decimals`].
struct Quick;

impl Formatter for Quick {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let (digits, length) = decimals(value);
        if length > 0 {
            writer.write_all(&digits[LONGEST - length..])
        } else {
            CompactFormatter.write_f64(writer, value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(number: f64) {
        let mut own = Vec::new();
        push_number(&mut own, number);
        let expected = serde_json::to_string(&number).unwrap();
        assert_eq!(String::from_utf8(own).unwrap(), expected);
    }

    #[test]
    fn every_ten_thousandth_up_to_ten() {
        for units in 0..=100_000_u32 {
            holds(f64::from(units) / f64::from(PER_ONE));
            holds(-f64::from(units) / f64::from(PER_ONE));
        }
    }

    #[test]
    fn numbers_at_the_edges() {
        for number in [
            9_999.999_9,
            10_000.0,
            1e15,
            1e16,
            5e-5,
            1e-5,
            f64::MAX,
            f64::MIN_POSITIVE,
        ] {
            for near in [number.next_down(), number, number.next_up()] {
                if near.is_finite() {
                    holds(near);
                    holds(-near);
                }
            }
        }
        assert_eq!(decimals(f64::NAN).1, 0);
        assert_eq!(decimals(f64::INFINITY).1, 0);
    }

    // in a browser proptest finds no entropy
    #[cfg(not(target_arch = "wasm32"))]
    mod whatever {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn any_number(bits: u64, units in 0_u32..200_000_000, steps in -2_i64..=2) {
                let any = f64::from_bits(bits);
                if any.is_finite() {
                    holds(any);
                }
                let near = (f64::from(units) / f64::from(PER_ONE)).to_bits() as i64;
                holds(f64::from_bits((near + steps.max(-near)) as u64));
            }

            #[test]
            fn any_text_and_count(text: String, count: usize) {
                let mut own = Vec::new();
                push_text(&mut own, &text);
                push_count(&mut own, count);
                let expected = serde_json::to_string(&text).unwrap() + &count.to_string();
                prop_assert_eq!(String::from_utf8(own).unwrap(), expected);
            }

            #[test]
            fn any_value(numbers: Vec<f64>, texts: Vec<(String, Option<i64>)>) {
                let value = (numbers.into_iter().filter(|n| n.is_finite()).collect::<Vec<_>>(), texts);
                let mut own = Vec::new();
                push_json(&mut own, &value).unwrap();
                prop_assert_eq!(own, serde_json::to_vec(&value).unwrap());
            }
        }
    }
}
