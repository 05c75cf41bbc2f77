//! A link that was made: on the clipboard where the browser allows it, and in a field.

use leptos::prelude::*;

use crate::app::browser::{clipboard, field, location};
use crate::app::format::count;

/// Links longer than this are cut off by some chat tools.
const LONG: usize = 2000;

/// A permalink that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// All of it.
    pub url: String,
    /// Whether it is on the clipboard.
    pub is_copied: bool,
}

/// Puts a link on the clipboard, and shows it: what stands behind `#`.
pub async fn copy(link: String, made: RwSignal<Option<Made>>) {
    let url = location::with_hash(&link);
    let is_copied = clipboard::copy(&url).await.is_ok();
    made.set(Some(Made { url, is_copied }));
    if !is_copied {
        field::select("share-link");
    }
}

/// What is said of a link that was made.
pub fn shared(link: Made, made: RwSignal<Option<Made>>) -> impl IntoView {
    let length = link.url.chars().count();
    let copied = if link.is_copied {
        "The link is on your clipboard."
    } else {
        "Copy this link; the browser did not allow it to be copied for you."
    };
    let long = (length > LONG)
        .then_some(" Some chat tools cut links this long: send an exported file instead.");
    view! {
        <div class="shared" role="status">
            <p>
                <strong>{copied}</strong>
                " It contains the data itself ("
                {count(length, "character")}
                "), so whoever has it can read the data. No server is involved."
                {long}
            </p>
            <div class="shared-link">
                <input
                    id="share-link"
                    data-testid="share-link"
                    type="text"
                    readonly
                    aria-label="Permalink"
                    value=link.url
                />
                <button type="button" class="quiet" on:click=move |_| made.set(None)>
                    "Close"
                </button>
            </div>
        </div>
    }
}
