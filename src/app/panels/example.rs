//! Ways to begin: a bench's example, and files of one's own.

use leptos::prelude::*;

use crate::app::browser::events::{self, Files};

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

/// A button that begins with nothing, in the form.
pub fn start_button(start: Callback<()>) -> AnyView {
    view! {
        <button type="button" class="quiet" data-testid="start-empty" on:click=move |_| start.run(())>
            "Start from nothing"
        </button>
    }
    .into_any()
}

/// A button that asks for files and does what a drop does.
pub fn files_button(take: Callback<Files>) -> AnyView {
    let chosen = move |event: leptos::ev::Event| {
        events::on_chosen(&event, move |files| take.run(files));
    };
    view! {
        <label class="file">
            "Open files …"
            <input class="visually-hidden" type="file" multiple data-testid="open-files" on:change=chosen />
        </label>
    }
    .into_any()
}
