//! `assay rwea`: scores a debate.

use lexopt::{Arg, Parser};

use super::foreign::debate_of;
use super::input::{Common, Source, text_value, weights_value};
use super::job::{Job, MANY, Plan};
use super::lines::{Came, Item, one_by_one};
use super::output::{Format, MADE, as_read, back, of_made, placed, report, result, validation};
use super::report::{Makers, Wanted};
use super::results::Done;
use super::{Failure, Status, Streams, help};
use crate::debate::{
    Against, Beside, Board, DebateResult, DomainChoice, FORMULA, LeaguePart, Options, PartLine,
    Payload, Profiles, Whole, evaluate, evaluate_from, evaluate_quickly, parse, read, read_from,
    read_profiles, summary,
};
use crate::document::{Parsed, Place, Problem, Severity, input_sha256};
use crate::share::report::Report;
use crate::share::{
    Document, Kind as LinkKind, Shape, WhyNot, beside_markdown, debate_csv, debate_markdown,
    debates_back,
};
use crate::sources::{Kind, league_text};
use crate::text::Shown;

#[derive(Default)]
struct Call {
    common: Common,
    /// Several files that are one debate together; of one alone it is the input.
    files: Vec<Source>,
    /// As given; left out, it depends on the input.
    domain: Option<DomainChoice>,
    options: Options,
    /// The candidate to explain in place of the result.
    why_not: Option<String>,
    /// The name of the file of profiles.
    profiles: String,
    /// The shape of another tool to write all debates in, in place of the result.
    shape: Option<Shape>,
    /// Whether personal data is masked in what is written.
    is_masked: bool,
    job: Job,
    /// Whether the part of a league is written, to be put together with others.
    is_partial: bool,
}

/// Debates that are written together when all are scored.
#[derive(Default)]
struct Together {
    texts: String,
    debates: Vec<(Payload, DebateResult)>,
}

impl Together {
    fn add(&mut self, text: &str, scored: DebateResult) {
        self.texts.push_str(text);
        self.texts.push('\n');
        // it was read without an error: there is a payload
        self.debates
            .extend(read(text).result.map(|read| (read, scored)));
    }

    fn write(&self, shape: Shape, streams: &mut Streams) -> Result<(), Failure> {
        let debates = self.debates.iter().map(|(read, scored)| (read, scored));
        let debates: Vec<_> = debates.collect();
        back(&debates_back(shape, &self.texts, &debates), streams)
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
    let mut profiles: Option<Source> = None;
    let mut list_domains = false;
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("domain") => {
                call.domain = Some(DomainChoice::parse(&text_value(&mut parser)?));
            }
            Arg::Long("question") => call.options.question = Some(text_value(&mut parser)?),
            Arg::Long("profiles") => profiles = Some(Source::from_arg(parser.value()?)),
            Arg::Long("weights") => call.options.weights = weights_value(&mut parser, streams)?,
            Arg::Long("why-not") => call.why_not = Some(text_value(&mut parser)?),
            Arg::Long("list-domains") => list_domains = true,
            Arg::Long("partial") => call.is_partial = true,
            // taken over as it borrows the parser
            Arg::Long(name) => {
                let name = name.to_owned();
                let arg = Arg::Long(&name);
                let is_taken =
                    call.job.take(&arg, &mut parser)? || call.common.take(&arg, &mut parser)?;
                if !is_taken {
                    return Err(Arg::Long(&name).unexpected().into());
                }
            }
            Arg::Value(name) => call.files.push(Source::from_arg(name)),
            other @ Arg::Short(_) => return Err(other.unexpected().into()),
        }
    }
    call.settle_files()?;
    if let Some(source) = &profiles {
        call.options.profiles = Some(source.read(streams)?);
        call.profiles = source.name();
    }
    if list_domains {
        return list(call.options.profiles.as_deref(), &call.profiles, streams);
    }
    call.shape = call.common.shape("debates", &Shape::OF_DEBATES)?;
    call.score_all(streams)
}

impl Call {
    /// Does what is asked for.
    fn score_all(&self, streams: &mut Streams) -> Result<Status, Failure> {
        if self.shape.is_some() && self.why_not.is_some() {
            let message = "only one of --to and --why-not may be given";
            return Err(Failure::Usage(message.into()));
        }
        self.common.report(self.is_masked)?;
        if self.is_partial {
            self.league_part(streams)
        } else if self.common.validate {
            self.validate(streams)
        } else if self.is_by_lines()? {
            self.score_lines(streams)
        } else {
            self.score(streams)
        }
    }

