//! Traits that no detector knows, told by examples (SCORING.md section 3, "Traits by examples"):
//! beside the score, never in it.

use std::sync::Arc;

use serde::Serialize;

use crate::analysis::bootstrap::mean;

use super::lexicon::Lexicon;
use super::voice::{Control, LEAST_EXAMPLES, Lesson};

/// The name of the formula and its version.
pub const FORMULA: &str = "trait/1";

/// A trait by its examples, as a persona gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taught {
    /// Its word in lower case, white space and hyphens as `_`.
    pub word: String,
    /// Texts that show it, each once.
    pub examples: Vec<String>,
}

impl Taught {
    /// Why it cannot be told, in words.
    pub fn lacks(&self) -> Option<String> {
        let given = self.examples.len();
        (given < LEAST_EXAMPLES).then(|| {
            format!(
                "it needs at least {LEAST_EXAMPLES} examples that differ, the persona has {given}"
            )
        })
    }

    pub(super) fn lesson(&self, control: Option<Arc<Control>>) -> Lesson {
        Lesson {
            exemplars: self.examples.clone(),
            off_brand: Vec::new(),
            labels: Vec::new(),
            lexicon: Lexicon::default(),
            control,
        }
    }
}

/// What the examples of a trait say of a run's responses.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The trait's word.
    pub word: String,
    /// How many examples it was learned from.
    pub examples: usize,
    /// Per session, per response: how likely it shows the trait, in [0, 1]. In words why there is nothing.
    pub scores: Result<Vec<Vec<Option<f64>>>, String>,
}

impl Told {
    /// What is said of a response.
    pub(super) fn value(&self, session: usize, response: usize) -> Option<f64> {
        *self.scores.as_ref().ok()?.get(session)?.get(response)?
    }
}

/// A trait by examples, in a response.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaughtTrait {
    /// As `witty`.
    #[serde(rename = "trait")]
    pub word: String,
    /// How likely it shows the trait, against any assistant, in [0, 1]; 0.5 where neither is likelier.
    pub value: f64,
}

/// A trait by examples, over the sessions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaughtSummary {
    /// `trait/1`.
    pub formula: &'static str,
    /// As `witty`.
    #[serde(rename = "trait")]
    pub word: String,
    /// How many examples it was learned from.
    pub examples: usize,
    /// Mean of the sessions' means, in [0, 1]; null where it was not measured.
    pub mean: Option<f64>,
}

/// The summary of each trait, and a note of each that was not measured.
pub(super) fn summaries(told: &[Told]) -> (Vec<TaughtSummary>, Vec<String>) {
    let mut notes = Vec::new();
    let summary = |one: &Told| {
        let sessions = match &one.scores {
            Ok(sessions) => sessions.as_slice(),
            Err(reason) => {
                notes.push(format!(
                    "{} by its examples is not measured: {reason}",
                    one.word
                ));
                &[]
            }
        };
        let of_session =
            |scores: &Vec<Option<f64>>| mean(&scores.iter().copied().flatten().collect::<Vec<_>>());
        TaughtSummary {
            formula: FORMULA,
            word: one.word.clone(),
            examples: one.examples,
            mean: mean(&sessions.iter().filter_map(of_session).collect::<Vec<_>>()),
        }
    };
    (told.iter().map(summary).collect(), notes)
}
