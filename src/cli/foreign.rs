//! Files of other sources: opened, made into documents, and what is said of it.

use std::collections::BTreeMap;

use super::input::Source;
use super::output::report;
use super::told::LEFT_OUT;
use super::{Failure, Streams};
#[cfg(feature = "embed")]
use crate::document::{Node, parse_yaml};
use crate::document::{Place, Problem, Severity};
use crate::sources::{
    Bytes, Dropped, File, Item, Kind, Listing, Made, Notes, Strange, Value, Wanted, shown, together,
};
#[cfg(feature = "embed")]
use crate::sources::{is_foreign, told};
use crate::steps::{THROUGH, at_once};
use crate::text::one_line;

/// What is made of a listing: the items, by number or id (all where none is picked), and the kind.
pub(super) fn chosen(
    listing: &Listing,
    picks: &[String],
    kind: Option<Kind>,
) -> Option<(Vec<usize>, Kind)> {
    let is_picked = |(at, item): &(usize, &Item)| {
        let number = (at + 1).to_string();
        let named = |pick: &String| *pick == number || !item.id.is_empty() && *pick == item.id;
        picks.is_empty() || picks.iter().any(named)
    };
    let items: Vec<_> = listing.items.iter().enumerate().filter(is_picked).collect();
    let kind = kind.or_else(|| items.first()?.1.makes.first().copied())?;
    let items = items.iter().filter(|(_, item)| item.makes.contains(&kind));
    let items: Vec<usize> = items.map(|(at, _)| *at).collect();
    (!items.is_empty()).then_some((items, kind))
}

/// A document of a kind, of all that is in a file, and how much of it could not be read.
pub(super) fn document(
    name: &str,
    bytes: Vec<u8>,
    kind: Kind,
    format: Option<&str>,
    streams: &mut Streams,
) -> Result<(String, usize), Failure> {
    let told = Told::LostOfOthers;
    let Some(file) = open(name, Box::new(bytes), format, told, streams)? else {
        return Err(Failure::Reported);
    };
    for (at, listing) in file.listings.iter().enumerate() {
        if is_tie(&file, at, streams)? {
            return Err(Failure::Reported);
        }
        if let Some((items, kind)) = chosen(listing, &[], Some(kind)) {
            let made = made(&file, at, &items, kind, &BTreeMap::new(), streams)?;
            let made = made.ok_or(Failure::Reported)?;
            let mut lost = others(&file, at, kind, streams)? + lost_beside(&file);
            if !listing.format.is_own() {
                lost += lost_in(listing, &made.notes);
            }
            return Ok((made.text, lost));
        }
    }
    for listing in &file.listings {
        // it may say why
        tell(name, &listing.notes, streams)?;
    }
    let read_as = file
        .listings
        .first()
        .map_or("nothing that is known", |listing| listing.format.noun);
    let words = format!("read as {read_as}, of which {} cannot be made", kind.noun());
    problem(name, &words, streams)?;
    Err(Failure::Reported)
}

/// How many others of a file make a document of the same kind, which is told: one alone is scored.
fn others(file: &File, at: usize, kind: Kind, streams: &mut Streams) -> Result<usize, Failure> {
    let others = file.listings.iter().enumerate();
    let others = others.filter(|(other, _)| *other != at);
    let others = others
        .map(|(_, own)| own)
        .filter(|own| own.items.iter().any(|item| item.makes.contains(&kind)));
    let mut number = 0;
    for other in others {
        let words = format!(
            "{} is left out: one document is scored, and `assay import` makes each",
            other.noun
        );
        problem(&file.name, &words, streams)?;
        number += 1;
    }
    Ok(number)
}

/// The key of the format that the first lines of a file are of, or of the one that a person chose, which is
/// told; none where they are our own, or nothing that is known.
#[cfg(feature = "embed")]
pub(super) fn format_of(
    name: &str,
    head: Vec<u8>,
    wanted: Option<&str>,
    streams: &mut Streams,
) -> Result<Option<&'static str>, Failure> {
    if wanted.is_none() && !is_foreign(&head) {
        return Ok(None);
    }
    let mut lines = head.split(|byte| *byte == b'\n');
    let has_objects = lines.any(|line| {
        let mark = "\u{feff}".as_bytes();
        let line = line.strip_prefix(mark).unwrap_or(line);
        line.trim_ascii_start().starts_with(b"{")
    });
    let Ok(file) = File::open(name, Box::new(head), wanted) else {
        return Ok(None);
    };
    let Some(listing) = file.listings.first() else {
        return Ok(None);
    };
    if is_tie(&file, 0, streams)? {
        return Err(Failure::Reported);
    }
    if !has_objects {
        let noun = &listing.noun;
        let words =
            format!("with --lines each line is JSON, and this is {noun}: read it without --lines");
        problem(name, &words, streams)?;
        return Err(Failure::Reported);
    }
    told_as(name, listing, streams)?;
    Ok(Some(listing.format.key).filter(|_| !listing.format.is_own()))
}

