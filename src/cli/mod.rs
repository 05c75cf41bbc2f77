//! The command line's subcommands, as functions of arguments and streams so
//! that tests run them without a process.

#[cfg(feature = "embed")]
mod calibrate;
#[cfg(feature = "embed")]
mod draft;
#[cfg(feature = "embed")]
mod embed;
mod foreign;
mod import;
mod input;
mod job;
mod lines;
mod link;
mod masked;
mod merge;
#[cfg(feature = "embed")]
mod model;
mod output;
#[cfg(feature = "embed")]
mod persona;
mod progress;
mod readable;
mod report;
mod results;
mod reward;
mod rwea;
mod told;
mod verify;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;

use lexopt::Parser;

use crate::share::{Masks, counted, mark_json};
use input::Source;

/// Where a command reads and writes.
pub struct Streams<'a> {
    /// Read for `--stdin` and the file name `-`.
    pub stdin: &'a mut (dyn Read + Send),
    /// Results.
    pub stdout: &'a mut dyn Write,
    /// Problems.
    pub stderr: &'a mut dyn Write,
}

/// How a command ended; the number is the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// Done.
    Done = 0,
    /// Bad input, the problems are on stderr; or what is verified does not stand.
    BadInput = 1,
    /// Wrong usage, stderr says what; or what is to be verified cannot be checked.
    WrongUsage = 2,
    /// A `--fail-under` or `--fail-worse` bar was missed.
    BarMissed = 3,
    /// It did not come to its end: a model or a stream failed, or, of a job over lines, what holds of all of them.
    Unended = 4,
    /// What is printed is read no more; the number is that of a program that a closed pipe ended.
    Unread = 141,
}

impl Status {
    /// Of a command that is done, and left so much of its input out.
    fn without(lost: usize) -> Self {
        if lost > 0 { Self::BadInput } else { Self::Done }
    }

    /// The worse of two: bad input, then a missed bar.
    fn worse(self, other: Self) -> Self {
        if self == Self::Done { other } else { self }
    }
}

/// Why a command cannot go on.
enum Failure {
    /// The arguments are wrong.
    Usage(String),
    /// The embedding model cannot be opened or run.
    #[cfg(feature = "embed")]
    Model(String),
    /// The input is wrong, and stderr says so already.
    Reported,
    /// A stream failed.
    Stream(std::io::Error),
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Stream(error)
    }
}

const USAGE: &str = "\
Usage:
  assay rwea    (--input FILE | --stdin | --validate FILE | --list-domains | FILE...)
                [--domain NAME|auto] [--question TEXT] [--profiles FILE]
                [--weights JSON] [--why-not ID] [--format KEY] [--pretty | --summary | --to SHAPE]
                [--report FILE] [--lines] [--threads N] [--out FILE [--resume]]
  assay rwea    (--input BATTLES | --stdin) --partial
  assay reward  (--input FILE | --stdin | --validate FILE | --check RECORD)
                [--weights JSON] [--replace-weights] [--ethical-floor 0.6]
                [--gamma 0.99] [--format KEY] [--pretty | --summary | --marks | --trace | --to SHAPE]
                [--report FILE] [--partial] [--lines [--threads N] [--out FILE [--resume]]]
  assay persona --persona FILE (--input FILE | --stdin | --validate FILE)
                [--compare FILE [--compare-persona FILE] [--compare-config FILE]] [--config FILE] [--safety FILE] [--judge FILE] [--voice FILE]
                [--control FILE] [MODEL] [--seed N] [--style-by FORMULA]
                [--fail-under METRIC=VALUE]... [--fail-worse METRIC[=DROP]]...
                [--format KEY] [--pretty | --summary | --to SHAPE] [--report FILE]
                [--partial [--lines [--session-prefix TEXT] [--out FILE [--resume]]]]
  assay merge   (PART... | --stdin) [--unfinished] [--pretty | --summary]
                [--fail-under METRIC=VALUE]... [--domain NAME] [--weights JSON]
  assay persona draft --examples FILE [--against FILE] [--format KEY] [--name NAME] [--out FILE]
                [--model DIR]
  assay calibrate --persona FILE --input LABELLED [--control FILE] [--out FILE]
                [MODEL] [--format KEY] [--pretty]
  assay embed   [MODEL] [--input FILE] [--out FILE [--resume]]
  assay import  FILE... [--list] [--pick N|ID]... [--as debate|turns|persona|transcript]
                [--format KEY] [--mapping FILE] [--out DIR]
  assay link    (--encode FILE [--mask] | --decode LINK) [--pretty]
  assay verify  REPORT.html [MODEL] | RECORD | LINK | (RESULT.json | RECORD) --input FILE [OPTIONS]

