//! The turns of a text, as they were read.

use std::sync::Arc;

use super::finding::Check;
use super::reward::Measured;
use super::sessions::SessionTurns;
use super::turn::{Turn, Walk};

/// The turns of one session or of several, read without an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// SHA-256 of the text. It stands first: logs of two texts differ here already.
    pub input_sha256: String,
    /// The session, where there is one and it has an id.
    pub session_id: Option<Arc<str>>,
    /// The sessions in the order in which they begin; at least one.
    pub sessions: Vec<SessionTurns>,
    /// In the order of the text; at least one.
    pub turns: Vec<Turn>,
    /// Which turn of the text each is, from 0: those that are left out count there.
    pub rows: Vec<usize>,
    /// What came of scoring a witness record again; none where the turns are none.
    pub check: Option<Check>,
    /// The walks of policy traces.
    pub walks: Vec<Walk>,
    /// Weights that the sessions bring along.
    pub weights: Vec<(String, f64)>,
    /// `"weights_mode": "replace"`.
    pub replace_weights: bool,
    /// What was measured of each turn: weights only weigh it.
    pub(super) measured: Vec<Measured>,
}
