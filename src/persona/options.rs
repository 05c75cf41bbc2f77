//! What the caller of a run may choose.

/// What the caller may change on top of the config.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Weights by name (`authenticity_weight`, `style_weight`, ...) that replace the config's.
    pub weights: Vec<(String, f64)>,
    /// Seed of the bootstrap.
    pub seed: Option<u64>,
    /// Puts `voice/1` in the place of style in authenticity, or takes it out again.
    pub voice_as_style: Option<bool>,
    /// Whether the weights of style, traits and lexicon were chosen by labels: the result says so.
    pub weights_by_labels: bool,
    /// Replaces `max_expected_variance`.
    pub max_expected_variance: Option<f64>,
}
