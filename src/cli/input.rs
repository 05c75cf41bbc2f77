//! What every scoring command takes: where the input is and how the result is shown.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;
use std::time::SystemTime;

use lexopt::{Arg, Parser, ValueExt};

use super::output::{Format, report};
use super::readable::readable;
use super::report::Wanted;
use super::{Failure, Streams, foreign};
use crate::document::{Parsed, Place, Problem, Problems, Reader, Severity, Value, parse_json};
#[cfg(feature = "embed")]
use crate::persona::read_given;
use crate::share::Shape;
use crate::sources::{Bytes, Kind, is_foreign, noun_of};

/// So many bytes tell what a file is.
const HEAD: u64 = 1 << 20;

/// A document as it was read.
pub(super) struct Document {
    pub(super) text: String,
    /// How much could not be read.
    pub(super) lost: usize,
    /// Whether it was made of another source: it has lines of its own then.
    pub(super) is_made: bool,
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    File(PathBuf),
    Stdin,
}

impl Source {
    /// A file name; `-` is stdin.
    pub(super) fn from_arg(name: OsString) -> Self {
        if name == "-" {
            Self::Stdin
        } else {
            Self::File(name.into())
        }
    }

    /// The name that problems are reported under.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "<stdin>".into(),
        }
    }

    /// Refuses a file to be written that is the input itself.
    pub(super) fn is_not(&self, out: &std::path::Path) -> Result<(), Failure> {
        let Self::File(input) = self else {
            return Ok(());
        };
        let [input, out] = [input, out].map(|path| path.canonicalize().ok());
        if input.is_some() && input == out {
            let message = "--out names the input itself";
            return Err(Failure::Usage(message.into()));
        }
        Ok(())
    }

    /// The text; what cannot be read or is not UTF-8 is reported.
    pub(super) fn read(&self, streams: &mut Streams) -> Result<String, Failure> {
        let bytes = self.bytes(streams)?;
        self.utf8(bytes, 0, streams)
    }

    /// The same as a document of a kind, and how much of it could not be read: what is of another source is made into
    /// one, and it is said of what. `format` is the key of the one that a person chose. What stands beside the input
    /// of a command is read by it only where several fit: the choice is meant for the input.
    pub(super) fn read_document(
        &self,
        kind: Kind,
        format: Option<&str>,
        is_beside: bool,
        streams: &mut Streams,
    ) -> Result<Document, Failure> {
        let bytes = self.bytes(streams)?;
        let format = format.filter(|key| !is_beside || foreign::may_be(key, &bytes));
        if format.is_none() && !is_foreign(&bytes) && !is_packed(&bytes) {
            let (text, lost) = self.own(bytes, is_beside, streams)?;
            return Ok(Document {
                text,
                lost,
                is_made: false,
            });
        }
        let (text, lost) = foreign::document(&self.name(), bytes, kind, format, streams)?;
        Ok(Document {
            text,
            lost,
            is_made: true,
        })
    }

    /// The text of a document of our own. Where it is lines of JSON, those that are not UTF-8 are blank in it, and told;
    /// how many there are.
    fn own(
        &self,
        bytes: Vec<u8>,
        is_beside: bool,
        streams: &mut Streams,
    ) -> Result<(String, usize), Failure> {
        let error = match String::from_utf8(bytes) {
            Ok(text) => return Ok((text, 0)),
            Err(error) => error,
        };
        let (text, bad) = readable(error.as_bytes());
        if is_beside || !are_lines(&text) {
            let valid = error.utf8_error().valid_up_to();
            return Err(self.not_utf8(error.as_bytes(), valid, 0, streams));
        }
        self.tell_not_utf8(&bad, 0, streams)?;
        let lost = bad.len();
        Ok((text.into_owned(), lost))
    }

    /// Reports lines that are not UTF-8, each behind so many, and all of them behind so many more.
    pub(super) fn tell_not_utf8(
        &self,
        lines: &[(u32, &[u8])],
        before: u32,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        for (own, line) in lines {
            match self.not_utf8_line(line, before + own, streams) {
                // of a file that is something else no line is any
                Failure::Reported if before + own > 0 || !is_packed(line) => {}
                failure => return Err(failure),
            }
        }
        Ok(())
    }

    /// Reports a line that is not UTF-8, behind so many.
    pub(super) fn not_utf8_line(&self, line: &[u8], before: u32, streams: &mut Streams) -> Failure {
        let valid = line.utf8_chunks().next();
        let valid = valid.map_or(0, |chunk| chunk.valid().len());
        self.not_utf8(line, valid, before, streams)
    }

    /// Good replies: in any shape that a draft reads itself, or those of a card or a chat of another
    /// source; and how much could not be read.
    #[cfg(feature = "embed")]
    pub(super) fn examples(
        &self,
        format: Option<&str>,
        streams: &mut Streams,
    ) -> Result<(String, usize), Failure> {
        let bytes = self.bytes(streams)?;
        let is_own = |text: &str| {
            let is_json = text
                .trim_start_matches('\u{feff}')
                .trim_start()
                .starts_with(['{', '[']);
            is_json && !read_given(text, &mut Problems::new()).is_empty()
        };
        let is_read = std::str::from_utf8(&bytes).is_ok_and(is_own) || !is_foreign(&bytes);
        if format.is_none() && is_read {
            return Ok((self.utf8(bytes, 0, streams)?, 0));
        }
        foreign::examples(&self.name(), bytes, format, streams)
    }

    fn bytes(&self, streams: &mut Streams) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = match self {
            Self::File(path) => std::fs::read(path).map(|read| bytes = read),
            Self::Stdin => streams.stdin.read_to_end(&mut bytes).map(drop),
        };
        match read {
            Ok(()) => Ok(bytes),
            Err(error) => self.unreadable(&error, streams),
        }
    }

    /// As [`Self::held`], of a file that is open only while it is read: there may be more of them than may be open.
    pub(super) fn held_closed(&self, streams: &mut Streams) -> Result<Box<dyn Bytes>, Failure> {
        if let Self::File(path) = self
            && let Ok(about) = path.metadata()
            && about.is_file()
        {
            // whether it can be read
            return match File::open(path) {
                Ok(_) => Ok(Box::new(Closed {
                    length: about.len(),
                    written: about.modified().ok(),
                    path: path.clone(),
                })),
                Err(error) => self.unreadable(&error, streams),
            };
        }
        self.held(streams)
    }

    /// The bytes, those of a file where they are: they may be more than the memory.
    pub(super) fn held(&self, streams: &mut Streams) -> Result<Box<dyn Bytes>, Failure> {
        let Self::File(path) = self else {
            return Ok(Box::new(self.bytes(streams)?));
        };
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        match opened {
            Ok((about, file)) if about.is_file() => Ok(Box::new(OnDisk {
                length: about.len(),
                file,
            })),
            // a pipe has no length, and can be opened once
            Ok((_, mut file)) => {
                let mut bytes = Vec::new();
                match file.read_to_end(&mut bytes) {
                    Ok(_) => Ok(Box::new(bytes)),
                    Err(error) => self.unreadable(&error, streams),
                }
            }
            Err(error) => self.unreadable(&error, streams),
        }
    }

    /// Its first bytes, with a whole line at least; and the pipe that it is, of which they are read then.
    #[cfg(feature = "embed")]
    pub(super) fn head(&self, streams: &mut Streams) -> Result<(Vec<u8>, Option<File>), Failure> {
        let (mut head, mut pipe) = (Vec::new(), None);
        let read = match self {
            Self::Stdin => first_lines(streams.stdin, &mut head),
            Self::File(path) => File::open(path).and_then(|mut file| {
                if file.metadata()?.is_file() {
                    return file.take(HEAD).read_to_end(&mut head).map(drop);
                }
                first_lines(&mut file, &mut head)?;
                pipe = Some(file);
                Ok(())
            }),
        };
        match read {
            Ok(()) => Ok((head, pipe)),
            Err(error) => self.unreadable(&error, streams),
        }
    }

    /// Whether the file is of another source, as far as its first bytes tell.
    pub(super) fn is_foreign(&self) -> bool {
        let Self::File(path) = self else {
            return false;
        };
        // what a pipe gives is gone when it was looked at
        if !path.is_file() {
            return false;
        }
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
        read.is_ok() && is_foreign(&head)
    }

    /// Warns where lines that are to be read one by one are of another program.
    pub(super) fn warn_of_lines(&self, streams: &mut Streams) -> Result<(), Failure> {
        if !self.is_foreign() {
            return Ok(());
        }
        let message = "this is of another program or packed, and with --lines each line is to be one of Assay's own inputs: it is read without --lines";
        let problem = Problem::new(Severity::Warning, Place::START, "", message);
        report(&[problem], |_| self.name(), streams)
    }

    /// Whether it is JSONL of this program by its name and its first bytes.
    pub(super) fn is_lines(&self) -> bool {
        let Self::File(path) = self else {
            return false;
        };
        path.extension().is_some_and(|ending| ending == "jsonl")
            && path.is_file()
            && !self.is_foreign()
    }

    /// Opens a file to be read line by line, with its length in bytes; none for stdin.
    pub(super) fn opened(&self, streams: &mut Streams) -> Result<Option<(File, u64)>, Failure> {
        let Self::File(path) = self else {
            return Ok(None);
        };
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((length, file)) => Ok(Some((file, length))),
            Err(error) => self.unreadable(&error, streams),
        }
    }

    /// Does something with the whole text of a document of a kind, or with one line of JSONL
    /// after the other as they are read; blank lines are left out. `work` is told how many
    /// lines stand before its text, or nothing where that was made of another source, and of a line that is not
    /// UTF-8 the problem. Gives how much could not be read.
    pub(super) fn for_each(
        &self,
        kind: Kind,
        format: Option<&str>,
        streams: &mut Streams,
        mut work: impl FnMut(Option<u32>, Result<&str, Problem>, &mut Streams) -> Result<(), Failure>,
    ) -> Result<usize, Failure> {
        let path = match self {
            Self::File(path) if format.is_none() && self.is_lines() => path,
            _ => {
                let read = self.read_document(kind, format, false, streams)?;
                work((!read.is_made).then_some(0), Ok(&read.text), streams)?;
                return Ok(read.lost);
            }
        };
        let mut lines = match File::open(path) {
            Ok(file) => BufReader::new(file),
            Err(error) => return self.unreadable(&error, streams),
        };
        for before in 0.. {
            let mut line = Vec::new();
            match lines.read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => return self.unreadable(&error, streams),
            }
            match std::str::from_utf8(&line) {
                Ok(line) if line.trim_start_matches('\u{feff}').trim().is_empty() => {}
                Ok(line) => work(
                    Some(before),
                    Ok(line.trim_end_matches(['\r', '\n'])),
                    streams,
                )?,
                Err(error) => {
                    let problem = not_utf8(&line, error.valid_up_to(), before);
                    // of a file that is something else no line is any
                    if problem.hint.is_some() {
                        return Err(self.not_utf8(&line, error.valid_up_to(), 0, streams));
                    }
                    work(Some(before), Err(problem), streams)?;
                }
            }
        }
        Ok(0)
    }

    pub(super) fn utf8(
        &self,
        bytes: Vec<u8>,
        before: u32,
        streams: &mut Streams,
    ) -> Result<String, Failure> {
        String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            self.not_utf8(error.as_bytes(), valid, before, streams)
        })
    }

    /// Reports that bytes, of which so many are, are not UTF-8.
    pub(super) fn not_utf8(
        &self,
        bytes: &[u8],
        valid: usize,
        before: u32,
        streams: &mut Streams,
    ) -> Failure {
        let problem = not_utf8(bytes, valid, before);
        match report(&[problem], |_| self.name(), streams) {
            Ok(()) => Failure::Reported,
            Err(failure) => failure,
        }
    }

    pub(super) fn unreadable<T>(
        &self,
        error: &std::io::Error,
        streams: &mut Streams,
    ) -> Result<T, Failure> {
        let problem = at_start(cannot_be_read(error));
        report(&[problem], |_| self.name(), streams)?;
        Err(Failure::Reported)
    }
}

