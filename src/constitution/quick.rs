//! Turns of which there is nothing to say, read in one go: what a job with a million of them waits for.
//! Whatever is not as turns are meant to be goes the long way, which knows where everything stands.

use serde::Deserialize;

use super::fields::DEFAULT_ACTION;
use super::options::Options;
use super::principles::{PerPrinciple, Principle, Principles};
use super::result::{FORMULA, RewardResult};
use super::reward::{Measured, ScoredTurn, score_turn};
use super::session::sum_up;
use super::turn::{Turn, TurnResult};
use crate::analysis::sum;
use crate::document::{Object, Shallow, Text, input_sha256};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Session<'a> {
    #[serde(borrow)]
    session_id: Option<Text<'a>>,
    #[serde(borrow)]
    turns: Vec<Object<Given<'a>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given<'a> {
    #[serde(borrow)]
    session_id: Option<Text<'a>>,
    turn_number: Option<i64>,
    #[serde(borrow)]
    action: Option<Text<'a>>,
    #[serde(borrow, rename = "user_message")]
    _user_message: Option<Text<'a>>,
    has_mutations: Option<bool>,
    acknowledged: Option<bool>,
    #[serde(borrow)]
    turn_result: Option<Object<Came<'a>>>,
    #[serde(borrow, rename = "reasoning")]
    _reasoning: Option<Text<'a>>,
}

/// What came of a turn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Came<'a> {
    #[serde(borrow)]
    response: Option<Text<'a>>,
    tools: Option<Vec<Shallow>>,
    tools_passed: Option<bool>,
    #[serde(rename = "user_corrected")]
    _user_corrected: Option<bool>,
    #[serde(rename = "signals")]
    _signals: Option<Vec<Shallow>>,
    #[serde(borrow, rename = "stopping_suggestion")]
    _stopping_suggestion: Option<Text<'a>>,
    context_utilization: Option<f64>,
}

/// The result of a text that is one turn, a list of turns or a session, where reading it has no problem
/// to report: then it prints as that of [`super::evaluate`] does, from which it differs in that its turns
/// have no [`ScoredTurn::reasons`]. None of any other text. `weights` are those of [`super::own_weights`].
///
/// ```
/// use assay::constitution::{Options, evaluate, evaluate_quickly, own_weights};
///
/// let options = Options::default();
/// let weights = own_weights(&options).result.expect("the defaults");
/// let text = r#"{"turn_result": {"response": "Great!"}}"#;
/// let quick = evaluate_quickly(text, &weights, &options).expect("nothing to say");
/// let long = evaluate(text, &options).result.expect("a turn");
/// assert_eq!(serde_json::json!(quick), serde_json::json!(long));
/// // a key that nobody reads is a warning
/// assert_eq!(evaluate_quickly(r#"{"turn_result": {"reply": "Great!"}}"#, &weights, &options), None);
/// ```
pub fn evaluate_quickly(
    text: &str,
    weights: &PerPrinciple,
    options: &Options,
) -> Option<RewardResult> {
    let (id, given) = turns(text)?;
    let id = id.filter(|id| !id.0.is_empty());
    let mut turns = Vec::<ScoredTurn>::with_capacity(given.len());
    for Object(given) in given {
        let own = given.session_id.as_ref().filter(|own| !own.0.is_empty());
        // turns that name a session are of it, whatever they stand in
        if own.is_some_and(|own| id.as_ref().is_none_or(|id| id.0 != own.0)) {
            return None;
        }
        let number = given.turn_number.unwrap_or(turns.len() as i64 + 1);
        let last = turns.last().map(|last| last.turn_number);
        if number < 0 || last.is_some_and(|last| last >= number) {
            return None;
        }
        let turn = turn(given, number)?;
        let measured = Measured::without_reasons(&turn);
        turns.push(score_turn(
            (&turn, None),
            &measured,
            weights,
            options.ethical_floor,
        ));
    }
    if turns.is_empty() {
        return None;
    }
    Some(RewardResult {
        formula: FORMULA,
        weights: *weights,
        weights_sum: sum(&weights.values()),
        ethical_floor: options.ethical_floor,
        gamma: options.gamma,
        session_id: id.map(|id| id.0.into()),
        session: sum_up(&turns.iter(), options.gamma),
        sessions: Vec::new(),
        turns,
        input_sha256: input_sha256(&[("turns", text)]),
    })
}

/// The turns of a text, and the session that is around them.
fn turns(text: &str) -> Option<(Option<Text<'_>>, Vec<Object<Given<'_>>>)> {
    if text.trim_start().starts_with('[') {
        return Some((None, serde_json::from_str(text).ok()?));
    }
    if let Ok(Object(only)) = serde_json::from_str::<Object<Given>>(text) {
        let id = only.session_id.as_ref().map(|id| Text(id.0.clone()));
        return Some((id, vec![Object(only)]));
    }
    let Object(session) = serde_json::from_str::<Object<Session>>(text).ok()?;
    Some((session.session_id, session.turns))
}

/// A turn; none where it says nothing of any principle, which is to be told.
fn turn(given: Given, number: i64) -> Option<Turn> {
    let came = given.turn_result.map(|Object(came)| came);
    let is_measured = |principle| match (principle, &came) {
        (Principle::Ethical, Some(_)) => given.has_mutations.is_some(),
        (Principle::JoyInducing, came) => came.is_some(),
        (Principle::Composable, Some(came)) => came.tools.is_some(),
        (Principle::Generative, Some(came)) => came.context_utilization.is_some(),
        _ => false,
    };
    let by_default = Principles::those(|principle| !is_measured(principle));
    let came = came?;
    let used = came.context_utilization;
    if used.is_some_and(|used| !(0.0..=1.0).contains(&used)) {
        return None;
    }
    Some(Turn {
        turn_number: number,
        session: 0,
        occurrence: 1,
        action: given
            .action
            .map_or_else(|| DEFAULT_ACTION.into(), |action| action.0.into()),
        // what was said is no part of the result
        user_message: String::new(),
        has_mutations: given.has_mutations.unwrap_or(false),
        acknowledged: given.acknowledged,
        result: Some(TurnResult {
            response: came.response.map(|said| said.0.into()).unwrap_or_default(),
            tools: came.tools.map_or(0, |tools| tools.len()),
            tools_passed: came.tools_passed.unwrap_or(true),
            // -0.0 is in the range too
            context_utilization: used.map(|used| used + 0.0),
        }),
        overrides: Vec::new(),
        reasoning: String::new(),
        witnessed: None,
        record: None,
        by_default,
    })
}
