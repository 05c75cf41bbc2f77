//! The verdict in words.

use leptos::prelude::*;

use crate::app::derived::live;
use crate::app::verdict::{Tone, Verdict};

/// The verdict, announced when it changes. `empty` stands there without one.
#[component]
pub fn VerdictPanel(
    /// The verdict; none while there is no result.
    #[prop(into)]
    verdict: Signal<Option<Verdict>>,
    /// What to do when there is none.
    #[prop(into)]
    empty: Signal<String>,
) -> impl IntoView {
    let shown = Memo::new(move |_| {
        verdict.get().unwrap_or_else(|| Verdict {
            tone: Tone::Neutral,
            headline: "No result".into(),
            detail: empty.get(),
        })
    });
    let class = move || format!("verdict {}", shown.with(|v| v.tone.class()));
    view! {
        <div class=class aria-live="polite" data-testid="verdict">
            <h2>{live(move || shown.with(|v| v.headline.clone()))}</h2>
            <p>{live(move || shown.with(|v| v.detail.clone()))}</p>
        </div>
    }
}
