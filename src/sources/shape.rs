//! Shapes: what a value has to have, to be of a format.

use crate::document::{Node, Value};

/// What a record has, and what it has not. A path is keys with points between them:
///
/// | | |
/// |---|---|
/// | `a.b` | the object under `a` has `b` |
/// | `a[].b` | an item of the list `a` has `b` (one of the first 20) |
/// | `a{}.b` | a value of the object `a` has `b` (one of the first 20) |
/// | `{all}:text` | every value of the object is a text; it has one |
/// | `a:text` | is a text; also `list`, `object`, `number`, `bool` |
/// | `a=x\|y` | is the text `x` or `y` |
/// | `a^x` | is a text that begins with `x` |
/// | `^a.b` | a key begins with `a.b` |
///
/// ```
/// use assay::{document::parse_json, sources::Shape};
/// let shape = Shape { has: &["items[].role=user|human", "id:text"], lacks: &["error"] };
/// let node = parse_json(r#"{"id": "x", "items": [{"role": "human"}]}"#).unwrap();
/// assert!(shape.fits(&node));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// All of these must be there.
    pub has: &'static [&'static str],
    /// None of these may be there.
    pub lacks: &'static [&'static str],
}

/// How many items of a list are looked at.
const ITEMS: usize = 20;

impl Shape {
    /// Whether a value has all that it must have, and nothing that it must not.
    pub fn fits(&self, node: &Node) -> bool {
        self.has.iter().all(|path| has(node, path))
            && !self.lacks.iter().any(|path| has(node, path))
    }

    /// Whether a value has at least where its lists and objects would stand, be they empty.
    pub(super) fn may_fit(&self, node: &Node) -> bool {
        self.has.iter().all(|path| match path.find(['[', '{']) {
            Some(at) if at > 0 && !path.starts_with('^') => {
                let (root, rest) = path.split_at(at);
                let kind = if rest.starts_with('[') {
                    "list"
                } else {
                    "object"
                };
                has(node, &format!("{root}:{kind}"))
            }
            _ => has(node, path),
        })
    }

    /// The paths that a value has not, of those that it must have.
    pub fn missing(&self, node: &Node) -> Vec<&'static str> {
        let missing = self.has.iter().filter(|path| !has(node, path));
        missing.copied().collect()
    }
}

/// Whether a value has a path.
pub(super) fn has(node: &Node, path: &str) -> bool {
    if let Some(start) = path.strip_prefix('^') {
        return node
            .entries()
            .iter()
            .any(|entry| entry.key.starts_with(start));
    }
    let end = path
        .find(['.', '[', '{', ':', '=', '^'])
        .unwrap_or(path.len());
    let (key, rest) = path.split_at(end);
    let found = if key.is_empty() {
        Some(node)
    } else {
        node.get(key)
    };
    found.is_some_and(|node| goes_on(node, rest))
}

fn goes_on(node: &Node, rest: &str) -> bool {
    if rest.is_empty() {
        return true;
    }
    if let Some(rest) = rest.strip_prefix("[]") {
        let items = node.items();
        return items.iter().take(ITEMS).any(|item| goes_on(item, rest));
    }
    if let Some(rest) = rest.strip_prefix("{all}") {
        let entries = node.entries();
        return !entries.is_empty() && entries.iter().all(|entry| goes_on(&entry.node, rest));
    }
    if let Some(rest) = rest.strip_prefix("{}") {
        let entries = node.entries();
        return entries
            .iter()
            .take(ITEMS)
            .any(|entry| goes_on(&entry.node, rest));
    }
    if let Some(path) = rest.strip_prefix('.') {
        return has(node, path);
    }
    if let Some(kind) = rest.strip_prefix(':') {
        return matches!(
            (kind, &node.value),
            ("text", Value::String(_))
                | ("list", Value::List(_))
                | ("object", Value::Map(_))
                | ("number", Value::Number(_))
                | ("bool", Value::Bool(_))
        );
    }
    let text = node.text().unwrap_or_default();
    if let Some(words) = rest.strip_prefix('=') {
        return node.text().is_some() && words.split('|').any(|word| word == text);
    }
    rest.strip_prefix('^')
        .is_some_and(|start| text.starts_with(start))
}

/// A path as people read it: without what is asked of the value at its end.
pub fn shown(path: &str) -> String {
    match path {
        ":text" => return "only words".into(),
        "{all}:text" => return "nothing but texts as values".into(),
        _ => {}
    }
    let path = path.trim_start_matches('^');
    let path = path.split([':', '^']).next().unwrap_or(path);
    match path.split_once('=') {
        Some((path, words)) if !words.contains('|') => format!("`{path}` \"{words}\""),
        Some((path, _)) => format!("`{path}`"),
        None => format!("`{path}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_json;

    #[test]
    fn an_empty_list_may_fit_and_what_has_none_does_not() {
        let shape = Shape {
            has: &["messages[].role:text", "id"],
            lacks: &[],
        };
        for (text, may_fit) in [
            (r#"{"id": 1, "messages": []}"#, true),
            (r#"{"messages": []}"#, false),
            (r#"{"id": 1, "messages": "none"}"#, false),
            (r#"{"id": 1, "foo": 1}"#, false),
        ] {
            let node = parse_json(text).expect("JSON");
            assert_eq!(shape.may_fit(&node), may_fit, "{text}");
        }
    }

    #[test]
    fn paths_are_found() {
        let node = parse_json(
            r#"{"a": {"b": [1, {"c": "x1"}]}, "m": {"k": {"p": null}}, "l.0.r": 1, "t": "abc", "n": 2}"#,
        )
        .expect("JSON");
        for path in [
            "a",
            "a.b",
            "a.b[].c",
            "a.b[].c=y|x1",
            "a.b:list",
            "m{}.p",
            "^l.0",
            "t:text",
            "t^ab",
            "n:number",
            "a:object",
            "m{all}:object",
        ] {
            assert!(has(&node, path), "{path}");
        }
        for path in [
            "b",
            "a.c",
            "a.b[].d",
            "t=ab",
            "n:text",
            "^l.1",
            "n=2",
            "t^b",
            "a{}.z",
            "{all}:text",
        ] {
            assert!(!has(&node, path), "{path}");
        }
        assert_eq!(shown("a.b[].c:text"), "`a.b[].c`");
        assert_eq!(shown("spec=card"), "`spec` \"card\"");
        assert_eq!(shown(":text"), "only words");
    }
}
