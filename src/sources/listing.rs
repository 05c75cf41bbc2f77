//! Looking through a file: which format it is of, and what is inside.

use std::collections::HashMap;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use super::content::{Content, Kind};
use super::format::{Context, Format, Group};
use super::formats::{FORMATS, table};
use super::notes::Notes;
use super::records::{LARGEST, Record, Stretch, each_record, node};
use super::shape::{Shape, shown};
use crate::document::Node;
use crate::steps::{Pause, THROUGH, at_once};
use crate::text::Shown;

/// How many records of a file are looked at to know its format.
const HEAD: usize = 50;
/// Characters of the first words of an item.
const FIRST_WORDS: usize = 160;
/// The most formats that are named where none fits.
const NEAREST: usize = 3;

/// Something in a file that a document can be made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its id in the file; empty where it has none.
    pub id: String,
    /// What a person would call it; empty where nothing says so.
    pub title: String,
    /// How it begins.
    pub first_words: String,
    /// How many messages, verdicts or lines it has.
    pub count: usize,
    /// The noun of the count, in the plural.
    pub unit: String,
    /// What can be made of it, the most likely first.
    pub makes: Vec<Kind>,
    /// Where its records are.
    pub stretches: Vec<Stretch>,
    /// Which of the contents of its records it is, where they hold several.
    pub inner: Option<usize>,
    /// Which part of the file it is in, from 0.
    #[serde(default)]
    pub part: usize,
}

/// A file that a format knows.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The format.
    pub format: &'static Format,
    /// What it is, with an article or a number.
    pub noun: String,
    /// Why: `it has ...`.
    pub because: String,
    /// Other formats that fit as well: with them the choice is to be asked.
    pub ties: Vec<&'static Format>,
    /// What is inside.
    pub items: Vec<Item>,
    /// What is said about the reading.
    pub notes: Notes,
}

/// A file that no format knows.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The formats that came nearest, with what is missing.
    pub nearest: Vec<(&'static Format, Vec<&'static str>)>,
    /// What is said about the reading.
    pub notes: Notes,
    /// How many records there are, at most 50.
    pub records: usize,
}

/// What came of looking through a file.
#[derive(Clone, Debug)]
pub enum Look {
    /// A format knows it.
    Known(Listing),
    /// None does.
    Unknown(Unknown),
}

/// Looks through a file, in steps of a stretch. `wanted` is the key of a format that a person
/// chose.
pub async fn look(
    bytes: &dyn Bytes,
    wanted: Option<&str>,
    pause: Pause<'_>,
) -> Result<Look, String> {
    let mut notes = Notes::default();
    let head = head(bytes, &mut notes)?;
    let fitting = match wanted.and_then(|key| FORMATS.iter().find(|format| format.key == key)) {
        Some(format) => vec![(*format, "you chose it".to_owned())],
        None => fitting(&head, bytes.is_table()),
    };
    let mut fitting = fitting.into_iter();
    let Some((format, because)) = fitting.next() else {
        let nearest = nearest(&head);
        let records = head.len();
        return Ok(Look::Unknown(Unknown {
            nearest,
            notes,
            records,
        }));
    };
    let ties = fitting.map(|(format, _)| format).collect();
    let mut lister = Lister::new(format);
    let mut list = |record: Record, own: &[u8], _: &mut Notes| {
        lister.record(&record, own);
        ControlFlow::Continue(())
    };
    each_record(bytes, &mut Notes::default(), &mut list, pause).await?;
    let (items, notes) = lister.finish();
    Ok(Look::Known(Listing {
        format,
        noun: format.noun.to_owned(),
        because,
        ties,
        items,
        notes,
    }))
}

/// The format that the first records of a file are of, where there is one.
pub(super) fn recognise(bytes: &dyn Bytes) -> Option<&'static Format> {
    let head = head(bytes, &mut Notes::default()).ok()?;
    fitting(&head, bytes.is_table())
        .first()
        .map(|(format, _)| *format)
}

