//! Leaving with a result: permalinks, exports, pictures, reports and what verifies them, witness records,
//! the shapes of other tools.

mod again;
mod back;
mod export;
pub mod figures;
mod goal;
mod markup;
mod permalink;
mod persona_export;
mod private;
pub mod report;
pub mod verify;
mod witness;

pub use again::{Means, formula, has_second_opinion, other_formula, score_again};
pub use back::{Shape, debates_back, persona_back, reward_back};
pub use export::{
    Entry, WhyNot, beside_markdown, debate_csv, debate_markdown, debates_csv, debates_markdown,
    reward_csv, reward_markdown, table_csv, table_markdown,
};
pub use goal::Goal;
pub use permalink::{
    COMPARE, Document, Kind, LinkError, MOST_BYTES, compared_links, decode, encode,
};
pub use persona_export::{comparison_csv, comparison_markdown, persona_csv, persona_markdown};
pub use private::{Found, Masks, PrivateKind, counted, find, mark_json};
pub use witness::{reward_marks, reward_traces};
