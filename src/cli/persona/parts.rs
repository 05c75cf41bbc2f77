//! `assay persona --partial`: a part of a job, to be put together by `assay merge`. A whole transcript
//! at once, or with `--lines` session by session as they are read, on all cores and in constant memory.

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use super::super::foreign::transcript_of;
use super::super::job::{FEW, Plan, Rows, objects, session_of};
use super::super::lines::Item;
use super::super::model::{Help, Opened, Vectors};
use super::super::output::{is_loss, placed, report};
use super::super::results::Done;
use super::{CONTROL, Call, Failure, Part, SECOND, Status, Streams};
use crate::document::{Evaluation, PartEnd, Problem};
use crate::persona::voice::Control;
use crate::persona::{Basis, Lessons, PartLine, Run, SecondOpinion, Sessions, Similarities};

/// What every session is scored with.
struct Scorer<'a> {
    call: &'a Call,
    basis: Basis,
    lessons: Lessons,
    second: SecondOpinion,
    opened: Opened,
    /// The vectors of what the persona brings.
    earlier: Vectors,
    told: Told,
}

/// Warnings that were told: of many sessions each says the same.
#[derive(Default)]
struct Told(Mutex<HashSet<String>>);

/// So many kinds of warnings are told.
const MOST_TOLD: usize = 100;

impl Told {
    /// Whether a warning says something that was not told; numbers and what is quoted make no difference.
    fn is_new(&self, problem: &Problem) -> bool {
        let quoted = problem.message.split('"').step_by(2);
        let kind: String = quoted
            .flat_map(str::chars)
            .filter(|c| !c.is_ascii_digit())
            .collect();
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.len() < MOST_TOLD && told.insert(kind)
    }
}

impl Call {
    /// Prints the part that a run is, of which something was left out of so many sessions.
    pub(super) fn give_part(
        &self,
        (run, left_out): (&Run, usize),
        (measured, second): (&Similarities, &SecondOpinion),
        transcript: &Part,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let head = run.part_head(&self.inputs(transcript), &self.options, (measured, second));
        let problems = head.problems.iter().chain(&measured.problems);
        let problems: Vec<Problem> = problems.cloned().collect();
        report(&problems, |problem| self.file(problem, transcript), streams)?;
        let head = head.result.ok_or(Failure::Reported)?;
        let lines = [PartLine::Part(Box::new(head))].into_iter();
        let lines = lines.chain(run.part_sessions(&self.options, measured, second));
        let end = PartLine::End(PartEnd { left_out });
        for line in lines.chain(run.part_asides()).chain([end]) {
            writeln!(streams.stdout, "{}", line.written())?;
        }
        Ok(())
    }

    /// Scores session after session as they are read.
    pub(super) fn score_lines(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let transcript = Part {
            source: Some(self.common.source()?.clone()),
            ..Part::default()
        };
        let inputs = self.inputs(&transcript);
        let read = Basis::read(&inputs);
        let file = |problem: &Problem| self.file(problem, &transcript);
        report(&read.problems, file, streams)?;
        let basis = read.result.ok_or(Failure::Reported)?;
        let opened = self.model.open()?;
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
            told: Told::default(),
        };
        let mut is_done = |text: &str, item: &Item, done: &mut Done| {
            let (text, told) = objects(text, item.before);
            let read = scorer.read(&text, item);
            let is_lossy = !told.is_empty() || read.problems.iter().any(is_loss);
            let sessions = read.result.unwrap_or_default();
            let all: Vec<String> = sessions.sha256s().collect();
            done.takes_all(&all).then_some(is_lossy)
        };
        let mut plan = Plan {
            chunk: FEW,
            key: Some(|line| session_of(line, Rows::Replies)),
            what: "sessions",
            head: Some(PartLine::Part(Box::new(head)).written()),
            end: Some(|left_out| PartLine::End(PartEnd { left_out }).written()),
            is_done: &mut is_done,
            work: &|items, streams| scorer.score(items, &transcript, streams),
        };
        let source = self.common.source()?;
        self.job.run(source, &mut plan, streams)
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
        let Some((made, lost)) = transcript_of(text) else {
            return self.basis.sessions(text, before);
        };
        let mut read = self.basis.sessions(&made, before);
        let prefix = self.call.session_prefix.as_deref().unwrap_or("session");
        let name = format!("{prefix}-{:04}", item.others + 1);
        read.result = read.result.map(|own| own.named(text, &name));
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
    ) -> Result<(Status, usize), Failure> {
        let source = self.call.common.source()?;
        let file = |problem: &Problem| self.call.file(problem, transcript);
        let (mut all, mut wrong) = (Sessions::default(), 0);
        for item in items {
            let Some(text) = item.text(source, streams)? else {
                wrong += 1;
                continue;
            };
            let (text, told) = objects(text, item.before);
            let read = self.read(&text, item);
            let mut problems = told;
            problems.extend(placed(read.problems, item.before));
            problems.retain(|problem| is_loss(problem) || self.told.is_new(problem));
            report(&problems, file, streams)?;
            wrong += usize::from(problems.iter().any(is_loss));
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
        for line in lines.into_iter().chain(run.part_asides()) {
            writeln!(streams.stdout, "{}", line.written())?;
        }
        let status = if wrong > 0 {
            Status::BadInput
        } else {
            Status::Done
        };
        Ok((status, wrong))
    }
}

/// Of what was made of a line only the line is known.
fn at_its_line(problem: &mut Problem) {
    (problem.line, problem.column) = (1, 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Severity;

    #[test]
    fn what_was_told_is_not_told_again() {
        let told = Told::default();
        let place = crate::document::Place { line: 1, column: 1 };
        let problem = |message: &str| Problem::new(Severity::Warning, place, "", message);
        assert!(told.is_new(&problem("session \"a\" has turn 1 already")));
        assert!(!told.is_new(&problem("session \"b\" has turn 12 already")));
        assert!(told.is_new(&problem("unknown key")));
    }
}
