//! JSONL line by line on all cores, in order and in constant memory: what comes of a line is printed
//! before the last line is read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;
use std::io::{BufRead, BufReader, Read, Write};
use std::num::NonZero;
use std::ops::{AddAssign, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::{io, slice, thread};

use memchr::{memchr, memchr_iter, memrchr};
use rustc_hash::FxBuildHasher;

use super::progress::{Progress, Step};
use super::results::hash_of;
use super::told::Told;
use super::{Failure, Status, Streams};

/// So much is read at a time, in bytes.
const BUFFER: usize = 1 << 19;
/// Lines that have more bytes are not kept: what they are given for is something else.
const LONGEST: u64 = if cfg!(test) { 1 << 20 } else { 64 << 20 };
/// So many chunks for each thread are on their way at once.
const AHEAD: usize = 4;

/// Lines with their ends, and how many stand before them.
struct Chunk {
    number: usize,
    before: u32,
    bytes: Vec<u8>,
    /// What belongs together; without it each line stands by itself.
    groups: Option<Vec<Group>>,
    /// How many bytes were read for it.
    length: u64,
    /// How many bytes of it were done before.
    skipped: u64,
}

/// Lines that belong together.
#[derive(Clone, Debug)]
struct Group {
    /// How many lines stand before it.
    before: u32,
    /// How many things that are counted stand before it.
    others: usize,
    range: Range<usize>,
    is_apart: bool,
    is_long: bool,
    there: Before,
}

/// A line that is not blank, or several that belong together, with their ends.
pub(super) struct Item<'a> {
    /// How many lines stand before it.
    pub(super) before: u32,
    /// How many things that are counted stand before it; 0 where nothing belongs together.
    #[cfg_attr(
        not(feature = "embed"),
        allow(dead_code, reason = "only conversations are named by it")
    )]
    pub(super) others: usize,
    pub(super) bytes: &'a [u8],
    /// Whether lines of the same stand further up: with others between, or by themselves with something else to say.
    pub(super) is_apart: bool,
    /// Whether it is a line that was too long to be kept.
    pub(super) is_long: bool,
    /// What there is of it already.
    there: Before,
}

impl Item<'_> {
    /// Whether all of its results are there.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.there, Before::All(_))
    }

    /// How much is lost with it: where it stands apart each of its rows.
    pub(super) fn rows(&self) -> usize {
        if self.is_apart {
            each_line(self.bytes, 0).count()
        } else {
            1
        }
    }
}

/// What a line belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Belongs {
    /// To this, together with those next to it that say the same.
    To(Vec<u8>),
    /// To nothing: it stands by itself, and holds so many things that are counted. Where it is one with a name,
    /// no other may have it.
    Alone(usize, Vec<u8>),
    /// To nothing, as it holds so many things, of which those that have a name are these; no other may have one of
    /// them.
    Several(usize, Vec<Vec<u8>>),
    /// That cannot be read: to what is before it, of which it may be a part.
    Unknown,
}

/// Says what a line belongs to.
pub(super) type Key<'a> = &'a (dyn Fn(&[u8]) -> Belongs + Sync);

impl Belongs {
    /// Whether it belongs to what a line before it does.
    fn is_with(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::To(own), Self::To(other)) => own == other,
            (Self::Unknown, Self::To(_)) => true,
            _ => false,
        }
    }
}

impl Chunk {
    /// What is in it.
    fn items(&self) -> Vec<Item<'_>> {
        let item = |group: Group| Item {
            before: group.before,
            others: group.others,
            is_apart: group.is_apart,
            is_long: group.is_long,
            bytes: &self.bytes[group.range],
            there: group.there,
        };
        match &self.groups {
            Some(groups) => groups.iter().cloned().map(item).collect(),
            None => each_line(&self.bytes, self.before).map(item).collect(),
        }
    }

    /// Leaves what was done before.
    fn forget(&mut self, before: IsDone) {
        let mut groups = match self.groups.take() {
            Some(groups) => groups,
            None => each_line(&self.bytes, self.before).collect(),
        };
        groups.retain_mut(|group| {
            let item = Item {
                before: group.before,
                others: group.others,
                is_apart: group.is_apart,
                is_long: group.is_long,
                bytes: &self.bytes[group.range.clone()],
                there: Before::Nothing,
            };
            group.there = before(&item);
            let is_left = !group.there.is_nothing_to_do();
            if !is_left {
                self.skipped += item.bytes.len() as u64;
            }
            is_left
        });
        self.groups = Some(groups);
    }
}

