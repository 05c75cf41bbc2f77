//! Labels that explain themselves. They are plain buttons: one listener of the page opens
//! the explanation of whichever is pressed, so a label costs nothing until then.

use leptos::prelude::*;

/// The id of the page's explanation, which all these buttons open.
pub const EXPLANATION: &str = "explanation";

/// A label that explains itself; one without an explanation is words.
pub fn explained(label: impl Into<String>, about: &'static str) -> AnyView {
    let label = label.into();
    if about.is_empty() {
        return label.into_any();
    }
    view! { <button type="button" class="explained" popovertarget=EXPLANATION data-about=about>{label}</button> }
        .into_any()
}

/// A question mark beside a heading, which explains it.
pub fn ask(title: &str, about: &'static str) -> Option<AnyView> {
    let label = format!("What is this: {title}");
    (!about.is_empty()).then(|| {
        view! { <button type="button" class="ask" popovertarget=EXPLANATION data-about=about aria-label=label>"?"</button> }
            .into_any()
    })
}
