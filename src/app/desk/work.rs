//! The document of record: what a bench works on, as typed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::history::Bulk;
use crate::document::{Reader, Value};

/// The setting that says which of several documents in a text is on the bench,
/// from 0; one that is not there is the first.
pub const ITEM: &str = "item";

/// What a bench works on. Texts and settings are kept exactly as typed, also
/// when they are not valid; whatever is not there has its default.
#[derive(Clone, Debug, Default, Eq, Serialize)]
pub struct Work {
    /// Texts by the name of their input (`debate`, `persona`, `transcript`, ...).
    pub texts: BTreeMap<String, Arc<str>>,
    /// Settings by name (`w_base`, `domain`, ...).
    pub settings: BTreeMap<String, Arc<str>>,
}

/// The setting that says from which file the text of an input came. Links leave it out: it is
/// the visitor's own.
fn file_setting(input: &str) -> String {
    format!("file.{input}")
}

/// Texts by the name of their input.
pub type Texts = BTreeMap<String, Arc<str>>;

/// Whether texts are the same. One that is shared is not read: a weight that is
/// dragged leaves long texts alone, and is compared with them at every event.
pub(super) fn same_texts(one: &Texts, other: &Texts) -> bool {
    let same = |one: &Arc<str>, other: &Arc<str>| Arc::ptr_eq(one, other) || one == other;
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|((a, one), (b, other))| a == b && same(one, other))
}

/// Whether there is nothing in any text.
pub(super) fn are_blank(texts: &Texts) -> bool {
    texts.values().all(|text| text.trim().is_empty())
}

impl Bulk for Work {
    fn bytes_beside(&self, other: &Self) -> usize {
        let is_shared = |name: &String, text: &Arc<str>| {
            let other = other.texts.get(name);
            other.is_some_and(|other| Arc::ptr_eq(other, text))
        };
        let own = self
            .texts
            .iter()
            .filter(|(name, text)| !is_shared(name, text));
        own.map(|(_, text)| text.len()).sum()
    }
}

impl PartialEq for Work {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings && same_texts(&self.texts, &other.texts)
    }
}

impl Work {
    /// A work of one text.
    pub fn of(input: &str, text: impl Into<Arc<str>>) -> Self {
        let mut work = Self::default();
        work.set_text(input, text);
        work
    }

    /// The work that was written as JSON.
    pub fn read(reader: &Reader) -> Self {
        let mut work = Self::default();
        for (name, text) in strings(reader.get("texts")) {
            work.set_text(name, text);
        }
        for (name, setting) in strings(reader.get("settings")) {
            work.settings.insert(name.into(), setting.into());
        }
        work
    }

    /// The text of an input; empty when there is none.
    pub fn text(&self, input: &str) -> &str {
        self.texts.get(input).map_or("", |text| text)
    }

    /// The text of an input unless it is blank.
    pub fn filled(&self, input: &str) -> Option<&str> {
        Some(self.text(input)).filter(|text| !text.trim().is_empty())
    }

    /// Replaces a text; an empty one leaves no trace. Line ends become those of a
    /// text area, so that places are the same in the text and on the screen.
    pub fn set_text(&mut self, input: &str, text: impl Into<Arc<str>>) {
        let mut text = text.into();
        if text.starts_with('\u{feff}') || text.contains('\r') {
            text = crate::document::normalise(&text).into();
        }
        if text.is_empty() {
            self.texts.remove(input);
        } else {
            self.texts.insert(input.to_owned(), text);
        }
    }

    /// A setting as typed; none when it has its default.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.get(name).map(AsRef::as_ref)
    }

    /// Replaces a setting; `None` is the default.
    pub fn set(&mut self, name: &str, value: Option<String>) {
        match value {
            Some(value) => self.settings.insert(name.to_owned(), value.into()),
            None => self.settings.remove(name),
        };
    }

    /// From which file the text of an input came, where it came from one.
    pub fn file(&self, input: &str) -> Option<&str> {
        self.filled(input)?;
        self.setting(&file_setting(input))
    }

    /// Says from which file it came.
    pub fn set_file(&mut self, input: &str, name: Option<String>) {
        self.set(&file_setting(input), name);
    }

    /// Whether all of another work is in this one: what only adds to it replaces nothing.
    pub fn holds(&self, other: &Self) -> bool {
        let is_in = |mine: &Texts, theirs: &Texts| {
            let mut theirs = theirs.iter();
            theirs.all(|(name, text)| mine.get(name) == Some(text))
        };
        is_in(&self.texts, &other.texts) && is_in(&self.settings, &other.settings)
    }

    /// Whether there is nothing worth keeping.
    pub fn is_blank(&self) -> bool {
        are_blank(&self.texts)
    }

    /// Which of several documents is on the bench, as it was set.
    pub(super) fn item(&self) -> Option<String> {
        self.setting(ITEM).map(str::to_owned)
    }
}

/// The entries of an object that are strings.
fn strings(object: Option<Reader<'_>>) -> impl Iterator<Item = (&str, &str)> {
    let entries = object.map_or(&[][..], |object| object.entries());
    entries.iter().filter_map(|entry| match &entry.node.value {
        Value::String(text) => Some((entry.key.as_str(), text.as_str())),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_json;

    #[test]
    fn a_file_names_its_text_and_what_only_adds_replaces_nothing() {
        let mut half = Work::of("persona", "id: x");
        half.set_file("persona", Some("x.yaml".into()));
        let mut whole = half.clone();
        whole.set_text("transcript", "{}");
        assert_eq!(whole.file("persona"), Some("x.yaml"));
        assert_eq!(whole.file("transcript"), None);
        assert!(whole.holds(&half) && !half.holds(&whole));
        whole.set_text("persona", "");
        assert_eq!(whole.file("persona"), None);
        assert!(!whole.holds(&half));
        half.set_file("persona", None);
        assert_eq!(half.file("persona"), None);
    }

    #[test]
    fn invalid_text_survives_being_kept() {
        let mut work = Work::of("debate", "{\"candidates\": [");
        work.set("w_base", Some("0,5".into()));
        let kept = serde_json::to_string(&work).expect("plain data");
        let node = parse_json(&kept).expect("JSON");
        assert_eq!(Work::read(&Reader::new(&node)), work);
    }

    #[test]
    fn defaults_leave_no_trace() {
        let mut work = Work::of("debate", "x");
        work.set("w_base", Some("1".into()));
        work.set("w_base", None);
        work.set_text("debate", "");
        assert_eq!(work, Work::default());
        assert!(work.is_blank());
    }
}
