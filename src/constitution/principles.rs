//! The seven principles: everything that is made per principle is made from
//! [`Principle::ALL`], so that one has one name, one label and one place everywhere.
//! Their weights, and a rule for each that can be measured.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A principle, in the order of the method (SCORING.md section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // named by the method
pub enum Principle {
    Tasteful,
    Curated,
    Ethical,
    JoyInducing,
    Composable,
    Heterarchical,
    Generative,
}

impl Principle {
    /// How many there are.
    pub const COUNT: usize = 7;

    /// All of them, in the order of the method.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Tasteful,
        Self::Curated,
        Self::Ethical,
        Self::JoyInducing,
        Self::Composable,
        Self::Heterarchical,
        Self::Generative,
    ];

    /// Its name in inputs and results.
    pub const fn name(self) -> &'static str {
        PerPrinciple::NAMES[self as usize]
    }

    /// Its name in sentences.
    pub const fn word(self) -> &'static str {
        match self {
            Self::JoyInducing => "joy-inducing",
            _ => self.name(),
        }
    }

    /// Its name at the head of a column or field.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Tasteful => "Tasteful",
            Self::Curated => "Curated",
            Self::Ethical => "Ethical",
            Self::JoyInducing => "Joy-inducing",
            Self::Composable => "Composable",
            Self::Heterarchical => "Heterarchical",
            Self::Generative => "Generative",
        }
    }

    /// What it asks, and what its rule measures, where it has one.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Tasteful => "Does this serve a clear purpose?",
            Self::Curated => "Is this intentional?",
            Self::Ethical => "Does this respect human agency? Changes should be acknowledged.",
            Self::JoyInducing => "Does this delight? Replies under 20 characters score lower.",
            Self::Composable => "Does this compose cleanly? More than 5 tools score lower.",
            Self::Heterarchical => "Can this both lead and follow?",
            Self::Generative => "Is this compressive? Over 90 % of the context scores lower.",
        }
    }

    /// What it asks.
    pub fn question(self) -> &'static str {
        let help = self.help();
        help.split_inclusive('?').next().unwrap_or(help)
    }
}

/// One number per principle, in the order of [`Principle::ALL`]; it is asked for by
/// its principle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerPrinciple([f64; Principle::COUNT]);

/// Some of the principles; written as the list of their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Principles([bool; Principle::COUNT]);

impl Principles {
    /// All of them.
    pub const ALL: Self = Self([true; Principle::COUNT]);

    /// Those for which it is so.
    pub fn those(is: impl Fn(Principle) -> bool) -> Self {
        Self(Principle::ALL.map(is))
    }

    /// Takes one out.
    pub fn remove(&mut self, principle: Principle) {
        self.0[principle as usize] = false;
    }

    /// Whether it is one of them.
    pub fn has(self, principle: Principle) -> bool {
        self.0[principle as usize]
    }

    /// Them in order.
    pub fn iter(self) -> impl Iterator<Item = Principle> {
        let all = Principle::ALL.into_iter();
        all.filter(move |principle| self.0[*principle as usize])
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.iter().count()
    }
}

impl Serialize for Principles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Principles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = Vec::<Principle>::deserialize(deserializer)?;
        Ok(Self::those(|principle| named.contains(&principle)))
    }
}

/// The weights of the document; their sum is [`SCALE`].
pub const DEFAULT_WEIGHTS: PerPrinciple = PerPrinciple([
    1.0, // tasteful
    1.0, // curated
    2.0, // ethical
    1.2, // joy_inducing
    1.5, // composable
    1.0, // heterarchical
    1.0, // generative
]);

/// The total of a perfect turn with the default weights; bands are on this scale.
pub const SCALE: f64 = 8.7;

/// What a principle scores where nothing measures it: the document's optimistic prior.
pub const PRIOR: f64 = 1.0;

impl PerPrinciple {
    /// The names, in order.
    pub const NAMES: [&'static str; Principle::COUNT] = [
        "tasteful",
        "curated",
        "ethical",
        "joy_inducing",
        "composable",
        "heterarchical",
        "generative",
    ];

    /// The same number for every principle.
    pub const fn all(value: f64) -> Self {
        Self([value; Principle::COUNT])
    }

    /// Numbers in the order of [`Principle::ALL`].
    pub const fn from_values(values: [f64; Principle::COUNT]) -> Self {
        Self(values)
    }

    /// The numbers in the order of [`Principle::ALL`].
    pub const fn values(&self) -> [f64; Principle::COUNT] {
        self.0
    }

    /// Each number with the name of its principle.
    pub fn named(&self) -> [(&'static str, f64); Principle::COUNT] {
        Principle::ALL.map(|principle| (principle.name(), self[principle]))
    }

    /// Each place with the name of its principle.
    pub(super) fn slots_mut(&mut self) -> Vec<(&'static str, &mut f64)> {
        Self::NAMES.into_iter().zip(&mut self.0).collect()
    }
}

impl Index<Principle> for PerPrinciple {
    type Output = f64;

