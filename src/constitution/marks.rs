//! Marks: the witness record of every turn, written so that reading it back
//! gives the same scores.

use serde::Serialize;

use super::principles::PerPrinciple;
use super::read::Log;
use super::result::RewardResult;

/// The witness record of a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// Number of the turn.
    pub turn_number: i64,
    /// What the user said.
    pub user_message: String,
    /// What the assistant said.
    pub assistant_response: String,
    /// Score per principle, in [0, 1].
    pub constitutional_scores: PerPrinciple,
    /// The turn's own reasoning, or else the notes of its scoring.
    pub reasoning: String,
}

/// The marks of a scored session, one per turn.
pub fn marks(log: &Log, result: &RewardResult) -> Vec<Mark> {
    log.turns
        .iter()
        .zip(&result.turns)
        .map(|(turn, scored)| Mark {
            turn_number: turn.turn_number,
            user_message: turn.user_message.clone(),
            assistant_response: turn
                .result
                .as_ref()
                .map(|result| result.response.clone())
                .unwrap_or_default(),
            constitutional_scores: scored.scores,
            reasoning: if turn.reasoning.is_empty() {
                scored.notes.join("; ")
            } else {
                turn.reasoning.clone()
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{Options, read, score};

    #[test]
    fn marks_read_back_without_losing_a_score() {
        let text = r#"[{"user_message": "hi", "has_mutations": true, "turn_result": {"response": "Ok!", "context_utilization": 0.97},
            "overrides": {"tasteful": 0.1}}, {"turn_number": 5, "turn_result": null, "reasoning": "why not"}]"#;
        let log = read(text).result.expect("valid");
        let scored = score(&log, &Options::default()).result.expect("scored");
        let written = marks(&log, &scored);
        let json = serde_json::to_string(&written).expect("serialises");
        let again = read(&json).result.expect("valid");
        let rescored = score(&again, &Options::default()).result.expect("scored");
        for (a, b) in scored.turns.iter().zip(&rescored.turns) {
            assert_eq!((a.scores, a.weighted_total), (b.scores, b.weighted_total));
        }
        assert_eq!(marks(&again, &rescored), written);
        assert_eq!(written[1].reasoning, "why not");
    }
}
