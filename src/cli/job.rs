//! Jobs over the lines of an input, on all cores: what all of them take, and where their results go.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::PathBuf;

use lexopt::{Arg, Parser};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::input::{Source, all_threads, threads_value};
use super::lines::{Before as There, Belongs, Item, Key, Lined, Work, each};
use super::output::report;
use super::readable::readable;
use super::results::{Done, Results};
use super::{Failure, Status, Streams};
use crate::document::{Object, PartEnd, Place, Problem, Severity};
#[cfg(feature = "embed")]
use crate::persona::NO_SESSION;

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

/// How much was left out of the results that there are of an item, with its text; they are then taken
/// from those that there are. None where some are missing.
pub(super) type IsThere<'a> = &'a mut (dyn FnMut(&str, &Item, &mut Done) -> Option<usize> + Send);

/// Lines of which little is to be done are handed out together up to so many bytes; those of which much is, up to
/// [`FEW`].
pub(super) const MANY: usize = 1 << 18;
/// A second or two of embedding: what is broken off then is lost.
#[cfg(feature = "embed")]
pub(super) const FEW: usize = 1 << 14;

/// What a job does.
pub(super) struct Plan<'a> {
    /// What belongs together; without it each line stands for itself.
    pub(super) key: Option<Key<'a>>,
    /// How many bytes of lines are done together.
    pub(super) chunk: usize,
    /// What results say that they were scored by, where each does.
    pub(super) formula: Option<&'static str>,
    /// What is counted, as `lines`.
    pub(super) what: &'static str,
    /// A line before all results, which is the same when the job is gone on with.
    pub(super) head: Option<String>,
    /// A line behind all results once there are all.
    pub(super) end: Option<fn(PartEnd) -> String>,
    /// Whether all results that are there are made again and compared, as that is quick, and not the first alone.
    pub(super) compares_all: bool,
    /// Whether there is a result of a text already, which is then taken from those that there are.
    pub(super) is_done: IsThere<'a>,
    pub(super) work: Work<'a>,
}

/// The results that a file had before.
#[derive(Default)]
struct Before {
    done: Done,
    /// How much they leave out.
    lost: usize,
    /// Whether no further one is made again.
    is_compared: bool,
}

impl Before {
    /// What there is of an item among them; it is then taken from them.
    fn take(&mut self, item: &Item, is_done: IsThere, compares_all: bool) -> There {
        if self.done.left() == 0 {
            return There::Nothing;
        }
        let (text, bad) = readable(item.bytes);
        let lost = is_done(&text, item, &mut self.done);
        let mut taken = std::mem::take(&mut self.done.taken);
        let Some(lost) = lost else {
            return if taken.is_empty() {
                There::Nothing
            } else {
                There::Some(taken)
            };
        };
        self.lost += lost + bad.len();
        // what a part was made with its head says
        if self.is_compared {
            taken.clear();
        }
        self.is_compared = !compares_all;
        There::All(taken)
    }

    /// Whether so many are those of another input, of which this has none, or are of a part of which it has some no
    /// more; how many of that.
    fn of_another(&self, there: usize, is_part: bool) -> Option<usize> {
        match self.done.left() {
            0 => None,
            left if left == there => Some(0),
            left => is_part.then_some(left),
        }
    }

