//! `assay rwea`: scores a debate.

use lexopt::{Arg, Parser};

use super::input::{Common, Source, text_value, weights_value};
use super::output::{report, result, validation};
use super::{Failure, Status, Streams, help};
use crate::debate::{DomainChoice, Options, Profiles, evaluate, read, read_profiles, summary};
use crate::document::Problem;

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let mut common = Common::default();
    let mut options = Options::default();
    let mut domain = None;
    let mut profiles: Option<Source> = None;
    let mut list_domains = false;
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("domain") => domain = Some(text_value(&mut parser)?),
            Arg::Long("question") => options.question = Some(text_value(&mut parser)?),
            Arg::Long("profiles") => profiles = Some(Source::from_arg(parser.value()?)),
            Arg::Long("weights") => options.weights = weights_value(&mut parser, streams)?,
            Arg::Long("list-domains") => list_domains = true,
            // taken over as it borrows the parser
            Arg::Long(name) => {
                let name = name.to_owned();
                if !common.take(&Arg::Long(&name), &mut parser)? {
                    return Err(Arg::Long(&name).unexpected().into());
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if let Some(source) = &profiles {
        options.profiles = Some(source.read(streams)?);
    }
    let profiles_name = profiles.map_or_else(String::new, |source| source.name());
    if list_domains {
        return list(options.profiles.as_deref(), &profiles_name, streams);
    }
    let source = common.source()?;
    let name = source.name();
    let file = |problem: &Problem| match problem.input.as_deref() {
        Some("profiles") => profiles_name.clone(),
        Some("options") => "<options>".into(),
        _ => name.clone(),
    };
    if common.validate {
        let mut problems = Vec::new();
        source.for_each(streams, |before, text, _| {
            problems.extend(placed(read(text).problems, before));
            Ok(())
        })?;
        return validation(problems, file, streams);
    }
    let mut status = Status::Done;
    source.for_each(streams, |before, text, streams| {
        let names_domain = options.question.is_some()
            && read(text)
                .result
                .is_some_and(|payload| payload.domain.is_some());
        let domain = match domain.as_deref() {
            // a question that comes with the call is there to be detected from
            None if options.question.is_some() && !names_domain => DomainChoice::Auto,
            None => DomainChoice::Payload,
            Some("auto") => DomainChoice::Auto,
            Some("none") => DomainChoice::None,
            Some(name) => DomainChoice::Named(name.to_owned()),
        };
        let options = Options {
            domain,
            ..options.clone()
        };
        let scored = evaluate(text, &options);
        report(&placed(scored.problems, before), file, streams)?;
        match scored.result {
            Some(scored) => result(&scored, common.format, summary, streams)?,
            None => status = Status::BadInput,
        }
        Ok(())
    })?;
    Ok(status)
}

/// The problems of a text that stands after other lines, at their lines in the whole.
fn placed(mut problems: Vec<Problem>, before: u32) -> Vec<Problem> {
    for problem in problems.iter_mut().filter(|p| p.input.is_none()) {
        problem.line += before;
    }
    problems
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
        .map(|n| n.chars().count())
        .max()
        .unwrap_or(0);
    for domain in &profiles.domains {
        write!(streams.stdout, "{:width$}", domain.name)?;
        for (name, weight) in domain.weights.named() {
            write!(streams.stdout, "  {name}={weight}")?;
        }
        writeln!(streams.stdout)?;
    }
    Ok(Status::Done)
}
