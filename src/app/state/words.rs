//! What the page says of a verdict. Every number of a method in it is the method's
//! own constant.

use crate::analysis::agreement::{AGREED, TENTATIVE};
use crate::analysis::flips::{Flip, WeightInterval};
use crate::constitution::{self, RewardResult, SCALE};
use crate::debate::rules::{CLEAR_GAP, ELIMINATION, SUFFICIENT};
use crate::debate::{
    DebateResult, Decision, Intervals, Row, Spread, TieBreak, Uncertainty, is_firm,
};
use crate::persona::{self, Grade, PersonaResult};

use super::benches::PRINCIPLES;
use super::format::{count, fixed, percent, short};

/// How a verdict is to be taken; shown as a mark beside the words, never as colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Clear and good.
    Good,
    /// Look twice.
    Caution,
    /// Bad.
    Bad,
    /// Neither.
    Neutral,
}

impl Tone {
    /// Its name in style sheets.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Caution => "caution",
            Self::Bad => "bad",
            Self::Neutral => "neutral",
        }
    }
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How to take it.
    pub tone: Tone,
    /// The verdict.
    pub headline: String,
    /// What it stands on.
    pub detail: String,
}

impl Verdict {
    fn new(tone: Tone, headline: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            tone,
            headline: headline.into(),
            detail: detail.into(),
        }
    }
}

/// The verdict of a debate.
pub fn debate(result: &DebateResult) -> Verdict {
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
    let tie = result.tie_broken_by.map_or("", tie);
    match (result.decision, &alive[..]) {
        (Decision::Winner, [first, rest @ ..]) => {
            let over = rest.first().map_or_else(
                || "The only candidate left.".to_owned(),
                |second| lead(first, second) + tie,
            );
            let headline = format!("{} wins: {}", first.id, fixed(first.score, 2));
            Verdict::new(Tone::Good, headline, over + &also_out)
        }
        (Decision::Hybrid, [first, second, ..]) => Verdict::new(
            Tone::Caution,
            format!("No clear winner: combine {} and {}", first.id, second.id),
            no_lead(first, second) + tie + &also_out,
        ),
        (Decision::Insufficient, [first, ..]) => Verdict::new(
            Tone::Caution,
            "Not enough to decide",
            format!(
                "The best score is {} ({}), and a decision needs {SUFFICIENT:.2}. {ASK}{also_out}",
                fixed(first.score, 2),
                first.id
            ),
        ),
        _ => Verdict::new(
            Tone::Bad,
            "Nobody is left",
            format!("Every candidate has {ELIMINATION}. {ASK}"),
        ),
    }
}

const ASK: &str = "Ask focused follow-up questions.";

const fn tie(broken_by: TieBreak) -> &'static str {
    match broken_by {
        TieBreak::CriticalFails => " Tied at the top; fewer critical fails decided.",
        TieBreak::Base => " Tied at the top; the higher base decided.",
        TieBreak::None => {
            " Tied at the top and nothing breaks the tie: synthesise, and consider one more pass."
        }
    }
}

fn lead(first: &Row, second: &Row) -> String {
    format!(
        "Ahead of {} by {}; from {CLEAR_GAP:.2} on a lead is a win.",
        second.id,
        fixed(first.score - second.score, 2)
    )
}

fn no_lead(first: &Row, second: &Row) -> String {
    format!(
        "{} against {}: {} apart, and below {CLEAR_GAP:.2} the top two are combined.",
        fixed(first.score, 2),
        fixed(second.score, 2),
        fixed(first.score - second.score, 2)
    )
}

/// What stands within the interval of a debate's weight.
pub const VERDICT_STANDS: &str = "The verdict stands";
/// What stands within the interval of a principle's weight.
pub const BANDS_STAND: &str = "Every turn keeps its band";
/// What stands within the interval of a persona's weight.
pub const GRADE_STANDS: &str = "The grade stands";

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

/// The nearest flip in a sentence.
pub fn nearest_flip(intervals: &Intervals) -> String {
    let nearest = intervals
        .nearest_relative
        .as_ref()
        .or(intervals.nearest_absolute.as_ref());
    nearest.map_or_else(
        || no_flip("the verdict"),
        |flip| flip_words(flip.from, flip.to, &flip.words),
    )
}

