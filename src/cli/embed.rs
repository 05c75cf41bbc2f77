//! `assay embed`: a text per line in, a vector per line out.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

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
    /// How many.
    count: usize,
    /// The last of them.
    last: Vec<f32>,
    /// Where it ends.
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
    let (count, end) = embed_all(&opened, &mut input, stdout, &mut progress)?;
    match end {
        End::Done => Ok(Status::Done),
        End::Unread(error) => Err(error.into()),
        End::NotUtf8(error) => {
            let (valid, lines) = (error.utf8_error().valid_up_to(), before.count + count);
            Err(source.not_utf8(error.as_bytes(), valid, lines as u32, streams))
        }
    }
}

/// How an input came to its end.
enum End {
    Done,
    Unread(std::io::Error),
    /// At this line.
    NotUtf8(FromUtf8Error),
}

impl Call {
    /// Leaves the texts whose vectors are there; the last of them is embedded again, and has to have the
    /// same.
    fn pass_over(
        &self,
        before: &Before,
        opened: &Opened,
        input: &mut impl BufRead,
    ) -> Result<(), Failure> {
        let mut line = Vec::new();
        for _ in 0..before.count {
            line.clear();
            input.read_until(b'\n', &mut line)?;
        }
        if before.count == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let again = opened.model().embed(text.trim_end_matches(['\r', '\n']));
        let again = again.map_err(|error| Failure::Model(error.0))?;
        let pairs = again.iter().zip(&before.last);
        let is_same = again.len() == before.last.len()
            && pairs
                .into_iter()
                .all(|(one, other)| (one - other).abs() <= SAME);
        if is_same {
            return Ok(());
        }
        let path = self.out.as_deref().unwrap_or(Path::new(""));
        Err(Failure::Usage(format!(
            "{}:{}: this is not the vector of that text by this model: the file is left as it is",
            path.display(),
            before.count
        )))
    }
}

/// Writes the vectors of all texts; how many, and how the input ended.
fn embed_all(
    opened: &Opened,
    input: &mut BufReader<&mut dyn Read>,
    stdout: &mut dyn Write,
    progress: &mut Progress,
) -> Result<(usize, End), Failure> {
    let mut count = 0;
    loop {
        let (texts, end) = here(input);
        count += texts.len();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let bare: Vec<&str> = texts
            .iter()
            .map(|text| text.trim_end_matches(['\r', '\n']))
            .collect();
        let mut lines = Vec::new();
        for vector in opened.model().embed_all(&bare, opened.threads) {
            let vector = vector.map_err(|error| Failure::Model(error.0))?;
            serde_json::to_writer(&mut lines, &vector).map_err(std::io::Error::from)?;
            lines.push(b'\n');
        }
        stdout.write_all(&lines)?;
        stdout.flush()?;
        progress.add(Step {
            count: texts.len(),
            wrong: 0,
            share: texts.iter().map(|text| text.len() as u64).sum(),
        });
        if let Some(end) = end {
            progress.hide();
            return Ok((count, end));
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
        if line.is_empty() || !is_whole && line.starts_with(b"[") {
            break;
        }
        let vector = serde_json::from_slice(&line).ok().filter(|_| is_whole);
        let Some(vector) = vector else {
            return Err(Failure::Usage(format!(
                "{}:{}: this is no vector: the file is left as it is",
                path.display(),
                before.count + 1
            )));
        };
        before.last = vector;
        before.count += 1;
        before.end += length as u64;
    }
    Ok((file, before))
}

/// A line, and those behind it that are here already: who writes one and waits for its vector gets it.
/// Then how the input ended, where it did.
fn here<R: Read>(input: &mut BufReader<R>) -> (Vec<String>, Option<End>) {
    let mut texts = Vec::new();
    while texts.len() < MOST && (texts.is_empty() || input.buffer().contains(&b'\n')) {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => return (texts, Some(End::Done)),
            Ok(_) => match String::from_utf8(line) {
                Ok(text) => texts.push(text),
                Err(error) => return (texts, Some(End::NotUtf8(error))),
            },
            Err(error) => return (texts, Some(End::Unread(error))),
        }
    }
    (texts, None)
}
