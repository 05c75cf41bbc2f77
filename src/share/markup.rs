//! Texts in markup that is HTML and XML at once: no text becomes an element, and none steers a reader.

use std::fmt::Write as _;

use serde::Serialize;

use crate::text::{Shown, is_steering, one_line};

/// Whether a character can stand in markup: it steers nothing, and XML has a place for it.
fn is_plain_character(character: char) -> bool {
    let is_space = matches!(character, '\n' | '\r' | '\t');
    is_space || !(is_steering(character) || matches!(character, '\u{fffe}' | '\u{ffff}'))
}

/// Whether a text can stand in markup as it is and comes back from it.
pub(super) fn is_plain(text: &str) -> bool {
    text.chars().all(is_plain_character)
}

/// A text as the text of an element or the value of an attribute in double quotes. Carriage returns are
/// written as references: a reader would take them away. What cannot stand there is written as its
/// escape.
pub(super) fn escaped(text: &str) -> String {
    let mut markup = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            '\r' => markup.push_str("&#13;"),
            _ if is_plain_character(character) => markup.push(character),
            _ => markup.extend(character.escape_default()),
        }
    }
    markup
}

/// A text of any length on one line.
pub(super) fn line(text: &str) -> String {
    escaped(&one_line(text))
}

/// A name: of a long one its beginning.
pub(super) fn name(text: &str) -> String {
    let shown = Shown(text).to_string();
    // the marks that keep a name apart are its own and steer nothing around it
    match shown
        .strip_prefix('\u{2068}')
        .and_then(|rest| rest.strip_suffix('\u{2069}'))
    {
        Some(apart) => format!("\u{2068}{}\u{2069}", escaped(apart)),
        None => escaped(&shown),
    }
}

/// A value as JSON in which every character can stand in markup.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    // plain data with string keys, which cannot fail to serialise
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut json = String::with_capacity(text.len());
    for character in text.chars() {
        if is_plain_character(character) {
            json.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // writing to a String cannot fail
            let _ = write!(json, "\\u{unit:04x}");
        }
    }
    json
}

/// What [`escaped`] had before it, where that was plain.
pub(super) fn unescaped(markup: &str) -> String {
    let text = markup.replace("&lt;", "<").replace("&gt;", ">");
    let text = text.replace("&quot;", "\"").replace("&#13;", "\r");
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_comes_back() {
        for text in [
            "a <b> & \"c\" ]]> &amp;lt; &#13;\r\n",
            "שלום",
            "",
            "\u{feff}x",
        ] {
            assert!(is_plain(text), "{text:?}");
            assert_eq!(unescaped(&escaped(text)), text);
            assert!(!escaped(text).contains(['<', '>', '"', '\r']));
        }
        assert_eq!(name("שלום"), "\u{2068}שלום\u{2069}");
    }

    #[test]
    fn what_steers_is_escaped_and_comes_back_from_json() {
        for text in [
            "\0",
            "a\u{202e}b",
            "\u{1b}[31m",
            "\u{fffe}",
            "\u{85}",
            "\u{2068}a",
        ] {
            assert!(!is_plain(text), "{text:?}");
            assert!(is_plain(&json(&text)) && is_plain(&line(text)), "{text:?}");
            let back: String = serde_json::from_str(&json(&text)).expect("JSON");
            assert_eq!(back, text);
        }
    }
}
