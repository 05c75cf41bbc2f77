//! The library of runs: what was scored and is worth it, kept with its name, its verdict and all
//! its texts until somebody takes it away.
//!
//! - [`run`]: a run as it is kept, and a file of runs
//! - [`choice`]: which of them are listed, and in what order
//! - [`comparing`]: two runs of a bench held against each other
//! - [`library`]: keeping, changing, removing
//! - [`marks`]: by what runs are known
//! - [`page`]: what is seen of it
//! - [`door`]: the ways into this code, which is fetched when it is needed

mod choice;
mod comparing;
pub mod door;
mod library;
mod marks;
mod page;
mod run;

pub use marks::{STAMP, is_file};
