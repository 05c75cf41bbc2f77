//! The witness record of scored turns: marks, and policy traces, which hold marks. They
//! say what was measured, with what it was weighed and what came of it, so that anyone
//! can score the turns again (SCORING.md section 1, "Witness record").

use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::bands::Band;
use super::log::Log;
use super::principles::{PerPrinciple, Principle};
use super::result::{FORMULA, RewardResult};
use super::turn::{Override, Turn};
use crate::document::input_sha256;

/// The witness record of a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// Its session, where it has an id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<Arc<str>>,
    /// Number of the turn.
    pub turn_number: i64,
    /// The action evaluated.
    pub action: Arc<str>,
    /// What the user said.
    pub user_message: String,
    /// What the assistant said.
    pub assistant_response: String,
    /// Score per principle, in [0, 1].
    pub constitutional_scores: PerPrinciple,
    /// The turn's own reasoning, or else the notes of its scoring.
    pub reasoning: String,
    /// What the rules measured beside the response; none of a mark that never said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Sum of weight x score.
    pub weighted_total: f64,
    /// The band of the total.
    pub band: Band,
    /// Below the ethical floor.
    pub rejected: bool,
    /// What the scoring stands on.
    pub witness: Witness,
}

/// What the rules measured, by the keys of a turn. What was not said is left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Whether the turn changed anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_mutations: Option<bool>,
    /// Whether it said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<bool>,
    /// What came of it; null where nothing did.
    pub turn_result: Option<Measures>,
    /// Scores from outside.
    #[serde(skip_serializing_if = "Overridden::is_empty")]
    pub overrides: Overridden,
}

/// What was measured of a turn's result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// Number of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<usize>,
    /// Whether they succeeded.
    pub tools_passed: bool,
    /// Share of the context in use, in [0, 1].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_utilization: Option<f64>,
}

/// Scores from outside, written as an object of principle, score and reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overridden(Vec<Override>);

impl Overridden {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Overridden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Given<'a> {
            score: f64,
            #[serde(skip_serializing_if = "Option::is_none")]
            reason: Option<&'a str>,
        }
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for given in &self.0 {
            let reason = given.reason.as_deref();
            let score = given.score;
            map.serialize_entry(given.principle.name(), &Given { score, reason })?;
        }
        map.end()
    }
}

/// What a scoring stands on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// Name and version of the formula.
    pub formula: &'static str,
    /// The weights.
    pub weights: PerPrinciple,
    /// The ethical floor; null without one.
    pub ethical_floor: Option<f64>,
    /// SHA-256 of the text in which the turn stood.
    pub input_sha256: String,
    /// Its position there, from 1.
    pub position: usize,
    /// How many turns stood there.
    pub of: usize,
    /// SHA-256 of what was said and measured.
    pub turn_sha256: String,
}

/// The walk of an agent through a session, a step for each turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyTrace {
    /// What holds of the walk.
    pub policy_trace: TraceHead,
    /// Its steps in order.
    pub log: Vec<TraceStep>,
}

/// What holds of a walk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceHead {
    /// The session, where it has an id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<Arc<str>>,
    /// Name and version of the formula.
    pub formula: &'static str,
    /// The discount.
    pub gamma: f64,
    /// The weights.
    pub weights: PerPrinciple,
    /// The ethical floor; null without one.
    pub ethical_floor: Option<f64>,
    /// SHA-256 of the text in which the turns stood.
    pub input_sha256: String,
    /// How many turns there are.
    pub turns: usize,
    /// The discounted value.
    pub value: f64,
}

/// A step of a walk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceStep {
    /// The number of the turn before; null at the beginning.
    pub state_before: Option<i64>,
    /// The action.
    pub action: Arc<str>,
    /// The number of this turn.
    pub state_after: i64,
    /// The total of the turn.
    pub reward: f64,
    /// Gamma to the power of the step, from 0.
    pub discount: f64,
    /// What the step adds to the value of the walk: discount x reward.
    pub value: f64,
    /// Why.
    pub rationale: String,
    /// The record of the turn.
    pub mark: Mark,
}

