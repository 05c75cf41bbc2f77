//! Texts that are no JSON: tables, YAML, words with JSON in them, and words alone.

use serde::de::IgnoredAny;
use serde_json::Value as Json;

use super::super::listing::is_known;
use super::super::notes::Notes;
use super::kind::is_json;
use super::part::Part;
use super::table;
use crate::document::{Node, Number, Parsed, Problem, Value, mend, parse_json, parse_yaml};
use crate::text::{Encoding, decode};

/// The largest text that is read as words or as YAML.
const LARGEST_WORDS: usize = 4 << 20;
/// Values that are looked at to know whether they are what a text is about.
const LOOKED_AT: usize = 50;

/// A text as JSON of at most `most` bytes, or a table's rows as many as that.
pub(super) fn part(
    name: &str,
    bytes: &[u8],
    most: usize,
    notes: &mut Notes,
) -> Result<Part, String> {
    let (text, encoding) = decode(bytes);
    if encoding == Encoding::Windows1252 {
        notes.warn(1, "", "it is no UTF-8: it is read as Windows-1252");
    }
    let part = |bytes, original| {
        Ok(Part {
            name: name.to_owned(),
            bytes,
            original,
            is_table: false,
        })
    };
    if is_json(text.trim_start().as_bytes()) {
        return part(text.into_bytes(), None);
    }
    if let Some(rows) = table::json_lines(&text, most, notes) {
        return part(rows, None).map(|part| Part {
            is_table: true,
            ..part
        });
    }
    let (found, unread) = pieces_in(&text);
    let covered: usize = found.iter().map(String::len).sum();
    if covered * 2 < text.len()
        && let Some(values) = yaml(&text)
    {
        return part(values.to_string().into_bytes(), Some(text));
    }
    // a prompt may have some JSON as an example in it
    if covered * 2 >= text.len() && covered > 0 || tells(&found) {
        notes.warn(1, "", "only the JSON in the text is read");
        for problem in unread {
            notes.push(Problem {
                mend: None,
                ..problem
            });
        }
        return part(found.join("\n").into_bytes(), None);
    }
    if text.len() > LARGEST_WORDS.min(most) {
        let most = LARGEST_WORDS / 1_000_000;
        return Err(format!(
            "of words that are no data at most {most} MB are read"
        ));
    }
    part(
        Json::from(text.as_str()).to_string().into_bytes(),
        Some(text),
    )
}

/// The JSON between words or in fenced blocks, each value in a line, and what of it cannot be read.
fn pieces_in(text: &str) -> (Vec<String>, Vec<Problem>) {
    let parsed = Parsed::items(text);
    let text = parsed.text();
    let (mut found, mut unread) = (Vec::new(), parsed.strays().collect::<Vec<_>>());
    for (at, piece) in parsed.pieces().iter().enumerate() {
        match value(piece.of(text)) {
            Some(value) => found.push(value),
            None => unread.extend(parsed.problems(at).iter().cloned()),
        }
    }
    unread.sort_by_key(|problem| problem.line);
    (found, unread)
}

/// Whether a format knows one of some values.
fn tells(values: &[String]) -> bool {
    let read = values.iter().take(LOOKED_AT);
    let read: Vec<Node> = read.filter_map(|value| parse_json(value).ok()).collect();
    is_known(&read)
}

/// An object in one line, where a text is one, if need be without slips.
fn value(text: &str) -> Option<String> {
    let text = text.trim();
    let line = |text: &str| text.replace(['\n', '\r'], " ");
    if !text.starts_with('{') {
        return None;
    }
    if serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return Some(line(text));
    }
    if text.len() > LARGEST_WORDS {
        return None;
    }
    let mended = mend(text)?;
    parse_json(&mended).ok().map(|_| line(&mended))
}

