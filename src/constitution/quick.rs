//! Turns of which there is nothing to say, read in one go: what a job with a million of them waits for.
//! Whatever is not as turns are meant to be goes the long way, which knows where everything stands.

use std::sync::Arc;

use serde::Deserialize;

use super::fields::DEFAULT_ACTION;
use super::log::Log;
use super::options::Options;
use super::principles::{PerPrinciple, Principle, Principles};
use super::result::RewardResult;
use super::reward::Measured;
use super::score::weigh_all;
use super::sessions::SessionTurns;
use super::turn::{Turn, TurnResult};
use crate::document::{Object, Shallow, input_sha256};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    session_id: Option<String>,
    turns: Vec<Object<Given>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    session_id: Option<String>,
    turn_number: Option<i64>,
    action: Option<String>,
    user_message: Option<String>,
    has_mutations: Option<bool>,
    acknowledged: Option<bool>,
    turn_result: Option<Object<Came>>,
    reasoning: Option<String>,
}

/// What came of a turn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Came {
    response: Option<String>,
    tools: Option<Vec<Shallow>>,
    tools_passed: Option<bool>,
    #[serde(rename = "user_corrected")]
    _user_corrected: Option<bool>,
    #[serde(rename = "signals")]
    _signals: Option<Vec<Shallow>>,
    #[serde(rename = "stopping_suggestion")]
    _stopping_suggestion: Option<String>,
    context_utilization: Option<f64>,
}

/// The result of a text that is one turn, a list of turns or a session, where reading it has no problem
/// to report: then the same as that of [`super::evaluate`]. None of any other text. `weights` are those of
/// [`super::own_weights`].
///
/// ```
/// use assay::constitution::{Options, evaluate, evaluate_quickly, own_weights};
///
/// let options = Options::default();
/// let weights = own_weights(&options).result.expect("the defaults");
/// let text = r#"{"turn_result": {"response": "Great!"}}"#;
/// let quick = evaluate_quickly(text, &weights, &options);
/// assert_eq!(quick, evaluate(text, &options).result);
/// // a key that nobody reads is a warning
/// assert_eq!(evaluate_quickly(r#"{"turn_result": {"reply": "Great!"}}"#, &weights, &options), None);
/// ```
pub fn evaluate_quickly(
    text: &str,
    weights: &PerPrinciple,
    options: &Options,
) -> Option<RewardResult> {
    read(text).map(|log| weigh_all(&log, options, *weights))
}

fn read(text: &str) -> Option<Log> {
    let (id, given) = turns(text)?;
    let id = id.filter(|id| !id.is_empty());
    let mut turns = Vec::with_capacity(given.len());
    let mut last = None;
    for Object(given) in given {
        let own = given.session_id.as_ref().filter(|own| !own.is_empty());
        // turns that name a session are of it, whatever they stand in
        if own.is_some_and(|own| id.as_ref() != Some(own)) {
            return None;
        }
        let number = given.turn_number.unwrap_or(turns.len() as i64 + 1);
        if number < 0 || last.is_some_and(|last| last >= number) {
            return None;
        }
        last = Some(number);
        turns.push(turn(given, number)?);
    }
    if turns.is_empty() {
        return None;
    }
    let id: Option<Arc<str>> = id.map(Into::into);
    Some(Log {
        input_sha256: input_sha256(&[("turns", text)]),
        sessions: vec![SessionTurns {
            id: id.clone(),
            is_named: id.is_some(),
            turns: (0..turns.len()).collect(),
        }],
        session_id: id,
        rows: (0..turns.len()).collect(),
        measured: turns.iter().map(Measured::of).collect(),
        turns,
        check: None,
        walks: Vec::new(),
        weights: Vec::new(),
        replace_weights: false,
    })
}

/// The turns of a text, and the session that is around them.
fn turns(text: &str) -> Option<(Option<String>, Vec<Object<Given>>)> {
    if text.trim_start().starts_with('[') {
        return Some((None, serde_json::from_str(text).ok()?));
    }
    if let Ok(only) = serde_json::from_str::<Object<Given>>(text) {
        return Some((only.0.session_id.clone(), vec![only]));
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
        action: given.action.as_deref().unwrap_or(DEFAULT_ACTION).into(),
        user_message: given.user_message.unwrap_or_default(),
        has_mutations: given.has_mutations.unwrap_or(false),
        acknowledged: given.acknowledged,
        result: Some(TurnResult {
            response: came.response.unwrap_or_default(),
            tools: came.tools.map_or(0, |tools| tools.len()),
            tools_passed: came.tools_passed.unwrap_or(true),
            // -0.0 is in the range too
            context_utilization: used.map(|used| used + 0.0),
        }),
        overrides: Vec::new(),
        reasoning: given.reasoning.unwrap_or_default(),
        witnessed: None,
        record: None,
        by_default,
    })
}
