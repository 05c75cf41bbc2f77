//! The way into this code, which the page fetches when it is first asked for.

// a part that is fetched may fail to come, whatever is in it
#![allow(clippy::unnecessary_wraps)]

use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

use super::panel::panel;
use super::source::Source;
use crate::app::parts::{Fetching, NotLoaded};

#[wasm_split(more, fallible)]
fn part(source: Source) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || panel(source)))
}

/// The charts and tables of what is on a bench.
pub fn figures(source: Source) -> Fetching<ViewFn> {
    Box::pin(part(source))
}
