//! What every number of the page is: one table, from which the explanation beside a label
//! and the glossary are made. Its words follow SCORING.md, its numbers are the methods'
//! own constants. It is fetched when somebody first asks.

// what is fetched may not be there; the code itself does not fail
#![allow(clippy::unnecessary_wraps)]

pub mod all;
mod common;
mod constitution;
mod debate;
mod entry;
mod persona;
mod view;

use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

use super::parts::{Fetching, NotLoaded};

#[wasm_split(more, fallible)]
fn explanation(key: String) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view::explanation(&key)))
}

#[wasm_split(more, fallible)]
fn glossary(bench: &'static str) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <view::Glossary bench /> }))
}

/// What there is to know of one number.
pub fn fetch_explanation(key: String) -> Fetching<ViewFn> {
    Box::pin(explanation(key))
}

/// All of it, first what is of the bench with this title.
pub fn fetch_glossary(bench: &'static str) -> Fetching<ViewFn> {
    Box::pin(glossary(bench))
}
