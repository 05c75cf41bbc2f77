//! JSONL line by line on all cores, in order and in constant memory: what comes of a line is printed
//! before the last line is read.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use super::{Failure, Status, Streams};

/// So much is read at a time, in bytes.
const BUFFER: usize = 1 << 18;
/// Lines are handed out together up to so many bytes.
const CHUNK: usize = 1 << 16;
/// So many chunks for each thread are on their way at once.
const AHEAD: usize = 4;

/// Lines with their ends, and how many stand before them.
struct Chunk {
    number: usize,
    before: u32,
    bytes: Vec<u8>,
}

impl Chunk {
    /// Leaves lines that were done before; a blank line stands for each.
    fn forget(&mut self, is_done: &mut dyn FnMut(&[u8]) -> bool) {
        let mut kept = Vec::new();
        for line in self.bytes.split_inclusive(|byte| *byte == b'\n') {
            let bare = line.strip_suffix(b"\n").unwrap_or(line);
            let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
            if !is_blank(bare) && is_done(bare) {
                kept.push(b'\n');
            } else {
                kept.extend_from_slice(line);
            }
        }
        self.bytes = kept;
    }
}

/// What came of a chunk.
struct Done {
    number: usize,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    status: Result<Status, Failure>,
    /// Its length, how many lines it has and of how many something is wrong.
    bytes: usize,
    lines: usize,
    wrong: usize,
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
    /// Whether a line, without its end, was done before; asked of all lines in their order.
    pub(super) is_done: IsDone<'a>,
}

/// Says whether a line was done before.
pub(super) type IsDone<'a> = &'a mut (dyn FnMut(&[u8]) -> bool + Send);

/// What a line comes to: it is told how many lines stand before it, and what it prints is printed in
/// the order of the lines.
pub(super) type Work<'a> =
    &'a (dyn Fn(u32, Vec<u8>, &mut Streams) -> Result<Status, Failure> + Sync);

/// Works on each line of a text that is not blank. The status is the worst of all; a failure ends it.
/// What cannot be read any more ends it, too, behind what was read.
pub(super) fn each(
    input: &mut (dyn Read + Send),
    job: Lined,
    (stdout, stderr): (&mut dyn Write, &mut dyn Write),
    work: Work,
) -> Result<(Status, Option<io::Error>), Failure> {
    let Lined {
        threads,
        length,
        is_done,
    } = job;
    let most = AHEAD * threads.get();
    let (give, take) = sync_channel::<Chunk>(most);
    let (free, frees) = sync_channel(most);
    let take = Mutex::new(take);
    let (tell, news) = channel();
    thread::scope(|scope| {
        // gone when nothing is printed any more: without it the reader ends, without its chunks the
        // threads do
        let free = free;
        for _ in 0..threads.get() {
            let (take, tell) = (&take, tell.clone());
            scope.spawn(move || {
                while let Some(chunk) = next(take) {
                    // who does not listen any more has seen a failure
                    let _ = tell.send(News::Done(worked(&chunk, work)));
                }
            });
        }
        scope.spawn(move || {
            let (number, error) = read_all((input, is_done), &frees, &give);
            let _ = tell.send(News::End(number, error));
        });
        for _ in 0..most {
            // there is room for as many
            let _ = free.send(());
        }
        print_all((&news, &free), Progress::new(length), stdout, stderr)
    })
}

fn next(take: &Mutex<Receiver<Chunk>>) -> Option<Chunk> {
    let take = take.lock().unwrap_or_else(PoisonError::into_inner);
    take.recv().ok()
}

