//! `assay embed`: a text per line in, a vector per line out.

use std::io::{BufRead, BufReader};

use lexopt::{Arg, Parser};

use super::model::Chosen;
use super::{Failure, Status, Streams, help};
use crate::embedding::Embedder;

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let mut model = Chosen::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            // taken over as it borrows the parser
            Arg::Long(name) => {
                let name = name.to_owned();
                if !model.take(&Arg::Long(&name), &mut parser)? {
                    return Err(Arg::Long(&name).unexpected().into());
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let model = model.open()?;
    for line in BufReader::new(&mut *streams.stdin).lines() {
        let vector = model
            .embed(&line?)
            .map_err(|error| Failure::Model(error.0))?;
        serde_json::to_writer(&mut *streams.stdout, &vector).map_err(std::io::Error::from)?;
        writeln!(streams.stdout)?;
    }
    Ok(Status::Done)
}
