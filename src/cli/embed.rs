//! `assay embed`: a text per line in, a vector per line out.

use std::io::{BufRead, BufReader};

use lexopt::{Arg, Parser};

use super::model::Chosen;
use super::{Failure, Status, Streams, help};
use crate::embedding::Embedder;

/// So many texts are held and computed at once.
const MOST: usize = 4096;

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
    let mut lines = BufReader::new(&mut *streams.stdin).lines();
    let mut at_once = 1;
    loop {
        let texts: Vec<String> = lines.by_ref().take(at_once).collect::<Result<_, _>>()?;
        if texts.is_empty() {
            return Ok(Status::Done);
        }
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for vector in model.embed_all(&texts, model.threads) {
            let vector = vector.map_err(|error| Failure::Model(error.0))?;
            serde_json::to_writer(&mut *streams.stdout, &vector).map_err(std::io::Error::from)?;
            writeln!(streams.stdout)?;
        }
        // who looks on sees the first vector at once, and later on threads have enough to do
        streams.stdout.flush()?;
        at_once = (64 * at_once).min(MOST);
    }
}
