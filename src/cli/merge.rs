//! `assay merge`: puts parts together to what one run over all of it gives, to the last digit.

mod parts;

use lexopt::{Arg, Parser};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::input::{Source, text_value, weights_value};
use super::output::{Format, hold, json, result as show};
use super::{Failure, Status, Streams, help, reward, rwea};
use crate::debate::DomainChoice;
use crate::persona::{Bar, Merge, Merged, PartLine, summary};
use crate::text::Shown;
use crate::{constitution, debate};
use parts::{Fault, Parts, Place};

/// What is asked for.
#[derive(Default)]
struct Call {
    sources: Vec<Source>,
    format: Format,
    bars: Vec<Bar>,
    /// What a league is scored with.
    domain: Option<DomainChoice>,
    weights: Vec<(String, f64)>,
    /// Whether parts are taken that have no end.
    is_unfinished: bool,
}

/// What parts are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Persona,
    Reward,
    League,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Persona, Self::Reward, Self::League];

    /// The kind of a line, by its first key.
    fn of(line: &[u8]) -> Option<Self> {
        let keys: serde_json::Map<String, Value> = serde_json::from_slice(line).ok()?;
        let (key, _) = keys.into_iter().next()?;
        Self::ALL
            .into_iter()
            .find(|kind| key.starts_with(kind.start()))
    }

    /// What the keys of its lines begin with.
    fn start(self) -> &'static str {
        match self {
            Self::Persona => "persona_",
            Self::Reward => "reward_",
            Self::League => "league_",
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Persona => "a persona's transcript",
            Self::Reward => "a log of turns",
            Self::League => "a league",
        }
    }
}

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let mut call = Call::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("pretty") => call.format.choose(Format::Pretty)?,
            Arg::Long("summary") => call.format.choose(Format::Summary)?,
            Arg::Long("unfinished") => call.is_unfinished = true,
            Arg::Long("stdin") => call.sources.push(Source::Stdin),
            Arg::Long("domain") => {
                call.domain = Some(DomainChoice::parse(&text_value(&mut parser)?));
            }
            Arg::Long("weights") => call.weights = weights_value(&mut parser, streams)?,
            Arg::Long("fail-under") => {
                let bar = Bar::least(&text_value(&mut parser)?);
                call.bars.push(bar.map_err(Failure::Usage)?);
            }
            Arg::Value(name) => call.sources.push(Source::from_arg(name)),
            other => return Err(other.unexpected().into()),
        }
    }
    if call.sources.is_empty() {
        let message = "merge expects the files of parts, or --stdin";
        return Err(Failure::Usage(message.into()));
    }
    let parts = Parts::open(&call.sources, streams)?;
    let (first, source, before) = parts.first();
    let kind = Kind::of(&first);
    call.check(kind)?;
    match kind {
        Some(Kind::Persona) => call.persona(&parts, streams),
        Some(Kind::Reward) => call.reward(&parts, streams),
        Some(Kind::League) => call.league(&parts, streams),
        None => {
            let source = &call.sources[source];
            if let Err(error) = std::str::from_utf8(&first) {
                return Err(source.not_utf8(&first, error.valid_up_to(), before, streams));
            }
            let message = "this is no part: --partial of persona, reward and rwea writes them";
            writeln!(streams.stderr, "assay: {}: {message}", source.name())?;
            Err(Failure::Reported)
        }
    }
}

/// A line, or from which column on it is none, and why.
fn read<T: DeserializeOwned>(line: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(line).map_err(|error| {
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        // what was expected are the keys of the kind that the first part is of
        let unknown = words.strip_prefix("unknown variant");
        let of_first = unknown.and_then(|words| words.split_once(", expected"));
        let of_first = of_first.filter(|(_, keys)| keys.contains("_part`"));
        let other = Kind::of(line).filter(|kind| {
            let own = format!("`{}", kind.start());
            of_first.is_some_and(|(_, keys)| !keys.contains(&own))
        });
        let message = match (other, of_first) {
            (Some(other), _) => format!(
                "this is of {}, and the first part is not: merge parts of each kind by themselves",
                other.noun()
            ),
            (None, Some((key, keys))) => format!(
                "no line of a part: unknown key {:?}, expected{}",
                Shown(key.trim().trim_matches('`')),
                keys.replace('`', "")
            ),
            (None, None) => format!("no line of a part: {}", Shown(words)),
        };
        (error.column() as u32, message)
    })
}

impl Call {
    /// What is not of this kind of parts.
    fn check(&self, kind: Option<Kind>) -> Result<(), Failure> {
        let message = if kind != Some(Kind::Persona) && !self.bars.is_empty() {
            "--fail-under is of a persona"
        } else if kind == Some(Kind::League) && self.is_unfinished {
            "--unfinished is of a persona or of turns: a part of a league is a single line"
        } else if kind != Some(Kind::League) && (self.domain.is_some() || !self.weights.is_empty())
        {
            "--domain and --weights are of a league: other parts were scored with theirs"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(message.into()))
    }

