//! `assay calibrate`: what labelled replies say of a persona's voice, every figure out of fold.

use std::path::PathBuf;

use lexopt::{Arg, Parser};
use serde::Serialize;

use super::input::{Source, format_value};
use super::model::Chosen;
use super::output::{Format, losses, report, result};
use super::persona::CONTROL;
use super::{Failure, Status, Streams, help, write};
use crate::document::Problem;
use crate::persona::voice::{Calibration, Control, Figure, NARROW, calibrate};
use crate::persona::{Inputs, Options, Reweighed, Run, read, reweigh};
use crate::sources::Kind;
use crate::steps::{THROUGH, at_once};

#[derive(Default)]
struct Call {
    persona: Option<Source>,
    labelled: Option<Source>,
    control: Option<Source>,
    out: Option<PathBuf>,
    /// Of formats that fit the persona equally well, the one that it is read as.
    read_as: Option<String>,
    model: Chosen,
    format: Format,
}

impl Call {
    /// What the arguments say; none where help is asked for.
    fn of(mut parser: Parser) -> Result<Option<Self>, Failure> {
        let mut call = Self::default();
        while let Some(arg) = parser.next()? {
            match arg {
                Arg::Short('h') | Arg::Long("help") => return Ok(None),
                Arg::Long("persona") => call.persona = Some(Source::from_arg(parser.value()?)),
                Arg::Long("input") => call.labelled = Some(Source::from_arg(parser.value()?)),
                Arg::Long("control") => call.control = Some(Source::from_arg(parser.value()?)),
                Arg::Long("out") => call.out = Some(parser.value()?.into()),
                Arg::Long("format") => call.read_as = Some(format_value(&mut parser)?),
                Arg::Long("pretty") => call.format = Format::Pretty,
                Arg::Long("summary") => call.format = Format::Summary,
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

    /// The persona with its labelled replies, and how much of them could not be read.
    fn read(&self, streams: &mut Streams) -> Result<(Run, usize), Failure> {
        let missing = |name: &str| Failure::Usage(format!("--{name} is missing"));
        let persona = self.persona.as_ref().ok_or_else(|| missing("persona"))?;
        let labelled = self.labelled.as_ref().ok_or_else(|| missing("input"))?;
        let format = self.read_as.as_deref();
        let given = persona.read_document(Kind::Persona, format, true, streams)?;
        let labels = labelled.read(streams)?;
        let own = self.control.as_ref();
        let own = own.map(|own| own.read(streams)).transpose()?;
        let mut run = read(&Inputs {
            persona: &given.text,
            transcript: &labels,
            labels: Some(&labels),
            control: own.as_deref(),
            ..Inputs::default()
        });
        let file = |input: Option<&str>| match input {
            Some("persona") => persona.name(),
            Some("control") => self.control.as_ref().map_or_else(String::new, Source::name),
            _ => labelled.name(),
        };
        // the labels are the transcript: a line of it that is left out is told once
        let left_out = |problem: &Problem, input: &str| {
            problem.is_left_out() && problem.input.as_deref() == Some(input)
        };
        let lines = run
            .problems
            .iter()
            .filter(|own| left_out(own, "transcript"));
        let lines: Vec<u32> = lines.map(|own| own.line).collect();
        run.problems
            .retain(|own| !left_out(own, "labels") || !lines.contains(&own.line));
        report(
            &run.problems,
            |problem| file(problem.input.as_deref()),
            streams,
        )?;
        let lost = given.lost + losses(&run.problems);
        let run = run.result.ok_or(Failure::Reported)?;
        Ok((run, lost))
    }
}

pub(super) fn run(
    parser: Parser,
    is_masked: bool,
    streams: &mut Streams,
) -> Result<Status, Failure> {
    let Some(mut call) = Call::of(parser)? else {
        return help(streams);
    };
    let (run, lost) = call.read(streams)?;
    let opened = call.model.open()?;
    let model = opened.alone();
    let control = Control::read(CONTROL).map_err(Failure::Model)?;
    let lesson = run.lesson();
    model.prepare(lesson.texts().chain(run.texts()));
    let calibration = calibrate(
        &lesson,
        run.labels(),
        &control,
        &model,
        run.bootstrap(),
        THROUGH,
    );
    let calibration = at_once(calibration)
        .map_err(|reason| Failure::Usage(format!("no calibration: {reason}")))?;
    let known = run.similarities(&model);
    let scored = run.score_with(&Options::default(), Some(&known)).result;
    let agreed = run.labels().agreed();
    let weights = scored.and_then(|result| at_once(reweigh(&agreed, &result, THROUGH)));
    let calibration = Found {
        calibration,
        weights,
    };
    if let Some(path) = &call.out {
        let json = serde_json::to_string_pretty(&calibration).map_err(std::io::Error::from)?;
        write(path, &(json + "\n"), is_masked, streams)?;
        call.format = Format::Summary;
    }
    result(&calibration, call.format, summary, streams)?;
    Ok(Status::without(lost))
}

/// What labels say of the voice, and of the weights.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    calibration: Calibration,
    /// Weights of style, traits and lexicon that tell the labels apart best.
    weights: Option<Reweighed>,
}

/// Both in a few lines.
fn summary(found: &Found) -> String {
    let area = |auc: Option<f64>| auc.map_or_else(|| "-".to_owned(), |auc| format!("{auc:.3}"));
    let weights = found.weights.as_ref().map_or_else(String::new, |found| {
        let [style, traits, lexicon] = found.weights;
        format!(
            "\nweights   style {style}, traits {traits}, lexicon {lexicon} tell these labels apart best ({}): AUC {} out of fold, {} with those as they are",
            found.formula,
            area(found.auc),
            area(found.auc_now)
        )
    });
    by_voice(&found.calibration) + &weights
}

/// The calibration in a few lines.
fn by_voice(calibration: &Calibration) -> String {
    let shown = |figure: Figure| match (figure.value, figure.ci95) {
        (Some(value), Some([low, high])) => format!("{value:.3} ({low:.3} to {high:.3})"),
        (Some(value), None) => format!("{value:.3}"),
        _ => "not defined".to_owned(),
    };
    let wrong = calibration
        .labels
        .iter()
        .filter(|label| !label.agrees)
        .count();
    let more = calibration
        .more_labels
        .map_or_else(String::new, |more| match more {
            0 => format!("\nThe interval of the AUC is narrower than \u{b1}{NARROW}"),
            _ => format!(
                "\nAbout {more} more labels would narrow the interval of the AUC to \u{b1}{NARROW}"
            ),
        });
    format!(
        "{} by {} labels on brand and {} off brand, each figure out of fold\n\
         AUC       {}; without labels {}\n\
         accuracy  {}; the commoner class alone {:.3}\n\
         F1        {}\n\
         kappa     {}\n\
         threshold {:.3}; {wrong} of {} labels disagree with the voice{more}",
        calibration.formula,
        calibration.on,
        calibration.off,
        shown(calibration.auc),
        shown(calibration.auc_without_labels),
        shown(calibration.accuracy),
        calibration.majority,
        shown(calibration.f1),
        shown(calibration.kappa),
        calibration.threshold,
        calibration.labels.len(),
    )
}
