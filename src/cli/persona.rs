//! `assay persona`: scores a transcript against a persona, or compares two.

mod parts;

use lexopt::{Arg, Parser, ValueExt};
use serde_json::Value;

use super::input::{Common, Source, text_value};
use super::job::Job;
use super::model::{Chosen, Remembering};
use super::output::{Format, as_read, back, hold, losses, report, result, validation};
use super::report::{Makers, Wanted};
use super::{Failure, Status, Streams, help};
use crate::document::{Problem, Severity};
use crate::embedding::Embedder;
use crate::persona::voice::{self, Control};
use crate::persona::{
    Bar, Comparison, FORMULA, Inputs, Metric, Options, PersonaResult, Run, SecondOpinion, Side,
    Similarities, Split, compare, comparison_summary, read, split, summary,
};
use crate::share::report::Report;
use crate::share::{
    Document, Kind as LinkKind, Shape, comparison_csv, comparison_markdown, persona_back,
    persona_csv, persona_markdown,
};
use crate::sources::Kind;
use crate::steps::{THROUGH, at_once};

/// The control sample of the voice, as the page serves it.
pub(super) const CONTROL: &str = include_str!("../../public/voice/control.json");
/// What a second opinion on the rules of safety has learned, as the page serves it.
pub(super) const SECOND: &str = include_str!("../../public/voice/safety.json");

/// An optional input: its file, then its text.
#[derive(Default)]
struct Part {
    source: Option<Source>,
    text: Option<String>,
    /// How much could not be read.
    lost: usize,
    /// Whether the text was made of another source.
    is_made: bool,
}

impl Part {
    fn take(&mut self, parser: &mut Parser) -> Result<(), Failure> {
        self.source = Some(Source::from_arg(parser.value()?));
        Ok(())
    }

    fn load(&mut self, streams: &mut Streams) -> Result<(), Failure> {
        let source = self.source.as_ref();
        self.text = source.map(|source| source.read(streams)).transpose()?;
        Ok(())
    }

    /// The same of a document of a kind, which may be made of another source.
    fn load_as(
        &mut self,
        kind: Kind,
        format: Option<&str>,
        is_beside: bool,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let source = self.source.as_ref();
        let read = source.map(|source| source.read_document(kind, format, is_beside, streams));
        if let Some(read) = read.transpose()? {
            (self.text, self.lost, self.is_made) = (Some(read.text), read.lost, read.is_made);
        }
        Ok(())
    }

    /// How much is lost of it, with what these problems leave out.
    fn left_out(&self, problems: &[Problem]) -> usize {
        self.lost + losses(problems)
    }

    /// The file; what was made of it has lines of its own.
    fn name(&self) -> String {
        let name = self.source.as_ref().map_or_else(String::new, Source::name);
        if self.is_made { as_read(&name) } else { name }
    }
}

#[derive(Default)]
struct Call {
    common: Common,
    persona: Part,
    baseline: Part,
    /// The persona of the baseline, where it was another.
    earlier_persona: Part,
    /// Its config, where that was another.
    earlier_config: Part,
    config: Part,
    safety: Part,
    judge: Part,
    labels: Part,
    control: Part,
    model: Chosen,
    options: Options,
    bars: Vec<Bar>,
    /// The shape of another tool, in place of the result.
    shape: Option<Shape>,
    /// Whether personal data is masked in what is written.
    is_masked: bool,
    /// Whether a part is written, to be put together with others.
    is_partial: bool,
    /// What the names of conversations begin with that have none.
    session_prefix: Option<String>,
    job: Job,
}

/// What came of a run.
struct Found<'a> {
    run: &'a Run,
    measured: &'a Similarities,
    result: &'a PersonaResult,
    comparison: Option<&'a Comparison>,
}

