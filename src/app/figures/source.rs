//! What the page gives: the result that is drawn, and the ways out.

use leptos::prelude::*;

use crate::app::bench::Leaving;
use crate::app::notice::Notices;
use crate::app::parts::Fetching;
use crate::share::Kind;

/// What the page gives.
#[derive(Clone, Copy)]
pub struct Source {
    /// What kind of result it is.
    pub kind: Kind,
    /// The result as JSON; none while there is none of what is there now.
    pub result: Callback<(), Fetching<Option<String>>>,
    /// Changes with it.
    pub changes: Signal<()>,
    /// What files of it are called, without an ending.
    pub stem: Callback<(), String>,
    /// Lets a text leave: where there is personal data in it, that is asked about first.
    pub leave: Callback<Leaving>,
    /// Where to say what has no other place.
    pub notices: Notices,
    /// Puts it away.
    pub close: Callback<()>,
}
