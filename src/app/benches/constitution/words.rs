//! A session's verdict in words, and how firm its bands are. Every number of the method
//! in it is the method's own constant.

use crate::app::format::{count, fixed, grouped, name};
use crate::app::verdict::{Tone, Verdict};
use crate::app::words::nearest_words;
use crate::constitution::{self, Log, RewardResult, SCALE};

/// What stands within the interval of a principle's weight.
pub const BANDS_STAND: &str = "Every turn keeps its band";

/// The nearest change of a band in a sentence.
pub fn nearest_band(intervals: &constitution::Intervals) -> String {
    nearest_words("a band", intervals.nearest.as_ref())
}

/// How firm the bands of a session are.
pub fn how_firm_bands(intervals: &constitution::Intervals) -> String {
    let flip = nearest_band(intervals);
    let Some(turn) = &intervals.closest else {
        return format!("No turn has anything to gain. {flip}");
    };
    let (number, band, other) = (&turn.name, turn.band.word(), turn.other.word());
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

/// The input in a few lines.
pub fn gist(log: &Log) -> Vec<String> {
    let session = log.session_id.as_deref().map(name);
    let mut lines: Vec<String> = session.into_iter().collect();
    if log.sessions.len() > 1 {
        lines.push(count(log.sessions.len(), "session"));
    }
    lines.push(count(log.turns.len(), "turn"));
    lines
}

/// How many sessions there are, where there are several, and which is the lowest.
fn sessions(result: &RewardResult) -> Option<(String, String)> {
    let all = &result.sessions;
    let mean = |session: &constitution::ScoredSession| session.summary.mean_total;
    let lowest = all.iter().min_by(|a, b| mean(a).total_cmp(&mean(b)))?;
    let scaled = mean(lowest) / result.weights_sum * SCALE;
    let is_alike = all.iter().all(|session| mean(session) == mean(lowest));
    let words = if is_alike {
        String::new()
    } else {
        format!(
            " Lowest session: {} with {}.",
            name(&lowest.session_id),
            fixed(scaled, 2)
        )
    };
    Some((count(all.len(), "session"), words))
}

/// The verdict of a session of turns, or of several.
pub fn verdict(result: &RewardResult) -> Verdict {
    let session = &result.session;
    let rejected = result.turns.iter().filter(|turn| turn.rejected).count();
    let bands = &session.bands;
    let (unsaid, scores) = (session.by_default, session.scores());
    let tone = if rejected > 0 || bands.poor > 0 {
        Tone::Bad
    } else if bands.concerning > 0 || 2 * unsaid > scores {
        Tone::Caution
    } else {
        Tone::Good
    };
    let mut parts: Vec<String> = session
        .measured_bands()
        .named()
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, band)| format!("{} {band}", grouped(number)))
        .collect();
    parts.extend(session.unmeasured_words());
    if rejected > 0 {
        parts.push(format!("{rejected} rejected by the ethical floor"));
    }
    let perfect = bands.perfect == session.turns && rejected == 0;
    let weakest = if perfect {
        String::new()
    } else {
        format!(" Weakest principle: {}.", session.weakest.word())
    };
    // on the scale of the bands, whatever the weights add up to: a larger weight alone makes
    // no better session
    let share = session.mean_total / result.weights_sum;
    let raw = if (result.weights_sum - SCALE).abs() < 1e-9 {
        String::new()
    } else {
        let (mean, sum) = (fixed(session.mean_total, 2), fixed(result.weights_sum, 2));
        format!(" With these weights that is {mean} of {sum}.")
    };
    if session.is_unsaid() {
        return unsaid_verdict(result);
    }
    let (of, lowest) = sessions(result).unwrap_or_default();
    let (over, of) = if of.is_empty() {
        (String::new(), of)
    } else {
        (format!(" over {of}"), format!("{of}, "))
    };
    Verdict::new(
        tone,
        format!("{} of {SCALE:.2} on average{over}", fixed(share * SCALE, 2)),
        format!(
            "{of}{}: {}.{weakest}{lowest} {} of {} scores stand by default.{raw}",
            count(session.turns, "turn"),
            parts.join(", "),
            grouped(unsaid),
            grouped(scores)
        ),
    )
}

/// The verdict where nothing was measured: that, and no word of praise.
fn unsaid_verdict(result: &RewardResult) -> Verdict {
    let session = &result.session;
    let share = session.mean_total / result.weights_sum;
    Verdict::new(
        Tone::Caution,
        "Nothing was measured",
        format!(
            "{}: all {} scores stand by default, which gives {} of {SCALE:.2}.",
            count(session.turns, "turn"),
            grouped(session.by_default),
            fixed(share * SCALE, 2)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{Band, Closest, Options as RewardOptions};

    fn holds(verdict: &Verdict, tone: Tone, headline: &str, detail: &str) {
        assert_eq!(*verdict, Verdict::new(tone, headline, detail));
    }

    #[test]
    fn a_session_is_said_by_its_worst_band() {
        let said = |text: &str, floor: Option<f64>| {
            let options = RewardOptions {
                ethical_floor: floor,
                ..RewardOptions::default()
            };
            let scored = constitution::evaluate(text, &options);
            verdict(&scored.result.expect("scored"))
        };
        let unsaid = said("[{\"action\": \"a\"}, {\"action\": \"a\"}]", None);
        let words = "2 turns: all 14 scores stand by default, which gives 8.70 of 8.70.";
        holds(&unsaid, Tone::Caution, "Nothing was measured", words);
        let headline = format!("{SCALE:.2} of {SCALE:.2} on average");
        let full = r#"{"has_mutations": false, "turn_result": {"response": "A reply of some length.", "tools": [], "context_utilization": 0.1}}"#;
        let words = "1 turn: 1 perfect. 3 of 7 scores stand by default.";
        holds(&said(full, None), Tone::Good, &headline, words);
        let bad = r#"{"overrides": {"ethical": 0.5, "composable": 0.5, "joy_inducing": 0.5}}"#;
        let worse = said(&format!("[{{}}, {bad}]"), None);
        assert_eq!(worse.tone, Tone::Caution);
        let words = "2 turns: 1 concerning, 1 of 2 turns not measured. Weakest principle: ethical. 11 of 14 scores stand by default.";
        assert_eq!(worse.detail, words);
        let several = format!(
            "{{\"session_id\": \"a\", \"turns\": [{{\"action\": \"x\"}}]}}\n{{\"session_id\": \"b\", \"turns\": [{bad}]}}"
        );
        let several = said(&several, None);
        assert_eq!(several.headline, "7.52 of 8.70 on average over 2 sessions");
        let words = "2 sessions, 2 turns: 1 concerning, 1 of 2 turns not measured. Weakest principle: ethical. Lowest session: b with 6.35. 11 of 14 scores stand by default.";
        assert_eq!(several.detail, words);
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
        assert_eq!(
            firm(None),
            format!("No turn has anything to gain. {no_flip}")
        );
        let closest = |band, other, by| {
            firm(Some(Closest {
                turn: 2,
                name: "3".into(),
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
}