    /// One file alone is the input.
    fn settle_files(&mut self) -> Result<(), Failure> {
        if self.files.len() == 1 {
            self.files
                .drain(..)
                .try_for_each(|only| self.common.set_source(only))?;
        } else if !self.files.is_empty() && self.common.source().is_ok() {
            let message = "several files are given without --input, --stdin and --validate";
            return Err(Failure::Usage(message.into()));
        }
        Ok(())
    }

    fn file(&self, problem: &Problem) -> String {
        match problem.input.as_deref() {
            Some("profiles") => self.profiles.clone(),
            Some("options") => "<options>".into(),
            Some(MADE) => as_read(&self.input_name()),
            _ => self.input_name(),
        }
    }

    fn input_name(&self) -> String {
        let source = self.common.source().map(Source::name);
        source.unwrap_or_else(|_| {
            let names: Vec<_> = self.files.iter().map(Source::name).collect();
            names.join(", ")
        })
    }

    /// Does something with the text of the input, or of what several files are together.
    fn for_each(
        &self,
        streams: &mut Streams,
        mut work: impl FnMut(Option<u32>, Result<&str, Problem>, &mut Streams) -> Result<(), Failure>,
    ) -> Result<usize, Failure> {
        let format = self.common.read_as.as_deref();
        if self.files.is_empty() {
            return self
                .common
                .source()?
                .for_each(Kind::Debate, format, streams, work);
        }
        let (text, lost) = debate_of(&self.files, format, streams)?;
        work(None, Ok(&text), streams)?;
        Ok(lost)
    }

    fn validate(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let job = &self.job;
        if job.is_lines || job.threads.is_some() || job.out.is_some() || job.is_resumed {
            let message =
                "--validate scores nothing: without --lines, --threads, --out and --resume";
            return Err(Failure::Usage(message.into()));
        }
        let mut problems = Vec::new();
        let source = self.common.source()?;
        let quick = self.quick();
        // of such there is nothing to say
        let is_quick = |text: &str| {
            let scored = quick
                .as_ref()
                .and_then(|(options, profiles)| evaluate_quickly(text, profiles, options));
            scored.is_some_and(|scored| scored.problems.is_empty())
        };
        let format = self.common.read_as.as_deref();
        let lost = source.for_each(Kind::Debate, format, streams, |before, text, _| {
            match text {
                Ok(text) if is_quick(text) => {}
                Ok(text) => {
                    let debates = Debates::of(text);
                    problems.extend(placed_in(debates.beside.clone(), before));
                    for index in 0..debates.len() {
                        let read = read_from(&debates.parsed, index);
                        problems.extend(placed_in(read.problems, before));
                    }
                }
                Err(problem) => problems.push(problem),
            }
            Ok(())
        })?;
        validation((problems, lost), |problem| self.file(problem), streams)
    }

    /// Prints the part that a league is: who won against whom how often.
    fn league_part(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let job = &self.job;
        let is_plain = !(job.is_lines || job.out.is_some() || job.threads.is_some())
            && self.why_not.is_none()
            && self.shape.is_none()
            && self.domain.is_none()
            && self.options == Options::default()
            && !self.common.validate
            && self.common.format == Format::Line
            && self.common.report(self.is_masked)?.is_none();
        self.job.check(true, self.is_masked)?;
        if !is_plain {
            let message = "--partial of a league counts its battles: domain and weights are given to `assay merge`, and nothing else goes with it";
            return Err(Failure::Usage(message.into()));
        }
        let format = self.common.read_as.as_deref();
        let (text, lost, is_made) = if self.files.is_empty() {
            let source = self.common.source()?;
            let read = source.read_document(Kind::Debate, format, false, streams)?;
            (read.text, read.lost, read.is_made)
        } else {
            let (text, lost) = debate_of(&self.files, format, streams)?;
            (text, lost, true)
        };
        let debates = Debates::of(&text);
        let before = (!is_made).then_some(0);
        let has_strays = debates.tell(before, |problem| self.file(problem), streams)?;
        let is_one = debates.len() == 1;
        let lost = lost + usize::from(has_strays);
        let read = read_from(&debates.parsed, 0);
        let problems = placed_in(read.problems, before);
        report(&problems, |problem| self.file(problem), streams)?;
        let payload = read.result.ok_or(Failure::Reported)?;
        let part =
            LeaguePart::of(&payload, lost).filter(|part| is_one && is_league(part, &payload));
        let Some(part) = part else {
            let place = Place::START;
            let message = "only battles of a league are counted in parts: debates are scored line by line, with --lines";
            let problem = Problem::new(Severity::Error, place, "", message);
            report(&[problem], |problem| self.file(problem), streams)?;
            return Ok(Status::BadInput);
        };
        writeln!(streams.stdout, "{}", PartLine::Part(part).written())?;
        Ok(Status::without(lost))
    }

