//! Which verdicts of a source are the labels of a persona's replies: on brand or off (SCORING.md
//! section 3, "Labels and calibration").

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::super::conversation::{Conversation, Label, Message};
use super::super::mapping::Mapping;
use super::ratings::middle;
use super::source::json;

/// Choices beside the names of verdicts.
const ANY: &str = "the first that is 0 or 1";
const NONE: &str = "none of them";
/// The most names that can be chosen among: more are no choice.
const MOST_NAMES: usize = 200;

/// Which verdict is the label of a reply.
enum Which {
    /// The first of those that are never anything but 0 or 1.
    Any(HashSet<String>),
    /// That of a name.
    Named(String),
    /// None.
    None,
}

/// Which verdict is the label, and from which value on it says on brand.
pub(super) struct Labelling {
    which: Which,
    from: f64,
}

/// What is known of the verdicts of a name.
struct Verdicts<'a> {
    name: &'a str,
    least: f64,
    most: f64,
    /// Whether each is 0 or 1.
    are_flags: bool,
}

/// A label as the persona's bench has it.
#[derive(Debug, Serialize)]
struct Row<'a> {
    session_id: &'a str,
    turn_index: usize,
    text: &'a str,
    label: u8,
    labeller: &'a str,
}

impl Labelling {
    /// Asks the mapping where the source has verdicts of several names, or such that are neither 0
    /// nor 1.
    pub(super) fn ask(conversations: &[Conversation], mapping: &mut Mapping) -> Self {
        let names = verdicts(conversations);
        let flags = names.iter().filter(|own| own.are_flags);
        let flags: HashSet<String> = flags.map(|own| own.name.to_owned()).collect();
        let has_flags = !flags.is_empty();
        let mut labelling = Self {
            which: Which::Any(flags),
            from: 0.5,
        };
        let default = match &names[..] {
            [] => return labelling,
            [only] if only.are_flags => return labelling,
            [first, ..] if !has_flags => first.name,
            _ => ANY,
        };
        let any = has_flags.then_some(ANY);
        let options = names.iter().map(|own| own.name).take(MOST_NAMES);
        let options = options.chain(any).chain([NONE]);
        let options: Vec<&str> = options.collect();
        let name = mapping.one_of("label", "Which verdict labels a reply", &options, default);
        if name == NONE {
            labelling.which = Which::None;
        } else if let Some(own) = names.iter().find(|own| own.name == name) {
            if !own.are_flags {
                let words = "A reply is on brand from a value of";
                labelling.from = mapping.number("label_from", words, middle(own.least, own.most));
            }
            labelling.which = Which::Named(name);
        }
        labelling
    }

    /// The verdict that is the label of a message, with its value.
    fn own<'a>(&self, message: &'a Message) -> Option<(&'a Label, f64)> {
        let valued = message.labels.iter();
        let mut valued = valued.filter_map(|label| Some((label, label.value?)));
        valued.find(|(label, _)| match &self.which {
            Which::Any(flags) => flags.contains(&label.name),
            Which::Named(name) => label.name == *name,
            Which::None => false,
        })
    }

    /// Whether a message is labelled as on brand (1) or off (0), where it is.
    pub(super) fn of(&self, message: &Message) -> Option<u8> {
        let (_, value) = self.own(message)?;
        Some(u8::from(value >= self.from))
    }

    /// How many verdicts on a message are no label.
    pub(super) fn others(&self, message: &Message) -> usize {
        message.labels.len() - usize::from(self.own(message).is_some())
    }

    /// The label of a reply at a turn of a session as a line; empty where it has none.
    pub(super) fn line(&self, session: &str, turn: usize, message: &Message) -> String {
        let row = self.own(message).map(|(label, value)| Row {
            session_id: session,
            turn_index: turn,
            text: &message.text,
            label: u8::from(value >= self.from),
            labeller: &label.name,
        });
        row.map_or_else(String::new, |row| json(&row) + "\n")
    }
}

/// The verdicts that have a value, by name, in the order in which the names are first met.
fn verdicts(conversations: &[Conversation]) -> Vec<Verdicts<'_>> {
    let mut found = Vec::<Verdicts>::new();
    let mut places = HashMap::<&str, usize>::new();
    let messages = conversations.iter().flat_map(|own| &own.messages);
    for label in messages.flat_map(|message| &message.labels) {
        let Some(value) = label.value.filter(|value| value.is_finite()) else {
            continue;
        };
        let is_flag = value == 0.0 || value == 1.0;
        let at = *places.entry(&label.name).or_insert(found.len());
        if at == found.len() {
            found.push(Verdicts {
                name: &label.name,
                least: value,
                most: value,
                are_flags: is_flag,
            });
        }
        let own = &mut found[at];
        own.least = own.least.min(value);
        own.most = own.most.max(value);
        own.are_flags &= is_flag;
    }
    found
}
