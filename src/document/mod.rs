//! Text in, values with their place out. Every bad input becomes a [`Problem`]
//! that says what was given, what was expected and where.

mod detect;
pub mod edit;
pub mod edit_yaml;
mod head;
mod json;
mod kinship;
mod mends;
mod node;
mod normalise;
mod parsed;
mod part_end;
mod path;
mod pieces;
mod plain;
mod problem;
mod reader;
mod sifted;
mod slips;
mod stepwise;
mod syntax;
mod written;
mod yaml;

pub use crate::text::Place;
pub use detect::detect;
pub use head::head;
pub use json::{parse_json, parse_json_at, parse_json_in_steps, parse_jsonl, parse_jsonl_in_steps};
pub use kinship::{Kinship, is_of_part, made_by_assay};
pub use mends::mended;
pub use node::{Entry, Node, Number, Value};
pub use normalise::{hex, input_sha256, input_sha256_in_steps, normalise};
pub use parsed::Parsed;
pub use part_end::{PartEnd, unlike};
pub use path::{Step, path_from};
pub use pieces::{Piece, items, pieces};
pub use plain::{Object, Shallow, Text};
pub use problem::{Code, Evaluation, Mend, Numbering, Problem, Problems, Severity};
pub use reader::{Reader, SOURCE, unknown_key};
pub use sifted::{Known, Noted, Sifted, offset};
pub use slips::mend;
#[cfg(test)]
pub use syntax::PARSED;
pub use written::{push_all, push_count, push_json, push_name, push_number, push_plain, push_text};
pub use yaml::parse_yaml;