/// The transcript of lines of another source, whose key this is, and what is said of them; none where nothing is
/// in them.
#[cfg(feature = "embed")]
pub(super) fn transcript_of(text: &str, key: &str) -> (Option<String>, Vec<Problem>) {
    let file = match File::open("", Box::new(text.as_bytes().to_vec()), Some(key)) {
        Ok(file) => file,
        Err(words) => return (None, vec![lost_for(words)]),
    };
    let (mut made, mut told) = (None, Vec::new());
    if let Some(listing) = file.listings.first() {
        told.extend(lost(&listing.notes));
        if let Some((items, kind)) = chosen(listing, &[], Some(Kind::Transcript)) {
            let wanted = Wanted {
                kind,
                file: "",
                because: "",
                mapping: BTreeMap::new(),
            };
            match file.make(0, &items, &wanted) {
                Ok(own) => {
                    told.extend(own.notes.dropped.iter().map(dropped));
                    let problems = own.notes.problems.into_iter().map(Problem::left_out);
                    told.extend(problems);
                    made = Some(own.text);
                }
                Err(words) => told.push(lost_for(words)),
            }
        }
    }
    (made, told)
}

/// Lines of which nothing is made, and why.
#[cfg(feature = "embed")]
fn lost_for(words: String) -> Problem {
    Problem::new(Severity::Error, Place::START, "", words).left_out()
}

/// Says what was left out of a line, as [`tell`] does of a file.
#[cfg(feature = "embed")]
fn dropped(dropped: &Dropped) -> Problem {
    let Dropped { what, times, .. } = dropped;
    let words = format!("{LEFT_OUT}{what}, {times} times{}", because(dropped));
    let place = Place {
        line: dropped.first_line.max(1),
        column: 1,
    };
    Problem::new(Severity::Warning, place, "", words)
}

/// Why something was left out, behind the words that say it.
fn because(dropped: &Dropped) -> String {
    match dropped.why() {
        "" => String::new(),
        why => format!(": {why}"),
    }
}

/// What of a file could not be read, beside what is made of it.
fn lost(notes: &Notes) -> impl Iterator<Item = Problem> {
    let problems = notes.problems.iter().cloned();
    problems.map(Problem::left_out).filter(Problem::is_left_out)
}

/// How much of a file could not be read: of the listing of which something was made, with what was said then, and
/// beside it.
pub(super) fn lost_of(file: &File, at: usize, made: &Notes) -> usize {
    lost_in(&file.listings[at], made) + lost_beside(file)
}

/// How much of a listing could not be read, with what was said when something was made of it.
fn lost_in(listing: &Listing, made: &Notes) -> usize {
    let listed = &listing.notes;
    let known: Vec<Problem> = lost(listed).collect();
    let again = lost(made).filter(|problem| !known.contains(problem));
    known.len() + again.count() + listed.more_errors.max(made.more_errors)
}

/// How much of an archive cannot be unpacked or is broken.
fn lost_beside(file: &File) -> usize {
    let strange = file.strange.iter().map(|part| &part.unknown.notes);
    let others = strange.chain([&file.notes]);
    let others = others.map(|notes| lost(notes).count() + notes.more_errors);
    others.sum()
}

/// Good replies, as rows with a text: what an assistant says in all conversations of a file, or the
/// lines of a card; and how much could not be read. It is said of what they are.
#[cfg(feature = "embed")]
pub(super) fn examples(
    name: &str,
    bytes: Vec<u8>,
    format: Option<&str>,
    streams: &mut Streams,
) -> Result<(String, usize), Failure> {
    // a draft chooses among them itself
    const ALL: f64 = 1e6;
    let Some(file) = open(name, Box::new(bytes), format, Told::Lost, streams)? else {
        return Err(Failure::Reported);
    };
    for (at, listing) in file.listings.iter().enumerate() {
        if is_tie(&file, at, streams)? {
            return Err(Failure::Reported);
        }
        if let Some((items, kind)) = chosen(listing, &[], Some(Kind::Transcript)) {
            let made = made(&file, at, &items, kind, &BTreeMap::new(), streams)?;
            let made = made.ok_or(Failure::Reported)?;
            let lost = lost_of(&file, at, &made.notes);
            return Ok((made.text, lost));
        }
        if let Some((items, kind)) = chosen(listing, &[], Some(Kind::Persona)) {
            let all = BTreeMap::from([("exemplars".to_owned(), Value::Number(ALL))]);
            let made = made(&file, at, &items, kind, &all, streams)?;
            let made = made.ok_or(Failure::Reported)?;
            let taken = told(&made.text).map_or_else(String::new, |told| told.taken_words());
            let words = format!("{name}: examples taken: {taken}");
            writeln!(streams.stderr, "{}", one_line(&words))?;
            let lost = lost_of(&file, at, &made.notes);
            return Ok((rows(&made.text), lost));
        }
    }
    problem(name, "no replies are in it", streams)?;
    Err(Failure::Reported)
}

