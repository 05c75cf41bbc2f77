//! The way to a bench's example.

use leptos::prelude::*;

/// A button that opens the example of the bench of this name.
pub fn example_button(bench: &'static str, open: Callback<()>) -> AnyView {
    let hook = format!("open-example-{bench}");
    view! {
        <button type="button" class="primary" data-testid=hook on:click=move |_| open.run(())>
            "Open the example"
        </button>
    }
    .into_any()
}
