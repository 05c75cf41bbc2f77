//! The ways into the bench's code, which the page fetches when it first goes there.
//! What the verdict needs is a part of the bench's own; the rest of all benches is one
//! part, `more`. With a part for each, what some of them share would be dozens of files.

// what the macro writes: an import of the page's first part, an export of this one
#![allow(unsafe_code)]
// a part that is fetched may fail to come, whatever is in it
#![allow(clippy::unnecessary_wraps)]

use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

use super::choice::Chosen;
use super::comparing::CompareSection;
use super::drafting::DraftPanel;
use super::drifting::DriftSection;
use super::form::PersonaForm;
use super::judging::JudgingSection;
use super::model::Model;
use crate::app::bench::{Host, Room};
use crate::app::desk::{Desk, Work};
use crate::app::export::Format;
use crate::app::parts::NotLoaded;
use crate::document::Problem;

/// Opens the bench.
#[wasm_split(persona, fallible)]
pub fn enter(desk: Desk, host: Host) -> Result<Room, NotLoaded> {
    Ok(super::room(desk, host))
}

/// The result as a file.
#[wasm_split(more, fallible)]
pub fn file(model: Model, format: Format) -> Result<Option<String>, NotLoaded> {
    Ok(super::file(model, format))
}

/// From examples to a persona.
#[wasm_split(more, fallible)]
pub fn drafting(model: Model) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <DraftPanel model /> }))
}

/// The form of the persona.
#[wasm_split(more, fallible)]
pub fn form(model: Model, problems: Signal<Vec<Problem>>) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(
        move || view! { <PersonaForm model problems /> },
    ))
}

/// The comparison with another run.
#[wasm_split(more, fallible)]
pub fn comparison(model: Model) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <CompareSection model /> }))
}

/// A later run with an earlier one as its baseline.
#[wasm_split(more, fallible)]
pub fn beside(before: Work, after: Work) -> Result<Work, NotLoaded> {
    Ok(super::beside::beside(&before, after))
}

/// The drift of the sessions.
#[wasm_split(more, fallible)]
pub fn drift(model: Model, chosen: Chosen) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(
        move || view! { <DriftSection model chosen /> },
    ))
}

/// Judges by copy and paste.
#[wasm_split(more, fallible)]
pub fn judges(model: Model) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <JudgingSection model /> }))
}
