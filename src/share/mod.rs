//! Leaving with a result: permalinks and exports.

<<<<<<< HEAD
mod export;
mod permalink;

pub use export::{debate_csv, debate_markdown, reward_csv, reward_markdown};
pub use permalink::{Document, Kind, LinkError, MOST_BYTES, decode, encode};
=======
mod persona_export;
pub use persona_export::{persona_csv, persona_markdown};
>>>>>>> persona
