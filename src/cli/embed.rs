//! `assay embed`: a text per line in, a vector per line out; `null` for a line that is no text.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use lexopt::{Arg, Parser};

use super::input::Source;
use super::model::{Chosen, Opened};
use super::progress::{Progress, Step};
use super::results::opened;
use super::{Failure, Status, Streams, help};

/// So many texts are held and computed at once, and so many bytes of them: a few seconds at most, which are lost
/// when it is broken off.
const MOST: usize = 1024;
const MOST_BYTES: usize = 1 << 16;
/// So much is read at a time, in bytes.
const BUFFER: usize = 1 << 18;
/// So many vectors that are there are made again, which takes seconds: all of a short file.
const MADE_AGAIN: usize = 128;
/// Components of one text made twice differ by no more.
const SAME: f32 = 1e-5;

/// What is asked for.
#[derive(Default)]
struct Call {
    model: Chosen,
    /// Stdin without one.
    input: Option<Source>,
    /// The file that vectors are written to, and whether it is gone on with.
    out: Option<PathBuf>,
    is_resumed: bool,
}

/// Vectors that were written before.
#[derive(Default)]
struct Before {
    /// How many lines.
    count: usize,
    /// Of their vectors some that lie evenly over all, at most [`MADE_AGAIN`] and among them the first and the last,
    /// each with how many lines stand before it.
    some: Vec<(usize, Vec<f32>)>,
    /// Those without a vector: how many lines stand before each.
    without: Vec<usize>,
    /// Where they end, in bytes.
    end: u64,
}

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let mut call = Call::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("input") => call.input = Some(Source::from_arg(parser.value()?)),
            Arg::Long("out") => call.out = Some(parser.value()?.into()),
            Arg::Long("resume") => call.is_resumed = true,
            // taken over as it borrows the parser
            Arg::Long(name) => {
                let name = name.to_owned();
                if !call.model.take(&Arg::Long(&name), &mut parser)? {
                    return Err(Arg::Long(&name).unexpected().into());
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if call.is_resumed && call.out.is_none() {
        let message = "--resume goes on with a file of vectors: name it with --out";
        return Err(Failure::Usage(message.into()));
    }
    let opened = call.model.open()?;
    call.embed(&opened, streams)
}

impl Call {
    /// Embeds the input, behind what is there already.
    fn embed(&self, opened: &Opened, streams: &mut Streams) -> Result<Status, Failure> {
        let source = self.input.clone().unwrap_or(Source::Stdin);
        let mut file = source.opened(streams)?;
        let (mut out, before) = match &self.out {
            Some(path) => {
                source.is_not(path)?;
                let (file, before) = vectors(path, self.is_resumed)?;
                (Some(file), before)
            }
            None => (None, Before::default()),
        };
        let length = file.as_ref().map(|(_, length)| *length);
        let mut progress = Progress::new("texts", length, out.is_some());
        let Streams {
            stdin,
            stdout,
            stderr,
        } = streams;
        let input: &mut dyn Read = match &mut file {
            Some((file, _)) => file,
            None => &mut **stdin,
        };
        let mut input = BufReader::with_capacity(BUFFER, input);
        let mut streams = Streams {
            stdin: &mut std::io::empty(),
            stdout: &mut **stdout,
            stderr: &mut **stderr,
        };
        let (passed, status) = self.pass_over(&before, opened, &mut input, &mut streams)?;
        progress.add(Step {
            skipped: passed,
            ..Step::default()
        });
        let stdout: &mut dyn Write = match &mut out {
            Some(file) => {
                // what was not finished is cut off
                file.set_len(before.end)?;
                file.seek(SeekFrom::Start(before.end))?;
                file
            }
            None => streams.stdout,
        };
        let mut streams = Streams { stdout, ..streams };
        let place = (&source, before.count);
        let all = embed_all(opened, place, &mut input, &mut streams, progress)?;
        Ok(all.worse(status))
    }

    /// Leaves the lines of which lines are there, so many bytes: some vectors are made again, and have to be the same. Those that have none are told again.
    fn pass_over(
        &self,
        before: &Before,
        opened: &Opened,
        input: &mut impl BufRead,
        streams: &mut Streams,
    ) -> Result<(u64, Status), Failure> {
        let (mut passed, mut status, mut line) = (0, Status::Done, Vec::new());
        let mut without = before.without.iter().peekable();
        let mut some = before.some.iter().map(|(at, _)| at).peekable();
        let mut again = Vec::new();
        for number in 0..before.count {
            line.clear();
            let length = input.read_until(b'\n', &mut line)?;
            passed += length as u64;
            if length == 0 {
                return Err(self.refused(number, "the input has no such line"));
            }
            if without.next_if_eq(&&number).is_some() {
                let Err(error) = std::str::from_utf8(&line) else {
                    let why = "the input has a text here now: cut the file before this line";
                    return Err(self.refused(number, why));
                };
                let source = self.input.as_ref().unwrap_or(&Source::Stdin);
                status = not_utf8(source, &line, (error, number), streams)?;
            }
            if some.next_if_eq(&&number).is_some() {
                let text = String::from_utf8_lossy(&line);
                again.push(text.trim_end_matches(['\r', '\n']).to_owned());
            }
        }
        let again: Vec<&str> = again.iter().map(String::as_str).collect();
        let again = opened.model().embed_all(&again, opened.threads);
        for (again, (number, vector)) in again.into_iter().zip(&before.some) {
            let again = again.map_err(|error| Failure::Model(error.0))?;
            if !is_same(&again, vector) {
                let why = "this is not the vector of that text by this model";
                return Err(self.refused(*number, why));
            }
        }
        Ok((passed, status))
    }

    /// Why the file of vectors is not gone on with, behind so many lines.
    fn refused(&self, before: usize, why: &str) -> Failure {
        let path = self.out.as_deref().unwrap_or(Path::new(""));
        let place = format!("{}:{}", path.display(), before + 1);
        Failure::Usage(format!("{place}: {why}; the file is left as it is"))
    }
}

/// Tells a line that is not UTF-8, behind so many.
fn not_utf8(
    source: &Source,
    line: &[u8],
    (error, before): (std::str::Utf8Error, usize),
    streams: &mut Streams,
) -> Result<Status, Failure> {
    match source.not_utf8(line, error.valid_up_to(), before as u32, streams) {
        Failure::Reported => Ok(Status::BadInput),
        failure => Err(failure),
    }
}

/// Whether these are two vectors of one text.
fn is_same(one: &[f32], other: &[f32]) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(one, other)| (one - other).abs() <= SAME)
}

