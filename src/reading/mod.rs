//! The program that reads files: what the page and its worker say to each other, and the worker.
//! What is read, and how, is in [`sources`](crate::sources).

pub mod protocol;
mod reader;
#[cfg(feature = "reader")]
pub mod worker;

pub use reader::Reader;
