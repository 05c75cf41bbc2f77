//! `assay embed`: a text per line in, a vector per line out.

use std::io::{BufRead, BufReader, Read};

use lexopt::{Arg, Parser};

use super::model::Chosen;
use super::{Failure, Status, Streams, help};

/// So many texts are held and computed at once.
const MOST: usize = 4096;
/// So much is read at a time, in bytes.
const BUFFER: usize = 1 << 18;

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
    let mut input = BufReader::with_capacity(BUFFER, &mut *streams.stdin);
    loop {
        let (texts, ended) = here(&mut input);
        let texts: Vec<&str> = texts
            .iter()
            .map(|text| text.trim_end_matches(['\r', '\n']))
            .collect();
        for vector in model.model().embed_all(&texts, model.threads) {
            let vector = vector.map_err(|error| Failure::Model(error.0))?;
            serde_json::to_writer(&mut *streams.stdout, &vector).map_err(std::io::Error::from)?;
            writeln!(streams.stdout)?;
        }
        streams.stdout.flush()?;
        match ended {
            Some(Ok(())) => return Ok(Status::Done),
            Some(Err(error)) => return Err(error.into()),
            None => {}
        }
    }
}

/// A line, and those behind it that are here already: who writes one and waits for its vector gets it.
/// Then whether the input ended.
fn here<R: Read>(input: &mut BufReader<R>) -> (Vec<String>, Option<std::io::Result<()>>) {
    let mut texts = Vec::new();
    while texts.len() < MOST && (texts.is_empty() || input.buffer().contains(&b'\n')) {
        let mut text = String::new();
        match input.read_line(&mut text) {
            Ok(0) => return (texts, Some(Ok(()))),
            Ok(_) => texts.push(text),
            Err(error) => return (texts, Some(Err(error))),
        }
    }
    (texts, None)
}