    /// Whether lines are scored one by one and at once, and not held together.
    fn is_by_lines(&self) -> Result<bool, Failure> {
        let is_plain = self.files.is_empty()
            && self.shape.is_none()
            && self.common.report(self.is_masked)?.is_none();
        let job = &self.job;
        let is_told = job.is_lines || job.threads.is_some() || job.out.is_some();
        if is_told && !is_plain {
            let message = "--lines, --threads and --out are for one input whose results are printed as they are, without --to and --report";
            return Err(Failure::Usage(message.into()));
        }
        job.check(false, self.is_masked)?;
        let is_lines = job.is_lines
            || is_plain && self.common.read_as.is_none() && self.common.source()?.is_lines();
        if job.out.is_some() && !is_lines {
            let message =
                "--out is for an input with a debate in each line: FILE.jsonl, or say --lines";
            return Err(Failure::Usage(message.into()));
        }
        if job.out.is_some() && (self.why_not.is_some() || self.common.format != Format::Line) {
            let message = "--out takes results as JSON, a line each, without --why-not, --pretty and --summary";
            return Err(Failure::Usage(message.into()));
        }
        Ok(is_lines)
    }

    /// Scores one debate per line, on all cores.
    fn score_lines(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let source = self.common.source()?;
        self.check_options(streams)?;
        source.warn_of_lines(streams)?;
        let quick = self.quick();
        let one = |item: &Item, streams: &mut Streams| {
            let (Some(text), _) = item.text(source, streams)? else {
                return Ok(Came::wrong(1));
            };
            let scored = quick
                .as_ref()
                .and_then(|(options, profiles)| evaluate_quickly(&text, profiles, options));
            if let Some(scored) = scored {
                self.tell(item.before, scored.problems, streams)?;
                if let Some(scored) = scored.result {
                    result(&scored, self.common.format, summary, streams)?;
                    return Ok(Came::RESULT);
                }
            }
            let mut came = Came::default();
            let debates = Debates::of(&text);
            debates.tell(Some(item.before), |problem| self.file(problem), streams)?;
            for index in 0..debates.len() {
                came += self.one(item.before, (&debates, index), streams)?;
            }
            // a line counts once
            came.wrong = came.wrong.min(1);
            Ok(came)
        };
        let mut is_done = |text: &str, _: &Item, done: &mut Done| {
            if done.takes(&input_sha256(&[("payload", text)])) {
                return Some(0);
            }
            let debates = Debates::of(text);
            let read =
                (0..debates.len()).filter_map(|index| read_from(&debates.parsed, index).result);
            let all: Vec<String> = read.map(|read| read.input_sha256).collect();
            done.takes_all(&all)
                .then(|| usize::from(all.len() < debates.len()))
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
            work: &|items, streams| one_by_one(items, streams, one),
        };
        self.job.run(source, &mut plan, streams)
    }

