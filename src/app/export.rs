//! The files of a result: JSON as the command line prints it, CSV, Markdown.

use serde::Serialize;

use crate::share::Shape;

/// A file of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The result itself.
    Json,
    /// Its rows.
    Csv,
    /// A summary.
    Markdown,
    /// All of it, with the input, as a page that can be checked.
    Report,
    /// What another tool reads.
    Back(Shape),
}

impl Format {
    /// Ending of the file's name.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Markdown => "md",
            Self::Report => "html",
            Self::Back(shape) => shape.ending(),
        }
    }

    /// The file's media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json | Self::Back(_) => "application/json",
            Self::Csv => "text/csv;charset=utf-8",
            Self::Markdown => "text/markdown;charset=utf-8",
            Self::Report => "text/html;charset=utf-8",
        }
    }
}

/// The name of a file without its ending: the bench, what it is about, the day.
pub fn file_name(bench: &str, topic: Option<&str>, day: &str) -> String {
    let topic = topic.unwrap_or_default().to_lowercase();
    let words = topic.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).take(6);
    let parts = ["assay", bench].into_iter().chain(words).chain([day]);
    parts.collect::<Vec<_>>().join("-")
}

/// The line that the command line prints.
pub fn json<T: Serialize>(result: &T) -> String {
    // results are plain data with string keys, which cannot fail to serialise
    serde_json::to_string(result).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_what_it_is_about_and_the_day() {
        let name = file_name(
            "debate",
            Some("Should we hedge, or “wait”? All in all: no."),
            "2026-11-23",
        );
        assert_eq!(name, "assay-debate-should-we-hedge-or-wait-all-2026-11-23");
        assert_eq!(
            file_name("persona", None, "2026-01-02"),
            "assay-persona-2026-01-02"
        );
    }
}
