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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::flips::End;
    use crate::constitution::{Band, Closest, Options as RewardOptions};
    use crate::debate::rules::FIRM_CHANGE;
    use crate::debate::{
        Board, NearestFlip, Options, Profiles, Ruling, UncertaintyOptions, evaluate, read,
    };
    use crate::persona::Inputs;

    /// A debate of A and B; of each, the reviews as support, evidence,
    /// major_risks, critical_fail. Head-to-heads weigh nothing.
    fn said(a: &[[u8; 4]], b: &[[u8; 4]], base: f64, risk: f64) -> Verdict {
        let reviews = |all: &[[u8; 4]]| {
            let all = all.iter().map(|[support, evidence, risks, fail]| {
                format!(
                    r#"{{"support": {support}, "evidence": {evidence}, "major_risks": {risks}, "critical_fail": {fail}}}"#
                )
            });
            all.collect::<Vec<_>>().join(",")
        };
        let text = format!(
            r#"{{"candidates": [{{"id": "A", "wins": 1, "reviews": [{}]}}, {{"id": "B", "wins": 0, "reviews": [{}]}}]}}"#,
            reviews(a),
            reviews(b)
        );
        let weights = [("w_base", base), ("w_pairwise", 0.0), ("w_risk", risk)];
        let options = Options {
            weights: weights.map(|(name, value)| (name.to_owned(), value)).into(),
            ..Options::default()
        };
        debate(&evaluate(&text, &options).result.expect("scored"))
    }

    fn holds(verdict: &Verdict, tone: Tone, headline: &str, detail: &str) {
        assert_eq!(
            (
                verdict.tone,
                verdict.headline.as_str(),
                verdict.detail.as_str()
            ),
            (tone, headline, detail)
        );
    }

    #[test]
    fn every_decision_of_a_debate_is_said_with_its_rule() {
        let (best, fair, out) = ([2, 2, 0, 0], [1, 1, 0, 0], [2, 2, 0, 1]);
        let lead = format!("Ahead of B by 1.00; from {CLEAR_GAP:.2} on a lead is a win.");
        let won = said(&[best], &[fair], 0.5, 0.0);
        holds(&won, Tone::Good, "A wins: 2.00", &lead);
        let only = said(&[best], &[out, out], 0.5, 0.0);
        let words = "The only candidate left. 1 candidate eliminated.";
        holds(&only, Tone::Good, "A wins: 2.00", words);
        let needs = format!(
            "The best score is 1.00 (A), and a decision needs {SUFFICIENT:.2}. Ask focused follow-up questions."
        );
        let little = said(&[fair], &[fair], 0.5, 0.0);
        holds(&little, Tone::Caution, "Not enough to decide", &needs);
        let none = said(&[out, out], &[out, out], 0.5, 0.0);
        let words = format!("Every candidate has {ELIMINATION}. Ask focused follow-up questions.");
        holds(&none, Tone::Bad, "Nobody is left", &words);
    }

    #[test]
    fn a_hybrid_is_said_with_what_broke_its_tie() {
        let best = [2, 2, 0, 0];
        let apart = |first: &str, second: &str, by: &str| {
            format!(
                "{first} against {second}: {by} apart, and below {CLEAR_GAP:.2} the top two are combined."
            )
        };
        let close = said(&[best, best, best], &[best, best, [1, 2, 0, 0]], 0.5, 0.0);
        let headline = "No clear winner: combine A and B";
        holds(
            &close,
            Tone::Caution,
            headline,
            &apart("2.00", "1.83", "0.17"),
        );
        for (verdict, tie) in [
            (
                said(&[best], &[[2, 2, 0, 1]], 0.5, 0.0),
                "fewer critical fails decided.",
            ),
            (
                said(&[[2, 2, 1, 0]], &[[2, 1, 0, 0]], 1.0, 1.0),
                "the higher base decided.",
            ),
            (
                said(&[best], &[best], 0.5, 0.0),
                "and nothing breaks the tie: synthesise, and consider one more pass.",
            ),
        ] {
            assert_eq!(verdict.headline, headline);
            assert!(verdict.detail.contains("0.00 apart"), "{}", verdict.detail);
            assert!(verdict.detail.ends_with(tie), "{}", verdict.detail);
        }
    }

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
            "Nearest flip: x, 4 times its value."
        );
        assert_eq!(flip_words(0.0, 8.0, "x"), "Nearest flip: x.");
    }

    fn ruled(decision: Decision, relative: Option<f64>) -> Intervals {
        let ruling = Ruling {
            decision,
            winner: Some("A".into()),
            hybrid_candidates: Vec::new(),
        };
        let flip = relative.map(|relative| NearestFlip {
            weight: "w_base",
            from: 1.0,
            to: 1.0 + relative,
            change: relative,
            relative: Some(relative),
            becomes: ruling.clone(),
            words: "it flips".into(),
        });
        Intervals {
            ruling,
            weights: Vec::new(),
            nearest_absolute: flip.clone(),
            nearest_relative: flip,
        }
    }

    #[test]
    fn firm_is_what_neither_a_small_change_nor_the_weight_space_shakes() {
        let (near, far) = (FIRM_CHANGE / 2.0, FIRM_CHANGE * 2.0);
        let words = |decision, relative| how_firm(&ruled(decision, relative), None, true);
        assert_eq!(
            words(Decision::Winner, None),
            "Firm. No change of a single weight changes the verdict."
        );
        assert!(words(Decision::Winner, Some(far)).starts_with("Firm. Nearest flip: it flips"));
        let shaken = words(Decision::Winner, Some(near));
        assert!(shaken.starts_with("Not firm: no clear winner. Nearest"));
        assert!(words(Decision::Hybrid, Some(near)).starts_with("Nearest flip"));
        let mut nobody = ruled(Decision::Insufficient, None);
        nobody.ruling.winner = None;
        assert_eq!(how_firm(&nobody, None, true), nearest_flip(&nobody));
    }

    #[test]
    fn the_share_of_the_weight_space_is_told_once_it_is_known() {
        let payload = read(include_str!("../../../public/examples/debate.json"));
        let payload = payload.result.expect("valid");
        let options = Options::default();
        let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
        let intervals = ruled(Decision::Winner, None);
        for (spread, space) in [
            (Spread::Simplex, "of all weights with the same sum."),
            (
                Spread::WithinPercent(20.0),
                "of the weights within 20 % of these.",
            ),
        ] {
            let shares = board.uncertainty(&UncertaintyOptions {
                spread,
                draws: 20,
                ..UncertaintyOptions::default()
            });
            let now = how_firm(&intervals, Some(&shares), true);
            assert!(now.ends_with(space) && !now.contains('–'), "{now}");
            let before = how_firm(&intervals, Some(&shares), false);
            let dash = format!("A is first in – % {space}");
            assert!(before.ends_with(&dash), "{before}");
        }
    }

    #[test]
    fn an_agreement_is_told_by_its_bounds() {
        let below = |bound: f64| agreement(Some(bound - 1e-9));
        assert_eq!(agreement(Some(AGREED)), "they agree");
        assert_eq!(below(AGREED), "they agree tentatively");
        assert_eq!(agreement(Some(TENTATIVE)), "they agree tentatively");
        assert_eq!(below(TENTATIVE), "they agree little");
        assert_eq!(agreement(Some(0.0)), "no more than by chance");
        assert!(agreement(None).starts_with("not defined"));
    }

    #[test]
    fn a_session_is_said_by_its_worst_band() {
        let said = |text: &str, floor: Option<f64>| {
            let options = RewardOptions {
                ethical_floor: floor,
                ..RewardOptions::default()
            };
            let scored = constitution::evaluate(text, &options);
            constitution(&scored.result.expect("scored"))
        };
        let perfect = said("[{}, {}]", None);
        let headline = format!("{SCALE:.2} of {SCALE:.2} on average");
        holds(&perfect, Tone::Good, &headline, "2 turns: 2 perfect.");
        let bad = r#"{"overrides": {"ethical": 0.5, "composable": 0.5, "joy_inducing": 0.5}}"#;
        let worse = said(&format!("[{{}}, {bad}]"), None);
        assert_eq!(worse.tone, Tone::Caution);
        let words = "2 turns: 1 perfect, 1 concerning. Weakest principle: ethical.";
        assert_eq!(worse.detail, words);
        let rejected = said(bad, Some(0.6));
        assert_eq!(rejected.tone, Tone::Bad);
        let words = "1 turn: 1 concerning, 1 rejected by the ethical floor.";
        assert!(rejected.detail.starts_with(words), "{}", rejected.detail);
    }

    #[test]
    fn the_turn_closest_to_another_band_is_named() {
        let firm = |closest| {
            how_firm_bands(&constitution::Intervals {
                weights: Vec::new(),
                nearest: None,
                closest,
            })
        };
        let no_flip = "No change of a single weight changes a band.";
        assert_eq!(firm(None), format!("Every turn is perfect. {no_flip}"));
        let closest = |band, other, by| {
            firm(Some(Closest {
                turn_number: 3,
                scaled: 6.41,
                band,
                other,
                by,
            }))
        };
        assert_eq!(
            closest(Band::Concerning, Band::Good, 0.59),
            format!(
                "{no_flip} Closest to another band: turn 3, concerning with 6.41 of {SCALE}, 0.59 short of good."
            )
        );
        let near = closest(Band::Good, Band::Concerning, 0.0021);
        assert!(near.ends_with("0.0021 above concerning."), "{near}");
    }

    #[test]
    fn a_persona_run_is_graded_once_all_is_measured() {
        let run = persona::read(&Inputs {
            persona: "lexicon: {preferred: [ride, oil], avoid: []}",
            transcript: r#"{"session_id": "a", "turn": 1, "assistant": "A ride."}"#,
            ..Inputs::default()
        });
        let scored = run
            .result
            .expect("valid")
            .score(&persona::Options::default(), None);
        let mut result = scored.result.expect("scored");
        let part = persona(&result);
        assert!(part.headline.starts_with("So far ") && part.tone == Tone::Neutral);
        assert!(
            part.detail
                .starts_with("1 response in 1 session. Not measured yet")
        );
        result.partial.clear();
        for (overall, tone, letter) in [
            (0.9, Tone::Good, "A"),
            (0.8, Tone::Good, "B"),
            (0.75, Tone::Caution, "C"),
            (0.6, Tone::Caution, "D"),
            (0.1, Tone::Bad, "F"),
        ] {
            (result.overall, result.grade) = (Some(overall), Some(Grade::of(overall)));
            let headline = format!("Grade {letter}: {overall:.3}");
            let detail = "1 response in 1 session, all parts measured.";
            holds(&persona(&result), tone, &headline, detail);
        }
        (result.overall, result.grade) = (None, None);
        let detail = "1 response in 1 session.";
        holds(&persona(&result), Tone::Neutral, "Nothing to score", detail);
    }
}
