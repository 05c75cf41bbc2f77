//! The voice over all replies: how the persona it sounds, what it was learned from, and the switch
//! that puts it in the place of style.

use leptos::prelude::*;

use super::model::{Model, Waiting};
use super::options::STYLE_BY;
use super::result::metric_row;
use crate::app::browser::events::is_checked;
use crate::app::derived::live;
use crate::app::format::{count, measured as shown};
use crate::app::panels::explain::explained;
use crate::app::panels::section::Section;
use crate::persona::{FORMULA, Metric, PersonaResult, Run, voice};

/// The section.
#[component]
pub fn VoiceSection(
    /// Whose result it is.
    model: Model,
) -> impl IntoView {
    let chart = move || view! { {live(move || measured(model))}{live(move || taught(model))}{switch(model)} };
    view! {
        <Section
            name="voice"
            about="voice"
            title="Voice"
            note="Does the persona speak, or any assistant?"
            chart
        />
    }
}

/// Its figures, or why there are none.
fn measured(model: Model) -> AnyView {
    let figures = |result: &PersonaResult| {
        result.voice.as_ref()?;
        Some(view! { <ul class="metrics">{metric_row(Metric::Voice, result)}</ul> })
    };
    let found = model
        .scored
        .with(|scored| scored.result.as_ref().and_then(figures));
    if let Some(found) = found {
        return found.into_any();
    }
    let words = match (model.voiceless(), model.waiting.get()) {
        (Some(reason), _) => format!("It is not measured: {reason}."),
        (None, Waiting::ToBeAsked) => "It is not measured without embeddings.".to_owned(),
        (None, _) => "… it is being learned.".to_owned(),
    };
    view! { <p class="muted" data-testid="voice-silent">{words}</p> }.into_any()
}

/// The traits that are told by examples, each with its mean.
fn taught(model: Model) -> Option<AnyView> {
    let scored = model.scored.get();
    let traits = &scored.result.as_ref()?.taught;
    let rows = traits.iter().map(|one| {
        let of = count(one.examples, "example");
        view! {
            <li>
                <bdi>{one.name()}</bdi>" "
                <b data-testid="taught-mean" data-value=one.mean.map(|mean| mean.to_string())>{shown(one.mean, 3)}</b>
                " "<span class="muted">{of}</span>
            </li>
        }
    });
    let rows = rows.collect_view();
    (!traits.is_empty()).then(|| {
        view! {
            <h4>{explained("Traits by examples", "trait_examples")}</h4>
            <ul class="plain-list" data-testid="taught-means">{rows}</ul>
        }
        .into_any()
    })
}

fn switch(model: Model) -> impl IntoView {
    let change = move |event| {
        let is_wanted = is_checked(&event);
        let given = model.run.with_untracked(|run| {
            let config = run.result.as_ref().map(Run::given);
            config.is_some_and(|given| given.voice_as_style)
        });
        let formula = if is_wanted { voice::FORMULA } else { FORMULA };
        // what the config says anyway needs no setting
        let setting = (is_wanted != given).then(|| formula.to_owned());
        model
            .desk
            .change(STYLE_BY, |work| work.set(STYLE_BY, setting));
    };
    view! {
        <label class="check">
            <input
                type="checkbox"
                data-testid="style-by-voice"
                prop:checked=model.is_by_voice
                on:change=change
            />
            "Use voice in the place of style"
        </label>
        <p class="muted">
            "Authenticity then has voice where the reference formula has style: it is another score, and is marked so."
        </p>
    }
}
