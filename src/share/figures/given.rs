//! What stands in a result's JSON. Of one that somebody changed anything may be missing.

use serde_json::Value;

use crate::analysis::round4;

/// A number; none where it is not measured.
pub(super) fn number(of: &Value, key: &str) -> Option<f64> {
    of.get(key)?.as_f64()
}

/// A text; empty where there is none.
pub(super) fn text<'a>(of: &'a Value, key: &str) -> &'a str {
    of.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The items of a list.
pub(super) fn list<'a>(of: &'a Value, key: &str) -> &'a [Value] {
    let list = of.get(key).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// A value for people: a number to four decimals, a text as it is, a list with commas, nothing of null.
pub(super) fn plain(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            let items: Vec<String> = items.iter().map(|item| plain(Some(item))).collect();
            items.join(", ")
        }
        Some(Value::Number(number)) if number.is_f64() => {
            let value = number.as_f64().map(round4).unwrap_or_default();
            value.to_string()
        }
        Some(other) => other.to_string(),
    }
}

/// The formula and the input of a result, in a line.
pub(super) fn source(result: &Value) -> String {
    let tried = result.get("what_if").map(|tried| text(tried, "words"));
    let tried = tried.filter(|words| !words.is_empty());
    let tried = tried.map_or_else(String::new, |words| {
        format!("What if, not as entered: {words}. ")
    });
    let short: String = text(result, "input_sha256").chars().take(12).collect();
    format!("{tried}{}, input SHA-256 {short}…", text(result, "formula"))
}
