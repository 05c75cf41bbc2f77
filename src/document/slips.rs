//! Slips: what people and models write in JSON though it is not allowed, and what
//! can be taken out without changing a value.

use std::ops::Range;

use super::pieces::{Piece, pieces};
use crate::text::sort_by_key;

/// What JSON does not allow and can be taken out without changing a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slip {
    pub(super) range: Range<usize>,
    pub(super) is_comma: bool,
}

/// Commas after a last item, and comments, outside of strings.
pub(super) fn slips(text: &str) -> Vec<Slip> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // the last comma, as long as nothing but white space and comments follows it
    let mut comma = None;
    let mut at = 0;
    while at < bytes.len() {
        let next = match bytes[at] {
            b'"' => {
                comma = None;
                string_end(bytes, at)
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                let rest = &text[at..];
                let length = if bytes[at + 1] == b'/' {
                    rest.find('\n')
                } else {
                    rest.find("*/").map(|end| end + 2)
                };
                let end = at + length.unwrap_or(rest.len());
                found.push(Slip {
                    range: at..end,
                    is_comma: false,
                });
                end
            }
            b',' => {
                comma = Some(at);
                at + 1
            }
            b'}' | b']' => {
                if let Some(comma) = comma.take() {
                    found.push(Slip {
                        range: comma..comma + 1,
                        is_comma: true,
                    });
                }
                at + 1
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    comma = None;
                }
                at + 1
            }
        };
        at = next;
    }
    sort_by_key(&mut found, |slip| slip.range.start);
    found
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Where a curly quote stands for a straight one, as word processors write: the first
/// outside of strings.
pub(super) fn curly_quote(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            // no curly quote begins with another byte
            0xe2 if text[at..].starts_with(['“', '”', '‘', '’']) => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// The text with the slips as blanks, so that every place stays.
pub(super) fn blanked(text: &str, slips: &[Slip]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for slip in slips {
        out.push_str(&text[at..slip.range.start]);
        // a line end stays one; any other character becomes a blank of its own length
        for character in text[slip.range.clone()].chars() {
            if character == '\n' {
                out.push('\n');
            } else {
                out.extend(std::iter::repeat_n(' ', character.len_utf8()));
            }
        }
        at = slip.range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Bytes of an escape of a code unit, `\\u` and four digits.
const ESCAPE: usize = 6;

/// Where JSON has an escape that is half of a surrogate pair without the other half, as
/// programs write that cut a text in the middle of an emoji.
pub(super) fn lone_surrogates(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(backslash) = text[at..].find('\\') {
        at += backslash;
        match surrogate(text, at) {
            Some(0xd800..0xdc00)
                if matches!(surrogate(text, at + ESCAPE), Some(0xdc00..0xe000)) =>
            {
                at += 2 * ESCAPE;
            }
            Some(0xd800..0xe000) => {
                found.push(at);
                at += ESCAPE;
            }
            // what is escaped may be more than a byte; none of its bytes is a backslash
            _ => at += 1 + usize::from(text.as_bytes().get(at + 1) == Some(&b'\\')),
        }
    }
    found
}

/// The code unit that is escaped at a byte.
fn surrogate(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

/// The text with the escapes at these places as that of the replacement character, so that
/// every other place stays.
pub(super) fn replaced(text: &str, places: &[usize]) -> String {
    let mut out = text.to_owned();
    for place in places {
        out.replace_range(*place..place + ESCAPE, "\\ufffd");
    }
    out
}

/// The text without commas after last items and without comments, wherever its
/// JSON has them; none if it has none.
pub fn mend(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut at = 0;
    let pieces = pieces(text);
    let is_json = |piece: &&Piece| piece.of(text).trim_start().starts_with(['{', '[']);
    for piece in pieces.iter().filter(is_json) {
        for slip in slips(piece.of(text)) {
            out.push_str(&text[at..piece.range.start + slip.range.start]);
            at = piece.range.start + slip.range.end;
        }
    }
    out.push_str(&text[at..]);
    (at > 0).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_pairs_are_found() {
        let text = r#"["\ud83d", "\ud83d\ude00", "\\ud83d", "\ude00\ud83d\ud83d\ude00é\"]"#;
        let found = lone_surrogates(text);
        assert_eq!(found, [2, 39, 45]);
        let whole = r#"["\ufffd", "\ud83d\ude00", "\\ud83d", "\ufffd\ufffd\ud83d\ude00é\"]"#;
        assert_eq!(replaced(text, &found), whole);
        assert_eq!(lone_surrogates(r"\ud83\u+123\"), [0; 0]);
    }

    #[test]
    fn curly_quotes_are_found_outside_of_strings() {
        assert_eq!(curly_quote("{\"“a”\": “b”}"), Some(12));
        assert_eq!(curly_quote("{\"é\": \"it’s\", €}"), None);
    }

    #[test]
    fn slips_are_found_outside_of_strings() {
        let text = "[\"a,]\", {\"b\": 1, /* c, */ },\n // d\n]";
        assert_eq!(mend(text).expect("slips"), "[\"a,]\", {\"b\": 1  }\n \n]");
        assert_eq!(blanked(text, &slips(text)).len(), text.len());
        assert_eq!(mend("{\"url\": \"http://x\"}"), None);
        assert_eq!(mend("see http://x, ]"), None);
    }
}
