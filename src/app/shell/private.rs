//! Personal data in what is about to leave: what was found, where, and whether it is masked.

use leptos::prelude::*;

use crate::app::bench::Leaves;
use crate::app::browser::field;
use crate::app::link::Looked;

/// A question about what is about to leave.
#[derive(Clone)]
pub struct Asking {
    /// What was found.
    pub looked: Looked,
    /// What leaves.
    pub leaves: Leaves,
    /// Lets it go: masked or as it is.
    pub go: Callback<bool>,
}

/// The question, with all places.
pub fn question(asking: &Asking, close: Callback<()>) -> impl IntoView + use<> {
    let Asking { looked, leaves, go } = asking.clone();
    let (what, after) = (leaves.noun(), leaves.after());
    let be = if looked.is_one { "is" } else { "are" };
    let found = format!(
        "{} {be} in this {what}.",
        crate::app::format::sentence(&looked.words)
    );
    let more = looked.more;
    let places = looked.places.iter().map(|place| {
        view! { <li>{place.stands.clone()}": "<bdi>{place.text.clone()}</bdi></li> }
    });
    let places = places.collect_view();
    // who answers goes on where the question came up
    let back = StoredValue::new_local(field::keep_focus());
    let cancel = move || {
        back.with_value(|back| back());
        close.run(());
    };
    let answer = move |is_masked: bool| {
        cancel();
        go.run(is_masked);
    };
    request_animation_frame(|| field::focus("private-mask"));
    view! {
        <div class="shared" role="group" aria-label="Personal data" data-testid="private">
            <p>
                <strong role="status">{found}</strong>
                " Masked, each becomes a name such as [mail 1], the same one wherever it stands. Your work stays as it is. "
                {after}
            </p>
            <details class="fold">
                <summary>"Where"</summary>
                <ul class="plain-list private-places">
                    {places}
                    {(more > 0).then(|| view! { <li class="muted">"and "{more}" more"</li> })}
                </ul>
            </details>
            <p class="private-acts">
                <button type="button" class="primary" id="private-mask" data-testid="private-mask" on:click=move |_| answer(true)>
                    "Mask them"
                </button>
                <button type="button" data-testid="private-keep" on:click=move |_| answer(false)>
                    "Keep them"
                </button>
                <button type="button" class="quiet" data-testid="private-cancel" on:click=move |_| cancel()>
                    "Cancel"
                </button>
            </p>
        </div>
    }
}
