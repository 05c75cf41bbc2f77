//! A debate's verdict in words, and how firm it is.

use crate::app::format::{count, fixed, percent};
use crate::app::verdict::{Tone, Verdict};
use crate::app::words::{flip_words, range_words};
use crate::debate::{
    DebateResult, Decision, End, Intervals, Spread, TieBreak, Uncertainty, WeightInterval, is_firm,
};

/// The verdict of a debate.
pub fn verdict(result: &DebateResult) -> Verdict {
    let alive: Vec<_> = result
        .results
        .iter()
        .filter(|row| !row.eliminated)
        .collect();
    let out = result.results.len() - alive.len();
    let also_out = if out == 0 {
        String::new()
    } else {
        format!(" {} eliminated.", count(out, "candidate"))
    };
    let tie = match result.tie_broken_by {
        Some(TieBreak::CriticalFails) => " Tied at the top; fewer critical fails decided.",
        Some(TieBreak::Base) => " Tied at the top; the higher base decided.",
        Some(TieBreak::None) => {
            " Tied at the top and nothing breaks the tie: synthesise, and consider one more pass."
        }
        None => "",
    };
    match (result.decision, &alive[..]) {
        (Decision::Winner, [first, second, ..]) => Verdict::new(
            Tone::Good,
            format!("{} wins: {}", first.id, fixed(first.score, 2)),
            format!(
                "Ahead of {} by {}; from 0.40 on a lead is a win.{tie}{also_out}",
                second.id,
                fixed(first.score - second.score, 2)
            ),
        ),
        (Decision::Winner, [only]) => Verdict::new(
            Tone::Good,
            format!("{} wins: {}", only.id, fixed(only.score, 2)),
            format!("The only candidate left.{also_out}"),
        ),
        (Decision::Hybrid, [first, second, ..]) => Verdict::new(
            Tone::Caution,
            format!("No clear winner: combine {} and {}", first.id, second.id),
            format!(
                "{} against {}: {} apart, and below 0.40 the top two are combined.{tie}{also_out}",
                fixed(first.score, 2),
                fixed(second.score, 2),
                fixed(first.score - second.score, 2)
            ),
        ),
        (Decision::Insufficient, [first, ..]) => Verdict::new(
            Tone::Caution,
            "Not enough to decide",
            format!(
                "The best score is {} ({}), and a decision needs 1.20. Ask focused follow-up questions.{also_out}",
                fixed(first.score, 2),
                first.id
            ),
        ),
        _ => Verdict::new(
            Tone::Bad,
            "Nobody is left",
            "Every candidate has two or more critical fails. Ask focused follow-up questions.",
        ),
    }
}

/// Where a verdict stands as one weight moves, and what comes beyond.
pub fn stands(interval: &WeightInterval) -> String {
    let end = |end: &End| (end.at, end.flip.as_ref().map(|flip| flip.words.clone()));
    let ends = [end(&interval.low), end(&interval.high)];
    range_words("The verdict stands", interval.current, ends)
}

/// The nearest flip in a sentence.
pub fn nearest_flip(intervals: &Intervals) -> String {
    let nearest = intervals
        .nearest_relative
        .as_ref()
        .or(intervals.nearest_absolute.as_ref());
    match nearest {
        None => "No change of a single weight changes the verdict.".into(),
        Some(flip) => flip_words(flip.from, flip.to, &flip.words),
    }
}

/// How firm the verdict of a debate is; the share of weight space once it is known.
/// While the shares are out of date a dash keeps the place of theirs, so that in a
/// drag nothing below moves.
pub fn how_firm(intervals: &Intervals, shares: Option<&Uncertainty>, is_current: bool) -> String {
    let ruling = &intervals.ruling;
    let flip = nearest_flip(intervals);
    let Some(winner) = &ruling.winner else {
        return flip;
    };
    let verdict = if is_firm(intervals, shares.filter(|_| is_current)) {
        "Firm. "
    } else if ruling.decision == Decision::Winner {
        "Not firm: no clear winner. "
    } else {
        ""
    };
    let share = shares.map_or_else(String::new, |shares| {
        let space = match shares.options.spread {
            Spread::Simplex => "of all weights with the same sum".to_owned(),
            Spread::WithinPercent(within) => {
                format!("of the weights within {within} % of these")
            }
        };
        let share = if is_current {
            percent(shares.first(winner))
        } else {
            "–".to_owned()
        };
        format!(" {winner} is first in {share} % {space}.")
    });
    format!("{verdict}{flip}{share}")
}

/// What an agreement means (Krippendorff's own bounds).
pub fn agreement(alpha: Option<f64>) -> &'static str {
    match alpha {
        None => "not defined: too few ratings, or all the same",
        Some(alpha) if alpha >= 0.8 => "they agree",
        Some(alpha) if alpha >= 0.667 => "they agree tentatively",
        Some(alpha) if alpha > 0.0 => "they agree little",
        Some(_) => "no more than by chance",
    }
}