/// The exemplars of a persona, a row for each.
#[cfg(feature = "embed")]
fn rows(persona: &str) -> String {
    let root = parse_yaml(persona).ok();
    let exemplars = root.as_ref().and_then(|root| root.get("exemplars"));
    let exemplars = exemplars.map_or(&[][..], Node::items);
    let texts = exemplars.iter().filter_map(Node::text);
    texts
        .map(|text| serde_json::json!({ "text": text }).to_string() + "\n")
        .collect()
}

/// Whether a format is one of several that fit a file.
pub(super) fn may_be(key: &str, bytes: &[u8]) -> bool {
    let file = File::open("", Box::new(bytes.to_vec()), None);
    file.is_ok_and(|file| {
        let mut ties = file.listings.iter().filter(|own| !own.ties.is_empty());
        ties.any(|own| own.format.key == key || own.ties.iter().any(|tie| tie.key == key))
    })
}

/// Whether several formats fit: then nothing is made, and they are named.
pub(super) fn is_tie(file: &File, at: usize, streams: &mut Streams) -> Result<bool, Failure> {
    let listing = &file.listings[at];
    if listing.ties.is_empty() {
        return Ok(false);
    }
    let all = std::iter::once(&listing.format).chain(&listing.ties);
    let all: Vec<_> = all
        .map(|format| format!("{} (--format {})", format.noun, format.key))
        .collect();
    let words = format!("it could be {}: say which", all.join(" or "));
    problem(&file.name, &words, streams)?;
    Ok(true)
}

/// A debate of what several files are together, and how much of them is left out.
pub(super) fn debate_of(
    sources: &[Source],
    format: Option<&str>,
    streams: &mut Streams,
) -> Result<(String, usize), Failure> {
    let mut files = Vec::new();
    for source in sources {
        let name = source.name();
        files.extend(open(
            &name,
            source.held(streams)?,
            format,
            Told::Lost,
            streams,
        )?);
    }
    let names: Vec<_> = sources.iter().map(Source::name).collect();
    let Some(joined) = joined(&files, streams)? else {
        let words = "these files are no debate together: one is expected, or several logs of Inspect of one task";
        problem(&names.join(", "), words, streams)?;
        return Err(Failure::Reported);
    };
    let all: Vec<usize> = (0..joined.listings[0].items.len()).collect();
    let made = made(&joined, 0, &all, Kind::Debate, &BTreeMap::new(), streams)?;
    let made = made.ok_or(Failure::Reported)?;
    let mut lost = lost_of(&joined, 0, &made.notes) + (sources.len() - files.len());
    for file in &files {
        let mut listings = file.listings.iter();
        lost += if let Some(at) = listings.position(|own| joined.is_of(own.format)) {
            lost_of(file, at, &Notes::default()) + others(file, at, Kind::Debate, streams)?
        } else {
            let words = "is left out: it is no log of the debate that the others are";
            problem(&file.name, words, streams)?;
            1
        };
    }
    Ok((made.text, lost))
}

/// What several files are together, and why; where they do not fit, that is said.
pub(super) fn joined(files: &[File], streams: &mut Streams) -> Result<Option<File>, Failure> {
    let files: Vec<&File> = files.iter().collect();
    let Some(joined) = at_once(together(&files, THROUGH)) else {
        return Ok(None);
    };
    let Some(listing) = joined.listings.first() else {
        return Ok(None);
    };
    if !listing.items.is_empty() {
        let (name, noun, because) = (&joined.name, &listing.noun, &listing.because);
        let words = format!("{name}: together read as {noun}, because {because}");
        writeln!(streams.stderr, "{}", one_line(&words))?;
    }
    tell(&joined.name, &listing.notes, streams)?;
    let is_empty = listing.items.is_empty();
    Ok(Some(joined).filter(|_| !is_empty))
}

