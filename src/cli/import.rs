//! `assay import`: what people have in their hands, made into documents of our own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lexopt::{Arg, Parser, ValueExt};

use super::foreign::{Told, chosen, is_tie, joined, lost_of, made, open, problem};
use super::input::{Source, format_value};
use super::{Failure, Status, Streams, help};
use crate::sources::{File, Kind, Made, Notes, Value};
use crate::text::{Shown, one_line};

/// What is asked for.
#[derive(Default)]
struct Call {
    files: Vec<Source>,
    is_list: bool,
    picks: Vec<String>,
    kind: Option<Kind>,
    mapping: BTreeMap<String, Value>,
    format: Option<String>,
    out: Option<PathBuf>,
    /// What this run has written.
    written: BTreeSet<PathBuf>,
}

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let mut call = Call::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("list") => call.is_list = true,
            Arg::Long("pick") => call.picks.push(parser.value()?.string()?),
            Arg::Long("as") => {
                let name = parser.value()?.string()?;
                call.kind = Some(Kind::named(&name).ok_or_else(|| {
                    let names = Kind::ALL.map(Kind::name).join(", ");
                    Failure::Usage(format!("--as expects one of {names}, got {name:?}"))
                })?);
            }
            Arg::Long("mapping") => {
                call.mapping = choices(&Source::from_arg(parser.value()?), streams)?;
            }
            Arg::Long("format") => call.format = Some(format_value(&mut parser)?),
            Arg::Long("out") => call.out = Some(parser.value()?.into()),
            Arg::Value(name) => call.files.push(Source::from_arg(name)),
            other => return Err(other.unexpected().into()),
        }
    }
    if call.files.is_empty() {
        return Err(Failure::Usage("import expects a file".into()));
    }
    let mut is_done = true;
    let mut opened = Vec::new();
    for source in &call.files {
        let (held, format) = (source.held(streams)?, call.format.as_deref());
        let told = if call.is_list { Told::All } else { Told::Lost };
        let file = open(&source.name(), held, format, told, streams)?;
        is_done &= file.is_some();
        opened.extend(file);
    }
    let joined = joined(&opened, streams)?;
    // what several files are together is made in place of each, unless another kind is asked for
    let taken = joined.as_ref().filter(|_| !call.is_list);
    let taken = taken.filter(|joined| joined.makes(call.kind));
    for file in &opened {
        let is_taken =
            taken.is_some_and(|joined| joined.listings.iter().any(|own| file.is_of(own.format)));
        is_done &= is_taken || call.file(file, streams)?;
    }
    let shown = if call.is_list { joined.as_ref() } else { taken };
    if let Some(joined) = shown {
        is_done &= call.file(joined, streams)?;
    }
    Ok(if is_done {
        Status::Done
    } else {
        Status::BadInput
    })
}

/// The choices of a mapping in a file.
fn choices(source: &Source, streams: &mut Streams) -> Result<BTreeMap<String, Value>, Failure> {
    let text = source.read(streams)?;
    serde_json::from_str(&text).map_err(|error| {
        let name = source.name();
        Failure::Usage(format!(
            "--mapping expects an object of choices: {name}: {error}"
        ))
    })
}

impl Call {
    /// Lists or makes what is in a file; whether that could be done, and all of it could be read.
    fn file(&mut self, file: &File, streams: &mut Streams) -> Result<bool, Failure> {
        if self.is_list {
            list(file, streams)?;
            let mut all = 0..file.listings.len();
            return Ok(all.all(|at| lost_of(file, at, &Notes::default()) == 0));
        }
        let (mut is_made, mut lost) = (false, 0);
        for at in 0..file.listings.len() {
            if is_tie(file, at, streams)? {
                return Ok(false);
            }
            let Some((items, kind)) = chosen(&file.listings[at], &self.picks, self.kind) else {
                continue;
            };
            let made = made(file, at, &items, kind, &self.mapping, streams)?;
            let Some(made) = made else {
                return Ok(false);
            };
            self.give(file, at, &made, streams)?;
            is_made = true;
            lost += lost_of(file, at, &made.notes);
        }
        if !is_made {
            let asked = if self.picks.is_empty() {
                "of this kind"
            } else {
                "that was picked"
            };
            problem(
                &file.name,
                &format!("nothing {asked} is in it: --list shows what is"),
                streams,
            )?;
        }
        Ok(is_made && lost == 0)
    }

    /// Prints a document, or writes it into a folder.
    fn give(
        &mut self,
        file: &File,
        at: usize,
        made: &Made,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let Some(folder) = &self.out else {
            streams.stdout.write_all(made.text.as_bytes())?;
            return Ok(());
        };
        let name = &file.name;
        let stem = Path::new(name)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .filter(|_| !file.is_joined())
            .unwrap_or("import");
        let number = if at == 0 {
            String::new()
        } else {
            format!("-{}", at + 1)
        };
        let ending = match made.kind {
            Kind::Persona => "yaml",
            Kind::Debate if !made.text.starts_with("{\n") => "jsonl",
            Kind::Transcript => "jsonl",
            Kind::Debate | Kind::Turns => "json",
        };
        fs::create_dir_all(folder)?;
        let kind = made.kind.name();
        // files of the same name in several folders do not write over each other
        let mut again = 1;
        let mut base = format!("{stem}{number}");
        let mut path = folder.join(format!("{base}.{kind}.{ending}"));
        while !self.written.insert(path.clone()) {
            again += 1;
            base = format!("{stem}{number}-{again}");
            path = folder.join(format!("{base}.{kind}.{ending}"));
        }
        fs::write(&path, &made.text)?;
        let mut paths = vec![path.clone()];
        if !made.labels.is_empty() {
            // shop.transcript.jsonl has its labels in shop.labels.jsonl
            let mut beside = folder.join(format!("{base}.labels.jsonl"));
            let mut again = 1;
            // what somebody labelled by hand may have this name
            while is_other(&beside, &made.labels) {
                again += 1;
                beside = folder.join(format!("{base}.labels-{again}.jsonl"));
            }
            fs::write(&beside, &made.labels)?;
            paths.push(beside);
        }
        for path in paths {
            let words = format!("{name}: written to {}", path.display());
            writeln!(streams.stderr, "{}", one_line(&words))?;
        }
        Ok(())
    }
}

/// Whether a file is there that says something else.
fn is_other(path: &Path, text: &str) -> bool {
    path.exists() && fs::read(path).map_or(true, |bytes| bytes != text.as_bytes())
}

/// What is inside: number, id, count, kinds and how it begins, with tabs between them.
fn list(file: &File, streams: &mut Streams) -> Result<(), Failure> {
    for listing in &file.listings {
        for (at, item) in listing.items.iter().enumerate() {
            let kinds: Vec<_> = item.makes.iter().map(|kind| kind.name()).collect();
            let title = if item.title.is_empty() {
                &item.first_words
            } else {
                &item.title
            };
            let (id, count, unit) = (Shown(&item.id), item.count, &item.unit);
            let line = format!(
                "{}\t{id}\t{count} {unit}\t{}\t{}",
                at + 1,
                kinds.join(","),
                Shown(title)
            );
            writeln!(streams.stdout, "{}", line.replace(['\n', '\r'], " "))?;
        }
    }
    Ok(())
}
