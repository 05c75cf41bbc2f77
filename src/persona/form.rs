//! A persona as a form: what stands in each field, as typed, and what a change
//! of a field does to the text. All three spellings of a persona are read, and
//! each value is changed where it stands.

use std::collections::HashSet;
use std::sync::Arc;

use crate::document::edit::moved;
use crate::document::edit_yaml::{Op, edit_yaml};
use crate::document::{Node, Parsed, Step, Value, path_from};

use super::persona::{OFF_BRAND, TRAIT_EXAMPLES, parse};
use super::traits::{Declared, Dimension};

/// A form shows the lists that stand under so many headings at most, and so many of them: a small
/// text may have very many, and each is looked for by its path.
const MOST_HEADINGS: usize = 4;
const MOST_LISTS: usize = 100;

/// A field of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // named by the method
pub enum Field {
    Id,
    Name,
    Description,
    Formality,
    Verbosity,
}

impl Field {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Id,
        Self::Name,
        Self::Description,
        Self::Formality,
        Self::Verbosity,
    ];

    /// Where it may stand, in the order in which it is read.
    fn homes(self) -> Vec<Vec<Step>> {
        let homes: &[&[&str]] = match self {
            Self::Id => &[&["id"]],
            Self::Name => &[&["display_name"], &["name"]],
            Self::Description => &[&["description"]],
            Self::Formality => &[&["style_rules", "formality"], &["voice", "formality"]],
            Self::Verbosity => &[&["style_rules", "verbosity"], &["voice", "verbosity"]],
        };
        steps(homes)
    }
}

/// A list of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // named by the method
pub enum List {
    Exemplars,
    Preferred,
    Avoided,
    Tone,
    OffBrand,
    /// Texts that show a trait, by its place in [`Form::taught`].
    Examples(usize),
}

impl List {
    /// Those that every persona has.
    pub const ALL: [Self; 5] = [
        Self::Exemplars,
        Self::Preferred,
        Self::Avoided,
        Self::Tone,
        Self::OffBrand,
    ];

    /// Its place among the lists of a form.
    pub fn slot(self) -> usize {
        match self {
            Self::Exemplars => 0,
            Self::Preferred => 1,
            Self::Avoided => 2,
            Self::Tone => 3,
            Self::OffBrand => 4,
            Self::Examples(at) => Self::ALL.len() + at,
        }
    }

    /// Where it may stand in a persona, in the order in which it is read.
    fn homes(self, root: &Node) -> Vec<Vec<Step>> {
        let homes: &[&[&str]] = match self {
            Self::Exemplars => &[&["exemplars"], &["examples"]],
            Self::Preferred => &[
                &["lexicon", "preferred"],
                &["voice", "lexicon", "preferred"],
            ],
            Self::Avoided => &[
                &["lexicon", "avoid"],
                &["lexicon", "avoided"],
                &["voice", "lexicon", "avoid"],
                &["voice", "lexicon", "avoided"],
            ],
            Self::Tone => &[&["style_rules", "tone"], &["voice", "tone"]],
            Self::OffBrand => {
                let mut homes = Vec::new();
                under_headings(root, &mut Vec::new(), &mut homes);
                if homes.is_empty() {
                    homes.push(vec![OFF_BRAND.into()]);
                }
                return homes;
            }
            // they stand under their word, which only the form knows
            Self::Examples(_) => &[],
        };
        steps(homes)
    }
}

/// The paths of what is off brand, in the order of the text, a heading before what stands under it.
fn under_headings(node: &Node, path: &mut Vec<Step>, homes: &mut Vec<Vec<Step>>) {
    let Value::Map(entries) = &node.value else {
        return;
    };
    let own = |key: &str| {
        let mut home = path.clone();
        home.push(key.into());
        home
    };
    if entries.iter().any(|entry| entry.key == OFF_BRAND) && homes.len() < MOST_LISTS {
        homes.push(own(OFF_BRAND));
    }
    if path.len() == MOST_HEADINGS {
        return;
    }
    for entry in entries {
        path.push(Step::from(entry.key.as_str()));
        under_headings(&entry.node, path, homes);
        path.pop();
    }
}

fn steps(homes: &[&[&str]]) -> Vec<Vec<Step>> {
    let path = |home: &&[&str]| home.iter().map(|key| Step::from(*key)).collect();
    homes.iter().map(path).collect()
}

/// A value that stands in the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// As typed.
    pub text: String,
    /// Where, as problems name it: `lexicon.preferred[0]`. Empty where it is not there.
    pub path: String,
    at: Vec<Step>,
}

/// A persona, field by field. Fields that are missing are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// The text of the persona.
    parsed: Arc<Parsed>,
    fields: [Entry; 5],
    /// By [`List::slot`].
    lists: Vec<Held>,
    /// The words of traits that no detector knows, or that have examples.
    taught: Vec<String>,
}

