//! `assay verify`: whether a report, a result, a witness record or a link is what comes of its input.

use std::ffi::OsString;
use std::path::Path;

use lexopt::{Arg, Parser};
use serde_json::Value;

use super::input::Source;
use super::output::{losses, report as report_problems};
use super::{Failure, Status, Streams, dispatch, help};
use crate::constitution;
use crate::document::Problem;
#[cfg(feature = "embed")]
use crate::share::report::Report;
use crate::share::report::{is_report, read_report};
use crate::share::verify::{Account, compare_reports, compare_results, misspelled, other_model};
use crate::share::{Kind, LinkError, compared_links, decode, formula, other_formula, score_again};
use crate::text::one_line;

/// What a mark of a witness record has and nothing else.
const OF_RECORD: &str = "\"turn_sha256\"";

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let name = match parser.next()? {
        Some(Arg::Short('h') | Arg::Long("help")) => return help(streams),
        Some(Arg::Value(name)) => name,
        _ => {
            return Err(Failure::Usage(
                "verify expects a file or a link first".into(),
            ));
        }
    };
    let rest: Vec<OsString> = parser.raw_args()?.collect();
    if let Some(link) = name
        .to_str()
        .filter(|name| is_link(name) && !Path::new(name).exists())
    {
        return verify_link(link, streams);
    }
    let source = Source::from_arg(name);
    let text = match source.read(streams) {
        Ok(text) => text,
        Err(Failure::Reported) => return Ok(Status::WrongUsage),
        Err(failure) => return Err(failure),
    };
    if is_report(&text) {
        verify_report(&text, &source.name(), &rest, streams)
    } else if is_link(&text) {
        verify_link(&text, streams)
    } else if text.contains(OF_RECORD) {
        verify_record(&text, &source.name(), rest, streams)
    } else {
        verify_result(&text, rest, streams)
    }
}

/// Whether a text is a link and nothing beside it.
fn is_link(text: &str) -> bool {
    let text = text.trim();
    let is_one = !text.is_empty() && !text.contains(char::is_whitespace);
    is_one && (compared_links(text).is_some() || !matches!(decode(text), Err(LinkError::NotALink)))
}

/// Says what cannot be checked, and why.
fn unchecked(why: &str, streams: &mut Streams) -> Result<Status, Failure> {
    writeln!(streams.stdout, "It cannot be checked: {}", one_line(why))?;
    Ok(Status::WrongUsage)
}

/// The same of an input whose problems are told.
fn unread(problems: &[Problem], name: &str, streams: &mut Streams) -> Result<Status, Failure> {
    report_problems(problems, |_| name.to_owned(), streams)?;
    unchecked("its input cannot be scored.", streams)
}

/// Tells what came of a comparison.
fn told(account: &Account, streams: &mut Streams) -> Result<Status, Failure> {
    for sentence in account.sentences() {
        writeln!(streams.stdout, "{}", one_line(&sentence))?;
    }
    Ok(if account.stands() {
        Status::Done
    } else {
        Status::BadInput
    })
}

fn verify_report(
    text: &str,
    name: &str,
    rest: &[OsString],
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let claimed = match read_report(text) {
        Ok(claimed) => claimed,
        Err(problem) => return unread(&[problem], name, streams),
    };
    if let Some(why) = other_formula(&claimed.document) {
        return unchecked(&why, streams);
    }
    let computed = match claimed.document.kind {
        #[cfg(feature = "embed")]
        Kind::Persona => match again(&claimed, rest)? {
            Ok(computed) => computed,
            Err(NotAgain::Model(why)) => return unchecked(&why, streams),
            Err(NotAgain::Input(problems)) => return unread(&problems, name, streams),
        },
        _ if !rest.is_empty() => {
            let message = "a report holds all that it is computed from: nothing may follow it";
            return Err(Failure::Usage(message.into()));
        }
        _ => match score_again(&claimed.document, None) {
            Ok(computed) => computed,
            Err(problems) => return unread(&problems, name, streams),
        },
    };
    told(&compare_reports(text, &claimed, &computed), streams)
}

