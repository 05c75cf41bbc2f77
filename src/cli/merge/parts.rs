//! Lines of several files: gone through once, and found again where they stand.

use std::fmt::Write as _;

use serde::de::IgnoredAny;

use crate::cli::input::Source;
use crate::cli::output::report;
use crate::cli::{Failure, Status, Streams};
use crate::document::{PartEnd, Place as At, Problem, Severity};
use crate::sources::Bytes;

/// So much is read at a time, in bytes.
const STRETCH: u64 = 1 << 20;
/// So many problems are told; what is wrong with one line is often wrong with all.
const MOST_PROBLEMS: usize = 50;

/// Files of lines.
pub(super) struct Parts {
    sources: Vec<(String, Box<dyn Bytes>)>,
}

/// What each file has of parts.
pub(super) struct Heads(Vec<Head>);

#[derive(Clone, Copy, Default)]
struct Head {
    /// How many parts begin in it, and how many end.
    begun: usize,
    ended: usize,
    /// How many sessions it has, and how many the ends say; the ends of older parts do not.
    sessions: usize,
    said: Option<usize>,
    /// Where both first part, if every part stands together: how many sessions there are since the end before,
    /// and the line of the end that says another number.
    since: usize,
    parted: Option<u32>,
    /// Whether it has other lines.
    has_others: bool,
}

/// What is said of a part whose job was broken off.
const BROKEN_OFF: &str = "its job was broken off, or goes on. Go on with it (--resume), or take the sessions that are there with --unfinished";

impl Heads {
    pub(super) fn begin(&mut self, place: Place) {
        self.0[place.source].begun += 1;
    }

    pub(super) fn session(&mut self, place: Place) {
        self.0[place.source].sessions += 1;
        self.0[place.source].since += 1;
    }

    pub(super) fn other(&mut self, place: Place) {
        self.0[place.source].has_others = true;
    }

    pub(super) fn end(&mut self, place: Place, end: PartEnd) {
        let own = &mut self.0[place.source];
        own.ended += 1;
        let since = std::mem::take(&mut own.since);
        if end.sessions.is_some_and(|sessions| sessions != since) {
            own.parted.get_or_insert(place.line);
        }
        own.said = own
            .said
            .zip(end.sessions)
            .map(|(said, sessions)| said + sessions);
    }
}

/// Where a line stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    source: usize,
    /// From 1.
    line: u32,
    offset: u64,
    length: u64,
}

/// What is wrong with a line: from which column on, and what.
pub(super) type Fault = (u32, String);

impl Parts {
    pub(super) fn open(sources: &[Source], streams: &mut Streams) -> Result<Self, Failure> {
        let opened = sources
            .iter()
            .map(|source| Ok((source.name(), source.held_closed(streams)?)));
        let sources = opened.collect::<Result<_, Failure>>()?;
        Ok(Self { sources })
    }

    /// The first line that is not blank, with the number of its source and how many lines stand before it there.
    pub(super) fn first(&self) -> (Vec<u8>, usize, u32) {
        let mut first = (Vec::new(), 0, 0);
        for (source, (_, bytes)) in self.sources.iter().enumerate() {
            // what cannot be read is told when all lines are gone through
            let _ = each_line(&**bytes, |line, _, text| {
                first = (text.to_vec(), source, line - 1);
                false
            });
            if !first.0.is_empty() {
                break;
            }
        }
        first
    }

    /// Which files have a head; none is known yet.
    pub(super) fn heads(&self) -> Heads {
        let none = Head {
            said: Some(0),
            ..Head::default()
        };
        Heads(vec![none; self.sources.len()])
    }

