//! A run: what was read and what its texts alone tell, before any weight.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::embedding::{EmbedError, Embedder};
use crate::steps::{Pause, Progress, THROUGH, at_once, step};

use super::asides::{Asides, KnownOf};
use super::config::Config;
use super::departures;
use super::drift::Drift;
use super::judges::Rated;
use super::lexicon::{Lexicon, LexiconMatcher, LexiconScore};
use super::persona::Persona;
use super::result::{TraitResult, Violation};
use super::safety::{self, SessionSafety};
use super::style::{self, Similarities};
use super::taught::Learned;
use super::transcript::Session;
use super::voice::{Control, Explanation, Labels, Lesson, Text, Voice, VoiceScore, vector};

/// A read and checked run, ready to be scored (again and again with other
/// weights): all that depends on the texts alone is measured already.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub(super) persona: Persona,
    pub(super) sessions: Arc<Vec<Session>>,
    /// Per session, per response.
    pub(super) turns: Vec<Arc<Vec<ScoredTurn>>>,
    /// Per session.
    pub(super) safety: Vec<SessionSafety>,
    /// The judge's, per session.
    pub(super) reasoning: Vec<Option<Arc<str>>>,
    /// What somebody said of replies.
    pub(super) labels: Labels,
    /// What all labellers agree on, by the text of the reply.
    pub(super) judged: HashMap<String, bool>,
    /// What the voice is held against, in the place of the control that ships.
    pub(super) control: Option<Arc<Control>>,
    pub(super) config: Config,
    pub(super) notes: Vec<String>,
    /// What the notes are made of.
    pub(super) known: KnownOf,
    pub(super) asides: Asides,
    pub(super) input_sha256: String,
}

/// What a run's persona, labels and control teach.
#[derive(Clone, Debug)]
pub struct Lessons {
    /// The voice; in words why there is none.
    voice: Result<Arc<Voice>, String>,
    /// The traits that are told by examples.
    traits: Vec<Learned>,
}

/// Said of a run whose judge scores were left out.
pub(super) const JUDGE_LEFT_OUT: &str =
    "judge scores are of one of the two: they are left out of the comparison";

/// What a response's text alone tells.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredTurn {
    pub traits: Arc<[TraitResult]>,
    pub lexicon: LexiconScore,
    pub violations: Arc<[Violation]>,
    /// Why its traits cannot be read, in words.
    pub unread: Option<&'static str>,
}

impl ScoredTurn {
    /// Whether it breaks a rule of safety.
    pub fn is_in_breach(&self) -> bool {
        !self.violations.is_empty()
    }
}

impl Run {
    /// The distinct texts whose vectors the score needs: exemplars, off-brand examples, responses
    /// in order, labelled replies, a control of one's own. Without exemplars a session of one response has neither style nor stability.
    pub fn texts(&self) -> Vec<&str> {
        let exemplars = &self.persona.exemplars;
        let sessions = self.sessions.iter();
        let is_taught = !self.persona.taught.is_empty();
        let compared =
            sessions.filter(|session| is_taught || style::is_compared(exemplars, session));
        let responses = compared.flat_map(|session| &session.responses);
        let labels = self
            .labels
            .0
            .iter()
            .filter(|verdict| verdict.is_on.is_some());
        // a control that no voice is held against needs no vectors
        let control = self.control.iter();
        let control = control.filter(|_| is_taught || self.lesson().lacks().is_none());
        let taught = self.persona.taught.iter().flat_map(|one| &one.examples);
        let mut seen = HashSet::new();
        self.persona
            .exemplars
            .iter()
            .chain(&self.persona.off_brand)
            .chain(taught)
            .map(String::as_str)
            .chain(responses.map(|response| &*response.text))
            .chain(labels.map(|verdict| verdict.text.as_str()))
            .chain(control.flat_map(|control| control.texts.iter().map(String::as_str)))
            .filter(|text| seen.insert(*text))
            .collect()
    }

    /// Style and stability by an embedder, for [`Run::score_with`]: worth keeping
    /// while weights change.
    pub fn similarities(&self, embedder: &dyn Embedder) -> Similarities {
        at_once(self.similarities_in_steps(embedder, THROUGH))
    }

