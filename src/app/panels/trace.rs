//! How a decision came about, and other sentences in a row.

use leptos::prelude::*;

/// The steps of a decision; the last one is what they lead to. A step that says
/// something else is not drawn anew.
#[component]
pub fn Steps(
    /// One sentence each.
    sentences: Memo<Vec<String>>,
) -> impl IntoView {
    let count = Memo::new(move |_| sentences.with(Vec::len));
    let items = move || {
        let items = (0..count.get()).map(|index| {
            let said = move || sentences.with(|all| all.get(index).cloned());
            view! { <li>{said}</li> }
        });
        items.collect_view()
    };
    view! { <ol class="trace">{items}</ol> }
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
