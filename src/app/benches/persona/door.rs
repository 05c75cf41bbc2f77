//! The way into the bench's code, which the page fetches when it first goes in.

// what the macro writes: an import of the page's first part, an export of this one
#![allow(unsafe_code)]

use wasm_split_helpers::wasm_split;

use crate::app::bench::{Host, NotLoaded, Room};
use crate::app::desk::Desk;

/// Opens the bench.
#[wasm_split(persona, fallible)]
pub fn enter(desk: Desk, host: Host) -> Result<Room, NotLoaded> {
    Ok(super::room(desk, host))
}