/// Hands out all chunks, each when there is room for it; their number, and why there are no more.
fn read_all(
    (input, is_done): (&mut dyn Read, IsDone),
    frees: &Receiver<()>,
    give: &SyncSender<Chunk>,
) -> (usize, Option<io::Error>) {
    let mut lines = Lines {
        input: BufReader::with_capacity(BUFFER, input),
        number: 0,
        before: 0,
    };
    while frees.recv().is_ok() {
        match lines.next() {
            Ok(Some(mut chunk)) => {
                chunk.forget(is_done);
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
) -> Result<(Status, Option<io::Error>), Failure> {
    let (mut waiting, mut printed, mut end) = (HashMap::new(), 0, None);
    let mut unread = None;
    let mut status = Status::Done;
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
            if !done.stderr.is_empty() {
                progress.hide();
                stderr.write_all(&done.stderr)?;
            }
            stdout.write_all(&done.stdout)?;
            progress.add(&done);
            status = done.status?.worse(status);
            printed += 1;
            // the reader may have ended
            let _ = free.send(());
        }
    }
    progress.hide();
    stdout.flush()?;
    Ok((status, unread))
}

fn worked(chunk: &Chunk, work: Work) -> Done {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        stdin: &mut io::empty(),
        stdout: &mut stdout,
        stderr: &mut stderr,
    };
    let mut worst = Ok(Status::Done);
    let (mut count, mut wrong) = (0, 0);
    let lines = chunk.bytes.split_inclusive(|byte| *byte == b'\n');
    for (line, before) in lines.zip(chunk.before..) {
        if is_blank(line) {
            continue;
        }
        count += 1;
        match (work(before, line.to_vec(), &mut streams), &mut worst) {
            (Ok(status), Ok(worst)) => {
                wrong += usize::from(status != Status::Done);
                *worst = status.worse(*worst);
            }
            (failed, worst) => {
                *worst = failed;
                break;
            }
        }
    }
    Done {
        number: chunk.number,
        bytes: chunk.bytes.len(),
        lines: count,
        wrong,
        stdout,
        stderr,
        status: worst,
    }
}

/// How far it is, for somebody who waits at a terminal and sees no results there.
struct Progress {
    is_shown: bool,
    length: Option<u64>,
    began: Instant,
    last: Instant,
    bytes: u64,
    lines: usize,
    wrong: usize,
}

/// How often it is said.
const NEWS_EVERY: Duration = Duration::from_millis(500);

impl Progress {
    fn new(length: Option<u64>) -> Self {
        let now = Instant::now();
        Self {
            is_shown: io::stderr().is_terminal() && !io::stdout().is_terminal(),
            length,
            began: now,
            last: now,
            bytes: 0,
            lines: 0,
            wrong: 0,
        }
    }

    fn add(&mut self, done: &Done) {
        self.bytes += done.bytes as u64;
        self.lines += done.lines;
        self.wrong += done.wrong;
        if self.is_shown && self.last.elapsed() >= NEWS_EVERY {
            self.last = Instant::now();
            // it is only said
            let _ = write!(io::stderr(), "\r{}", self.words(self.began.elapsed()));
        }
    }

    /// Takes the line away, so that something else can stand there.
    fn hide(&self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }

    /// `12000 lines, 9800 a second, 3 with problems, 2:10 left`
    fn words(&self, passed: Duration) -> String {
        let seconds = passed.as_secs_f64().max(1e-3);
        let mut words = vec![
            format!("{} lines", self.lines),
            format!("{:.0} a second", self.lines as f64 / seconds),
        ];
        if self.wrong > 0 {
            words.push(format!("{} with problems", self.wrong));
        }
        if let Some(length) = self.length.filter(|_| self.bytes > 0) {
            let rest = length.saturating_sub(self.bytes) as f64;
            let left = (rest * seconds / self.bytes as f64).round() as u64;
            words.push(format!("{}:{:02} left", left / 60, left % 60));
        }
        words.join(", ")
    }
}

fn is_blank(line: &[u8]) -> bool {
    let text = std::str::from_utf8(line);
    text.is_ok_and(|text| text.trim_start_matches('\u{feff}').trim().is_empty())
}

/// The lines of an input.
struct Lines<'a> {
    input: BufReader<&'a mut dyn Read>,
    /// How many chunks were read.
    number: usize,
    /// How many lines.
    before: u32,
}

