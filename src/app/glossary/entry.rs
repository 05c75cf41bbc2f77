//! What there is to know of one number.

use std::borrow::Cow;

use crate::app::format::short;

/// A number, and what there is to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As labels name it: the name of a term, principle or metric in results, or a word of
    /// its own.
    pub key: &'static str,
    /// As people read it.
    pub title: Cow<'static, str>,
    /// The bench it belongs to; empty where all have it.
    pub bench: &'static str,
    /// What it measures.
    pub says: Cow<'static, str>,
    /// From what it is computed.
    pub from: Cow<'static, str>,
    /// Its range.
    pub range: Cow<'static, str>,
    /// Which way is better.
    pub better: &'static str,
    /// The formula in one line; empty where there is none.
    pub formula: Cow<'static, str>,
    /// Its weight unless another is set; empty where it has none.
    pub weight: String,
    /// The heading in SCORING.md.
    pub section: &'static str,
}

/// Which way is better.
pub const HIGHER: &str = "higher is better";
/// The other way.
pub const LOWER: &str = "lower is better";
/// It only tells.
pub const NEITHER: &str = "neither way";

impl Entry {
    /// An entry of a heading in SCORING.md.
    pub fn new(
        key: &'static str,
        title: impl Into<Cow<'static, str>>,
        section: &'static str,
        says: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            key,
            title: title.into(),
            bench: "",
            says: says.into(),
            from: Cow::Borrowed(""),
            range: Cow::Borrowed(""),
            better: NEITHER,
            formula: Cow::Borrowed(""),
            weight: String::new(),
            section,
        }
    }

    /// With what it is computed from.
    pub fn from(mut self, from: impl Into<Cow<'static, str>>) -> Self {
        self.from = from.into();
        self
    }

    /// With its range, and which way is better.
    pub fn range(mut self, range: impl Into<Cow<'static, str>>, better: &'static str) -> Self {
        (self.range, self.better) = (range.into(), better);
        self
    }

    /// With its formula in one line.
    pub fn formula(mut self, formula: impl Into<Cow<'static, str>>) -> Self {
        self.formula = formula.into();
        self
    }

    /// With its weight.
    pub fn weight(mut self, weight: String) -> Self {
        self.weight = weight;
        self
    }

    /// Whether all these words stand in it; they are in small letters.
    pub fn has(&self, words: &str) -> bool {
        let all = format!("{} {} {} {}", self.title, self.key, self.says, self.formula);
        let all = all.to_ascii_lowercase();
        words.split_whitespace().all(|word| all.contains(word))
    }
}

/// Numbers from one to another.
pub fn to(from: f64, to: f64) -> String {
    format!("{} to {}", short(from), short(to))
}
