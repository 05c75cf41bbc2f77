//! The start page: what the benches are for, what one was doing, and a place for
//! whatever one has.

use leptos::prelude::*;

use super::{Seat, Shell};
use crate::app::browser::storage::local_time;
use crate::app::derived::live;
use crate::app::desk::Work;
use crate::app::format::bytes;
use crate::app::kept::record::Recent;
use crate::app::opening::{listed, nouns};
use crate::app::panels::example::{example_button, files_button, start_button};
use crate::app::route::Page;

#[component]
fn BenchCard(seat: Seat) -> impl IntoView {
    let shell = expect_context::<Shell>();
    let bench = seat.bench;
    let page = Page::Bench(bench);
    let going_on = move || {
        let is_here = !seat.desk.work.with(Work::is_blank);
        let is_absent = seat.absent.with(Option::is_some);
        (is_here || is_absent).then(|| {
            let headline = seat.headline();
            let headline = headline.unwrap_or_else(|| "Not scored yet".to_owned());
            view! {
                <a class="going-on" href=page.hash()>
                    <span>"Your work"</span>
                    <strong>{headline}</strong>
                </a>
            }
        })
    };
    let open = Callback::new(move |()| shell.open_example(bench));
    let start = Callback::new(move |()| {
        seat.desk.start();
        shell.go(page);
    });
    // nothing is put aside for an empty form
    let from_nothing = move || {
        let is_free = seat.desk.work.with(Work::is_blank) && seat.absent.with(Option::is_none);
        is_free.then(|| start_button(start))
    };
    view! {
        <article class="card">
            <h2><a href=page.hash()>{bench.title}</a></h2>
            <p>{bench.purpose}</p>
            <p class="muted">{bench.takes}</p>
            <div class="card-foot">{example_button(bench.name, open)}{live(from_nothing)}</div>
            {live(going_on)}
        </article>
    }
}

/// The start page.
#[component]
pub fn StartPage() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let scores: Vec<_> = shell.benches.iter().map(|bench| bench.scores).collect();
    let lead = format!(
        "Assay scores {}, and shows what every number is made of. Nothing leaves this machine.",
        listed(&scores, "and")
    );
    let cards = shell
        .seats()
        .into_iter()
        .map(|seat| view! { <BenchCard seat /> });
    view! {
        <div class="start">
            <section class="hero">
                <h1>"Weigh what an AI did."</h1>
                <p class="lead">{lead}</p>
            </section>
            <Take />
            <section class="cards" aria-label="Benches">{cards.collect_view()}</section>
            {live(move || recent(shell))}
        </div>
    }
}

/// A place for whatever one has.
#[component]
fn Take() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let nouns = nouns(shell.benches);
    let pasted = RwSignal::new(String::new());
    let take = move || {
        let text = pasted.get_untracked();
        if text.trim().is_empty() {
            shell.notices.warn("There is no text to open.");
        } else {
            shell.take_text(text);
        }
    };
    // the text is there only after the paste
    let take_pasted = move || {
        if pasted.with_untracked(|text| !text.trim().is_empty()) {
            take();
        }
    };
    view! {
        <section class="take" aria-label="Open your own">
            <textarea
                id="input-paste"
                data-testid="input-paste"
                aria-label=format!("Paste {nouns}")
                placeholder=format!("Paste or drop {nouns}: the right bench opens with its result.")
                rows="3"
                spellcheck="false"
                prop:value=move || pasted.get()
                on:input=move |event| pasted.set(event_target_value(&event))
                on:paste=move |_| set_timeout(take_pasted, std::time::Duration::ZERO)
            />
            <div class="take-acts">
                <button type="button" on:click=move |_| take()>"Open the text"</button>
                {files_button(Callback::new(move |files| shell.take_files(files)))}
            </div>
            {tries(shell)}
        </section>
    }
}

/// Files of other tools to try, each with its name.
const TRIES: [(&str, &[&str]); 3] = [
    ("a council’s chat", &["examples/council.json"]),
    ("an agent’s log", &["examples/agent.jsonl"]),
    (
        "a character card with a chat",
        &["examples/card.json", "examples/chat.jsonl"],
    ),
];

/// What other tools write is read as it is: something to see it with.
fn tries(shell: Shell) -> impl IntoView {
    let buttons = TRIES.iter().enumerate().map(|(at, (name, files))| {
        view! {
            <button type="button" class="quiet" data-testid=format!("try-{at}") on:click=move |_| shell.try_files(files)>
                {*name}
            </button>
        }
    });
    view! {
        <p class="other-tools muted">
            "What other tools write is read as it is: chats, logs of agents, results of evaluations, character cards. No file at hand? Try "
            {buttons.collect_view()}
        </p>
    }
}

/// What was replaced by other work.
fn recent(shell: Shell) -> Option<impl IntoView> {
    let recent = shell.recent.get();
    let is_empty = recent.is_empty();
    let items = recent.into_iter().map(move |item| recent_item(shell, item));
    let forget = move |_| shell.forget_recent();
    (!is_empty).then(|| {
        view! {
            <section class="recent">
                <header class="panel-head">
                    <h2>"Recent"</h2>
                    <button type="button" class="quiet" on:click=forget>"Forget all of these"</button>
                </header>
                <ul>{items.collect_view()}</ul>
            </section>
        }
    })
}

fn recent_item(shell: Shell, item: Recent) -> impl IntoView {
    let size = bytes(item.work.size() as f64);
    let (title, headline) = (item.bench.title, item.headline.clone());
    let when = item.at().map(|at| format!(" · {}", local_time(at)));
    let fork = item.fork.is_some().then_some(" · from another tab");
    view! {
        <li>
            <button type="button" on:click=move |_| shell.open_recent(item.clone())>
                <span class="muted">{title}{fork}{when}</span>
                <strong>{headline}</strong>
                <span class="muted">{size}</span>
            </button>
        </li>
    }
}
