//! A file that someone opened: what is inside, and documents made of it.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::Path;

use super::bytes::Bytes;
use super::content::{Content, Kind};
use super::format::{Context, Format, Group};
use super::formats::FORMATS;
use super::listing::{Item, Listing, Look, Unknown, look, recognise};
use super::make::{Made, Wanted, make, of_contents};
use super::notes::Notes;
use super::records::{Record, each_record, kilobytes, node};
use super::unpack::{Part, Unpacked, is_archive, unpack};
use crate::document::Node;
use crate::steps::{Pause, Progress, THROUGH, at_once};

/// Whether bytes are those of another source, or its beginning, and none of our own documents. A table is
/// another source even where its rows are ours.
pub fn is_foreign(bytes: &[u8]) -> bool {
    // it is no text that could be taken as it is
    if is_archive(bytes) {
        return true;
    }
    let unpacked = unpack("", &bytes, &mut Notes::default());
    let is_foreign = |bytes: &dyn Bytes| {
        // any words could be a persona's: they are taken as they are
        let is_other = |format: &Format| !format.is_own() && format.key != TEXT;
        recognise(bytes).map(|format| bytes.is_table() || is_other(format))
    };
    let found = match &unpacked {
        Ok(Unpacked::AsItIs) => is_foreign(&bytes),
        Ok(Unpacked::Parts(parts)) => parts.iter().find_map(|part| is_foreign(part)),
        Err(_) => None,
    };
    found.unwrap_or_default()
}

/// What a line belongs to, of a file whose format is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineOf {
    /// It stands by itself, and holds so many things that a document is made of; the id of a single
    /// conversation, where it has one.
    Alone(usize, String),
    /// To what has this name, with other lines; without a name to all of the file.
    Named(String),
    /// To nothing: it cannot be read, or says nothing by itself.
    Nothing,
}

impl LineOf {
    /// Of the format with this key.
    pub fn new(key: &str, line: &[u8]) -> Self {
        let record = Record {
            range: 0..line.len() as u64,
            line: 1,
        };
        let format = FORMATS.iter().find(|format| format.key == key);
        let node = node(&record, line.trim_ascii(), &mut Notes::default());
        let Some((format, node)) = format.zip(node) else {
            return Self::Nothing;
        };
        match (format.group)(&node) {
            Group::Own => {
                let contents = (format.read)(&[node], &mut Context::default());
                let items = contents.iter().filter(|content| content.count().0 > 0);
                let id = match &*contents {
                    [Content::Conversation(only)] => only.id.clone(),
                    _ => String::new(),
                };
                Self::Alone(items.count(), id)
            }
            Group::Named(name) => Self::Named(name),
            Group::All => Self::Named(String::new()),
            Group::Title(_) | Group::None => Self::Nothing,
        }
    }
}

/// The format of plain words.
const TEXT: &str = "text";

/// A file with its listings. An archive has several parts; what of them is of one format is one
/// listing.
pub struct File {
    /// Its name.
    pub name: String,
    /// A listing for each format that is in it; none where no format knows any of it.
    pub listings: Vec<Listing>,
    /// The parts that no format knows.
    pub strange: Vec<Strange>,
    /// What is said about unpacking it.
    pub notes: Notes,
    source: Source,
}

/// A part that no format knows.
#[derive(Clone, Debug)]
pub struct Strange {
    /// Its name.
    pub name: String,
    /// What came near.
    pub unknown: Unknown,
}

/// The bytes of a file.
enum Source {
    /// As they are.
    Whole(Box<dyn Bytes>),
    /// Taken apart.
    Parts(Vec<Part>),
    /// Of several files together: their key, and what they hold, read already.
    Read(&'static str, Vec<Content>),
}

impl Source {
    fn parts(&self) -> Vec<&dyn Bytes> {
        match self {
            Self::Whole(bytes) => vec![&**bytes],
            Self::Parts(parts) => parts.iter().map(|part| part as &dyn Bytes).collect(),
            Self::Read(..) => Vec::new(),
        }
    }
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("File")
            .field("name", &self.name)
            .field("listings", &self.listings)
            .finish_non_exhaustive()
    }
}

impl File {
    /// Opens a file. `wanted` is the key of a format that a person chose. `Err` says why nothing of
    /// it can be read.
    pub fn open(name: &str, bytes: Box<dyn Bytes>, wanted: Option<&str>) -> Result<Self, String> {
        at_once(Self::open_in_steps(name, bytes, wanted, THROUGH))
    }

    /// The same in steps of a stretch of bytes.
    pub async fn open_in_steps(
        name: &str,
        bytes: Box<dyn Bytes>,
        wanted: Option<&str>,
        pause: Pause<'_>,
    ) -> Result<Self, String> {
        let mut notes = Notes::default();
        let source = match unpack(name, &*bytes, &mut notes)? {
            Unpacked::AsItIs => Source::Whole(bytes),
            Unpacked::Parts(parts) => Source::Parts(parts),
        };
        Self::of(name, source, notes, wanted, pause).await
    }

    /// Its name without the folder: what is made says it, and is the same wherever the file lies.
    pub fn name_alone(&self) -> &str {
        let alone = Path::new(&self.name).file_name();
        alone.and_then(OsStr::to_str).unwrap_or(&self.name)
    }