--report writes the result to a file as well: .html is one page with charts, the whole input and all that
it was scored with, .md and .csv are what the page exports. verify computes a report, a result (with the
input and options that it was made with), a witness record or a link again, and tells each difference.
--mask (rwea, reward, persona, persona draft, calibrate, merge): personal data in what is printed, or
written by --report and by --out of a draft or a calibration, is masked; a report in .html holds the input,
and is not written then.

rwea scores a .jsonl, or with --lines any input, line by line on all cores (--threads N), in order; reward does
with --lines. --out writes the results to a new file, and --resume goes on with one that was begun.
--partial writes a part: sessions of turns or of a transcript, or the battles of a league. merge makes of any number of
parts, in any order, what one run over all of them gives. With --lines the sessions come one after the other, rows
of one next to each other; of several files of chats without ids each needs a --session-prefix of its own. A part
whose job was broken off has no end and is refused; --unfinished takes what
is there. --fail-under is of a persona's parts, --domain and --weights are of a league's.

MODEL: --model DIR, the page's own or one of yours in ONNX with its tokenizer.json; of yours
also [--pooling mean|first|own] [--prefix TEXT], where its files do not say or say otherwise.
--threads N: how many threads embed with the page's own; all cores unless it is said.
--format: what a file is read as, where it could be several things or is another than was seen;
a persona only where it could be several.
SHAPE, for other tools: comparator (rwea), otel, openinference, promptfoo (rwea, reward),
labels (rwea, persona).
Problems go to stderr as FILE:LINE:COLUMN: path: message.
Exit status: 0 done, 1 bad input or what is verified does not stand, 2 wrong usage or what cannot be checked, 3 a --fail-under or --fail-worse bar missed,
4 not come to its end: a model or the output failed, or, where lines are scored or embedded one by one, what holds of all of them is wrong; 141 what is printed is read no more.
";

/// Problems that are written on where nobody reads them: no result is given up for that.
struct Unheard<'a>(&'a mut dyn Write);

impl Write for Unheard<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}

