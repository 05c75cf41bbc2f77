//! What scored turns give back, field for field as interfaces have it.

use std::sync::Arc;

use serde::Serialize;

use super::principles::PerPrinciple;
use super::reward::ScoredTurn;
use super::session::{ScoredSession, Session};

/// Name and version of the formula.
pub const FORMULA: &str = "constitutional-reward/1";

/// A scored session, as interfaces give it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RewardResult {
    /// `constitutional-reward/1`.
    pub formula: &'static str,
    /// The weights used.
    pub weights: PerPrinciple,
    /// Their sum.
    pub weights_sum: f64,
    /// The ethical floor, where there is one.
    #[serde(skip)]
    pub ethical_floor: Option<f64>,
    /// The discount of later turns, in [0, 1].
    #[serde(skip)]
    pub gamma: f64,
    /// The id of the session, where there is one session and it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<Arc<str>>,
    /// The turns in the order of the text.
    pub turns: Vec<ScoredTurn>,
    /// What holds of all turns together.
    pub session: Session,
    /// What holds of each session, in the order in which they begin; empty where there is
    /// one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<ScoredSession>,
    /// SHA-256 of the input.
    pub input_sha256: String,
}