/// The values of a YAML text: names with values, or a list of such.
fn yaml(text: &str) -> Option<Json> {
    let lines = text.lines().map(str::trim_end);
    let first = lines.into_iter().find(|line| {
        !line.is_empty()
            && !line.starts_with('#')
            && !line.starts_with("---")
            && !line.starts_with('%')
    })?;
    if text.len() > LARGEST_WORDS || !(starts_with_key(first) || first.starts_with("- ")) {
        return None;
    }
    let read = parse_yaml(text).ok()?;
    let is_map = |row: &Node| {
        let entries = row.entries();
        !entries.is_empty() && entries.iter().all(|entry| is_key(&entry.key))
    };
    let tells = match &read.value {
        Value::Map(entries) => {
            is_map(&read) && (entries.len() > 1 || !entries[0].node.items().is_empty())
        }
        Value::List(rows) => rows.iter().all(is_map),
        _ => false,
    };
    tells.then(|| json(&read))
}

fn starts_with_key(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| is_key(key.trim_matches(['"', '\''])))
}

/// Whether a word is a name as programs have them, and not the beginning of a sentence.
fn is_key(key: &str) -> bool {
    key.len() < 64
        && key.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.')
}

/// The same values as JSON. YAML is read to a depth that is bounded.
fn json(read: &Node) -> Json {
    match &read.value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::from(*value),
        Value::Number(Number::Integer(value)) => Json::from(*value),
        Value::Number(Number::Float(value)) => Json::from(*value),
        Value::String(text) => Json::from(text.as_str()),
        Value::List(list) => list.iter().map(json).collect(),
        Value::Map(entries) => {
            let entries = entries
                .iter()
                .map(|entry| (entry.key.clone(), json(&entry.node)));
            Json::Object(entries.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json_of(text: &str) -> (String, bool) {
        let part = part("x", text.as_bytes(), 1 << 20, &mut Notes::default()).expect("a text");
        let bytes = String::from_utf8_lossy(&part.bytes).into_owned();
        (bytes, part.original.is_some())
    }

    #[test]
    fn texts_become_json() {
        for (text, json, keeps) in [
            (
                "id: a\nexemplars:\n  - Hello\n",
                "{\"exemplars\":[\"Hello\"],\"id\":\"a\"}",
                true,
            ),
            (
                "Here it is, as you asked:\n```json\n{\"messages\": [{\"role\": \"user\",\n \"content\": \"Hi\",}]}\n```\nDone, and I hope that it is of use.",
                "{\"messages\": [{\"role\": \"user\",  \"content\": \"Hi\"}]}",
                false,
            ),
            (
                "Result:\n\n[{\"a\": 1}, {\"b\": [2]}]",
                "{\"a\": 1}\n{\"b\": [2]}",
                false,
            ),
            (
                "Answer each question that you are asked as {\"a\": 1} and nothing else.",
                "\"Answer each question that you are asked as {\\\"a\\\": 1} and nothing else.\"",
                true,
            ),
            (
                "You are: kind.\nBe brief.",
                "\"You are: kind.\\nBe brief.\"",
                true,
            ),
            ("- Be kind\n- Be brief", "\"- Be kind\\n- Be brief\"", true),
        ] {
            assert_eq!(json_of(text), (json.to_owned(), keeps), "{text}");
        }
    }

    #[test]
    fn any_encoding_is_read() {
        let mut notes = Notes::default();
        let wide = "\u{feff}{\"a\": \"é\"}"
            .encode_utf16()
            .flat_map(u16::to_le_bytes);
        let wide: Vec<u8> = wide.collect();
        let read = part("x", &wide, 1000, &mut notes).expect("a text");
        assert_eq!(read.bytes, "{\"a\": \"é\"}".as_bytes());
        let read = part("x", b"id,text\n1,caf\xe9\n", 1000, &mut notes).expect("a table");
        assert_eq!(read.bytes, "{\"id\":\"1\",\"text\":\"café\"}\n".as_bytes());
        assert_eq!(notes.problems.len(), 1);
    }
}
