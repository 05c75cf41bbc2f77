//! What every bench has: its name, undo and redo, ways to leave with the
//! result, the input on one side and the result on the other.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::browser::{clipboard, download, field, location};
use crate::app::state::derived::live;
use crate::app::state::export::Format;
use crate::app::state::format::count;
use crate::app::state::link;
use crate::app::state::store::{Desk, Store};
use crate::app::state::work::Bench;

/// Links longer than this are cut off by some chat tools.
const LONG: usize = 2000;

/// A permalink that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    url: String,
    /// Whether it is on the clipboard.
    is_copied: bool,
}

/// A bench.
#[component]
pub fn BenchFrame(
    /// Which bench.
    bench: Bench,
    /// What it does, in one sentence.
    about: &'static str,
    /// The result as a file; none while there is no result.
    #[prop(into)]
    export: Callback<Format, Option<String>>,
    /// The inputs.
    #[prop(into)]
    input: ViewFn,
    /// The result.
    children: Children,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let desk = store.desk(bench);
    let made = RwSignal::new(None::<Made>);
    let headline = Memo::new(move |_| store.verdict(bench).map(|verdict| verdict.headline));
    view! {
        <div class="bench" data-testid=format!("bench-{}", bench.name())>
            <header class="bench-head">
                <div>
                    <h1>{bench.title()}</h1>
                    <p>{about}</p>
                </div>
                <Tools desk made export />
            </header>
            {live(move || made.get().map(|link| shared(link, made)))}
            <div class="bench-columns">
                <div class="bench-input" aria-label="Input" role="region">
                    {input.run()}
                    <button type="button" class="to-result" hidden=move || headline.with(Option::is_none) on:click=|_| field::focus("result")>
                        <strong>{headline}</strong>
                        <span>"Result ↓"</span>
                    </button>
                </div>
                <div class="bench-result" id="result" tabindex="-1" aria-label="Result" role="region">{children()}</div>
            </div>
        </div>
    }
}

#[component]
fn Tools(
    desk: Desk,
    made: RwSignal<Option<Made>>,
    export: Callback<Format, Option<String>>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let steps = desk.steps();
    let blank = Memo::new(move |_| desk.work.with(super::super::state::work::Work::is_blank));
    let share = move |_| match link::encode(desk.bench, &desk.work.get_untracked()) {
        Ok(link) => spawn_local(async move {
            let url = location::with_hash(&link);
            let is_copied = clipboard::copy(&url).await.is_ok();
            made.set(Some(Made { url, is_copied }));
            if !is_copied {
                field::select("share-link");
            }
        }),
        Err(message) => store.warn(format!("No link could be made: {message}.")),
    };
    let save = move |format: Format| {
        let Some(text) = export.run(format) else {
            store.warn("There is no result to export yet.");
            return;
        };
        let name = format!("assay-{}.{}", desk.bench.name(), format.ending());
        if download::offer(&name, format.media_type(), &text).is_err() {
            store.warn("This browser offers no downloads.");
        }
    };
    let export_button = move |label: &'static str, format: Format| {
        view! {
            <button type="button" data-testid=format!("export-{}", format.ending()) disabled=blank on:click=move |_| save(format)>
                {label}
            </button>
        }
    };
    view! {
        <div class="tools">
            <span class="group">
                <button type="button" class="quiet" data-testid="undo" title="Undo (Ctrl+Z)" disabled=move || !steps.get().0 on:click=move |_| desk.undo()>
                    "Undo"
                </button>
                <button type="button" class="quiet" data-testid="redo" title="Redo (Ctrl+Shift+Z)" disabled=move || !steps.get().1 on:click=move |_| desk.redo()>
                    "Redo"
                </button>
            </span>
            <span class="group" role="group" aria-label="Export the result">
                <span class="group-label" aria-hidden="true">"Export"</span>
                {export_button("JSON", Format::Json)}
                {export_button("CSV", Format::Csv)}
                {export_button("Markdown", Format::Markdown)}
            </span>
            <button type="button" class="primary" data-testid="share" disabled=blank on:click=share>"Share"</button>
        </div>
    }
}

fn shared(link: Made, made: RwSignal<Option<Made>>) -> impl IntoView {
    let length = link.url.chars().count();
    let copied = if link.is_copied {
        "The link is on your clipboard."
    } else {
        "Copy this link; the browser did not allow it to be copied for you."
    };
    let long = (length > LONG)
        .then_some(" Some chat tools cut links this long: send an exported file instead.");
    view! {
        <div class="shared" role="status">
            <p>
                <strong>{copied}</strong>
                " It contains the data itself ("{count(length, "character")}"), so whoever has it can read the data. No server is involved."
                {long}
            </p>
            <div class="shared-link">
                <input id="share-link" data-testid="share-link" type="text" readonly aria-label="Permalink" value=link.url />
                <button type="button" class="quiet" on:click=move |_| made.set(None)>"Close"</button>
            </div>
        </div>
    }
}
