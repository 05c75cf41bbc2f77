//! Constitutional reward: every turn on seven principles, weighted, witnessed
//! (`constitutional-reward/1`, SCORING.md section 1).

use serde::Serialize;

use crate::document::Evaluation;

/// Name and version of the formula.
pub const FORMULA: &str = "constitutional-reward/1";

/// One number per principle, in the order of the method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // the principles' names are the field's own
pub struct PerPrinciple {
    pub tasteful: f64,
    pub curated: f64,
    pub ethical: f64,
    pub joy_inducing: f64,
    pub composable: f64,
    pub heterarchical: f64,
    pub generative: f64,
}

/// What the caller may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Weight of named principles; the others keep their default.
    pub weights: Vec<(String, f64)>,
    /// The original code's behaviour: principles without a given weight get 1.0.
    pub replace_weights: bool,
    /// A turn whose ethical score is below the floor is rejected; `None` is off.
    pub ethical_floor: Option<f64>,
    /// Discount of later turns, in [0, 1].
    pub gamma: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            weights: Vec::new(),
            replace_weights: false,
            ethical_floor: None,
            gamma: 0.99,
        }
    }
}

/// A scored session, as interfaces give it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RewardResult {
    /// `constitutional-reward/1`.
    pub formula: &'static str,
    /// The weights used.
    pub weights: PerPrinciple,
    /// Their sum.
    pub weights_sum: f64,
    /// The turns in order.
    pub turns: Vec<ScoredTurn>,
    /// What holds of all turns together.
    pub session: Session,
    /// SHA-256 of the input.
    pub input_sha256: String,
}

/// A scored turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoredTurn {
    /// Number of the turn.
    pub turn_number: i64,
    /// The action evaluated.
    pub action: String,
    /// Score per principle, in [0, 1].
    pub scores: PerPrinciple,
    /// Weight x score.
    pub contributions: PerPrinciple,
    /// Sum of the contributions.
    pub weighted_total: f64,
    /// Total / sum of weights, in [0, 1].
    pub normalised: f64,
    /// The band of the total scaled to 8.7.
    pub band: Band,
    /// Below the ethical floor.
    pub rejected: bool,
    /// What was not measured, overridden, or odd.
    pub notes: Vec<String>,
}

/// Bands of the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // named by the method
pub enum Band {
    Perfect,
    Good,
    Concerning,
    Poor,
}

/// How many turns fall in each band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // named by the method
pub struct BandCounts {
    pub perfect: usize,
    pub good: usize,
    pub concerning: usize,
    pub poor: usize,
}

/// A session's summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Session {
    /// Number of turns.
    pub turns: usize,
    /// Mean of the totals.
    pub mean_total: f64,
    /// Mean per principle.
    pub mean_scores: PerPrinciple,
    /// The principle with the lowest mean.
    pub weakest: &'static str,
    /// Turns per band.
    pub bands: BandCounts,
    /// Least-squares slope of the total over the turns, per turn; null with fewer than two.
    pub trend: Option<f64>,
    /// Sum of gamma^t x total_t, t from 0.
    pub discounted_value: f64,
}

/// Reads and scores turns (one, an array, JSONL, a session, or marks).
pub fn evaluate(text: &str, options: &Options) -> Evaluation<RewardResult> {
    let _ = (text, options);
    Evaluation {
        result: None,
        problems: Vec::new(),
    }
}