    /// Tells what of them is not of this input, or not all of it, and how a job ends with them.
    fn tell(&self, mut status: Status, streams: &mut Streams) -> Result<Status, Failure> {
        let left = self.done.left();
        let told = [
            (
                self.lost,
                "sessions or lines were left out, or something of them, of the results that were there already, as the job said that made them",
            ),
            (
                left,
                "results were there already that no line of the input has: the input was changed, and what is new in it, if anything is, was added behind them",
            ),
        ];
        for (number, words) in told.into_iter().filter(|(number, _)| *number > 0) {
            writeln!(streams.stderr, "assay: {number} {words}")?;
            status = Status::BadInput.worse(status);
        }
        Ok(status)
    }
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
    pub(super) fn check(&self, is_partial: bool, is_masked: bool) -> Result<(), Failure> {
        let message = if is_partial && is_masked {
            "a part holds what the whole is made of as it is: mask the result, with `assay merge --mask`"
        } else if self.is_resumed && self.out.is_none() {
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
        let file = source.opened(streams)?;
        let mut out = self.results(source)?;
        self.begin((plan.head.as_deref(), plan.formula), out.as_mut(), streams)?;
        let ended = self.run_over((source, file), plan, out.as_mut(), streams);
        if let (Err(_), Some(out)) = (&ended, &mut out) {
            out.ended()?;
        }
        ended
    }

    /// Does it over what is open.
    fn run_over(
        &self,
        (source, mut file): (&Source, Option<(File, u64)>),
        plan: &mut Plan,
        mut out: Option<&mut Results>,
        streams: &mut Streams,
    ) -> Result<Status, Failure> {
        let mut before = out.as_mut().map(|out| Before {
            done: std::mem::take(&mut out.done),
            ..Before::default()
        });
        let there = before.as_ref().map_or(0, |own| own.done.left());
        let compares_all = plan.compares_all;
        let mut is_done = |item: &Item| match &mut before {
            Some(before) => before.take(item, &mut *plan.is_done, compares_all),
            None => There::Nothing,
        };
        let job = Lined {
            threads: self.threads(),
            length: file.as_ref().map(|(_, length)| *length),
            key: plan.key,
            chunk: plan.chunk,
            what: plan.what,
            is_to_file: out.is_some(),
            is_done: (there > 0).then_some(&mut is_done),
        };
        let input: &mut (dyn Read + Send) = match &mut file {
            Some((file, _)) => file,
            None => &mut *streams.stdin,
        };
        let stdout: &mut dyn Write = match &mut out {
            Some(out) => &mut out.file,
            None => &mut *streams.stdout,
        };
        let all = each(input, job, (stdout, &mut *streams.stderr), plan.work);
        let all = all.map_err(|failure| self.named(failure))?;
        let before = before.unwrap_or_default();
        let left = match (all.is_another, &all.unread) {
            (true, _) => Some(0),
            (_, Some(_)) => None,
            _ => before.of_another(there, plan.end.is_some()),
        };
        if let Some(left) = left {
            if let Some(out) = &mut out {
                out.as_it_was()?;
            }
            return Err(self.another(left));
        }
        if let Some(error) = all.unread {
            return source.unreadable(&error, streams);
        }
        if let Some(end) = plan.end {
            let sessions = there + all.came.made;
            let end = end(PartEnd::new(all.came.wrong + before.lost, sessions));
            let out = out.as_mut().map(|out| &mut out.file as &mut dyn Write);
            writeln!(out.unwrap_or(&mut *streams.stdout), "{end}")
                .map_err(|error| self.named(error.into()))?;
        }
        before.tell(all.came.status(), streams)
    }

    /// A failure to write, with the file and what can be done.
    fn named(&self, failure: Failure) -> Failure {
        match (failure, &self.out) {
            (Failure::Stream(error), Some(out)) => Failure::Stream(std::io::Error::new(
                error.kind(),
                format!(
                    "{}: {error}; with --resume the job goes on with what is there",
                    out.display()
                ),
            )),
            (failure, _) => failure,
        }
    }

    /// Goes on behind the results that there are, or begins with the head.
    fn begin(
        &self,
        (head, formula): (Option<&str>, Option<&str>),
        mut out: Option<&mut Results>,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let is_begun = self.is_begun(head, formula, out.as_deref())?;
        if let Some(out) = &mut out {
            out.go_on()?;
        }
        if let (Some(head), true) = (head, is_begun) {
            let out = out.map(|out| &mut out.file as &mut dyn Write);
            writeln!(out.unwrap_or(&mut *streams.stdout), "{head}")?;
        }
        Ok(())
    }

    /// Whether the results begin here, and not after those that there are; those have the same head and formula.
    fn is_begun(
        &self,
        head: Option<&str>,
        formula: Option<&str>,
        out: Option<&Results>,
    ) -> Result<bool, Failure> {
        match out {
            Some(out) if out.head.is_some() || out.done.left() > 0 => {
                let is_same = out.head.as_deref() == head && out.formula.as_deref() == formula;
                if is_same && !out.is_mixed() {
                    Ok(false)
                } else {
                    Err(self.another(0))
                }
            }
            _ => Ok(true),
        }
    }

    /// Said of a file of another job.
    fn another(&self, left: usize) -> Failure {
        let name = self.out.as_ref().map(|path| path.display().to_string());
        let name = name.unwrap_or_default();
        Failure::Usage(if left == 0 {
            format!(
                "{name}: this was begun with other inputs, settings or another model: nothing was added"
            )
        } else {
            format!(
                "{name}: sessions that the input has no more as they are: {left}. It was changed, or what names its conversations: write the part anew, without --resume; nothing was added"
            )
        })
    }

    /// The file of results, where one is wanted.
    fn results(&self, source: &Source) -> Result<Option<Results>, Failure> {
        let Some(path) = &self.out else {
            return Ok(None);
        };
        source.is_not(path)?;
        Results::open(path, self.is_resumed).map(Some)
    }
}

/// What a line says of the session that it is of.
#[derive(Deserialize)]
struct Named {
    session_id: Option<Id>,
    // what is none is no conversation
    #[cfg(feature = "embed")]
    messages: Option<Vec<IgnoredAny>>,
    turns: Option<IgnoredAny>,
    policy_trace: Option<IgnoredAny>,
    // what a row of a transcript says
    #[cfg(feature = "embed")]
    role: Option<IgnoredAny>,
    #[cfg(feature = "embed")]
    text: Option<IgnoredAny>,
    #[cfg(feature = "embed")]
    user: Option<IgnoredAny>,
    #[cfg(feature = "embed")]
    assistant: Option<IgnoredAny>,
    #[cfg(feature = "embed")]
    turn_index: Option<IgnoredAny>,
}

#[cfg(feature = "embed")]
impl Named {
    /// Whether nothing that a row of a transcript says is there.
    fn is_no_reply(&self) -> bool {
        let said = [
            &self.role,
            &self.text,
            &self.user,
            &self.assistant,
            &self.turn_index,
        ];
        let is_named = self.session_id.is_some() || self.messages.is_some();
        !is_named && said.into_iter().all(Option::is_none)
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
    Other(IgnoredAny),
}

/// What a line holds that may be a session by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// Replies; a conversation without an id is a session.
    #[cfg(feature = "embed")]
    Replies,
    /// Turns; a log of them is a session.
    Turns,
}

impl Rows {
    /// The id of the session of those that name none.
    fn nameless(self) -> &'static [u8] {
        match self {
            #[cfg(feature = "embed")]
            Self::Replies => NO_SESSION.as_bytes(),
            Self::Turns => b"",
        }
    }
}

