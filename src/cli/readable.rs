//! Lines that cannot be read, which leave the others as they are.

use std::borrow::Cow;

use crate::document::{Place, Problem, Severity};

/// The text of lines without the end of the last, in which those that are not UTF-8 are blank; how many lines
/// stand before each of those in it, with their bytes.
pub(super) fn readable(bytes: &[u8]) -> (Cow<'_, str>, Vec<(u32, &[u8])>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (text.trim_end_matches(['\r', '\n']).into(), Vec::new());
    }
    let (mut text, mut bad) = (String::new(), Vec::new());
    for (before, line) in (0..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        if let Ok(line) = std::str::from_utf8(line) {
            text.push_str(line);
        } else {
            bad.push((before, line));
            text.push('\n');
        }
    }
    text.truncate(text.trim_end_matches(['\r', '\n']).len());
    (text.into(), bad)
}

/// A text of lines in which blank ones stand for those that are no object, and no list of any: each of them is told.
pub(super) fn objects(text: &str, before: u32) -> (Cow<'_, str>, Vec<Problem>) {
    let is_object = |line: &str| {
        let line = line.trim_start_matches('\u{feff}').trim();
        line.is_empty() || line.starts_with('{') || line.starts_with('[') && line.contains('{')
    };
    if text.lines().all(is_object) {
        return (text.into(), Vec::new());
    }
    let (mut kept, mut told) = (String::new(), Vec::new());
    for (line, number) in text.lines().zip(before + 1..) {
        if is_object(line) {
            kept.push_str(line);
        } else {
            let place = Place {
                line: number,
                column: 1,
            };
            let message = "expected a JSON object on this line";
            told.push(Problem::new(Severity::Error, place, "", message).left_out());
        }
        kept.push('\n');
    }
    (kept.into(), told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_objects_are_told_and_keep_their_numbers() {
        let (text, told) = objects("{\"a\": 1}\nConnection reset\n[{}]\n\n[]\nnull", 4);
        assert_eq!(text, "{\"a\": 1}\n\n[{}]\n\n\n\n");
        let lines: Vec<u32> = told.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [6, 9, 10]);
        assert!(told.iter().all(Problem::is_left_out));
        assert!(matches!(objects("{broken\n", 0), (Cow::Borrowed(_), told) if told.is_empty()));
    }
}