/// The first records of a file.
fn head(bytes: &dyn Bytes, notes: &mut Notes) -> Result<Vec<Node>, String> {
    let mut rows = Vec::new();
    let mut keep = |record: Record, own: &[u8], notes: &mut Notes| {
        rows.extend(node(&record, own, notes));
        if rows.len() < HEAD {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    at_once(each_record(bytes, notes, &mut keep, THROUGH))?;
    Ok(rows)
}

/// Whether a format knows one of some records.
pub(super) fn is_known(records: &[Node]) -> bool {
    !fitting(&records[..records.len().min(HEAD)], false).is_empty()
}

/// The formats of which a shape fits a record, with the reason: only those that ask the most, but for our own where
/// more of the records are of it alone: a line of something else among them does not make them that. What could be a
/// debate of ours as well is asked. Flat objects are a table where they come from one, or look like its rows.
fn fitting(head: &[Node], is_table: bool) -> Vec<(&'static Format, String)> {
    let fits = |shape: &&Shape| head.iter().any(|node| shape.fits(node));
    let best_of = |format: &'static Format| {
        let fitting = format.shapes.iter().filter(fits);
        let best = fitting.max_by_key(|shape| shape.has.len())?;
        Some((format, best))
    };
    let may_be = |format: &&'static Format| {
        format.key != table::FORMAT.key || is_table || table::are_rows(head)
    };
    let formats = FORMATS.iter().copied().filter(may_be);
    let found: Vec<_> = formats.filter_map(best_of).collect();
    let most = found.iter().map(|(_, shape)| shape.has.len()).max();
    let (mut best, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|(_, shape)| Some(shape.has.len()) == most);
    let is_of = |format: &Format, node: &Node| format.shapes.iter().any(|shape| shape.fits(node));
    let is_best = |node: &&Node| best.iter().any(|(format, _)| is_of(format, node));
    let (of_best, rest): (Vec<&Node>, Vec<&Node>) = head.iter().partition(is_best);
    let own = others.into_iter().filter(|(format, _)| format.is_own());
    let own = own.map(|found| {
        let alone = rest.iter().filter(|node| is_of(found.0, node)).count();
        (alone, found)
    });
    let own: Vec<_> = own.collect();
    match own.iter().max_by_key(|(alone, _)| *alone) {
        Some((alone, found)) if *alone > of_best.len() => best = vec![*found],
        _ => {
            let is_debate = |format: &Format| {
                format.key == "assay-debate" && of_best.iter().all(|node| is_of(format, node))
            };
            let debates = own.iter().map(|(_, found)| *found);
            best.extend(debates.filter(|(format, _)| is_debate(format)));
        }
    }
    let because = |(format, shape): (&'static Format, &Shape)| (format, because(shape));
    best.into_iter().map(because).collect()
}

fn because(shape: &Shape) -> String {
    if shape.has.is_empty() {
        return "it is the only one left".to_owned();
    }
    format!("it has {}", shown_all(shape.has))
}

/// Paths as people read them, one beside the other.
fn shown_all(paths: &[&str]) -> String {
    let paths: Vec<_> = paths.iter().map(|path| shown(path)).collect();
    match paths.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => paths.concat(),
    }
}

/// What a record is, by the first of its keys.
fn said(node: &Node) -> String {
    const KEYS: usize = 6;
    let keys = node.entries().iter().take(KEYS);
    let keys: Vec<_> = keys.map(|entry| Shown(&entry.key)).collect();
    if keys.is_empty() {
        return node.value.describe();
    }
    format!("an object with {keys:?}")
}

/// The formats that came nearest, with what is missing; only those that have something.
fn nearest(head: &[Node]) -> Vec<(&'static Format, Vec<&'static str>)> {
    let mut found = Vec::new();
    for format in FORMATS {
        let tried = format.shapes.iter().flat_map(|shape| {
            head.iter().map(move |node| {
                let missing = shape.missing(node);
                (shape.has.len() - missing.len(), missing)
            })
        });
        let best = tried.max_by_key(|(there, missing)| (*there, std::cmp::Reverse(missing.len())));
        // what has all and is not taken is no table: nothing is missing that could be named
        if let Some((there @ 1.., missing)) = best.filter(|(_, missing)| !missing.is_empty()) {
            found.push((there, *format, missing));
        }
    }
    crate::text::sort_by_key(&mut found, |(there, _, missing)| {
        (std::cmp::Reverse(*there), missing.len())
    });
    let nearest = found.into_iter().take(NEAREST);
    nearest
        .map(|(_, format, missing)| (format, missing))
        .collect()
}

/// Makes the list while the records go by.
struct Lister {
    format: &'static Format,
    items: Vec<Item>,
    /// Which item has the records of a name.
    named: HashMap<String, usize>,
    /// The last title that stands by itself.
    title: String,
    /// The records that go together as a whole.
    all: Vec<Node>,
    all_bytes: usize,
    all_stretches: Vec<Stretch>,
    /// Where the record before ended, and where this one does.
    ends: [u64; 2],
    context: Context,
}

impl Lister {
    fn new(format: &'static Format) -> Self {
        Self {
            format,
            items: Vec::new(),
            named: HashMap::new(),
            title: String::new(),
            all: Vec::new(),
            all_bytes: 0,
            all_stretches: Vec::new(),
            ends: [0; 2],
            context: Context::default(),
        }
    }

    fn record(&mut self, record: &Record, own: &[u8]) {
        self.ends = [self.ends[1], record.range.end];
        let Some(node) = node(record, own, &mut self.context.notes) else {
            return;
        };
        match (self.format.group)(&node) {
            Group::None => {}
            Group::Title(title) => self.title = title,
            Group::All => self.hold(node, record, own.len()),
            Group::Own => self.own(node, record),
            Group::Named(name) => self.name(name, node, record),
        }
    }

