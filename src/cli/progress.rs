//! How far a job is, for somebody who waits at a terminal and sees no results there.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often it is said.
const NEWS_EVERY: Duration = Duration::from_millis(500);

/// Something of a job that is done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    /// How many things, and with how many of them something is wrong.
    pub(super) count: usize,
    pub(super) wrong: usize,
    /// How much of the whole it is, in the unit that the whole is told in.
    pub(super) share: u64,
    /// How much of the whole was there before, in the same.
    pub(super) skipped: u64,
}

/// A line on stderr that changes in its place.
pub(super) struct Progress {
    is_shown: bool,
    /// What is counted, as `lines`.
    what: &'static str,
    /// All that there is to do, where that is known.
    whole: Option<u64>,
    began: Instant,
    last: Instant,
    done: Step,
}

impl Progress {
    /// Of a job whose results go to a file, or to stdout.
    pub(super) fn new(what: &'static str, whole: Option<u64>, is_to_file: bool) -> Self {
        let now = Instant::now();
        let is_seen = io::stderr().is_terminal();
        Self {
            // among results nobody could read either
            is_shown: is_seen && (is_to_file || !io::stdout().is_terminal()),
            what,
            whole,
            began: now,
            last: now,
            done: Step::default(),
        }
    }

    /// Counts what is done, and says it from time to time.
    pub(super) fn add(&mut self, step: Step) {
        self.done.count += step.count;
        self.done.wrong += step.wrong;
        self.done.share += step.share;
        self.done.skipped += step.skipped;
        if self.is_shown && self.last.elapsed() >= NEWS_EVERY {
            self.last = Instant::now();
            // it is only said
            let _ = write!(
                io::stderr(),
                "\r{}\u{1b}[K",
                self.words(self.began.elapsed())
            );
        }
    }

    /// Takes the line away, so that something else can stand there.
    pub(super) fn hide(&self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }

    /// Leaves the line with what all came to.
    pub(super) fn end(mut self) {
        if self.is_shown {
            self.whole = None;
            let words = self.words(self.began.elapsed());
            let _ = writeln!(io::stderr(), "\r{words}\u{1b}[K");
        }
    }

    /// `12000 lines, 9800 a second, 3 with problems, 2:10 left`
    fn words(&self, passed: Duration) -> String {
        let seconds = passed.as_secs_f64().max(1e-3);
        let Step {
            count,
            wrong,
            share,
            skipped,
        } = self.done;
        let mut words = vec![
            format!("{count} {}", self.what),
            format!("{:.0} a second", count as f64 / seconds),
        ];
        if wrong > 0 {
            words.push(format!("{wrong} with problems"));
        }
        if let Some(whole) = self.whole.filter(|_| share > 0) {
            let rest = whole.saturating_sub(share + skipped) as f64;
            let left = (rest * seconds / share as f64).round() as u64;
            words.push(format!("{}:{:02} left", left / 60, left % 60));
        }
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_words() {
        let mut progress = Progress::new("lines", Some(1000), false);
        progress.done = Step {
            count: 100,
            wrong: 0,
            share: 250,
            skipped: 0,
        };
        let passed = Duration::from_secs(50);
        assert_eq!(progress.words(passed), "100 lines, 2 a second, 2:30 left");
        // what was there before says nothing of how fast it is
        progress.done.skipped = 500;
        assert_eq!(progress.words(passed), "100 lines, 2 a second, 0:50 left");
        (progress.done.wrong, progress.whole) = (3, None);
        assert_eq!(
            progress.words(passed),
            "100 lines, 2 a second, 3 with problems"
        );
    }
}
