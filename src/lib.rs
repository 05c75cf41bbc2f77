//! Assay scores an AI's work: debates between models, constitutional rewards
//! of an agent's turns, and how well replies keep to a persona. Data flows one
//! way: text -> document -> result -> view.
//!
//! - [`text`]: places, offsets, whole words, sorting: what is true of any text
//! - [`document`]: JSON, YAML and JSONL in, values with their place and [`document::Problem`]s out
//! - [`constitution`]: every turn on seven principles (`constitutional-reward/1`)
//! - [`debate`]: candidates and reviews to a ranking and a decision (`rwea/1`)
//! - [`persona`]: transcripts against a persona (`alignmenter-reference/1`)
//! - [`analysis`]: what is true of any weighted score
//! - [`share`]: permalinks and exports
//! - [`embedding`]: the sentence-embedding model and the protocol of its worker
//! - `app`: the single-page app (feature `app`)
//! - `cli`: the command line (feature `cli-core`)
//!
//! SCORING.md gives every formula, DESIGN.md the reasons behind the layout.

pub mod analysis;
pub mod constitution;
pub mod debate;
pub mod document;
pub mod embedding;
pub mod persona;
pub mod share;
pub mod text;

#[cfg(feature = "app")]
pub mod app;

#[cfg(feature = "cli-core")]
pub mod cli;