impl Call {
    /// What cannot be asked for together, or not without something else.
    fn check(&mut self) -> Result<(), Failure> {
        if self.persona.source.is_none() {
            return Err(Failure::Usage("--persona is missing".into()));
        }
        self.shape = self.common.shape("sessions", &Shape::OF_SESSIONS)?;
        if self.shape.is_some() && self.baseline.source.is_some() {
            let message = "only one of --to and --compare may be given";
            return Err(Failure::Usage(message.into()));
        }
        let wanted = self.common.report(self.is_masked)?;
        if wanted.is_some_and(Wanted::is_html) && self.baseline.source.is_some() {
            let message = "a comparison is written as .md or .csv, and has no report in HTML";
            return Err(Failure::Usage(message.into()));
        }
        let earlier = [
            (&self.earlier_persona, "--compare-persona"),
            (&self.earlier_config, "--compare-config"),
        ];
        for (part, option) in earlier {
            if part.source.is_some() && self.baseline.source.is_none() {
                let message = format!("{option} needs a baseline: give one with --compare");
                return Err(Failure::Usage(message));
            }
        }
        self.check_part()?;
        if self.bars.iter().any(|bar| bar.is_worse()) && self.baseline.source.is_none() {
            let message = "--fail-worse needs a baseline: give one with --compare";
            return Err(Failure::Usage(message.into()));
        }
        Ok(())
    }
}