impl Lines<'_> {
    /// A line, and those behind it that are here already.
    fn next(&mut self) -> io::Result<Option<Chunk>> {
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let here = self.input.buffer();
        let room = &here[..here.len().min(CHUNK.saturating_sub(bytes.len()))];
        if let Some(last) = room.iter().rposition(|byte| *byte == b'\n') {
            bytes.extend_from_slice(&room[..=last]);
            self.input.consume(last + 1);
        }
        let chunk = Chunk {
            number: self.number,
            before: self.before,
            bytes,
        };
        let lines = chunk.bytes.split(|byte| *byte == b'\n').count() - 1;
        self.number += 1;
        self.before = self.before.saturating_add(lines as u32);
        Ok(Some(chunk))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(threads: usize, is_done: &mut (dyn FnMut(&[u8]) -> bool + Send)) -> Lined<'_> {
        Lined {
            threads: NonZero::new(threads).expect("above 0"),
            length: None,
            is_done,
        }
    }

    fn run(text: &str, threads: usize, work: Work) -> (Result<Status, String>, String, String) {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut nothing = |_: &[u8]| false;
        let out: (&mut dyn Write, &mut dyn Write) = (&mut stdout, &mut stderr);
        let status = each(&mut text.as_bytes(), job(threads, &mut nothing), out, work);
        let [stdout, stderr] =
            [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        let status = status.map(|(status, _)| status);
        (status.map_err(|_| "failed".to_owned()), stdout, stderr)
    }

    #[test]
    fn lines_are_printed_in_order() {
        let text: Vec<String> = (0..20_000).map(|at| format!("line {at}\n\n")).collect();
        let text = text.concat();
        for threads in [1, 2, 5] {
            let (status, stdout, stderr) = run(&text, threads, &|before, line, streams| {
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                writeln!(streams.stdout, "{before} {line}")?;
                let is_bad = before == 30_000;
                if is_bad {
                    writeln!(streams.stderr, "bad {before}")?;
                }
                Ok(if is_bad {
                    Status::BadInput
                } else {
                    Status::Done
                })
            });
            let expected = (0..20_000).map(|at| format!("{} line {at}\n", 2 * at));
            let expected = expected.collect::<Vec<_>>().concat();
            assert!(stdout == expected, "{}", &stdout[..200]);
            assert_eq!(
                (status, stderr.as_str()),
                (Ok(Status::BadInput), "bad 30000\n")
            );
        }
    }

    #[test]
    fn a_failure_ends_it_behind_what_came_before() {
        let text: Vec<String> = (0..100_000).map(|at| format!("line {at}\n")).collect();
        let text = text.concat();
        let (status, stdout, _) = run(&text, 3, &|before, _, streams| {
            if before == 50_000 {
                return Err(Failure::Reported);
            }
            writeln!(streams.stdout, "{before}")?;
            Ok(Status::Done)
        });
        assert_eq!(status, Err("failed".to_owned()));
        assert!(stdout.ends_with("49999\n"), "{}", stdout.len());
    }

    /// With far more chunks to come than are on their way.
    #[test]
    fn a_failure_at_the_beginning_ends_it_as_well() {
        let line = "x".repeat(1000) + "\n";
        let text = line.repeat(20_000);
        for threads in [1, 3] {
            let (status, stdout, _) = run(&text, threads, &|_, _, _| Err(Failure::Reported));
            assert_eq!((status, stdout.as_str()), (Err("failed".to_owned()), ""));
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
        let mut nothing = |_: &[u8]| false;
        let out: (&mut dyn Write, &mut dyn Write) = (&mut stdout, &mut stderr);
        let echo: Work = &|_, line, streams| {
            streams.stdout.write_all(&line)?;
            Ok(Status::Done)
        };
        let found = each(&mut Broken(0), job(2, &mut nothing), out, echo);
        let Ok((Status::Done, Some(error))) = found else {
            panic!("no error");
        };
        assert_eq!(error.to_string(), "gone");
        assert_eq!(stdout, b"a\na\na\n");
    }

    #[test]
    fn what_was_done_before_is_passed_over_and_lines_keep_their_numbers() {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut is_done = |line: &[u8]| line == b"b" || line == b"c";
        let out: (&mut dyn Write, &mut dyn Write) = (&mut stdout, &mut stderr);
        let work: Work = &|before, line, streams| {
            write!(
                streams.stdout,
                "{before} {}",
                String::from_utf8_lossy(&line)
            )?;
            Ok(Status::Done)
        };
        let text = "a\nb\n\nc\r\nd\n";
        let status = each(&mut text.as_bytes(), job(2, &mut is_done), out, work);
        assert!(status.is_ok());
        assert_eq!(String::from_utf8_lossy(&stdout), "0 a\n4 d\n");
    }

    #[test]
    fn progress_in_words() {
        let mut progress = Progress {
            bytes: 250,
            lines: 100,
            ..Progress::new(Some(1000))
        };
        let passed = Duration::from_secs(50);
        assert_eq!(progress.words(passed), "100 lines, 2 a second, 2:30 left");
        (progress.wrong, progress.length) = (3, None);
        assert_eq!(
            progress.words(passed),
            "100 lines, 2 a second, 3 with problems"
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
                let mut nothing = |_: &[u8]| false;
                let (mut answer, mut sink) = (Answer(answer), io::sink());
                let out: (&mut dyn Write, &mut dyn Write) = (&mut answer, &mut sink);
                let echo: Work = &|_, line, streams| {
                    streams.stdout.write_all(&line)?;
                    Ok(Status::Done)
                };
                each(&mut Pipe(heard), job(2, &mut nothing), out, echo)
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
