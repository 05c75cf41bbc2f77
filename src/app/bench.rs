//! What a bench is to the page: a record of plain data, and one way in. Nothing
//! of a bench's own code is reached but through [`Bench::enter`], so that it can
//! be loaded when the bench is first opened.

use std::fmt;

use leptos::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::browser::download;
use super::browser::events::Files;
use super::browser::reader::Held;
use super::desk::{Desk, Work};
use super::export::Format;
use super::notice::Notices;
use super::number::{NumberField, valid_numbers};
use super::panels::table::{Column, Row};
use super::panels::text::Hints;
use super::parts::Fetching;
use super::verdict::Verdict;
use crate::document::{Reader, detect};
use crate::share::{self, Document, Goal};
use crate::sources::Kind;

/// A bench. Two are the same if they have the same name.
pub struct Bench {
    /// As addresses, hooks and kept work name it: lower-case letters.
    pub name: &'static str,
    /// As people read it.
    pub title: &'static str,
    /// What it scores, as the object of a sentence.
    pub scores: &'static str,
    /// What it is for: stands on the start page.
    pub purpose: &'static str,
    /// What goes into it: stands on the start page.
    pub takes: &'static str,
    /// What it does, in one sentence: stands above the bench.
    pub about: &'static str,
    /// Its texts, in the order in which the bench shows them.
    pub inputs: &'static [Input],
    /// What can be set.
    pub settings: Settings,
    /// How its permalinks are marked.
    pub link: Link,
    /// The shapes of other tools in which its results leave.
    pub shapes: &'static [share::Shape],
    /// How a later work of this bench is held against an earlier one.
    pub compare: Compare,
    /// Opens it: fetches its code, and makes its memos and its view. Called under the
    /// page's own owner when the bench is first shown, and again after it failed.
    pub enter: fn(Desk, Host) -> Fetching<Room>,
}

/// How a later work is held against an earlier one, which comes first.
#[derive(Clone, Copy)]
pub enum Compare {
    /// Among the runs: what differs, or why that cannot be said.
    Apart(fn(Work, Work) -> Fetching<Result<HeldAgainst, String>>),
    /// On the bench, as one work of it.
    OnBench(fn(Work, Work) -> Fetching<Work>),
}

/// A later work held against an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldAgainst {
    /// What there is to say, a sentence each.
    pub said: Vec<String>,
    /// The heads of the table.
    pub columns: &'static [Column],
    /// A row for each figure.
    pub rows: Vec<Row>,
}

impl Bench {
    /// What a link or a report of some work on it holds. Settings that are not valid numbers stay
    /// behind.
    pub fn document(&self, work: &Work) -> Document {
        let (link, settings) = (&self.link, &self.settings);
        let weights = valid_numbers(settings.weights, work);
        let document = Document::new(link.kind, link.formula, self.in_document(work));
        let mut document = document.with_weights(&weights);
        let options = &mut document.options;
        for (name, number) in valid_numbers(settings.numbers, work) {
            options.insert(name, number.into());
        }
        for name in settings.words {
            if let Some(typed) = work.setting(name) {
                options.insert((*name).to_owned(), typed.into());
            }
        }
        for input in self.inputs {
            if let Some(text) = work
                .filled(input.name)
                .filter(|_| input.in_link == InLink::Option)
            {
                options.insert(input.name.to_owned(), text.into());
            }
        }
        document
    }

    /// The input of a document: one text, or several by name.
    fn in_document(&self, work: &Work) -> Value {
        let mut parts = Map::new();
        for input in self.inputs {
            let is_part = match input.in_link {
                InLink::Whole => return work.text(input.name).into(),
                InLink::Part => true,
                InLink::PartIfFilled => work.filled(input.name).is_some(),
                InLink::Option => false,
            };
            if is_part {
                parts.insert(input.name.to_owned(), work.text(input.name).into());
            }
        }
        Value::Object(parts)
    }

    /// The input of a name.
    pub fn input(&self, name: &str) -> Option<&'static Input> {
        self.inputs.iter().find(|input| input.name == name)
    }
}

