//! Small parts of forms: a one-line field, a button of one sign.

use leptos::prelude::*;

use crate::app::state::store::Desk;

/// A one-line field.
#[derive(Clone, Debug)]
pub struct Field {
    /// What it is.
    pub label: String,
    /// Its id and its hook for tests. Hooks that start with `model` offer the known models.
    pub hook: String,
    /// Whether every letter counts at once, or only what is there when it is left.
    pub at_once: bool,
}

/// Draws a field that shows `value` and hands on what is typed.
pub fn text_field(
    desk: Desk,
    field: Field,
    value: Memo<String>,
    problem: Memo<Option<String>>,
    commit: Callback<String>,
) -> AnyView {
    let Field {
        label,
        hook,
        at_once,
    } = field;
    let typed = move |event| {
        if at_once {
            commit.run(event_target_value(&event));
        }
    };
    let left = move |event| {
        let typed = event_target_value(&event);
        if !at_once && typed != value.get_untracked() {
            commit.run(typed);
        }
        desk.settle();
    };
    view! {
        <input
            type="text"
            autocomplete="off"
            spellcheck="false"
            class="plain"
            list=hook.starts_with("model").then_some("models")
            id=hook.clone()
            data-testid=hook
            aria-label=label
            title=move || problem.get()
            aria-invalid=move || problem.with(Option::is_some).to_string()
            prop:value=move || value.get()
            on:input=typed
            on:change=left
        />
    }
    .into_any()
}

/// A button that is one sign; its label says what it does.
pub fn small_button(
    label: String,
    sign: &'static str,
    act: impl Fn() + Send + Sync + 'static,
) -> AnyView {
    view! { <button type="button" class="mini" aria-label=label.clone() title=label on:click=move |_| act()>{sign}</button> }.into_any()
}
