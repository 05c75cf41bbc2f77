//! What a document says of where it comes from, under the key `source`, which no scorer reads.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::super::mapping::{Mapping, Value};
use super::super::notes::{Dropped, Notes};
use super::marks::Marks;

/// Where a document comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) format: &'a str,
    pub(super) because: &'a str,
    pub(super) file: &'a str,
}

/// The same as it is written.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Written<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    format: &'a str,
    /// By which rules it was made, where they have a name.
    #[serde(skip_serializing_if = "str::is_empty")]
    rules: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    because: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    file: &'a str,
    /// The id in the file.
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    mapping: BTreeMap<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<Dropped>,
    /// Of a persona, how many of its exemplars were taken from where.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    taken: BTreeMap<&'a str, usize>,
    /// What people and ground truths say of candidates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<Labelled<'a>>,
    /// Verdicts that are others when the seats are swapped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    swapped: Vec<String>,
    /// What the ratings are made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<Marks>,
    /// Of a league who met whom: how often the first won, lost and tied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    league: Vec<Met>,
}

/// Two candidates, and how often the first won, lost and tied.
pub(super) type Met = (String, String, u64, u64, u64);

/// A label of a candidate.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Labelled<'a> {
    pub(super) candidate: String,
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<f64>,
    pub(super) text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'a str>,
}

impl<'a> Source<'a> {
    /// With the mapping that was used and what was left out.
    pub(super) fn written(&self, mapping: &Mapping, notes: &Notes) -> Written<'a> {
        Written {
            format: self.format,
            rules: "",
            because: self.because,
            file: self.file,
            id: "",
            mapping: mapping.kept(),
            left_out: notes.dropped.clone(),
            taken: BTreeMap::new(),
            labels: Vec::new(),
            swapped: Vec::new(),
            marks: None,
            league: Vec::new(),
        }
    }
}

impl<'a> Written<'a> {
    /// The same of a part with an id.
    pub(super) fn of(mut self, id: &'a str) -> Self {
        self.id = id;
        self
    }

    /// The same by rules that have a name.
    pub(super) fn by(mut self, rules: &'a str) -> Self {
        self.rules = rules;
        self
    }

    /// The same of a persona, with where its exemplars were taken from.
    pub(super) fn taken(mut self, taken: BTreeMap<&'a str, usize>) -> Self {
        self.taken = taken;
        self
    }

    /// The same of a debate, with its labels and with what its judges say otherwise when the
    /// seats are swapped.
    pub(super) fn with(mut self, labels: Vec<Labelled<'a>>, swapped: Vec<String>) -> Self {
        self.labels = labels;
        self.swapped = swapped;
        self
    }

    /// The same with what ratings and wins are made of.
    pub(super) fn made_of(mut self, marks: Option<Marks>, league: Vec<Met>) -> Self {
        self.marks = marks;
        self.league = league;
        self
    }
}

/// A value as JSON in lines, with a list in a list on a line of its own.
pub(super) fn json_in_lines<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = Vec::new();
    let lines = Lines {
        pretty: PrettyFormatter::new(),
        open: Vec::new(),
        flat: 0,
    };
    let mut writer = serde_json::Serializer::with_formatter(&mut text, lines);
    // plain data with text keys can always be written
    let written = value.serialize(&mut writer);
    let text = String::from_utf8(text).unwrap_or_default();
    written.map(|()| text).unwrap_or_default()
}

struct Lines {
    pretty: PrettyFormatter<'static>,
    /// Of what is open, whether it is a list.
    open: Vec<bool>,
    /// How many lists that stand on one line are open.
    flat: usize,
}

impl Formatter for Lines {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> Result<()> {
        let is_inner = self.flat > 0 || self.open.last() == Some(&true);
        self.open.push(true);
        self.flat += usize::from(is_inner);
        if is_inner {
            return out.write_all(b"[");
        }
        self.pretty.begin_array(out)
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> Result<()> {
        self.open.pop();
        if self.flat > 0 {
            self.flat -= 1;
            return out.write_all(b"]");
        }
        self.pretty.end_array(out)
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> Result<()> {
        match (self.flat, first) {
            (0, _) => self.pretty.begin_array_value(out, first),
            (_, true) => Ok(()),
            (_, false) => out.write_all(b", "),
        }
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, out: &mut W) -> Result<()> {
        match self.flat {
            0 => self.pretty.end_array_value(out),
            _ => Ok(()),
        }
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> Result<()> {
        self.open.push(false);
        self.pretty.begin_object(out)
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> Result<()> {
        self.open.pop();
        self.pretty.end_object(out)
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> Result<()> {
        self.pretty.begin_object_key(out, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> Result<()> {
        self.pretty.begin_object_value(out)
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> Result<()> {
        self.pretty.end_object_value(out)
    }
}

/// A value as JSON in one line.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> String {
    // plain data with text keys can always be written
    serde_json::to_string(value).unwrap_or_default()
}