impl PartialEq for Bench {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Bench {}

impl fmt::Debug for Bench {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Serialize for Bench {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// Benches in the order of the navigation.
pub type Benches = &'static [&'static Bench];

/// The bench of a name.
pub fn named(benches: Benches, name: &str) -> Option<&'static Bench> {
    benches.iter().find(|bench| bench.name == name).copied()
}

/// A text of a bench.
pub struct Input {
    /// Its name: the key of the text in a work, and in hooks.
    pub name: &'static str,
    /// What stands beside it and in it while it is empty.
    pub hints: Hints,
    /// How it is told from other texts.
    pub known_by: KnownBy,
    /// The kind of document that it is, where documents of it are made of other files.
    pub kind: Option<Kind>,
    /// Whether a text that comes from outside goes with what is on the bench, and
    /// does not replace it: the halves of one work.
    pub joins: bool,
    /// The input that takes the first of two texts of this one that are given together: the two are
    /// to be compared.
    pub first_of_two: Option<&'static str>,
    /// Where it stands in a permalink.
    pub in_link: InLink,
    /// The file of it in the example, beside the page.
    pub example: Option<&'static str>,
}

/// How a text is told from others: by keys of its object, or of the first object
/// in its list.
pub struct KnownBy {
    /// What it is, with an article; empty where it is not told.
    pub noun: &'static str,
    /// What tells, as a clause.
    pub clause: &'static str,
    /// Keys that no other input has.
    pub surely: &'static [&'static str],
    /// Keys that others may have as well: with them a text that is pasted into the input is no
    /// other document.
    pub perhaps: &'static [&'static str],
    /// What no other input is, where a key alone does not tell.
    pub shape: Option<fn(&Reader) -> bool>,
}

impl KnownBy {
    /// A text of which the shape says nothing.
    pub const NOTHING: Self = Self {
        noun: "",
        clause: "",
        surely: &[],
        perhaps: &[],
        shape: None,
    };

    /// Whether an object is this beyond doubt.
    pub fn is_sure(&self, root: &Reader) -> bool {
        let has = |key: &&str| root.get(key).is_some();
        self.surely.iter().any(has) || self.shape.is_some_and(|is_of| is_of(root))
    }

    /// Whether a text is JSON, or lines of it, without any of the keys: it is another document, or
    /// that of another tool. What is broken may be anything.
    pub fn is_another(&self, text: &str) -> bool {
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if !start.starts_with(['{', '[']) {
            return false;
        }
        let told = detect(text, &|root: &Reader| {
            let mut perhaps = self.perhaps.iter();
            let is_own = self.is_sure(root) || perhaps.any(|key| root.get(key).is_some());
            (!root.entries().is_empty()).then_some(is_own)
        });
        told == Some(false)
    }
}

/// Where a text stands in a permalink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InLink {
    /// It is the input.
    Whole,
    /// It is part of the input, also when it is empty.
    Part,
    /// It is part of the input unless it is blank.
    PartIfFilled,
    /// It stands among the options unless it is blank.
    Option,
}

/// What can be set on a bench; the order is that of the panels.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The weights.
    pub weights: &'static [NumberField],
    /// Other numbers.
    pub numbers: &'static [NumberField],
    /// Settings that are words.
    pub words: &'static [&'static str],
}

/// How the permalinks of a bench are marked.
pub struct Link {
    /// Whose they are.
    pub kind: share::Kind,
    /// Name and version of the formula.
    pub formula: &'static str,
    /// The input that an input of one text stands for.
    pub main: &'static str,
}

/// What the page gives a bench.
#[derive(Clone, Copy)]
pub struct Host {
    /// Which bench it is.
    pub bench: &'static Bench,
    /// Where to say what has no other place.
    pub notices: Notices,
    /// Whether the bench is the page shown.
    pub is_shown: Signal<bool>,
    /// Opens the bench's example.
    pub open_example: Callback<()>,
    /// Takes files, whatever bench they are for.
    pub take_files: Callback<Files>,
    /// Reads a text as the file of another tool that it may be.
    pub read_text: Callback<String>,
    /// Lets a text leave the page: where there is personal data in it, that is asked about first.
    pub leave: Callback<Leaving>,
    /// Where a link opens, until the bench has gone there.
    pub goal: RwSignal<Option<Goal>>,
    /// Files of a model that were dropped, until a bench that embeds has taken them.
    pub models: RwSignal<Option<ModelFiles>, LocalStorage>,
}

