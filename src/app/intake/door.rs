//! The ways into this code, which the page fetches when it first goes there.

// what the macro writes: an import of the page's first part, an export of this one
#![allow(unsafe_code)]
// a part that is fetched may fail to come, whatever is in it
#![allow(clippy::unnecessary_wraps)]

use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

use super::inside::InsidePage;
use super::origin::OriginBar;
use super::{Held, Intake, Loaded, room};
use crate::sources::Kind;

/// Looks through files.
#[wasm_split(more, fallible)]
pub fn take(intake: Intake, files: Vec<(String, Held)>, prefers: Vec<Kind>) -> Loaded<()> {
    room::take(intake, files, prefers);
    Ok(())
}

/// The page on which it is chosen what is opened.
#[wasm_split(more, fallible)]
pub fn inside(intake: Intake) -> Loaded<ViewFn> {
    Ok(ViewFn::from(move || view! { <InsidePage intake /> }))
}

/// Where the documents of a bench come from.
#[wasm_split(more, fallible)]
pub fn origin(intake: Intake, kinds: Vec<Kind>) -> Loaded<ViewFn> {
    Ok(ViewFn::from(move || {
        let kinds = kinds.clone();
        view! { <OriginBar intake kinds /> }
    }))
}
