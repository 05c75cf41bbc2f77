//! What is said of many lines is said of the first of them.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::document::Problem;

/// So many kinds of warnings are told.
const MOST_TOLD: usize = 100;

/// Warnings and notes that were told.
#[derive(Default)]
pub(super) struct Told {
    kinds: HashSet<String>,
    /// How many were not.
    more: usize,
}

impl Told {
    /// Writes what was reported, a line each: errors and what is left out, and of the rest what was not told.
    pub(super) fn tell(&mut self, reported: &[u8], out: &mut dyn Write) -> io::Result<()> {
        for line in reported.split_inclusive(|byte| *byte == b'\n') {
            if self.is_to_tell(&String::from_utf8_lossy(line)) {
                out.write_all(line)?;
            }
        }
        Ok(())
    }

    /// Numbers and what is quoted make no difference.
    fn is_to_tell(&mut self, line: &str) -> bool {
        let words = [": warning: ", ": note: "];
        let said = words.iter().find_map(|word| line.split_once(word));
        let Some((_, said)) = said.filter(|_| !line.contains(Problem::LEFT_OUT)) else {
            return true;
        };
        let plain = said.split(['"', '\'']).step_by(2).flat_map(str::chars);
        let kind = plain.filter(|c| !c.is_ascii_digit()).collect();
        let is_new = self.kinds.len() < MOST_TOLD && self.kinds.insert(kind);
        self.more += usize::from(!is_new);
        is_new
    }

    /// Says how many were not told.
    pub(super) fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.more == 0 {
            return Ok(());
        }
        let words = "more warnings and notes say of other lines what is said above";
        writeln!(out, "assay: {} {words}", self.more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_is_not_told_again() {
        let reported = "\
f:1:1: warning: session \"a\" has turn 1 already
f:2:1: warning: session \"b\" has turn 12 already
f:3:1: a.b: note: unknown key 'a'
f:4:9: b: note: unknown key 'b'
f:5:1: unknown key
f:5:1: unknown key
f:6:1: warning: no text; this is left out
f:7:1: warning: no text; this is left out
";
        let (mut told, mut out) = (Told::default(), Vec::new());
        told.tell(reported.as_bytes(), &mut out).expect("a Vec");
        told.end(&mut out).expect("a Vec");
        let kept = reported.lines().enumerate();
        let kept = kept.filter(|(at, _)| ![1, 3].contains(at));
        let mut expected: Vec<&str> = kept.map(|(_, line)| line).collect();
        expected.push("assay: 2 more warnings and notes say of other lines what is said above");
        assert_eq!(String::from_utf8_lossy(&out), expected.join("\n") + "\n");
    }
}
