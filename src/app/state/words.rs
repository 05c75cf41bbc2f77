//! Verdicts in words.

use crate::constitution::{Band, PerPrinciple, RewardResult};
use crate::debate::{
    DebateResult, Decision, End, Intervals, Spread, TieBreak, Uncertainty, WeightInterval, is_firm,
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
    let side = |end: &End| (end.at, end.flip.as_ref().map(|flip| flip.words.clone()));
    stands_between(interval.current, side(&interval.low), side(&interval.high))
}

/// The same from plain figures: the last weight on each side, and what comes beyond.
pub fn stands_between(
    current: f64,
    low: (f64, Option<String>),
    high: (f64, Option<String>),
) -> String {
    // inwards, so that the sentence stays true
    let inwards = |at: f64, round: fn(f64) -> f64| {
        let coarse = round(at * 100.0) / 100.0;
        let is_between = (coarse - at) * (current - coarse) >= 0.0;
        short(if is_between { coarse } else { at })
    };
    let range = match (&low.1, &high.1) {
        (None, None) => return "The verdict stands at every value.".into(),
        (None, Some(_)) => format!("up to {}", inwards(high.0, f64::floor)),
        (Some(_), None) => format!("from {}", inwards(low.0, f64::ceil)),
        (Some(_), Some(_)) => format!(
            "from {} to {}",
            inwards(low.0, f64::ceil),
            inwards(high.0, f64::floor)
        ),
    };
    let flips: Vec<String> = [low.1, high.1].into_iter().flatten().collect();
    format!("The verdict stands {range}: {}.", flips.join(", "))
}

/// The nearest flip in a sentence.
pub fn nearest_flip(intervals: &Intervals) -> String {
    let nearest = intervals
        .nearest_relative
        .as_ref()
        .or(intervals.nearest_absolute.as_ref());
    let nearest = nearest.map(|flip| (flip.words.as_str(), flip.from, flip.to, flip.relative));
    nearest_words(nearest)
}

/// The same from words, the weight's value, the one that flips, and the change in
/// proportion.
pub fn nearest_words(nearest: Option<(&str, f64, f64, Option<f64>)>) -> String {
    let Some((words, from, to, relative)) = nearest else {
        return "No change of a single weight changes the verdict.".into();
    };
    let by = match relative {
        None => String::new(),
        Some(relative) if relative >= 2.0 => {
            format!(", {} times its value", fixed(to / from, 0))
        }
        Some(relative) => {
            let side = if to < from { "less" } else { "more" };
            format!(", {} % {side} than now", fixed(relative * 100.0, 1))
        }
    };
    format!("Nearest flip: {words}{by}.")
}

/// Where a grade stands as one weight moves, and what comes beyond.
pub fn grade_stands(interval: &persona::WeightInterval) -> String {
    let side = |end: &persona::End| (end.at, end.flip.as_ref().map(|flip| flip.words.clone()));
    stands_between(interval.current, side(&interval.low), side(&interval.high))
}

/// The nearest flip of a grade in a sentence.
pub fn nearest_grade(intervals: &persona::Intervals) -> String {
    let nearest = intervals.nearest.as_ref();
    nearest_words(nearest.map(|nearest| {
        let flip = &nearest.flip;
        (flip.words.as_str(), nearest.from, flip.at, nearest.relative)
    }))
}

/// How firm the verdict of a debate is; the share of weight space once it is known.
pub fn how_firm(intervals: &Intervals, shares: Option<&Uncertainty>) -> String {
    let ruling = &intervals.ruling;
    let flip = nearest_flip(intervals);
    let Some(winner) = &ruling.winner else {
        return flip;
    };
    let verdict = if is_firm(intervals, shares) {
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
        let share = percent(shares.first(winner));
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

/// The seven numbers in the order of the method.
pub fn principle_values(values: &PerPrinciple) -> [f64; 7] {
    [
        values.tasteful,
        values.curated,
        values.ethical,
        values.joy_inducing,
        values.composable,
        values.heterarchical,
        values.generative,
    ]
}

/// The name of a band.
pub const fn band(band: Band) -> &'static str {
    match band {
        Band::Perfect => "perfect",
        Band::Good => "good",
        Band::Concerning => "concerning",
        Band::Poor => "poor",
    }
}

/// How a band is to be taken.
pub const fn band_tone(band: Band) -> Tone {
    match band {
        Band::Perfect | Band::Good => Tone::Good,
        Band::Concerning => Tone::Caution,
        Band::Poor => Tone::Bad,
    }
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
