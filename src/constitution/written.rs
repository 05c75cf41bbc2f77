//! A result as JSON on one line, byte for byte as serde writes it, sooner: what a job with
//! a million turns prints.

use super::principles::{PerPrinciple, Principle};
use super::result::{FORMULA, RewardResult};
use super::reward::ScoredTurn;
use super::session::Session;
use crate::analysis::sum;
use crate::document::{push_count, push_number, push_text};

impl RewardResult {
    /// Appends it as JSON on one line, without its end.
    pub fn push_line(&self, out: &mut Vec<u8>) {
        push_head(out, &self.weights);
        push_all(out, &self.turns, |out, turn| {
            out.push(b'{');
            if let Some(id) = &turn.session_id {
                key(out, "\"session_id\":");
                push_text(out, id);
                out.push(b',');
            }
            push_name_of(out, turn.turn_number, &turn.action);
            push_scored(out, turn);
        });
        key(out, "],\"session\":{");
        push_session(out, &self.session);
        if !self.sessions.is_empty() {
            key(out, ",\"sessions\":[");
            push_all(out, &self.sessions, |out, session| {
                key(out, "{\"session_id\":");
                push_text(out, &session.session_id);
                out.push(b',');
                push_session(out, &session.summary);
            });
            out.push(b']');
        }
        push_end(out, &self.input_sha256);
    }
}

/// How a result begins, up to its turns.
pub(super) fn push_head(out: &mut Vec<u8>, weights: &PerPrinciple) {
    key(out, "{\"formula\":");
    push_name(out, FORMULA);
    key(out, ",\"weights\":");
    push_numbers(out, weights);
    key(out, ",\"weights_sum\":");
    push_number(out, sum(&weights.values()));
    key(out, ",\"turns\":[");
}

/// How it ends, behind its summaries.
pub(super) fn push_end(out: &mut Vec<u8>, input_sha256: &str) {
    key(out, ",\"input_sha256\":");
    push_name(out, input_sha256);
    out.push(b'}');
}

fn key(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// A name of ours, in which nothing is escaped.
fn push_name(out: &mut Vec<u8>, name: &str) {
    out.push(b'"');
    key(out, name);
    out.push(b'"');
}

fn push_all<T>(out: &mut Vec<u8>, all: &[T], push: impl Fn(&mut Vec<u8>, &T)) {
    for (place, one) in all.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        push(out, one);
    }
}

/// The number and the action of a turn.
pub(super) fn push_name_of(out: &mut Vec<u8>, number: i64, action: &str) {
    key(out, "\"turn_number\":");
    match usize::try_from(number) {
        Ok(number) => push_count(out, number),
        Err(_) => key(out, &number.to_string()),
    }
    key(out, ",\"action\":");
    push_text(out, action);
}

/// What stands behind those, and the end of the turn.
pub(super) fn push_scored(out: &mut Vec<u8>, turn: &ScoredTurn) {
    key(out, ",\"scores\":");
    push_numbers(out, &turn.scores);
    key(out, ",\"by_default\":[");
    let names: Vec<_> = turn.by_default.iter().collect();
    push_all(out, &names, |out, principle| {
        push_text(out, principle.name());
    });
    key(out, "],\"contributions\":");
    push_numbers(out, &turn.contributions);
    key(out, ",\"weighted_total\":");
    push_number(out, turn.weighted_total);
    key(out, ",\"normalised\":");
    push_number(out, turn.normalised);
    key(out, ",\"band\":");
    push_name(out, turn.band.word());
    key(
        out,
        if turn.rejected {
            ",\"rejected\":true"
        } else {
            ",\"rejected\":false"
        },
    );
    key(out, ",\"notes\":[");
    push_all(out, &turn.notes, |out, note| push_text(out, note));
    key(out, "]}");
}

/// The fields of a summary, and the end of what they stand in.
pub(super) fn push_session(out: &mut Vec<u8>, session: &Session) {
    key(out, "\"turns\":");
    push_count(out, session.turns);
    key(out, ",\"mean_total\":");
    push_number(out, session.mean_total);
    key(out, ",\"unmeasured\":");
    push_count(out, session.unmeasured);
    key(out, ",\"by_default\":");
    push_count(out, session.by_default);
    key(out, ",\"mean_scores\":");
    push_numbers(out, &session.mean_scores);
    key(out, ",\"weakest\":");
    push_name(out, session.weakest.name());
    let bands = &session.bands;
    for (name, number) in [
        (",\"bands\":{\"perfect\":", bands.perfect),
        (",\"good\":", bands.good),
        (",\"concerning\":", bands.concerning),
        (",\"poor\":", bands.poor),
    ] {
        key(out, name);
        push_count(out, number);
    }
    key(out, "},\"trend\":");
    match session.trend {
        Some(trend) => push_number(out, trend),
        None => key(out, "null"),
    }
    key(out, ",\"discounted_value\":");
    push_number(out, session.discounted_value);
    out.push(b'}');
}

/// An object of the principles' names and numbers.
fn push_numbers(out: &mut Vec<u8>, numbers: &PerPrinciple) {
    // each name with what stands before it and behind it
    const NAMES: [&str; Principle::COUNT] = [
        "{\"tasteful\":",
        ",\"curated\":",
        ",\"ethical\":",
        ",\"joy_inducing\":",
        ",\"composable\":",
        ",\"heterarchical\":",
        ",\"generative\":",
    ];
    for (name, number) in NAMES.into_iter().zip(numbers.values()) {
        key(out, name);
        push_number(out, number);
    }
    out.push(b'}');
}
