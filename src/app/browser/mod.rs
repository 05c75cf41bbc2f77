//! The only place that touches the browser. Each module is one thing it can do;
//! what a browser refuses becomes a value, never a panic. These are bindings: they
//! hold no signals and name nothing of the app around them.

pub mod brought;
pub mod caret;
pub mod clipboard;
pub mod crash;
mod database;
pub mod download;
pub mod events;
pub mod fetch;
pub mod field;
pub mod location;
pub mod offline;
pub mod picture;
pub mod program;
pub mod reader;
mod relaxed;
pub mod run_store;
pub mod storage;
pub mod tasks;
pub mod texts;
pub mod theme;
pub mod vectors;
pub mod worker;

/// The browser does not allow it, or cannot do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;