/// Why a persona's report cannot be computed again.
#[cfg(feature = "embed")]
enum NotAgain {
    Model(String),
    Input(Vec<Problem>),
}

/// A persona's report, computed again with the model that the arguments name.
#[cfg(feature = "embed")]
fn again(claimed: &Report, rest: &[OsString]) -> Result<Result<Report, NotAgain>, Failure> {
    use super::persona::{CONTROL, SECOND};
    use crate::embedding::Embedder;
    use crate::persona::SecondOpinion;
    use crate::persona::voice::Control;
    use crate::share::{Means, has_second_opinion};

    let (mut parser, mut chosen) = (Parser::from_args(rest), super::model::Chosen::default());
    while let Some(arg) = parser.next()? {
        let Arg::Long(name) = arg else {
            return Err(arg.unexpected().into());
        };
        let name = name.to_owned();
        if !chosen.take(&Arg::Long(&name), &mut parser)? {
            return Err(Arg::Long(&name).unexpected().into());
        }
    }
    let opened = match chosen.open() {
        Err(Failure::Model(why)) => return Ok(Err(NotAgain::Model(why))),
        opened => opened?,
    };
    let model = opened.alone();
    if let Some(why) = other_model(&claimed.result, &model.model().sha256) {
        return Ok(Err(NotAgain::Model(why)));
    }
    let control = Control::read(CONTROL).map_err(Failure::Model)?;
    let second = SecondOpinion::read(SECOND).map_err(Failure::Model)?;
    let means = Means {
        embedder: &model,
        control: &control,
        second: has_second_opinion(&claimed.result).then_some(&second),
    };
    Ok(score_again(&claimed.document, Some(means)).map_err(NotAgain::Input))
}

/// A link, or the two of a comparison.
fn verify_link(link: &str, streams: &mut Streams) -> Result<Status, Failure> {
    let Some([earlier, later]) = compared_links(link) else {
        return verify_one(link, streams);
    };
    writeln!(streams.stdout, "The earlier of the two that it compares:")?;
    let one = verify_one(earlier, streams)?;
    writeln!(streams.stdout, "The later:")?;
    let other = verify_one(later, streams)?;
    Ok(if one == Status::Done { other } else { one })
}

/// One link: that it came whole, and what its input comes to.
fn verify_one(link: &str, streams: &mut Streams) -> Result<Status, Failure> {
    let document = match decode(link) {
        Ok(document) => document,
        Err(error) => {
            writeln!(
                streams.stdout,
                "It does not stand: {}.",
                one_line(&error.to_string())
            )?;
            return Ok(Status::BadInput);
        }
    };
    if let Some(why) = other_formula(&document) {
        return unchecked(&why, streams);
    }
    let has_checksum = !link
        .rsplit('#')
        .next()
        .is_some_and(|rest| rest.trim_start().starts_with("v1."));
    let whole = if has_checksum {
        "It stands: the link came whole, and its checksum holds."
    } else {
        "The link can be read; one of version 1 has no checksum that would tell a change."
    };
    writeln!(streams.stdout, "{whole}")?;
    if matches!(document.kind, Kind::Persona | Kind::Compare) {
        let words = "Its persona is not scored here: a link says nothing of what comes of it.";
        writeln!(streams.stdout, "{words}")?;
        return Ok(Status::Done);
    }
    match score_again(&document, None) {
        Ok(report) => {
            let verdict = report.said.first().and_then(|said| said.sentences.first());
            let verdict = verdict.map_or("", String::as_str);
            writeln!(streams.stdout, "Its input comes to: {}.", one_line(verdict))?;
            Ok(Status::Done)
        }
        Err(problems) => unread(&problems, "<link>", streams),
    }
}

