//! Sentences that the benches have in common: how far a weight can move, and how files
//! were read.

use super::format::{fixed, short};
use crate::analysis::flips::{Flip, Nearest, WeightInterval};

/// Within which bounds of one weight something stands, and what comes beyond.
pub fn stands<F: Flip>(what: &str, interval: &WeightInterval<F>) -> String {
    // inwards, so that the sentence stays true
    let inwards = |at: f64, round: fn(f64) -> f64| {
        let coarse = round(at * 100.0) / 100.0;
        let is_between = (coarse - at) * (interval.current - coarse) >= 0.0;
        short(if is_between { coarse } else { at })
    };
    let low = interval.low.flips_at().map(|at| inwards(at, f64::ceil));
    let high = interval.high.flips_at().map(|at| inwards(at, f64::floor));
    let range = match (low, high) {
        (None, None) => return format!("{what} at every value."),
        (None, Some(high)) => format!("up to {high}"),
        (Some(low), None) => format!("from {low}"),
        (Some(low), Some(high)) => format!("from {low} to {high}"),
    };
    let flips: Vec<&str> = interval.flips().map(Flip::words).collect();
    format!("{what} {range}: {}.", flips.join(", "))
}

/// The nearest flip in a sentence; `what` is what none changes.
pub fn nearest_words<F: Flip>(what: &str, nearest: Option<&Nearest<F>>) -> String {
    nearest.map_or_else(
        || no_flip(what),
        |nearest| flip_words(nearest.from, nearest.flip.at(), nearest.flip.words()),
    )
}

/// There is no flip.
pub fn no_flip(what: &str) -> String {
    format!("No change of a single weight changes {what}.")
}

/// A flip as a weight goes from one value to another.
pub fn flip_words(from: f64, to: f64, words: &str) -> String {
    let relative = (to - from).abs() / from;
    let by = if from == 0.0 {
        String::new()
    } else if relative >= 2.0 {
        format!(", {} times as much as now", fixed(to / from, 0))
    } else {
        let side = if to < from { "less" } else { "more" };
        format!(", {} % {side} than now", fixed(relative * 100.0, 1))
    };
    format!("Nearest flip: {words}{by}.")
}

/// Files that are not UTF-8: how they were read.
pub fn guessed_words(names: &[String]) -> String {
    let (is, it) = match names {
        [_] => ("is", "it was"),
        _ => ("are", "they were"),
    };
    format!(
        "{} {is} not UTF-8: {it} read as Windows-1252 (Latin-1). Look whether letters like é or “ are right.",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::flips::End;

    struct Beyond(f64, &'static str);

    impl Flip for Beyond {
        fn at(&self) -> f64 {
            self.0
        }
        fn words(&self) -> &str {
            self.1
        }
    }

    #[test]
    fn a_stretch_is_told_inwards() {
        let interval = |low: Option<f64>, high: Option<f64>| {
            let end = |at: Option<f64>, words, bound| match at {
                Some(at) => End::flipping(at, Beyond(at, words)),
                None => End::standing(bound),
            };
            let (low, high) = (end(low, "below it", 0.0), end(high, "above it", 1e9));
            let interval = WeightInterval {
                weight: "w",
                current: 1.0,
                low,
                high,
            };
            stands("It stands", &interval)
        };
        assert_eq!(interval(None, None), "It stands at every value.");
        let both = interval(Some(0.123), Some(1.456));
        assert_eq!(both, "It stands from 0.13 to 1.45: below it, above it.");
        assert_eq!(interval(None, Some(1.001)), "It stands up to 1: above it.");
        // rounded to two decimals it would lie beyond the weight itself
        let close = interval(Some(0.999), None);
        assert_eq!(close, "It stands from 1: below it.");
    }

    #[test]
    fn a_guess_is_said() {
        let words = guessed_words(&["a.jsonl".to_owned()]);
        assert!(words.starts_with("a.jsonl is not UTF-8: it was read as Windows-1252"));
        let words = guessed_words(&["a".to_owned(), "b".to_owned()]);
        assert!(words.starts_with("a, b are not UTF-8: they were"));
    }

    #[test]
    fn a_flip_is_told_in_proportion() {
        assert_eq!(
            flip_words(2.0, 1.0, "x"),
            "Nearest flip: x, 50.0 % less than now."
        );
        assert_eq!(
            flip_words(2.0, 2.5, "x"),
            "Nearest flip: x, 25.0 % more than now."
        );
        assert_eq!(
            flip_words(2.0, 8.0, "x"),
            "Nearest flip: x, 4 times as much as now."
        );
        assert_eq!(flip_words(0.0, 8.0, "x"), "Nearest flip: x.");
    }
}