    /// Parts of a league.
    fn league(self, parts: &Parts, streams: &mut Streams) -> Result<Status, Failure> {
        let mut merge = debate::Merge::default();
        parts.each(self.is_unfinished, streams, |_, line| {
            merge
                .add(read::<debate::PartLine>(line)?)
                .map_err(|message| (1, message))
        })?;
        let again = merge.again;
        if again > 0 {
            let words = "are the same as another, word for word, and count once more, as battles have no names: give each once";
            writeln!(streams.stderr, "assay: {again} parts {words}")?;
        }
        let left_out = merge.left_out;
        if left_out > 0 {
            let words = "lines were left out of the parts: the jobs that wrote them said which";
            writeln!(streams.stderr, "assay: {left_out} {words}")?;
        }
        let terms = (self.format, self.domain, self.weights);
        rwea::merged(&merge.finish(), terms, streams)?;
        Ok(Status::without(left_out + again))
    }

    /// Parts of a persona's transcript.
    fn persona(&self, parts: &Parts, streams: &mut Streams) -> Result<Status, Failure> {
        let (mut merge, mut places) = (Merge::default(), Vec::<Place>::new());
        let mut heads = parts.heads();
        parts.each(self.is_unfinished, streams, |place, line| {
            places.push(place);
            let told = |at: usize| parts.told(places[at]);
            let line = read::<PartLine>(line)?;
            match &line {
                PartLine::Part(_) => heads.begin(place),
                PartLine::Session(_) => heads.session(place),
                PartLine::Beside(_) => heads.other(place),
                PartLine::End(end) => heads.end(place, *end),
            }
            merge
                .add(line, places.len() - 1, told)
                .map_err(|message| (1, message))
        })?;
        parts.check(&heads, self.is_unfinished, streams)?;
        let left_out = parts.tell_again(&places, (&merge.again, merge.left_out), streams)?;
        let Merged {
            mut result,
            sessions,
        } = made(merge.finish(), streams)?;
        let session = |(at, departs): (usize, bool)| {
            let line = parts.line(places[at])?;
            let line = read::<PartLine>(&line).map_err(|(_, message)| changed(&message))?;
            Merged::session(line, departs).ok_or_else(|| changed("no session"))
        };
        let sessions = sessions.into_iter().map(session);
        if self.format == Format::Line {
            let sessions = sessions.map(|session| Ok(vec![session?]));
            written_between(&result, "sessions", sessions, streams)?;
        } else {
            result.sessions = sessions.collect::<Result<_, Failure>>()?;
            show(&result, self.format, summary, streams)?;
        }
        let held = hold(&self.bars, |metric| metric.of(&result), None, streams)?;
        Ok(left_out.worse(held))
    }

    /// Parts of a log.
    fn reward(&self, parts: &Parts, streams: &mut Streams) -> Result<Status, Failure> {
        let (mut merge, mut places) = (constitution::Merge::default(), Vec::<Place>::new());
        let mut heads = parts.heads();
        parts.each(self.is_unfinished, streams, |place, line| {
            places.push(place);
            let told = |at: usize| parts.told(places[at]);
            let line = read::<constitution::PartLine>(line)?;
            match &line {
                constitution::PartLine::Part(_) => heads.begin(place),
                constitution::PartLine::Session(_) => heads.session(place),
                constitution::PartLine::End(end) => heads.end(place, *end),
            }
            merge
                .add(line, places.len() - 1, told)
                .map_err(|message| (1, message))
        })?;
        parts.check(&heads, self.is_unfinished, streams)?;
        let left_out = parts.tell_again(&places, (&merge.again, merge.left_out), streams)?;
        let merged = merge.finish(|at| parts.told(places[at]));
        let constitution::Merged {
            mut result,
            places: own,
        } = made(merged, streams)?;
        let is_several = own.len() > 1;
        let turns = own.into_iter().map(|at| {
            let line = parts.line(places[at])?;
            let line = read(&line).map_err(|(_, message)| changed(&message))?;
            constitution::Merged::turns(line, is_several).ok_or_else(|| changed("no session"))
        });
        if self.format == Format::Line {
            written_between(&result, "turns", turns, streams)?;
        } else {
            let all = turns.collect::<Result<Vec<_>, Failure>>()?;
            result.turns = all.into_iter().flatten().collect();
            show(&result, self.format, reward::summary, streams)?;
        }
        Ok(left_out)
    }
}

/// What came of parts; what is missing to it is told.
fn made<T>(merged: Result<T, String>, streams: &mut Streams) -> Result<T, Failure> {
    match merged {
        Ok(merged) => Ok(merged),
        Err(message) => {
            writeln!(streams.stderr, "assay: {message}")?;
            Err(Failure::Reported)
        }
    }
}

/// Prints a result with what stands in a list of it, some at a time, as it comes.
fn written_between<T: Serialize>(
    result: &impl Serialize,
    key: &str,
    items: impl Iterator<Item = Result<Vec<T>, Failure>>,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let text = json(serde_json::to_string(result))?;
    // no text in it holds these quotation marks as they are
    let (before, after) = text
        .split_once(&format!("\"{key}\":[]"))
        .ok_or_else(|| changed("its shape"))?;
    write!(streams.stdout, "{before}\"{key}\":[")?;
    let mut comma = "";
    for some in items {
        for item in some? {
            write!(
                streams.stdout,
                "{comma}{}",
                json(serde_json::to_string(&item))?
            )?;
            comma = ",";
        }
    }
    writeln!(streams.stdout, "]{after}")?;
    Ok(())
}

/// A file that is no more what it was a moment ago.
fn changed(why: &str) -> Failure {
    let words = format!("a part was changed while it was read: {why}");
    Failure::Stream(std::io::Error::other(words))
}
