//! Personal data in texts: found and masked before they leave (SCORING.md section 0, "Personal data").
//! What is unmistakable counts: a false alarm in every link teaches to look away.

mod find;
mod kinds;
mod mask;

pub use find::{Found, find};
pub use kinds::Kind as PrivateKind;
pub use mask::{Masks, counted, mark_json};
