//! What is printed with its personal data masked.

use std::collections::BTreeMap;
use std::io::{self, Write};

use memchr::memchr;

use super::{Failure, Status, Streams};
use crate::share::{Masks, PrivateKind, counted, mark_json};

/// Masks what is written, each JSON object that is a line as it comes, all else when it ends.
struct Masked<'a> {
    out: &'a mut dyn Write,
    /// What was not masked yet.
    held: Vec<u8>,
    masks: Masks,
    /// How often each kind was masked so far.
    counts: BTreeMap<PrivateKind, usize>,
}

/// Runs a command and masks the personal data of all that it prints; what was masked is said on
/// stderr, and in JSON under `masked`.
pub(super) fn printed(
    run: impl FnOnce(&mut Streams) -> Result<Status, Failure>,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let mut masked = Masked {
        out: streams.stdout,
        held: Vec::new(),
        masks: Masks::default(),
        counts: BTreeMap::new(),
    };
    let ended = run(&mut Streams {
        stdin: streams.stdin,
        stdout: &mut masked,
        stderr: streams.stderr,
    });
    let held = std::mem::take(&mut masked.held);
    masked.give(&held)?;
    let counts: Vec<_> = masked.counts.into_iter().collect();
    if !counts.is_empty() {
        writeln!(streams.stderr, "assay: masked {}", counted(&counts))?;
    }
    ended
}

impl Masked<'_> {
    fn give(&mut self, printed: &[u8]) -> io::Result<()> {
        // what a command prints is text
        let text = String::from_utf8_lossy(printed);
        self.masks.begin(&text);
        let mut hidden = self.masks.mask(&text);
        let counts = self.masks.counts();
        if !counts.is_empty() {
            hidden = mark_json(&hidden, &self.masks);
        }
        for (kind, number) in counts {
            *self.counts.entry(kind).or_default() += number;
        }
        self.out.write_all(hidden.as_bytes())
    }
}

impl Write for Masked<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        let mut held = std::mem::take(&mut self.held);
        let mut start = 0;
        while let Some(length) = memchr(b'\n', &held[start..]) {
            let line = &held[start..=start + length];
            if !(line.starts_with(b"{") && line.trim_ascii_end().ends_with(b"}")) {
                break;
            }
            self.give(line)?;
            start += line.len();
        }
        held.drain(..start);
        self.held = held;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
