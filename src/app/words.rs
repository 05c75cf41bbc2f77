//! Verdicts in words.

use crate::constitution::{self, RewardResult};
use crate::debate::{
    DebateResult, Decision, End, Intervals, Spread, TieBreak, Uncertainty, WeightInterval, is_firm,
};
use crate::persona::{self, Grade, PersonaResult};

use super::benches::constitution::options::PRINCIPLES;
use super::format::{count, fixed, percent, short};
use super::verdict::{Tone, Verdict};

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

/// Where every turn keeps its band as one weight moves, and what comes beyond.
pub fn bands_stand(interval: &constitution::WeightInterval) -> String {
    let words = |flip: &constitution::Flip| flip.words.clone();
    let ends = [&interval.low, &interval.high].map(|end| (end.at, end.flip.as_ref().map(words)));
    range_words("Every turn keeps its band", interval.current, ends)
}

/// Where a grade stands as one weight moves, and what comes beyond.
pub fn grade_stands(interval: &persona::WeightInterval) -> String {
    let words = |flip: &persona::Flip| flip.words.clone();
    let ends = [&interval.low, &interval.high].map(|end| (end.at, end.flip.as_ref().map(words)));
    range_words("The grade stands", interval.current, ends)
}

/// What holds between two ends, each with what comes beyond it.
fn range_words(what: &str, current: f64, [low, high]: [(f64, Option<String>); 2]) -> String {
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

/// The nearest change of a band in a sentence.
pub fn nearest_band(intervals: &constitution::Intervals) -> String {
    match &intervals.nearest {
        None => "No change of a single weight changes a band.".into(),
        Some(flip) => flip_words(flip.from, flip.to, &flip.words),
    }
}

/// The nearest flip of a grade in a sentence.
pub fn nearest_grade(intervals: &persona::Intervals) -> String {
    match &intervals.nearest {
        None => "No change of a single weight changes the grade.".into(),
        Some(nearest) => flip_words(nearest.from, nearest.flip.at, &nearest.flip.words),
    }
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
    format!("{flip} Closest to another band: turn {number}, {band} with {scaled} of 8.7, {how}.")
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
    let mut parts: Vec<String> = [
        (bands.perfect, "perfect"),
        (bands.good, "good"),
        (bands.concerning, "concerning"),
        (bands.poor, "poor"),
    ]
    .into_iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, name)| format!("{number} {name}"))
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

/// The name of a grade.
pub const fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::A => "A",
        Grade::B => "B",
        Grade::C => "C",
        Grade::D => "D",
        Grade::F => "F",
    }
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
    let (Some(overall), Some(grade_of)) = (result.overall, result.grade) else {
        return Verdict::new(Tone::Neutral, "Nothing to score", format!("{scope}."));
    };
    let tone = match grade_of {
        Grade::A | Grade::B => Tone::Good,
        Grade::C | Grade::D => Tone::Caution,
        Grade::F => Tone::Bad,
    };
    if result.partial.is_empty() {
        return Verdict::new(
            tone,
            format!("Grade {}: {}", grade(grade_of), fixed(overall, 3)),
            format!("{scope}, all parts measured."),
        );
    }
    Verdict::new(
        Tone::Neutral,
        format!("So far {} ({})", fixed(overall, 3), grade(grade_of)),
        format!(
            "{scope}. Not measured yet or not measurable: {}.",
            result.partial.join(", ")
        ),
    )
}
