//! `assay persona draft`: a persona proposed from good replies.

use std::collections::HashSet;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};

use super::input::{Source, format_value};
use super::model::Chosen;
use super::output::{losses, report};
use super::persona::CONTROL;
use super::{Failure, Status, Streams, help, write};
use crate::document::{Place, Problem, Problems, Severity};
use crate::persona::draft::{Examples, draft};
use crate::persona::read_given;
use crate::persona::voice::{Control, read_control};
use crate::steps::{THROUGH, at_once};

#[derive(Default)]
struct Call {
    examples: Option<Source>,
    against: Option<Source>,
    read_as: Option<String>,
    name: String,
    out: Option<PathBuf>,
    model: Chosen,
}

impl Call {
    /// What the arguments say; none where help is asked for.
    fn of(mut parser: Parser) -> Result<Option<Self>, Failure> {
        let mut call = Self::default();
        while let Some(arg) = parser.next()? {
            match arg {
                Arg::Short('h') | Arg::Long("help") => return Ok(None),
                Arg::Long("examples") => call.examples = Some(Source::from_arg(parser.value()?)),
                Arg::Long("against") => call.against = Some(Source::from_arg(parser.value()?)),
                Arg::Long("format") => call.read_as = Some(format_value(&mut parser)?),
                Arg::Long("name") => call.name = parser.value()?.string()?,
                Arg::Long("out") => call.out = Some(parser.value()?.into()),
                // taken over as it borrows the parser
                Arg::Long(name) => {
                    let name = name.to_owned();
                    if !call.model.take(&Arg::Long(&name), &mut parser)? {
                        return Err(Arg::Long(&name).unexpected().into());
                    }
                }
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(Some(call))
    }

    /// What somebody edited is not written over.
    fn check_out(&self) -> Result<(), Failure> {
        match &self.out {
            Some(out) if out.is_file() => Err(Failure::Usage(format!(
                "{} is there already, and a persona is made to be edited: name another file",
                out.display()
            ))),
            _ => Ok(()),
        }
    }
}

pub(super) fn run(
    parser: Parser,
    is_masked: bool,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let Some(call) = Call::of(parser)? else {
        return help(streams);
    };
    let source = call.examples.as_ref();
    let source = source.ok_or_else(|| Failure::Usage("--examples is missing".into()))?;
    let mut problems = Problems::new();
    let (given, lost) = source.examples(call.read_as.as_deref(), streams)?;
    let examples = Examples::new(read_given(&given, &mut problems));
    let mut lost = lost + said(problems, source, streams)?;
    if let Some(reason) = examples.lacks() {
        return refused(reason, source, streams);
    }
    call.check_out()?;
    let control = match &call.against {
        None => Control::read(CONTROL).map_err(Failure::Model)?,
        Some(own) => {
            let mut problems = Problems::new();
            let control = read_control(&own.read(streams)?, &mut problems);
            if let Some(reason) = control.lacks() {
                return refused(reason, own, streams);
            }
            lost += said(problems, own, streams)?;
            control
        }
    };
    let opened = call.model.open()?;
    let model = opened.alone();
    model.prepare(examples.texts());
    let found = at_once(draft(&examples, &control, &model, THROUGH)).map_err(Failure::Model)?;
    let nothing = HashSet::new();
    let voice = at_once(found.lesson(&nothing).learn(&control, &model, THROUGH));
    let separation = voice.ok().and_then(|voice| voice.separation);
    let text = found.written(&call.name, &nothing, separation);
    match &call.out {
        None => streams.stdout.write_all(text.as_bytes())?,
        Some(path) => write(path, &text, is_masked, streams)?,
    }
    Ok(Status::without(lost))
}

/// Says what is wrong with an input, and how much of it is lost.
fn said(problems: Problems, source: &Source, streams: &mut Streams) -> Result<usize, Failure> {
    let problems = problems.into_sorted();
    report(&problems, |_| source.name(), streams)?;
    Ok(losses(&problems))
}

fn refused(reason: String, source: &Source, streams: &mut Streams) -> Result<Status, Failure> {
    let problem = Problem::new(Severity::Error, Place::START, "", reason);
    report(&[problem], |_| source.name(), streams)?;
    Err(Failure::Reported)
}
