//! A turn of an agent, as it was read.

use std::ops::Range;
use std::sync::Arc;

use super::principles::{PerPrinciple, Principle, Principles};
use crate::text::Place;

/// A turn of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Its number; its place in the list, from 1, where it has none.
    pub turn_number: i64,
    /// The session it is of, by its place among the sessions of the log.
    pub session: usize,
    /// Which turn of that number it is in its session: 1 unless the number is given again.
    pub occurrence: usize,
    /// The action evaluated.
    pub action: Arc<str>,
    /// What the user said.
    pub user_message: String,
    /// Whether the turn changed anything.
    pub has_mutations: bool,
    /// Whether it said so; `None` is taken from `tools_passed`.
    pub acknowledged: Option<bool>,
    /// What came of it; without one every principle is the
    /// [`PRIOR`](super::PRIOR).
    pub result: Option<TurnResult>,
    /// Scores that were given from outside.
    pub overrides: Vec<Override>,
    /// Why.
    pub reasoning: String,
    /// The scores of a mark that does not say what was measured; they stand instead of the
    /// rules.
    pub witnessed: Option<PerPrinciple>,
    /// What a witness record says of the turn, to be checked.
    pub record: Option<Box<Record>>,
    /// The principles of which the turn says nothing: each scores as if nothing was wrong.
    pub by_default: Principles,
}

impl Turn {
    /// What the assistant said; nothing where nothing came of the turn.
    pub fn response(&self) -> &str {
        let result = self.result.as_ref();
        result.map_or("", |result| result.response.as_str())
    }
}

/// What a witness record says of a turn's scoring. What it does not say is not checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Where it stands.
    pub place: Place,
    /// Its path in the document.
    pub path: String,
    /// The scores; `None` of a principle that it leaves out.
    pub scores: [Option<f64>; Principle::COUNT],
    /// The total.
    pub weighted_total: Option<f64>,
    /// The name of the band.
    pub band: Option<String>,
    /// Whether the turn was below the ethical floor.
    pub rejected: Option<bool>,
    /// Name and version of the formula.
    pub formula: Option<String>,
    /// The weights it was scored with.
    pub weights: Option<PerPrinciple>,
    /// The ethical floor, where there was one.
    pub ethical_floor: Option<f64>,
    /// SHA-256 of the text in which the turn stood.
    pub input_sha256: Option<String>,
    /// Its position there, from 1.
    pub position: Option<usize>,
    /// How many turns stood there.
    pub of: Option<usize>,
    /// SHA-256 of what was said and measured.
    pub turn_sha256: Option<String>,
    /// The reward of the step, in a policy trace.
    pub reward: Option<f64>,
    /// What the step adds to the value of the walk, in a policy trace.
    pub value: Option<f64>,
}

/// What the head of a policy trace says of its walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// Where it stands.
    pub place: Place,
    /// Its path in the document.
    pub path: String,
    /// The discount.
    pub gamma: Option<f64>,
    /// The discounted value.
    pub value: Option<f64>,
    /// How many turns there were.
    pub count: Option<usize>,
    /// The turns, by their positions in the log.
    pub turns: Range<usize>,
}

/// What came of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnResult {
    /// The assistant's text.
    pub response: String,
    /// Number of tools used.
    pub tools: usize,
    /// Whether the tools succeeded.
    pub tools_passed: bool,
    /// Share of the context in use, in [0, 1].
    pub context_utilization: Option<f64>,
}

/// A score from outside instead of the rule's.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// The principle.
    pub principle: Principle,
    /// In [0, 1].
    pub score: f64,
    /// Why.
    pub reason: Option<String>,
}