impl Call {
    /// What cannot be asked of a part.
    fn check_part(&self) -> Result<(), Failure> {
        self.job.check(self.is_partial, self.is_masked)?;
        let job = &self.job;
        let is_whole = self.baseline.source.is_some()
            || self.shape.is_some()
            || !self.bars.is_empty()
            || self.common.format != Format::Line
            || self.common.report(self.is_masked)?.is_some();
        let message = if (job.is_lines || job.out.is_some()) && !self.is_partial {
            "--lines and --out write a part: say --partial, and put parts together with `assay merge`"
        } else if job.out.is_some() && !job.is_lines {
            "--out takes sessions as they are scored: say --lines, or send what is printed to a file"
        } else if self.session_prefix.is_some() && !job.is_lines {
            "--session-prefix names conversations of a part that is written line by line: say --partial and --lines"
        } else if self.is_partial && is_whole {
            "--partial writes a part and no result: --compare, --to, --fail-under, --pretty, --summary and --report are of the whole"
        } else if job.is_lines && self.common.validate {
            "--lines scores what it reads: without --validate"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(message.into()))
    }
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
            Arg::Long("persona") => call.persona.take(&mut parser)?,
            Arg::Long("compare") => call.baseline.take(&mut parser)?,
            Arg::Long("compare-persona") => call.earlier_persona.take(&mut parser)?,
            Arg::Long("compare-config") => call.earlier_config.take(&mut parser)?,
            Arg::Long("config") => call.config.take(&mut parser)?,
            Arg::Long("safety") => call.safety.take(&mut parser)?,
            Arg::Long("voice") => call.labels.take(&mut parser)?,
            Arg::Long("control") => call.control.take(&mut parser)?,
            Arg::Long("judge") => call.judge.take(&mut parser)?,
            Arg::Long("partial") => call.is_partial = true,
            Arg::Long("session-prefix") => call.session_prefix = Some(text_value(&mut parser)?),
            Arg::Long("style-by") => {
                call.options.voice_as_style = Some(style_by(&text_value(&mut parser)?)?);
            }
            Arg::Long("seed") => call.options.seed = Some(parser.value()?.parse()?),
            Arg::Long("fail-under") => call.bars.push(bar(Bar::least, &mut parser)?),
            Arg::Long("fail-worse") => call.bars.push(bar(Bar::worse, &mut parser)?),
            // taken over as it borrows the parser
            Arg::Long(name) => {
                let name = name.to_owned();
                let arg = Arg::Long(&name);
                // how many threads work is asked of the model
                let is_taken = call.model.take(&arg, &mut parser)?
                    || call.job.take(&arg, &mut parser)?
                    || call.common.take(&arg, &mut parser)?;
                if !is_taken {
                    return Err(Arg::Long(&name).unexpected().into());
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    call.check()?;
    call.load(streams)?;
    if call.job.is_lines {
        call.job.threads = call.model.threads();
        return call.score_lines(streams);
    }
    let transcript = Part {
        source: Some(call.common.source()?.clone()),
        ..Part::default()
    };
    call.score(transcript, streams)
}

impl Call {
    /// Reads all inputs but the transcript.
    fn load(&mut self, streams: &mut Streams) -> Result<(), Failure> {
        let format = self.common.read_as.as_deref();
        self.persona.load_as(Kind::Persona, format, true, streams)?;
        self.baseline
            .load_as(Kind::Transcript, format, true, streams)?;
        self.earlier_persona
            .load_as(Kind::Persona, format, true, streams)?;
        let Call {
            earlier_config,
            config,
            safety,
            judge,
            labels,
            control,
            ..
        } = self;
        for part in [earlier_config, config, safety, judge, labels, control] {
            part.load(streams)?;
        }
        Ok(())
    }
}

/// Embeds the texts of runs, all at once.
fn prepare<'a>(model: &Remembering, runs: impl IntoIterator<Item = &'a Run>) {
    for run in runs {
        model.prepare(run.texts());
    }
}

/// Which formula fills the place of style: whether it is the voice.
fn style_by(text: &str) -> Result<bool, Failure> {
    match text {
        voice::FORMULA => Ok(true),
        FORMULA => Ok(false),
        _ => Err(Failure::Usage(format!(
            "--style-by expects {FORMULA} or {}, got {text:?}",
            voice::FORMULA
        ))),
    }
}

/// A bar, as an option gives it.
fn bar(read: fn(&str) -> Result<Bar, String>, parser: &mut Parser) -> Result<Bar, Failure> {
    read(&text_value(parser)?).map_err(Failure::Usage)
}

impl Call {
    fn score(&self, mut transcript: Part, streams: &mut Streams) -> Result<Status, Failure> {
        let format = self.common.read_as.as_deref();
        transcript.load_as(Kind::Transcript, format, false, streams)?;
        let run = read(&self.inputs(&transcript));
        let file = |problem: &Problem| self.file(problem, &transcript);
        if self.common.validate {
            return validation((run.problems, transcript.left_out(&[])), file, streams);
        }
        report(&run.problems, file, streams)?;
        let left_out = transcript.left_out(&run.problems);
        let run = run.result.ok_or(Failure::Reported)?;
        let (baseline, lost) = self.read_baseline(streams)?;
        let earlier = self.read_earlier(&transcript, streams)?;
        let opened = self.model.open()?;
        let model = opened.alone();
        let control = Control::read(CONTROL).map_err(Failure::Model)?;
        let second = SecondOpinion::read(SECOND).map_err(Failure::Model)?;
        prepare(
            &model,
            [Some(&run), baseline.as_ref()].into_iter().flatten(),
        );
        if let Some(earlier) = &earlier {
            prepare(&model, earlier);
        }
        let measured = run.measured(&model, &control);
        if self.is_partial {
            let of_part = (&run, left_out);
            return self.give_part(of_part, (&measured, &second), &transcript, streams);
        }
        let mut scored = |side: Side| self.scored(side, &second, &transcript, streams);
        let (candidate, comparison) = match baseline {
            None => (scored((&run, &measured))?, None),
            Some(baseline) => {
                let of_baseline = baseline.measured_by(measured.voice.as_ref(), &model);
                let (before, after) = (baseline.without_judge(), run.without_judge());
                let sides = [(&before, &of_baseline), (&after, &measured)];
                let candidate = scored(sides[1])?;
                let comparison = compare(&scored(sides[0])?, &candidate);
                let comparison = match &earlier {
                    Some(own) => comparison.with_split(self.split(own, sides, &model)?),
                    None => comparison,
                };
                (candidate, Some(comparison))
            }
        };
        let found = Found {
            run: &run,
            measured: &measured,
            result: &candidate,
            comparison: comparison.as_ref(),
        };
        let held = self.print(&found, &transcript, streams)?;
        Ok(Status::without(left_out + lost).worse(held))
    }

