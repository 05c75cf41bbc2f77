//! The seven principles, their weights and one rule for each.

use serde::{Deserialize, Serialize};

/// One number per principle, in the order of the method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the principles' names are the field's own
pub struct PerPrinciple {
    pub tasteful: f64,
    pub curated: f64,
    pub ethical: f64,
    pub joy_inducing: f64,
    pub composable: f64,
    pub heterarchical: f64,
    pub generative: f64,
}

/// The weights of the document; their sum is [`SCALE`].
pub const DEFAULT_WEIGHTS: PerPrinciple = PerPrinciple {
    tasteful: 1.0,
    curated: 1.0,
    ethical: 2.0,
    joy_inducing: 1.2,
    composable: 1.5,
    heterarchical: 1.0,
    generative: 1.0,
};

/// The total of a perfect turn with the default weights; bands are on this scale.
pub const SCALE: f64 = 8.7;

impl PerPrinciple {
    /// The names, in order.
    pub const NAMES: [&'static str; 7] = [
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
        Self::from_values([value; 7])
    }

    /// Numbers in the order of [`Self::NAMES`].
    pub const fn from_values(values: [f64; 7]) -> Self {
        let [
            tasteful,
            curated,
            ethical,
            joy_inducing,
            composable,
            heterarchical,
            generative,
        ] = values;
        Self {
            tasteful,
            curated,
            ethical,
            joy_inducing,
            composable,
            heterarchical,
            generative,
        }
    }

    /// The numbers in the order of [`Self::NAMES`].
    pub const fn values(&self) -> [f64; 7] {
        [
            self.tasteful,
            self.curated,
            self.ethical,
            self.joy_inducing,
            self.composable,
            self.heterarchical,
            self.generative,
        ]
    }

    /// Each number with its principle.
    pub fn named(&self) -> [(&'static str, f64); 7] {
        let mut copy = *self;
        copy.slots_mut().map(|(name, slot)| (name, *slot))
    }

    /// Each place with its principle.
    pub(super) fn slots_mut(&mut self) -> [(&'static str, &mut f64); 7] {
        let [
            tasteful,
            curated,
            ethical,
            joy,
            composable,
            heterarchical,
            generative,
        ] = Self::NAMES;
        [
            (tasteful, &mut self.tasteful),
            (curated, &mut self.curated),
            (ethical, &mut self.ethical),
            (joy, &mut self.joy_inducing),
            (composable, &mut self.composable),
            (heterarchical, &mut self.heterarchical),
            (generative, &mut self.generative),
        ]
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
/// 1.0, then falls by 5 per unit, not below 0.5. Unknown is 1.0, the document's
/// optimistic prior.
pub fn generative(context_utilization: Option<f64>) -> f64 {
    match context_utilization {
        // 1 - 5 (u - 0.9), multiplied out so that 1.0 gives 0.5 and no binary dust
        Some(u) if u > ROOMY_CONTEXT => (5.5 - 5.0 * u).max(0.5),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
