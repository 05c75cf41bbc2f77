//! How a part ends, whatever it is a part of.

use serde::{Deserialize, Serialize};

/// What the last line of a part says: the job that wrote it came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEnd {
    /// How many sessions, or lines of them, were left out of it: they could not be read or scored.
    pub left_out: usize,
}
