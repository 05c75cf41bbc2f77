//! The two faces of an input, a form and its text. Both stay in step because
//! both show the same text.

use leptos::prelude::*;

use super::field::{choice, word_button};
use crate::app::derived::{effect, live};
use crate::app::desk::{Desk, Face};

/// A switch between form and text, with both under it. The text stays where it
/// is while the form is shown, with its caret and its scrolling.
#[component]
pub fn Faces(
    /// Which face is shown.
    face: RwSignal<Face>,
    /// The form, made when it is shown.
    #[prop(into)]
    form: ViewFn,
    /// The text.
    children: Children,
) -> impl IntoView {
    let tab = move |own: Face, label: &'static str, hook: &'static str| {
        let is_shown = move || face.get() == own;
        choice(label, hook.into(), is_shown, move || face.set(own))
    };
    view! {
        <div class="faces">
            <div class="face-switch" role="group" aria-label="Face of the input">
                {tab(Face::Form, "Form", "face-form")}
                {tab(Face::Text, "Text", "face-text")}
            </div>
            {live(move || (face.get() == Face::Form).then(|| form.run()))}
            <div class="face-text" hidden=move || face.get() != Face::Text>{children()}</div>
        </div>
    }
}

/// Begins a form with nothing where that was asked for before it was there.
pub fn start_when_asked(desk: Desk, start: impl Fn() + Send + Sync + 'static) {
    effect(move || {
        if desk.is_starting.get() {
            desk.is_starting.set(false);
            untrack(&start);
        }
    });
}

/// A form where the text can be read as one; a way to start where there is no
/// text, and words where it cannot be read.
pub fn form_or_start(
    is_there: Memo<bool>,
    is_blank: Memo<bool>,
    is_read: Signal<bool>,
    (intro, begin): (&'static str, &'static str),
    start: Callback<()>,
    fields: ViewFn,
) -> AnyView {
    (move || {
        if is_there.get() {
            fields.run()
        } else if is_blank.get() {
            view! {
                <div class="form-empty">
                    <p>{intro}</p>
                    {word_button(begin, "form-start", move || start.run(()))}
                </div>
            }
            .into_any()
        } else {
            let words = if is_read.get() {
                "The text is not JSON as it stands. Once it is, the form shows it again."
            } else {
                "The text is being read."
            };
            view! { <p class="form-empty" role="status">{words}</p> }.into_any()
        }
    })
    .into_any()
}