/// Whether a text is read as lines of JSON.
fn are_lines(text: &str) -> bool {
    let parsed = Parsed::json(text);
    let pieces = parsed.pieces();
    pieces.len() > 1
        && !pieces
            .iter()
            .any(|piece| piece.of(parsed.text()).contains('\n'))
}

/// Reads what is there at once, and on to the end of a line that is not blank.
#[cfg(feature = "embed")]
fn first_lines(input: &mut dyn Read, head: &mut Vec<u8>) -> std::io::Result<()> {
    let mut some = vec![0; 1 << 16];
    let is_whole = |head: &[u8]| head.trim_ascii_start().contains(&b'\n');
    while !is_whole(head) && (head.len() as u64) < HEAD {
        let length = input.read(&mut some)?;
        if length == 0 {
            break;
        }
        head.extend_from_slice(&some[..length]);
    }
    Ok(())
}

/// A file of which a stretch at a time is read.
struct OnDisk {
    length: u64,
    file: File,
}

impl Bytes for OnDisk {
    fn len(&self) -> u64 {
        self.length
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>, String> {
        stretch(&self.file, range.start..range.end.min(self.length))
            .map_err(|error| cannot_be_read(&error))
    }
}

/// The same, which is opened for each stretch.
struct Closed {
    length: u64,
    /// When it was last written, where that is known.
    written: Option<SystemTime>,
    path: PathBuf,
}

impl Bytes for Closed {
    fn len(&self) -> u64 {
        self.length
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>, String> {
        let range = range.start..range.end.min(self.length);
        let read = File::open(&self.path).and_then(|file| {
            let about = file.metadata()?;
            if (about.len(), about.modified().ok()) != (self.length, self.written) {
                return Err(std::io::Error::other("it was changed meanwhile"));
            }
            stretch(&file, range)
        });
        read.map_err(|error| cannot_be_read(&error))
    }
}

fn stretch(mut file: &File, range: Range<u64>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(range.start))?;
    let length = range.end.saturating_sub(range.start);
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn cannot_be_read(error: &std::io::Error) -> String {
    format!("cannot be read: {error}")
}

fn at_start(message: String) -> Problem {
    Problem::new(Severity::Error, Place { line: 1, column: 1 }, "", message)
}

/// Whether bytes begin as those of a file do that has to be made text first.
fn is_packed(bytes: &[u8]) -> bool {
    not_utf8(bytes, 0, 0).hint.is_some()
}

/// Bytes, of which so many are, are not UTF-8. Those behind other lines are none that a file begins with.
fn not_utf8(bytes: &[u8], valid: usize, before: u32) -> Problem {
    let text = String::from_utf8_lossy(&bytes[..valid]);
    let last = text.rsplit('\n').next().unwrap_or_default();
    let place = Place {
        line: before + text.matches('\n').count() as u32 + 1,
        column: last.chars().count() as u32 + 1,
    };
    let problem = Problem::new(Severity::Error, place, "", "not valid UTF-8");
    match bytes {
        _ if before > 0 => problem,
        [0x1f, 0x8b, ..] => {
            problem.with_hint("this is gzip: unpack it first, `gunzip -c FILE | assay ... --stdin`")
        }
        [b'P', b'K', 3, 4, ..] => {
            problem.with_hint("this is ZIP: unpack it first, `unzip -p FILE | assay ... --stdin`")
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => problem
            .with_hint("this is Zstandard: unpack it first, `zstd -dc FILE | assay ... --stdin`"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => problem.with_hint(
            "this is UTF-16: make it UTF-8 first, `iconv -f UTF-16 -t UTF-8 FILE | assay ... --stdin`",
        ),
        _ => problem,
    }
}

/// More threads than any machine has cores.
const MOST_THREADS: usize = 1024;

/// `--threads`: a number from 1 to [`MOST_THREADS`].
pub(super) fn threads_value(parser: &mut Parser) -> Result<NonZero<usize>, Failure> {
    let number = text_value(parser)?;
    let threads = number.parse().ok();
    threads
        .filter(|threads: &NonZero<usize>| threads.get() <= MOST_THREADS)
        .ok_or_else(|| {
            Failure::Usage(format!(
                "--threads expects a number from 1 to {MOST_THREADS}, got {number:?}"
            ))
        })
}

/// As many threads as the machine has cores.
pub(super) fn all_threads() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// The arguments that all scoring commands share.
#[derive(Debug, Default)]
pub(super) struct Common {
    source: Option<Source>,
    /// Only check the input.
    pub(super) validate: bool,
    /// How the result is shown.
    pub(super) format: Format,
    /// The shape of another tool that it is written in, in place of the result.
    to: Option<Shape>,
    /// The file that the result is written to as well.
    report: Option<Wanted>,
    /// The key of the format that the input is read as, where a person chose one.
    pub(super) read_as: Option<String>,
}

impl Common {
    /// Nothing but how the result is shown.
    pub(super) fn shown_as(format: Format) -> Self {
        Self {
            format,
            ..Self::default()
        }
    }

    /// Takes an argument if it is one of the shared ones.
    pub(super) fn take(&mut self, arg: &Arg, parser: &mut Parser) -> Result<bool, Failure> {
        match arg {
            Arg::Long("input") => self.set_source(Source::from_arg(parser.value()?))?,
            Arg::Long("stdin") => self.set_source(Source::Stdin)?,
            Arg::Long("validate") => {
                self.set_source(Source::from_arg(parser.value()?))?;
                self.validate = true;
            }
            Arg::Long("report") => self.set_report(Wanted::named(parser.value()?)?)?,
            Arg::Long("to") => self.set_shape(&text_value(parser)?)?,
            Arg::Long("format") => self.read_as = Some(format_value(parser)?),
            Arg::Long("pretty") => self.format.choose(Format::Pretty)?,
            Arg::Long("summary") => self.format.choose(Format::Summary)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The one input there must be.
    pub(super) fn source(&self) -> Result<&Source, Failure> {
        self.source.as_ref().ok_or_else(|| {
            Failure::Usage("one of --input, --stdin and --validate is missing".into())
        })
    }

    pub(super) fn set_source(&mut self, source: Source) -> Result<(), Failure> {
        if self.source.replace(source).is_some() {
            let message = "only one of --input, --stdin and --validate may be given, once";
            return Err(Failure::Usage(message.into()));
        }
        Ok(())
    }

    fn set_report(&mut self, wanted: Wanted) -> Result<(), Failure> {
        if self.report.replace(wanted).is_some() {
            return Err(Failure::Usage("--report may be given once".into()));
        }
        Ok(())
    }

    /// The file of a report, where one is wanted.
    pub(super) fn report(&self, is_masked: bool) -> Result<Option<&Wanted>, Failure> {
        if let Some(wanted) = &self.report {
            if self.validate {
                let message = "only one of --report and --validate may be given";
                return Err(Failure::Usage(message.into()));
            }
            wanted.check(is_masked)?;
        }
        Ok(self.report.as_ref())
    }

    fn set_shape(&mut self, name: &str) -> Result<(), Failure> {
        let Some(shape) = Shape::named(name) else {
            let names = listed(&Shape::ALL);
            return Err(Failure::Usage(format!(
                "--to expects one of {names}, got {name:?}"
            )));
        };
        if self.to.replace(shape).is_some() {
            return Err(Failure::Usage("--to may be given once".into()));
        }
        Ok(())
    }

    /// The shape of another tool, of those that a command's result can be written in.
    pub(super) fn shape(&self, command: &str, shapes: &[Shape]) -> Result<Option<Shape>, Failure> {
        let Some(shape) = self.to else {
            return Ok(None);
        };
        if self.format != Format::Line {
            let message = "only one of --to, --pretty and --summary may be given";
            return Err(Failure::Usage(message.into()));
        }
        if !shapes.contains(&shape) {
            return Err(Failure::Usage(format!(
                "--to {} makes no sense of {command}: it can be written as {}",
                shape.name(),
                listed(shapes)
            )));
        }
        Ok(Some(shape))
    }
}

fn listed(shapes: &[Shape]) -> String {
    let names: Vec<_> = shapes.iter().map(|shape| shape.name()).collect();
    names.join(", ")
}

/// A text value of an option.
pub(super) fn text_value(parser: &mut Parser) -> Result<String, Failure> {
    Ok(parser.value()?.string()?)
}

/// The key of a format of other tools.
pub(super) fn format_value(parser: &mut Parser) -> Result<String, Failure> {
    let key = text_value(parser)?;
    match noun_of(&key) {
        Some(_) => Ok(key),
        None => Err(Failure::Usage(format!("--format knows no {key:?}"))),
    }
}

/// A number value of an option.
pub(super) fn number_value(name: &str, parser: &mut Parser) -> Result<f64, Failure> {
    let text = text_value(parser)?;
    text.parse()
        .map_err(|_| Failure::Usage(format!("--{name} expects a number, got {text:?}")))
}

/// The value of `--weights`: a JSON object of name and number. Names are
/// checked by the scorer.
pub(super) fn weights_value(
    parser: &mut Parser,
    streams: &mut Streams,
) -> Result<Vec<(String, f64)>, Failure> {
    let text = text_value(parser)?;
    let mut problems = Problems::new();
    let mut weights = Vec::new();
    match parse_json(&text) {
        Err(problem) => problems.push(problem),
        Ok(node) => {
            let root = Reader::new(&node);
            if !matches!(root.value(), Value::Map(_)) {
                root.expected("an object of name and weight", &mut problems);
            }
            for entry in root.entries() {
                let reader = root.child(entry);
                match reader.as_f64() {
                    Some(weight) => weights.push((entry.key.clone(), weight)),
                    None => reader.expected("a number", &mut problems),
                }
            }
        }
    }
    if problems.has_errors() {
        report(&problems.into_sorted(), |_| "--weights".into(), streams)?;
        return Err(Failure::Reported);
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_changed_meanwhile_is_not_read_on() {
        let name = format!("assay-changed-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, "one\n").expect("written");
        let mut streams = Streams {
            stdin: &mut std::io::empty(),
            stdout: &mut std::io::sink(),
            stderr: &mut std::io::sink(),
        };
        let source = Source::File(path.clone());
        let held = source
            .held_closed(&mut streams)
            .map_err(|_| ())
            .expect("read");
        assert_eq!(held.read(0..3), Ok(b"one".to_vec()));
        std::fs::write(&path, "two and more\n").expect("written");
        let words = held.read(0..3).expect_err("another file");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(words, "cannot be read: it was changed meanwhile");
    }
}
