//! Help: the explanation of one number beside its label, and the sheet with the keys and
//! all numbers. The words come when somebody first asks for them.

use leptos::prelude::*;

use super::Shell;
use super::around::shortcuts;
use crate::app::browser::{events, field};
use crate::app::derived::{effect, live};
use crate::app::glossary::{fetch_explanation, fetch_glossary};
use crate::app::panels::explain::EXPLANATION;
use crate::app::panels::field::choice;
use crate::app::parts::later;
use crate::app::route::Page;

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Help {
    /// Which number is explained, as its label names it.
    about: RwSignal<Option<String>>,
    /// Whether the sheet shows the numbers, and not the keys.
    is_numbers: RwSignal<bool>,
}

impl Help {
    /// Nothing is asked for yet. It hears of every label that is pressed from now on.
    pub fn listen() -> Self {
        let new = Self {
            about: RwSignal::new(None),
            is_numbers: RwSignal::new(false),
        };
        events::on_asked(EXPLANATION, "data-about", move |about| {
            new.about.set(Some(about));
        });
        new
    }
}

/// The explanation of a number; the browser opens and closes it.
#[component]
pub fn Explanation(
    /// What is asked for.
    help: Help,
) -> impl IntoView {
    let shell = expect_context::<Shell>();
    let all = move |_| {
        help.is_numbers.set(true);
        shell.help.set(true);
        request_animation_frame(|| field::focus("glossary-words"));
    };
    let words = move || {
        let about = help.about.get()?;
        let about = StoredValue::new(about);
        let fetching = move || fetch_explanation(about.get_value());
        Some(later("The explanation", fetching))
    };
    view! {
        <div
            id=EXPLANATION
            class="explanation"
            popover="auto"
            role="dialog"
            aria-label="Explanation"
            data-testid="explanation"
        >
            <div aria-live="polite">{live(words)}</div>
            <p class="explanation-acts">
                <button type="button" data-testid="all-numbers" on:click=all>"All numbers explained"</button>
            </p>
            <button
                type="button"
                class="quiet close"
                aria-label="Close the explanation"
                popovertarget=EXPLANATION
                popovertargetaction="hide"
            >
                "×"
            </button>
        </div>
    }
}

/// The sheet with the keys and the numbers.
#[component]
pub fn HelpSheet(
    /// What is asked for.
    help: Help,
) -> impl IntoView {
    let shell = expect_context::<Shell>();
    let Help { is_numbers, .. } = help;
    // the dialog is the browser's own; it is told, not asked
    effect(move || field::show_dialog("help-sheet", shell.help.get()));
    let face = move |label: &'static str, hook: &'static str, numbers: bool| {
        let is_shown = move || is_numbers.get() == numbers;
        choice(label, hook.to_owned(), is_shown, move || {
            is_numbers.set(numbers);
        })
    };
    let shown = move || match (shell.help.get(), is_numbers.get()) {
        (false, _) => ().into_any(),
        (true, false) => keys(shell),
        (true, true) => {
            let bench = match shell.page.get_untracked() {
                Page::Bench(bench) => bench.title,
                Page::Start | Page::Inside | Page::Runs => "",
            };
            later("The glossary", move || fetch_glossary(bench))
        }
    };
    view! {
        <dialog id="help-sheet" aria-labelledby="help-title" on:close=move |_| shell.help.set(false)>
            <header class="panel-head">
                <h2 id="help-title">"Help"</h2>
                <span class="twins" role="group" aria-label="Help with">
                    {face("Keys", "help-keys", false)}
                    {face("Numbers", "help-numbers", true)}
                </span>
                <button type="button" class="quiet" data-testid="help-close" on:click=move |_| shell.help.set(false)>
                    "Close"
                </button>
            </header>
            {live(shown)}
        </dialog>
    }
}

fn keys(shell: Shell) -> AnyView {
    let rows = shortcuts(shell.benches).into_iter();
    let rows =
        rows.map(|(key, what)| view! { <div><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div> });
    view! {
        <p class="muted">"On a Mac, Command stands for Ctrl and Option for Alt."</p>
        <dl>{rows.collect_view()}</dl>
    }
    .into_any()
}