    /// The same in steps: a response.
    pub async fn similarities_in_steps(
        &self,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Similarities {
        style::compare(&self.persona.exemplars, &self.sessions, embedder, pause).await
    }

    /// The same of the vectors that are there while others are on their way.
    pub async fn similarities_so_far(
        &self,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Similarities {
        Similarities {
            problems: Vec::new(),
            is_partial: true,
            ..self.similarities_in_steps(embedder, pause).await
        }
    }

    /// What the persona's voice is learned from, beside a control.
    pub fn lesson(&self) -> Lesson {
        Lesson {
            exemplars: self.persona.exemplars.clone(),
            off_brand: self.persona.off_brand.clone(),
            labels: self.labels.agreed(),
            lexicon: self.persona.lexicon.clone(),
            control: self.control.clone(),
        }
    }

    /// What a voice says of each response, per session; nothing of one without a vector. A response
    /// is a step.
    pub async fn hear(
        &self,
        voice: &Voice,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Vec<Vec<Option<VoiceScore>>> {
        let lexicon = &self.persona.lexicon;
        self.heard_by(voice, lexicon, embedder, pause).await
    }

    /// The same with the words that the voice prefers and avoids.
    pub(super) async fn heard_by(
        &self,
        voice: &Voice,
        lexicon: &Lexicon,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Vec<Vec<Option<VoiceScore>>> {
        let all = self.sessions.iter();
        let total = all.map(|session| session.responses.len()).sum();
        let lexicon = LexiconMatcher::new(lexicon);
        let (mut voices, mut done) = (Vec::new(), 0);
        for session in self.sessions.iter() {
            let mut scores = Vec::new();
            for response in &session.responses {
                let vector = vector(&response.text, embedder).ok();
                let score = |vector| voice.score(&Text::new(&response.text, vector, &lexicon));
                scores.push(vector.map(score));
                done += 1;
                step(pause, Progress::new(done, total, "replies heard")).await;
            }
            voices.push(scores);
        }
        voices
    }

    /// How each session moves, by what is known of its replies. A shuffle is a step.
    pub async fn drifts(
        &self,
        similarities: &Similarities,
        pause: Pause<'_>,
    ) -> Vec<Option<Arc<Drift>>> {
        departures::drifts(&self.sessions, similarities, self.config.seed, pause).await
    }

    /// Similarities with the voice: all that a score needs, at once.
    pub fn measured(&self, embedder: &dyn Embedder, control: &Control) -> Similarities {
        self.measured_with(&self.learned(control, embedder), embedder)
    }

    /// What its persona, labels and control teach, whatever its sessions are.
    pub fn learned(&self, control: &Control, embedder: &dyn Embedder) -> Lessons {
        let voice = at_once(self.lesson().learn(control, embedder, THROUGH));
        let lessons = self.trait_lessons();
        Lessons {
            voice: voice.map(Arc::new),
            traits: at_once(lessons.learn(control, embedder, THROUGH)),
        }
    }

    /// The same as [`Run::measured`] with what was learned before.
    pub fn measured_with(&self, lessons: &Lessons, embedder: &dyn Embedder) -> Similarities {
        let mut similarities = self.similarities(embedder);
        match &lessons.voice {
            Ok(voice) => {
                similarities.voices = Arc::new(at_once(self.hear(voice, embedder, THROUGH)));
                similarities.voice = Some(voice.clone());
            }
            Err(reason) => similarities.voiceless = Some(reason.clone()),
        }
        similarities.told = Arc::new(at_once(self.tell(&lessons.traits, embedder, THROUGH)));
        similarities.drifts = Arc::new(at_once(self.drifts(&similarities, THROUGH)));
        similarities
    }

    /// Why a response sounds as it does: its voice taken apart. Fails where it has no vector.
    pub fn explain(
        &self,
        voice: &Voice,
        text: &str,
        embedder: &dyn Embedder,
    ) -> Result<Explanation, EmbedError> {
        let lexicon = LexiconMatcher::new(&self.persona.lexicon);
        Ok(voice.explain(text, vector(text, embedder)?, &lexicon))
    }

    /// The same without what a judge said: that is of one transcript, and counts for neither where
    /// two are compared.
    #[must_use]
    pub fn without_judge(&self) -> Self {
        let mut run = self.clone();
        let is_judged = |safety: &SessionSafety| safety.judge_score.is_some();
        if !run.safety.iter().any(is_judged) {
            return run;
        }
        let safety = self.turns.iter().map(|turns| {
            let violations: Vec<&[Violation]> =
                turns.iter().map(|turn| &*turn.violations).collect();
            safety::session(&violations, None)
        });
        run.safety = safety.collect();
        run.reasoning.fill(None);
        run.notes.push(JUDGE_LEFT_OUT.to_owned());
        run
    }

    /// The voice learned from one run, as it hears another: both sides of a comparison are held
    /// against the same.
    pub fn measured_by(&self, voice: Option<&Arc<Voice>>, embedder: &dyn Embedder) -> Similarities {
        at_once(self.measured_by_in_steps(voice, embedder, THROUGH))
    }

    /// The same in steps: a reply.
    pub async fn measured_by_in_steps(
        &self,
        voice: Option<&Arc<Voice>>,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Similarities {
        let mut similarities = self.similarities_in_steps(embedder, pause).await;
        if let Some(voice) = voice {
            similarities.voices = Arc::new(self.hear(voice, embedder, pause).await);
            similarities.voice = Some(voice.clone());
        }
        similarities
    }

    /// Every reply: its session and turn, its text and what it answers, where the transcript has that.
    pub fn rated(&self) -> Vec<Rated<'_>> {
        let sessions = self.sessions.iter();
        sessions
            .flat_map(|session| {
                session.responses.iter().map(|one| Rated {
                    session_id: &session.id,
                    turn_index: one.index,
                    text: &one.text,
                    prompt: one.prompt.as_deref(),
                })
            })
            .collect()
    }

    /// What somebody said of replies: what a voice is calibrated by.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Resamples and seed of the bootstrap, as the config has them.
    pub fn bootstrap(&self) -> (usize, u64) {
        (self.config.samples, self.config.seed)
    }

    /// What the persona is called, or its id.
    pub fn name(&self) -> Option<&str> {
        let Persona { name, id, .. } = &self.persona;
        name.as_deref().or(id.as_deref())
    }

    /// The config as it was given, its weights not scaled.
    pub fn given(&self) -> &Config {
        &self.config
    }
}

#[cfg(test)]
mod tests {
    use crate::persona::{Inputs, read};

    #[test]
    fn only_what_is_compared_needs_a_vector() {
        let texts = |persona: &str| {
            let rows = [("a", 1), ("b", 1), ("b", 2)].map(|(id, turn)| {
                format!(r#"{{"session_id": "{id}", "turn": {turn}, "assistant": "{id}{turn}"}}"#)
            });
            let run = read(&Inputs {
                persona,
                transcript: &rows.join("\n"),
                ..Inputs::default()
            });
            let run = run.result.expect("valid");
            run.texts()
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts("exemplars: [x]"), ["x", "a1", "b1", "b2"]);
        assert_eq!(texts("lexicon: {preferred: [x]}"), ["b1", "b2"]);
    }
}
