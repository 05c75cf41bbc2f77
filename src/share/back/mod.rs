//! Results in the shapes that other tools read. What a shape has no place for is lost; the file of
//! each says what.

mod comparator;
mod judgements;
mod labels;
mod openinference;
mod otel;
mod promptfoo;
mod words;

use crate::constitution::{Log, RewardResult};
use crate::debate::{DebateResult, Payload};
use crate::persona::PersonaResult;

/// A shape that other tools read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A file of LLM Comparator.
    Comparator,
    /// Events of OpenTelemetry.
    Otel,
    /// Annotations of OpenInference.
    OpenInference,
    /// Results of promptfoo.
    Promptfoo,
    /// The labels that the input came with.
    Labels,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Comparator,
        Self::Otel,
        Self::OpenInference,
        Self::Promptfoo,
        Self::Labels,
    ];
    /// Those of debates.
    pub const OF_DEBATES: [Self; 5] = Self::ALL;
    /// Those of scored turns.
    pub const OF_TURNS: [Self; 3] = [Self::Otel, Self::OpenInference, Self::Promptfoo];
    /// Those of a persona's sessions.
    pub const OF_SESSIONS: [Self; 3] = [Self::Otel, Self::OpenInference, Self::Labels];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Comparator => "comparator",
            Self::Otel => "otel",
            Self::OpenInference => "openinference",
            Self::Promptfoo => "promptfoo",
            Self::Labels => "labels",
        }
    }

    /// What it is called.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Comparator => "LLM Comparator",
            Self::Otel => "OpenTelemetry events",
            Self::OpenInference => "OpenInference annotations",
            Self::Promptfoo => "promptfoo results",
            Self::Labels => "Labels as they came",
        }
    }

    /// What is in its file.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Comparator => "The first two of the ranking side by side, with the raters",
            Self::Otel => "An event for each evaluation",
            Self::OpenInference => "An annotation for each evaluation",
            Self::Promptfoo => "A test with its assertions for each verdict",
            Self::Labels => "The labels of the input with the keys they came in",
        }
    }

    /// The shape of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }

    /// Ending of a file's name.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Comparator => "json",
            _ => "jsonl",
        }
    }
}

/// Scored debates in a shape: what was read, and what came of it. `text` is theirs, for the labels
/// in it. Empty where there is nothing to write.
pub fn debates_back(shape: Shape, text: &str, debates: &[(&Payload, &DebateResult)]) -> String {
    match shape {
        Shape::Comparator => comparator::text(debates),
        Shape::Otel => otel::text(&judgements::of_debates(debates)),
        Shape::OpenInference => openinference::text(&judgements::of_debates(debates)),
        Shape::Promptfoo => promptfoo::of_debates(debates),
        Shape::Labels => labels::of_debates(text),
    }
}

/// Scored turns in a shape; none in one that is not [of turns](Shape::OF_TURNS).
pub fn reward_back(shape: Shape, log: &Log, result: &RewardResult) -> Option<String> {
    match shape {
        Shape::Otel => Some(otel::text(&judgements::of_turns(result))),
        Shape::OpenInference => Some(openinference::text(&judgements::of_turns(result))),
        Shape::Promptfoo => Some(promptfoo::of_turns(log, result)),
        Shape::Comparator | Shape::Labels => None,
    }
}

/// Scored sessions in a shape; none in one that is not [of sessions](Shape::OF_SESSIONS).
/// `transcript` is their text, for the labels in it.
pub fn persona_back(shape: Shape, transcript: &str, result: &PersonaResult) -> Option<String> {
    match shape {
        Shape::Otel => Some(otel::text(&judgements::of_sessions(result))),
        Shape::OpenInference => Some(openinference::text(&judgements::of_sessions(result))),
        Shape::Labels => Some(labels::of_transcript(transcript)),
        Shape::Comparator | Shape::Promptfoo => None,
    }
}
