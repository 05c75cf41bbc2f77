//! The reward of one turn: scores, contributions, total, band.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bands::Band;
use super::principles::{
    PRIOR, PerPrinciple, Principle, Principles, composable, ethical, generative, joy_inducing,
};
use super::reasons::{Reason, reasons};
use super::turn::Turn;
use crate::analysis::{round4, sum};
use crate::text::Shown;

/// Said in the place of a band where nothing was measured.
pub const NOT_MEASURED: &str = "not measured";

/// Noted of most turns: to print [`PRIOR`] each time would take as long as scoring does.
const UNMEASURED: &str = "generative not measured (no context_utilization): 1.0";

/// A scored turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoredTurn {
    /// Its session, where the log has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<Arc<str>>,
    /// Number of the turn.
    pub turn_number: i64,
    /// The action evaluated.
    pub action: Arc<str>,
    /// Score per principle, in [0, 1].
    pub scores: PerPrinciple,
    /// The principles of which the turn says nothing, scored by default.
    pub by_default: Principles,
    /// Weight x score.
    pub contributions: PerPrinciple,
    /// Sum of the contributions.
    pub weighted_total: f64,
    /// Total / sum of weights, in [0, 1].
    pub normalised: f64,
    /// The band of the total on the scale of [`SCALE`](super::SCALE).
    pub band: Band,
    /// Below the ethical floor.
    pub rejected: bool,
    /// What was not measured, overridden, or odd.
    pub notes: Arc<[String]>,
    /// Which turn of that number it is in its session.
    #[serde(skip)]
    pub occurrence: usize,
    /// Why it has less than a whole score, per principle.
    #[serde(skip)]
    pub reasons: Arc<[Reason]>,
}

impl ScoredTurn {
    /// What tells it from every other turn of its log, as people read it: its number, which
    /// of that number it is where it is not the first, and the session where there are
    /// several.
    pub fn name(&self) -> String {
        let mut name = numbered(self.turn_number, self.occurrence);
        if let Some(session) = &self.session_id {
            // writing to a String cannot fail
            let _ = write!(name, " of {}", Shown(session));
        }
        name
    }

    /// Whether all its scores stand by default: nothing was measured.
    pub fn is_unsaid(&self) -> bool {
        self.by_default.count() == Principle::COUNT
    }

    /// Its band in a word; where nothing was measured, that.
    pub fn band_word(&self) -> &'static str {
        if self.is_unsaid() {
            NOT_MEASURED
        } else {
            self.band.word()
        }
    }

    /// What a principle took from the whole total, its weight x what is missing to 1.
    pub fn lost(&self, weights: &PerPrinciple, principle: Principle) -> f64 {
        weights[principle] - self.contributions[principle]
    }

    /// The reasons, what cost most first.
    pub fn costs(&self, weights: &PerPrinciple) -> Vec<(&Reason, f64)> {
        let cost = |reason: &Reason| self.lost(weights, reason.principle);
        let mut costs: Vec<_> = self.reasons.iter().map(|r| (r, cost(r))).collect();
        crate::text::sort_by(&mut costs, |(_, a), (_, b)| b.total_cmp(a));
        costs
    }
}

/// A turn's number; "57 (2nd)" of the second with that number.
pub fn numbered(number: i64, occurrence: usize) -> String {
    if occurrence < 2 {
        return number.to_string();
    }
    let ending = match (occurrence % 10, occurrence % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number} ({occurrence}{ending})")
}

/// What a turn scores, whatever the weights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    /// Score per principle, in [0, 1].
    scores: PerPrinciple,
    /// What is to be said of them.
    notes: Arc<[String]>,
    /// Why they are not whole.
    reasons: Arc<[Reason]>,
}

impl Measured {
    /// Measures a turn.
    pub(super) fn of(turn: &Turn) -> Self {
        let (scores, notes) = scores(turn);
        Self {
            reasons: reasons(turn, &scores).into(),
            scores,
            notes: notes.into(),
        }
    }

    /// The same without saying why a score is not whole.
    pub(super) fn without_reasons(turn: &Turn) -> Self {
        let (scores, notes) = scores(turn);
        Self {
            scores,
            notes: notes.into(),
            reasons: Arc::default(),
        }
    }

