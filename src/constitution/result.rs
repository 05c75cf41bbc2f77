//! What scored turns give back, field for field as interfaces have it.

use serde::Serialize;

use super::principles::PerPrinciple;
use super::reward::ScoredTurn;
use super::session::Session;

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
    /// The turns in order.
    pub turns: Vec<ScoredTurn>,
    /// What holds of all turns together.
    pub session: Session,
    /// SHA-256 of the input.
    pub input_sha256: String,
}
