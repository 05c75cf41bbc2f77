//! Which of an evaluation's problems belong to which input.

use crate::document::Problem;

/// What stands for the settings where problems name an input.
pub const OPTIONS: &str = "options";

/// The problems of one text; those that name no input belong to the main one.
pub fn problems_of(problems: &[Problem], input: &str, main: &str) -> Vec<Problem> {
    let belongs = |problem: &&Problem| problem.input.as_deref().unwrap_or(main) == input;
    problems.iter().filter(belongs).cloned().collect()
}
