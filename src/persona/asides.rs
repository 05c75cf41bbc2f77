//! What is to be known of a run beside what is scored, and the notes that it comes to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::overall::some_of;
use super::script;
use crate::text::Shown;

/// How many rows are of another persona, by its id.
pub type Others = BTreeMap<String, usize>;

/// What is to be known of some sessions beside what is scored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asides {
    /// Sessions in which there is nothing to score.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub empty_sessions: BTreeSet<String>,
    /// By the id of their session, the rows of other personas.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_personas: BTreeMap<String, Others>,
}

impl Asides {
    /// Takes up what is to be known of other sessions; what is known of a session already is known again.
    pub fn add(&mut self, other: Self) {
        self.empty_sessions.extend(other.empty_sessions);
        self.other_personas.extend(other.other_personas);
    }

    /// Those that stand with none of the sessions of these ids.
    pub(super) fn beside<'a>(&self, ids: impl Iterator<Item = &'a String>) -> Self {
        let mut beside = self.clone();
        for id in ids {
            beside.other_personas.remove(id);
        }
        beside
    }

    /// The rows of other personas in all sessions.
    fn others(&self) -> Others {
        let mut all = Others::new();
        for (id, rows) in self.other_personas.values().flatten() {
            *all.entry(id.clone()).or_default() += rows;
        }
        all
    }
}

/// What is to be known of a basis, and what its notes need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownOf {
    pub(super) persona_id: Option<String>,
    pub(super) notes: Vec<String>,
    pub(super) is_judged: bool,
}

impl KnownOf {
    /// All that the reader of a result should know about its inputs: of so many responses that cannot be
    /// read among all, and of sessions without a judge's score.
    pub(super) fn words(
        &self,
        asides: &Asides,
        [unread, all]: [usize; 2],
        unjudged: &[&str],
    ) -> Vec<String> {
        let mut notes = self.notes.clone();
        if !asides.empty_sessions.is_empty() {
            let ids: Vec<&str> = asides.empty_sessions.iter().map(String::as_str).collect();
            notes.push(format!("no assistant text to score in {}", some_of(&ids)));
        }
        if let Some(own) = &self.persona_id {
            let others = asides.others().into_iter();
            notes.extend(others.map(|(id, rows)| times(of_another(&id, own), rows)));
        }
        if unread > 0 {
            notes.push(script::words(unread, all));
        }
        if self.is_judged && !unjudged.is_empty() {
            notes.push(format!("no judge score for {}", some_of(unjudged)));
        }
        notes
    }
}

/// Said of rows that are of another persona.
pub(super) fn of_another(id: &str, persona: &str) -> String {
    format!(
        "these replies are of another persona: their persona_id is {:?}, the persona's id is {:?}",
        Shown(id),
        Shown(persona)
    )
}

/// What is said of so many rows.
pub(super) fn times(mut message: String, rows: usize) -> String {
    if rows > 1 {
        // writing to a String cannot fail
        let _ = write!(message, " ({rows} times)");
    }
    message
}
