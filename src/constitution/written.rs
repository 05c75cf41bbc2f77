//! A result as JSON on one line, byte for byte as serde writes it, sooner: what a job with
//! a million turns prints.

use super::principles::{PerPrinciple, Principle};
use super::result::{FORMULA, RewardResult};
use super::reward::ScoredTurn;
use super::session::Session;
use crate::analysis::sum;
use crate::document::{push_all, push_count, push_name, push_number, push_plain, push_text};

impl RewardResult {
    /// Appends it as JSON on one line, without its end.
    pub fn push_line(&self, out: &mut Vec<u8>) {
        push_head(out, &self.weights);
        push_id(out, self.session_id.as_deref());
        push_all(out, &self.turns, |out, turn| {
            out.push(b'{');
            if let Some(id) = &turn.session_id {
                push_plain(out, "\"session_id\":");
                push_text(out, id);
                out.push(b',');
            }
            push_name_of(out, turn.turn_number, &turn.action);
            push_scored(out, turn);
        });
        push_plain(out, "],\"session\":{");
        push_session(out, &self.session);
        if !self.sessions.is_empty() {
            push_plain(out, ",\"sessions\":[");
            push_all(out, &self.sessions, |out, session| {
                push_plain(out, "{\"session_id\":");
                push_text(out, &session.session_id);
                out.push(b',');
                push_session(out, &session.summary);
            });
            out.push(b']');
        }
        push_end(out, &self.input_sha256);
    }
}

/// How a result begins, up to the id of its session.
pub(super) fn push_head(out: &mut Vec<u8>, weights: &PerPrinciple) {
    push_plain(out, "{\"formula\":");
    push_name(out, FORMULA);
    push_plain(out, ",\"weights\":");
    push_numbers(out, weights);
    push_plain(out, ",\"weights_sum\":");
    push_number(out, sum(&weights.values()));
}

/// The id of its only session, where it has one, up to its turns.
pub(super) fn push_id(out: &mut Vec<u8>, id: Option<&str>) {
    if let Some(id) = id {
        push_plain(out, ",\"session_id\":");
        push_text(out, id);
    }
    push_plain(out, ",\"turns\":[");
}

/// How it ends, behind its summaries.
pub(super) fn push_end(out: &mut Vec<u8>, input_sha256: &str) {
    push_plain(out, ",\"input_sha256\":");
    push_name(out, input_sha256);
    out.push(b'}');
}

/// The number and the action of a turn.
pub(super) fn push_name_of(out: &mut Vec<u8>, number: i64, action: &str) {
    push_plain(out, "\"turn_number\":");
    match usize::try_from(number) {
        Ok(number) => push_count(out, number),
        Err(_) => push_plain(out, &number.to_string()),
    }
    push_plain(out, ",\"action\":");
    push_text(out, action);
}

/// What stands behind those, and the end of the turn.
pub(super) fn push_scored(out: &mut Vec<u8>, turn: &ScoredTurn) {
    push_plain(out, ",\"scores\":");
    push_numbers(out, &turn.scores);
    push_plain(out, ",\"by_default\":[");
    let names: Vec<_> = turn.by_default.iter().collect();
    push_all(out, &names, |out, principle| {
        push_text(out, principle.name());
    });
    push_plain(out, "],\"contributions\":");
    push_numbers(out, &turn.contributions);
    push_plain(out, ",\"weighted_total\":");
    push_number(out, turn.weighted_total);
    push_plain(out, ",\"normalised\":");
    push_number(out, turn.normalised);
    push_plain(out, ",\"band\":");
    push_name(out, turn.band.word());
    push_plain(
        out,
        if turn.rejected {
            ",\"rejected\":true"
        } else {
            ",\"rejected\":false"
        },
    );
    push_plain(out, ",\"notes\":[");
    push_all(out, &turn.notes, |out, note| push_text(out, note));
    push_plain(out, "]}");
}

/// The fields of a summary, and the end of what they stand in.
pub(super) fn push_session(out: &mut Vec<u8>, session: &Session) {
    push_plain(out, "\"turns\":");
    push_count(out, session.turns);
    push_plain(out, ",\"mean_total\":");
    push_number(out, session.mean_total);
    push_plain(out, ",\"unmeasured\":");
    push_count(out, session.unmeasured);
    push_plain(out, ",\"by_default\":");
    push_count(out, session.by_default);
    push_plain(out, ",\"mean_scores\":");
    push_numbers(out, &session.mean_scores);
    push_plain(out, ",\"weakest\":");
    push_name(out, session.weakest.name());
    let bands = &session.bands;
    for (name, number) in [
        (",\"bands\":{\"perfect\":", bands.perfect),
        (",\"good\":", bands.good),
        (",\"concerning\":", bands.concerning),
        (",\"poor\":", bands.poor),
    ] {
        push_plain(out, name);
        push_count(out, number);
    }
    push_plain(out, "},\"trend\":");
    match session.trend {
        Some(trend) => push_number(out, trend),
        None => push_plain(out, "null"),
    }
    push_plain(out, ",\"discounted_value\":");
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
        push_plain(out, name);
        push_number(out, number);
    }
    out.push(b'}');
}
