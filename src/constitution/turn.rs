//! A turn of an agent, as it was read.

use std::sync::Arc;

use super::principles::{PerPrinciple, Principle, Principles};

/// A turn of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Its number; its place in the list, from 1, where it has none.
    pub turn_number: i64,
    /// Whether a turn before it has that number as well.
    pub is_repeated: bool,
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
    /// The scores of a mark; they stand instead of the rules.
    pub witnessed: Option<PerPrinciple>,
    /// The principles of which the turn says nothing: each scores as if nothing was wrong.
    pub by_default: Principles,
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
