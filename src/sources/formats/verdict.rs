//! Words that verdicts of several formats have in common.

use crate::document::{Node, Value};

/// A text, or a number or a truth value as one: ids, names and values of variables.
pub(super) fn word(value: &Node) -> Option<String> {
    match &value.value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// The first of some keys that has a text, a number or a truth value.
pub(super) fn first_word(row: &Node, keys: &[&str]) -> Option<String> {
    let mut found = keys.iter().filter_map(|key| word(row.find(key)?));
    found.find(|word| !word.is_empty())
}

/// What a verdict on two says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    First,
    Second,
    Tie,
}

impl Verdict {
    /// The better seat; none of a tie.
    pub(super) fn winner(self) -> Option<usize> {
        match self {
            Self::First => Some(0),
            Self::Second => Some(1),
            Self::Tie => None,
        }
    }
}

/// The seat that a verdict like `A>B` or `B>>A` puts first (none of a tie), and how often it
/// counts: twice where the judge is very sure.
pub(super) fn seat(verdict: &str) -> Option<(Option<usize>, u32)> {
    let verdict: String = verdict
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '[' | ']'))
        .collect();
    match verdict.to_ascii_uppercase().as_str() {
        "A>>B" | "B<<A" => Some((Some(0), 2)),
        "A>B" | "B<A" => Some((Some(0), 1)),
        "A=B" | "B=A" => Some((None, 1)),
        "B>A" | "A<B" => Some((Some(1), 1)),
        "B>>A" | "A<<B" => Some((Some(1), 2)),
        _ => None,
    }
}
