//! Text in, values with their place out. Every bad input becomes a [`Problem`]
//! that says what was given, what was expected and where.

mod detect;
pub mod edit;
pub mod edit_yaml;
mod json;
mod node;
mod pieces;
mod problem;
mod yaml;

pub use detect::detect;
#[cfg(test)]
pub use json::PARSED;
pub use json::{parse_json, parse_jsonl, read_json};
pub use node::{Entry, Node, Number, Place, Reader, Value};
pub use pieces::{Parsed, Piece, are_embedded, items, mend, pieces, range_at};
pub use problem::{Evaluation, Problem, Problems, Severity};
pub use yaml::parse_yaml;

use sha2::{Digest, Sha256};

/// The text a document is read from: without a byte-order mark and with `\n`
/// line ends, so that a file and the same text pasted in a page agree.
pub fn normalise(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.to_owned()
    }
}

/// SHA-256 of the normalised input as 64 lower-case hex digits.
///
/// One part is hashed as it is. Several parts (persona, transcript, ...) are
/// hashed as `name`, a line feed, the length in bytes, a line feed and the
/// text, for each part in the order given.
pub fn input_sha256(parts: &[(&str, &str)]) -> String {
    let mut hasher = Sha256::new();
    match parts {
        [(_, text)] => hasher.update(normalise(text)),
        parts => {
            for (name, text) in parts {
                let text = normalise(text);
                hasher.update(format!("{name}\n{}\n", text.len()));
                hasher.update(text);
            }
        }
    }
    hex(&hasher.finalize())
}

/// Lower-case hexadecimal of some bytes.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut out, byte| {
        // writing to a String cannot fail
        let _ = write!(out, "{byte:02x}");
        out
    })
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
