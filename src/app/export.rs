//! The files of a result: JSON as the command line prints it, CSV, Markdown.

use serde::Serialize;

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

/// The line that the command line prints.
pub fn json<T: Serialize>(result: &T) -> String {
    // results are plain data with string keys, which cannot fail to serialise
    serde_json::to_string(result).unwrap_or_default() + "\n"
}
