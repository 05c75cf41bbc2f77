//! Which model a work is embedded by: the page's own, one that was brought, or one to bring.

use std::sync::Arc;

use leptos::prelude::*;

use super::models::{Choice, Look, Models, SETTING};
use super::pool::Embedding;
use crate::app::browser::brought::chosen;
use crate::app::browser::events;
use crate::app::derived::live;
use crate::app::desk::Desk;
use crate::app::format::{bytes, name};
use crate::app::panels::explain::ask;
use crate::embedding::card::{Card, Pooling, Settings};

/// What the page's own model is called.
pub const OWN: &str = "all-MiniLM-L6-v2";

/// The panel, which stands open while files are looked at or found.
#[component]
pub fn ModelPanel(
    /// Whose setting names the model.
    desk: Desk,
    /// The workers, and the models that were brought.
    embedding: Embedding,
    /// Whether it is open, and what opens it.
    is_open: RwSignal<bool>,
) -> impl IntoView {
    let models = embedding.models;
    let choice = embedding.choice;
    Effect::new(move || {
        if models.look.with(|look| *look != Look::Nothing) {
            is_open.set(true);
        }
    });
    let title = move || {
        choice.with(|choice| match choice {
            Choice::Own => OWN.to_owned(),
            Choice::Brought(card) => name(&card.name),
            Choice::Absent(named) => format!("{named}, which is not here"),
        })
    };
    view! {
        <details class="fold models" data-testid="models" prop:open=is_open on:toggle=move |event| is_open.set(events::is_open(&event))>
            <summary>"Model: "<span data-testid="model-name">{title}</span></summary>
            {list(desk, embedding)}
            {live(move || choice.with(|choice| match choice {
                Choice::Brought(card) => Some(used(desk, models, card).into_any()),
                Choice::Own | Choice::Absent(_) => None,
            }))}
            {bring(models)}
            {live(move || models.look.with(|look| look_view(desk, models, look)))}
        </details>
    }
}

/// Puts a model's setting on the desk.
fn choose(desk: Desk, setting: Option<String>) {
    desk.change(SETTING, |work| work.set(SETTING, setting));
}

/// All models that are here, to choose from; nothing where there is only the page's own.
fn list(desk: Desk, embedding: Embedding) -> impl IntoView {
    let models = embedding.models;
    let pick = move |event| {
        let sha256 = event_target_value(&event);
        let found = models.kept.with_untracked(|kept| {
            let mut all = kept.iter().map(|card| card.identity());
            all.find(|model| model.sha256 == sha256)
        });
        choose(
            desk,
            found.map(|model| format!("{} {}", model.sha256, model.id)),
        );
    };
    let value = move || {
        embedding.choice.with(|choice| match choice {
            Choice::Own => String::new(),
            Choice::Brought(card) => card.identity().sha256,
            Choice::Absent(named) => named.sha256.clone(),
        })
    };
    let absent = move || {
        embedding.choice.with(|choice| match choice {
            Choice::Absent(named) => {
                Some(view! { <option value=named.sha256.clone()>{format!("{named}, not here")}</option> })
            }
            Choice::Own | Choice::Brought(_) => None,
        })
    };
    let kept = move || {
        models.kept.with(|kept| {
            let option = |card: &Arc<Card>| {
                let model = card.identity();
                let words = format!("{}: {}", name(&model.id), model.precision);
                view! { <option value=model.sha256>{words}</option> }
            };
            kept.iter().map(option).collect_view()
        })
    };
    let options = move || {
        let value = value();
        view! {
            <select data-testid="model" prop:value=value on:change=pick>
                <option value="">{OWN}", which comes with this page"</option>
                {kept()}
                {absent()}
            </select>
        }
    };
    let has_choice = move || {
        let is_own = embedding.choice.with(|choice| *choice == Choice::Own);
        !is_own || models.kept.with(|kept| !kept.is_empty())
    };
    live(move || {
        has_choice().then(|| view! { <label class="models-field">"Embed with "{options()}</label> })
    })
}

/// What is known of a model.
fn facts(card: &Card) -> AnyView {
    let Settings { max_tokens, .. } = &card.settings;
    view! {
        <p class="muted" data-testid="model-facts">
            {format!(
                "{} components, {}, {}, at most {max_tokens} tokens of a text. SHA-256 of files and settings ",
                card.dimensions,
                card.weights,
                bytes(card.bytes as f64),
            )}
            <code data-testid="model-hash">{card.identity().sha256}</code>
        </p>
    }
    .into_any()
}

/// The model in use: it can be used otherwise, and forgotten.
fn used(desk: Desk, models: Models, card: &Arc<Card>) -> impl IntoView + use<> {
    let forgotten = card.clone();
    let forget = move |_| {
        choose(desk, None);
        models.forget(&forgotten);
    };
    view! {
        {facts(card)}
        {usage(desk, models, card, ("Use it so", "model-prompts"))}
        <p class="models-acts">
            <button type="button" class="quiet" data-testid="model-own" on:click=move |_| choose(desk, None)>
                "Back to "{OWN}
            </button>
            <button type="button" class="quiet" data-testid="model-forget" on:click=forget>
                "Forget this model"
            </button>
        </p>
    }
}

