//! From good replies to a persona: a proposal with the evidence of each part, to be looked through
//! (SCORING.md section 3, "Drafts").

mod examples;
mod make;
mod medoids;
mod proposal;
mod words;
mod written;

pub use examples::{Examples, LEAST_EXAMPLES};
pub use make::draft;
pub use proposal::{Draft, Exemplar, Manner, Part, Trait};
pub use words::Entry;
