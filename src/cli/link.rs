//! `assay link`: a permalink to and from its JSON document.

use lexopt::{Arg, Parser};

use super::input::{Source, text_value};
use super::output::{Format, report, result};
use super::{Failure, Status, Streams, help};
use crate::document::{Place, Problem, Severity, normalise, parse_json};
use crate::share::{Document, LinkError, compared_links, decode, encode};

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let (mut to_encode, mut to_decode) = (None, None);
    let mut format = Format::Line;
    let mut is_masked = false;
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("encode") => to_encode = Some(Source::from_arg(parser.value()?)),
            Arg::Long("decode") => to_decode = Some(text_value(&mut parser)?),
            Arg::Long("mask") => is_masked = true,
            Arg::Long("pretty") => format = Format::Pretty,
            other => return Err(other.unexpected().into()),
        }
    }
    match (to_encode, to_decode) {
        (Some(source), None) => {
            let text = normalise(&source.read(streams)?);
            let hide = |mut document: Document| {
                if is_masked {
                    document.mask();
                }
                document
            };
            let read = document(&text).map(hide);
            let link = match read.and_then(|d| encode(&d).map_err(|e| at_start(&e))) {
                Ok(link) => link,
                Err(problem) => {
                    report(&[problem], |_| source.name(), streams)?;
                    return Err(Failure::Reported);
                }
            };
            writeln!(streams.stdout, "{link}")?;
            Ok(Status::Done)
        }
        (None, Some(link)) => {
            // a comparison holds two links: a document each
            let links =
                compared_links(&link).map_or_else(|| vec![link.as_str()], |two| two.to_vec());
            let documents: Result<Vec<Document>, LinkError> =
                links.into_iter().map(decode).collect();
            match documents {
                Ok(documents) => {
                    for document in documents {
                        result(&document, format, |_| String::new(), streams)?;
                    }
                    Ok(Status::Done)
                }
                Err(error) => {
                    report(&[at_start(&error)], |_| "<link>".into(), streams)?;
                    Err(Failure::Reported)
                }
            }
        }
        _ => Err(Failure::Usage(
            "expected --encode FILE or --decode LINK".into(),
        )),
    }
}

fn document(text: &str) -> Result<Document, Problem> {
    Document::from_node(parse_json(text)?).map_err(|error| at_start(&error))
}

fn at_start(error: &LinkError) -> Problem {
    let start = Place { line: 1, column: 1 };
    Problem::new(Severity::Error, start, "", error.to_string())
}