/// A witness record: by itself, as `reward --check` does; with an input, made again from it.
fn verify_record(
    text: &str,
    name: &str,
    rest: Vec<OsString>,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    if rest.is_empty() {
        let read = constitution::read(text);
        let left_out = losses(&read.problems);
        return match read.result.and_then(|log| log.check) {
            Some(check) => {
                report_problems(&read.problems, |_| name.to_owned(), streams)?;
                let first = if check.holds() {
                    "It stands"
                } else {
                    "It does not stand"
                };
                writeln!(streams.stdout, "{first}: {}", one_line(&check.words()))?;
                for words in check.turns.iter().flat_map(constitution::Finding::words) {
                    if !check.holds() {
                        writeln!(streams.stdout, "{}", one_line(&words))?;
                    }
                }
                Ok(if check.holds() {
                    Status::without(left_out)
                } else {
                    Status::BadInput
                })
            }
            None => unread(&read.problems, name, streams),
        };
    }
    let form = if text.trim_start().starts_with('[') {
        "--marks"
    } else {
        "--trace"
    };
    compare_with(text, &["reward", form], rest, streams)
}

/// A result in JSON against what its command prints now.
fn verify_result(
    text: &str,
    rest: Vec<OsString>,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let named = values(text).and_then(|all| {
        let formula = all.first()?.get("formula")?.as_str()?;
        Some(formula.split('/').next().unwrap_or_default().to_owned())
    });
    let command = [Kind::Rwea, Kind::Reward, Kind::Persona]
        .into_iter()
        .find(|kind| {
            let own = formula(*kind).split('/').next();
            named.as_deref().is_some_and(|named| own == Some(named))
        });
    let command = match command {
        Some(Kind::Rwea) => "rwea",
        Some(Kind::Reward) => "reward",
        Some(_) => "persona",
        None => {
            let why = "it is no report, no result of this program, no witness record and no link.";
            return unchecked(why, streams);
        }
    };
    if rest.is_empty() {
        let why = format!(
            "a result does not hold its input. Give it as `assay {command}` had it, with the same options: \
             --input FILE ..."
        );
        return unchecked(&why, streams);
    }
    compare_with(text, &[command], rest, streams)
}

/// The JSON values of a text, one after the other.
fn values(text: &str) -> Option<Vec<Value>> {
    let text = text.trim_start_matches('\u{feff}');
    let all = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    all.collect::<Result<Vec<_>, _>>()
        .ok()
        .filter(|all| !all.is_empty())
}

/// Runs a command and compares what it prints with a text.
fn compare_with(
    text: &str,
    command: &[&str],
    rest: Vec<OsString>,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let mut printed = Vec::new();
    let args = command.iter().map(OsString::from).chain(rest);
    let ran = dispatch(
        Parser::from_args(args),
        false,
        &mut Streams {
            stdin: streams.stdin,
            stdout: &mut printed,
            stderr: streams.stderr,
        },
    );
    match ran {
        Ok(_) => {}
        Err(Failure::Reported) => return unchecked("its input cannot be scored.", streams),
        #[cfg(feature = "embed")]
        Err(Failure::Model(why)) => return unchecked(&why, streams),
        Err(failure) => return Err(failure),
    }
    // what a command prints is text
    let (claimed, computed) = (values(text), values(&String::from_utf8_lossy(&printed)));
    let (Some(claimed), Some(computed)) = (claimed, computed) else {
        return unchecked("it is not JSON, or nothing came of its input.", streams);
    };
    match (&claimed[..], &computed[..]) {
        ([claimed], [computed]) => compared(text, claimed, computed, streams),
        _ => compared(text, &claimed.into(), &computed.into(), streams),
    }
}

fn compared(
    text: &str,
    claimed: &Value,
    computed: &Value,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let sha256 = |result: &Value| Some(result.get("model")?.get("sha256")?.as_str()?.to_owned());
    let other = sha256(computed).and_then(|sha256| other_model(claimed, &sha256));
    if let Some(why) = other {
        return unchecked(&why, streams);
    }
    let mut account = compare_results(claimed, computed);
    account.differences.extend(misspelled(text));
    told(&account, streams)
}
