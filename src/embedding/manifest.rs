//! `model.json`: which model file there is, so that it can be fetched and kept
//! under its hash.

use serde::{Deserialize, Serialize};

/// What `model.json` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the model.
    pub id: String,
    /// Name of the model file, beside `model.json`.
    pub file: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256, 64 hex digits.
    pub sha256: String,
    /// How its weights are packed.
    pub precision: String,
}
