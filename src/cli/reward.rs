//! `assay reward`: scores the turns of an agent.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use lexopt::{Arg, Parser};

use super::input::{Common, Document as Given, Source, number_value, weights_value};
use super::job::{Job, MANY, Plan, Rows, session_of};
use super::lines::{Came, Item, one_by_one};
use super::output::{COMMON, Format, as_read, back, losses, placed, report, result, validation};
use super::readable::objects;
use super::report::Makers;
use super::results::Done;
use super::{Failure, Status, Streams, help};
use crate::constitution::{
    DEFAULT_GAMMA, FORMULA, Log, Options, PartHead, PartLine, PerPrinciple, QuickTurns,
    RewardResult, ScoredTurn, Session, numbered, own_weights, read, score, session_sha256s,
};
use crate::document::{PartEnd, Place, Problem, Severity, input_sha256};
use crate::share::report::Report;
use crate::share::{
    Document, Kind as LinkKind, Shape, reward_back, reward_csv, reward_markdown, reward_marks,
    reward_traces,
};
use crate::sources::Kind;
use crate::text::{Shown, one_line};

#[derive(Default)]
struct Call {
    common: Common,
    options: Options,
    /// A witness record in place of the result.
    form: Option<Form>,
    /// Whether a witness record is scored again.
    is_check: bool,
    /// Whether personal data is masked in what is written.
    is_masked: bool,
    /// Whether a part is written, to be put together with others.
    is_partial: bool,
    job: Job,
}