    fn index(&self, principle: Principle) -> &f64 {
        &self.0[principle as usize]
    }
}

impl IndexMut<Principle> for PerPrinciple {
    fn index_mut(&mut self, principle: Principle) -> &mut f64 {
        &mut self.0[principle as usize]
    }
}

/// As an object of name and number.
impl Serialize for PerPrinciple {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.named())
    }
}

impl<'de> Deserialize<'de> for PerPrinciple {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = HashMap::<String, f64>::deserialize(deserializer)?;
        let mut numbers = Self::all(0.0);
        for (name, slot) in numbers.slots_mut() {
            let found = named.get(name);
            *slot = *found.ok_or_else(|| D::Error::missing_field(name))?;
        }
        Ok(numbers)
    }
}

/// Respect for human agency: no mutations 1.0, acknowledged 0.9, unacknowledged 0.5.
pub fn ethical(has_mutations: bool, acknowledged: bool) -> f64 {
    match (has_mutations, acknowledged) {
        (false, _) => 1.0,
        (true, true) => 0.9,
        (true, false) => 0.5,
    }
}

/// So many tools compose cleanly.
pub const CLEAN_TOOLS: usize = 5;

/// Clean composition: up to [`CLEAN_TOOLS`] 1.0, 0.1 less for each more, not below 0.5.
pub fn composable(tools: usize) -> f64 {
    // a whole number of tenths divided once is exact where 1 - 0.1 n is not
    let tenths = 10_usize
        .saturating_sub(tools.saturating_sub(CLEAN_TOOLS))
        .max(5);
    tenths as f64 / 10.0
}

/// From so many characters on a response delights in full.
pub const FULL_LENGTH: usize = 20;

/// Delight, by the length of the response in Unicode scalar values, untrimmed:
/// none 0.3, shorter than [`FULL_LENGTH`] growing from 0.5 to 1, then 1.0.
pub fn joy_inducing(response: &str) -> f64 {
    match response.chars().take(FULL_LENGTH).count() {
        0 => 0.3,
        FULL_LENGTH => 1.0,
        n => (FULL_LENGTH + n) as f64 / (2 * FULL_LENGTH) as f64,
    }
}

/// Up to this share of the context in use a turn is compressive.
pub const ROOMY_CONTEXT: f64 = 0.9;

/// Compression, by the context utilisation in [0, 1]: up to [`ROOMY_CONTEXT`] it is
/// 1.0, then falls by 5 per unit, not below 0.5. Unknown is the [`PRIOR`].
pub fn generative(context_utilization: Option<f64>) -> f64 {
    match context_utilization {
        // 1 - 5 (u - 0.9), multiplied out so that 1.0 gives 0.5 and no binary dust
        Some(u) if u > ROOMY_CONTEXT => (5.5 - 5.0 * u).max(0.5),
        Some(_) => 1.0,
        None => PRIOR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_and_the_names_are_one() {
        for (place, principle) in Principle::ALL.into_iter().enumerate() {
            assert_eq!(principle as usize, place);
            assert_eq!(serde_json::json!(principle), principle.name());
            assert_eq!(principle.word(), principle.name().replace('_', "-"));
            assert_eq!(principle.word(), principle.label().to_lowercase());
            assert!(principle.question().ends_with('?'));
        }
        let mut numbers = PerPrinciple::all(0.0);
        numbers[Principle::Ethical] = 1.0;
        assert_eq!(numbers.named()[2], ("ethical", 1.0));
    }

    #[test]
    fn a_principle_is_explained_by_its_own_numbers() {
        let says = |principle: Principle, number: String| {
            assert!(principle.help().contains(&number), "{number}");
        };
        let length = format!("under {FULL_LENGTH} characters");
        says(Principle::JoyInducing, length);
        says(
            Principle::Composable,
            format!("More than {CLEAN_TOOLS} tools"),
        );
        let context = format!("Over {} % of the context", ROOMY_CONTEXT * 100.0);
        says(Principle::Generative, context);
    }

    #[test]
    fn default_weights_sum_to_the_scale() {
        assert_eq!(crate::analysis::sum(&DEFAULT_WEIGHTS.values()), SCALE);
    }

    #[test]
    fn rules_at_their_edges() {
        assert_eq!(
            [5, 6, 8, 10, 11, 100].map(composable),
            [1.0, 0.9, 0.7, 0.5, 0.5, 0.5]
        );
        assert_eq!(joy_inducing(""), 0.3);
        assert_eq!(joy_inducing(" "), 0.525, "white space counts");
        assert_eq!(joy_inducing(&"é".repeat(19)), 0.975);
        assert_eq!(joy_inducing(&"\u{1f525}".repeat(20)), 1.0);
        assert_eq!(generative(None), 1.0);
        assert_eq!(generative(Some(0.9)), 1.0);
        assert!((generative(Some(0.95)) - 0.75).abs() < 1e-12);
        assert_eq!(generative(Some(1.0)), 0.5);
        assert_eq!(ethical(false, false), 1.0);
    }
}
