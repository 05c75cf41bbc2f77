//! The start page.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::browser::fetch;
use crate::app::state::derived::live;
use crate::app::state::format::bytes;
use crate::app::state::recent::Recent;
use crate::app::state::route::Page;
use crate::app::state::store::Store;
use crate::app::state::work::{Bench, Work};

/// What a bench is for and what goes into it.
const fn about(bench: Bench) -> (&'static str, &'static str) {
    match bench {
        Bench::Debate => (
            "Which answer won? Candidates are ranked from reviews, head-to-head wins, risks, the models' reliability and formal proofs.",
            "JSON with candidates and reviews",
        ),
        Bench::Constitution => (
            "Did the agent behave? Every turn is scored on seven principles, and shows where it lost points.",
            "JSON or JSONL of turns",
        ),
        Bench::Persona => (
            "Does it sound like us? Replies are held against a persona: authenticity, safety, stability.",
            "Persona YAML and transcript JSONL",
        ),
    }
}

/// The files of an example, by input.
const fn example(bench: Bench) -> &'static [(&'static str, &'static str)] {
    match bench {
        Bench::Debate => &[("debate", "examples/debate.json")],
        Bench::Constitution => &[("turns", "examples/turns.json")],
        Bench::Persona => &[
            ("persona", "examples/persona.yaml"),
            ("transcript", "examples/transcript.jsonl"),
        ],
    }
}

async fn load_example(bench: Bench) -> Result<Work, String> {
    let mut work = Work::default();
    for (input, file) in example(bench) {
        work.set_text(input, fetch::text(file).await?);
    }
    Ok(work)
}

fn open_example(store: Store, bench: Bench) {
    spawn_local(async move {
        match load_example(bench).await {
            Ok(work) => store.open(bench, work),
            Err(message) => store.warn(format!("The example could not be opened: {message}.")),
        }
    });
}

/// A way to a bench's example, for empty benches.
#[component]
pub fn ExampleButton(
    /// The bench.
    bench: Bench,
) -> impl IntoView {
    let store = expect_context::<Store>();
    view! {
        <button type="button" class="primary" data-testid=format!("open-example-{}", bench.name()) on:click=move |_| open_example(store, bench)>
            "Open the example"
        </button>
    }
}

#[component]
fn BenchCard(bench: Bench) -> impl IntoView {
    let store = expect_context::<Store>();
    let (what, input) = about(bench);
    let page = Page::Bench(bench);
    let going_on = move || {
        let blank = store.desk(bench).work.with(Work::is_blank);
        (!blank).then(|| {
            let verdict = store.verdict(bench).map_or_else(|| "Not scored yet".to_owned(), |v| v.headline);
            view! { <a class="going-on" href=page.hash()><span>"Your work"</span><strong>{verdict}</strong></a> }
        })
    };
    view! {
        <article class="card">
            <h2><a href=page.hash()>{bench.title()}</a></h2>
            <p>{what}</p>
            <p class="muted">{input}</p>
            <div class="card-foot"><ExampleButton bench /></div>
            {live(going_on)}
        </article>
    }
}

/// The start page.
#[component]
pub fn Start() -> impl IntoView {
    let store = expect_context::<Store>();
    let pasted = RwSignal::new(String::new());
    let take = move |text: String| {
        if text.trim().is_empty() {
            store.warn("There is no text to open.");
        } else {
            store.take_text(text);
        }
    };
    let recent = move || {
        store.recent.with(|recent| {
            let items = recent.iter().map(|item| recent_item(store, item)).collect_view();
            (!recent.is_empty()).then(|| {
                view! {
                    <section class="recent">
                        <header class="panel-head">
                            <h2>"Recent"</h2>
                            <button type="button" class="quiet" on:click=move |_| store.recent.set(Vec::new())>"Forget all"</button>
                        </header>
                        <ul>{items}</ul>
                    </section>
                }
            })
        })
    };
    view! {
        <div class="start">
            <section class="hero">
                <h1>"Weigh what an AI did."</h1>
                <p class="lead">
                    "Assay scores debates between models, an agent’s turns and a persona’s replies, and shows what every number is made of. Nothing leaves this machine."
                </p>
            </section>
            <section class="take" aria-label="Open your own">
                <textarea
                    id="input-paste"
                    data-testid="input-paste"
                    aria-label="Paste a debate, turns, a persona or a transcript"
                    placeholder="Paste or drop a debate, turns, a persona or a transcript: the right bench opens with its result."
                    rows="3"
                    spellcheck="false"
                    prop:value=move || pasted.get()
                    on:input=move |event| pasted.set(event_target_value(&event))
                    on:paste=move |_| set_timeout(
                        move || {
                            let text = pasted.get_untracked();
                            if !text.trim().is_empty() { take(text); }
                        },
                        std::time::Duration::ZERO,
                    )
                />
                <button type="button" on:click=move |_| take(pasted.get_untracked())>"Open"</button>
            </section>
            <section class="cards" aria-label="Benches">{Bench::ALL.map(|bench| view! { <BenchCard bench /> })}</section>
            {live(recent)}
        </div>
    }
}

fn recent_item(store: Store, item: &Recent) -> impl IntoView + use<> {
    let (bench, work) = (item.bench, item.work.clone());
    let size = bytes(item.work.size() as f64);
    view! {
        <li>
            <button type="button" on:click=move |_| store.open(bench, work.clone())>
                <span class="muted">{bench.title()}</span>
                <strong>{item.headline.clone()}</strong>
                <span class="muted">{size}</span>
            </button>
        </li>
    }
}