pub(super) fn run(
    mut parser: Parser,
    is_masked: bool,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let mut call = Call {
        is_masked,
        ..Call::default()
    };
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("weights") => call.options.weights = weights_value(&mut parser, streams)?,
            Arg::Long("replace-weights") => call.options.replace_weights = true,
            Arg::Long("ethical-floor") => {
                call.options.ethical_floor = Some(number_value("ethical-floor", &mut parser)?);
            }
            Arg::Long("marks") => take_form(&mut call.form, reward_marks)?,
            Arg::Long("trace") => take_form(&mut call.form, reward_traces)?,
            Arg::Long("check") => {
                let source = Source::from_arg(parser.value()?);
                call.common.set_source(source)?;
                call.is_check = true;
            }
            Arg::Long("gamma") => call.options.gamma = number_value("gamma", &mut parser)?,
            Arg::Long("partial") => call.is_partial = true,
            Arg::Long(name) => {
                let name = name.to_owned();
                let arg = Arg::Long(&name);
                let is_taken =
                    call.job.take(&arg, &mut parser)? || call.common.take(&arg, &mut parser)?;
                if !is_taken {
                    return Err(Arg::Long(&name).unexpected().into());
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    shape(&call.common, call.form)?;
    call.check()?;
    match (call.job.is_lines, call.is_partial) {
        (false, _) => call.score(streams),
        (true, false) => call.score_lines(streams),
        (true, true) => call.score_parts(streams),
    }
}

impl Call {
    /// What cannot be asked for together.
    fn check(&self) -> Result<(), Failure> {
        let job = &self.job;
        job.check(self.is_partial, self.is_masked)?;
        let common = &self.common;
        let is_plain = self.form.is_none()
            && !self.is_check
            && !common.validate
            && shape(common, self.form)?.is_none()
            && common.report(self.is_masked)?.is_none();
        let is_one_line = common.format == Format::Line;
        let message = if (job.out.is_some() || job.threads.is_some()) && !job.is_lines {
            "--out and --threads are for an input of many lines: say --lines"
        } else if job.is_lines && !(is_plain && common.read_as.is_none()) {
            "--lines prints results as they are: without --validate, --check, --marks, --trace, --to, --report and --format"
        } else if self.is_partial && !(is_plain && is_one_line) {
            "--partial writes a part and no result: without --validate, --check, --marks, --trace, --to, --report, --pretty and --summary"
        } else if job.out.is_some() && !is_one_line {
            "--out takes results as JSON, a line each, without --pretty and --summary"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(message.into()))
    }

    fn file(&self, problem: &Problem) -> String {
        match (problem.input.as_deref(), self.common.source()) {
            (Some("options"), _) | (_, Err(_)) => "<options>".into(),
            (_, Ok(source)) => source.name(),
        }
    }

    /// Scores the whole text.
    fn score(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let common = &self.common;
        let source = common.source()?;
        let format = common.read_as.as_deref();
        let Given {
            text,
            lost,
            is_made,
        } = source.read_document(Kind::Turns, format, false, streams)?;
        let name = if is_made {
            as_read(&source.name())
        } else {
            source.name()
        };
        let file = |problem: &Problem| match problem.input.as_deref() {
            Some("options") => self.file(problem),
            _ => name.clone(),
        };
        let read = read(&text);
        if common.validate {
            return validation((read.problems, lost), file, streams);
        }
        report(&read.problems, file, streams)?;
        let left_out = lost + losses(&read.problems);
        let log = read.result.ok_or(Failure::Reported)?;
        if self.is_check {
            return Ok(checked(&log, streams)?.worse(Status::without(left_out)));
        }
        let scored = score(&log, &self.options);
        report(&scored.problems, file, streams)?;
        let scored = scored.result.ok_or(Failure::Reported)?;
        if self.is_partial {
            let head = PartLine::Part(scored.part_head());
            let sessions = scored.part_sessions(&log);
            let end = PartLine::End(PartEnd::new(left_out, sessions.len()));
            let known = Nameless::default();
            for line in [head].into_iter().chain(sessions).chain([end]) {
                known.count(&line);
                writeln!(streams.stdout, "{}", line.written())?;
            }
            return known.tell(Status::without(left_out), streams);
        }
        if let Some(wanted) = common.report(self.is_masked)? {
            let makers = Makers {
                html: &|| Report::of_turns(document(&text, &self.options), &scored),
                markdown: &|| reward_markdown(&scored),
                csv: &|| reward_csv(&scored),
            };
            wanted.write(&makers, self.is_masked, streams)?;
        }
        give(&log, &scored, self.form, common, streams)?;
        Ok(Status::without(left_out))
    }

    /// The weights of the options, checked.
    fn weights(&self, streams: &mut Streams) -> Result<PerPrinciple, Failure> {
        let weights = own_weights(&self.options);
        report(&weights.problems, |problem| self.file(problem), streams)?;
        weights.result.ok_or(Failure::Reported)
    }

    /// What the turns of a text come to, whatever there is to say of them, and how much of it is wrong; problems
    /// are told, and none of the result remains where they are errors.
    fn one(
        &self,
        item: &Item,
        text: &str,
        streams: &mut Streams,
    ) -> Result<(Option<(Log, RewardResult)>, usize), Failure> {
        let file = |problem: &Problem| self.file(problem);
        let read = read(text);
        let lost = losses(&read.problems);
        report(&placed(read.problems, item.before), file, streams)?;
        let Some(log) = read.result else {
            return Ok((None, lost.max(1)));
        };
        let scored = score(&log, &self.options);
        report(&placed(scored.problems, item.before), file, streams)?;
        Ok(match scored.result {
            Some(scored) => (Some((log, scored)), lost),
            None => (None, lost.max(1)),
        })
    }

    /// Scores each line by itself, on all cores.
    fn score_lines(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let weights = self.weights(streams)?;
        let source = self.common.source()?;
        source.warn_of_lines(streams)?;
        let is_plain = self.common.format == Format::Line;
        // what one chunk of lines taught is known to the next
        let idle = Mutex::new(Vec::new());
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let one =
            |item: &Item, quick: &mut QuickTurns, line: &mut Vec<u8>, streams: &mut Streams| {
                let (Some(text), _) = item.text(source, streams)? else {
                    return Ok(Came::wrong(1));
                };
                let text = &*text;
                line.clear();
                if is_plain && let Some(notes) = quick.push_line(text, line) {
                    let file = |problem: &Problem| self.file(problem);
                    report(&placed(notes, item.before), file, streams)?;
                    line.push(b'\n');
                    streams.stdout.write_all(line)?;
                    return Ok(Came::RESULT);
                }
                let (scored, lost) = self.one(item, text, streams)?;
                if let Some((_, scored)) = &scored {
                    give_result(scored, self.common.format, streams)?;
                }
                Ok(Came {
                    made: usize::from(scored.is_some()),
                    // a line counts once
                    wrong: lost.min(1),
                })
            };
        let mut quick = QuickTurns::new(weights, &self.options);
        let mut is_done = |text: &str, _: &Item, done: &mut Done| {
            let is_there = done.takes(&input_sha256(&[("turns", text)]));
            is_there.then(|| lost_of(text, &mut quick))
        };
        let mut plan = Plan {
            key: None,
            chunk: MANY,
            formula: Some(FORMULA),
            what: "lines",
            head: None,
            end: None,
            compares_all: true,
            is_done: &mut is_done,
            work: &|items, streams| {
                let known = lock().pop();
                let mut quick = known.unwrap_or_else(|| QuickTurns::new(weights, &self.options));
                let mut line = Vec::new();
                let done = one_by_one(items, streams, |item, streams| {
                    one(item, &mut quick, &mut line, streams)
                });
                lock().push(quick);
                done
            },
        };
        self.job.run(source, &mut plan, streams)
    }

    /// Scores session after session as they are read, on all cores: a part.
    fn score_parts(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let weights = self.weights(streams)?;
        let source = self.common.source()?;
        source.warn_of_lines(streams)?;
        let head = PartHead::new(weights, self.options.ethical_floor, self.options.gamma);
        let known = Nameless::default();
        let one = |item: &Item, streams: &mut Streams| {
            let (text, lost) = item.text(source, streams)?;
            let Some(text) = text else {
                return Ok(Came::wrong(lost));
            };
            let (text, told) = objects(&text, item.before);
            report(&told, |problem| self.file(problem), streams)?;
            let lost = lost + told.len();
            if text.trim().is_empty() {
                return Ok(Came::wrong(lost));
            }
            let (scored, other) = self.one(item, &text, streams)?;
            let lost = lost + other;
            let Some((log, scored)) = scored else {
                return Ok(Came::wrong(lost));
            };
            if scored.weights != weights {
                let place = Place { line: 1, column: 1 };
                let message = "these turns bring weights of their own, and a part has those of the command: give them with --weights";
                let problem = Problem::new(Severity::Error, place, "weights", message);
                let problems = placed(vec![problem], item.before);
                report(&problems, |problem| self.file(problem), streams)?;
                return Ok(Came::wrong(lost + 1));
            }
            let lines = scored.part_sessions(&log);
            for line in &lines {
                if !item.is_done() {
                    known.count(line);
                }
                writeln!(streams.stdout, "{}", line.written())?;
            }
            Ok(Came {
                made: lines.len(),
                wrong: lost,
            })
        };
        let mut is_done =
            |text: &str, item: &Item, done: &mut Done| known.add_there(text, item, done);
        let mut plan = Plan {
            chunk: MANY,
            formula: None,
            key: Some(&|line| session_of(line, Rows::Turns)),
            what: "sessions",
            head: Some(PartLine::Part(head).written()),
            end: Some(|end| PartLine::End(end).written()),
            compares_all: true,
            is_done: &mut is_done,
            work: &|items, streams| one_by_one(items, streams, one),
        };
        let status = self.job.run(source, &mut plan, streams)?;
        known.tell(status, streams)
    }
}

/// Whether something of a line is left out, as 0 or 1.
fn lost_of(text: &str, quick: &mut QuickTurns) -> usize {
    // of what is scored quickly nothing is
    if quick.push_line(text, &mut Vec::new()).is_some() {
        0
    } else {
        losses(&read(text).problems).min(1)
    }
}

/// How many sessions of a part have no id, and how many there are.
#[derive(Default)]
struct Nameless([AtomicUsize; 2]);

impl Nameless {
    fn count(&self, line: &PartLine) {
        if let PartLine::Session(session) = line {
            self.add(session.session_id.is_none());
        }
    }

    /// How much is left out of an item of whose sessions all are there.
    fn add_there(&self, text: &str, item: &Item, done: &mut Done) -> Option<usize> {
        let (text, told) = objects(text, item.before);
        let read = read(&text);
        let log = read.result?;
        if !done.takes_all(&session_sha256s(&log)) {
            return None;
        }
        for session in &log.sessions {
            self.add(!session.is_named);
        }
        Some(losses(told.iter().chain(&read.problems)))
    }

    fn add(&self, is_nameless: bool) {
        self.0[0].fetch_add(usize::from(is_nameless), Ordering::Relaxed);
        self.0[1].fetch_add(1, Ordering::Relaxed);
    }

    /// Says that some stand beside others, with which they are not put together.
    fn tell(&self, status: Status, streams: &mut Streams) -> Result<Status, Failure> {
        let [nameless, all] = self.0.each_ref().map(|count| count.load(Ordering::Relaxed));
        if nameless == 0 || all == 1 {
            return Ok(status);
        }
        let words = "have no session_id and stand beside others: `assay merge` does not take them together, give each one of its own";
        writeln!(
            streams.stderr,
            "assay: {nameless} of {all} sessions {words}"
        )?;
        Ok(Status::BadInput.worse(status))
    }
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
        None => give_result(scored, common.format, streams),
    }
}

/// Prints the result.
fn give_result(
    scored: &RewardResult,
    format: Format,
    streams: &mut Streams,
) -> Result<(), Failure> {
    if format != Format::Line {
        return result(scored, format, summary, streams);
    }
    let mut line = Vec::with_capacity(COMMON);
    scored.push_line(&mut line);
    line.push(b'\n');
    Ok(streams.stdout.write_all(&line)?)
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
pub(super) fn summary(result: &RewardResult) -> String {
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