    /// Says what is wrong with the options, which is the same for every line.
    fn check_options(&self, streams: &mut Streams) -> Result<(), Failure> {
        const ANY: &str = r#"{"question": "?", "candidates": [
            {"id": "A", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
            {"id": "B", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#;
        let options = Options {
            domain: self.domain.clone().unwrap_or_default(),
            ..self.options.clone()
        };
        let mut problems = evaluate(ANY, &options).problems;
        problems.retain(is_of_options);
        report(&problems, |problem| self.file(problem), streams)?;
        let is_wrong = problems
            .iter()
            .any(|problem| problem.severity == Severity::Error);
        if is_wrong {
            Err(Failure::Reported)
        } else {
            Ok(())
        }
    }

    /// What debates are scored with that nothing is to be said of; none where what is done depends on more.
    fn quick(&self) -> Option<(Options, Profiles)> {
        let profiles = match &self.options.profiles {
            None => Profiles::built_in().clone(),
            Some(text) => {
                let read = read_profiles(text);
                // what is wrong with them is said of every debate
                read.result.filter(|_| read.problems.is_empty())?
            }
        };
        // with a question the domain depends on the text
        let is_asked = self.options.question.is_some();
        let domain = self.domain.clone();
        let domain = domain.or_else(|| (!is_asked).then_some(DomainChoice::Payload))?;
        let options = Options {
            domain,
            ..self.options.clone()
        };
        self.why_not.is_none().then_some((options, profiles))
    }

    /// Scores a debate of a line, whatever there is to say of it.
    fn one(
        &self,
        before: u32,
        (debates, index): (&Debates, usize),
        streams: &mut Streams,
    ) -> Result<Came, Failure> {
        let text = debates.text(index);
        let options = Options {
            domain: self.domain_of(text),
            ..self.options.clone()
        };
        let scored = evaluate_from(&debates.parsed, index, &options);
        self.tell(before, scored.problems, streams)?;
        let Some(scored) = scored.result else {
            return Ok(Came::wrong(1));
        };
        self.print(text, &options, &scored, streams)?;
        Ok(Came::RESULT)
    }

    /// Says what there is to say of a debate behind so many lines.
    fn tell(
        &self,
        before: u32,
        problems: Vec<Problem>,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let mut problems = placed_in(problems, Some(before));
        // that was said before the first line
        problems.retain(|problem| !is_of_options(problem));
        report(&problems, |problem| self.file(problem), streams)
    }

    /// Scores the whole text, or one debate per line.
    fn score(&self, streams: &mut Streams) -> Result<Status, Failure> {
        let (mut status, mut together) = (Status::Done, Together::default());
        let (wanted, mut reported) = (self.common.report(self.is_masked)?, None);
        let lost = self.for_each(streams, |before, text, streams| {
            let text = match text {
                Ok(text) => text,
                Err(problem) => {
                    status = Status::BadInput;
                    return report(&[problem], |problem| self.file(problem), streams);
                }
            };
            let debates = Debates::of(text);
            if debates.tell(before, |problem| self.file(problem), streams)? {
                status = Status::BadInput;
            }
            for index in 0..debates.len() {
                let text = debates.text(index);
                let options = Options {
                    domain: self.domain_of(text),
                    ..self.options.clone()
                };
                let scored = evaluate_from(&debates.parsed, index, &options);
                let problems = placed_in(scored.problems, before);
                report(&problems, |problem| self.file(problem), streams)?;
                match scored.result {
                    Some(scored) if wanted.is_some() => {
                        let only = (text.to_string(), options, scored);
                        if reported.replace(only).is_some() {
                            let message = "--report is of one debate, and the input has several";
                            return Err(Failure::Usage(message.into()));
                        }
                    }
                    Some(scored) => self.take(text, &options, scored, &mut together, streams)?,
                    None => status = Status::BadInput,
                }
            }
            Ok(())
        })?;
        if let Some((text, options, scored)) = &reported {
            self.take(text, options, scored.clone(), &mut together, streams)?;
        }
        match self.shape {
            Some(shape) if !together.debates.is_empty() => together.write(shape, streams)?,
            _ => {}
        }
        if let Some((wanted, (text, options, scored))) = wanted.zip(reported) {
            let made = Made::of(&text, &options, &scored)?;
            made.write(wanted, self.is_masked, streams)?;
        }
        Ok(status.worse(Status::without(lost)))
    }

    /// Prints a result, or keeps it for the shape that all are printed in together.
    fn take(
        &self,
        text: &str,
        options: &Options,
        scored: DebateResult,
        together: &mut Together,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        if self.why_not.is_none() && self.shape.is_some() {
            together.add(text, scored);
            return Ok(());
        }
        self.print(text, options, &scored, streams)
    }

    /// Prints a result, or why a candidate of it is not first.
    fn print(
        &self,
        text: &str,
        options: &Options,
        scored: &DebateResult,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        if self.why_not.is_some() {
            self.explain(text, options, scored, streams)
        } else {
            self.show(text, options, scored, streams)
        }
    }

    /// The result, with what is said beside it where the input tells how it was made.
    fn show(
        &self,
        text: &str,
        options: &Options,
        scored: &DebateResult,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let tells = ["\"marks\"", "\"league\""]
            .iter()
            .any(|key| text.contains(key));
        let payload = tells.then(|| read(text).result).flatten();
        let beside = payload.map(|payload| {
            let profiles = Self::profiles_of(options);
            Beside::of(&payload, &profiles, options)
        });
        let beside = beside.unwrap_or_default();
        if beside == Beside::default() {
            return result(scored, self.common.format, summary, streams);
        }
        let whole = Whole {
            result: scored,
            beside: &beside,
        };
        let paragraphs = |whole: &Whole| {
            let parts = whole.beside.parts().into_iter();
            let parts = parts.map(|(name, said)| format!("\n\n{name}: {}", said.join(" ")));
            summary(whole.result) + &parts.collect::<String>()
        };
        result(&whole, self.common.format, paragraphs, streams)
    }

    /// The profiles of a call whose input was read without an error.
    fn profiles_of(options: &Options) -> Profiles {
        let profiles = options.profiles.as_deref().map(read_profiles);
        let profiles = profiles.map_or(Some(Profiles::built_in().clone()), |read| read.result);
        profiles.unwrap_or_default()
    }

    /// Why a candidate is not first; of the first, why it is before the second.
    fn explain(
        &self,
        text: &str,
        options: &Options,
        scored: &DebateResult,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        // both were read without an error: there is a result
        let (payload, profiles) = (read(text).result, Self::profiles_of(options));
        let board = payload
            .as_ref()
            .and_then(|payload| Board::new(payload, &profiles, options));
        let id = self.why_not.as_deref().unwrap_or_default();
        let other = scored.results.iter().find(|row| row.id != id);
        let found = board
            .zip(other)
            .and_then(|(board, other)| board.against(id, &other.id));
        match found {
            Some(found) => result(&found, self.common.format, Against::text, streams),
            None => Err(Failure::Usage(format!(
                "--why-not: there is no candidate {:?}",
                Shown(id)
            ))),
        }
    }

    /// The domain as given. A question that comes with the call is there to be
    /// detected from, unless the input names a domain.
    fn domain_of(&self, text: &str) -> DomainChoice {
        let names_domain = || {
            let payload = read(text).result;
            payload.is_some_and(|payload| payload.domain.is_some())
        };
        match &self.domain {
            Some(given) => given.clone(),
            None if self.options.question.is_some() && !names_domain() => DomainChoice::Auto,
            None => DomainChoice::Payload,
        }
    }
}

/// The debates of a text.
struct Debates<'a> {
    given: &'a str,
    parsed: Parsed,
    /// What is said of what stands beside them.
    beside: Vec<Problem>,
}

impl<'a> Debates<'a> {
    fn of(given: &'a str) -> Self {
        let parsed = parse(given);
        let mut beside: Vec<Problem> = parsed.strays().collect();
        let pieces = parsed.pieces();
        if pieces.len() > 1 && parsed.has_words() {
            let message = format!(
                "{} debates are read; what else stands in the text is not",
                pieces.len()
            );
            beside.push(Problem::new(
                Severity::Warning,
                pieces[0].place,
                "",
                message,
            ));
        }
        Self {
            given,
            parsed,
            beside,
        }
    }