/// Each line that is not blank, by itself.
fn each_line(bytes: &[u8], before: u32) -> impl Iterator<Item = Group> {
    let mut end = 0;
    lines_of(bytes)
        .zip(before..)
        .filter_map(move |(line, before)| {
            let start = end;
            end += line.len();
            (!is_blank(line)).then_some(Group {
                before,
                others: 0,
                range: start..end,
                is_apart: false,
                is_long: false,
                there: Before::Nothing,
            })
        })
}

/// What came of a chunk.
struct Done {
    number: usize,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// None where it does not make a result that is there.
    came: Option<Result<Came, Failure>>,
    /// How many items it has, of how many something is wrong, and its length.
    step: Step,
}

/// What the printing thread hears of the others.
enum News {
    Done(Done),
    /// So many chunks were all, or all that could be read.
    End(usize, Option<io::Error>),
}

/// A job over lines.
pub(super) struct Lined<'a> {
    /// How many threads work.
    pub(super) threads: NonZero<usize>,
    /// How long the input is, in bytes, where that is known.
    pub(super) length: Option<u64>,
    /// What belongs together; without it each line is something by itself.
    pub(super) key: Option<Key<'a>>,
    /// Lines are handed out together up to so many bytes: what is done of them is there when all are done.
    pub(super) chunk: usize,
    /// What is counted, as `lines`.
    pub(super) what: &'static str,
    /// Whether the results go to a file.
    pub(super) is_to_file: bool,
    /// What of something, with the ends of its lines, was done before; asked of all in their order, and
    /// not asked where nothing was.
    pub(super) is_done: Option<IsDone<'a>>,
}

/// What there is of an item. Results with these hashes are made again, and another job makes others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// Some of its results: the others are written.
    Some(Vec<u64>),
    /// All of its results.
    All(Vec<u64>),
}

impl Before {
    fn is_nothing_to_do(&self) -> bool {
        matches!(self, Self::All(there) if there.is_empty())
    }
}

/// Says what of something was done before.
pub(super) type IsDone<'a> = &'a mut (dyn FnMut(&Item) -> Before + Send);

/// Prints what some items come to; that is printed in the order of the lines.
pub(super) type Work<'a> = &'a (dyn Fn(&[Item], &mut Streams) -> Result<Came, Failure> + Sync);

/// What items came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Came {
    /// How many results were made of them.
    pub(super) made: usize,
    /// How much is wrong with them.
    pub(super) wrong: usize,
}

impl Came {
    /// A result.
    pub(super) const RESULT: Self = Self { made: 1, wrong: 0 };

    /// No result, and so much that is wrong.
    pub(super) fn wrong(wrong: usize) -> Self {
        Self { made: 0, wrong }
    }

    pub(super) fn status(self) -> Status {
        Status::without(self.wrong)
    }
}

impl AddAssign for Came {
    fn add_assign(&mut self, other: Self) {
        self.made += other.made;
        self.wrong += other.wrong;
    }
}

/// Works on each item by itself: a failure ends it behind what came before.
pub(super) fn one_by_one(
    items: &[Item],
    streams: &mut Streams,
    mut work: impl FnMut(&Item, &mut Streams) -> Result<Came, Failure>,
) -> Result<Came, Failure> {
    let mut came = Came::default();
    for item in items {
        came += work(item, streams)?;
    }
    Ok(came)
}

/// What all items came to.
pub(super) struct Ended {
    pub(super) came: Came,
    /// Why the rest could not be read.
    pub(super) unread: Option<io::Error>,
    /// Whether a result that is there is none that is made here: nothing more was done then.
    pub(super) is_another: bool,
}

