//! The persona's declared traits and which of them a response shows (SCORING.md section 3).

use std::sync::Arc;

use super::detectors::{self, Detection};
use super::result::TraitResult;
use super::signals::Signals;
use crate::text::Shown;

/// What a trait is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// formal, `business_casual` or casual.
    Formality,
    /// Any of professional, friendly, technical, conversational.
    Tone,
    /// concise, balanced or detailed.
    Verbosity,
}

impl Dimension {
    /// All, in the order of the result.
    pub const ALL: [Self; 3] = [Self::Formality, Self::Tone, Self::Verbosity];

    /// Its key in a persona.
    pub fn key(self) -> &'static str {
        match self {
            Self::Formality => "formality",
            Self::Tone => "tone",
            Self::Verbosity => "verbosity",
        }
    }

    /// The words that have a detector.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Formality => &["formal", "business_casual", "casual"],
            Self::Tone => &["professional", "friendly", "technical", "conversational"],
            Self::Verbosity => &["concise", "balanced", "detailed"],
        }
    }
}

/// A trait that a persona declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// What it is about.
    pub dimension: Dimension,
    /// Its word in lower case, white space and hyphens as `_`.
    pub word: String,
    /// As `tone:friendly`.
    pub name: Arc<str>,
}

impl Declared {
    /// A declared trait from its word as typed.
    pub fn new(dimension: Dimension, word: &str) -> Self {
        let words: Vec<&str> = word
            .split(|c: char| c.is_whitespace() || c == '-')
            .collect();
        let word = words.join("_").to_lowercase();
        Self {
            name: format!("{}:{word}", dimension.key()).into(),
            dimension,
            word,
        }
    }

    /// Why no detector can tell; `None` for a trait that can be measured.
    pub fn not_measurable(&self) -> Option<String> {
        let words = self.dimension.words();
        if words.contains(&self.word.as_str()) {
            return None;
        }
        let elsewhere = Dimension::ALL
            .into_iter()
            .find(|other| other.words().contains(&self.word.as_str()))
            .map(|other| format!("; it is a {}", other.key()))
            .unwrap_or_default();
        Some(format!(
            "{} {:?} cannot be measured (expected {}){elsewhere}",
            self.dimension.key(),
            Shown(&self.word),
            words.join(", ")
        ))
    }
}

/// What the detector of each measurable trait says; unmeasurable ones are left out.
pub fn detect(declared: &[Declared], signals: &Signals) -> Vec<TraitResult> {
    declared
        .iter()
        .filter_map(|declared| {
            let Detection { matched, evidence } = detectors::detect(&declared.word, signals)
                .filter(|_| declared.not_measurable().is_none())?;
            Some(TraitResult {
                name: Arc::clone(&declared.name),
                matched,
                evidence,
            })
        })
        .collect()
}

/// Matched traits / measurable traits, in [0, 1]; none without a measurable trait.
pub fn score(results: &[TraitResult]) -> Option<f64> {
    let matched = results.iter().filter(|result| result.matched).count();
    (!results.is_empty()).then(|| matched as f64 / results.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Folded;

    #[test]
    fn unknown_words_are_never_matched() {
        let text = "Sardonic? Helpful? Precise? Casual, lol!";
        let signals = Signals::measure(text, &Folded::new(text));
        let declared: Vec<Declared> = ["sardonic", "helpful", "precise", "casual"]
            .map(|word| Declared::new(Dimension::Tone, word))
            .into();
        assert_eq!(detect(&declared, &signals), vec![]);
        assert_eq!(score(&[]), None);
        let reason = declared[3].not_measurable().expect("no tone");
        assert!(reason.ends_with("it is a formality"), "{reason}");
    }

    #[test]
    fn words_are_read_in_any_spelling() {
        for word in ["business_casual", "Business Casual", "business-casual"] {
            assert_eq!(
                &*Declared::new(Dimension::Formality, word).name,
                "formality:business_casual"
            );
        }
    }

    #[test]
    fn the_share_of_matched_traits_is_the_score() {
        let text = "gonna be lit lol";
        let signals = Signals::measure(text, &Folded::new(text));
        let declared = [
            Declared::new(Dimension::Formality, "casual"),
            Declared::new(Dimension::Tone, "professional"),
            Declared::new(Dimension::Verbosity, "concise"),
        ];
        let results = detect(&declared, &signals);
        assert_eq!(score(&results), Some(2.0 / 3.0));
        assert!(!results[0].evidence.is_empty());
    }
}
