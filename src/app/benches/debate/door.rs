//! The ways into the bench's code, which the page fetches when it first goes there.
//! What the verdict needs is a part of the bench's own; the rest of all benches is one
//! part, `more`. With a part for each, what some of them share would be dozens of files.

// what the macro writes: an import of the page's first part, an export of this one
#![allow(unsafe_code)]
// a part that is fetched may fail to come, whatever is in it
#![allow(clippy::unnecessary_wraps)]

use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

use super::against::{AgainstView, Compared};
use super::ballots::BallotsView;
use super::comparing::held_against;
use super::decision::DecisionView;
use super::firm::{ChangesView, DebatersView, DomainsView, SharesView};
use super::firmness::DebateFirmness;
use super::form::{DebateForm, make_edit};
use super::model::{Later, Model};
use super::profile::ProfileEditor;
use super::series::SeriesView;
use super::what_if::Dock;
use crate::app::bench::{HeldAgainst, Host, Room};
use crate::app::desk::{Desk, Work};
use crate::app::export::Format;
use crate::app::parts::NotLoaded;
use crate::debate::{Board, LeftOut, Payload};

/// With more reviews than these the verdict without each debater is not at the top.
const MOST_REVIEWS: usize = 500;

/// Opens the bench.
#[wasm_split(debate, fallible)]
pub fn enter(desk: Desk, host: Host) -> Result<Room, NotLoaded> {
    Ok(super::room(desk, host))
}

/// A candidate beside another.
#[wasm_split(more, fallible)]
pub fn against(model: Model, id: String, compared: Compared) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || {
        let id = id.clone();
        view! { <AgainstView model id compared /> }
    }))
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

/// The form of the debate.
#[wasm_split(more, fallible)]
pub fn form(model: Model) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <DebateForm model /> }))
}

/// The profiles that debates are weighed with.
#[wasm_split(more, fallible)]
pub fn profiles(model: Model) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <ProfileEditor model /> }))
}

/// All debates of a text that has several.
#[wasm_split(more, fallible)]
pub fn series(model: Model) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || view! { <SeriesView model /> }))
}

/// All ratings, for paper.
#[wasm_split(more, fallible)]
pub fn ratings(model: Model) -> Result<ViewFn, NotLoaded> {
    Ok(ViewFn::from(move || super::ratings::view(model)))
}

/// How the verdict came about and how firm it is, section by section.
#[wasm_split(more, fallible)]
pub fn rest(model: Model, firmness: DebateFirmness) -> Result<ViewFn, NotLoaded> {
    if model.later.with_untracked(Option::is_none) {
        model.later.set(Some(Later { left_out }));
    }
    let keep = Callback::new(move |edit| make_edit(model, &edit));
    Ok(ViewFn::from(move || {
        view! {
            <DecisionView model firmness />
            <ChangesView model firmness keep />
            <SharesView firmness />
            <DomainsView firmness />
            <DebatersView firmness />
            <BallotsView model />
            <Dock model keep />
        }
    }))
}

/// Each debater is one more scoring: of a large debate that waits for its own section.
fn left_out(payload: &Payload, board: &Board) -> Vec<LeftOut> {
    let reviews: usize = payload.candidates.iter().map(|c| c.reviews.len()).sum();
    if reviews > MOST_REVIEWS {
        return Vec::new();
    }
    board.leave_one_out()
}