    fn len(&self) -> usize {
        self.parsed.pieces().len()
    }

    /// The text of one of them: all where there is no other.
    fn text(&self, index: usize) -> &str {
        match self.parsed.pieces() {
            [_] => self.given,
            pieces => pieces[index].of(self.parsed.text()),
        }
    }

    /// Says what stands beside them; whether that is left out.
    fn tell(
        &self,
        before: Option<u32>,
        file: impl Fn(&Problem) -> String,
        streams: &mut Streams,
    ) -> Result<bool, Failure> {
        let told = placed_in(self.beside.clone(), before);
        report(&told, file, streams)?;
        Ok(told.iter().any(Problem::is_left_out))
    }
}

/// The problems of a text behind so many lines; without a number the text was made of a file.
fn placed_in(problems: Vec<Problem>, before: Option<u32>) -> Vec<Problem> {
    match before {
        Some(before) => placed(problems, before),
        None => of_made(problems),
    }
}

/// Whether a problem is none of the input.
fn is_of_options(problem: &Problem) -> bool {
    matches!(problem.input.as_deref(), Some("options" | "profiles"))
}

/// A scored debate, of which a report is made.
struct Made<'a> {
    text: &'a str,
    payload: Payload,
    profiles: Profiles,
    options: &'a Options,
    scored: &'a DebateResult,
}

