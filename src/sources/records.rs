//! The records of a file: the items of an array, the lines of JSONL, the values one after the
//! other, or the one value that it is. Read in stretches, so that a file of any size takes the
//! memory of its largest record.

use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use super::notes::Notes;
use crate::document::{Node, parse_json_at};
use crate::steps::{Pause, Progress, step};
use crate::text::Place;

/// A record's own bytes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Where it is.
    pub range: Range<u64>,
    /// Where it starts, from 1.
    pub line: u32,
}

/// Records one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// Their bytes.
    pub range: Range<u64>,
    /// The line of the first, from 1.
    pub line: u32,
}

/// What is done with the bytes of a record: it says whether to go on.
pub type Work<'a> = &'a mut dyn FnMut(Record, &[u8], &mut Notes) -> ControlFlow<()>;

/// Bytes read at once.
const STRETCH: usize = 1 << 20;
/// The largest record that is read: its values take about ten times its bytes.
pub const LARGEST: usize = 64 << 20;

/// How the records of a file stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// In one array.
    Array,
    /// One in a line: a line with a mistake is one record.
    Lines,
    /// One after the other.
    Values,
}

/// Calls `work` with the bytes of each record until it breaks, in steps of a stretch.
pub async fn each_record(
    bytes: &dyn Bytes,
    notes: &mut Notes,
    work: Work<'_>,
    pause: Pause<'_>,
) -> Result<(), String> {
    let Some((layout, start)) = layout(bytes)? else {
        return Ok(());
    };
    let mut scan = Scan::new(layout, start);
    let (mut at, total) = (start, bytes.len());
    while at < total {
        let stretch = bytes.read(at..at + STRETCH as u64)?;
        if stretch.is_empty() {
            break;
        }
        at += stretch.len() as u64;
        if scan.take(&stretch, notes, work).is_break() {
            return Ok(());
        }
        step(
            pause,
            Progress::new(kilobytes(at), kilobytes(total), "kB looked through"),
        )
        .await;
    }
    let _ = scan.end(notes, work);
    Ok(())
}

/// Bytes as they are told: of a file of any size the number has room.
pub(super) fn kilobytes(bytes: u64) -> usize {
    (bytes / 1000) as usize
}

/// Reads records that are known to be values.
pub(super) fn values(
    bytes: &dyn Bytes,
    stretch: &Stretch,
    notes: &mut Notes,
) -> Result<Vec<Node>, String> {
    let own = bytes.read(stretch.range.clone())?;
    let mut rows = Vec::new();
    let mut scan = Scan::new(Layout::Values, 0);
    scan.line = stretch.line;
    let mut keep = |record: Record, own: &[u8], notes: &mut Notes| {
        rows.extend(node(&record, own, notes));
        ControlFlow::Continue(())
    };
    let _ = scan.take(&own, notes, &mut keep);
    let _ = scan.end(notes, &mut keep);
    Ok(rows)
}

/// How a file is laid out, and where its first record or array begins; none of an empty one.
fn layout(bytes: &dyn Bytes) -> Result<Option<(Layout, u64)>, String> {
    let head = bytes.read(0..STRETCH as u64)?;
    let mark = if head.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let Some(first) = head[mark..]
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
    else {
        return Ok(None);
    };
    let start = mark + first;
    let rest = &head[start..];
    if rest.starts_with(b"[") && !is_lines(rest, bytes.len() as usize > STRETCH) {
        return Ok(Some((Layout::Array, start as u64 + 1)));
    }
    let layout = if is_lines(rest, bytes.len() as usize > STRETCH) {
        Layout::Lines
    } else {
        Layout::Values
    };
    Ok(Some((layout, start as u64)))
}

/// How many lines tell whether each is a value.
const LINES: usize = 20;

