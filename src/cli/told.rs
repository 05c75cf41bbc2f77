//! What is said of many lines is said of the first of them.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::document::Problem;

/// How it begins that parts of a conversation are not taken.
pub(super) const LEFT_OUT: &str = "left out: ";

/// How it begins that a name is not known.
const UNKNOWN: &str = "unknown ";

/// So many kinds of warnings are told.
const MOST_TOLD: usize = 100;

/// Warnings and notes that were told.
#[derive(Default)]
pub(super) struct Told {
    kinds: HashSet<String>,
    /// Of names that are not known, which may be many.
    names: HashSet<String>,
    /// How many were not, as others say the same, and as there were too many kinds.
    again: usize,
    further: usize,
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

    /// Numbers make no difference, nor does what is quoted, but for what was left out and for names that are not
    /// known: each of them may be another one misspelled.
    fn is_to_tell(&mut self, line: &str) -> bool {
        let words = [": warning: ", ": note: "];
        let said = words.iter().find_map(|word| line.split_once(word));
        let said = said.filter(|(before, _)| !is_quoted(before));
        let Some((_, said)) = said.filter(|_| !line.contains(Problem::LEFT_OUT)) else {
            return true;
        };
        let is_named = [LEFT_OUT, UNKNOWN].iter().any(|own| said.starts_with(own));
        let step = if is_named { 1 } else { 2 };
        let plain = said.split(['"', '\'']).step_by(step).flat_map(str::chars);
        let kind: String = plain.filter(|c| !c.is_ascii_digit()).collect();
        let kinds = if said.starts_with(UNKNOWN) {
            &mut self.names
        } else {
            &mut self.kinds
        };
        if kinds.contains(&kind) {
            self.again += 1;
            return false;
        }
        let is_room = kinds.len() < MOST_TOLD;
        if is_room {
            kinds.insert(kind);
        } else {
            self.further += 1;
        }
        is_room
    }

    /// Says how many were not told.
    pub(super) fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        let told = [
            (
                self.again,
                "that differ from one above in places, numbers and names alone",
            ),
            (self.further, "of other kinds, which are not told"),
        ];
        for (number, words) in told.into_iter().filter(|(number, _)| *number > 0) {
            writeln!(out, "assay: warnings and notes {words}: {number}")?;
        }
        Ok(())
    }
}

/// Whether a quotation is open where a line of a report goes on: an error may quote what a warning says.
fn is_quoted(line: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = line.split(':').map(str::trim_ascii_start);
    // an apostrophe in the name of the file quotes nothing
    let _ = parts.by_ref().find(|part| is_number(part));
    let mut open = None;
    for c in parts
        .flat_map(str::chars)
        .filter(|c| ['"', '\''].contains(c))
    {
        open = if open.is_none() {
            Some(c)
        } else {
            open.filter(|of| *of != c)
        };
    }
    open.is_some()
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
f:4:19: c.a: note: unknown key 'a'
f:5:1: unknown key
f:5:1: unknown key
f:6:1: warning: no text; this is left out
f:7:1: warning: no text; this is left out
f:8:1: unknown id 'a: note: b'
f:9:1: unknown id 'a: note: b'
it's:1:1: a[\"it's\"]: note: a \"b\"
it's:2:1: a[\"it's\"]: note: a \"c\"
";
        let (mut told, mut out) = (Told::default(), Vec::new());
        told.tell(reported.as_bytes(), &mut out).expect("a Vec");
        told.end(&mut out).expect("a Vec");
        let kept = reported.lines().enumerate();
        let kept = kept.filter(|(at, _)| ![1, 4, 12].contains(at));
        let mut expected: Vec<&str> = kept.map(|(_, line)| line).collect();
        expected.push(
            "assay: warnings and notes that differ from one above in places, numbers and names alone: 3",
        );
        assert_eq!(String::from_utf8_lossy(&out), expected.join("\n") + "\n");
    }
}