/// The session that a line is of; that of those that name none is one together.
pub(super) fn session_of(line: &[u8], rows: Rows) -> Belongs {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    match serde_json::from_slice::<Object<Named>>(line) {
        Ok(Object(row)) => row.belongs(rows),
        Err(_) => several(line, rows).unwrap_or(Belongs::Unknown),
    }
}

impl Named {
    fn belongs(self, rows: Rows) -> Belongs {
        let holds_turns = self.turns.is_some() || self.policy_trace.is_some();
        let is_whole = match rows {
            #[cfg(feature = "embed")]
            Rows::Replies if self.is_no_reply() => return Belongs::Unknown,
            #[cfg(feature = "embed")]
            Rows::Replies => self.messages.is_some() && self.session_id.is_none(),
            Rows::Turns => holds_turns,
        };
        match self.session_id {
            Some(Id::Text(id)) if is_whole => Belongs::Alone(1, id.into_bytes()),
            Some(Id::Number(id)) if is_whole => Belongs::Alone(1, id.to_string().into_bytes()),
            _ if is_whole => Belongs::Alone(1, Vec::new()),
            Some(Id::Text(id)) => Belongs::To(id.into_bytes()),
            Some(Id::Number(id)) => Belongs::To(id.to_string().into_bytes()),
            Some(Id::Other(_)) => Belongs::Alone(1, Vec::new()),
            None => Belongs::To(rows.nameless().to_vec()),
        }
    }
}

/// The rows of a line that is a list of them, or several, or a row with a key that stands twice.
fn rows_of(line: &[u8]) -> Option<Vec<Named>> {
    let bare = |rows: Vec<Object<Named>>| rows.into_iter().map(|Object(row)| row).collect();
    let apart = serde_json::Deserializer::from_slice(line).into_iter();
    if let Ok(rows) = apart.collect::<Result<Vec<Object<Named>>, _>>() {
        return Some(bare(rows));
    }
    if let Ok(rows) = serde_json::from_slice(line) {
        return Some(bare(rows));
    }
    let line = line.trim_ascii_end();
    let line = line.strip_suffix(b",").unwrap_or(line);
    let list = [b"[", line, b"]"].concat();
    if let Ok(rows) = serde_json::from_slice(&list) {
        return Some(bare(rows));
    }
    let apart = serde_json::Deserializer::from_slice(line).into_iter();
    let values = apart.collect::<Result<Vec<Value>, _>>();
    let values = values.or_else(|_| serde_json::from_slice(&list)).ok()?;
    let values = values.into_iter().flat_map(|value| match value {
        Value::Array(items) => items,
        value => vec![value],
    });
    let rows = values.filter_map(|value| Object::deserialize(value).ok());
    Some(rows.map(|Object(row)| row).collect())
}

/// The sessions of a line that is more than a row.
fn several(line: &[u8], rows: Rows) -> Option<Belongs> {
    let (mut others, mut seen, mut names, mut only) = (0, HashSet::new(), Vec::new(), None);
    for row in rows_of(line)? {
        let of = row.belongs(rows);
        match &of {
            Belongs::Alone(_, name) if name.is_empty() => others += 1,
            Belongs::To(name) | Belongs::Alone(_, name) => {
                if seen.insert(name.clone()) {
                    names.push(name.clone());
                }
            }
            Belongs::Several(..) | Belongs::Unknown => continue,
        }
        only = match only {
            None => Some(of),
            Some(before) if before == of && matches!(of, Belongs::To(_)) => Some(of),
            Some(_) => Some(Belongs::Several(others + names.len(), names.clone())),
        };
    }
    only
}

