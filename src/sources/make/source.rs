//! What a document says of where it comes from, under the key `source`, which no scorer reads.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::mapping::{Mapping, Value};
use super::super::notes::{Dropped, Notes};

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
    /// What people and ground truths say of candidates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<Labelled<'a>>,
    /// Verdicts that are others when the seats are swapped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    swapped: Vec<String>,
}

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
            labels: Vec::new(),
            swapped: Vec::new(),
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

    /// The same of a debate, with its labels and with what its judges say otherwise when the
    /// seats are swapped.
    pub(super) fn with(mut self, labels: Vec<Labelled<'a>>, swapped: Vec<String>) -> Self {
        self.labels = labels;
        self.swapped = swapped;
        self
    }
}

/// A value as JSON in one line.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> String {
    // plain data with text keys can always be written
    serde_json::to_string(value).unwrap_or_default()
}
