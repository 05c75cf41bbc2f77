//! What formats ask of a record.

use crate::document::{Node, Value};

/// The text of a key; empty where there is none.
pub(super) fn field<'a>(row: &'a Node, key: &str) -> &'a str {
    row.get(key).and_then(Node::text).unwrap_or_default()
}

/// What a key says as a name: a text that is not empty, or a number, a whole one in all its digits.
pub(super) fn name_of(row: &Node, key: &str) -> Option<String> {
    match &row.get(key)?.value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_json;

    #[test]
    fn numbers_that_are_names_keep_their_digits() {
        let row =
            parse_json(r#"{"a": 1198765432109876543, "b": 1.5, "c": 2.0, "d": "x", "e": ""}"#);
        let row = row.expect("an object");
        let names = ["a", "b", "c", "d", "e", "f"].map(|key| name_of(&row, key));
        let names = names.map(Option::unwrap_or_default);
        assert_eq!(names, ["1198765432109876543", "1.5", "2", "x", "", ""]);
    }
}
