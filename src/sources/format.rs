//! A format: how it is known, which of its records belong together, and what they become.

use super::content::Content;
use super::mapping::Mapping;
use super::notes::Notes;
use super::shape::Shape;
use crate::document::Node;

/// A format that people have files in.
#[derive(Debug)]
pub struct Format {
    /// Its name on the command line and in documents: `promptfoo`.
    pub key: &'static str,
    /// What a file of it is, with an article: `a promptfoo result`.
    pub noun: &'static str,
    /// What its records look like; one of them is enough.
    pub shapes: &'static [Shape],
    /// Which records go together.
    pub group: fn(&Node) -> Group,
    /// What records that go together hold.
    pub read: fn(&[Node], &mut Context) -> Vec<Content>,
}

impl Format {
    /// Whether it is that of one of our own documents.
    pub fn is_own(&self) -> bool {
        self.key.starts_with("assay-")
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// Which records go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// Each by itself.
    Own,
    /// Those of the same name.
    Named(String),
    /// All of a file.
    All,
    /// It holds nothing but a title, which is used where the file has one item.
    Title(String),
    /// It holds nothing: it goes with none.
    None,
}

/// What a format reads with.
#[derive(Debug, Default)]
pub struct Context {
    /// The choices of the mapping.
    pub mapping: Mapping,
    /// What is said about the reading.
    pub notes: Notes,
}

/// How files of a format go together.
#[derive(Debug)]
pub struct Several {
    /// What they are called in documents: `inspect-logs`.
    pub key: &'static str,
    /// The format of each.
    pub format: &'static Format,
    /// What they are, in the plural: `logs of Inspect`.
    pub noun: &'static str,
    /// Why they are one: `they have ...`.
    pub because: &'static str,
    /// What is kept of a record until all files are read; the rest may be large.
    pub keep: fn(Node) -> Node,
    /// What the kept records of files hold together, and what is to be said where they do not
    /// fit.
    pub read: fn(&[Rows], &mut Notes) -> Vec<Content>,
}

/// What is kept of a file.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The file's name.
    pub file: &'a str,
    /// Its records, in their order.
    pub rows: Vec<Node>,
}