    /// Refuses files in which no line says what the others were scored with, those in which a part has no
    /// end, and those with another number of sessions than their parts say: they are no whole parts. What is
    /// not whole is only told where that `is_unfinished`.
    pub(super) fn check(
        &self,
        heads: &Heads,
        is_unfinished: bool,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let mut is_whole = true;
        for ((name, _), own) in self.sources.iter().zip(&heads.0) {
            let is_empty = own.begun + own.sessions == 0 && !own.has_others;
            let of_those_that_are_there = if is_unfinished {
                Severity::Warning
            } else {
                Severity::Error
            };
            let (severity, message) = if is_empty && is_unfinished {
                let message = "nothing of the part is there: its job was broken off";
                (Severity::Warning, message.to_owned())
            } else if own.begun == 0 {
                let message = "the head of the part is missing, which says what it was scored with";
                (Severity::Error, message.to_owned())
            } else if own.ended < own.begun {
                let message = if is_unfinished {
                    "the part has no end: its job was broken off, or goes on, and the sessions that are there count".to_owned()
                } else {
                    format!("the part has no end: {BROKEN_OFF}")
                };
                (of_those_that_are_there, message)
            } else if own.ended > own.begun {
                let message = format!(
                    "the file has {} parts that end and {} that begin: the head of a part is missing, which says what it was scored with",
                    own.ended, own.begun
                );
                (Severity::Error, message)
            } else if let Some(said) = own.said.filter(|said| *said != own.sessions) {
                let message = format!(
                    "the part ends with \"sessions\": {said}, and has {}: lines of it were lost or added",
                    own.sessions
                );
                let rest = if is_unfinished {
                    ", and the sessions that are there count"
                } else {
                    ". Make it again, or take the sessions that are there with --unfinished"
                };
                (of_those_that_are_there, message + rest)
            } else {
                continue;
            };
            let line = own.parted.filter(|_| own.ended == own.begun).unwrap_or(1);
            let at = At { line, column: 1 };
            let problem = Problem::new(severity, at, "", message);
            report(&[problem], |_| name.clone(), streams)?;
            is_whole &= severity != Severity::Error;
        }
        if is_whole {
            Ok(())
        } else {
            Err(Failure::Reported)
        }
    }

    /// `FILE:LINE`
    pub(super) fn told(&self, place: Place) -> String {
        format!("{}:{}", self.sources[place.source].0, place.line)
    }

    /// Says how many sessions were given again, and how many were left out; the status that this makes. Those that
    /// say something else than the first are refused.
    pub(super) fn tell_again(
        &self,
        places: &[Place],
        (again, left_out): (&[(usize, usize)], usize),
        streams: &mut Streams,
    ) -> Result<Status, Failure> {
        let mut others = 0;
        for (at, first) in again {
            let [own, first] = [places[*at], places[*first]];
            if self.line(own)?.trim_ascii() != self.line(first)?.trim_ascii() {
                others += 1;
                if others <= MOST_PROBLEMS {
                    let (own, first) = (self.told(own), self.told(first));
                    let words = "already, with the same replies, and its line is another: one of these parts was changed, or written by another version or program";
                    writeln!(
                        streams.stderr,
                        "{own}:1: this session stands at {first} {words}"
                    )?;
                }
            }
        }
        if others > MOST_PROBLEMS {
            let more = others - MOST_PROBLEMS;
            writeln!(streams.stderr, "assay: {more} more such sessions")?;
        }
        if others > 0 {
            return Err(Failure::Reported);
        }
        if !again.is_empty() {
            let words = "sessions were given again, word for word: each counts once";
            writeln!(streams.stderr, "assay: {} {words}", again.len())?;
        }
        if left_out > 0 {
            let words = "sessions, or lines of them, were left out of the parts: the jobs that wrote them said which";
            writeln!(streams.stderr, "assay: {left_out} {words}")?;
        }
        Ok(Status::without(left_out))
    }