/// The entries of a list, and where it goes on.
#[derive(Clone, Debug, Default, PartialEq)]
struct Held {
    entries: Vec<Entry>,
    end: End,
}

impl Held {
    /// What stands at its homes, in their order.
    fn of(node: &Node, homes: Vec<Vec<Step>>) -> Self {
        let mut held = Self {
            entries: Vec::new(),
            end: homes.first().cloned().map_or(End::Nowhere, End::Empty),
        };
        for home in homes {
            match node.at(&home).map(|node| &node.value) {
                Some(Value::List(items)) => {
                    for item in 0..items.len() {
                        let mut at = home.clone();
                        at.push(item.into());
                        held.entries.push(entry(node, at));
                    }
                    held.end = if items.is_empty() {
                        End::Empty(home)
                    } else {
                        End::List(home)
                    };
                }
                Some(Value::Null) | None => {}
                Some(_) => {
                    held.entries.push(entry(node, home.clone()));
                    held.end = End::Word(home);
                }
            }
        }
        held
    }
}

/// Where a list goes on.
#[derive(Clone, Debug, Default, PartialEq)]
enum End {
    /// Behind the last item of this list.
    List(Vec<Step>),
    /// One text stands for a list of one.
    Word(Vec<Step>),
    /// There is no list, or nothing in it; it would stand here.
    #[default]
    Nowhere,
    Empty(Vec<Step>),
}

impl Form {
    /// The form of a persona; none if the text is neither YAML nor JSON, or no object.
    ///
    /// ```
    /// use assay::persona::form::{Change, Field, Form};
    /// let form = Form::read("id: a # a voice\n").expect("a persona");
    /// assert_eq!(form.field(Field::Id).text, "a");
    /// assert_eq!(
    ///     form.apply(&Change::Field(Field::Id, "b".into())).expect("a place"),
    ///     "id: b # a voice\n"
    /// );
    /// ```
    pub fn read(text: &str) -> Option<Self> {
        Self::of(&Arc::new(parse(text)))
    }

    /// The form of a text that [`parse`] made ready.
    pub fn of(parsed: &Arc<Parsed>) -> Option<Self> {
        let root = parsed.node(0).filter(|node| node.is_object())?;
        Some(Self {
            parsed: parsed.clone(),
            ..Self::of_root(root)
        })
    }

    /// The text after a change; none where the form has no such place, and where the
    /// change cannot be made without touching something else. Everything that the
    /// change does not concern stays as it was typed.
    pub fn apply(&self, change: &Change) -> Option<String> {
        if *change == Change::Start {
            return Some(START.to_owned());
        }
        let (text, root) = (self.parsed.text(), self.parsed.node(0)?);
        match change {
            // what is not there cannot be taken out
            Change::Field(field, typed)
                if typed.is_empty() && !is_there(root, &self.field(*field).at) =>
            {
                Some(text.to_owned())
            }
            change => {
                let op = self.op(change)?;
                let after = edit_yaml(text, root, &op)?;
                match op {
                    // the last key of all: without it there would be no persona left to show
                    Op::Remove(at) if Self::read(&after).is_none() => {
                        edit_yaml(text, root, &Op::Set(at, String::new()))
                    }
                    _ => Some(after),
                }
            }
        }
    }

    /// What a change is in the text.
    fn op(&self, change: &Change) -> Option<Op> {
        Some(match change {
            Change::Start => return None,
            Change::Field(field, typed) => {
                let at = self.field(*field).at.clone();
                if typed.is_empty() {
                    Op::Remove(at)
                } else {
                    Op::Set(at, typed.clone())
                }
            }
            Change::Entry(list, index, typed) => {
                Op::Set(self.list(*list).get(*index)?.at.clone(), typed.clone())
            }
            Change::Add(list, typed) => self.addition(*list, typed)?,
            Change::Remove(list, index) => Op::Remove(self.list(*list).get(*index)?.at.clone()),
            Change::Move { list, from, to } => self.shift(*list, *from, *to)?,
        })
    }

    fn addition(&self, list: List, typed: &str) -> Option<Op> {
        Some(match &self.lists.get(list.slot())?.end {
            End::List(home) => Op::Push(home.clone(), typed.to_owned()),
            End::Word(home) => {
                let word = self.list(list).last()?.text.clone();
                Op::SetList(home.clone(), vec![word, typed.to_owned()])
            }
            End::Empty(home) => Op::SetList(home.clone(), vec![typed.to_owned()]),
            End::Nowhere => return None,
        })
    }

    fn shift(&self, list: List, from: usize, to: usize) -> Option<Op> {
        let entries = self.list(list);
        let (one, other) = (&entries.get(from)?.at, &entries.get(to)?.at);
        let (Some((Step::Item(one), home)), Some((Step::Item(other), same))) =
            (one.split_last(), other.split_last())
        else {
            return None;
        };
        let count = entries.iter().filter(|entry| entry.at.starts_with(home));
        let order = moved(count.count(), *one, *other);
        (home == same).then(|| Op::Reorder(home.to_vec(), order))
    }