/// Runs the command line on arguments without the program's name.
pub fn run(args: impl IntoIterator<Item = OsString>, streams: &mut Streams) -> Status {
    let streams = &mut Streams {
        stdin: &mut *streams.stdin,
        stdout: &mut *streams.stdout,
        stderr: &mut Unheard(&mut *streams.stderr),
    };
    let mut args: Vec<OsString> = args.into_iter().collect();
    let is_job = is_job(&args);
    let is_result = args.first().is_some_and(|first| {
        ["rwea", "reward", "persona", "calibrate", "merge"]
            .iter()
            .any(|name| first == name)
    });
    let ended = if is_result && take_mask(&mut args) {
        masked::printed(
            |streams| dispatch(Parser::from_args(args), true, streams),
            streams,
        )
    } else {
        dispatch(Parser::from_args(args), false, streams)
    };
    match ended {
        Ok(status) => status,
        Err(Failure::Usage(message)) => {
            // nothing can be said when stderr itself fails
            let _ = writeln!(
                streams.stderr,
                "assay: {message}\n`assay --help` says what can be asked for"
            );
            Status::WrongUsage
        }
        #[cfg(feature = "embed")]
        Err(Failure::Model(message)) => {
            let _ = writeln!(streams.stderr, "assay: {message}");
            Status::Unended
        }
        Err(Failure::Reported) if is_job => Status::Unended,
        Err(Failure::Reported) => Status::BadInput,
        Err(Failure::Stream(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            Status::Unread
        }
        Err(Failure::Stream(error)) => {
            let _ = writeln!(streams.stderr, "assay: {error}");
            Status::Unended
        }
    }
}

/// A text with its personal data masked; what was masked is said on stderr, and in JSON under `masked`.
fn hidden(text: &str, streams: &mut Streams) -> Result<String, Failure> {
    let mut masks = Masks::for_texts([text]);
    let hidden = masks.mask(text);
    if masks.counts().is_empty() {
        return Ok(hidden);
    }
    writeln!(streams.stderr, "assay: masked {}", counted(&masks.counts()))?;
    Ok(mark_json(&hidden, &masks))
}

/// Writes a file that a command makes, masked where that is asked for.
fn write(path: &Path, text: &str, is_masked: bool, streams: &mut Streams) -> Result<(), Failure> {
    if is_masked {
        std::fs::write(path, hidden(text, streams)?)?;
    } else {
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// Whether lines are scored each by itself: some may be wrong, and the others count.
fn is_job(args: &[OsString]) -> bool {
    let is_there = |wanted: &str| args.iter().any(|arg| arg == wanted);
    let is_named = |arg: &OsString| {
        let is_jsonl = Path::new(arg).extension().is_some_and(|own| own == "jsonl");
        // one of another program is read as a whole
        is_jsonl && !Source::from_arg(arg.clone()).is_foreign()
    };
    match args.first().and_then(|first| first.to_str()) {
        Some("embed") => true,
        Some("rwea") if !is_there("--validate") => is_there("--lines") || args.iter().any(is_named),
        _ => is_there("--lines"),
    }
}

/// Takes `--mask` out of the arguments; whether it was there.
fn take_mask(args: &mut Vec<OsString>) -> bool {
    let before = args.len();
    args.retain(|arg| arg != "--mask");
    args.len() < before
}

/// Runs the command that is named; whether personal data is to be masked is told to those that write
/// files.
fn dispatch(mut parser: Parser, is_masked: bool, streams: &mut Streams) -> Result<Status, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    match parser.next()? {
        Some(Short('h') | Long("help")) => help(streams),
        Some(Short('V') | Long("version")) => {
            writeln!(streams.stdout, "assay {}", env!("CARGO_PKG_VERSION"))?;
            Ok(Status::Done)
        }
        Some(Value(command)) => match command.to_str() {
            Some("rwea") => rwea::run(parser, is_masked, streams),
            Some("reward") => reward::run(parser, is_masked, streams),
            #[cfg(feature = "embed")]
            Some("persona") => {
                let mut rest = parser.try_raw_args();
                if rest
                    .as_mut()
                    .and_then(|rest| rest.next_if(|next| next == "draft"))
                    .is_some()
                {
                    return draft::run(parser, is_masked, streams);
                }
                persona::run(parser, is_masked, streams)
            }
            Some("merge") => merge::run(parser, streams),
            #[cfg(feature = "embed")]
            Some("embed") => embed::run(parser, streams),
            #[cfg(feature = "embed")]
            Some("calibrate") => calibrate::run(parser, is_masked, streams),
            Some("import") => import::run(parser, streams),
            Some("link") => link::run(parser, streams),
            Some("verify") => verify::run(parser, streams),
            _ => Err(Failure::Usage(format!(
                "unknown command {}: expected rwea, reward, persona, calibrate, embed, import, link, merge or verify",
                command.display()
            ))),
        },
        Some(other) => Err(other.unexpected().into()),
        None => Err(Failure::Usage("a command is missing".into())),
    }
}

fn help(streams: &mut Streams) -> Result<Status, Failure> {
    streams.stdout.write_all(USAGE.as_bytes())?;
    Ok(Status::Done)
}

#[cfg(test)]
mod tests {
    use super::USAGE;
    use crate::constitution::{DEFAULT_ETHICAL_FLOOR, DEFAULT_GAMMA};

    #[test]
    fn the_usage_gives_the_defaults() {
        assert!(USAGE.contains(&format!("[--ethical-floor {DEFAULT_ETHICAL_FLOOR}]")));
        assert!(USAGE.contains(&format!("[--gamma {DEFAULT_GAMMA}]")));
    }
}
