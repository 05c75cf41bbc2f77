//! Turns to their result: read once, weighed as often as a weight changes.

use super::log::Log;
use super::options::{Options, weights};
use super::principles::PerPrinciple;
use super::read::read;
use super::result::{FORMULA, RewardResult};
use super::session::ScoredSession;
use super::{reward, session};
use crate::analysis::sum;
use crate::document::Evaluation;

/// Reads and scores turns (one, an array, JSONL, a session, or marks).
pub fn evaluate(text: &str, options: &Options) -> Evaluation<RewardResult> {
    let read = read(text);
    let mut problems = read.problems;
    let result = read.result.and_then(|log| {
        let scored = score(&log, options);
        problems.extend(scored.problems);
        scored.result
    });
    Evaluation { result, problems }
}

/// Scores turns that were read. Pure and quick: the work of every change of a
/// weight. The problems are those of the options, not of reading.
///
/// ```
/// use assay::constitution::{Band, Options, read, score};
///
/// let log = read(r#"{"turn_result": {"response": "Great!"}}"#).result.expect("a valid turn");
/// let result = score(&log, &Options::default()).result.expect("valid weights");
/// // 6 characters: 0.65 on joy_inducing, which weighs 1.2
/// assert_eq!(result.turns[0].weighted_total, 8.28);
/// assert_eq!(result.turns[0].band, Band::Good);
/// ```
pub fn score(log: &Log, options: &Options) -> Evaluation<RewardResult> {
    let Evaluation {
        result: weights,
        problems,
    } = weights(log, options);
    let result = weights.map(|weights| weigh_all(log, options, weights));
    Evaluation { result, problems }
}

pub(super) fn weigh_all(log: &Log, options: &Options, weights: PerPrinciple) -> RewardResult {
    let is_several = log.sessions.len() > 1;
    let id_of = |session: usize| {
        let session = log.sessions.get(session).filter(|_| is_several);
        session.and_then(|session| session.id.as_ref())
    };
    let turns: Vec<_> = log
        .turns
        .iter()
        .zip(&log.measured)
        .map(|(turn, measured)| {
            let turn = (turn, id_of(turn.session));
            reward::score_turn(turn, measured, &weights, options.ethical_floor)
        })
        .collect();
    let gamma = options.gamma;
    let mut sessions = Vec::new();
    if is_several {
        for session in &log.sessions {
            let own = session.turns.iter().map(|at| &turns[*at]);
            sessions.push(ScoredSession {
                session_id: session.id.clone().unwrap_or_default(),
                summary: session::sum_up(&own, gamma),
                positions: session.turns.clone(),
            });
        }
    }
    let session = if is_several {
        session::sum_up_all(&turns, &sessions)
    } else {
        session::sum_up(&turns.iter(), gamma)
    };
    RewardResult {
        formula: FORMULA,
        weights,
        weights_sum: sum(&weights.values()),
        ethical_floor: options.ethical_floor,
        gamma,
        session_id: log.session_id.clone(),
        session,
        sessions,
        turns,
        input_sha256: log.input_sha256.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::DEFAULT_ETHICAL_FLOOR;

    const TURN: &str =
        r#"{"has_mutations": true, "turn_result": {"response": "Done!", "tools_passed": false}}"#;

    fn total(text: &str, options: &Options) -> f64 {
        let found = evaluate(text, options);
        found.result.expect("valid").turns[0].weighted_total
    }

    #[test]
    fn weights_merge_or_replace() {
        let mut options = Options {
            weights: vec![("ethical".into(), 3.0)],
            ..Options::default()
        };
        assert_eq!(total(TURN, &options), 7.75);
        options.replace_weights = true;
        assert_eq!(total(TURN, &options), 7.125);
        let session = format!(
            r#"{{"turns": [{TURN}], "weights": {{"ethical": 3, "curated": 0}}, "weights_mode": "replace"}}"#
        );
        assert_eq!(total(&session, &Options::default()), 6.125);
        let above = Options {
            weights: vec![("curated".into(), 1.0)],
            ..Options::default()
        };
        assert_eq!(total(&session, &above), 7.125);
    }

    #[test]
    fn the_floor_rejects_and_still_shows_the_total() {
        let options = Options {
            ethical_floor: Some(DEFAULT_ETHICAL_FLOOR),
            ..Options::default()
        };
        let turn = evaluate(TURN, &options)
            .result
            .expect("valid")
            .turns
            .remove(0);
        assert!(turn.rejected);
        assert_eq!(turn.weighted_total, 7.25);
        assert!(
            turn.notes
                .iter()
                .any(|note| note.contains("below the floor of 0.6"))
        );
    }

    #[test]
    fn the_discounted_value_starts_with_the_first_turn() {
        let options = Options {
            gamma: 0.5,
            ..Options::default()
        };
        let session = evaluate(
            "[{\"action\": \"a\"}, {\"action\": \"a\"}, {\"action\": \"a\"}]",
            &options,
        )
        .result
        .expect("valid")
        .session;
        assert!((session.discounted_value - 8.7 * 1.75).abs() < 1e-12);
        assert_eq!((session.mean_total, session.trend), (8.7, Some(0.0)));
    }

    #[test]
    fn wrong_options_are_all_named() {
        let options = Options {
            weights: vec![("ethical".into(), f64::NAN), ("moral".into(), 1.0)],
            ethical_floor: Some(2.0),
            gamma: -1.0,
            ..Options::default()
        };
        let found = evaluate("{\"turn_result\": {}}", &options);
        let paths: Vec<_> = found.problems.iter().map(|p| p.path.as_str()).collect();
        assert_eq!(
            paths,
            ["weights.moral", "weights.ethical", "gamma", "ethical_floor"]
        );
        assert_eq!(found.result, None);
    }
}
