//! What people have in their hands, read into documents of our own formats: a council's saved
//! chat, a promptfoo result, a log of an agent, a chat export, a character card.
//!
//! ```text
//! bytes -> records -> contents -> documents
//! ```
//!
//! - a **file** is bytes under a name; an archive or a picture has files inside ([`unpack`])
//! - **several** files of a format may be one debate together ([`Several`])
//! - its **records** are the values in it: lines of JSONL, items of an array, rows of a table,
//!   or the one value that it is ([`records`])
//! - a **format** is known by the shape of its records, never by a file name ([`Shape`]), and makes
//!   of them **contents**: conversations, ballots, cards ([`Content`])
//! - a **document** is written from contents by a **mapping** that a person can change ([`Mapping`])
//!
//! A format is a file in `formats`, with its shapes, how its records go together and what each becomes.
//! DESIGN.md shows how to add one. The mappings are in SCORING.md.

mod ballots;
mod bytes;
mod card;
mod content;
mod conversation;
mod fields;
mod file;
mod format;
mod formats;
mod listing;
mod make;
mod mapping;
mod notes;
mod reasons;
mod records;
mod several;
mod shape;
mod told;
mod unpack;

pub use ballots::{Ballot, Ballots, Candidate, Mark, Vote};
pub use bytes::Bytes;
pub use card::Card;
pub use content::{Content, Kind};
pub use conversation::{Call, Conversation, Label, Message, Outcome, Role};
pub use file::{File, LineOf, Strange, is_foreign};
pub use format::{Context, Format, Group, Rows, Several};
pub use formats::{FORMATS, noun_of};
pub use listing::{Item, Listing, Look, Unknown, look};
pub use make::{Made, Wanted, league_text, make};
pub use mapping::{Mapping, Setting, Value};
pub use notes::{Dropped, Notes};
pub use records::{Record, Stretch, Work, each_record};
pub use several::together;
pub use shape::{Shape, shown};
pub use told::{Told, told};
pub use unpack::{Part, Unpacked, unpack};
