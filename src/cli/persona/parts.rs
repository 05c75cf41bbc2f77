//! `assay persona --partial`: a part of a job, to be put together by `assay merge`. A whole transcript
//! at once, or with `--lines` session by session as they are read, on all cores and in constant memory.

use std::io::{Cursor, Read};
use std::num::NonZero;
use std::thread;

use super::super::foreign::{format_of, transcript_of};
use super::super::input::Source;
use super::super::job::{FEW, Plan, Rows, session_of};
use super::super::lines::{Belongs, Came, Item};
use super::super::model::{Help, Opened, Vectors};
use super::super::output::{losses, placed, report};
use super::super::readable::objects;
use super::super::results::Done;
use super::{CONTROL, Call, Failure, Part, SECOND, Status, Streams};
use crate::document::{Evaluation, PartEnd, Problem};
use crate::persona::voice::Control;
use crate::persona::{
    Basis, Lessons, PartLine, Run, SecondOpinion, Sessions, Similarities, make_ready,
};
use crate::sources::LineOf;

/// What every session is scored with.
struct Scorer<'a> {
    call: &'a Call,
    basis: Basis,
    lessons: Lessons,
    second: SecondOpinion,
    opened: Opened,
    /// The vectors of what the persona brings.
    earlier: Vectors,
    /// The key of the other source that the transcript is of.
    format: Option<&'static str>,
}

impl Call {
    /// Prints the part that a run is, of which something was left out of so many sessions.
    pub(super) fn give_part(
        &self,
        (run, left_out): (&Run, usize),
        (measured, second): (&Similarities, &SecondOpinion),
        transcript: &Part,
        streams: &mut Streams,
    ) -> Result<Status, Failure> {
        let head = run.part_head(&self.inputs(transcript), &self.options, (measured, second));
        let problems = head.problems.iter().chain(&measured.problems);
        let problems: Vec<Problem> = problems.cloned().collect();
        report(&problems, |problem| self.file(problem, transcript), streams)?;
        let head = head.result.ok_or(Failure::Reported)?;
        let head = [PartLine::Part(Box::new(head))].into_iter();
        let sessions = run.part_sessions(&self.options, measured, second);
        let end = PartLine::End(PartEnd::new(left_out, sessions.len()));
        for line in head.chain(sessions).chain(run.part_asides()).chain([end]) {
            writeln!(streams.stdout, "{}", line.written())?;
        }
        Ok(Status::without(left_out))
    }

    /// Scores session after session as they are read. What they are of is known by the first of them, as in one run.
    pub(super) fn score_lines(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let source = self.common.source()?;
        let (head, pipe) = source.head(streams)?;
        let format = self.common.read_as.as_deref();
        let format = format_of(&source.name(), head.clone(), format, streams)?;
        if pipe.is_none() && *source != Source::Stdin {
            return self.score_lines_of(source, format, streams);
        }
        let Streams {
            stdin,
            stdout,
            stderr,
        } = streams;
        let mut rest: Box<dyn Read + Send> = match pipe {
            Some(pipe) => Box::new(pipe),
            None => Box::new(&mut **stdin),
        };
        let mut streams = Streams {
            stdin: &mut Cursor::new(head).chain(&mut rest),
            stdout: &mut **stdout,
            stderr: &mut **stderr,
        };
        self.score_lines_of(&Source::Stdin, format, &mut streams)
    }

    fn score_lines_of(
        &self,
        input: &Source,
        format: Option<&'static str>,
        streams: &mut Streams,
    ) -> Result<Status, Failure> {
        let transcript = Part {
            source: Some(self.common.source()?.clone()),
            ..Part::default()
        };
        let inputs = self.inputs(&transcript);
        let read = Basis::read(&inputs);
        let file = |problem: &Problem| self.file(problem, &transcript);
        report(&read.problems, file, streams)?;
        let basis = read.result.ok_or(Failure::Reported)?;
        let opened = self.opened()?;
        let control = Control::read(CONTROL).map_err(Failure::Model)?;
        let second = SecondOpinion::read(SECOND).map_err(Failure::Model)?;
        // what holds whatever the sessions are: the run of none
        let none = basis.run(Sessions::default());
        let none = none.map_err(|problem| Self::told(&problem, &file, streams))?;
        let model = opened.alone();
        model.prepare(none.texts());
        let lessons = none.learned(&control, &model);
        let measured = none.measured_with(&lessons, &model);
        let head = none.part_head(&inputs, &self.options, (&measured, &second));
        report(&head.problems, file, streams)?;
        report(&measured.problems, file, streams)?;
        let head = head.result.ok_or(Failure::Reported)?;
        let earlier = model.into_known();
        let scorer = Scorer {
            call: self,
            basis: basis.without_lessons(),
            lessons,
            second,
            opened,
            earlier,
            format,
        };
        let mut is_done = |text: &str, item: &Item, done: &mut Done| {
            let (text, told) = objects(text, item.before);
            let read = scorer.read(&text, item);
            let lost = losses(told.iter().chain(&read.problems));
            let sessions = read.result.unwrap_or_default();
            let all: Vec<String> = sessions.sha256s().collect();
            // what stands beside them is said again
            (done.takes_all(&all) && !sessions.has_asides()).then_some(lost)
        };
        let mut plan = Plan {
            chunk: FEW,
            formula: None,
            key: Some(&|line| match format {
                Some(format) => line_of(format, line),
                None => session_of(line, Rows::Replies),
            }),
            what: "sessions",
            head: Some(PartLine::Part(Box::new(head)).written()),
            end: Some(|end| PartLine::End(end).written()),
            compares_all: false,
            is_done: &mut is_done,
            work: &|items, streams| scorer.score(items, &transcript, streams),
        };
        self.job.run(input, &mut plan, streams)
    }

