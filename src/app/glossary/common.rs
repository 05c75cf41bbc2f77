//! What all benches have.

use super::entry::{Entry, NEITHER};
use crate::analysis::bootstrap::{DEFAULT_SAMPLES, DEFAULT_SEED};
use crate::app::format::grouped;

/// Its entries.
pub fn entries() -> Vec<Entry> {
    let samples = grouped(DEFAULT_SAMPLES);
    vec![
        Entry::new(
            "weights",
            "Weights",
            "Weights",
            "How much each part counts. Drag a border of the strip, or set the number. The lock keeps a weight where it is, ↺ brings back the original. The stretch on a slider is where the verdict stands while only that weight moves; its ends are exact to the last digit.",
        )
        .from("what you set; else the input, its domain or the method")
        .range("0 and more; only their proportions decide a mean", NEITHER)
        .formula("contribution = weight × value"),
        Entry::new(
            "contribution",
            "Contribution",
            "Contributions",
            "What one part brings to a score. The contributions of a row add up to the score that stands beside it.",
        )
        .from("a weight and the value that it weighs")
        .range("0 and more; what is subtracted goes to the left", NEITHER)
        .formula("contribution = weight × value"),
        Entry::new(
            "nearest_flip",
            "Nearest flip",
            "How firm a verdict is",
            "The single weight whose smallest change, in proportion to its value, would change the verdict, a band or the grade, and what it would become.",
        )
        .from("the ends of the stretches of all weights")
        .range("0 % and more; the further, the firmer", NEITHER)
        .formula("change = |value at the end − value now| / value now"),
        Entry::new(
            "not_measured",
            "Not measured (–)",
            "Not measured",
            "Neither 0 nor 1: there was nothing to measure. The part is left out of the mean, and the others count for more.",
        )
        .from("the parts that were measured")
        .range("–", NEITHER)
        .formula("mean = Σ (weight × value) / Σ weight, over what was measured"),
        Entry::new(
            "interval",
            "95 % interval",
            "Spread and interval",
            "Where the mean would lie, in 95 of 100 cases, if the same number of sessions (or candidates) were drawn again from these. It says how much the choice of the sample matters, not whether the method is right.",
        )
        .from(format!(
            "{samples} resamples with replacement, seed {DEFAULT_SEED} unless others are set; none below two values"
        ))
        .range("within the range of the figure; narrower is surer", NEITHER)
        .formula("ends = the shares 0.025 and 0.975 of the resampled means"),
        Entry::new(
            "input_sha256",
            "Formula and input SHA-256",
            "Where a result comes from",
            "The name and version of the formula, and a fingerprint of the input's text. The same text gives the same 64 digits on every machine, so a result can be matched with its input.",
        )
        .from("the text as typed, without a byte-order mark, line ends as line feeds")
        .range("64 hexadecimal digits", NEITHER),
    ]
}
