//! A file of results that is written line by line, and gone on with where it ends.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;

use super::Failure;

/// What a result says of its input.
#[derive(Deserialize)]
struct Of {
    input_sha256: String,
}

/// The file.
pub(super) struct Results {
    /// It, to be written on at its end.
    pub(super) file: File,
    /// The inputs of the results that it had, in order.
    pub(super) done: Done,
}

/// The SHA-256 of inputs whose results are there.
#[derive(Default)]
pub(super) struct Done(VecDeque<[u8; 32]>);

impl Done {
    /// Whether the next of them is this one, in hexadecimal digits; then the one behind it is the next.
    pub(super) fn takes(&mut self, sha256: &str) -> bool {
        let is_next = self.0.front().is_some() && self.0.front().copied() == from_hex(sha256);
        if is_next {
            self.0.pop_front();
        }
        is_next
    }

    /// Whether there is none any more.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Results {
    /// A new file, or one that is gone on with: behind its last whole result, what is there of another
    /// is cut off.
    pub(super) fn open(path: &Path, is_resumed: bool) -> Result<Self, Failure> {
        let failed = |error: &std::io::Error| {
            Failure::Usage(format!("{}: cannot be written: {error}", path.display()))
        };
        if is_resumed {
            return Self::resumed(path).map_err(|error| failed(&error));
        }
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        match file {
            Ok(file) => Ok(Self {
                file,
                done: Done::default(),
            }),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(Failure::Usage(format!(
                    "{} is there already: --resume goes on with it",
                    path.display()
                )))
            }
            Err(error) => Err(failed(&error)),
        }
    }

    fn resumed(path: &Path) -> std::io::Result<Self> {
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let (mut done, mut end) = (VecDeque::new(), 0);
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = lines.read_until(b'\n', &mut line)?;
            let of = serde_json::from_slice::<Of>(&line).ok();
            let sha256 = of.and_then(|of| from_hex(&of.input_sha256));
            let (true, Some(sha256)) = (line.ends_with(b"\n"), sha256) else {
                break;
            };
            done.push_back(sha256);
            end += length as u64;
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self {
            file,
            done: Done(done),
        })
    }
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
