//! The library of runs: what was scored and is worth it, kept with its name, its verdict and all
//! its texts until somebody takes it away.
//!
//! - [`run`]: a run as it is kept, and a file of runs
//! - [`choice`]: which of them are listed, and in what order
//! - [`comparing`]: two runs of a bench held against each other
//! - [`library`]: keeping, changing, removing
//! - [`page`]: what is seen of it
//! - [`door`]: the ways into this code, which is fetched when it is needed

mod choice;
mod comparing;
pub mod door;
mod library;
mod page;
mod run;

/// Changes with every change of the library: other tabs hear of it.
pub const STAMP: &str = "assay.runs";

/// Whether a text says that it is a file of runs.
pub fn is_file(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let rest = start.strip_prefix('{').map(str::trim_start);
    let rest = rest.and_then(|rest| rest.strip_prefix("\"assay\""));
    let rest = rest.and_then(|rest| rest.trim_start().strip_prefix(':'));
    rest.is_some_and(|rest| rest.trim_start().starts_with(MARK))
}

/// What a file of runs says it is.
const MARK: &str = "\"runs/1\"";