impl Host {
    /// Offers a text as a file, as [`Host::leave`] lets it go.
    pub fn save(self, name: String, media_type: &'static str, text: String, leaves: Leaves) {
        let leaving = Leaving::file(name, media_type, text, self.notices);
        // of what leaves as a file of a result, JSON says what was masked in it
        let is_result = leaves == Leaves::File && media_type == "application/json";
        self.leave.run(Leaving {
            leaves,
            is_result,
            ..leaving
        });
    }
}

/// A text that is about to leave the page.
#[derive(Clone)]
pub struct Leaving {
    /// What it is called.
    pub name: String,
    /// The text.
    pub text: String,
    /// What it leaves as.
    pub leaves: Leaves,
    /// Whether it is a result in JSON, which says what was masked in it.
    pub is_result: bool,
    /// Lets it go, masked or as it is.
    pub go: Callback<String>,
}

impl Leaving {
    /// A file that the browser is to save.
    pub fn file(name: String, media_type: &'static str, text: String, notices: Notices) -> Self {
        let called = name.clone();
        let offer = move |text: String| {
            if download::offer(&called, media_type, &text).is_err() {
                notices.warn("This browser offers no downloads.");
            }
        };
        Self {
            name,
            text,
            leaves: Leaves::File,
            is_result: false,
            go: Callback::new(offer),
        }
    }
}

/// What a text leaves the page as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// A permalink.
    Link,
    /// A file of a result.
    File,
    /// A witness record, whose texts are checked when it comes back.
    Record,
    /// A prompt on the clipboard.
    Prompt,
    /// A report, which proves itself by its input.
    Report,
    /// A file of labels, which are known by the words of their replies.
    Labels,
}

impl Leaves {
    /// What it is called.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::File => "file",
            Self::Record => "record",
            Self::Prompt => "prompt",
            Self::Report => "report",
            Self::Labels => "file of labels",
        }
    }

    /// What comes of masking it.
    pub const fn after(self) -> &'static str {
        match self {
            Self::Link => {
                "Whoever opens the link scores the masked texts, which may give slightly other figures."
            }
            Self::File => {
                "The scores stay those of the texts as they are; places of words count in those."
            }
            Self::Record => {
                "Whoever checks the masked record is told that these texts are not those that were scored."
            }
            Self::Prompt => {
                "Whoever judges reads the masked texts; what they answer is read all the same."
            }
            Self::Report => {
                "A masked report can be read and no longer proves itself: its figures are those of the texts as they are."
            }
            Self::Labels => {
                "A label is known by the words of its reply: what is masked no longer labels the reply as it is here."
            }
        }
    }
}

/// The files of a model, by their names.
pub type ModelFiles = Vec<(String, Held)>;

/// What the page has of a bench once its code is there.
#[derive(Clone)]
pub struct Room {
    /// The verdict; none while there is no result.
    pub verdict: Signal<Option<Verdict>>,
    /// Whether the result is of what is there now. It also tells whoever looks that the result may
    /// be another, which its verdict may not show.
    pub is_current: Signal<bool>,
    /// What the work is about, in a few words; none where nothing says so.
    pub topic: Signal<Option<String>>,
    /// The result as a file; none while there is no result of what is there now.
    pub export: Callback<Format, Fetching<Option<String>>>,
    /// Shows the form of what was opened where there is one, else its text.
    pub choose_face: Callback<()>,
    /// The inputs and the result.
    pub view: ViewFn,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::benches::BENCHES;

    #[test]
    fn what_is_not_for_an_input_is_seen_by_its_keys() {
        let another = |text: &str| {
            let input = named(BENCHES, "persona").and_then(|bench| bench.input("transcript"));
            input.map(|input| input.known_by.is_another(text))
        };
        for (text, is) in [
            (
                "{\"conversations\": [{\"from\": \"human\", \"value\": \"a\"}]}",
                true,
            ),
            ("[{\"title\": \"a\", \"mapping\": {}}]", true),
            ("\u{feff} {\"uuid\": 1}\n{\"uuid\": 2}", true),
            ("{\"messages\": []}", false),
            ("{\"role\": \"user\"}\n{", false),
            // what is broken is mended in its field
            ("{\"uuid\": ", false),
            ("[{\"uuid\": 1}, ", false),
            ("[]", false),
            ("{}", false),
            ("uuid: 1", false),
            ("dear diary", false),
        ] {
            assert_eq!(another(text), Some(is), "{text}");
        }
    }
}
