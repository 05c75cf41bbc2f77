//! A file of results that is written line by line, and gone on with where it ends.

use std::collections::{HashMap, VecDeque};
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::BuildHasher;
use std::io::{BufRead, BufReader, Read as _, Seek, SeekFrom, Write as _};
use std::path::Path;

use rustc_hash::FxBuildHasher;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Failure;

/// What a line of results says of its input: a result, or a session of a part.
#[derive(Deserialize)]
struct Of {
    formula: Option<String>,
    input_sha256: Option<String>,
    #[serde(rename = "persona_session", alias = "reward_session")]
    session: Option<OfSession>,
    /// The head of a part.
    #[serde(rename = "persona_part", alias = "reward_part")]
    part: Option<IgnoredAny>,
    /// The end of one.
    #[serde(rename = "persona_end", alias = "reward_end")]
    end: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct OfSession {
    input_sha256: String,
}

/// How a line of a part begins that is about no session.
const BESIDE: &[u8] = b"{\"persona_beside\":";

/// How lines of results and of parts begin.
const STARTS: [&[u8]; 3] = [b"{\"formula\":", b"{\"persona_", b"{\"reward_"];

/// The file.
pub(super) struct Results {
    /// It, to be written on at its end.
    pub(super) file: File,
    /// The inputs of the results that it had.
    pub(super) done: Done,
    /// The head of the part that it had.
    pub(super) head: Option<String>,
    /// What its results were scored by, where they say it.
    pub(super) formula: Option<String>,
    /// Where what was finished ends.
    end: u64,
    /// What stands behind: the end of a part, which is written again behind what comes, or a line that was not
    /// finished.
    rest: Vec<u8>,
}

/// How many results are there of each input, by its SHA-256.
#[derive(Default)]
pub(super) struct Done {
    of: HashMap<[u8; 32], There>,
    /// The hashes of the lines of those inputs of which they are not all the same, in their order.
    others: HashMap<[u8; 32], VecDeque<u64>>,
    left: usize,
    /// The hashes of the results that were taken since this was emptied.
    pub(super) taken: Vec<u64>,
}

/// The results of an input.
struct There {
    count: usize,
    /// The hash of the first of their lines.
    line: u64,
}

impl Done {
    /// Whether there is a result of this input, in hexadecimal digits; it is then one less.
    pub(super) fn takes(&mut self, sha256: &str) -> bool {
        let Some(sha256) = from_hex(sha256) else {
            return false;
        };
        let there = self.of.get_mut(&sha256);
        let Some(there) = there.filter(|there| there.count > 0) else {
            return false;
        };
        there.count -= 1;
        self.left -= 1;
        let others = self.others.get_mut(&sha256);
        let line = others.and_then(VecDeque::pop_front);
        self.taken.push(line.unwrap_or(there.line));
        true
    }

    /// One more, with its line.
    fn add(&mut self, sha256: [u8; 32], line: u64) {
        let there = self.of.entry(sha256).or_insert(There { count: 0, line });
        let others = self.others.get_mut(&sha256);
        match others {
            Some(others) => others.push_back(line),
            None if there.line != line => {
                let mut all = VecDeque::from(vec![there.line; there.count]);
                all.push_back(line);
                self.others.insert(sha256, all);
            }
            None => {}
        }
        there.count += 1;
        self.left += 1;
    }

    /// Whether there are results of all of these; those that there are are then fewer by these. Of none there is
    /// nothing.
    pub(super) fn takes_all(&mut self, all: &[String]) -> bool {
        let there = all.iter().filter(|sha256| self.takes(sha256));
        there.count() == all.len() && !all.is_empty()
    }

    /// How many are left.
    pub(super) fn left(&self) -> usize {
        self.left
    }
}

/// What a line is known again by, without its end.
pub(super) fn hash_of(line: &[u8]) -> u64 {
    FxBuildHasher.hash_one(line.trim_ascii_end())
}

impl Results {
    /// A new file, or one of results that is gone on with.
    pub(super) fn open(path: &Path, is_resumed: bool) -> Result<Self, Failure> {
        let file = opened(path, is_resumed)?;
        if !is_resumed {
            return Ok(Self::of(file));
        }
        let resumed = Self::resumed(file).map_err(|error| cannot(path, &error))?;
        resumed.map_err(|line| {
            Failure::Usage(format!(
                "{}:{line}: this is no result: the file is left as it is",
                path.display()
            ))
        })
    }

