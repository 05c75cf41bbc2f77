//! Replies that somebody gives as such, in whatever shape they are at hand: what a control sample and
//! a draft are made of.

use std::collections::HashSet;

use crate::document::{Code, Parsed, Problem, Problems, Reader, Value};

use super::transcript::{content, label};

/// A reply that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its text, without white space at its ends.
    pub text: String,
    /// Whether somebody called it on brand (`label`: 1 or 0).
    pub is_on: Option<bool>,
}

/// Reads replies, each text once, in their order: JSONL or a JSON array of texts, of rows with `text`
/// or of any transcript (what the assistant says), or an object with `texts`; otherwise plain text,
/// a reply a paragraph where there are blank lines, and a line where there are none. What is wrong with a row leaves it out.
///
/// ```
/// use assay::persona::read_given;
/// let mut problems = assay::document::Problems::new();
/// let given = read_given("Check the log.\nOil the chain.", &mut problems);
/// assert_eq!(given[1].text, "Oil the chain.");
/// ```
pub fn read_given(text: &str, problems: &mut Problems) -> Vec<Given> {
    let mut all = Vec::new();
    if text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with(['{', '['])
    {
        let (parsed, mut found) = (Parsed::items(text), Problems::new());
        found.extend(parsed.strays());
        for piece in 0..parsed.pieces().len() {
            found.extend(parsed.problems(piece).iter().cloned());
            if let Some(node) = parsed.node(piece) {
                row(&Reader::new(node), &mut all, &mut found);
            }
        }
        let found = found.into_sorted().into_iter();
        problems.extend(found.map(Problem::left_out));
    } else {
        all.extend(
            plain(text)
                .into_iter()
                .map(|text| Given { text, is_on: None }),
        );
    }
    let mut seen = HashSet::new();
    for given in &mut all {
        given.text = given.text.trim().to_owned();
    }
    all.retain(|given| !given.text.is_empty() && seen.insert(given.text.clone()));
    all
}

/// Paragraphs, or lines where no line between them is blank.
fn plain(text: &str) -> Vec<String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let lines: Vec<&str> = text.lines().collect();
    if lines.iter().all(|line| !line.trim().is_empty()) {
        return lines.into_iter().map(str::to_owned).collect();
    }
    let paragraphs = lines.split(|line| line.trim().is_empty());
    paragraphs.map(|lines| lines.join("\n")).collect()
}

/// The replies of a row.
fn row(reader: &Reader, all: &mut Vec<Given>, problems: &mut Problems) {
    match reader.value() {
        Value::String(text) => {
            all.push(Given {
                text: text.clone(),
                is_on: None,
            });
            return;
        }
        Value::List(_) => {
            for item in reader.items().into_iter().flatten() {
                row(&item, all, problems);
            }
            return;
        }
        _ => {}
    }
    reader.check_repeated(problems);
    let role = reader.get_some("role");
    let role = role.as_ref().and_then(Reader::as_str);
    let own = reader
        .get_some("text")
        .or_else(|| reader.get_some("assistant"));
    let lists = ["texts", "messages"].map(|key| reader.get_some(key)?.items());
    let mut push = |text: Option<String>, of: &Reader| {
        let is_on = label(of);
        all.extend(text.map(|text| Given { text, is_on }));
    };
    match (own, lists) {
        // who asks is no assistant
        (Some(_), _) if role.is_some_and(|role| role != "assistant") => {}
        (Some(text), _) => push(content(&text, problems), reader),
        (None, [Some(items), _]) => {
            for item in items {
                row(&item, all, problems);
            }
        }
        (None, [None, Some(messages)]) => {
            for message in messages {
                let role = message.get_some("role");
                let is_reply = role.is_some_and(|role| role.as_str() == Some("assistant"));
                if let Some(text) = message.get("content").filter(|_| is_reply) {
                    push(content(&text, problems), &message);
                }
            }
        }
        (None, [None, None]) if reader.get("user").is_some() => {}
        (None, [None, None]) => {
            let given = reader.value().describe();
            let message = format!(
                "expected a text, or a row with `text`, `assistant` or `messages`, got {given}"
            );
            problems.error(reader, message).code = Code::OtherKind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<Option<bool>>, usize) {
        let mut problems = Problems::new();
        let given = read_given(text, &mut problems);
        let (texts, labels) = given.into_iter().map(|one| (one.text, one.is_on)).unzip();
        (texts, labels, problems.into_sorted().len())
    }

    #[test]
    fn every_shape_is_read() {
        let rows = concat!(
            r#"{"text": "one", "label": 1}"#,
            "\n",
            r#"{"role": "user", "text": "who?"}"#,
            "\n",
            r#"{"session_id": "a", "turn_index": 2, "role": "assistant", "text": "two", "label": 0}"#,
            "\n",
            r#"{"session_id": "b", "turn": 1, "user": "hm", "assistant": "three"}"#,
            "\n",
            r#"{"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": [{"type": "text", "text": "four"}]}]}"#,
            "\n",
            r#"{"text": " one "}"#,
        );
        let (texts, labels, problems) = read(rows);
        assert_eq!(texts, ["one", "two", "three", "four"]);
        assert_eq!(labels, [Some(true), Some(false), None, None]);
        assert_eq!(problems, 0);
        assert_eq!(read(r#"["one", {"text": "two"}]"#).0, ["one", "two"]);
        assert_eq!(
            read(r#"{"model": "x", "texts": ["one", "two"], "vectors": ""}"#).0,
            ["one", "two"]
        );
        let (texts, _, problems) = read(r#"[7, {"a": 1}, {"text": [3]}]"#);
        assert_eq!((texts.len(), problems), (0, 3));
        assert_eq!(read("one\r\ntwo\n three ").0, ["one", "two", "three"]);
        assert_eq!(
            read("one\nand on\n\n\ntwo\n \nthree").0,
            ["one\nand on", "two", "three"]
        );
        assert_eq!(read("  \n ").0, Vec::<String>::new());
    }
}
