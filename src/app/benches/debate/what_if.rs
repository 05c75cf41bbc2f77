//! A change that is tried: both verdicts side by side, and what to do with it. Nothing
//! of the input is changed before somebody says so.

use leptos::prelude::*;

use super::model::{Model, Tried};
use super::words::plain_verdict;
use crate::app::browser::field;
use crate::app::derived::live;
use crate::app::model::Shared;
use crate::debate::{DebateResult, Edit};

/// The buttons of a change: try it or put it away again, and while it is tried, keep it.
pub fn buttons(
    model: Model,
    edit: Edit,
    whom: &str,
    words: &str,
    keep: Callback<Edit>,
) -> impl IntoView + use<> {
    let is_trying = model.is_trying();
    let is_this = Memo::new(move |_| {
        let tried = model.tried.read();
        is_trying.get() && tried.as_ref().is_some_and(|tried| tried.edit == edit)
    });
    let whom = whom.to_owned();
    let hook = button_id(&whom);
    let word = move || if is_this.get() { "Discard" } else { "Try it" };
    let label = {
        let words = words.to_owned();
        move || format!("{}: {words}", word())
    };
    let turn = move |_| {
        if is_this.get_untracked() {
            model.tried.set(None);
        } else {
            model.try_edit(edit, whom.clone());
        }
    };
    let keep_hook = format!("keep-{hook}");
    let kept = move || {
        let keep_hook = keep_hook.clone();
        is_this.get().then(|| {
            view! {
                <button type="button" data-testid=keep_hook on:click=move |_| keep_it(model, keep)>
                    "Keep"
                </button>
            }
        })
    };
    view! {
        <span class="tries">
            <button type="button" id=hook.clone() data-testid=hook aria-label=label on:click=turn>
                {word}
            </button>
            {live(kept)}
        </span>
    }
}

/// Brings the button of what is tried back into sight: what stands above it may have become
/// longer or shorter, and what is said of it stands at the lower edge.
pub fn reveal(model: Model) {
    let whom = model
        .tried
        .with_untracked(|tried| Some(tried.as_ref()?.whom.clone()));
    if let Some(whom) = whom {
        request_animation_frame(move || field::reveal(&button_id(&whom)));
    }
}

fn button_id(whom: &str) -> String {
    format!("try-{whom}")
}

/// Writes what is tried into the input.
fn keep_it(model: Model, keep: Callback<Edit>) {
    let tried = model.tried.try_update(Option::take).flatten();
    if let Some(tried) = tried {
        keep.run(tried.edit);
        request_animation_frame(|| field::focus_still("result"));
    }
}

fn discard(model: Model) {
    let tried = model.tried.try_update(Option::take).flatten();
    if let Some(Tried { whom, .. }) = tried {
        request_animation_frame(move || field::focus_still(&button_id(&whom)));
    }
}

/// What is tried, at the lower edge of the window: both verdicts, and the choice.
#[component]
pub fn Dock(
    /// Whose debate it is.
    model: Model,
    /// Makes an edit.
    keep: Callback<Edit>,
) -> impl IntoView {
    let is_trying = model.is_trying();
    let words = Memo::new(move |_| {
        let payload = model.payload.get();
        let tried = payload.result.as_ref()?.what_if.as_ref()?;
        Some(tried.words.clone())
    });
    let headline = |of: Shared<DebateResult>| {
        let headline = |result: &DebateResult| plain_verdict(result).headline;
        Memo::new(move |_| of.with(|scored| scored.result.as_ref().map(headline)))
    };
    let (entered, then) = (headline(model.evidence), headline(model.scored));
    let dock = move || {
        is_trying.get().then(|| {
            view! {
                <div class="what-if" role="region" aria-label="What if" data-testid="what-if">
                    <p class="what-if-change"><strong>"What if "</strong>{words}</p>
                    <dl class="what-if-verdicts">
                        <div><dt>"As entered"</dt><dd>{entered}</dd></div>
                        <div><dt>"Then"</dt><dd aria-live="polite">{then}</dd></div>
                    </dl>
                    <p class="muted">"The input is as it was. Exports say that this is a what-if; a link holds what was entered."</p>
                    <p class="what-if-choice">
                        <button
                            type="button"
                            data-testid="keep-what-if"
                            on:click=move |_| keep_it(model, keep)
                        >
                            "Keep: change the input"
                        </button>
                        <button
                            type="button"
                            class="quiet"
                            data-testid="discard-what-if"
                            on:click=move |_| discard(model)
                        >
                            "Discard"
                        </button>
                    </p>
                </div>
            }
        })
    };
    live(dock)
}