/// Whether each line is a value: one of the first two is whole and all of the next begin with a bracket, or
/// several are whole whatever stands between them. A line that is longer than what was read is one value of many.
fn is_lines(head: &[u8], is_cut: bool) -> bool {
    let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty()).take(LINES);
    let lines: Vec<_> = lines.collect();
    let opens = |line: &&[u8]| line.starts_with(b"{") || line.starts_with(b"[");
    let (first, rest) = match &lines[..] {
        [] => return false,
        // one value, or the first line of many that are as long
        [first] => return is_cut && first.starts_with(b"{") && is_whole(first),
        [first, rest @ ..] => (first, rest),
    };
    let ends_open = [b"{".as_slice(), b"[", b","]
        .iter()
        .any(|end| first.ends_with(end));
    let all_open = rest.iter().take(3).all(opens) && (is_whole(first) || is_whole(rest[0]));
    let is_value = |line: &&&[u8]| opens(line) && is_whole(line);
    !ends_open && (all_open || lines.iter().filter(is_value).count() > 1)
}

fn is_whole(line: &[u8]) -> bool {
    let mut brackets = Brackets::default();
    let end = line.iter().position(|byte| brackets.closes(*byte));
    end == Some(line.len() - 1)
}

/// What of a value has been seen so far.
#[derive(Default)]
struct Brackets {
    depth: u32,
    in_string: bool,
    is_escaped: bool,
}

