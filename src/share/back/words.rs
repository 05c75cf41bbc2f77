//! What several shapes have in common.

use serde::Serialize;

use crate::debate::{Candidate, DebateResult, Decision, Row, Term};

/// Records as JSON Lines.
pub(super) fn lines<T: Serialize>(records: impl Iterator<Item = T>) -> String {
    // plain data with text keys can always be written
    let lines = records.map(|record| serde_json::to_string(&record).unwrap_or_default() + "\n");
    lines.collect()
}

/// What the verdict says of a candidate.
pub(super) fn standing(result: &DebateResult, row: &Row) -> &'static str {
    let is_named = result.winner.as_ref() == Some(&row.id);
    if row.eliminated {
        "eliminated"
    } else if result.decision == Decision::Winner && is_named {
        "winner"
    } else if result.hybrid_candidates.contains(&row.id) {
        "combined"
    } else {
        "not chosen"
    }
}

/// What stands for a candidate's answer, which a debate does not hold: what it claims, or else its
/// name.
pub(super) fn output(candidate: &Candidate) -> String {
    let claims = candidate.claims.iter();
    let claims: Vec<_> = claims.filter_map(|claim| claim.text.as_deref()).collect();
    if claims.is_empty() {
        candidate.id.clone()
    } else {
        claims.join("\n")
    }
}

/// The name of whoever wrote a review: its place where it has none.
pub(super) fn debater(name: Option<&str>, at: usize) -> String {
    name.map_or_else(|| format!("review {}", at + 1), str::to_owned)
}

/// What a candidate's score is made of, in words.
pub(super) fn made_of(row: &Row) -> String {
    let parts = Term::ALL.into_iter().zip(row.contributions.values());
    let parts = parts.filter(|(_, value)| *value != 0.0);
    let parts: Vec<_> = parts
        .map(|(term, value)| format!("{} {value:+}", term.name()))
        .collect();
    parts.join(", ")
}

/// A text, unless it is empty.
pub(super) fn said(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
