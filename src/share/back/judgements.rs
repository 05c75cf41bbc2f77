//! What was found of each candidate, turn and session, for shapes that are a list of judgements.

use serde::Serialize;

use super::words::{made_of, said, standing};
use crate::constitution::{Principle, RewardResult, ScoredTurn, numbered};
use crate::debate::{DebateResult, Payload};
use crate::persona::{Grade, Metric, PersonaResult, SessionResult};

/// A judgement.
#[derive(Clone, Debug)]
pub(super) struct Judgement<'a> {
    /// Of what: `debate.score`, `constitution.ethical`, `persona.overall`.
    pub(super) name: String,
    /// As the result has it.
    pub(super) value: f64,
    /// The same as one of a few words.
    pub(super) label: Option<&'static str>,
    /// Why.
    pub(super) explanation: Option<String>,
    /// The session that was judged, where it is known.
    pub(super) session: Option<&'a str>,
    /// What was judged and how.
    pub(super) about: About<'a>,
}

/// What was judged and how.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct About<'a> {
    /// Which of several debates, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) debate: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) question: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) candidate: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) action: Option<&'a str>,
    /// The edit that was only tried: the figures are no evidence then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) what_if: Option<&'a str>,
    pub(super) formula: &'static str,
    pub(super) input_sha256: &'a str,
}

/// One for each candidate: its score.
pub(super) fn of_debates<'a>(debates: &[(&'a Payload, &'a DebateResult)]) -> Vec<Judgement<'a>> {
    let mut found = Vec::new();
    for (at, (_, result)) in debates.iter().enumerate() {
        let about = About {
            debate: (debates.len() > 1).then_some(at + 1),
            question: result.question.as_deref(),
            what_if: result.what_if.as_ref().map(|tried| tried.words.as_str()),
            formula: result.formula,
            input_sha256: &result.input_sha256,
            ..About::default()
        };
        found.extend(result.results.iter().map(|row| Judgement {
            name: "debate.score".into(),
            value: row.score,
            label: Some(standing(result, row)),
            explanation: said(made_of(row)),
            session: None,
            about: About {
                candidate: Some(&row.id),
                model: row.model.as_deref(),
                ..about.clone()
            },
        }));
    }
    found
}

/// Eight for each turn: the principles and the total.
pub(super) fn of_turns(result: &RewardResult) -> Vec<Judgement<'_>> {
    let turns = result.turns.iter();
    turns.flat_map(|turn| of_turn(turn, result)).collect()
}

fn of_turn<'a>(turn: &'a ScoredTurn, result: &'a RewardResult) -> Vec<Judgement<'a>> {
    let about = About {
        turn: Some(numbered(turn.turn_number, turn.occurrence)),
        action: Some(&turn.action),
        formula: result.formula,
        input_sha256: &result.input_sha256,
        ..About::default()
    };
    let session = turn.session_id.as_deref().or(result.session_id.as_deref());
    let total = Judgement {
        name: "constitution.total".into(),
        value: turn.weighted_total,
        label: Some(if turn.rejected {
            "rejected"
        } else {
            turn.band.word()
        }),
        explanation: said(turn.notes.join("; ")),
        session,
        about: about.clone(),
    };
    let principles = Principle::ALL.into_iter().map(|principle| Judgement {
        name: format!("constitution.{}", principle.name()),
        value: turn.scores[principle],
        label: turn.by_default.has(principle).then_some("by default"),
        explanation: why(turn, principle),
        session,
        about: about.clone(),
    });
    principles.chain([total]).collect()
}

/// Why a turn has less than the whole score of a principle.
pub(super) fn why(turn: &ScoredTurn, principle: Principle) -> Option<String> {
    let mut reasons = turn.reasons.iter();
    let found = reasons.find(|reason| reason.principle == principle)?;
    said(found.words.clone())
}

/// One for each metric that was measured in a session.
pub(super) fn of_sessions(result: &PersonaResult) -> Vec<Judgement<'_>> {
    let about = About {
        formula: result.formula,
        input_sha256: &result.input_sha256,
        ..About::default()
    };
    let mut found = Vec::new();
    for session in &result.sessions {
        let measured = Metric::ALL.into_iter();
        let measured = measured.filter_map(|metric| Some((metric, metric.of_session(session)?)));
        found.extend(measured.map(|(metric, value)| Judgement {
            name: format!("persona.{}", metric.name()),
            value,
            label: (metric == Metric::Overall).then(|| Grade::of(value).letter()),
            explanation: said_of(metric, session),
            session: Some(&session.session_id),
            about: about.clone(),
        }));
    }
    found
}

/// What decided on a session's safety, and the judge's own words.
fn said_of(metric: Metric, session: &SessionResult) -> Option<String> {
    if metric != Metric::Safety {
        return None;
    }
    let decided = session
        .decided_by
        .map(|part| format!("decided by {}", part.name()));
    let words = session.judge_reasoning.as_deref().map(str::to_owned);
    let all: Vec<_> = decided.into_iter().chain(words).collect();
    said(all.join(": "))
}
