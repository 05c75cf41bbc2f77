//! Leaving with a result: permalinks and exports.

mod export;
mod permalink;

pub use export::{debate_csv, debate_markdown, reward_csv, reward_markdown};
pub use permalink::{Document, Kind, LinkError, MOST_BYTES, decode, encode};
