//! What comes from outside and is none of our own documents: files are looked through by a
//! worker, what is in them is shown where there is a choice, and documents are made of it.
//!
//! The program for this is fetched when it is first needed ([`door`]). What the page has of it
//! before is an [`Intake`].

pub mod door;
mod inside;
mod origin;
mod room;

use std::sync::Arc;

use leptos::prelude::*;

use super::browser::reader::Held;
use super::notice::Notices;
use super::parts::{NotLoaded, fetch};
use crate::sources::Kind;
use room::Room;

/// Where documents go that are made here.
#[derive(Clone)]
pub struct Outlet {
    /// Opens a document of a kind, with the name of its file, and the labels that came with what
    /// is there before and come with this.
    pub open: Arc<dyn Fn(Kind, String, String, [String; 2]) + Send + Sync>,
    /// Opens the first of two documents of a kind that is compared.
    pub open_first: Arc<dyn Fn(Kind, String, String) + Send + Sync>,
    /// Whether two documents of a kind that come together are compared.
    pub compares: Arc<dyn Fn(Kind) -> bool + Send + Sync>,
    /// Puts a document in the place of the one before, as a gesture that undo takes back: its
    /// kind, its text, and the labels that were there and those that are there now.
    pub replace: Arc<dyn Fn(Kind, String, [String; 2]) + Send + Sync>,
    /// What is on its bench now, of a kind. Tracked.
    pub text: Arc<dyn Fn(Kind) -> Arc<str> + Send + Sync>,
    /// What the bench of a kind is called.
    pub title: Arc<dyn Fn(Kind) -> &'static str + Send + Sync>,
    /// Shows the page on which it is chosen.
    pub show: Arc<dyn Fn() + Send + Sync>,
    /// Where what has no other place is said.
    pub notices: Notices,
}

/// What the page has of it.
#[derive(Clone, Copy)]
pub struct Intake {
    outlet: StoredValue<Outlet>,
    /// What was made when it was first needed.
    room: RwSignal<Option<Room>>,
    owner: StoredValue<Option<Owner>>,
}

impl Intake {
    /// Nothing was given yet.
    pub fn new(outlet: Outlet) -> Self {
        Self {
            outlet: StoredValue::new(outlet),
            room: RwSignal::new(None),
            owner: StoredValue::new(Owner::current()),
        }
    }

    /// Takes files that are none of our own documents. `prefers` are the kinds of the bench that
    /// they were given on.
    pub fn take(self, files: Vec<(String, Held)>, prefers: Vec<Kind>) {
        let notices = self.outlet.with_value(|outlet| outlet.notices);
        fetch(Box::pin(door::take(self, files, prefers)), move |taken| {
            if taken.is_err() {
                notices.warn(
                    "The program that reads files could not be loaded. Try again in a while.",
                );
            }
        });
    }

    /// Whether something was made here. Tracked.
    pub fn is_used(self) -> bool {
        self.room.with(Option::is_some)
    }
}

/// What the doors give.
type Loaded<T> = Result<T, NotLoaded>;
