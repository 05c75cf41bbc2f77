//! A run's responses against the examples of the persona's traits.

use crate::embedding::{EmbedError, Embedder};
use crate::steps::Pause;

use super::lexicon::{Lexicon, LexiconMatcher};
use super::run::Run;
use super::taught::{Learned, Told, TraitLessons};
use super::voice::{Explanation, Voice, VoiceScore, vector};

impl Run {
    /// What the persona's traits by examples are learned from, beside a control.
    pub fn trait_lessons(&self) -> TraitLessons {
        TraitLessons {
            taught: self.persona.taught.clone(),
            control: self.control.clone(),
        }
    }

    /// What the examples of each trait say of the responses. A response is a step.
    pub async fn tell(
        &self,
        learned: &[Learned],
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Vec<Told> {
        let values = |scores: Vec<Option<VoiceScore>>| {
            scores.into_iter().map(|score| Some(score?.value)).collect()
        };
        let mut told = Vec::new();
        for one in learned {
            let scores = match &one.contrast {
                Ok(voice) => {
                    let lexicon = Lexicon::default();
                    self.heard_by(voice, &lexicon, embedder, pause).await
                }
                Err(_) => Vec::new(),
            };
            told.push(Told {
                learned: one.clone(),
                scores: scores.into_iter().map(values).collect(),
            });
        }
        told
    }
}

/// Why a response shows a trait by examples, or does not: its score taken apart. Fails where it has no
/// vector.
pub fn explain_trait(
    contrast: &Voice,
    text: &str,
    embedder: &dyn Embedder,
) -> Result<Explanation, EmbedError> {
    let none = Lexicon::default();
    let lexicon = LexiconMatcher::new(&none);
    Ok(contrast.explain(text, vector(text, embedder)?, &lexicon))
}
