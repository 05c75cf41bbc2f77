//! A session's verdict in words, and how firm its bands are.

use super::options::PRINCIPLES;
use crate::app::format::{count, fixed};
use crate::app::verdict::{Tone, Verdict};
use crate::app::words::{flip_words, range_words};
use crate::constitution::{self, RewardResult};

/// Where every turn keeps its band as one weight moves, and what comes beyond.
pub fn bands_stand(interval: &constitution::WeightInterval) -> String {
    let words = |flip: &constitution::Flip| flip.words.clone();
    let ends = [&interval.low, &interval.high].map(|end| (end.at, end.flip.as_ref().map(words)));
    range_words("Every turn keeps its band", interval.current, ends)
}

/// The nearest change of a band in a sentence.
pub fn nearest_band(intervals: &constitution::Intervals) -> String {
    match &intervals.nearest {
        None => "No change of a single weight changes a band.".into(),
        Some(flip) => flip_words(flip.from, flip.to, &flip.words),
    }
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

/// The name of a principle as people read it.
pub fn principle_label(name: &str) -> &str {
    PRINCIPLES
        .iter()
        .find(|field| field.name == name)
        .map_or(name, |field| field.label)
}

/// The verdict of a session of turns.
pub fn verdict(result: &RewardResult) -> Verdict {
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
