//! Traits that no detector knows, told by examples (SCORING.md section 3, "Traits by examples"):
//! beside the score, never in it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::analysis::bootstrap::mean;

use super::figures::{Figures, TraitTerms};
use super::voice::{Control, LEAST_EXAMPLES, Lesson, Voice};
use crate::embedding::Embedder;
use crate::steps::Pause;
use crate::text::Shown;

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
}

/// What traits are learned from by their examples, beside a control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraitLessons {
    pub(super) taught: Vec<Taught>,
    /// What they are held against, in the place of the control that ships.
    pub control: Option<Arc<Control>>,
}

impl TraitLessons {
    /// Whether there is no trait to learn.
    pub fn is_empty(&self) -> bool {
        self.taught.is_empty()
    }

    /// Learns each trait as a voice is learned, against its own control, or else this one. A text, and
    /// a round of a fit, is a step.
    pub async fn learn(
        &self,
        control: &Control,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Vec<Learned> {
        let mut learned = Vec::new();
        for taught in &self.taught {
            let lesson = Lesson {
                exemplars: taught.examples.clone(),
                control: self.control.clone(),
                ..Lesson::default()
            };
            let contrast = match taught.lacks() {
                Some(reason) => Err(reason),
                None => lesson.contrast(control, embedder, pause).await,
            };
            learned.push(Learned {
                word: taught.word.clone(),
                examples: taught.examples.len(),
                contrast: contrast.map(Arc::new),
            });
        }
        learned
    }

    /// The same where there is nothing to hold them against, for a reason in words.
    pub fn unlearned(&self, reason: &str) -> Vec<Learned> {
        let learned = self.taught.iter().map(|taught| Learned {
            word: taught.word.clone(),
            examples: taught.examples.len(),
            contrast: Err(taught.lacks().unwrap_or_else(|| reason.to_owned())),
        });
        learned.collect()
    }
}

/// A trait that was learned by its examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The trait's word.
    pub word: String,
    /// How many examples it was learned from.
    pub examples: usize,
    /// Its examples against any assistant; in words why it was not learned.
    pub contrast: Result<Arc<Voice>, String>,
}

/// What the examples of a trait say of a run's responses.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The trait.
    pub learned: Learned,
    /// Per session, per response: how likely it shows the trait, in [0, 1]. Nothing where it was not
    /// learned.
    pub scores: Vec<Vec<Option<f64>>>,
}

impl Told {
    /// What is said of a response.
    pub(super) fn value(&self, session: usize, response: usize) -> Option<f64> {
        *self.scores.get(session)?.get(response)?
    }
}

/// A trait by examples, in a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

impl TaughtTrait {
    /// Its word as people read it.
    pub fn name(&self) -> String {
        name(&self.word)
    }
}

impl TaughtSummary {
    /// Its word as people read it.
    pub fn name(&self) -> String {
        name(&self.word)
    }
}

fn name(word: &str) -> String {
    Shown(&word.replace('_', " ")).to_string()
}

/// The summary of each trait over the sessions.
pub(super) fn summaries(taught: &[TraitTerms], figures: &[Figures]) -> Vec<TaughtSummary> {
    let summary = |one: &TraitTerms| {
        let means = figures.iter().filter_map(|own| own.taught(&one.word));
        TaughtSummary {
            formula: FORMULA,
            word: one.word.clone(),
            examples: one.examples,
            mean: mean(&means.collect::<Vec<_>>()),
        }
    };
    taught.iter().map(summary).collect()
}
