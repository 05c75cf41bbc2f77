//! What the caller may change: the weights, the ethical floor, the discount.

use super::log::Log;
use super::principles::{DEFAULT_WEIGHTS, PerPrinciple};
use crate::analysis::{check_weights, overlay};
use crate::document::{Evaluation, Place, Problem, Severity};

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

/// The weights that turns are scored with, checked together with the other options.
pub fn weights(log: &Log, options: &Options) -> Evaluation<PerPrinciple> {
    weights_over((&log.weights, log.replace_weights), options)
}

/// The same of turns that bring no weights.
pub fn own_weights(options: &Options) -> Evaluation<PerPrinciple> {
    weights_over((&[], false), options)
}

fn weights_over(
    (given, is_replacing): (&[(String, f64)], bool),
    options: &Options,
) -> Evaluation<PerPrinciple> {
    let replace = options.replace_weights || is_replacing;
    let mut weights = if replace {
        PerPrinciple::all(1.0)
    } else {
        DEFAULT_WEIGHTS
    };
    let mut problems = overlay(given, &mut weights.slots_mut());
    problems.extend(overlay(&options.weights, &mut weights.slots_mut()));
    problems.extend(check_weights(&weights.named()));
    check_share("gamma", Some(options.gamma), &mut problems);
    check_share("ethical_floor", options.ethical_floor, &mut problems);
    Evaluation {
        result: problems.is_empty().then_some(weights),
        problems,
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