    fn of_root(node: &Node) -> Self {
        let mut form = Self::default();
        for field in Field::ALL {
            let mut homes = field.homes();
            let there = homes.iter().position(|home| is_there(node, home));
            let at = homes.swap_remove(there.unwrap_or_default());
            form.fields[field as usize] = entry(node, at);
        }
        for list in List::ALL {
            form.lists.push(Held::of(node, list.homes(node)));
        }
        form.teach(node);
        form
    }

    /// A field.
    pub fn field(&self, field: Field) -> &Entry {
        &self.fields[field as usize]
    }

    /// A list.
    pub fn list(&self, list: List) -> &[Entry] {
        let held = self.lists.get(list.slot());
        held.map_or(&[], |held| &held.entries)
    }

    /// The words of traits that no detector knows, or that have examples.
    pub fn taught(&self) -> &[String] {
        &self.taught
    }

    /// Whether a word of the voice is told by examples, or could be once they are whole.
    pub fn is_taught(&self, word: &str) -> bool {
        let word = Declared::new(Dimension::Tone, word.trim()).word;
        let at = self.taught.iter().position(|taught| *taught == word);
        at.is_some_and(|at| !self.list(List::Examples(at)).is_empty())
    }

    /// The lists of traits by examples: of those that have some, then of tones that need them.
    fn teach(&mut self, node: &Node) {
        let section = node.at(&[TRAIT_EXAMPLES.into()]);
        let keys = match section.map(|section| &section.value) {
            Some(Value::Map(entries)) => entries.iter().map(|entry| entry.key.clone()).collect(),
            _ => Vec::new(),
        };
        let tones = self.list(List::Tone).iter();
        let tones = tones.filter(|tone| unmeasured_tone(&tone.text).is_some());
        let tones: Vec<String> = tones.map(|tone| tone.text.clone()).collect();
        let mut seen = HashSet::new();
        for key in keys.into_iter().chain(tones) {
            let word = Declared::new(Dimension::Tone, key.trim()).word;
            if self.taught.len() == MOST_LISTS || !seen.insert(word.clone()) {
                continue;
            }
            let is_key =
                section.is_some_and(|section| section.at(&[key.as_str().into()]).is_some());
            let key = if is_key { key } else { word.clone() };
            let home = vec![TRAIT_EXAMPLES.into(), Step::from(key.as_str())];
            self.lists.push(Held::of(node, vec![home]));
            self.taught.push(word);
        }
    }
}

fn is_there(node: &Node, path: &[Step]) -> bool {
    node.at(path).is_some_and(|node| node.value != Value::Null)
}

fn entry(node: &Node, at: Vec<Step>) -> Entry {
    Entry {
        text: node.typed(&at),
        path: path_from("", &at),
        at,
    }
}

/// Why a word of the voice cannot be measured, and a word that it may stand for; none where
/// it can be, or where there is no word.
///
/// ```
/// use assay::persona::form::{Unmeasured, unmeasured_tone};
/// assert_eq!(unmeasured_tone("Friendly"), None);
/// assert!(unmeasured_tone("sardonic").is_some());
/// ```
pub fn unmeasured_tone(word: &str) -> Option<Unmeasured> {
    unmeasured(Dimension::Tone, word)
}

/// The same of a word for formality or verbosity; none for another field.
pub fn unmeasured_field(field: Field, word: &str) -> Option<Unmeasured> {
    match field {
        Field::Formality => unmeasured(Dimension::Formality, word),
        Field::Verbosity => unmeasured(Dimension::Verbosity, word),
        _ => None,
    }
}

/// A word that no detector measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmeasured {
    /// Why, in words.
    pub why: String,
    /// The measurable word that is part of it, as `casual` of `gen_z_casual`.
    pub like: Option<&'static str>,
}

fn unmeasured(dimension: Dimension, word: &str) -> Option<Unmeasured> {
    let word = word.trim();
    if word.is_empty() {
        return None;
    }
    let declared = Declared::new(dimension, word);
    let why = declared.not_measurable()?;
    let mut parts = declared.word.split('_');
    let like = parts.find_map(|part| dimension.words().iter().find(|known| **known == part));
    Some(Unmeasured {
        why,
        like: like.copied(),
    })
}

/// A change of a form. Entries are positions from 0.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // positions and what is typed
pub enum Change {
    /// A new persona in place of an empty text.
    Start,
    /// An empty text takes the field out.
    Field(Field, String),
    Entry(List, usize, String),
    Add(List, String),
    Remove(List, usize),
    /// Within the list in which it stands.
    Move {
        list: List,
        from: usize,
        to: usize,
    },
}

/// What a new persona starts from.
const START: &str =
    "id: my_persona\nexemplars:\n  - \"\"\nlexicon:\n  preferred: []\n  avoid: []\n";