/// Writes a line for each line of the source, of which so many stand before the input: a vector, or `null`
/// where it is not UTF-8, which is told.
fn embed_all(
    opened: &Opened,
    (source, mut before): (&Source, usize),
    input: &mut BufReader<&mut dyn Read>,
    streams: &mut Streams,
    mut progress: Progress,
) -> Result<Status, Failure> {
    let mut status = Status::Done;
    loop {
        let (lines, end) = here(input);
        let texts: Vec<_> = lines.iter().map(|line| std::str::from_utf8(line)).collect();
        let bare = texts.iter().flatten();
        let bare: Vec<&str> = bare
            .map(|text| text.trim_end_matches(['\r', '\n']))
            .collect();
        let mut vectors = opened.model().embed_all(&bare, opened.threads).into_iter();
        let (mut out, mut wrong) = (Vec::new(), 0);
        for (at, (text, line)) in texts.iter().zip(&lines).enumerate() {
            let vector = match text {
                Ok(_) => vectors
                    .next()
                    .transpose()
                    .map_err(|error| Failure::Model(error.0))?,
                Err(error) => {
                    progress.hide();
                    wrong += 1;
                    status = not_utf8(source, line, (*error, before + at), streams)?;
                    None
                }
            };
            serde_json::to_writer(&mut out, &vector).map_err(std::io::Error::from)?;
            out.push(b'\n');
        }
        streams.stdout.write_all(&out)?;
        streams.stdout.flush()?;
        before += lines.len();
        progress.add(Step {
            count: lines.len(),
            wrong,
            share: lines.iter().map(|line| line.len() as u64).sum(),
            skipped: 0,
        });
        if let Some(end) = end {
            progress.end();
            return end.map(|()| status).map_err(Failure::from);
        }
    }
}

/// A new file of vectors, or one that is gone on with, which is not changed yet.
fn vectors(path: &Path, is_resumed: bool) -> Result<(File, Before), Failure> {
    let (file, mut before) = (opened(path, is_resumed)?, Before::default());
    if !is_resumed {
        return Ok((file, before));
    }
    let mut lines = BufReader::with_capacity(BUFFER, &file);
    let (mut line, mut last) = (Vec::new(), None);
    let (mut count, mut step, mut size) = (0, 1, None);
    loop {
        line.clear();
        let length = lines.read_until(b'\n', &mut line)?;
        let is_whole = line.ends_with(b"\n");
        let is_begun = line.starts_with(b"[") || b"null".starts_with(&line);
        if !is_whole && is_begun {
            break;
        }
        let vector = serde_json::from_slice::<Option<Vec<f32>>>(&line).ok();
        let is_sized = |vector: &Vec<f32>| vector.len() == *size.get_or_insert(vector.len());
        let vector = vector.filter(|vector| vector.as_ref().is_none_or(is_sized));
        let Some(vector) = vector.filter(|_| is_whole) else {
            return Err(Failure::Usage(format!(
                "{}:{}: this is no vector: the file is left as it is",
                path.display(),
                before.count + 1
            )));
        };
        match vector {
            Some(vector) => {
                let own = (before.count, vector);
                if count % step == 0 {
                    before.some.push(own);
                    last = None;
                } else {
                    last = Some(own);
                }
                count += 1;
            }
            None => before.without.push(before.count),
        }
        if before.some.len() == MADE_AGAIN {
            step *= 2;
            last = before.some.pop();
            let mut is_kept = false;
            before.some.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
        }
        before.count += 1;
        before.end += length as u64;
    }
    before.some.extend(last);
    Ok((file, before))
}

/// A line, and those behind it that are here already: who writes one and waits for its vector gets it.
/// Then how the input ended, where it did.
fn here<R: Read>(input: &mut BufReader<R>) -> (Vec<Vec<u8>>, Option<std::io::Result<()>>) {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    while lines.len() < MOST
        && bytes < MOST_BYTES
        && (lines.is_empty() || input.buffer().contains(&b'\n'))
    {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => return (lines, Some(Ok(()))),
            Ok(length) => {
                bytes += length;
                lines.push(line);
            }
            Err(error) => return (lines, Some(Err(error))),
        }
    }
    (lines, None)
}
