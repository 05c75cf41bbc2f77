//! What a command prints: results to stdout, problems to stderr.

use std::collections::HashMap;

use serde::Serialize;

use super::{Failure, Status, Streams};
use crate::document::{Place, Problem, Severity, push_json};
use crate::persona::{Bar, Comparison, Metric};
use crate::text::one_line;

/// How a result is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON on one line.
    #[default]
    Line,
    /// JSON, indented.
    Pretty,
    /// Text for people.
    Summary,
}

impl Format {
    /// Takes the one way that is asked for.
    pub(super) fn choose(&mut self, asked: Self) -> Result<(), Failure> {
        if *self != Self::Line && *self != asked {
            let message = "only one of --pretty and --summary may be given";
            return Err(Failure::Usage(message.into()));
        }
        *self = asked;
        Ok(())
    }
}

/// Prints all problems as `FILE:LINE:COLUMN: path: message (hint)`; warnings and
/// notes say that they are, and those that say the same stand once, at the first place, with
/// how often. `file` names the file of a problem.
pub(super) fn report(
    problems: &[Problem],
    file: impl Fn(&Problem) -> String,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let mut times = HashMap::<(&str, String), usize>::new();
    for problem in problems {
        *times.entry((&problem.message, file(problem))).or_default() += 1;
    }
    for problem in problems {
        let mut shown = problem.clone();
        if problem.severity != Severity::Error {
            match times.remove(&(problem.message.as_str(), file(problem))) {
                None => continue,
                Some(1) => {}
                Some(times) => shown.message = format!("{}, {times} times", problem.message),
            }
        }
        match problem.severity {
            Severity::Error => {}
            Severity::Warning => shown.message.insert_str(0, "warning: "),
            Severity::Note => shown.message.insert_str(0, "note: "),
        }
        let hint = problem.hint.as_ref().map(|hint| format!(" ({hint})"));
        let line = shown.located(&file(problem));
        let line = line + &hint.unwrap_or_default();
        writeln!(streams.stderr, "{}", one_line(&line))?;
    }
    Ok(())
}

/// Whether a problem says that something that was given is not scored.
pub(super) fn is_loss(problem: &Problem) -> bool {
    problem.severity == Severity::Error || problem.is_left_out()
}

/// How much problems leave out.
pub(super) fn losses<'a>(problems: impl IntoIterator<Item = &'a Problem>) -> usize {
    let lost = problems.into_iter().filter(|one| is_loss(one));
    lost.count()
}

/// The problems of a text that stands after other lines, at their lines in the whole.
pub(super) fn placed(problems: Vec<Problem>, before: u32) -> Vec<Problem> {
    let place = Place {
        line: before + 1,
        column: 1,
    };
    placed_at(problems, place)
}

/// The same of a text that begins at a place.
pub(super) fn placed_at(mut problems: Vec<Problem>, place: Place) -> Vec<Problem> {
    for problem in problems.iter_mut().filter(|problem| is_of_text(problem)) {
        if problem.line == 1 {
            problem.column += place.column.saturating_sub(1);
        }
        problem.line += place.line.saturating_sub(1);
    }
    problems
}

/// What stands beside the text has lines of its own.
fn is_of_text(problem: &Problem) -> bool {
    matches!(problem.input.as_deref(), None | Some("transcript"))
}

/// What problems are said to be in, where their places are in what was made of a file.
pub(super) const MADE: &str = "made";

/// Says that the places of problems are in what was made of a file.
pub(super) fn of_made(mut problems: Vec<Problem>) -> Vec<Problem> {
    for problem in problems.iter_mut().filter(|problem| is_of_text(problem)) {
        problem.input = Some(MADE.to_owned());
    }
    problems
}

/// The name of what was made of a file.
pub(super) fn as_read(name: &str) -> String {
    format!("{name}, as it was read")
}

/// Prints what `--validate` finds: on stdout errors and what is left out only, as an input with another
/// warning is valid; on stderr everything with its place.
pub(super) fn validation(
    (problems, lost): (Vec<Problem>, usize),
    file: impl Fn(&Problem) -> String,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    report(&problems, file, streams)?;
    let mut errors = problems;
    errors.retain(is_loss);
    if errors.len() + lost == 0 {
        writeln!(streams.stdout, "Payload is valid.")?;
        return Ok(Status::Done);
    }
    let count = errors.len() + lost;
    writeln!(streams.stdout, "Validation failed ({count} errors):")?;
    for error in errors {
        writeln!(streams.stdout, "  - {}", one_line(&error.message))?;
    }
    if lost > 0 {
        writeln!(
            streams.stdout,
            "  - {lost} lines or parts of the input could not be read, as stderr says"
        )?;
    }
    Ok(Status::BadInput)
}

/// Says which bars a persona missed, by its metrics and what they changed from a baseline.
pub(super) fn hold(
    bars: &[Bar],
    of: impl Fn(Metric) -> Option<f64>,
    comparison: Option<&Comparison>,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let mut status = Status::Done;
    for bar in bars {
        if let Some(missed) = bar.missed(&of, comparison) {
            writeln!(streams.stderr, "assay: {missed}")?;
            status = Status::BarMissed;
        }
    }
    Ok(status)
}

/// So long are most results, in bytes.
pub(super) const COMMON: usize = 1 << 12;

/// Prints a result.
pub(super) fn result<T: Serialize>(
    result: &T,
    format: Format,
    summary: impl Fn(&T) -> String,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let mut text = Vec::with_capacity(COMMON);
    match format {
        Format::Line => push_json(&mut text, result).map_err(written)?,
        Format::Pretty => serde_json::to_writer_pretty(&mut text, result).map_err(written)?,
        Format::Summary => text = summary(result).into_bytes(),
    }
    text.push(b'\n');
    streams.stdout.write_all(&text)?;
    Ok(())
}

/// Prints what was written in the shape of another tool; says so where it is nothing.
pub(super) fn back(text: &str, streams: &mut Streams) -> Result<(), Failure> {
    if text.is_empty() {
        writeln!(streams.stderr, "assay: there is nothing to write")?;
    }
    streams.stdout.write_all(text.as_bytes())?;
    Ok(())
}

/// Results have string keys and finite numbers, so this does not fail; if it
/// ever did, it would be said.
fn written(error: serde_json::Error) -> Failure {
    Failure::Stream(error.into())
}

/// The same of what was written to a text.
pub(super) fn json(text: serde_json::Result<String>) -> Result<String, Failure> {
    text.map_err(written)
}
