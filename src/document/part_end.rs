//! How a part ends, whatever it is a part of, and how the heads of two differ.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::Shown;

/// What the last line of a part says: the job that wrote it came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEnd {
    /// How many sessions, or lines of them, were left out of it: they could not be read or scored.
    pub left_out: usize,
    /// How many sessions are in it; not said by parts that were written before this was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sessions: Option<usize>,
}

impl PartEnd {
    /// Of a part with so many sessions, of which so much was left out.
    pub fn new(left_out: usize, sessions: usize) -> Self {
        Self {
            left_out,
            sessions: Some(sessions),
        }
    }
}

/// So many differences are told.
const MOST_TOLD: usize = 4;

/// What of settings is not as in those of the first part, in words: `seed 7 (there 42)`.
pub fn unlike(first: &impl Serialize, other: &impl Serialize) -> String {
    let mut found = Vec::new();
    let both = [serde_json::to_value(first), serde_json::to_value(other)];
    if let [Ok(first), Ok(other)] = &both {
        tell(first, other, "", &mut found);
    }
    let more = found.len().saturating_sub(MOST_TOLD);
    found.truncate(MOST_TOLD);
    if more > 0 {
        found.push(format!("{more} more"));
    }
    found.join(", ")
}

fn tell(first: &Value, other: &Value, name: &str, found: &mut Vec<String>) {
    if first == other {
        return;
    }
    let (Value::Object(first), Value::Object(other)) = (first, other) else {
        let [first, other] = [first, other].map(Value::to_string);
        found.push(format!(
            "{name} {} (there {})",
            Shown(&other),
            Shown(&first)
        ));
        return;
    };
    let more = other.keys().filter(|key| !first.contains_key(*key));
    for key in first.keys().chain(more) {
        let [first, other] = [first, other].map(|map| map.get(key).unwrap_or(&Value::Null));
        let name = match name {
            "" => key.clone(),
            name => format!("{name}.{key}"),
        };
        tell(first, other, &name, found);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_alike_is_named_with_both_values() {
        let first = json!({"seed": 42, "weights": {"a": 0.5, "b": 1}, "same": [1]});
        let other = json!({"seed": 7, "weights": {"a": 0.5, "b": 2}, "same": [1], "more": "x"});
        let told = "seed 7 (there 42), weights.b 2 (there 1), more \"x\" (there null)";
        assert_eq!(unlike(&first, &other), told);
        assert_eq!(unlike(&first, &first), "");
        let many = json!({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1});
        assert!(unlike(&many, &json!({})).ends_with("d null (there 1), 2 more"));
    }
}
