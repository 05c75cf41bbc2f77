//! The ways into this code, which the page fetches when it first goes there.

// what the macro writes: an import of the page's first part, an export of this one
#![allow(unsafe_code)]
// a part that is fetched may fail to come, whatever is in it
#![allow(clippy::unnecessary_wraps)]

use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

use super::page::{RunsPage, keep_work, take_runs};
use crate::app::parts::NotLoaded;
use crate::app::shell::{Seat, Shell};

/// The page of all runs.
#[wasm_split(more, fallible)]
pub fn page(shell: Shell) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <RunsPage shell /> }))
}

/// Keeps what is on a bench as a run.
#[wasm_split(more, fallible)]
pub fn keep(shell: Shell, seat: Seat) -> Result<(), NotLoaded> {
    keep_work(shell, seat);
    Ok(())
}

/// Takes a file of runs.
#[wasm_split(more, fallible)]
pub fn take(shell: Shell, text: String) -> Result<(), NotLoaded> {
    take_runs(shell, &text);
    Ok(())
}
