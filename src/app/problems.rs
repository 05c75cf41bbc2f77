//! Which of an evaluation's problems belong to which input, and which stand beside the verdict.

use super::format::sentence;
use crate::document::Problem;

/// What stands for the settings where problems name an input.
pub const OPTIONS: &str = "options";

/// The problems of one text; those that name no input belong to the main one.
pub fn problems_of(problems: &[Problem], input: &str, main: &str) -> Vec<Problem> {
    let belongs = |problem: &&Problem| problem.input.as_deref().unwrap_or(main) == input;
    problems.iter().filter(belongs).cloned().collect()
}

/// Those that make the whole result doubtful, as they are said beside the verdict too.
pub fn doubts(problems: &[Problem]) -> impl Iterator<Item = Problem> {
    let doubts = problems.iter().filter(|problem| problem.code.is_doubt());
    doubts.map(|problem| Problem {
        input: Some(OPTIONS.to_owned()),
        message: sentence(&problem.message),
        ..problem.clone()
    })
}