/// How a model is used: pooling and prefix, which make another model of it. What the button says,
/// and the id of the list of prefixes.
fn usage(
    desk: Desk,
    models: Models,
    card: &Arc<Card>,
    (act, list): (&'static str, &'static str),
) -> impl IntoView + use<> {
    let pooling = RwSignal::new(card.settings.pooling);
    let prefix = RwSignal::new(card.settings.prefix.clone());
    let options = card.poolings.iter().map(|pooling| {
        view! { <option value=pooling.name()>{pooling.words()}</option> }
    });
    let options = options.collect_view();
    let prompts = card
        .prompts
        .iter()
        .map(|prompt| view! { <option value=prompt.clone()></option> });
    let prompts = prompts.collect_view();
    let assumed = (!card.is_pooling_told).then_some(
        " Its files do not say how it pools (1_Pooling/config.json was not given). Most models take the mean.",
    );
    let card = card.clone();
    let take = move |_| {
        let card = Card {
            settings: Settings {
                pooling: pooling.get_untracked(),
                prefix: prefix.get_untracked(),
                ..card.settings.clone()
            },
            ..(*card).clone()
        };
        choose(desk, Some(models.take(card)));
    };
    let pick = move |event| {
        if let Some(named) = Pooling::named(&event_target_value(&event)) {
            pooling.set(named);
        }
    };
    view! {
        <div class="models-usage">
            <label class="models-field">
                "Pooling "
                <select data-testid="model-pooling" prop:value=move || pooling.get().name() on:change=pick>
                    {options}
                </select>
            </label>
            <label class="models-field">
                "Before every text "
                <input
                    class="plain"
                    data-testid="model-prefix"
                    list=list
                    placeholder="nothing"
                    prop:value=prefix
                    on:input=move |event| prefix.set(event_target_value(&event))
                />
            </label>
            <datalist id=list>{prompts}</datalist>
            <button type="button" class="primary" data-testid="model-use" on:click=take>{act}</button>
        </div>
        <p class="muted">
            "Pooling makes one vector of the tokens'; some models were trained with words before each text, such as “query: ”. Either makes it another model, with vectors of its own."
            {assumed}
        </p>
    }
}

/// The ways to bring one.
fn bring(models: Models) -> impl IntoView {
    let folder = RwSignal::new(String::new());
    let given = move |event: leptos::ev::Event| {
        if let Some(bundle) = chosen(&event) {
            models.look_at(bundle);
        }
    };
    // the macro knows no such attribute
    let of_folder = leptos::html::input()
        .class("visually-hidden")
        .r#type("file")
        .attr("webkitdirectory", "")
        .attr("data-testid", "model-folder")
        .on(leptos::ev::change, given);
    let fetch = move |_| models.look_beside(folder.get_untracked());
    view! {
        <p>
            {ask("Model", "model")}
            " A sentence-embedding model of your own runs here as well: its ONNX file and its tokenizer.json, and its configs where there are any. A multilingual one judges German, Japanese or Arabic replies by what they say. Drop the files anywhere on this page, or"
        </p>
        <p class="models-acts">
            <label class="file">
                "Choose the files …"
                <input class="visually-hidden" type="file" multiple data-testid="model-files" on:change=given />
            </label>
            <label class="file">
                "Choose its folder …"
                {of_folder}
            </label>
            <label class="models-field">
                "or name a folder beside this page "
                <input
                    class="plain"
                    data-testid="model-beside"
                    placeholder="models/mine"
                    prop:value=folder
                    on:input=move |event| folder.set(event_target_value(&event))
                />
            </label>
            <button type="button" class="quiet" data-testid="model-fetch" on:click=fetch>"Fetch it"</button>
        </p>
    }
}

fn look_view(desk: Desk, models: Models, look: &Look) -> Option<AnyView> {
    Some(match look {
        Look::Nothing => return None,
        Look::Going(words) => view! {
            <p class="models-acts" role="status" data-testid="model-going">
                <span>{words.clone()}"…"</span>
                <button type="button" class="quiet" on:click=move |_| models.give_up()>"Cancel"</button>
            </p>
        }
        .into_any(),
        Look::Failed(message) => view! {
            <p class="failed" role="alert" data-testid="model-failed">"This model cannot be used: "{message.clone()}"."</p>
        }
        .into_any(),
        Look::Found(card) => view! {
            <div data-testid="model-found">
                <h4>{name(&card.name)}</h4>
                {facts(card)}
                {usage(desk, models, card, ("Use this model", "found-prompts"))}
            </div>
        }
        .into_any(),
    })
}
