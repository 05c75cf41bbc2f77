//! A scored session as JSON on one line, byte for byte as serde writes it, sooner: what a job with a
//! million replies prints.

use serde::Serialize;

use super::asides::Others;
use super::result::{LexiconHit, SessionResult, TraitResult, TurnResult, Violation};
use super::second::SecondTally;
use crate::document::{
    push_all, push_count, push_json, push_name, push_number, push_plain, push_text,
};

/// Appends the line of a session in a part, without its end.
pub(super) fn push_part_session(
    out: &mut Vec<u8>,
    input_sha256: &str,
    (second_opinion, other_personas): (&SecondTally, &Others),
    result: &SessionResult,
) {
    push_plain(out, "{\"persona_session\":{\"input_sha256\":");
    push_name(out, input_sha256);
    push_plain(out, ",\"second_opinion\":");
    push_value(out, second_opinion);
    if !other_personas.is_empty() {
        push_plain(out, ",\"other_personas\":");
        push_value(out, other_personas);
    }
    push_plain(out, ",\"result\":");
    push_session(out, result);
    push_plain(out, "}}");
}

fn push_session(out: &mut Vec<u8>, session: &SessionResult) {
    push_plain(out, "{\"session_id\":");
    push_text(out, &session.session_id);
    for (key, value) in [
        (",\"overall\":", session.overall),
        (",\"authenticity\":", session.authenticity),
        (",\"style\":", session.style),
        (",\"traits\":", session.traits),
        (",\"lexicon\":", session.lexicon),
        (",\"safety\":", session.safety),
        (",\"violation_rate\":", session.violation_rate),
        (",\"severity_score\":", session.severity_score),
        (",\"judge_score\":", session.judge_score),
    ] {
        push_measured(out, key, value);
    }
    if let Some(reasoning) = &session.judge_reasoning {
        push_plain(out, ",\"judge_reasoning\":");
        push_text(out, reasoning);
    }
    push_plain(out, ",\"decided_by\":");
    push_value(out, &session.decided_by);
    push_measured(out, ",\"stability\":", session.stability);
    push_measured(out, ",\"voice\":", session.voice);
    push_plain(out, ",\"drift\":");
    push_value(out, &session.drift);
    push_plain(out, ",\"turns\":[");
    push_all(out, &session.turns, push_turn);
    push_plain(out, "]}");
}

fn push_turn(out: &mut Vec<u8>, turn: &TurnResult) {
    push_plain(out, "{\"turn_index\":");
    push_value(out, &turn.turn_index);
    push_plain(out, ",\"text\":");
    push_text(out, &turn.text);
    push_measured(out, ",\"style\":", turn.style);
    push_plain(out, ",\"nearest_exemplar\":");
    match &turn.nearest_exemplar {
        Some(text) => push_text(out, text),
        None => push_plain(out, "null"),
    }
    if let Some(unread) = turn.unread {
        push_plain(out, ",\"unread\":");
        push_text(out, unread);
    }
    push_plain(out, ",\"traits\":[");
    push_all(out, &turn.traits, push_trait);
    push_measured(out, "],\"lexicon\":", turn.lexicon);
    push_plain(out, ",\"preferred_hits\":[");
    push_all(out, &turn.preferred_hits, push_hit);
    push_plain(out, "],\"avoided_hits\":[");
    push_all(out, &turn.avoided_hits, push_hit);
    push_plain(out, "],\"violations\":[");
    push_all(out, &turn.violations, push_violation);
    push_plain(out, "]");
    if turn.second_opinion.is_some() {
        push_measured(out, ",\"second_opinion\":", turn.second_opinion);
    }
    push_measured(out, ",\"authenticity\":", turn.authenticity);
    push_measured(out, ",\"voice\":", turn.voice);
    push_plain(out, ",\"voice_parts\":");
    push_value(out, &turn.voice_parts);
    if !turn.taught.is_empty() {
        push_plain(out, ",\"taught\":");
        push_value(out, &turn.taught);
    }
    push_plain(out, "}");
}

fn push_trait(out: &mut Vec<u8>, shown: &TraitResult) {
    push_plain(out, "{\"trait\":");
    push_text(out, &shown.name);
    push_plain(out, ",\"matched\":");
    push_plain(out, if shown.matched { "true" } else { "false" });
    push_plain(out, ",\"evidence\":[");
    push_all(out, &shown.evidence, |out, one| {
        push_plain(out, "{\"signal\":");
        push_text(out, &one.signal);
        push_plain(out, ",\"value\":");
        push_number(out, one.value);
        if let Some(threshold) = &one.threshold {
            push_plain(out, ",\"threshold\":");
            push_text(out, threshold);
        }
        push_plain(out, ",\"spans\":[");
        push_all(out, &one.spans, |out, [start, end]| {
            push_plain(out, "[");
            push_count(out, *start);
            push_plain(out, ",");
            push_count(out, *end);
            push_plain(out, "]");
        });
        push_plain(out, "]}");
    });
    push_plain(out, "]}");
}

fn push_hit(out: &mut Vec<u8>, hit: &LexiconHit) {
    push_plain(out, "{\"entry\":");
    push_text(out, &hit.entry);
    push_span(out, [hit.start, hit.end]);
}

fn push_violation(out: &mut Vec<u8>, violation: &Violation) {
    push_plain(out, "{\"category\":");
    push_text(out, &violation.category);
    push_plain(out, ",\"severity\":");
    push_name(out, violation.severity.word());
    push_plain(out, ",\"pattern\":");
    push_text(out, &violation.pattern);
    push_span(out, [violation.start, violation.end]);
}

/// Where something stands, and the end of it.
fn push_span(out: &mut Vec<u8>, [start, end]: [usize; 2]) {
    push_plain(out, ",\"start\":");
    push_count(out, start);
    push_plain(out, ",\"end\":");
    push_count(out, end);
    push_plain(out, "}");
}

/// A finite number where it was measured, with its key and what stands before that.
fn push_measured(out: &mut Vec<u8>, key: &str, value: Option<f64>) {
    push_plain(out, key);
    match value {
        Some(value) => push_number(out, value),
        None => push_plain(out, "null"),
    }
}

/// What is rare, or small.
fn push_value(out: &mut Vec<u8>, value: &impl Serialize) {
    // keys are texts, and numbers finite
    let _ = push_json(out, value);
}
