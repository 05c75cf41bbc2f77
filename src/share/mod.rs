//! Leaving with a result: permalinks and exports.

mod persona_export;
pub use persona_export::{persona_csv, persona_markdown};
