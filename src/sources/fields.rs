//! What formats ask of a record.

use crate::document::Node;

/// The text of a key; empty where there is none.
pub(super) fn field<'a>(row: &'a Node, key: &str) -> &'a str {
    row.get(key).and_then(Node::text).unwrap_or_default()
}

/// What a key says as a name: a text that is not empty, or a number.
pub(super) fn name_of(row: &Node, key: &str) -> Option<String> {
    let value = row.get(key)?;
    let text = value.text().filter(|text| !text.is_empty());
    text.map(str::to_owned)
        .or_else(|| value.number().map(|number| number.to_string()))
}
