//! What was pasted: tells the kinds of input apart by their shape.

use super::json::{parse_json, parse_jsonl};
use super::node::{Node, Value};
use super::normalise::normalise;
use super::pieces::pieces;
use super::reader::Reader;
use super::slips::mend;
use super::yaml::parse_yaml;

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An RWEA payload.
    Debate,
    /// Profiles of domains, for debates.
    Profiles,
    /// One or several turns of an agent, or marks of a session.
    Turns,
    /// A persona.
    Persona,
    /// A transcript of sessions.
    Transcript,
}

/// The kind of a text, if its shape tells.
pub fn detect(text: &str) -> Option<Kind> {
    let text = normalise(text);
    detect_whole(&text).or_else(|| {
        // what a model prints around its JSON does not matter
        let found = pieces(&text);
        let kinds = found.iter().map(|piece| detect_whole(piece.of(&text)));
        kinds.flatten().next()
    })
}

fn detect_whole(text: &str) -> Option<Kind> {
    if let Ok(node) = parse_json(mend(text).as_deref().unwrap_or(text)) {
        return of_node(&node);
    }
    let first_line = text.lines().find(|line| !line.trim().is_empty())?;
    if first_line.trim_start().starts_with('{') {
        let (nodes, _) = parse_jsonl(first_line);
        return nodes.first().and_then(of_node);
    }
    parse_yaml(text).ok().as_ref().and_then(of_node)
}

fn of_node(node: &Node) -> Option<Kind> {
    if let Value::List(items) = &node.value {
        return items.first().and_then(of_node);
    }
    let root = Reader::new(node);
    let has = |key| root.get(key).is_some();
    if has("candidates") {
        Some(Kind::Debate)
    } else if has("domains") {
        Some(Kind::Profiles)
    } else if ["exemplars", "examples", "lexicon", "style_rules", "voice"]
        .into_iter()
        .any(has)
    {
        Some(Kind::Persona)
    } else if has("turn_result") || has("turns") || has("action") || has("constitutional_scores") {
        Some(Kind::Turns)
    } else if has("messages") || has("role") || has("assistant") {
        Some(Kind::Transcript)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart() {
        for (text, kind) in [
            ("{\"candidates\": []}", Some(Kind::Debate)),
            (
                "[{\"turn_number\": 1, \"action\": \"x\"}]",
                Some(Kind::Turns),
            ),
            ("{\"turns\": []}", Some(Kind::Turns)),
            (
                "{\"role\": \"user\", \"text\": \"a\"}\n{",
                Some(Kind::Transcript),
            ),
            ("id: x\nexemplars:\n  - a\n", Some(Kind::Persona)),
            (
                "Here:\n```json\n{\"candidates\": [],}\n```",
                Some(Kind::Debate),
            ),
            ("{\"domains\": {}}", Some(Kind::Profiles)),
            ("hello", None),
            ("", None),
        ] {
            assert_eq!(detect(text), kind, "{text}");
        }
    }
}