    /// Lists what a record holds that goes with no other, or says that it is none of the format.
    fn own(&mut self, node: Node, record: &Record) {
        let rows = [node];
        let before = self.items.len();
        self.list(&rows, &[stretch(record)]);
        let is_empty = self.items[before..].iter().all(|item| item.count == 0);
        let shapes = self.format.shapes;
        if is_empty && !shapes.iter().any(|shape| shape.may_fit(&rows[0])) {
            self.items.truncate(before);
            let wanted: Vec<_> = shapes.iter().map(|own| shown_all(own.has)).collect();
            let words = format!("expected {}, got {}", wanted.join(", or "), said(&rows[0]));
            self.context.notes.error(record.line, "", words);
        }
    }

    fn hold(&mut self, node: Node, record: &Record, size: usize) {
        let before = self.all_bytes;
        self.all_bytes += size;
        if self.all_bytes <= LARGEST {
            join(&mut self.all_stretches, stretch(record), self.ends[0]);
            self.all.push(node);
        } else if before <= LARGEST {
            let most = LARGEST / 1_000_000;
            let words =
                format!("only the first {most} MB go into one document; the rest is left out");
            self.context.notes.error(record.line, "", words);
        }
    }

    fn name(&mut self, name: String, node: Node, record: &Record) {
        let contents = (self.format.read)(&[node], &mut self.context);
        let content = contents.first();
        if let Some(at) = self.named.get(&name) {
            let item = &mut self.items[*at];
            join(&mut item.stretches, stretch(record), self.ends[0]);
            if let Some(content) = content {
                item.count += content.count().0;
                if item.first_words.is_empty() {
                    item.first_words = beginning(content.first_words());
                }
                if item.title.is_empty() {
                    content.title().clone_into(&mut item.title);
                }
                if content.makes()[0] == Kind::Turns {
                    item.makes = content.makes().to_vec();
                }
            }
            return;
        }
        self.named.insert(name.clone(), self.items.len());
        let mut item = match content {
            Some(content) => item(content),
            None => Item::empty(),
        };
        item.id = name;
        item.stretches = vec![stretch(record)];
        self.items.push(item);
    }

    /// Lists what records hold that go together.
    fn list(&mut self, rows: &[Node], stretches: &[Stretch]) {
        let contents = (self.format.read)(rows, &mut self.context);
        let many = contents.len() > 1;
        for (inner, content) in contents.iter().enumerate() {
            self.items.push(Item {
                stretches: stretches.to_vec(),
                inner: many.then_some(inner),
                ..item(content)
            });
        }
    }

    fn finish(mut self) -> (Vec<Item>, Notes) {
        if !self.all.is_empty() {
            let rows = std::mem::take(&mut self.all);
            let stretches = std::mem::take(&mut self.all_stretches);
            self.list(&rows, &stretches);
        }
        // what has nothing in it is nothing to choose
        let (mut items, empty): (Vec<_>, Vec<_>) =
            self.items.into_iter().partition(|item| item.count > 0);
        let first = empty.first().and_then(|item| item.stretches.first());
        let line = first.map_or(0, |stretch| stretch.line);
        self.context
            .notes
            .drop_many("empty parts", empty.len(), line);
        // of several items nobody says which one it is of
        if let [item] = &mut items[..]
            && item.title.is_empty()
        {
            item.title = self.title;
        }
        (items, self.context.notes)
    }
}

impl Item {
    fn empty() -> Self {
        Self {
            id: String::new(),
            title: String::new(),
            first_words: String::new(),
            count: 0,
            unit: "messages".into(),
            makes: vec![Kind::Transcript, Kind::Turns, Kind::Persona],
            stretches: Vec::new(),
            inner: None,
            part: 0,
        }
    }
}

pub(super) fn item(content: &Content) -> Item {
    let (count, unit) = content.count();
    Item {
        id: content.id().to_owned(),
        title: content.title().to_owned(),
        first_words: beginning(content.first_words()),
        count,
        unit: unit.to_owned(),
        makes: content.makes().to_vec(),
        ..Item::empty()
    }
}

/// The first words of a text in one line.
fn beginning(text: &str) -> String {
    let words = text.split_whitespace();
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(FIRST_WORDS));
        if line.len() > FIRST_WORDS {
            break;
        }
    }
    match line.char_indices().nth(FIRST_WORDS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn stretch(record: &Record) -> Stretch {
    Stretch {
        range: record.range.clone(),
        line: record.line,
    }
}

/// The most bytes between records that are read with them.
const MOST_BETWEEN: u64 = 1 << 12;

/// Adds a stretch, to the last one where that ends with the record before: however files are
/// indented, records that follow each other are one stretch.
fn join(stretches: &mut Vec<Stretch>, next: Stretch, before: u64) {
    match stretches.last_mut() {
        Some(last)
            if last.range.end == before
                && next.range.start.saturating_sub(before) <= MOST_BETWEEN =>
        {
            last.range.end = next.range.end;
        }
        _ => stretches.push(next),
    }
}
