//! What was pasted: finds the object whose keys tell what it is.

use super::json::{parse_json, parse_jsonl};
use super::node::{Node, Value};
use super::normalise::normalise;
use super::pieces::pieces;
use super::reader::Reader;
use super::slips::mend;
use super::yaml::parse_yaml;

/// What `of` makes of the first object that tells: of a text that is JSON, JSONL or
/// YAML, or of the JSON in it; of a list the first item tells.
pub fn detect<T>(text: &str, of: &dyn Fn(&Reader) -> Option<T>) -> Option<T> {
    let text = normalise(text);
    detect_whole(&text, of).or_else(|| {
        // what a model prints around its JSON does not matter
        let found = pieces(&text);
        let told = found.iter().map(|piece| detect_whole(piece.of(&text), of));
        told.flatten().next()
    })
}

fn detect_whole<T>(text: &str, of: &dyn Fn(&Reader) -> Option<T>) -> Option<T> {
    if let Ok(node) = parse_json(mend(text).as_deref().unwrap_or(text)) {
        return of_node(&node, of);
    }
    let first_line = text.lines().find(|line| !line.trim().is_empty())?;
    if first_line.trim_start().starts_with('{') {
        let (nodes, _) = parse_jsonl(first_line);
        return nodes.first().and_then(|node| of_node(node, of));
    }
    match parse_yaml(text) {
        Ok(node) => of_node(&node, of),
        // a mistake in it does not make it something else
        Err(_) => of_node(&parse_yaml(&keys_alone(text)).ok()?, of),
    }
}

/// The lines of a text that begin with a key, without what they hold.
fn keys_alone(text: &str) -> String {
    let key = |line: &str| {
        let (key, _) = line.split_once(':')?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (key.len() < 64
            && key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.chars().all(is_word))
        .then(|| key.to_owned())
    };
    let keys: std::collections::BTreeSet<_> = text.lines().filter_map(key).collect();
    keys.into_iter().map(|key| key + ":\n").collect()
}

fn of_node<T>(node: &Node, of: &dyn Fn(&Reader) -> Option<T>) -> Option<T> {
    match &node.value {
        Value::List(items) => of_node(items.first()?, of),
        _ => of(&Reader::new(node)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_object_tells() {
        let kind = |text| detect(text, &|root| Some(root.get("kind")?.as_str()?.to_owned()));
        for (text, expected) in [
            ("{\"kind\": \"a\"}", Some("a")),
            ("[{\"kind\": \"a\"}, {\"kind\": \"b\"}]", Some("a")),
            ("{\"kind\": \"a\"}\n{", Some("a")),
            ("kind: a\nother:\n  - b\n", Some("a")),
            ("Here:\n```json\n{\"kind\": \"a\",}\n```", Some("a")),
            ("{\"other\": {}}", None),
            ("[]", None),
            ("hello", None),
            ("", None),
        ] {
            assert_eq!(kind(text).as_deref(), expected, "{text}");
        }
    }
}
