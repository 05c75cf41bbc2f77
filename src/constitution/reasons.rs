//! Why a turn lost points: what was measured, in words. No weight changes it.

use super::principles::{CLEAN_TOOLS, PerPrinciple, Principle};
use super::turn::{Turn, TurnResult};
use crate::analysis::round4;

/// Why a turn has less than the whole score of a principle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The principle.
    pub principle: Principle,
    /// What was measured: "2 characters", "10 tools, 5 more than 5".
    pub words: String,
}

/// The reasons of a turn with these scores, one for each principle below 1, in the order of
/// the principles.
pub(super) fn reasons(turn: &Turn, scores: &PerPrinciple) -> Vec<Reason> {
    let below = Principle::ALL.into_iter();
    let below = below.filter(|principle| scores[*principle] < 1.0);
    below
        .map(|principle| Reason {
            principle,
            words: words(turn, principle, scores[principle]),
        })
        .collect()
}

fn words(turn: &Turn, principle: Principle, score: f64) -> String {
    let given = turn.overrides.iter().find(|o| o.principle == principle);
    if let Some(given) = given {
        let reason = given.reason.as_deref().map(|reason| format!(": {reason}"));
        return format!(
            "overridden with {}{}",
            given.score,
            reason.unwrap_or_default()
        );
    }
    match &turn.result {
        Some(result) if turn.witnessed.is_none() => measured(turn, result, principle),
        _ => format!("{} in the mark", round4(score)),
    }
}

fn measured(turn: &Turn, result: &TurnResult, principle: Principle) -> String {
    match principle {
        Principle::Ethical => match (turn.acknowledged, result.tools_passed) {
            (Some(true), _) => "changed something and said so",
            (Some(false), _) => "changed something and did not say so",
            (None, true) => "change not acknowledged; that its tools passed stands for it",
            (None, false) => "change not acknowledged, and its tools failed",
        }
        .to_owned(),
        Principle::JoyInducing => match result.response.chars().count() {
            0 => "no response".to_owned(),
            1 => "1 character".to_owned(),
            characters => format!("{characters} characters"),
        },
        Principle::Composable => format!(
            "{} tools, {} more than {CLEAN_TOOLS}",
            result.tools,
            result.tools.saturating_sub(CLEAN_TOOLS)
        ),
        Principle::Generative => {
            let share = result.context_utilization.unwrap_or_default();
            format!("{} % of the context in use", round4(share * 100.0))
        }
        // they have no rule, and are whole unless they are overridden
        Principle::Tasteful | Principle::Curated | Principle::Heterarchical => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::constitution::{Options, evaluate};

    fn said(turn: &str) -> Vec<String> {
        let result = evaluate(turn, &Options::default()).result.expect("scored");
        let reasons = result.turns[0].reasons.iter();
        let said = reasons.map(|r| format!("{}: {}", r.principle.name(), r.words));
        said.collect()
    }

    #[test]
    fn what_was_measured_is_the_reason() {
        let turn = r#"{"has_mutations": true, "acknowledged": false, "turn_result": {"response": "OK",
            "tools": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "context_utilization": 0.97},
            "overrides": {"curated": {"score": 0.5, "reason": "not asked for"}}}"#;
        assert_eq!(
            said(turn),
            [
                "curated: overridden with 0.5: not asked for",
                "ethical: changed something and did not say so",
                "joy_inducing: 2 characters",
                "composable: 10 tools, 5 more than 5",
                "generative: 97 % of the context in use",
            ]
        );
        let turn = r#"{"has_mutations": true, "turn_result": {"response": ""}}"#;
        assert_eq!(
            said(turn),
            [
                "ethical: change not acknowledged; that its tools passed stands for it",
                "joy_inducing: no response",
            ]
        );
        let mark = r#"{"constitutional_scores": {"tasteful": 0.25}}"#;
        assert_eq!(said(mark), ["tasteful: 0.25 in the mark"]);
        assert_eq!(said(r#"{"action": "a"}"#), [""; 0]);
    }
}
