//! `assay reward`: scores the turns of an agent.

use std::fmt::Write as _;

use lexopt::{Arg, Parser};

use super::input::{Common, Source, number_value, weights_value};
use super::output::{Format, back, report, result, validation};
use super::report::Makers;
use super::{Failure, Status, Streams, help};
use crate::constitution::{
    DEFAULT_GAMMA, FORMULA, Log, Options, RewardResult, ScoredTurn, Session, numbered, read, score,
};
use crate::share::report::Report;
use crate::share::{
    Document, Kind as LinkKind, Shape, reward_back, reward_csv, reward_markdown, reward_marks,
    reward_traces,
};
use crate::sources::Kind;
use crate::text::{Shown, one_line};

pub(super) fn run(
    mut parser: Parser,
    is_masked: bool,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let mut common = Common::default();
    let mut options = Options::default();
    let mut form = None;
    let mut is_check = false;
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("weights") => options.weights = weights_value(&mut parser, streams)?,
            Arg::Long("replace-weights") => options.replace_weights = true,
            Arg::Long("ethical-floor") => {
                options.ethical_floor = Some(number_value("ethical-floor", &mut parser)?);
            }
            Arg::Long("marks") => take_form(&mut form, reward_marks)?,
            Arg::Long("trace") => take_form(&mut form, reward_traces)?,
            Arg::Long("check") => {
                common.set_source(Source::from_arg(parser.value()?))?;
                is_check = true;
            }
            Arg::Long("gamma") => options.gamma = number_value("gamma", &mut parser)?,
            Arg::Long(name) => {
                let name = name.to_owned();
                if !common.take(&Arg::Long(&name), &mut parser)? {
                    return Err(Arg::Long(&name).unexpected().into());
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    shape(&common, form)?;
    let wanted = common.report(is_masked)?;
    let source = common.source()?;
    let name = source.name();
    let text = source.document(Kind::Turns, common.read_as.as_deref(), false, streams)?;
    let file = |problem: &crate::document::Problem| match problem.input.as_deref() {
        Some("options") => "<options>".into(),
        _ => name.clone(),
    };
    if common.validate {
        return validation(read(&text).problems, file, streams);
    }
    let read = read(&text);
    report(&read.problems, file, streams)?;
    let log = read.result.ok_or(Failure::Reported)?;
    if is_check {
        return checked(&log, streams);
    }
    let scored = score(&log, &options);
    report(&scored.problems, file, streams)?;
    let scored = scored.result.ok_or(Failure::Reported)?;
    if let Some(wanted) = wanted {
        let makers = Makers {
            html: &|| Report::of_turns(document(&text, &options), &scored),
            markdown: &|| reward_markdown(&scored),
            csv: &|| reward_csv(&scored),
        };
        wanted.write(&makers, is_masked, streams)?;
    }
    give(&log, &scored, form, &common, streams)?;
    Ok(Status::Done)
}

/// The input with its options, as a link of the page has them.
fn document(text: &str, options: &Options) -> Document {
    let document = Document::new(LinkKind::Reward, FORMULA, text.into());
    let mut document = document.with_weights(&options.weights);
    let numbers = [
        ("ethical_floor", options.ethical_floor),
        (
            "gamma",
            Some(options.gamma).filter(|gamma| *gamma != DEFAULT_GAMMA),
        ),
    ];
    for (name, number) in numbers {
        let number = number.map(|number| (name.to_owned(), number.into()));
        document.options.extend(number);
    }
    if options.replace_weights {
        let mode = ("weights_mode".to_owned(), "replace".into());
        document.options.extend([mode]);
    }
    document
}

/// Prints the result, or what stands in its place.
fn give(
    log: &Log,
    scored: &RewardResult,
    form: Option<Form>,
    common: &Common,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let shape = shape(common, form)?;
    if let Some(text) = shape.and_then(|shape| reward_back(shape, log, scored)) {
        return back(&text, streams);
    }
    match form {
        Some(_) if common.format != Format::Line => {
            let message = "only one of --marks, --trace, --pretty and --summary may be given";
            Err(Failure::Usage(message.into()))
        }
        Some(write) => Ok(streams.stdout.write_all(write(log, scored).as_bytes())?),
        None => result(scored, common.format, summary, streams),
    }
}

/// The shape of another tool; no witness record goes with it.
fn shape(common: &Common, form: Option<Form>) -> Result<Option<Shape>, Failure> {
    let shape = common.shape("turns", &Shape::OF_TURNS)?;
    if shape.is_some() && form.is_some() {
        let message = "only one of --to, --marks and --trace may be given";
        return Err(Failure::Usage(message.into()));
    }
    Ok(shape)
}

/// Writes a witness record.
type Form = fn(&Log, &RewardResult) -> String;

fn take_form(form: &mut Option<Form>, write: Form) -> Result<(), Failure> {
    if form.replace(write).is_some() {
        let message = "only one of --marks and --trace may be given";
        return Err(Failure::Usage(message.into()));
    }
    Ok(())
}

/// What came of scoring a witness record again: a line for each turn, and one for all.
fn checked(log: &Log, streams: &mut Streams) -> Result<Status, Failure> {
    let Some(check) = &log.check else {
        let words = "Not a witness record: its turns do not say what they were scored with.";
        writeln!(streams.stdout, "{words}")?;
        return Ok(Status::BadInput);
    };
    for (turn, finding) in log.turns.iter().zip(&check.turns) {
        let session = log.sessions.get(turn.session);
        let session = session.and_then(|session| session.id.as_deref());
        let session = session.map(|id| format!(" of {}", Shown(id)));
        let name = numbered(turn.turn_number, turn.occurrence);
        for words in finding.words() {
            let line = format!("turn {name}{}: {words}", session.as_deref().unwrap_or(""));
            writeln!(streams.stdout, "{}", one_line(&line))?;
        }
    }
    writeln!(streams.stdout, "{}", one_line(&check.words()))?;
    Ok(if check.holds() {
        Status::Done
    } else {
        Status::BadInput
    })
}

/// A line per turn, and what holds of each session and of all turns.
fn summary(result: &RewardResult) -> String {
    let mut text = format!("Constitutional Reward\n{}\n", "=".repeat(60));
    if result.sessions.is_empty() {
        text.push('\n');
        for turn in &result.turns {
            turn_lines(&mut text, result, turn);
        }
    }
    for session in &result.sessions {
        // writing to a String cannot fail
        let _ = writeln!(text, "\nSession {}", Shown(&session.session_id));
        for at in &*session.positions {
            turn_lines(&mut text, result, &result.turns[*at]);
        }
        text.push_str(&figures(&session.summary));
    }
    if !result.sessions.is_empty() {
        let _ = write!(text, "\nAll {} sessions", result.sessions.len());
    }
    text.push_str(&figures(&result.session));
    text.pop();
    text
}

fn turn_lines(text: &mut String, result: &RewardResult, turn: &ScoredTurn) {
    // writing to a String cannot fail
    let _ = write!(
        text,
        "  {} {}: total={:.2}/{:.2}  {}",
        numbered(turn.turn_number, turn.occurrence),
        Shown(&turn.action),
        turn.weighted_total,
        result.weights_sum,
        if turn.is_unsaid() {
            "Not measured"
        } else {
            turn.band.title()
        }
    );
    for (name, score) in turn.scores.named() {
        if score < 1.0 {
            let _ = write!(text, "  {name}={score:.2}");
        }
    }
    text.push_str(if turn.rejected { " [REJECTED]\n" } else { "\n" });
    for note in turn.notes.iter() {
        let _ = writeln!(text, "      {}", one_line(note));
    }
}

/// What holds of some turns together.
fn figures(session: &Session) -> String {
    let bands = if session.is_unsaid() {
        "none, for nothing was measured".to_owned()
    } else {
        let bands = session.measured_bands().named();
        let bands = bands.map(|(number, band)| format!("{number} {band}"));
        let bands = bands.into_iter().chain(session.unmeasured_words());
        bands.collect::<Vec<_>>().join(", ")
    };
    let mut text = format!(
        "\nTurns: {}  mean total: {:.2}  weakest: {} ({:.2})  discounted value: {:.2}\nBands: {}\nScores by default: {} of {}\n",
        session.turns,
        session.mean_total,
        session.weakest.name(),
        session.mean_scores[session.weakest],
        session.discounted_value,
        bands,
        session.by_default,
        session.scores()
    );
    if let Some(trend) = session.trend {
        // writing to a String cannot fail
        let _ = writeln!(text, "Trend: {trend:+.4} per turn");
    }
    text
}