impl<'a> Made<'a> {
    fn of(text: &'a str, options: &'a Options, scored: &'a DebateResult) -> Result<Self, Failure> {
        // it was read without an error: there is a payload
        let payload = read(text).result.ok_or(Failure::Reported)?;
        Ok(Self {
            text,
            payload,
            profiles: Call::profiles_of(options),
            options,
            scored,
        })
    }

    fn html(&self) -> Report {
        let document = Document::new(LinkKind::Rwea, FORMULA, self.text.into());
        let mut document = document.with_weights(&self.options.weights);
        let texts = [
            ("domain", self.options.domain.spelling()),
            ("question", self.options.question.clone()),
            ("profiles", self.options.profiles.clone()),
        ];
        for (name, text) in texts {
            let text = text.map(|text| (name.to_owned(), text.into()));
            document.options.extend(text);
        }
        let made_of = (&self.payload, &self.profiles, self.options);
        Report::of_debate(document, made_of, self.scored)
    }

    fn markdown(&self) -> String {
        let board = Board::new(&self.payload, &self.profiles, self.options);
        let second = board.and_then(|board| board.second_against_first());
        let second = second.map(|second| WhyNot {
            id: second.behind.clone(),
            sentences: second.sentences(),
        });
        let beside = Beside::of(&self.payload, &self.profiles, self.options);
        debate_markdown(self.scored, second.as_ref()) + &beside_markdown(&beside)
    }

    fn write(
        &self,
        wanted: &Wanted,
        is_masked: bool,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let makers = Makers {
            html: &|| self.html(),
            markdown: &|| self.markdown(),
            csv: &|| debate_csv(self.scored),
        };
        wanted.write(&makers, is_masked, streams)
    }
}

/// Whether a debate is nothing but what is made of who won against whom how often.
fn is_league(part: &LeaguePart, payload: &Payload) -> bool {
    let again = league_text(part.players(), part.battles()).ok();
    let again = again.and_then(|text| read(&text).result);
    again.is_some_and(|again| {
        let same = again.candidates.iter().zip(&payload.candidates);
        again.candidates.len() == payload.candidates.len()
            && same.into_iter().all(|(one, other)| {
                one.id == other.id && one.wins == other.wins && one.reviews == other.reviews
            })
    })
}

/// Scores what parts of a league make together, as a league is scored by itself.
pub(super) fn merged(
    part: &LeaguePart,
    (format, domain, weights): (Format, Option<DomainChoice>, Vec<(String, f64)>),
    streams: &mut Streams,
) -> Result<(), Failure> {
    let text = match league_text(part.players(), part.battles()) {
        Ok(text) => text,
        Err(message) => {
            writeln!(streams.stderr, "assay: {message}")?;
            return Err(Failure::Reported);
        }
    };
    let call = Call {
        common: Common::shown_as(format),
        ..Call::default()
    };
    let options = Options {
        domain: domain.unwrap_or(DomainChoice::Payload),
        weights,
        ..Options::default()
    };
    let scored = evaluate(&text, &options);
    let file = |problem: &Problem| match problem.input.as_deref() {
        Some("options") => "<options>".to_owned(),
        _ => "<league>".to_owned(),
    };
    report(&scored.problems, file, streams)?;
    let scored = scored.result.ok_or(Failure::Reported)?;
    call.show(&text, &options, &scored, streams)
}

/// One domain per line with its weights.
fn list(profiles: Option<&str>, name: &str, streams: &mut Streams) -> Result<Status, Failure> {
    let custom = profiles.map(read_profiles);
    if let Some(read) = &custom {
        report(&read.problems, |_| name.to_owned(), streams)?;
    }
    let profiles = match &custom {
        None => Profiles::built_in(),
        Some(read) => read.result.as_ref().ok_or(Failure::Reported)?,
    };
    let width = profiles
        .names()
        .iter()
        .map(|name| Shown(name).to_string().chars().count())
        .max()
        .unwrap_or(0);
    for domain in profiles.domains() {
        write!(streams.stdout, "{:width$}", Shown(&domain.name).to_string())?;
        for (name, weight) in domain.weights.named() {
            write!(streams.stdout, "  {name}={weight}")?;
        }
        writeln!(streams.stdout)?;
    }
    Ok(Status::Done)
}