/// Works on each line of a text that is not blank; a failure ends it.
/// What cannot be read any more ends it, too, behind what was read.
pub(super) fn each(
    input: &mut (dyn Read + Send),
    job: Lined,
    (stdout, stderr): (&mut dyn Write, &mut dyn Write),
    work: Work,
) -> Result<Ended, Failure> {
    let Lined {
        threads,
        length,
        key,
        chunk,
        what,
        is_to_file,
        is_done,
    } = job;
    let progress = Progress::new(what, length, is_to_file);
    let most = AHEAD * threads.get();
    let (give, take) = sync_channel::<Chunk>(most);
    let (free, frees) = sync_channel(most);
    let take = Mutex::new(take);
    let (tell, news) = channel();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        // gone when nothing is printed any more: without it the reader ends, without its chunks the
        // threads do
        let free = free;
        for _ in 0..threads.get() {
            let (take, tell, is_over) = (&take, tell.clone(), &is_over);
            scope.spawn(move || {
                while let Some(chunk) = next(take).filter(|_| !is_over.load(Relaxed)) {
                    // who does not listen any more has seen a failure
                    let _ = tell.send(News::Done(worked(&chunk, work)));
                }
            });
        }
        let is_over = &is_over;
        scope.spawn(move || {
            let lines = Lines {
                input: BufReader::with_capacity(BUFFER, input),
                key,
                chunk,
                next: None,
                number: 0,
                before: 0,
                others: 0,
                seen: HashMap::new(),
            };
            let more = || frees.recv().is_ok() && !is_over.load(Relaxed);
            let (number, error) = read_all(lines, is_done, more, &give);
            let _ = tell.send(News::End(number, error));
        });
        for _ in 0..most {
            // there is room for as many
            let _ = free.send(());
        }
        let ended = print_all((&news, &free), progress, stdout, stderr);
        is_over.store(true, Relaxed);
        ended
    })
}

fn next(take: &Mutex<Receiver<Chunk>>) -> Option<Chunk> {
    let take = take.lock().unwrap_or_else(PoisonError::into_inner);
    take.recv().ok()
}

/// Hands out all chunks, each when there is to be one more; their number, and why there are no more.
fn read_all(
    mut lines: Lines,
    mut is_done: Option<IsDone>,
    more: impl Fn() -> bool,
    give: &SyncSender<Chunk>,
) -> (usize, Option<io::Error>) {
    while more() {
        match lines.next() {
            Ok(Some(mut chunk)) => {
                if let Some(is_done) = &mut is_done {
                    chunk.forget(*is_done);
                }
                // the threads listen as long as this one does
                let _ = give.send(chunk);
            }
            Ok(None) => break,
            Err(error) => return (lines.number, Some(error)),
        }
    }
    (lines.number, None)
}

