//! What any set of weights must be, and how some replace others.

use crate::document::{Place, Problem, Severity};
use crate::text::Shown;

/// The largest weight: beyond it a total no longer has 4 decimals in a 64-bit float.
pub const MOST_WEIGHT: f64 = 1e9;

/// The input that problems with the caller's options are reported for.
const OPTIONS: &str = "options";

/// Puts named weights over those at `slots`; a name given twice counts the last time.
/// A name that is not among the slots is an error that lists the valid ones.
pub fn overlay(given: &[(String, f64)], slots: &mut [(&str, &mut f64)]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, value) in given {
        if let Some((_, slot)) = slots.iter_mut().find(|(slot, _)| slot == name) {
            **slot = *value;
        } else {
            let valid: Vec<_> = slots.iter().map(|(slot, _)| *slot).collect();
            problems.push(problem(
                &format!("weights.{name}"),
                format!(
                    "unknown weight {:?}: expected one of {}",
                    Shown(name),
                    valid.join(", ")
                ),
            ));
        }
    }
    problems
}

/// Checks that every weight is between 0 and [`MOST_WEIGHT`] and one is above 0.
/// The problems carry the path `weights.<name>` and the input `options`.
pub fn check_weights(weights: &[(&str, f64)]) -> Vec<Problem> {
    let mut problems: Vec<_> = weights
        .iter()
        .filter(|(_, value)| !(0.0..=MOST_WEIGHT).contains(value))
        .map(|(name, value)| {
            problem(
                &format!("weights.{name}"),
                format!("weight {name} must be a number from 0 to {MOST_WEIGHT}, got {value}"),
            )
        })
        .collect();
    if problems.is_empty() && weights.iter().all(|(_, value)| *value == 0.0) {
        let names: Vec<_> = weights.iter().map(|(name, _)| *name).collect();
        problems.push(problem(
            "weights",
            format!(
                "at least one weight must be above 0: {} are all 0",
                names.join(", ")
            ),
        ));
    }
    problems
}

fn problem(path: &str, message: String) -> Problem {
    let start = Place { line: 1, column: 1 };
    let mut problem = Problem::new(Severity::Error, start, path, message);
    problem.input = Some(OPTIONS.into());
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_weight_is_named() {
        for bad in [-0.1, f64::NAN, f64::INFINITY, 1e10] {
            let problems = check_weights(&[("w_base", 1.0), ("w_risk", bad)]);
            assert_eq!(problems.len(), 1, "{bad}");
            assert!(problems[0].message.contains("w_risk"));
        }
        assert_eq!(check_weights(&[("a", 0.0), ("b", 0.0)]).len(), 1);
        assert_eq!(check_weights(&[("a", 0.0), ("b", 0.1)]).len(), 0);
    }

    #[test]
    fn named_weights_replace_and_unknown_names_are_listed() {
        let (mut base, mut risk) = (1.0, 2.0);
        let given = [("w_risk".into(), 3.0), ("w_rsk".into(), 4.0)];
        let problems = overlay(&given, &mut [("w_base", &mut base), ("w_risk", &mut risk)]);
        assert_eq!((base, risk), (1.0, 3.0));
        assert!(problems[0].message.contains("w_base, w_risk"));
    }
}
