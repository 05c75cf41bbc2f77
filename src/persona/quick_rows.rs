//! Rows of a transcript of which there is nothing to say: most of a long one are, and they are read
//! without the places of what stands in them.

use serde::Deserialize;

use crate::document::{Object, Text};
use crate::steps::{Pause, Progress, step};
use crate::text::Place;

/// Roles that are read and not scored.
pub const OTHER_ROLES: [&str; 5] = ["user", "system", "developer", "tool", "function"];

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

/// The rows of JSON Lines with their places, in steps of a line, where all are such rows and there are some:
/// the others go the long way, which knows where everything stands.
pub async fn quick_rows<'a>(text: &'a str, pause: Pause<'_>) -> Option<Vec<(QuickRow<'a>, Place)>> {
    let mut rows = Vec::new();
    let (mut done, total) = (0, text.len() / KILOBYTE);
    for (number, line) in (1..).zip(text.split('\n')) {
        done += line.len() + 1;
        if line.trim().is_empty() {
            continue;
        }
        let place = Place {
            line: number,
            column: 1,
        };
        rows.push((quick_row(line)?, place));
        step(
            pause,
            Progress::new((done / KILOBYTE).min(total), total, "kB read"),
        )
        .await;
    }
    (!rows.is_empty()).then_some(rows)
}

const KILOBYTE: usize = 1000;

/// A row that begins where its line does.
fn quick_row(line: &str) -> Option<QuickRow<'_>> {
    let line = Some(line).filter(|line| line.starts_with('{'))?;
    let Object(row) = serde_json::from_str::<Object<QuickRow>>(line).ok()?;
    let is_known = row.role.0 == "assistant" || OTHER_ROLES.contains(&&*row.role.0);
    (is_known && !row.session_id.0.trim().is_empty()).then_some(row)
}
