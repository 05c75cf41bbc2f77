//! Results as files: JSON as the command line prints it, CSV, Markdown.

use serde::Serialize;

use crate::constitution::RewardResult;
use crate::debate::DebateResult;
use crate::persona::PersonaResult;
use crate::share;

/// A file of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The result itself.
    Json,
    /// Its rows.
    Csv,
    /// A summary.
    Markdown,
}

impl Format {
    /// Ending of the file's name.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Markdown => "md",
        }
    }

    /// The file's media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv;charset=utf-8",
            Self::Markdown => "text/markdown;charset=utf-8",
        }
    }
}

/// A debate as a file.
pub fn debate(result: &DebateResult, format: Format) -> String {
    match format {
        Format::Json => json(result),
        Format::Csv => share::debate_csv(result),
        Format::Markdown => share::debate_markdown(result),
    }
}

/// Scored turns as a file.
pub fn constitution(result: &RewardResult, format: Format) -> String {
    match format {
        Format::Json => json(result),
        Format::Csv => share::reward_csv(result),
        Format::Markdown => share::reward_markdown(result),
    }
}

/// A persona run as a file.
pub fn persona(result: &PersonaResult, format: Format) -> String {
    match format {
        Format::Json => json(result),
        Format::Csv => share::persona_csv(result),
        Format::Markdown => share::persona_markdown(result),
    }
}

/// The line that the command line prints.
fn json<T: Serialize>(result: &T) -> String {
    // results are plain data with string keys, which cannot fail to serialise
    serde_json::to_string(result).unwrap_or_default() + "\n"
}