    /// Writes and prints what came, and says whether it is above the bars.
    fn print(
        &self,
        found: &Found,
        transcript: &Part,
        streams: &mut Streams,
    ) -> Result<Status, Failure> {
        self.report(found, transcript, streams)?;
        match found.comparison {
            Some(comparison) => {
                result(comparison, self.common.format, comparison_summary, streams)?;
            }
            None => self.give(found.result, transcript, streams)?,
        }
        let of = |metric: Metric| metric.of(found.result);
        hold(&self.bars, of, found.comparison, streams)
    }

    /// Writes the report, where one is wanted.
    fn report(
        &self,
        found: &Found,
        transcript: &Part,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let Some(wanted) = self.common.report(self.is_masked)? else {
            return Ok(());
        };
        let intervals = || found.run.intervals(&self.options, Some(found.measured));
        let makers = Makers {
            html: &|| {
                Report::of_persona(
                    self.document(transcript),
                    found.result,
                    intervals().as_ref(),
                )
            },
            markdown: &|| {
                let comparison = found.comparison.map(comparison_markdown);
                comparison.unwrap_or_else(|| persona_markdown(found.result))
            },
            csv: &|| {
                let comparison = found.comparison.map(comparison_csv);
                comparison.unwrap_or_else(|| persona_csv(found.result))
            },
        };
        wanted.write(&makers, self.is_masked, streams)
    }

    /// The inputs with the options, as a link of the page has them.
    fn document(&self, transcript: &Part) -> Document {
        let parts = [
            ("persona", &self.persona),
            ("transcript", transcript),
            ("config", &self.config),
            ("safety", &self.safety),
            ("judge", &self.judge),
            ("labels", &self.labels),
            ("control", &self.control),
        ];
        let texts = parts.into_iter().filter_map(|(name, part)| {
            let text = part.text.clone()?;
            Some((name.to_owned(), Value::from(text)))
        });
        let input = Value::Object(texts.collect());
        let mut document = Document::new(LinkKind::Persona, FORMULA, input);
        let seed = self
            .options
            .seed
            .map(|seed| ("seed".to_owned(), seed.into()));
        let by = self.options.voice_as_style;
        let by = by.map(|is_voice| if is_voice { voice::FORMULA } else { FORMULA });
        let by = by.map(|by| ("style_by".to_owned(), by.into()));
        document.options.extend(seed.into_iter().chain(by));
        document
    }

    /// Prints the result, or writes it in the shape of another tool.
    fn give(
        &self,
        scored: &PersonaResult,
        transcript: &Part,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let text = transcript.text.as_deref().unwrap_or_default();
        let written = self
            .shape
            .and_then(|shape| persona_back(shape, text, scored));
        match written {
            Some(written) => back(&written, streams),
            None => result(scored, self.common.format, summary, streams),
        }
    }

    /// The baseline's run, if there is a baseline. Its persona and rules are the
    /// candidate's and reported already.
    fn read_baseline(&self, streams: &mut Streams) -> Result<(Option<Run>, usize), Failure> {
        if self.baseline.source.is_none() {
            return Ok((None, 0));
        }
        let mut run = read(&self.inputs(&self.baseline));
        // what is wrong with the others was told, unless it is wrong with this transcript alone
        let is_read = run.result.is_some();
        run.problems.retain(|problem| {
            let is_own = problem.input.as_deref() == Some("transcript");
            is_own || !is_read && problem.severity == Severity::Error
        });
        report(&run.problems, |_| self.baseline.name(), streams)?;
        let lost = self.baseline.left_out(&run.problems);
        let run = run.result.ok_or(Failure::Reported)?;
        Ok((Some(run), lost))
    }