/// The nearest change of a band in a sentence.
pub fn nearest_band(intervals: &constitution::Intervals) -> String {
    intervals.nearest.as_ref().map_or_else(
        || no_flip("a band"),
        |flip| flip_words(flip.from, flip.to, &flip.words),
    )
}

/// The nearest flip of a grade in a sentence.
pub fn nearest_grade(intervals: &persona::Intervals) -> String {
    intervals.nearest.as_ref().map_or_else(
        || no_flip("the grade"),
        |nearest| flip_words(nearest.from, nearest.flip.at, &nearest.flip.words),
    )
}

fn no_flip(what: &str) -> String {
    format!("No change of a single weight changes {what}.")
}

fn flip_words(from: f64, to: f64, words: &str) -> String {
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

/// How firm the bands of a session are.
pub fn how_firm_bands(intervals: &constitution::Intervals) -> String {
    let flip = nearest_band(intervals);
    let Some(turn) = &intervals.closest else {
        return format!("Every turn is perfect. {flip}");
    };
    let (number, band, other) = (turn.turn_number, turn.band.word(), turn.other.word());
    let scaled = fixed(turn.scaled, 2);
    let by = fixed(turn.by, if turn.by < 0.01 { 4 } else { 2 });
    let how = if turn.band < turn.other {
        format!("{by} above {other}")
    } else {
        format!("{by} short of {other}")
    };
    format!(
        "{flip} Closest to another band: turn {number}, {band} with {scaled} of {SCALE}, {how}."
    )
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
        Some(alpha) if alpha >= AGREED => "they agree",
        Some(alpha) if alpha >= TENTATIVE => "they agree tentatively",
        Some(alpha) if alpha > 0.0 => "they agree little",
        Some(_) => "no more than by chance",
    }
}

/// The name of a principle as people read it.
pub fn principle_label(name: &str) -> &str {
    PRINCIPLES
        .iter()
        .find(|field| field.name == name)
        .map_or(name, |field| field.label)
}

/// The verdict of a session of turns.
pub fn constitution(result: &RewardResult) -> Verdict {
    let session = &result.session;
    let rejected = result.turns.iter().filter(|turn| turn.rejected).count();
    let bands = &session.bands;
    let tone = if rejected > 0 || bands.poor > 0 {
        Tone::Bad
    } else if bands.concerning > 0 {
        Tone::Caution
    } else {
        Tone::Good
    };
    let mut parts: Vec<String> = bands
        .named()
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, band)| format!("{number} {band}"))
        .collect();
    if rejected > 0 {
        parts.push(format!("{rejected} rejected by the ethical floor"));
    }
    let perfect = bands.perfect == session.turns && rejected == 0;
    let weakest = if perfect {
        String::new()
    } else {
        format!(
            " Weakest principle: {}.",
            principle_label(session.weakest).to_lowercase()
        )
    };
    Verdict::new(
        tone,
        format!(
            "{} of {} on average",
            fixed(session.mean_total, 2),
            fixed(result.weights_sum, 2)
        ),
        format!(
            "{}: {}.{weakest}",
            count(session.turns, "turn"),
            parts.join(", ")
        ),
    )
}

/// The verdict of a persona run.
pub fn persona(result: &PersonaResult) -> Verdict {
    let sessions = count(result.sessions.len(), "session");
    let responses: usize = result
        .sessions
        .iter()
        .map(|session| session.turns.len())
        .sum();
    let scope = format!("{} in {sessions}", count(responses, "response"));
    let (Some(overall), Some(grade)) = (result.overall, result.grade) else {
        return Verdict::new(Tone::Neutral, "Nothing to score", format!("{scope}."));
    };
    let tone = match grade {
        Grade::A | Grade::B => Tone::Good,
        Grade::C | Grade::D => Tone::Caution,
        Grade::F => Tone::Bad,
    };
    if result.partial.is_empty() {
        return Verdict::new(
            tone,
            format!("Grade {}: {}", grade.letter(), fixed(overall, 3)),
            format!("{scope}, all parts measured."),
        );
    }
    Verdict::new(
        Tone::Neutral,
        format!("So far {} ({})", fixed(overall, 3), grade.letter()),
        format!(
            "{scope}. Not measured yet or not measurable: {}.",
            result.partial.join(", ")
        ),
    )
}
