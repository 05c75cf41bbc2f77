//! Constitutional reward: every turn on seven principles, weighted, witnessed
//! (`constitutional-reward/1`, SCORING.md section 1).
//!
//! [`read`] once, [`score`] as often as a weight changes; [`evaluate`] does both.

mod bands;
pub mod form;
mod intervals;
mod marks;
mod principles;
mod read;
mod reward;
mod session;
mod turn;

pub use bands::{Band, BandCounts};
pub use intervals::{Closest, End, Flip, Intervals, Nearest, WeightInterval, intervals};
pub use marks::{Mark, marks};
pub use principles::{
    CLEAN_TOOLS, DEFAULT_WEIGHTS, FULL_LENGTH, PerPrinciple, ROOMY_CONTEXT, SCALE,
};
pub use read::{Log, parse, read, read_from, read_in_steps};
pub use reward::ScoredTurn;
pub use session::Session;
pub use turn::{Override, Turn, TurnResult};

use serde::Serialize;

use crate::analysis::{check_weights, overlay, sum};
use crate::document::{Evaluation, Place, Problem, Severity};

/// Name and version of the formula.
pub const FORMULA: &str = "constitutional-reward/1";

/// The ethical floor when it is switched on without a value.
pub const DEFAULT_ETHICAL_FLOOR: f64 = 0.6;

/// The discount of later turns unless the caller says otherwise.
pub const DEFAULT_GAMMA: f64 = 0.99;

/// What the caller may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Weight of named principles; the others keep their default. They stand
    /// above the weights that the input itself brings.
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
            gamma: DEFAULT_GAMMA,
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

/// Reads and scores turns (one, an array, JSONL, a session, or marks).
pub fn evaluate(text: &str, options: &Options) -> Evaluation<RewardResult> {
    let read = read(text);
    let mut problems = read.problems;
    let result = read.result.and_then(|log| {
        let scored = score(&log, options);
        problems.extend(scored.problems);
        scored.result
    });
    Evaluation { result, problems }
}

/// Scores turns that were read. Pure and quick: the work of every change of a
/// weight. The problems are those of the options, not of reading.
///
/// ```
/// use assay::constitution::{Band, Options, read, score};
///
/// let log = read(r#"{"turn_result": {"response": "Great!"}}"#).result.expect("a valid turn");
/// let result = score(&log, &Options::default()).result.expect("valid weights");
/// // 6 characters: 0.65 on joy_inducing, which weighs 1.2
/// assert_eq!(result.turns[0].weighted_total, 8.28);
/// assert_eq!(result.turns[0].band, Band::Good);
/// ```
pub fn score(log: &Log, options: &Options) -> Evaluation<RewardResult> {
    let Evaluation {
        result: weights,
        problems,
    } = weights(log, options);
    let result = weights.map(|weights| weigh_all(log, options, weights));
    Evaluation { result, problems }
}

/// The weights that turns are scored with, checked together with the other options.
pub fn weights(log: &Log, options: &Options) -> Evaluation<PerPrinciple> {
    let replace = options.replace_weights || log.replace_weights;
    let mut weights = if replace {
        PerPrinciple::all(1.0)
    } else {
        DEFAULT_WEIGHTS
    };
    let mut problems = overlay(&log.weights, &mut weights.slots_mut());
    problems.extend(overlay(&options.weights, &mut weights.slots_mut()));
    problems.extend(check_weights(&weights.named()));
    check_share("gamma", Some(options.gamma), &mut problems);
    check_share("ethical_floor", options.ethical_floor, &mut problems);
    Evaluation {
        result: problems.is_empty().then_some(weights),
        problems,
    }
}

fn weigh_all(log: &Log, options: &Options, weights: PerPrinciple) -> RewardResult {
    let turns: Vec<_> = log
        .turns
        .iter()
        .zip(&log.measured)
        .map(|(turn, measured)| reward::score_turn(turn, measured, &weights, options.ethical_floor))
        .collect();
    RewardResult {
        formula: FORMULA,
        weights,
        weights_sum: sum(&weights.values()),
        session: session::sum_up(&turns, options.gamma),
        turns,
        input_sha256: log.input_sha256.clone(),
    }
}

fn check_share(name: &str, value: Option<f64>, problems: &mut Vec<Problem>) {
    if let Some(value) = value.filter(|value| !(0.0..=1.0).contains(value)) {
        let start = Place { line: 1, column: 1 };
        let message = format!("{name} must be a number in [0, 1], got {value}");
        let mut problem = Problem::new(Severity::Error, start, name, message);
        problem.input = Some("options".into());
        problems.push(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: &str =
        r#"{"has_mutations": true, "turn_result": {"response": "Done!", "tools_passed": false}}"#;

    fn total(text: &str, options: &Options) -> f64 {
        let found = evaluate(text, options);
        found.result.expect("valid").turns[0].weighted_total
    }

    #[test]
    fn weights_merge_or_replace() {
        let mut options = Options {
            weights: vec![("ethical".into(), 3.0)],
            ..Options::default()
        };
        assert_eq!(total(TURN, &options), 7.75);
        options.replace_weights = true;
        assert_eq!(total(TURN, &options), 7.125);
        let session = format!(
            r#"{{"turns": [{TURN}], "weights": {{"ethical": 3, "curated": 0}}, "weights_mode": "replace"}}"#
        );
        assert_eq!(total(&session, &Options::default()), 6.125);
        let above = Options {
            weights: vec![("curated".into(), 1.0)],
            ..Options::default()
        };
        assert_eq!(total(&session, &above), 7.125);
    }

    #[test]
    fn the_floor_rejects_and_still_shows_the_total() {
        let options = Options {
            ethical_floor: Some(DEFAULT_ETHICAL_FLOOR),
            ..Options::default()
        };
        let turn = evaluate(TURN, &options)
            .result
            .expect("valid")
            .turns
            .remove(0);
        assert!(turn.rejected);
        assert_eq!(turn.weighted_total, 7.25);
        assert!(
            turn.notes
                .iter()
                .any(|note| note.contains("below the floor of 0.6"))
        );
    }

    #[test]
    fn the_discounted_value_starts_with_the_first_turn() {
        let options = Options {
            gamma: 0.5,
            ..Options::default()
        };
        let session = evaluate("[{}, {}, {}]", &options)
            .result
            .expect("valid")
            .session;
        assert!((session.discounted_value - 8.7 * 1.75).abs() < 1e-12);
        assert_eq!((session.mean_total, session.trend), (8.7, Some(0.0)));
    }

    #[test]
    fn wrong_options_are_all_named() {
        let options = Options {
            weights: vec![("ethical".into(), f64::NAN), ("moral".into(), 1.0)],
            ethical_floor: Some(2.0),
            gamma: -1.0,
            ..Options::default()
        };
        let found = evaluate("{}", &options);
        let paths: Vec<_> = found.problems.iter().map(|p| p.path.as_str()).collect();
        assert_eq!(
            paths,
            ["weights.moral", "weights.ethical", "gamma", "ethical_floor"]
        );
        assert_eq!(found.result, None);
    }
}