    /// Does something with each line that is not blank. Whatever is wrong with some is reported when all
    /// were seen. Half a line at the end of a file is left out where that `is_unfinished`.
    pub(super) fn each(
        &self,
        is_unfinished: bool,
        streams: &mut Streams,
        mut work: impl FnMut(Place, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Failure> {
        let (mut problems, mut errors) = (Vec::new(), 0);
        for source in 0..self.sources.len() {
            let (name, bytes) = &self.sources[source];
            let read = each_line(&**bytes, |line, offset, text| {
                let place = Place {
                    source,
                    line,
                    offset,
                    length: text.len() as u64,
                };
                if let Err((column, message)) = work(place, text) {
                    let at = At { line, column };
                    let mut problem = Problem::new(Severity::Error, at, "", message);
                    let is_half = |text| serde_json::from_slice::<IgnoredAny>(text).is_err();
                    if !text.ends_with(b"\n") && is_half(text) {
                        problem.message = format!("half a line: {BROKEN_OFF}");
                        if is_unfinished {
                            "half a line".clone_into(&mut problem.message);
                            problem = problem.left_out();
                        }
                    }
                    errors += usize::from(problem.severity == Severity::Error);
                    problems.push((source, problem));
                }
                errors < MOST_PROBLEMS
            });
            if let Err(error) = read {
                let at = At { line: 1, column: 1 };
                let problem = Problem::new(Severity::Error, at, "", error);
                report(&[problem], |_| name.clone(), streams)?;
                return Err(Failure::Reported);
            }
        }
        self.tell(&problems, streams)?;
        if errors >= MOST_PROBLEMS {
            writeln!(
                streams.stderr,
                "assay: the lines behind these were not looked at"
            )?;
        }
        if errors > 0 {
            Err(Failure::Reported)
        } else {
            Ok(())
        }
    }

    /// Reports problems, each with the number of its source; those of one message in lines that follow each other
    /// once.
    fn tell(&self, problems: &[(usize, Problem)], streams: &mut Streams) -> Result<(), Failure> {
        let is_same = |one: &(usize, Problem), other: &(usize, Problem)| {
            let is_next = one.0 == other.0 && one.1.line + 1 == other.1.line;
            is_next && one.1.message == other.1.message
        };
        for same in problems.chunk_by(is_same) {
            let (source, mut problem) = same[0].clone();
            if let [_, .., (_, last)] = same {
                // writing to a String cannot fail
                let _ = write!(problem.message, "; the same of all lines to {}", last.line);
            }
            let name = &self.sources[source].0;
            report(&[problem], |_| name.clone(), streams)?;
        }
        Ok(())
    }

    /// A line that was seen.
    pub(super) fn line(&self, place: Place) -> Result<Vec<u8>, Failure> {
        let (name, bytes) = &self.sources[place.source];
        let read = bytes.read(place.offset..place.offset + place.length);
        read.map_err(|error| Failure::Stream(std::io::Error::other(format!("{name}: {error}"))))
    }
}

/// Does something with each line that is not blank, its number from 1 and its offset, as long as it is
/// asked to.
fn each_line(
    bytes: &dyn Bytes,
    mut work: impl FnMut(u32, u64, &[u8]) -> bool,
) -> Result<(), String> {
    let (mut held, mut begin, mut number) = (Vec::new(), 0, 0);
    let mut at = 0;
    while at < bytes.len() || !held.is_empty() {
        let end = bytes.len().min(at + STRETCH);
        let seen = held.len();
        held.extend(bytes.read(at..end)?);
        at = end;
        let last = held[seen..].iter().rposition(|byte| *byte == b'\n');
        let whole = if at < bytes.len() {
            last.map_or(0, |last| seen + last + 1)
        } else {
            held.len()
        };
        let mut offset = begin;
        for line in held[..whole].split_inclusive(|byte| *byte == b'\n') {
            number += 1;
            let mark = "\u{feff}".as_bytes();
            let marked = line.strip_prefix(mark).filter(|_| number == 1);
            if marked.is_some() {
                offset += mark.len() as u64;
            }
            let line = marked.unwrap_or(line);
            let is_blank = line.iter().all(u8::is_ascii_whitespace);
            if !is_blank && !work(number, offset, line) {
                return Ok(());
            }
            offset += line.len() as u64;
        }
        held.drain(..whole);
        begin = offset;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_again_whatever_their_length() {
        let long = "x".repeat(3 * STRETCH as usize + 5);
        let text = format!("a\n\n  \r\nb\r\n{long}\nc");
        let parts = Parts {
            sources: vec![("f".into(), Box::new(text.into_bytes()))],
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams = Streams {
            stdin: &mut std::io::empty(),
            stdout: &mut out,
            stderr: &mut err,
        };
        let mut places = Vec::new();
        let seen = parts.each(false, &mut streams, |place, text| {
            places.push((place, text.to_vec()));
            Ok(())
        });
        assert!(seen.is_ok());
        let lines: Vec<u32> = places.iter().map(|(place, _)| place.line).collect();
        assert_eq!(lines, [1, 4, 5, 6]);
        for (place, text) in places {
            assert!(parts.line(place).ok().expect("it is there") == text);
        }
    }
}
