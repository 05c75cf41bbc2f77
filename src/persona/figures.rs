//! What the result of all sessions is made of: the figures of each, and the terms that all are scored
//! on. Texts, evidence and vectors are not in it.

use serde::{Deserialize, Serialize};

use crate::analysis::bootstrap::mean;
use crate::embedding::ModelIdentity;

use super::config::Config;
use super::drift::Stretch;
use super::metric::Metric;
use super::result::{FORMULA, MetricSummary, SafetyPart, SessionResult, TurnResult, VoiceSummary};
use super::style::Similarities;
use super::voice::{self, ControlSample, Counts};

/// The figures of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub(super) session_id: String,
    /// In the order of [`Metric::ALL`]; none where it was not measured.
    metrics: [Option<f64>; Metric::ALL.len()],
    /// In the order of [`SafetyPart::ALL`].
    safety: [Option<f64>; SafetyPart::ALL.len()],
    pub(super) decided_by: Option<SafetyPart>,
    /// How many responses it has, and of how many the traits cannot be read.
    pub(super) turns: usize,
    pub(super) unread: usize,
    /// Whether the style of all of them was measured.
    pub(super) has_styles: bool,
    /// Whether it was measured how it moves, and the stretch in which it departs, where it is long enough
    /// to tell.
    pub(super) has_drift: bool,
    pub(super) stretch: Option<Stretch>,
    /// Each trait that is told by examples, with the mean over the responses.
    taught: Vec<(String, f64)>,
}

impl Figures {
    /// Those of a scored session.
    pub fn of(session: &SessionResult) -> Self {
        let turns = &session.turns;
        let counted = |is: &dyn Fn(&&TurnResult) -> bool| turns.iter().filter(is).count();
        Self {
            session_id: session.session_id.clone(),
            metrics: Metric::ALL.map(|metric| metric.of_session(session)),
            safety: SafetyPart::ALL.map(|part| part.of_session(session)),
            decided_by: session.decided_by,
            turns: turns.len(),
            unread: counted(&|turn| turn.unread.is_some()),
            has_styles: turns.iter().all(|turn| turn.style.is_some()),
            has_drift: session.drift.is_some(),
            stretch: session.drift.as_ref().and_then(|drift| drift.stretch),
            taught: taught(turns),
        }
    }

    /// A metric; none where it was not measured.
    pub(super) fn metric(&self, metric: Metric) -> Option<f64> {
        self.metrics[metric as usize]
    }

    /// A part of its safety.
    pub(super) fn safety_part(&self, part: SafetyPart) -> Option<f64> {
        self.safety[part as usize]
    }

    /// The mean of a trait that is told by examples.
    pub(super) fn taught(&self, word: &str) -> Option<f64> {
        let found = self.taught.iter().find(|(own, _)| own == word);
        found.map(|(_, mean)| *mean)
    }
}

fn taught(turns: &[TurnResult]) -> Vec<(String, f64)> {
    let mut values: Vec<(&str, Vec<f64>)> = Vec::new();
    for one in turns.iter().flat_map(|turn| &turn.taught) {
        match values.iter_mut().find(|(word, _)| *word == one.word) {
            Some((_, values)) => values.push(one.value),
            None => values.push((&one.word, vec![one.value])),
        }
    }
    let means = values.into_iter();
    means
        .filter_map(|(word, values)| Some((word.to_owned(), mean(&values)?)))
        .collect()
}

/// What sessions are scored on, whatever they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The weights and settings.
    pub(super) config: Config,
    /// The model; null when nothing was embedded.
    pub(super) model: Option<ModelIdentity>,
    /// The voice that heard them; null where there is none.
    voice: Option<VoiceTerms>,
    /// The traits that are told by examples.
    pub(super) taught: Vec<TraitTerms>,
    /// What is to be known of the voice, then of those traits.
    pub(super) notes: (Vec<String>, Vec<String>),
}

/// What a voice is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct VoiceTerms {
    learned_from: Counts,
    control: ControlSample,
    threshold: Option<f64>,
    separation: Option<f64>,
}

/// A trait that is told by examples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraitTerms {
    /// As `witty`.
    #[serde(rename = "trait")]
    pub(super) word: String,
    /// How many examples it was learned from.
    pub(super) examples: usize,
}

impl Terms {
    /// The terms of a config and of what was learned.
    pub(super) fn of(config: &Config, similarities: &Similarities) -> Self {
        let voice = similarities.voice.as_ref().map(|voice| VoiceTerms {
            learned_from: voice.counts,
            control: voice.control.clone(),
            threshold: voice.threshold(),
            separation: voice.separation,
        });
        let (mut taught, mut untold) = (Vec::new(), Vec::new());
        for told in similarities.told.iter() {
            let learned = &told.learned;
            taught.push(TraitTerms {
                word: learned.word.clone(),
                examples: learned.examples,
            });
            if let Err(reason) = &learned.contrast {
                let word = &learned.word;
                untold.push(format!("{word} by its examples is not measured: {reason}"));
            }
        }
        Self {
            config: config.clone(),
            model: similarities.model.clone(),
            voice,
            taught,
            notes: (voice_notes(config, similarities), untold),
        }
    }

    /// The voice over all sessions.
    pub(super) fn voice(&self, metric: MetricSummary) -> Option<VoiceSummary> {
        let voice = self.voice.as_ref()?;
        Some(VoiceSummary {
            formula: voice::FORMULA,
            metric,
            learned_from: voice.learned_from,
            control: voice.control.clone(),
            threshold: voice.threshold,
            separation: voice.separation,
            is_style: self.config.voice_as_style,
        })
    }
}

/// What is to be known of the voice.
fn voice_notes(config: &Config, similarities: &Similarities) -> Vec<String> {
    let mut notes = Vec::new();
    if config.voice_as_style {
        notes.push(format!(
            "{} stands in the place of style in authenticity: this is not the overall score of {FORMULA}",
            voice::FORMULA
        ));
    }
    let calibrated = similarities.voice.as_ref().map(|voice| voice.counts.labels);
    if let Some(labels) = calibrated.filter(|labels| *labels > 0) {
        notes.push(format!("voice is calibrated by {labels} labels"));
    }
    notes.extend(
        similarities
            .voiceless
            .iter()
            .map(|reason| format!("voice is not measured: {reason}")),
    );
    notes
}
