//! The single-page app.
//!
//! - [`start`]: what happens when the page is loaded, in reading order
//! - [`shell`]: the page's own state, and what stands around a bench
//! - [`desk`]: the work on one bench, its history, the gestures that change it
//! - [`bench`]: what a bench is to the page: a record and one way in
//! - [`benches`]: the benches, a folder each, and the list of them
//! - [`parts`]: code that is fetched when it is first needed
//! - [`intake`]: files that are none of our own documents, and what is in them
//! - [`runs`]: the library of runs that are kept
//! - [`glossary`]: what every number is, in words
//! - [`embedder`]: the pool of workers that embed texts
//! - [`panels`], [`charts`]: the parts that benches share
//! - [`browser`]: the only place that touches the browser
//!
//! Between them, plain data: [`report`]s, [`kept`] work, [`route`]s, [`link`]s,
//! [`opening`] of texts; [`model`] has what the benches' memos are made of,
//! [`job`] what takes long, [`seen`] what stood there before a change.

// Leptos' component macro makes types and builders that these lints cannot see through.
#![allow(clippy::must_use_candidate, clippy::needless_pass_by_value)]
// A desk is a bundle of handles that is made to be copied.
#![allow(clippy::large_types_passed_by_value)]

pub mod bench;
pub mod benches;
pub mod browser;
pub mod charts;
mod claim;
pub mod derived;
pub mod desk;
pub mod drawer;
pub mod embedder;
pub mod export;
pub mod figures;
pub mod format;
pub mod glossary;
pub mod intake;
pub mod job;
pub mod kept;
pub mod link;
pub mod locks;
pub mod model;
pub mod notice;
pub mod number;
pub mod opening;
pub mod panels;
pub mod parts;
pub mod problems;
pub mod report;
pub mod route;
pub mod runs;
pub mod seen;
pub mod shell;
pub mod start;
pub mod verdict;
pub mod words;

use leptos::prelude::*;

use benches::BENCHES;
use browser::events::Key;
use derived::live;
use parts::later;
use route::Page;
use shell::Shell;
use shell::around::{Footer, Header, NoticeBar};
use shell::exports::EXPORTS;
use shell::frame::BenchFrame;
use shell::help::{Explanation, Help, HelpSheet};
use shell::start_page::StartPage;

/// How long typing rests before the work is kept.
const REST: std::time::Duration = std::time::Duration::from_millis(250);

/// Starts the app in the page it was loaded into.
pub fn run() {
    browser::crash::install();
    mount_to_body(App);
}

/// The app.
#[component]
pub fn App() -> impl IntoView {
    let shell = start::start(BENCHES);
    provide_context(shell);
    listen(shell);
    let targets = Memo::new(move |_| targets(shell));
    let is_over = RwSignal::new(false);
    let help = Help::listen();
    browser::events::on_drop(
        move |files| shell.take_files(files),
        move |over| is_over.set(over),
    );
    view! {
        {live(move || skips(targets.get()))}
        <Header />
        <NoticeBar />
        <main id="main" tabindex="-1">{live(move || page(shell))}</main>
        <Footer />
        <Explanation help />
        <HelpSheet help />
        <div class="drop-veil" class:shown=move || is_over.get() aria-hidden="true">
            <p>"Drop to open"</p>
        </div>
        <svg class="definitions" aria-hidden="true" width="0" height="0">
            <defs>
                <pattern
                    id="hatch"
                    width="6"
                    height="6"
                    patternUnits="userSpaceOnUse"
                    patternTransform="rotate(45)"
                >
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

/// How many of what is skipped to are there.
fn targets(shell: Shell) -> usize {
    let Page::Bench(bench) = shell.page.get() else {
        return 1;
    };
    let room = shell.seat(bench).room.get();
    let has_result = room.is_some_and(|room| room.verdict.with(Option::is_some));
    if has_result { 4 } else { 3 }
}

/// Ways around what stands before the content, for whoever comes by keyboard.
fn skips(targets: usize) -> impl IntoView {
    let all = [
        ("main", "Skip to the content"),
        ("result", "Skip to the result"),
        ("weights", "Skip to the weights"),
        ("sections", "Skip to the sections of the result"),
    ];
    let all = all.into_iter().take(targets);
    let skip = |(id, label): (&'static str, &'static str)| {
        let go = move |event: leptos::ev::MouseEvent| {
            event.prevent_default();
            browser::field::focus(id);
        };
        view! { <a class="skip" href=format!("#{id}") on:click=go>{label}</a> }
    };
    all.map(skip).collect_view()
}

fn page(shell: Shell) -> AnyView {
    match shell.page.get() {
        Page::Start => view! { <StartPage /> }.into_any(),
        Page::Bench(bench) => view! { <BenchFrame seat=shell.seat(bench) /> }.into_any(),
        Page::Inside => later("What is inside", move || {
            Box::pin(intake::door::inside(shell.intake))
        }),
        Page::Runs => later("The runs", move || Box::pin(runs::door::page(shell))),
    }
}

fn listen(shell: Shell) {
    browser::events::on_address(move || shell.go_along(&browser::location::hash()));
    browser::storage::on_change(move |key| shell.hear(key));
    browser::events::on_paste(move |text| shell.take_text(text));
    browser::events::on_key(move |key| press(shell, &key));
    // the browser opens and closes it; it only has to stand beside its button
    browser::events::on_asked(EXPORTS, "data-exports", |_| ());
    browser::events::on_leaving(move || shell.leave());
    browser::offline::on_launch(move |files| shell.take_files(files));
    // keeping work acts on the world outside the signals
    let mut keep = debounce(REST, move |()| shell.keep());
    Effect::new(move |is_first: Option<()>| {
        shell.track_kept();
        if is_first.is_some() {
            keep(());
        }
    });
}

/// Does what a key asks for; says whether it did.
fn press(shell: Shell, key: &Key) -> bool {
    let desk = match shell.page.get_untracked() {
        Page::Bench(bench) => Some(shell.seat(bench).desk),
        Page::Start | Page::Inside | Page::Runs => None,
    };
    let is_outside_text = !key.in_text || key.in_number || key.in_untouched;
    match (key.key.as_str(), key.command, key.alt, desk) {
        ("?", false, false, _) if !key.in_text => shell.help.set(true),
        ("z" | "Z", true, false, Some(desk)) if is_outside_text && key.shift => desk.redo(),
        ("z" | "Z", true, false, Some(desk)) if is_outside_text => desk.undo(),
        ("y", true, false, Some(desk)) if is_outside_text => desk.redo(),
        (digit, false, true, _) => match shell.page_of(digit) {
            Some(page) => shell.go(page),
            None => return false,
        },
        _ => return false,
    }
    true
}