impl<'a> Item<'a> {
    /// Its text without the end of its last line, and how much of it is left out, which is reported: lines that are
    /// not UTF-8, or all where it stands apart from what it belongs to. None where nothing is left.
    pub(super) fn text(
        &self,
        source: &Source,
        streams: &mut Streams,
    ) -> Result<(Option<Cow<'a, str>>, usize), Failure> {
        if self.is_long {
            let place = Place {
                line: self.before + 1,
                column: 1,
            };
            let message = "this line has 64 MB or more, which no row has";
            let problem = Problem::new(Severity::Error, place, "", message).left_out();
            report(&[problem], |_| source.name(), streams)?;
            return Ok((None, 1));
        }
        if self.is_apart {
            let place = Place {
                line: self.before + 1,
                column: 1,
            };
            let message = format!(
                "its session stands further up, with other rows between or as a whole: with --lines the rows of a session stand next to each other, and each session has an id of its own ({} here)",
                self.rows()
            );
            let problem = Problem::new(Severity::Error, place, "", message).left_out();
            report(&[problem], |_| source.name(), streams)?;
            return Ok((None, self.rows()));
        }
        let (text, bad) = readable(self.bytes);
        source.tell_not_utf8(&bad, self.before, streams)?;
        let is_left = bad.is_empty() || !text.trim().is_empty();
        Ok((is_left.then_some(text), bad.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(row: &str, rows: Rows) -> Belongs {
        session_of(row.as_bytes(), rows)
    }

    fn to(id: &str) -> Belongs {
        Belongs::To(id.as_bytes().to_vec())
    }

    #[test]
    fn a_row_says_which_session_it_is_of() {
        let turn = |row: &str| of(row, Rows::Turns);
        assert_eq!(turn(r#"{"role": "user", "session_id": "a\n"}"#), to("a\n"));
        assert_eq!(turn(r#"{"session_id": 7, "messages": []}"#), to("7"));
        assert_eq!(turn(r#"{"action": "a"}"#), to(""));
        assert_eq!(
            turn(r#"{"session_id": "a", "turns": []}"#),
            Belongs::Alone(1, b"a".to_vec())
        );
        let nameless = Belongs::Alone(1, Vec::new());
        assert_eq!(turn(r#"{"session_id": {}}"#), nameless);
        assert_eq!(turn("{"), Belongs::Unknown);
        // several rows of one session, and of two
        for (before, between, after) in [
            ("", "", ""),
            ("", " ,", ","),
            ("[", ",", "]"),
            ("[", "] [", "]"),
        ] {
            let one = r#"{"session_id": "a", "action": "x"}"#;
            let of = |other: &str| turn(&format!("{before}{one}{between}{other}{after}\n"));
            assert_eq!(of(one), to("a"));
            let one_twice = Belongs::Several(1, vec![b"a".to_vec()]);
            assert_eq!(of(r#"{"session_id": "a", "turns": []}"#), one_twice);
            let two = Belongs::Several(2, vec![b"a".to_vec(), b"b".to_vec()]);
            assert_eq!(of(r#"{"session_id": "b"}"#), two);
            assert_eq!(of(r#"{"session_id": "b", "turns": []}"#), two);
        }
        assert_eq!(turn(r#"{"session_id": "a"}, "#), to("a"));
        assert_eq!(turn("[]"), Belongs::Unknown);
        // what is no row, half a character, and a key that stands twice
        assert_eq!(turn(r#"[{"session_id": "a"}, 3]"#), to("a"));
        assert_eq!(turn(r#"[{"session_id": "a", "x": "\ud83d"}]"#), to("a"));
        assert_eq!(
            turn(r#"{"session_id": "b", "turns": 1, "turns": 2}"#),
            Belongs::Alone(1, b"b".to_vec())
        );
    }

    #[cfg(feature = "embed")]
    #[test]
    fn a_conversation_without_an_id_is_one_by_itself() {
        let reply = |row: &str| of(row, Rows::Replies);
        assert_eq!(reply(r#"{"messages": []}"#), Belongs::Alone(1, Vec::new()));
        assert_eq!(reply(r#"{"session_id": "a", "messages": []}"#), to("a"));
        assert_eq!(reply(r#"{"role": "user", "turns": 3}"#), to(NO_SESSION));
        assert_eq!(reply(r#"{"event": "beat"}"#), Belongs::Unknown);
        assert_eq!(reply(r#"{"messages": "none"}"#), Belongs::Unknown);
    }
}
