//! The single-page app.
//!
//! - [`state`]: documents, history, results; the only signals are in `state::store`
//! - [`pages`]: the start page and the benches
//! - [`panels`]: the parts that benches share
//! - [`charts`]: pure geometry with thin views
//! - [`browser`]: the only place that touches the browser

// Leptos' component macro makes types and builders that these lints cannot see through.
#![allow(clippy::must_use_candidate, clippy::needless_pass_by_value)]
// A store or a desk is a bundle of handles that is made to be copied.
#![allow(clippy::large_types_passed_by_value)]

pub mod browser;
pub mod charts;
pub mod pages;
pub mod panels;
pub mod state;

use leptos::prelude::*;

use crate::app::state::derived::{effect, live};

use browser::events::Key;
use browser::worker::Embedding;
use pages::constitution::ConstitutionBench;
use pages::debate::DebateBench;
use pages::persona::PersonaBench;
use pages::start::Start;
use panels::shell::{Footer, Header, HelpSheet, NoticeBar};
use state::route::Page;
use state::store::Store;
use state::work::Bench;

/// How long typing rests before the work is kept, and before texts are embedded.
const REST: std::time::Duration = std::time::Duration::from_millis(250);
const LONG_REST: std::time::Duration = std::time::Duration::from_millis(700);

/// Starts the app in the page it was loaded into.
pub fn run() {
    browser::crash::install();
    mount_to_body(App);
}

/// The app.
#[component]
pub fn App() -> impl IntoView {
    let store = Store::restore();
    provide_context(store);
    browser::theme::show(store.theme.get_untracked().name());
    listen(store);
    store.follow(&browser::location::hash());
    let is_over = RwSignal::new(false);
    browser::events::on_drop(
        move |files| match files {
            Ok(texts) => store.take_texts(texts),
            Err(message) => store.warn(message),
        },
        move |over| is_over.set(over),
    );
    view! {
        <a class="skip" href="#main" on:click=move |event| { event.prevent_default(); browser::field::focus("main"); }>"Skip to the content"</a>
        <Header />
        <NoticeBar />
        <main id="main" tabindex="-1">{live(move || page(store.page.get()))}</main>
        <Footer />
        <HelpSheet />
        <div class="drop-veil" class:shown=move || is_over.get() aria-hidden="true"><p>"Drop to open"</p></div>
        <svg class="definitions" aria-hidden="true" width="0" height="0">
            <defs>
                <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <rect class="hatch-ground" width="6" height="6" />
                    <line class="hatch-line" x1="0" y1="0" x2="0" y2="6" />
                </pattern>
                <pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse">
                    <rect class="dots-ground" width="5" height="5" />
                    <circle class="dots-dot" cx="2.5" cy="2.5" r="1" />
                </pattern>
            </defs>
        </svg>
    }
}

fn page(page: Page) -> AnyView {
    match page {
        Page::Start => view! { <Start /> }.into_any(),
        Page::Bench(Bench::Debate) => view! { <DebateBench /> }.into_any(),
        Page::Bench(Bench::Constitution) => view! { <ConstitutionBench /> }.into_any(),
        Page::Bench(Bench::Persona) => view! { <PersonaBench /> }.into_any(),
    }
}

fn listen(store: Store) {
    browser::events::on_address(move || store.follow(&browser::location::hash()));
    browser::events::on_paste(move |text| store.take_text(text));
    browser::events::on_key(move |key| press(store, &key));
    browser::events::on_leaving(move || store.keep(&untrack(|| store.kept())));
    // Keeping work and embedding texts act on the world outside the signals.
    let mut keep = debounce(REST, move |()| store.keep(&untrack(|| store.kept())));
    Effect::new(move |is_first: Option<()>| {
        store.track_kept();
        if is_first.is_some() {
            keep(());
        }
    });
    let mut embed = debounce(LONG_REST, move |texts: Vec<String>| {
        store.embedding.want(texts);
    });
    effect(move || {
        let missing = store.persona_missing.get();
        let is_open = store.page.get() == Page::Bench(Bench::Persona);
        if is_open && !missing.is_empty() && may_embed(store) {
            embed(missing);
        }
    });
}

/// Whether embedding may start without being asked: the model has been loaded
/// in this browser before, and the last try did not fail.
fn may_embed(store: Store) -> bool {
    let idle = store.embedding.job.with_untracked(|job| {
        !job.is_busy() && matches!(job.phase(), state::embedding::Phase::Idle)
    });
    idle && Embedding::loaded_before()
}

/// Does what a key asks for; says whether it did.
fn press(store: Store, key: &Key) -> bool {
    let bench = match store.page.get_untracked() {
        Page::Bench(bench) => Some(bench),
        Page::Start => None,
    };
    match (key.key.as_str(), key.command, key.alt, bench) {
        ("?", false, false, _) if !key.in_text => store.help.set(true),
        ("z" | "Z", true, false, Some(bench)) if !key.in_text || key.in_number => {
            let desk = store.desk(bench);
            if key.shift { desk.redo() } else { desk.undo() }
        }
        ("y", true, false, Some(bench)) if !key.in_text || key.in_number => {
            store.desk(bench).redo();
        }
        (digit @ ("0" | "1" | "2" | "3"), false, true, _) => {
            let place = digit.parse::<usize>().unwrap_or_default();
            let page = place.checked_sub(1).and_then(|index| Bench::ALL.get(index));
            store.go(page.map_or(Page::Start, |bench| Page::Bench(*bench)));
        }
        _ => return false,
    }
    true
}