fn evidence(turn: &Turn) -> Option<Evidence> {
    if turn.witnessed.is_some() {
        return None;
    }
    let is_said = |principle: Principle| !turn.by_default.has(principle);
    // without a result it is not known whether it was said, and it counts for nothing
    let says_mutations = is_said(Principle::Ethical) || turn.has_mutations;
    Some(Evidence {
        has_mutations: says_mutations.then_some(turn.has_mutations),
        acknowledged: turn.acknowledged,
        turn_result: turn.result.as_ref().map(|result| Measures {
            tools: (is_said(Principle::Composable) || result.tools > 0).then_some(result.tools),
            tools_passed: result.tools_passed,
            context_utilization: result.context_utilization,
        }),
        overrides: Overridden(turn.overrides.clone()),
    })
}

/// SHA-256 of what a mark says of its turn: of the compact JSON of its `session_id` (where it
/// has one), `turn_number`, `action`, `user_message`, `assistant_response`, `reasoning` and
/// `evidence`, in this order.
pub(super) fn turn_sha256(turn: &Turn, session_id: Option<&str>, reasoning: &str) -> String {
    #[derive(Serialize)]
    struct Said<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        session_id: Option<&'a str>,
        turn_number: i64,
        action: &'a str,
        user_message: &'a str,
        assistant_response: &'a str,
        reasoning: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        evidence: Option<Evidence>,
    }
    let said = Said {
        session_id,
        turn_number: turn.turn_number,
        action: &turn.action,
        user_message: &turn.user_message,
        assistant_response: turn.response(),
        reasoning,
        evidence: evidence(turn),
    };
    // plain data with string keys, which cannot fail to serialise
    let json = serde_json::to_string(&said).unwrap_or_default();
    input_sha256(&[("turn", &json)])
}

/// The mark of the turn at a position.
fn mark(log: &Log, result: &RewardResult, at: usize) -> Option<Mark> {
    let (turn, scored) = (log.turns.get(at)?, result.turns.get(at)?);
    let session_id = log.sessions.get(turn.session).and_then(|s| s.id.clone());
    let reasoning = if turn.reasoning.is_empty() {
        scored.notes.join("; ")
    } else {
        turn.reasoning.clone()
    };
    Some(Mark {
        turn_number: turn.turn_number,
        action: turn.action.clone(),
        user_message: turn.user_message.clone(),
        assistant_response: turn.response().to_owned(),
        constitutional_scores: scored.scores,
        evidence: evidence(turn),
        weighted_total: scored.weighted_total,
        band: scored.band,
        rejected: scored.rejected,
        witness: Witness {
            formula: FORMULA,
            weights: result.weights,
            ethical_floor: result.ethical_floor,
            input_sha256: log.input_sha256.clone(),
            position: at + 1,
            of: log.turns.len(),
            turn_sha256: turn_sha256(turn, session_id.as_deref(), &reasoning),
        },
        session_id,
        reasoning,
    })
}

/// The marks of scored turns, one per turn, in the order of the text.
pub fn marks(log: &Log, result: &RewardResult) -> Vec<Mark> {
    let all = 0..log.turns.len();
    all.filter_map(|at| mark(log, result, at)).collect()
}

/// The policy traces of scored turns, one per session, in the order in which they begin.
pub fn policy_traces(log: &Log, result: &RewardResult) -> Vec<PolicyTrace> {
    let sessions = log.sessions.iter().enumerate();
    let traces = sessions.map(|(place, session)| {
        let mut discount = 1.0;
        let mut before = None;
        let marks = session.turns.iter().filter_map(|at| mark(log, result, *at));
        let steps = marks.map(|mark| {
            let step = TraceStep {
                state_before: before.replace(mark.turn_number),
                action: mark.action.clone(),
                state_after: mark.turn_number,
                reward: mark.weighted_total,
                discount,
                value: discount * mark.weighted_total,
                rationale: mark.reasoning.clone(),
                mark,
            };
            discount *= result.gamma;
            step
        });
        let steps: Vec<_> = steps.collect();
        let summary = result.sessions.get(place).map(|scored| &scored.summary);
        PolicyTrace {
            policy_trace: TraceHead {
                session_id: session.id.clone(),
                formula: FORMULA,
                gamma: result.gamma,
                weights: result.weights,
                ethical_floor: result.ethical_floor,
                input_sha256: log.input_sha256.clone(),
                turns: steps.len(),
                value: summary.unwrap_or(&result.session).discounted_value,
            },
            log: steps,
        }
    });
    traces.collect()
}
