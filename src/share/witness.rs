//! The witness record of scored turns as a file: marks, or policy traces.

use serde::Serialize;

use crate::constitution::{Log, RewardResult, marks, policy_traces};

/// The marks as a JSON array, a mark on each line.
pub fn reward_marks(log: &Log, result: &RewardResult) -> String {
    let marks = marks(log, result);
    format!("[\n{}\n]\n", lines(&marks).join(",\n"))
}

/// The policy traces as JSONL, one for each session.
pub fn reward_traces(log: &Log, result: &RewardResult) -> String {
    lines(&policy_traces(log, result)).join("\n") + "\n"
}

/// Plain data with string keys, which cannot fail to serialise.
fn lines<T: Serialize>(records: &[T]) -> Vec<String> {
    let lines = records.iter();
    let lines = lines.map(|record| serde_json::to_string(record).unwrap_or_default());
    lines.collect()
}