    /// Looks through the file once more, as another format, in steps of a stretch.
    pub async fn reopen_in_steps(self, wanted: &str, pause: Pause<'_>) -> Result<Self, String> {
        Self::of(&self.name, self.source, self.notes, Some(wanted), pause).await
    }

    async fn of(
        name: &str,
        source: Source,
        notes: Notes,
        wanted: Option<&str>,
        pause: Pause<'_>,
    ) -> Result<Self, String> {
        let mut file = Self {
            name: name.to_owned(),
            listings: Vec::new(),
            strange: Vec::new(),
            notes,
            source: Source::Parts(Vec::new()),
        };
        let parts = source.parts();
        let (total, mut before) = (parts.iter().map(|part| part.len()).sum(), 0);
        for (part, bytes) in parts.into_iter().enumerate() {
            // how far all parts are together
            let together = |progress: Progress| {
                pause(Progress {
                    done: kilobytes(before) + progress.done,
                    total: kilobytes(total),
                    ..progress
                })
            };
            match look(bytes, wanted, &together).await? {
                Look::Known(listing) => file.list(part, listing),
                Look::Unknown(unknown) => file.strange.push(Strange {
                    name: match &source {
                        Source::Whole(_) | Source::Read(..) => name.to_owned(),
                        Source::Parts(parts) => parts[part].name.clone(),
                    },
                    unknown,
                }),
            }
            before += bytes.len();
        }
        file.source = source;
        file.leave_repeats_out();
        Ok(file)
    }

    /// Leaves out the parts of an archive of Inspect that say again what its samples say. The
    /// archive is known by what is in it; what its entries are called is fixed then.
    fn leave_repeats_out(&mut self) {
        const REPEATS: [&str; 3] = ["summaries.json", "reductions.json", "_journal/"];
        if !self.listings.iter().any(|own| own.format.key == "inspect") {
            return;
        }
        let before = self.strange.len();
        self.strange
            .retain(|part| !REPEATS.iter().any(|name| part.name.starts_with(name)));
        let repeats = before - self.strange.len();
        self.notes
            .drop_many("entries that repeat the samples", repeats, 0);
    }

    /// Adds the listing of a part to that of its format.
    fn list(&mut self, part: usize, mut listing: Listing) {
        for item in &mut listing.items {
            item.part = part;
        }
        let same = |known: &&mut Listing| known.format == listing.format;
        let Some(known) = self.listings.iter_mut().find(same) else {
            self.listings.push(listing);
            return;
        };
        known.items.extend(listing.items);
        known.notes.extend(listing.notes);
        for tie in listing.ties {
            if !known.ties.contains(&tie) {
                known.ties.push(tie);
            }
        }
    }

    /// What several files are together.
    pub(super) fn of_contents(
        name: String,
        key: &'static str,
        listing: Listing,
        contents: Vec<Content>,
    ) -> Self {
        Self {
            name,
            listings: vec![listing],
            strange: Vec::new(),
            notes: Notes::default(),
            source: Source::Read(key, contents),
        }
    }

    /// Whether it is what several files are together.
    pub fn is_joined(&self) -> bool {
        matches!(self.source, Source::Read(..))
    }

    /// Whether something in it can be made into a kind of document, or into any.
    pub fn makes(&self, kind: Option<Kind>) -> bool {
        let mut items = self.listings.iter().flat_map(|listing| &listing.items);
        items.any(|item| kind.is_none_or(|kind| item.makes.contains(&kind)))
    }

    /// Whether something of a format is in it.
    pub fn is_of(&self, format: &Format) -> bool {
        self.listings.iter().any(|listing| listing.format == format)
    }

    /// What is kept of its records of a format, in steps of a stretch. What is wrong with them was
    /// said when the file was looked through.
    pub(super) async fn kept(
        &self,
        format: &Format,
        keep: fn(Node) -> Node,
        pause: Pause<'_>,
    ) -> Result<Vec<Node>, String> {
        let mut rows = Vec::new();
        for bytes in self.source.parts() {
            let mut work = |record: Record, own: &[u8], notes: &mut Notes| {
                let node = node(&record, own, notes);
                let is_own = |node: &Node| format.shapes.iter().any(|shape| shape.fits(node));
                rows.extend(node.filter(is_own).map(keep));
                ControlFlow::Continue(())
            };
            each_record(bytes, &mut Notes::default(), &mut work, pause).await?;
        }
        Ok(rows)
    }

    /// The name of the part that an item is in: that of the file where it has only one.
    pub fn part_of(&self, item: &Item) -> &str {
        match &self.source {
            Source::Whole(_) | Source::Read(..) => &self.name,
            Source::Parts(parts) => parts.get(item.part).map_or(&self.name, |part| &part.name),
        }
    }

    /// Makes a document of some items of a listing, by their places in it. `Err` says what cannot
    /// be read.
    pub fn make(&self, listing: usize, items: &[usize], wanted: &Wanted) -> Result<Made, String> {
        let listing = self
            .listings
            .get(listing)
            .ok_or("there is no such listing")?;
        let items: Option<Vec<&Item>> = items.iter().map(|at| listing.items.get(*at)).collect();
        let items = items.ok_or("there is no such item")?;
        if let Source::Read(key, contents) = &self.source {
            let chosen = items.iter().filter_map(|item| contents.get(item.inner?));
            return Ok(of_contents(chosen.cloned().collect(), key, wanted));
        }
        make(&self.source.parts(), listing.format, &items, wanted)
    }
}
