//! Sentences that the benches have in common: how far a weight can move.

use super::format::{fixed, short};

/// What holds between two ends, each with what comes beyond it.
pub fn range_words(what: &str, current: f64, [low, high]: [(f64, Option<String>); 2]) -> String {
    // inwards, so that the sentence stays true
    let inwards = |at: f64, round: fn(f64) -> f64| {
        let coarse = round(at * 100.0) / 100.0;
        let is_between = (coarse - at) * (current - coarse) >= 0.0;
        short(if is_between { coarse } else { at })
    };
    let range = match (&low.1, &high.1) {
        (None, None) => return format!("{what} at every value."),
        (None, Some(_)) => format!("up to {}", inwards(high.0, f64::floor)),
        (Some(_), None) => format!("from {}", inwards(low.0, f64::ceil)),
        (Some(_), Some(_)) => format!(
            "from {} to {}",
            inwards(low.0, f64::ceil),
            inwards(high.0, f64::floor)
        ),
    };
    let flips: Vec<String> = [low.1, high.1].into_iter().flatten().collect();
    format!("{what} {range}: {}.", flips.join(", "))
}

/// A flip as a weight goes from one value to another.
pub fn flip_words(from: f64, to: f64, words: &str) -> String {
    let relative = (to - from).abs() / from;
    let by = if from == 0.0 {
        String::new()
    } else if relative >= 2.0 {
        format!(", {} times its value", fixed(to / from, 0))
    } else {
        let side = if to < from { "less" } else { "more" };
        format!(", {} % {side} than now", fixed(relative * 100.0, 1))
    };
    format!("Nearest flip: {words}{by}.")
}