    /// The baseline's own persona and config on both transcripts, where it had one of the two.
    fn read_earlier(
        &self,
        transcript: &Part,
        streams: &mut Streams,
    ) -> Result<Option<[Run; 2]>, Failure> {
        let (persona, config) = (&self.earlier_persona, &self.earlier_config);
        if persona.source.is_none() && config.source.is_none() {
            return Ok(None);
        }
        let by_own = |transcript: &Part| {
            let inputs = self.inputs(transcript);
            read(&Inputs {
                persona: persona.text.as_deref().unwrap_or(inputs.persona),
                config: config.text.as_deref().or(inputs.config),
                ..inputs
            })
        };
        let [mut before, after] = [&self.baseline, transcript].map(by_own);
        // all else is told already, and what is wrong with them is wrong on both transcripts
        before
            .problems
            .retain(|problem| match problem.input.as_deref() {
                Some("persona") => persona.source.is_some(),
                Some("config") => config.source.is_some(),
                _ => false,
            });
        let file = |problem: &Problem| match problem.input.as_deref() {
            Some("persona") => persona.name(),
            _ => config.name(),
        };
        report(&before.problems, file, streams)?;
        if before.result.is_some() && after.result.is_none() {
            // it is wrong with the later transcript alone
            report(
                &after.problems,
                |problem| self.file(problem, transcript),
                streams,
            )?;
        }
        let both = before.result.zip(after.result);
        let (before, after) = both.ok_or(Failure::Reported)?;
        Ok(Some([before.without_judge(), after.without_judge()]))
    }

    /// What of the difference comes from what: of the baseline's own persona and config on both
    /// transcripts, and the later ones.
    fn split(
        &self,
        own: &[Run; 2],
        [before, after]: [Side; 2],
        model: &dyn Embedder,
    ) -> Result<Result<Split, String>, Failure> {
        let measured = own.each_ref().map(|run| run.measured_by(None, model));
        let none = Options::default();
        let options = if self.earlier_config.source.is_some() {
            &none
        } else {
            &self.options
        };
        let configs = (
            own[0].configured(options),
            after.0.configured(&self.options),
        );
        let (Some(was), Some(is)) = configs else {
            return Err(Failure::Reported);
        };
        let [one, other] = own;
        let sides = [(one, &measured[0]), before, (other, &measured[1]), after];
        Ok(split(sides, [&was, &is]))
    }

    /// A run scored, with the second opinion on its safety.
    fn scored(
        &self,
        (run, measured): Side,
        second: &SecondOpinion,
        transcript: &Part,
        streams: &mut Streams,
    ) -> Result<PersonaResult, Failure> {
        let evaluation = run.score_with(&self.options, Some(measured));
        report(
            &evaluation.problems,
            |problem| self.file(problem, transcript),
            streams,
        )?;
        let opinions = at_once(run.opinions(second, THROUGH));
        let result = evaluation.result.ok_or(Failure::Reported)?;
        Ok(result.with_opinions(&opinions))
    }

    fn inputs<'a>(&'a self, transcript: &'a Part) -> Inputs<'a> {
        Inputs {
            persona: self.persona.text.as_deref().unwrap_or_default(),
            transcript: transcript.text.as_deref().unwrap_or_default(),
            config: self.config.text.as_deref(),
            safety: self.safety.text.as_deref(),
            judge: self.judge.text.as_deref(),
            labels: self.labels.text.as_deref(),
            control: self.control.text.as_deref(),
        }
    }

    fn file(&self, problem: &Problem, transcript: &Part) -> String {
        match problem.input.as_deref() {
            Some("persona") => self.persona.name(),
            Some("config") => self.config.name(),
            Some("safety") => self.safety.name(),
            Some("judge") => self.judge.name(),
            Some("labels") => self.labels.name(),
            Some("control") => self.control.name(),
            Some("options") => "<options>".into(),
            _ => transcript.name(),
        }
    }
}
