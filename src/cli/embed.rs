//! `assay embed`: a text per line in, a vector per line out; `null` for a line that is no text.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use lexopt::{Arg, Parser};

use super::input::Source;
use super::model::{Chosen, Opened};
use super::progress::{Progress, Step};
use super::{Failure, Status, Streams, help};

/// So many texts are held and computed at once.
const MOST: usize = 4096;
/// So much is read at a time, in bytes.
const BUFFER: usize = 1 << 18;
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
    /// The first and the last of them, each with how many lines stand before it.
    ends: [Option<(usize, Vec<f32>)>; 2],
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
    let source = call.input.clone().unwrap_or(Source::Stdin);
    let mut file = source.opened(streams)?;
    let (mut out, before) = match &call.out {
        Some(path) => {
            source.is_not(path)?;
            let (file, before) = vectors(path, call.is_resumed)?;
            (Some(file), before)
        }
        None => (None, Before::default()),
    };
    let length = file.as_ref().map(|(_, length)| *length);
    let mut progress = Progress::new("texts", length, out.is_some());
    let input: &mut dyn Read = match &mut file {
        Some((file, _)) => file,
        None => &mut *streams.stdin,
    };
    let mut input = BufReader::with_capacity(BUFFER, input);
    call.pass_over(&before, &opened, &mut input)?;
    let stdout: &mut dyn Write = match &mut out {
        Some(file) => {
            // what was not finished is cut off
            file.set_len(before.end)?;
            file.seek(SeekFrom::Start(before.end))?;
            file
        }
        None => &mut *streams.stdout,
    };
    let mut streams = Streams {
        stdin: &mut std::io::empty(),
        stdout,
        stderr: &mut *streams.stderr,
    };
    embed_all(
        &opened,
        (&source, before.count),
        &mut input,
        &mut streams,
        &mut progress,
    )
}

impl Call {
    /// Leaves the texts whose vectors are there; the first and the last of them are embedded again, and have
    /// to have the same.
    fn pass_over(
        &self,
        before: &Before,
        opened: &Opened,
        input: &mut impl BufRead,
    ) -> Result<(), Failure> {
        let mut line = Vec::new();
        for number in 0..before.count {
            line.clear();
            input.read_until(b'\n', &mut line)?;
            let ends = before.ends.iter().flatten();
            for (_, vector) in ends.filter(|(at, _)| *at == number) {
                let text = String::from_utf8_lossy(&line);
                let again = opened.model().embed(text.trim_end_matches(['\r', '\n']));
                let again = again.map_err(|error| Failure::Model(error.0))?;
                if !is_same(&again, vector) {
                    let path = self.out.as_deref().unwrap_or(Path::new(""));
                    return Err(Failure::Usage(format!(
                        "{}:{}: this is not the vector of that text by this model: the file is left as it is",
                        path.display(),
                        number + 1
                    )));
                }
            }
        }
        Ok(())
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
    progress: &mut Progress,
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
                    let number = (before + at) as u32;
                    match source.not_utf8(line, error.valid_up_to(), number, streams) {
                        Failure::Reported => None,
                        failure => return Err(failure),
                    }
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
        });
        if wrong > 0 {
            status = Status::BadInput;
        }
        if let Some(end) = end {
            progress.hide();
            return end.map(|()| status).map_err(Failure::from);
        }
    }
}

/// A new file of vectors, or one that is gone on with, which is not changed yet.
fn vectors(path: &Path, is_resumed: bool) -> Result<(File, Before), Failure> {
    let failed = |error: &std::io::Error| {
        let why = if error.kind() == std::io::ErrorKind::AlreadyExists {
            "is there already: --resume goes on with it".to_owned()
        } else {
            format!("cannot be written: {error}")
        };
        Failure::Usage(format!("{}: {why}", path.display()))
    };
    if !is_resumed {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        return Ok((file.map_err(|error| failed(&error))?, Before::default()));
    }
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path).map_err(|error| failed(&error))?;
    let mut before = Before::default();
    let mut lines = BufReader::with_capacity(BUFFER, &file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = lines.read_until(b'\n', &mut line)?;
        let is_whole = line.ends_with(b"\n");
        let is_begun = line.starts_with(b"[") || b"null".starts_with(&line);
        if !is_whole && is_begun {
            break;
        }
        let vector = serde_json::from_slice::<Option<Vec<f32>>>(&line).ok();
        let Some(vector) = vector.filter(|_| is_whole) else {
            return Err(Failure::Usage(format!(
                "{}:{}: this is no vector: the file is left as it is",
                path.display(),
                before.count + 1
            )));
        };
        let ends = vector.map(|vector| (before.count, vector));
        if before.ends[0].is_none() {
            before.ends[0] = ends;
        } else if ends.is_some() {
            before.ends[1] = ends;
        }
        before.count += 1;
        before.end += length as u64;
    }
    Ok((file, before))
}

/// A line, and those behind it that are here already: who writes one and waits for its vector gets it.
/// Then how the input ended, where it did.
fn here<R: Read>(input: &mut BufReader<R>) -> (Vec<Vec<u8>>, Option<std::io::Result<()>>) {
    let mut lines = Vec::new();
    while lines.len() < MOST && (lines.is_empty() || input.buffer().contains(&b'\n')) {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => return (lines, Some(Ok(()))),
            Ok(_) => lines.push(line),
            Err(error) => return (lines, Some(Err(error))),
        }
    }
    (lines, None)
}
