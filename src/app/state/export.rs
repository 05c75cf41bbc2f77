//! Results as files: JSON as the command line prints it, CSV, Markdown.

use serde::Serialize;

use crate::constitution::RewardResult;
use crate::debate::DebateResult;
use crate::persona::{PersonaResult, summary};
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
        Format::Csv => persona_csv(result),
        Format::Markdown => format!(
            "# Persona alignment\n\n```\n{}\n```\n",
            summary(result).trim_end()
        ),
    }
}

/// One line per session; what was not measured is empty.
fn persona_csv(result: &PersonaResult) -> String {
    let mut out = String::from(
        "session_id,overall,authenticity,style,traits,lexicon,safety,violation_rate,severity_score,judge_score,stability\r\n",
    );
    for session in &result.sessions {
        let numbers = [
            session.overall,
            session.authenticity,
            session.style,
            session.traits,
            session.lexicon,
            session.safety,
            session.violation_rate,
            session.severity_score,
            session.judge_score,
            session.stability,
        ];
        out.push_str(&quoted(&session.session_id));
        for number in numbers {
            out.push(',');
            out.push_str(&number.map(|number| number.to_string()).unwrap_or_default());
        }
        out.push_str("\r\n");
    }
    out
}

/// A text cell: always quoted, and with an apostrophe before what a
/// spreadsheet would run as a formula.
fn quoted(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        "'"
    } else {
        ""
    };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

/// The line that the command line prints.
fn json<T: Serialize>(result: &T) -> String {
    // results are plain data with string keys, which cannot fail to serialise
    serde_json::to_string(result).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_guarded() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
        assert_eq!(quoted("=1"), "\"'=1\"");
    }
}