    /// The scores.
    pub(super) fn scores(&self) -> &PerPrinciple {
        &self.scores
    }
}

/// Contributions, total and normalised total of scores under weights whose sum is above 0.
pub(super) fn weigh(weights: &PerPrinciple, scores: &PerPrinciple) -> (PerPrinciple, f64, f64) {
    let mut contributions = *weights;
    for principle in Principle::ALL {
        contributions[principle] *= scores[principle];
    }
    let total = sum(&contributions.values());
    // the two sums may differ in their last bit when every score is 1
    let normalised = (total / sum(&weights.values())).min(1.0);
    (contributions, total, normalised)
}

/// Weighs a turn that was measured. The weights are checked; their sum is above 0.
pub(super) fn score_turn(
    (turn, session_id): (&Turn, Option<&Arc<str>>),
    measured: &Measured,
    weights: &PerPrinciple,
    ethical_floor: Option<f64>,
) -> ScoredTurn {
    let Measured {
        scores,
        notes,
        reasons,
    } = measured;
    let (contributions, weighted_total, normalised) = weigh(weights, scores);
    let ethical = scores[Principle::Ethical];
    let floor = ethical_floor.filter(|floor| ethical < *floor);
    let notes = floor.map_or_else(
        || notes.clone(),
        |floor| {
            let ethical = round4(ethical);
            let rejection = format!("rejected: ethical {ethical} is below the floor of {floor}");
            notes.iter().cloned().chain([rejection]).collect()
        },
    );
    ScoredTurn {
        session_id: session_id.cloned(),
        turn_number: turn.turn_number,
        action: turn.action.clone(),
        scores: *scores,
        by_default: turn.by_default,
        contributions,
        weighted_total,
        normalised,
        band: Band::of(normalised),
        rejected: floor.is_some(),
        notes,
        occurrence: turn.occurrence,
        reasons: reasons.clone(),
    }
}

/// The scores of a turn in [0, 1], and what is to be said of them.
fn scores(turn: &Turn) -> (PerPrinciple, Vec<String>) {
    let mut notes = Vec::new();
    let mut scores = PerPrinciple::all(PRIOR);
    match (&turn.witnessed, &turn.result) {
        (Some(witnessed), _) => {
            notes.push("scores as witnessed in the mark".to_owned());
            scores = *witnessed;
        }
        (None, None) => {
            notes.push(format!("no turn result: every principle is {PRIOR:.1}"));
        }
        (None, Some(result)) => {
            if turn.has_mutations && turn.acknowledged.is_none() {
                notes.push(format!(
                    "acknowledged not given: tools_passed ({}) stands for it",
                    result.tools_passed
                ));
            }
            if result.context_utilization.is_none() {
                notes.push(UNMEASURED.to_owned());
            }
            let acknowledged = turn.acknowledged.unwrap_or(result.tools_passed);
            scores[Principle::Ethical] = ethical(turn.has_mutations, acknowledged);
            scores[Principle::JoyInducing] = joy_inducing(&result.response);
            scores[Principle::Composable] = composable(result.tools);
            scores[Principle::Generative] = generative(result.context_utilization);
        }
    }
    for given in &turn.overrides {
        let score = &mut scores[given.principle];
        let reason = given.reason.as_deref().map(|r| format!(": {r}"));
        notes.push(format!(
            "{} overridden with {} (was {}){}",
            given.principle.name(),
            given.score,
            round4(*score),
            reason.unwrap_or_default()
        ));
        *score = given.score;
    }
    (scores, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_of_most_turns_says_the_prior() {
        assert!(UNMEASURED.ends_with(&format!(": {PRIOR:.1}")));
    }

    #[test]
    fn a_number_that_is_given_again_says_which_it_is() {
        let said = [1, 2, 3, 4, 11, 12, 21, 22, 113].map(|nth| numbered(57, nth));
        let expected = [
            "57",
            "57 (2nd)",
            "57 (3rd)",
            "57 (4th)",
            "57 (11th)",
            "57 (12th)",
            "57 (21st)",
            "57 (22nd)",
            "57 (113th)",
        ];
        assert_eq!(said, expected);
    }
}