/// What of its listings is said where a file is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// All.
    All,
    /// What could not be read of them: what is made of them says the rest.
    Lost,
    /// That, of what is not our own: our readers say it of that.
    LostOfOthers,
}

pub(super) fn open(
    name: &str,
    bytes: Box<dyn Bytes>,
    format: Option<&str>,
    told: Told,
    streams: &mut Streams,
) -> Result<Option<File>, Failure> {
    let file = match File::open(name, bytes, format) {
        Ok(file) => file,
        Err(words) => {
            problem(name, &words, streams)?;
            return Ok(None);
        }
    };
    tell(name, &file.notes, streams)?;
    for listing in &file.listings {
        told_as(name, listing, streams)?;
        for tie in &listing.ties {
            let words = format!("{name}: it could as well be {}", tie.noun);
            writeln!(streams.stderr, "{}", one_line(&words))?;
        }
        if told == Told::All {
            tell(name, &listing.notes, streams)?;
        } else if told == Told::Lost || !listing.format.is_own() {
            let lost: Vec<Problem> = lost(&listing.notes).collect();
            report(&lost, |_| name.to_owned(), streams)?;
        }
    }
    // beside what is read others may stand in an archive
    let severity = if file.listings.is_empty() {
        Severity::Error
    } else {
        Severity::Warning
    };
    for strange in &file.strange {
        tell_strange(name, strange, severity, streams)?;
    }
    if file.listings.is_empty() && file.strange.is_empty() {
        problem(name, "nothing is in it that can be read", streams)?;
    }
    Ok((!file.listings.is_empty()).then_some(file))
}

/// Says of a part of a file that it is nothing that is read, and what comes nearest.
fn tell_strange(
    name: &str,
    strange: &Strange,
    severity: Severity,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let near = strange.unknown.nearest.iter().map(|(format, missing)| {
        let missing: Vec<_> = missing.iter().map(|path| shown(path)).collect();
        format!("{} ({} missing)", format.noun, missing.join(", "))
    });
    let near: Vec<_> = near.collect();
    let near = if near.is_empty() {
        String::new()
    } else {
        format!("; nearest: {}", near.join(", "))
    };
    let name = if strange.name == name {
        name.to_owned()
    } else {
        format!("{name}, {}", strange.name)
    };
    let words = format!("this is nothing that is read{near}");
    let problem = Problem::new(severity, Place::START, "", words);
    report(&[problem], |_| name.clone(), streams)?;
    tell(&name, &strange.unknown.notes, streams)
}

/// Says what a file is read as, and why.
fn told_as(name: &str, listing: &Listing, streams: &mut Streams) -> Result<(), Failure> {
    let words = format!(
        "{name}: read as {}, because {}",
        listing.noun, listing.because
    );
    writeln!(streams.stderr, "{}", one_line(&words))?;
    Ok(())
}

pub(super) fn made(
    file: &File,
    listing: usize,
    items: &[usize],
    kind: Kind,
    mapping: &BTreeMap<String, Value>,
    streams: &mut Streams,
) -> Result<Option<Made>, Failure> {
    let because = file
        .listings
        .get(listing)
        .map_or("", |listing| listing.because.as_str());
    let wanted = Wanted {
        kind,
        file: file.name_alone(),
        because,
        mapping: mapping.clone(),
    };
    match file.make(listing, items, &wanted) {
        Ok(made) => {
            tell(&file.name, &made.notes, streams)?;
            Ok(Some(made))
        }
        Err(words) => {
            problem(&file.name, &words, streams)?;
            Ok(None)
        }
    }
}

/// Prints what was left out, and problems.
fn tell(name: &str, notes: &Notes, streams: &mut Streams) -> Result<(), Failure> {
    for dropped in &notes.dropped {
        let first = match dropped.first_line {
            0 => String::new(),
            line => format!(", first in line {line}"),
        };
        let words = format!(
            "{name}: {LEFT_OUT}{}, {} times{first}{}",
            dropped.what,
            dropped.times,
            because(dropped)
        );
        writeln!(streams.stderr, "{}", one_line(&words))?;
    }
    report(&notes.problems, |_| name.to_owned(), streams)?;
    if notes.more > 0 {
        writeln!(
            streams.stderr,
            "{}",
            one_line(&format!("{name}: {} more like these", notes.more))
        )?;
    }
    Ok(())
}

pub(super) fn problem(name: &str, words: &str, streams: &mut Streams) -> Result<(), Failure> {
    let problem = Problem::new(Severity::Error, Place::START, "", words);
    report(&[problem], |_| name.to_owned(), streams)
}
