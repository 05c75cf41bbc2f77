//! What is said about reading a source: what was left out and how often, and problems.

use serde::{Deserialize, Serialize};

use crate::document::{Problem, Severity};
use crate::text::Place;

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// What, in the plural: `thinking blocks`.
    pub what: String,
    /// How often.
    pub times: usize,
    /// The line of the first; 0 where it is not known.
    pub first_line: u32,
}

/// The most problems that are kept.
const MOST_PROBLEMS: usize = 200;

/// The most kinds of parts that are counted by themselves.
const MOST_KINDS: usize = 50;
/// Characters of what a kind is called.
const LONGEST: usize = 100;

/// Collects what is said about reading.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// In the order in which they were first met.
    pub dropped: Vec<Dropped>,
    /// At most 200; equal ones stand once.
    pub problems: Vec<Problem>,
    /// How many more problems there were.
    pub more: usize,
    /// How many of those are errors.
    pub more_errors: usize,
}

impl Notes {
    /// Counts something that was left out.
    pub fn drop(&mut self, what: &str, line: u32) {
        self.drop_many(what, 1, line);
    }

    /// Counts several.
    pub fn drop_many(&mut self, what: &str, times: usize, line: u32) {
        if times == 0 {
            return;
        }
        // names that a file makes up are part of it: neither many nor long ones are kept
        let is_known = self.dropped.iter().any(|known| known.what == what);
        let is_full = self.dropped.len() >= MOST_KINDS;
        let what = match what.char_indices().nth(LONGEST) {
            _ if is_full && !is_known => "other parts",
            Some((end, _)) => &what[..end],
            None => what,
        };
        if let Some(known) = self.dropped.iter_mut().find(|known| known.what == what) {
            known.times += times;
            return;
        }
        self.dropped.push(Dropped {
            what: what.to_owned(),
            times,
            first_line: line,
        });
    }

    /// Remarks something that is as it should be.
    pub fn note(&mut self, line: u32, path: &str, message: impl Into<String>) {
        self.problem(Severity::Note, line, path, message);
    }

    /// Warns of something at a line.
    pub fn warn(&mut self, line: u32, path: &str, message: impl Into<String>) {
        self.problem(Severity::Warning, line, path, message);
    }

    /// Says that a part cannot be used.
    pub fn error(&mut self, line: u32, path: &str, message: impl Into<String>) {
        self.problem(Severity::Error, line, path, message);
    }

    fn problem(&mut self, severity: Severity, line: u32, path: &str, message: impl Into<String>) {
        let place = Place {
            line: line.max(1),
            column: 1,
        };
        self.push(Problem::new(severity, place, path, message));
    }

    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        if self.problems.len() >= MOST_PROBLEMS {
            self.more += 1;
            self.more_errors += usize::from(problem.severity == Severity::Error);
        } else if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Takes over what another has.
    pub fn extend(&mut self, other: Self) {
        for dropped in other.dropped {
            self.drop_many(&dropped.what, dropped.times, dropped.first_line);
        }
        for problem in other.problems {
            self.push(problem);
        }
        self.more += other.more;
        self.more_errors += other.more_errors;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_that_a_file_makes_up_are_bounded() {
        let mut notes = Notes::default();
        for at in 0..1_000 {
            notes.drop(&format!("messages of the role {at}"), 1);
        }
        notes.drop("messages of the role 3", 2);
        notes.drop(&"x".repeat(1_000), 3);
        assert_eq!(notes.dropped.len(), MOST_KINDS + 1);
        let times: usize = notes.dropped.iter().map(|dropped| dropped.times).sum();
        assert_eq!(times, 1_002);
        let mut long = Notes::default();
        long.drop(&"\u{e9}".repeat(1_000), 1);
        long.drop(&"\u{e9}".repeat(1_000), 1);
        assert_eq!((long.dropped.len(), long.dropped[0].times), (1, 2));
    }
}
