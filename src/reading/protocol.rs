//! What the page and the reading worker say to each other, as JSON. Files go with a message as
//! `Blob`s, which are shared and not copied: they may be larger than the memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::document::Problem;
use crate::sources::{Dropped, Kind, Setting, Value};

/// Crate version and protocol number. A page that knows another one was replaced on the server
/// while it was open.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/3");

/// The most items in a message.
pub const MOST_ITEMS: usize = 500;

/// From the page to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToReader {
    /// Look through files, whose bytes come with the message in the same order. Answered by
    /// [`FromReader::Progress`], [`FromReader::Items`] and then [`FromReader::Opened`] for each,
    /// and at the end by [`FromReader::Done`].
    /// The files of before are let go of, and what is being done with them is not gone on with.
    Open {
        /// Their names.
        names: Vec<String>,
    },
    /// Read one of them as another format, of this key. Answered in the same way.
    Reopen {
        /// Which file.
        file: usize,
        /// The format's key.
        format: String,
    },
    /// Make a document. Answered by [`FromReader::Made`] or [`FromReader::Failed`].
    Make(Order),
}

/// A document that is to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Of which file; what several are together comes after the last one.
    pub file: usize,
    /// Of which of its listings.
    pub listing: usize,
    /// Of which items of it.
    pub items: Vec<usize>,
    /// Which kind of document.
    pub kind: Kind,
    /// The choices of the mapping that a person made.
    pub mapping: BTreeMap<String, Value>,
}

/// From the worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromReader {
    /// The worker runs; sent once, first of all.
    Hello {
        /// Its [`VERSION`].
        version: String,
        /// The formats that there are, each with its key and its noun.
        formats: Vec<(String, String)>,
    },
    /// How far it has looked through a file.
    Progress {
        /// Which file.
        file: usize,
        /// Bytes so far.
        read: u64,
        /// Bytes in all.
        total: u64,
    },
    /// Some of what is inside of a file, in their order: at most [`MOST_ITEMS`], so that a page
    /// reads them within a frame.
    Items {
        /// Which file.
        file: usize,
        /// Of which of its listings.
        listing: usize,
        /// The next items of it.
        items: Vec<Item>,
    },
    /// What is in a file; the items were told before.
    Opened {
        /// Which file.
        file: usize,
        /// What is in it.
        inside: Inside,
    },
    /// All files are looked through.
    Done {
        /// What several of them are together.
        together: Option<Together>,
    },
    /// The document that was asked for.
    Made {
        /// What was asked for.
        order: Order,
        /// The document.
        document: Document,
    },
    /// It could not be done; in words.
    Failed {
        /// Which file it is about.
        file: usize,
        /// Why.
        message: String,
    },
}

/// What several files are together: a file after the last one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Together {
    /// Their names, as one.
    pub name: String,
    /// What they hold together; without listings they do not fit, and the problems say why.
    pub inside: Inside,
}

/// What is in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// A listing for each format that there is in it, mostly one.
    pub listings: Vec<Arc<Listing>>,
    /// Parts that no format knows.
    pub unknown: Vec<Unknown>,
    /// What was left out.
    pub dropped: Vec<Dropped>,
    /// What else is to be said.
    pub problems: Vec<Problem>,
}

/// What a format finds in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// The format's key.
    pub format: String,
    /// What a file of it is, with an article.
    pub noun: String,
    /// Why: `it has ...`.
    pub because: String,
    /// Formats that fit as well: their keys and nouns.
    pub ties: Vec<(String, String)>,
    /// What is inside.
    pub items: Vec<Item>,
}

/// Something that a document can be made of.
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
}

/// A part of a file that no format knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// The formats that came nearest: their nouns, and what is missing.
    pub nearest: Vec<(String, Vec<String>)>,
}

/// A document that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Its text.
    pub text: String,
    /// The labels of its replies, as lines of JSON; empty where there are none.
    pub labels: String,
    /// The mapping that was used.
    pub mapping: Vec<Setting>,
    /// What was left out.
    pub dropped: Vec<Dropped>,
    /// What else is to be said.
    pub problems: Vec<Problem>,
}
