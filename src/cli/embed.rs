//! `assay embed`: a text per line in, a vector per line out.

use std::io::{BufRead, BufReader};

use lexopt::{Arg, Parser};

use super::{Failure, Status, Streams, help, model};
use crate::embedding::Embedder;

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let mut folder = None;
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("model") => folder = Some(parser.value()?.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    let model = model::open(folder)?;
    for line in BufReader::new(&mut *streams.stdin).lines() {
        let vector = model
            .embed(&line?)
            .map_err(|error| Failure::Model(error.0))?;
        serde_json::to_writer(&mut *streams.stdout, &vector).map_err(std::io::Error::from)?;
        writeln!(streams.stdout)?;
    }
    Ok(Status::Done)
}
