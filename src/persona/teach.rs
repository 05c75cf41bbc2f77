//! A run's responses against the examples of the persona's traits.

use crate::embedding::Embedder;
use crate::steps::{Pause, THROUGH, at_once};

use super::run::Run;
use super::taught::Told;
use super::voice::{Control, VoiceScore};

impl Run {
    /// Whether a trait is told by examples, and can be.
    pub fn is_taught(&self) -> bool {
        let taught = &self.persona.taught;
        let has_control = self
            .control
            .as_ref()
            .is_none_or(|own| own.lacks().is_none());
        has_control && taught.iter().any(|one| one.lacks().is_none())
    }

    /// What the examples of each trait say of the responses: a contrast of its own, learned as a voice
    /// is. A text, a round of a fit, and a response is a step.
    pub async fn teach(
        &self,
        control: &Control,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Vec<Told> {
        let mut told = Vec::new();
        for taught in &self.persona.taught {
            let lesson = taught.lesson(self.control.clone());
            let learned = match taught.lacks() {
                Some(reason) => Err(reason),
                None => lesson.contrast(control, embedder, pause).await,
            };
            let scores = match learned {
                Ok(voice) => {
                    let heard = self
                        .heard_by(&voice, &lesson.lexicon, embedder, pause)
                        .await;
                    let values = |scores: Vec<Option<VoiceScore>>| {
                        scores.into_iter().map(|score| Some(score?.value)).collect()
                    };
                    Ok(heard.into_iter().map(values).collect())
                }
                Err(reason) => Err(reason),
            };
            told.push(Told {
                word: taught.word.clone(),
                examples: taught.examples.len(),
                scores,
            });
        }
        told
    }

    /// The same at once.
    pub fn taught(&self, control: &Control, embedder: &dyn Embedder) -> Vec<Told> {
        at_once(self.teach(control, embedder, THROUGH))
    }
}
