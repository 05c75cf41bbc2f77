//! How a part ends, whatever it is a part of.

use serde::{Deserialize, Serialize};

/// What the last line of a part says: the job that wrote it came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEnd {
    /// How many sessions, or lines of them, were left out of it: they could not be read or scored.
    pub left_out: usize,
    /// How many sessions are in it; not said by parts that were written before this was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sessions: Option<usize>,
}

impl PartEnd {
    /// Of a part with so many sessions, of which so much was left out.
    pub fn new(left_out: usize, sessions: usize) -> Self {
        Self {
            left_out,
            sessions: Some(sessions),
        }
    }
}
