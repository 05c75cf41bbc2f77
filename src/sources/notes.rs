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
/// The most kinds of things that are told apart, of those left out.
const MOST_KINDS: usize = 100;
/// What stands for all further kinds.
const FURTHER: &str = "things of other kinds";

/// Collects what is said about reading.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// In the order in which they were first met.
    pub dropped: Vec<Dropped>,
    /// At most 200; equal ones stand once.
    pub problems: Vec<Problem>,
    /// How many more problems there were.
    pub more: usize,
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
        // names of a source may stand in it: a file has as many of them as it likes
        let is_new = |what: &str| self.dropped.iter().all(|known| known.what != what);
        let is_further = self.dropped.len() >= MOST_KINDS && is_new(what);
        let what = if is_further { FURTHER } else { what };
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_beyond_a_number_are_counted_together() {
        let mut notes = Notes::default();
        for at in 0..1000 {
            notes.drop(&format!("messages of the role {at}"), at);
        }
        assert_eq!(notes.dropped.len(), MOST_KINDS + 1);
        let last = notes
            .dropped
            .last()
            .map(|last| (last.what.as_str(), last.times));
        assert_eq!(last, Some((FURTHER, 1000 - MOST_KINDS)));
    }
}
