//! What a format finds in its records.

use serde::{Deserialize, Serialize};

use super::ballots::Ballots;
use super::card::Card;
use super::conversation::Conversation;

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A debate: candidates and reviews.
    Debate,
    /// The turns of an agent.
    Turns,
    /// A persona.
    Persona,
    /// A transcript to hold against a persona.
    Transcript,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Debate, Self::Turns, Self::Persona, Self::Transcript];

    /// Its name on the command line and in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Debate => "debate",
            Self::Turns => "turns",
            Self::Persona => "persona",
            Self::Transcript => "transcript",
        }
    }

    /// What it is, with an article.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Debate => "a debate",
            Self::Turns => "turns of an agent",
            Self::Persona => "a persona",
            Self::Transcript => "a transcript",
        }
    }

    /// The kind of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Something in a file that a document can be made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Messages of people, assistants and tools.
    Conversation(Conversation),
    /// Verdicts of judges on candidates.
    Ballots(Ballots),
    /// A character.
    Card(Card),
    /// A document that is one of ours: its text is that of the whole file.
    Own {
        /// Which.
        kind: Kind,
        /// How many records it has.
        records: usize,
    },
}

impl Content {
    /// What can be made of it, the most likely first.
    pub fn makes(&self) -> &'static [Kind] {
        match self {
            Self::Conversation(conversation) if conversation.has_calls() => {
                &[Kind::Turns, Kind::Transcript, Kind::Persona]
            }
            Self::Conversation(_) => &[Kind::Transcript, Kind::Turns, Kind::Persona],
            Self::Ballots(_) => &[Kind::Debate],
            Self::Card(_) => &[Kind::Persona],
            Self::Own { kind, .. } => match kind {
                Kind::Debate => &[Kind::Debate],
                Kind::Turns => &[Kind::Turns],
                Kind::Persona => &[Kind::Persona],
                Kind::Transcript => &[Kind::Transcript],
            },
        }
    }

    /// Its id in the file; empty where it has none.
    pub fn id(&self) -> &str {
        match self {
            Self::Conversation(conversation) => &conversation.id,
            Self::Ballots(ballots) => &ballots.id,
            Self::Card(card) => &card.name,
            Self::Own { .. } => "",
        }
    }

    /// What a person would call it.
    pub fn title(&self) -> &str {
        match self {
            Self::Conversation(conversation) => &conversation.title,
            Self::Ballots(ballots) => &ballots.title,
            Self::Card(card) => &card.name,
            Self::Own { .. } => "",
        }
    }

    /// How many messages, verdicts or lines it has, with the noun.
    pub fn count(&self) -> (usize, &'static str) {
        match self {
            Self::Conversation(conversation) => (conversation.messages.len(), "messages"),
            Self::Ballots(ballots) => (ballots.ballots.len() + ballots.votes.len(), "verdicts"),
            // a description alone is something, too
            Self::Card(card) if card.replies.is_empty() => {
                (usize::from(!card.description.trim().is_empty()), "texts")
            }
            Self::Card(card) => (card.replies.len(), "lines"),
            Self::Own { records, .. } => (*records, "records"),
        }
    }

    /// How it begins.
    pub fn first_words(&self) -> &str {
        match self {
            Self::Conversation(conversation) => conversation.first_words(),
            Self::Ballots(ballots) => ballots.question.as_ref().unwrap_or(&ballots.about),
            Self::Card(card) => card.replies.first().unwrap_or(&card.description),
            Self::Own { .. } => "",
        }
    }
}
