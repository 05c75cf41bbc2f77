//! The fields of a turn, each read with its check.

use std::sync::Arc;

use super::principles::{PerPrinciple, Principle, Principles};
use super::turn::Override;
use crate::analysis::MOST_WEIGHT;
use crate::document::{Code, Entry, Problems, Reader, Value};
use crate::text::Shown;

/// What a turn does when it does not say.
pub(super) const DEFAULT_ACTION: &str = "send_message";

/// Weights by the names of principles.
pub(super) fn read_weights(weights: &Reader, problems: &mut Problems) -> Vec<(String, f64)> {
    let mut read = Vec::new();
    if !matches!(weights.value(), Value::Map(_)) {
        weights.expected("an object of principle and weight", problems);
    }
    for Entry { key, .. } in weights.entries() {
        let Some(reader) = weights.get(key) else {
            continue;
        };
        match reader.as_f64() {
            _ if !PerPrinciple::NAMES.contains(&key.as_str()) => {
                unknown_principle(&reader, key, problems);
            }
            Some(weight) if (0.0..=MOST_WEIGHT).contains(&weight) => {
                read.push((key.clone(), weight));
            }
            _ => {
                let given = reader.value().describe();
                let message =
                    format!("weight {key} must be a number from 0 to {MOST_WEIGHT}, got {given}");
                problems.error(&reader, message);
            }
        }
    }
    read
}

fn unknown_principle(at: &Reader, name: &str, problems: &mut Problems) {
    let names = PerPrinciple::NAMES.join(", ");
    let message = format!(
        "unknown principle {:?}: expected one of {names}",
        Shown(name)
    );
    problems.error(at, message).code = Code::UnknownName;
}

pub(super) fn action(turn: &Reader, problems: &mut Problems) -> Arc<str> {
    let action = text(turn, "action", problems);
    action.unwrap_or(DEFAULT_ACTION).into()
}

/// The principles of which a turn says nothing: none that its rule could measure, and no
/// override.
pub(super) fn by_default(turn: &Reader, overrides: &[Override]) -> Principles {
    let result = turn.get_some("turn_result");
    let is_said = |key| {
        result
            .as_ref()
            .is_some_and(|result| result.get_some(key).is_some())
    };
    let is_measured = |principle| match principle {
        Principle::Ethical => result.is_some() && turn.get_some("has_mutations").is_some(),
        // no response is one of no characters
        Principle::JoyInducing => result.is_some(),
        Principle::Composable => is_said("tools"),
        Principle::Generative => is_said("context_utilization"),
        Principle::Tasteful | Principle::Curated | Principle::Heterarchical => false,
    };
    let mut unsaid = Principles::those(|principle| !is_measured(principle));
    for given in overrides {
        unsaid.remove(given.principle);
    }
    unsaid
}

pub(super) fn turn_number(turn: &Reader, index: usize, problems: &mut Problems) -> i64 {
    let default = index as i64 + 1;
    let Some(reader) = turn.get_some("turn_number") else {
        return default;
    };
    reader
        .as_integer()
        .filter(|number| *number >= 0)
        .unwrap_or_else(|| {
            reader.expected("a whole number from 0", problems);
            default
        })
}

/// `{"<principle>": 0.4}` or `{"<principle>": {"score": 0.4, "reason": "..."}}`
/// (`value` may stand for `score`). A `reason` beside the principles holds for
/// those without one of their own.
pub(super) fn read_overrides(turn: &Reader, problems: &mut Problems) -> Vec<Override> {
    let Some(given) = turn.get_some("overrides") else {
        return Vec::new();
    };
    if !matches!(given.value(), Value::Map(_)) {
        given.expected("an object of principle and score", problems);
    }
    let shared_reason = text(&given, "reason", problems);
    for entry in given.entries() {
        if entry.key != "reason" && !PerPrinciple::NAMES.contains(&entry.key.as_str()) {
            unknown_principle(&given.child(entry), &entry.key, problems);
        }
    }
    Principle::ALL
        .into_iter()
        .filter_map(|principle| {
            let reader = given.get_some(principle.name())?;
            let (score, reason) = if matches!(reader.value(), Value::Map(_)) {
                reader.check_keys(&["score", "value", "reason"], problems);
                let score = reader
                    .get_some("score")
                    .or_else(|| reader.get_some("value"));
                if score.is_none() {
                    problems.error(&reader, "missing 'score'").code = Code::Missing;
                }
                (score?, text(&reader, "reason", problems))
            } else {
                (reader, None)
            };
            Some(Override {
                principle,
                score: share(&score, problems)?,
                reason: reason.or(shared_reason).map(str::to_owned),
            })
        })
        .collect()
}

/// A number in [0, 1].
pub(super) fn share(reader: &Reader, problems: &mut Problems) -> Option<f64> {
    let value = reader.as_f64().filter(|value| (0.0..=1.0).contains(value));
    if value.is_none() {
        reader.expected("a number in [0, 1]", problems);
    }
    // -0.0 is in the range too
    value.map(|value| value + 0.0)
}

pub(super) fn boolean(of: &Reader, key: &str, problems: &mut Problems) -> Option<bool> {
    let reader = of.get_some(key)?;
    let value = reader.as_bool();
    if value.is_none() {
        reader.expected("true or false", problems);
    }
    value
}

pub(super) fn text<'a>(of: &Reader<'a>, key: &str, problems: &mut Problems) -> Option<&'a str> {
    let reader = of.get_some(key)?;
    let value = reader.as_str();
    if value.is_none() {
        reader.expected("a string", problems);
    }
    value
}

pub(super) fn owned_text(of: &Reader, key: &str, problems: &mut Problems) -> String {
    text(of, key, problems).unwrap_or_default().to_owned()
}

pub(super) fn list_length(of: &Reader, key: &str, problems: &mut Problems) -> usize {
    let Some(reader) = of.get_some(key) else {
        return 0;
    };
    if let Value::List(items) = reader.value() {
        return items.len();
    }
    reader.expected("a list", problems);
    0
}