/// Prints what came of the chunks, in their order.
fn print_all(
    (news, free): (&Receiver<News>, &SyncSender<()>),
    mut progress: Progress,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> Result<Ended, Failure> {
    let (mut waiting, mut printed, mut end) = (HashMap::new(), 0, None);
    let (mut unread, mut came) = (None, Came::default());
    let mut told = Told::default();
    while end != Some(printed) {
        let heard = news.try_recv().ok();
        if heard.is_none() {
            // who looks on sees what is there before it waits
            stdout.flush()?;
        }
        let Some(heard) = heard.or_else(|| news.recv().ok()) else {
            break;
        };
        match heard {
            News::End(all, error) => (end, unread) = (Some(all), error),
            News::Done(done) => {
                waiting.insert(done.number, done);
            }
        }
        while let Some(done) = waiting.remove(&printed) {
            let mut new = Vec::new();
            told.tell(&done.stderr, &mut new)?;
            if !new.is_empty() {
                progress.hide();
                stderr.write_all(&new)?;
            }
            stdout.write_all(&done.stdout)?;
            progress.add(done.step);
            let Some(now) = done.came else {
                progress.hide();
                return Ok(Ended {
                    came,
                    unread,
                    is_another: true,
                });
            };
            came += now?;
            printed += 1;
            // the reader may have ended
            let _ = free.send(());
        }
    }
    progress.end();
    stdout.flush()?;
    told.end(stderr)?;
    Ok(Ended {
        came,
        unread,
        is_another: false,
    })
}

fn worked(chunk: &Chunk, work: Work) -> Done {
    // results are often about as long as what they are of
    let mut stdout = Vec::with_capacity(2 * chunk.bytes.len());
    let mut stderr = Vec::new();
    let mut streams = Streams {
        stdin: &mut io::empty(),
        stdout: &mut stdout,
        stderr: &mut stderr,
    };
    let items = chunk.items();
    let count = items.len();
    let is_new = |item: &Item| item.there == Before::Nothing;
    let mut came = || {
        let mut all = Came::default();
        // those of which nothing is there are done together
        for some in items.chunk_by(|one, other| is_new(one) && is_new(other)) {
            all += match some {
                [item] if !is_new(item) => match made_again(item, work, &mut streams)? {
                    Some(came) => came,
                    None => return Ok(None),
                },
                _ => work(some, &mut streams)?,
            };
        }
        Ok(Some(all))
    };
    let came = came().transpose();
    Done {
        number: chunk.number,
        step: Step {
            count,
            wrong: match &came {
                Some(Ok(came)) => came.wrong,
                _ => 0,
            },
            share: chunk.length - chunk.skipped,
            skipped: chunk.skipped,
        },
        stdout,
        stderr,
        came,
    }
}

/// Makes the results of an item again, and writes those that are not there. None where one that is there is none of
/// them.
fn made_again(item: &Item, work: Work, streams: &mut Streams) -> Result<Option<Came>, Failure> {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut own = Streams {
        stdin: &mut io::empty(),
        stdout: &mut stdout,
        stderr: &mut stderr,
    };
    let came = work(slice::from_ref(item), &mut own);
    let (there, is_all) = match &item.there {
        Before::Nothing => (&[][..], false),
        Before::Some(there) => (&there[..], false),
        Before::All(there) => (&there[..], true),
    };
    let mut left = HashMap::<u64, usize, FxBuildHasher>::default();
    for hash in there {
        *left.entry(*hash).or_default() += 1;
    }
    // what is to be said of those that are there was said when they were made
    if came.is_err() || !is_all {
        streams.stderr.write_all(&stderr)?;
    }
    let mut came = came?;
    for line in lines_of(&stdout) {
        let known = left.get_mut(&hash_of(line));
        if let Some(times) = known.filter(|times| **times > 0) {
            *times -= 1;
            came.made -= 1;
        } else if !is_all {
            streams.stdout.write_all(line)?;
        }
    }
    let came = if is_all { Came::default() } else { came };
    Ok(left.values().all(|times| *times == 0).then_some(came))
}

/// The lines of some bytes, with their ends.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr_iter(b'\n', bytes).map(|at| at + 1);
    let ends = ends.chain((!bytes.ends_with(b"\n")).then_some(bytes.len()));
    ends.map(move |end| &bytes[std::mem::replace(&mut start, end)..end])
        .filter(|line| !line.is_empty())
}

fn is_blank(line: &[u8]) -> bool {
    // most lines begin with what no blank one has
    if line.first().is_some_and(u8::is_ascii_graphic) {
        return false;
    }
    let text = std::str::from_utf8(line);
    text.is_ok_and(|text| text.trim_start_matches('\u{feff}').trim().is_empty())
}

/// A line with its end.
enum Line {
    /// Empty behind the last.
    Read(Vec<u8>),
    /// The length of one that is longer than any that is kept.
    Long(u64),
}

/// The lines of an input.
struct Lines<'a> {
    input: BufReader<&'a mut (dyn Read + Send)>,
    key: Option<Key<'a>>,
    chunk: usize,
    /// A line that was read to see whether it still belongs to those before it.
    next: Option<Line>,
    /// How many chunks were read.
    number: usize,
    /// How many lines.
    before: u32,
    /// How many things that are counted: lines that belong together are one.
    others: usize,
    /// What they are of and what they say, as hashes: of as many as there are some 20 bytes each are kept.
    seen: HashMap<u64, u64>,
}

