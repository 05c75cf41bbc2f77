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
use super::comparing::held_against;
use super::form::TurnsForm;
use super::model::Model;
use super::{record, sessions};
use crate::app::bench::{HeldAgainst, Host, Room};
use crate::app::charts::stack::Part;
use crate::app::desk::{Desk, Work};
use crate::app::export::Format;
use crate::app::panels::anatomy::{Opened, Rows};
use crate::app::panels::losses::Losses;
use crate::app::parts::NotLoaded;

/// Opens the bench.
#[wasm_split(constitution, fallible)]
pub fn enter(desk: Desk, host: Host) -> Result<Room, NotLoaded> {
    Ok(super::room(desk, host))
}

/// Holds a later run against an earlier one.
#[wasm_split(more, fallible)]
pub fn compare(before: Work, after: Work) -> Result<Result<HeldAgainst, String>, NotLoaded> {
    Ok(held_against(&before, &after))
}

/// The result as a file.
#[wasm_split(more, fallible)]
pub fn file(model: Model, format: Format) -> Result<Option<String>, NotLoaded> {
    Ok(super::file(model, format))
}

/// The form of the turns.
#[wasm_split(more, fallible)]
pub fn form(model: Model) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <TurnsForm model /> }))
}

/// The witness record of the turns.
#[wasm_split(more, fallible)]
pub fn record(model: Model, chosen: Chosen) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || record::view(model, chosen)))
}

/// The sessions beside each other.
#[wasm_split(more, fallible)]
pub fn sessions(model: Model, chosen: Chosen) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || sessions::view(model, chosen)))
}

/// What each turn lost.
#[wasm_split(more, fallible)]
pub fn losses(
    rows: Rows,
    parts: &'static [Part],
    evidence: Callback<Opened, AnyView>,
) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(
        move || view! { <Losses label="Turns" noun="Turn" rows parts evidence /> },
    ))
}
