//! How a decision came about, and other sentences in a row.

use leptos::prelude::*;

/// The steps of a decision; the last one is what they lead to.
pub fn steps(sentences: Vec<String>) -> impl IntoView {
    let items = sentences
        .into_iter()
        .map(|sentence| view! { <li>{sentence}</li> });
    view! { <ol class="trace">{items.collect_view()}</ol> }
}

/// A heading over some sentences; nothing where there are none.
pub fn sentences(heading: &'static str, sentences: Vec<String>) -> Option<impl IntoView> {
    (!sentences.is_empty()).then(|| {
        let items = sentences
            .into_iter()
            .map(|sentence| view! { <li>{sentence}</li> });
        view! { <h4>{heading}</h4><ul class="notes">{items.collect_view()}</ul> }
    })
}