impl Lines<'_> {
    /// A line, and those behind it that are here already; what belongs together is not parted.
    fn next(&mut self) -> io::Result<Option<Chunk>> {
        let line = match self.next.take() {
            Some(line) => line,
            None => self.line()?,
        };
        let mut bytes = match line {
            Line::Read(bytes) if bytes.is_empty() => return Ok(None),
            Line::Read(bytes) => bytes,
            Line::Long(length) => return Ok(Some(self.long(length))),
        };
        let here = self.input.buffer();
        let room = &here[..here.len().min(self.chunk.saturating_sub(bytes.len()))];
        if let Some(last) = memrchr(b'\n', room) {
            bytes.extend_from_slice(&room[..=last]);
            self.input.consume(last + 1);
        }
        let groups = match self.key {
            Some(key) => Some(self.grouped(&mut bytes, key)?),
            None => None,
        };
        let chunk = Chunk {
            number: self.number,
            before: self.before,
            length: bytes.len() as u64,
            bytes,
            groups,
            skipped: 0,
        };
        let lines = memchr_iter(b'\n', &chunk.bytes).count();
        self.number += 1;
        self.before = self.before.saturating_add(lines as u32);
        Ok(Some(chunk))
    }

    /// The next line of the input.
    fn line(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        let input = &mut self.input;
        let mut length = input.take(LONGEST).read_until(b'\n', &mut line)? as u64;
        if length < LONGEST || line.ends_with(b"\n") {
            return Ok(Line::Read(line));
        }
        loop {
            let here = match input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                here => here?,
            };
            let end = memchr(b'\n', here);
            let read = end.map_or(here.len(), |end| end + 1);
            input.consume(read);
            length += read as u64;
            if end.is_some() || read == 0 {
                return Ok(Line::Long(length));
            }
        }
    }

    /// A line that was not kept.
    fn long(&mut self, length: u64) -> Chunk {
        let group = Group {
            before: self.before,
            others: self.others,
            range: 0..1,
            is_apart: false,
            is_long: true,
            there: Before::Nothing,
        };
        self.number += 1;
        self.before = self.before.saturating_add(1);
        Chunk {
            number: self.number - 1,
            before: self.before - 1,
            bytes: b"\n".to_vec(),
            groups: Some(vec![group]),
            length,
            skipped: 0,
        }
    }

    /// What belongs together; what belongs to the last line that is not blank is read.
    fn grouped(&mut self, bytes: &mut Vec<u8>, key: Key) -> io::Result<Vec<Group>> {
        let mut groups: Vec<(Group, Belongs)> = Vec::new();
        for line in each_line(bytes, self.before) {
            let own = key(&bytes[line.range.clone()]);
            match groups.last_mut() {
                Some((group, of)) if own.is_with(of) => group.range.end = line.range.end,
                _ => {
                    let others = self.others;
                    self.others += match own {
                        Belongs::To(_) => 1,
                        Belongs::Alone(number, _) | Belongs::Several(number, _) => number,
                        Belongs::Unknown => 0,
                    };
                    groups.push((Group { others, ..line }, own));
                }
            }
        }
        if let Some((group, of @ Belongs::To(_))) = groups.last_mut() {
            loop {
                let mut line = match self.line()? {
                    Line::Read(line) if line.is_empty() => break,
                    Line::Read(line) => line,
                    long @ Line::Long(_) => {
                        self.next = Some(long);
                        break;
                    }
                };
                let is_blank = is_blank(&line);
                if !is_blank && !key(&line).is_with(of) {
                    self.next = Some(Line::Read(line));
                    break;
                }
                bytes.append(&mut line);
                if !is_blank {
                    group.range.end = bytes.len();
                }
            }
        }
        for (group, of) in &mut groups {
            group.is_apart = self.is_apart(of, &bytes[group.range.clone()]);
        }
        Ok(groups.into_iter().map(|(group, _)| group).collect())
    }

    /// Whether what belongs to the same stands further up; not where it is something whole that says the same.
    fn is_apart(&mut self, of: &Belongs, bytes: &[u8]) -> bool {
        let (names, is_whole) = match of {
            Belongs::To(name) => (slice::from_ref(name), false),
            Belongs::Alone(_, name) if !name.is_empty() => (slice::from_ref(name), true),
            Belongs::Several(_, names) => (&names[..], false),
            Belongs::Alone(..) | Belongs::Unknown => return false,
        };
        let said = FxBuildHasher.hash_one(bytes.trim_ascii_end());
        let mut is_apart = false;
        for name in names {
            match self.seen.entry(FxBuildHasher.hash_one(&name[..])) {
                Entry::Occupied(before) => is_apart |= !is_whole || *before.get() != said,
                Entry::Vacant(place) => {
                    place.insert(said);
                }
            }
        }
        is_apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNK: usize = 1 << 18;

    fn job(threads: usize) -> Lined<'static> {
        Lined {
            threads: NonZero::new(threads).expect("above 0"),
            length: None,
            key: None,
            chunk: CHUNK,
            what: "lines",
            is_to_file: false,
            is_done: None,
        }
    }

    /// What comes of each line, by how many stand before it.
    type One<'a> = &'a (dyn Fn(u32, &[u8], &mut Streams) -> Result<Came, Failure> + Sync);

    fn run(text: &str, threads: usize, one: One) -> (Result<Came, String>, String, String) {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let out: (&mut dyn Write, &mut dyn Write) = (&mut stdout, &mut stderr);
        let came = each(
            &mut text.as_bytes(),
            job(threads),
            out,
            &|items, streams| {
                one_by_one(items, streams, |item, streams| {
                    one(item.before, item.bytes, streams)
                })
            },
        );
        let [stdout, stderr] =
            [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        let came = came.map(|ended| ended.came);
        (came.map_err(|_| "failed".to_owned()), stdout, stderr)
    }

    #[test]
    fn lines_are_printed_in_order() {
        let text: Vec<String> = (0..20_000).map(|at| format!("line {at}\n\n")).collect();
        let text = text.concat();
        for threads in [1, 2, 5] {
            let (came, stdout, stderr) = run(&text, threads, &|before, line, streams| {
                let line = String::from_utf8_lossy(line).trim_end().to_owned();
                writeln!(streams.stdout, "{before} {line}")?;
                let is_bad = before == 30_000;
                if is_bad {
                    writeln!(streams.stderr, "bad {before}")?;
                }
                Ok(Came {
                    made: 1,
                    wrong: usize::from(is_bad),
                })
            });
            let expected = (0..20_000).map(|at| format!("{} line {at}\n", 2 * at));
            let expected = expected.collect::<Vec<_>>().concat();
            assert!(stdout == expected, "{}", &stdout[..200]);
            let (made, wrong) = (20_000, 1);
            assert_eq!(came, Ok(Came { made, wrong }));
            assert_eq!(stderr, "bad 30000\n");
        }
    }

    #[test]
    fn a_failure_ends_it_behind_what_came_before() {
        let text: Vec<String> = (0..100_000).map(|at| format!("line {at}\n")).collect();
        let text = text.concat();
        let (came, stdout, _) = run(&text, 3, &|before, _, streams| {
            if before == 50_000 {
                return Err(Failure::Reported);
            }
            writeln!(streams.stdout, "{before}")?;
            Ok(Came::RESULT)
        });
        assert_eq!(came, Err("failed".to_owned()));
        assert!(stdout.ends_with("49999\n"), "{}", stdout.len());
    }

    /// With far more chunks to come than are on their way.
    #[test]
    fn a_failure_at_the_beginning_ends_it_as_well() {
        let line = "x".repeat(1000) + "\n";
        let text = line.repeat(20_000);
        for threads in [1, 3] {
            let (came, stdout, _) = run(&text, threads, &|_, _, _| Err(Failure::Reported));
            assert_eq!((came, stdout.as_str()), (Err("failed".to_owned()), ""));
        }
    }

    #[test]
    fn what_cannot_be_read_ends_it_behind_what_was_read() {
        struct Broken(usize);
        impl Read for Broken {
            fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                if self.0 > 3 {
                    return Err(io::Error::other("gone"));
                }
                place[..2].copy_from_slice(b"a\n");
                Ok(2)
            }
        }
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let out: (&mut dyn Write, &mut dyn Write) = (&mut stdout, &mut stderr);
        let found = each(&mut Broken(0), job(2), out, ECHO);
        let Ok(Ended {
            came: Came { made: 3, wrong: 0 },
            unread: Some(error),
            ..
        }) = found
        else {
            panic!("no error");
        };
        assert_eq!(error.to_string(), "gone");
        assert_eq!(stdout, b"a\na\na\n");
    }

    const ECHO: Work = &|items, streams| {
        one_by_one(items, streams, |item, streams| {
            streams.stdout.write_all(item.bytes)?;
            Ok(Came::RESULT)
        })
    };

    /// Each item with the number of its first line, its lines joined by `+`.
    fn told(text: &str, job: Lined) -> String {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let out: (&mut dyn Write, &mut dyn Write) = (&mut stdout, &mut stderr);
        let came = each(&mut text.as_bytes(), job, out, &|items, streams| {
            one_by_one(items, streams, |item, streams| {
                let text = String::from_utf8_lossy(item.bytes);
                let lines: Vec<&str> = text.split_whitespace().collect();
                let apart = if item.is_apart { " apart" } else { "" };
                let apart = if item.is_long { " long" } else { apart };
                let place = format!("{} {}", item.before, item.others);
                writeln!(streams.stdout, "{place} {}{apart}", lines.join("+"))?;
                Ok(Came::RESULT)
            })
        });
        assert!(came.is_ok());
        String::from_utf8_lossy(&stdout).into_owned()
    }

    fn there(is_there: bool) -> Before {
        if is_there {
            Before::All(Vec::new())
        } else {
            Before::Nothing
        }
    }

    #[test]
    fn what_was_done_before_is_passed_over_and_lines_keep_their_numbers() {
        let mut is_done = |item: &Item| there(item.bytes == b"b\n" || item.bytes == b"c\r\n");
        let job = Lined {
            is_done: Some(&mut is_done),
            ..job(2)
        };
        assert_eq!(told("a\nb\n\nc\r\nd\n", job), "0 0 a\n4 0 d\n");
    }

    /// Some results are there, and one of them is another; or what makes them fails.
    #[test]
    fn what_is_there_is_made_again() {
        let hash = |line: &str| hash_of(line.as_bytes());
        let run = |there: &[&str], work: Work| {
            let there: Vec<u64> = there.iter().map(|line| hash(line)).collect();
            let mut is_done = |_: &Item| Before::Some(there.clone());
            let job = Lined {
                is_done: Some(&mut is_done),
                ..job(2)
            };
            let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
            let out: (&mut dyn Write, &mut dyn Write) = (&mut stdout, &mut stderr);
            let ended = each(&mut "x\n".as_bytes(), job, out, work);
            let ended = ended.map(|ended| (ended.is_another, ended.came.made)).ok();
            (ended, String::from_utf8_lossy(&stdout).into_owned())
        };
        let work: Work = &|items, streams| {
            one_by_one(items, streams, |_, streams| {
                streams.stdout.write_all(b"a\na\nb\n")?;
                Ok(Came { made: 3, wrong: 0 })
            })
        };
        assert_eq!(run(&["a"], work), (Some((false, 2)), "a\nb\n".into()));
        assert_eq!(
            run(&["a", "b", "a"], work),
            (Some((false, 0)), String::new())
        );
        assert_eq!(run(&["a", "c"], work).0, Some((true, 0)));
        assert_eq!(run(&["a"], &|_, _| Err(Failure::Reported)).0, None);
    }

    #[test]
    fn what_is_there_in_part_keeps_its_place() {
        let mut is_done = |item: &Item| match item.bytes {
            b"b\n" => Before::Some(vec![hash_of(b"b")]),
            b"c\n" => Before::All(vec![hash_of(b"c")]),
            _ => Before::Nothing,
        };
        let job = Lined {
            is_done: Some(&mut is_done),
            ..job(2)
        };
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let out: (&mut dyn Write, &mut dyn Write) = (&mut stdout, &mut stderr);
        let ended = each(
            &mut "a\nb\nc\nd\n".as_bytes(),
            job,
            out,
            &|items, streams| {
                one_by_one(items, streams, |item, streams| {
                    streams.stdout.write_all(item.bytes)?;
                    streams.stdout.write_all(b"more\n")?;
                    Ok(Came { made: 2, wrong: 0 })
                })
            },
        );
        let made = ended.map(|ended| ended.came.made).ok();
        let text = String::from_utf8_lossy(&stdout).into_owned();
        assert_eq!((text.as_str(), made), ("a\nmore\nmore\nd\nmore\n", Some(5)));
    }

    /// Lines that begin with the same letter belong together; those with `-` stand alone, those with `=` under a
    /// name of one letter, and those with `?` do not say.
    fn letter(line: &[u8]) -> Belongs {
        match line.first() {
            Some(b'-') | None => Belongs::Alone(1, Vec::new()),
            Some(b'=') => Belongs::Alone(1, line.trim_ascii_end()[..2].to_vec()),
            Some(b'?') => Belongs::Unknown,
            Some(b'+') => {
                let names = line.trim_ascii_end()[1..].iter().map(|name| vec![*name]);
                Belongs::Several(line.trim_ascii_end().len() - 1, names.collect())
            }
            Some(first) => Belongs::To(vec![*first]),
        }
    }

    #[test]
    fn what_belongs_together_is_never_parted() {
        let by_letter = |is_done| Lined {
            key: Some(&letter),
            is_done,
            ..job(2)
        };
        let text = "a1\na2\n\n?\na3\n-1\n?\nb1\na4\nb1";
        // also what says the same again may be something else
        let expected = "0 0 a1+a2+?+a3\n5 1 -1\n6 2 ?\n7 2 b1\n8 3 a4 apart\n9 4 b1 apart\n";
        assert_eq!(told(text, by_letter(None)), expected);
        let mut is_done = |item: &Item| there(item.bytes.starts_with(b"a1"));
        let rest = told(text, by_letter(Some(&mut is_done)));
        assert_eq!(rest, &expected[expected.find("5 ").expect("there")..]);
        // each that stands by itself has a name of its own, if it has one
        let expected = "0 0 =a1\n1 1 =b\n2 2 =a2 apart\n3 3 =a1\n4 4 -\n5 5 -\n";
        assert_eq!(told("=a1\n=b\n=a2\n=a1\n-\n-", by_letter(None)), expected);
        // rows of several on a line
        let expected = "0 0 +ab\n1 2 a apart\n2 3 c\n3 4 +bc apart\n4 6 d\n";
        assert_eq!(told("+ab\na\nc\n+bc\nd", by_letter(None)), expected);
        // more than is kept, before, between and behind others
        let long = "a".repeat(LONGEST as usize);
        let expected = "0 0  long\n1 0 a\n2 1  long\n3 1 a2 apart\n4 2  long\n";
        assert_eq!(
            told(&format!("{long}\na\n{long}\na2\n{long}"), by_letter(None)),
            expected
        );
        // more than a chunk holds
        let long = format!("{}\n", "a".repeat(1000)).repeat(500) + "b\n";
        let found = told(&long, by_letter(None));
        assert_eq!(
            (found.lines().count(), &found[found.len() - 6..]),
            (2, "0 1 b\n")
        );
    }

    /// Somebody who writes a line and waits for what comes of it.
    #[test]
    fn the_first_result_comes_after_the_first_line() {
        struct Pipe(Receiver<Vec<u8>>);
        impl Read for Pipe {
            fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
                let Ok(line) = self.0.recv() else {
                    return Ok(0);
                };
                place[..line.len()].copy_from_slice(&line);
                Ok(line.len())
            }
        }
        struct Answer(std::sync::mpsc::Sender<Vec<u8>>);
        impl Write for Answer {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let _ = self.0.send(bytes.to_vec());
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (said, heard) = channel::<Vec<u8>>();
        let (answer, answers) = channel::<Vec<u8>>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let (mut answer, mut sink) = (Answer(answer), io::sink());
                let out: (&mut dyn Write, &mut dyn Write) = (&mut answer, &mut sink);
                each(&mut Pipe(heard), job(2), out, ECHO)
                    .map_err(|_| ())
                    .expect("no failure");
            });
            for line in ["one\n", "two\n"] {
                said.send(line.as_bytes().to_vec()).expect("it listens");
                assert_eq!(answers.recv().expect("an answer"), line.as_bytes());
            }
            drop(said);
        });
    }
}