    /// The model. It is read to its end to see that it is whole, and the rules are made ready meanwhile.
    fn opened(&self) -> Result<Opened, Failure> {
        thread::scope(|scope| {
            scope.spawn(make_ready);
            self.model.open()
        })
    }

    /// Tells a problem that ends the job.
    fn told(
        problem: &Problem,
        file: &impl Fn(&Problem) -> String,
        streams: &mut Streams,
    ) -> Failure {
        match report(std::slice::from_ref(problem), file, streams) {
            Ok(()) => Failure::Reported,
            Err(failure) => failure,
        }
    }
}

impl Scorer<'_> {
    /// The sessions of an item with its text. A conversation of another source is read as it is by itself, and
    /// named by its number where it has no name.
    fn read(&self, text: &str, item: &Item) -> Evaluation<Sessions> {
        let before = item.before as usize;
        let nothing = || Evaluation {
            result: None,
            problems: Vec::new(),
        };
        // an item is not blank: what stood there was told
        if text.trim().is_empty() {
            return nothing();
        }
        let prefix = self.call.session_prefix.as_deref();
        let Some(format) = self.format else {
            let mut read = self.basis.sessions(text, before);
            if let Some(prefix) = prefix {
                // rows are numbered in the whole
                read.result = read.result.map(|own| own.named(text, prefix, 0));
            }
            return read;
        };
        let (made, lost) = transcript_of(text, format);
        let mut read = made.map_or_else(nothing, |made| self.basis.sessions(&made, before));
        let prefix = prefix.unwrap_or("session");
        read.result = read.result.map(|own| own.named(text, prefix, item.others));
        read.problems.iter_mut().for_each(at_its_line);
        read.problems.extend(lost);
        read
    }

    /// Scores sessions, each with its lines. Their texts are embedded together.
    fn score(
        &self,
        items: &[Item],
        transcript: &Part,
        streams: &mut Streams,
    ) -> Result<Came, Failure> {
        let source = self.call.common.source()?;
        let file = |problem: &Problem| self.call.file(problem, transcript);
        let (mut all, mut wrong) = (Sessions::default(), 0);
        for item in items {
            let (text, lost) = item.text(source, streams)?;
            wrong += lost;
            let Some(text) = text else {
                continue;
            };
            let (text, told) = objects(&text, item.before);
            let read = self.read(&text, item);
            let mut problems = told;
            problems.extend(placed(read.problems, item.before));
            report(&problems, file, streams)?;
            wrong += losses(&problems);
            all.add(read.result.unwrap_or_default());
        }
        let run = self.basis.run(all);
        let run = run.map_err(|problem| Call::told(&problem, &file, streams))?;
        let model = self.opened.remembering(Help {
            threads: NonZero::<usize>::MIN,
            earlier: Some(&self.earlier),
            is_told: false,
        });
        model.prepare(run.texts());
        let measured = run.measured_with(&self.lessons, &model);
        report(&measured.problems, file, streams)?;
        let lines = run.part_sessions(&self.call.options, &measured, &self.second);
        let mut written = Vec::new();
        for line in lines.iter().chain(&run.part_asides()) {
            line.push_line(&mut written);
            written.push(b'\n');
        }
        streams.stdout.write_all(&written)?;
        Ok(Came {
            made: lines.len(),
            wrong,
        })
    }
}

/// What a line of another source, whose key this is, belongs to.
fn line_of(format: &str, line: &[u8]) -> Belongs {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    match LineOf::new(format, line) {
        LineOf::Alone(items, id) => Belongs::Alone(items, id.into_bytes()),
        LineOf::Named(name) => Belongs::To(name.into_bytes()),
        LineOf::Nothing => Belongs::Unknown,
    }
}

/// Of what was made of a line only the line is known.
fn at_its_line(problem: &mut Problem) {
    (problem.line, problem.column) = (1, 1);
}