    /// A file of which nothing is known yet.
    fn of(file: File) -> Self {
        Self {
            file,
            done: Done::default(),
            head: None,
            formula: None,
            end: 0,
            rest: Vec::new(),
        }
    }

    /// A file of results to be gone on with, or the number of the line that is none. Nothing is changed yet.
    fn resumed(file: File) -> std::io::Result<Result<Self, usize>> {
        let mut own = Self::of(file);
        let mut lines = BufReader::new(&own.file);
        let (mut line, mut is_ended) = (Vec::new(), false);
        for number in 1.. {
            line.clear();
            let length = lines.read_until(b'\n', &mut line)?;
            if !line.ends_with(b"\n") {
                // what was not finished is cut off, if it was begun here
                let is_begun = |start: &&[u8]| line.starts_with(start) || start.starts_with(&line);
                if !STARTS.iter().any(is_begun) {
                    return Ok(Err(number));
                }
                break;
            }
            let Ok(of) = serde_json::from_slice::<Of>(&line) else {
                return Ok(Err(number));
            };
            if is_ended {
                return Ok(Err(number));
            }
            if of.end.is_some() {
                is_ended = true;
                continue;
            }
            let session = of.session.map(|session| session.input_sha256);
            if of.part.is_some() && number == 1 {
                own.head = Some(line_of(&line));
            } else if let Some(sha256) = of.input_sha256.or(session).and_then(|of| from_hex(&of)) {
                if number == 1 {
                    own.formula = of.formula;
                }
                own.done.add(sha256, hash_of(&line));
            } else if !line.starts_with(BESIDE) {
                return Ok(Err(number));
            }
            own.end += length as u64;
        }
        own.file.seek(SeekFrom::Start(own.end))?;
        own.file.read_to_end(&mut own.rest)?;
        Ok(Ok(own))
    }

    /// Whether no job makes them: of one input there are several that are not the same. Sessions of a part may have
    /// names that their input does not say.
    pub(super) fn is_mixed(&self) -> bool {
        self.head.is_none() && !self.done.others.is_empty()
    }

    /// Goes on behind what was finished.
    pub(super) fn go_on(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(())
    }

    /// Leaves it as it was.
    pub(super) fn as_it_was(&mut self) -> std::io::Result<()> {
        self.go_on()?;
        self.file.write_all(&self.rest)
    }

    /// The same where nothing was added.
    pub(super) fn ended(&mut self) -> std::io::Result<()> {
        if self.file.metadata()?.len() == self.end {
            self.as_it_was()?;
        }
        Ok(())
    }
}

/// A file in the place of what is printed: a new one, or one that is gone on with, which is not changed yet.
pub(super) fn opened(path: &Path, is_resumed: bool) -> Result<File, Failure> {
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return Err(Failure::Usage(format!(
            "{} is no regular file: without --out they are printed",
            path.display()
        )));
    }
    let mut options = OpenOptions::new();
    let options = options.read(is_resumed).write(true).truncate(false);
    let file = options
        .create(is_resumed)
        .create_new(!is_resumed)
        .open(path)
        .map_err(|error| cannot(path, &error))?;
    // two that write would write over each other; where files cannot be locked they are not
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(Failure::Usage(format!(
            "{} is being written by another job",
            path.display()
        )));
    }
    Ok(file)
}

/// A file that cannot be written, and why.
fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    let path = path.display();
    if error.kind() == std::io::ErrorKind::AlreadyExists {
        return Failure::Usage(format!(
            "{path}: is there already: --resume goes on with it"
        ));
    }
    Failure::Stream(std::io::Error::other(format!(
        "{path}: cannot be written: {error}"
    )))
}

/// A line without its end.
fn line_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

fn from_hex(digits: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let is_whole = digits.len() == 64 && digits.is_ascii();
    for (at, byte) in bytes.iter_mut().enumerate() {
        let pair = digits.get(2 * at..2 * at + 2).filter(|_| is_whole)?;
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(bytes)
}