impl Brackets {
    /// Takes a byte; whether it closes the value.
    fn closes(&mut self, byte: u8) -> bool {
        if self.is_escaped {
            self.is_escaped = false;
            return false;
        }
        match (byte, self.in_string) {
            (b'"', in_string) => self.in_string = !in_string,
            (b'\\', true) => self.is_escaped = true,
            (b'{' | b'[', false) => self.depth += 1,
            (b'}' | b']', false) => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

struct Scan {
    layout: Layout,
    brackets: Brackets,
    /// The record so far.
    held: Vec<u8>,
    /// Whether the record is too large to be held.
    is_large: bool,
    /// Where it began.
    start: u64,
    start_line: u32,
    /// Where the next byte is.
    at: u64,
    line: u32,
    /// Whether a record is open.
    is_open: bool,
    /// Whether the array is closed.
    is_closed: bool,
}

impl Scan {
    fn new(layout: Layout, at: u64) -> Self {
        Self {
            layout,
            brackets: Brackets::default(),
            held: Vec::new(),
            is_large: false,
            start: at,
            start_line: 1,
            at,
            line: 1,
            is_open: false,
            is_closed: false,
        }
    }

    fn take(&mut self, stretch: &[u8], notes: &mut Notes, work: Work) -> ControlFlow<()> {
        for byte in stretch {
            let ends = self.step(*byte);
            self.at += 1;
            if *byte == b'\n' {
                self.line += 1;
            }
            if ends {
                self.give(notes, work)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes a byte; whether a record ends with it.
    fn step(&mut self, byte: u8) -> bool {
        if self.is_closed {
            return false;
        }
        if !self.is_open {
            let between = byte.is_ascii_whitespace() || byte == b',';
            if between {
                return false;
            }
            if self.layout == Layout::Array && byte == b']' {
                self.is_closed = true;
                return false;
            }
            self.is_open = true;
            (self.start, self.start_line) = (self.at, self.line);
            self.brackets = Brackets::default();
        }
        if self.layout == Layout::Lines {
            if byte == b'\n' {
                return true;
            }
            self.hold(byte);
            return false;
        }
        let opened = self.brackets.depth > 0 || self.brackets.in_string;
        if !opened && !matches!(byte, b'{' | b'[' | b'"') {
            // a bare number, word or what is no JSON: it ends with a comma, a bracket or a line
            let ends =
                byte == b'\n' || byte == b',' || (self.layout == Layout::Array && byte == b']');
            if ends {
                self.is_closed = byte == b']';
                return true;
            }
            self.hold(byte);
            return false;
        }
        self.hold(byte);
        self.brackets.closes(byte)
    }

    fn hold(&mut self, byte: u8) {
        if self.held.len() < LARGEST {
            self.held.push(byte);
        } else {
            self.is_large = true;
        }
    }

    fn give(&mut self, notes: &mut Notes, work: Work) -> ControlFlow<()> {
        self.is_open = false;
        let own = self.held.trim_ascii_end();
        let record = Record {
            range: self.start..self.start + own.len() as u64,
            line: self.start_line,
        };
        if std::mem::take(&mut self.is_large) {
            let size = (self.at - self.start) / 1_000_000;
            let most = LARGEST / 1_000_000;
            let words =
                format!("a value of {size} MB is left out: at most {most} MB are read as one");
            notes.error(record.line, "", words);
            self.held.clear();
            return ControlFlow::Continue(());
        }
        let flow = work(record, own, notes);
        self.held.clear();
        flow
    }

    fn end(&mut self, notes: &mut Notes, work: Work) -> ControlFlow<()> {
        if self.is_open {
            return self.give(notes, work);
        }
        ControlFlow::Continue(())
    }
}

/// Reads a record as a value; what is wrong with it is said, and it is left out.
pub(super) fn node(record: &Record, bytes: &[u8], notes: &mut Notes) -> Option<Node> {
    let text = if let Ok(text) = std::str::from_utf8(bytes) {
        text.to_owned()
    } else {
        notes.warn(
            record.line,
            "",
            "bytes that are no UTF-8 are read as \u{fffd}",
        );
        String::from_utf8_lossy(bytes).into_owned()
    };
    let place = Place {
        line: record.line,
        column: 1,
    };
    let mut warnings = Vec::new();
    let read = parse_json_at(&text, place, &mut warnings);
    for warning in warnings {
        notes.push(warning);
    }
    match read {
        Ok(node) => Some(node),
        Err(problem) => {
            notes.push(problem);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{THROUGH, at_once};

    fn found(text: &str) -> Vec<(String, u32)> {
        let mut found = Vec::new();
        let mut notes = Notes::default();
        let bytes = text.as_bytes();
        let mut keep = |record: Record, own: &[u8], _: &mut Notes| {
            let range = record.range.start as usize..record.range.end as usize;
            assert_eq!(&bytes[range], own);
            found.push((String::from_utf8_lossy(own).into_owned(), record.line));
            ControlFlow::Continue(())
        };
        at_once(each_record(&bytes, &mut notes, &mut keep, THROUGH)).expect("bytes in memory");
        found
    }

    fn texts(text: &str) -> Vec<String> {
        found(text).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn records_are_found_in_every_layout() {
        assert_eq!(
            texts("{\"a\": 1}\n{\"b\": 2}\n"),
            ["{\"a\": 1}", "{\"b\": 2}"]
        );
        assert_eq!(
            texts("[{\"a\": \"]\"},\n {\"b\": 2}]"),
            ["{\"a\": \"]\"}", "{\"b\": 2}"]
        );
        assert_eq!(texts("{\n\"a\": [1,\n2]\n}"), ["{\n\"a\": [1,\n2]\n}"]);
        assert_eq!(
            texts("{\n\"a\": 1\n}\n{\n\"b\": 2\n}"),
            ["{\n\"a\": 1\n}", "{\n\"b\": 2\n}"]
        );
        assert_eq!(texts("[1, [2], \"x,]\"]"), ["1", "[2]", "\"x,]\""]);
        assert_eq!(texts("[]"), Vec::<String>::new());
        assert_eq!(texts("  "), Vec::<String>::new());
        assert_eq!(texts("\u{feff}{\"a\": 1}"), ["{\"a\": 1}"]);
    }

    #[test]
    fn a_broken_line_is_one_record() {
        let text = "{\"a\": 1}\r\n{\"b\": [\n\n{\"c\": 3}";
        assert_eq!(
            found(text),
            [
                ("{\"a\": 1}".into(), 1),
                ("{\"b\": [".into(), 2),
                ("{\"c\": 3}".into(), 4)
            ]
        );
        assert_eq!(texts("{\"a\": \n{\"b\": 1}\n{\"c\": 2}").len(), 3);
        // what another program wrote between them as well
        let torn = "{\"a\": 1}\n{\"b\": \"x\nConnection reset\n{\"c\": 2}\n{\"d\": 3}";
        assert_eq!(texts(torn).len(), 5);
    }

    #[test]
    fn a_cut_file_gives_what_is_whole_and_the_rest() {
        assert_eq!(texts("[{\"a\": 1}, {\"b\": "), ["{\"a\": 1}", "{\"b\":"]);
    }
}
