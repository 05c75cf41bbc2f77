//! Jobs over the lines of an input, on all cores: what all of them take, and where their results go.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::PathBuf;

use lexopt::{Arg, Parser};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::input::{Source, all_threads, threads_value};
use super::lines::{Item, Key, Lined, Work, each};
use super::results::{Done, Results};
use super::{Failure, Status, Streams};

/// What the arguments say of a job.
#[derive(Default)]
pub(super) struct Job {
    /// Whether every line of the input stands for itself, whatever the input is called.
    pub(super) is_lines: bool,
    pub(super) threads: Option<NonZero<usize>>,
    /// The file of results that is written instead of printing them, and whether it is gone on with.
    pub(super) out: Option<PathBuf>,
    pub(super) is_resumed: bool,
}

/// What a job does.
pub(super) struct Plan<'a> {
    /// What belongs together; without it each line stands for itself.
    pub(super) key: Option<Key>,
    /// What is counted, as `lines`.
    pub(super) what: &'static str,
    /// A line before all results, which is the same when the job is gone on with.
    pub(super) head: Option<String>,
    /// Whether there is a result of a text already, which is then taken from those that there are.
    pub(super) is_done: &'a mut (dyn FnMut(&str, &mut Done) -> bool + Send),
    pub(super) work: Work<'a>,
}

impl Job {
    /// Takes an argument that is about the job; says whether it was one.
    pub(super) fn take(&mut self, arg: &Arg, parser: &mut Parser) -> Result<bool, Failure> {
        match arg {
            Arg::Long("lines") => self.is_lines = true,
            Arg::Long("threads") => self.threads = Some(threads_value(parser)?),
            Arg::Long("out") => self.out = Some(parser.value()?.into()),
            Arg::Long("resume") => self.is_resumed = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What makes no sense together.
    pub(super) fn check(&self, is_masked: bool) -> Result<(), Failure> {
        let message = if self.is_resumed && self.out.is_none() {
            "--resume goes on with a file of results: name it with --out"
        } else if self.out.is_some() && is_masked {
            "--out holds results as they are, and is not written with --mask"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(message.into()))
    }

    /// How many threads work.
    pub(super) fn threads(&self) -> NonZero<usize> {
        self.threads.unwrap_or_else(all_threads)
    }

    /// Does it.
    pub(super) fn run(
        &self,
        source: &Source,
        plan: &mut Plan,
        streams: &mut Streams,
    ) -> Result<Status, Failure> {
        let mut file = source.opened(streams)?;
        let mut out = self.results(source)?;
        if let Some(head) = &plan.head {
            self.begin(head, out.as_mut(), streams)?;
        }
        let mut done = out.as_mut().map(|out| std::mem::take(&mut out.done));
        let is_new = done.as_ref().is_none_or(|done| done.left() == 0);
        let mut is_done = |bytes: &[u8]| {
            let Some(done) = done.as_mut().filter(|done| done.left() > 0) else {
                return false;
            };
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            (plan.is_done)(text.trim_end_matches(['\r', '\n']), done)
        };
        let job = Lined {
            threads: self.threads(),
            length: file.as_ref().map(|(_, length)| *length),
            key: plan.key,
            what: plan.what,
            is_to_file: out.is_some(),
            is_done: (!is_new).then_some(&mut is_done),
        };
        let input: &mut (dyn Read + Send) = match &mut file {
            Some((file, _)) => file,
            None => &mut *streams.stdin,
        };
        let stdout: &mut dyn Write = match &mut out {
            Some(out) => &mut out.file,
            None => &mut *streams.stdout,
        };
        let (status, unread) = each(input, job, (stdout, &mut *streams.stderr), plan.work)?;
        if let Some(error) = unread {
            return source.unreadable(&error, streams);
        }
        if let Some(left) = done.map(|done| done.left()).filter(|left| *left > 0) {
            let words =
                "results were there already that no line of the input has: the input was changed";
            writeln!(streams.stderr, "assay: {left} {words}")?;
        }
        Ok(status)
    }

    /// Writes the head, or sees that it stands there.
    fn begin(
        &self,
        head: &str,
        out: Option<&mut Results>,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        match out {
            None => writeln!(streams.stdout, "{head}")?,
            Some(out) if out.head.is_none() && out.done.left() == 0 => {
                writeln!(out.file, "{head}")?;
            }
            Some(out) if out.head.as_deref() == Some(head) => {}
            Some(_) => {
                let name = self.out.as_ref().map(|path| path.display().to_string());
                return Err(Failure::Usage(format!(
                    "{}: this was begun with other inputs, settings or another model: the file is left as it is",
                    name.unwrap_or_default()
                )));
            }
        }
        Ok(())
    }

    /// The file of results, where one is wanted.
    fn results(&self, source: &Source) -> Result<Option<Results>, Failure> {
        let Some(path) = &self.out else {
            return Ok(None);
        };
        let is_input = match source {
            Source::File(input) => {
                let [input, out] = [input, path].map(|path| path.canonicalize().ok());
                input.is_some() && input == out
            }
            Source::Stdin => false,
        };
        if is_input {
            let message = "--out names the input itself";
            return Err(Failure::Usage(message.into()));
        }
        Results::open(path, self.is_resumed).map(Some)
    }
}

/// What a line says of the session that it is of.
#[derive(Deserialize)]
pub(super) struct Named {
    session_id: Option<Id>,
    messages: Option<IgnoredAny>,
    turns: Option<IgnoredAny>,
    policy_trace: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
    Other(IgnoredAny),
}

impl Named {
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        serde_json::from_slice(line).ok()
    }

    /// Whether it holds a session by itself: a conversation, or the turns of one.
    pub(super) fn is_whole(&self) -> bool {
        self.messages.is_some() || self.turns.is_some() || self.policy_trace.is_some()
    }

    /// The session; an empty name where it names none, nothing where the name is none.
    pub(super) fn id(self) -> Option<Vec<u8>> {
        match self.session_id {
            Some(Id::Text(id)) => Some(id.into_bytes()),
            Some(Id::Number(id)) => Some(id.to_string().into_bytes()),
            Some(Id::Other(_)) => None,
            None => Some(Vec::new()),
        }
    }
}

impl<'a> Item<'a> {
    /// Its text without the end of its last line; what is not UTF-8 is reported.
    pub(super) fn text(&self, source: &Source, streams: &mut Streams) -> Result<&'a str, Failure> {
        match std::str::from_utf8(self.bytes) {
            Ok(text) => Ok(text.trim_end_matches(['\r', '\n'])),
            Err(error) => {
                let valid = error.valid_up_to();
                Err(source.not_utf8(self.bytes, valid, self.before, streams))
            }
        }
    }
}
