//! The text a document is read from, and its hash.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::steps::{Pause, Progress, THROUGH, at_once, step};

/// Bytes hashed in one step: about a millisecond's worth.
const STRETCH: usize = 1 << 16;

/// The text a document is read from: without a byte-order mark and with `\n`
/// line ends, so that a file and the same text pasted in a page agree.
pub fn normalise(text: &str) -> String {
    normalised(text).into_owned()
}

fn normalised(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if memchr::memchr(b'\r', text.as_bytes()).is_some() {
        text.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        text.into()
    }
}

/// SHA-256 of the normalised input as 64 lower-case hex digits.
///
/// One part is hashed as it is. Several parts (persona, transcript, ...) are
/// hashed as `name`, a line feed, the length in bytes, a line feed and the
/// text, for each part in the order given.
pub fn input_sha256(parts: &[(&str, &str)]) -> String {
    at_once(input_sha256_in_steps(parts, THROUGH))
}

/// The same in steps of a stretch of text.
pub async fn input_sha256_in_steps(parts: &[(&str, &str)], pause: Pause<'_>) -> String {
    let mut hasher = Sha256::new();
    let total = parts.iter().map(|(_, text)| text.len()).sum();
    let mut done = 0;
    for (name, text) in parts {
        let text = normalised(text);
        if parts.len() > 1 {
            hasher.update(format!("{name}\n{}\n", text.len()));
        }
        for stretch in text.as_bytes().chunks(STRETCH) {
            hasher.update(stretch);
            done += stretch.len();
            let what = "bytes hashed";
            step(pause, Progress::new(done, total, what)).await;
        }
    }
    hex(&hasher.finalize())
}

/// Lower-case hexadecimal of some bytes.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let halves = |byte: &u8| [byte >> 4, byte & 15].map(|half| DIGITS[usize::from(half)]);
    let digits: Vec<[u8; 2]> = bytes.iter().map(halves).collect();
    // digits are text
    String::from_utf8(digits.into_flattened()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_bom_and_crlf_hashes_as_the_pasted_text() {
        assert_eq!(
            input_sha256(&[("a", "\u{feff}{}\r\n")]),
            input_sha256(&[("b", "{}\n")])
        );
        assert_ne!(
            input_sha256(&[("a", "x"), ("b", "y")]),
            input_sha256(&[("a", "xy"), ("b", "")])
        );
    }
}
