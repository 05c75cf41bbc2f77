//! The one notice of the page: what the user should know that has no other place.

use leptos::prelude::*;

/// Something the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whether something went wrong.
    pub is_error: bool,
    /// What, in words.
    pub text: String,
    /// Whether reloading the page helps.
    pub offer_reload: bool,
}

/// Where notices are shown; a newer one replaces the last.
#[derive(Clone, Copy)]
pub struct Notices(RwSignal<Option<Notice>>);

impl Default for Notices {
    fn default() -> Self {
        Self(RwSignal::new(None))
    }
}

impl Notices {
    /// The notice shown. Tracked.
    pub fn get(self) -> Option<Notice> {
        self.0.get()
    }

    /// Whether none is shown.
    pub fn is_empty(self) -> bool {
        self.0.with_untracked(Option::is_none)
    }

    /// Says something.
    pub fn say(self, text: impl Into<String>) {
        self.show(text.into(), false, false);
    }

    /// Says that something went wrong.
    pub fn warn(self, text: impl Into<String>) {
        self.show(text.into(), true, false);
    }

    /// Says that something went wrong which reloading the page mends.
    pub fn offer_reload(self, text: impl Into<String>) {
        self.show(text.into(), true, true);
    }

    fn show(self, text: String, is_error: bool, offer_reload: bool) {
        self.0.set(Some(Notice {
            is_error,
            text,
            offer_reload,
        }));
    }

    /// Takes the notice away.
    pub fn dismiss(self) {
        self.0.set(None);
    }
}
