//! Rows of a transcript of which there is nothing to say, read in one go: most of a long one are.

use serde::Deserialize;

use super::transcript::OTHER_ROLES;
use crate::document::{Object, Text};
use crate::text::Place;

/// `{"session_id", "turn_index", "role", "text"}`, each once and of its kind, and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickRow<'a> {
    /// Not blank.
    #[serde(borrow)]
    pub session_id: Text<'a>,
    /// Index in its session.
    pub turn_index: i64,
    /// `assistant`, or one of [`OTHER_ROLES`].
    #[serde(borrow)]
    pub role: Text<'a>,
    /// What was said.
    #[serde(borrow)]
    pub text: Text<'a>,
}

/// The rows of JSON Lines with their places, where all are such rows and there are some: the others go
/// the long way, which knows where everything stands.
pub fn quick_rows(text: &str) -> Option<Vec<(QuickRow<'_>, Place)>> {
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        if line.trim().is_empty() {
            continue;
        }
        // the row stands where its line begins
        let line = Some(line).filter(|line| line.starts_with('{'))?;
        let Object(row) = serde_json::from_str::<Object<QuickRow>>(line).ok()?;
        let is_known = row.role.0 == "assistant" || OTHER_ROLES.contains(&&*row.role.0);
        if !is_known || row.session_id.0.trim().is_empty() {
            return None;
        }
        let place = Place {
            line: number,
            column: 1,
        };
        rows.push((row, place));
    }
    (!rows.is_empty()).then_some(rows)
}
