//! Several debates in one text: a list of them with their decisions.

use leptos::prelude::*;

use super::model::Model;
use super::{options, words};
use crate::app::browser::field::{self, Scrolled};
use crate::app::derived::{Derived, live};
use crate::app::desk::ITEM;
use crate::app::format::{count, name};
use crate::app::panels::windowed::window;
use crate::debate::{Payload, read_from, score};
use crate::document::Evaluation;

const ROW: f64 = 36.0;
const SCROLLER: &str = "debates";

/// The debates in the text, where there are several; one of them is on the bench.
#[component]
pub fn DebateList(
    /// Whose debates they are.
    model: Model,
) -> impl IntoView {
    let number = Memo::new(move |_| model.parsed.with(|parsed| parsed.pieces().len()));
    view! {
        <Show when=move || { number.get() > 1 }>
            <List model number />
        </Show>
    }
}

#[component]
fn List(model: Model, number: Memo<usize>) -> impl IntoView {
    let desk = model.desk;
    let item = desk.item();
    let chosen = Memo::new(move |_| item.get().min(number.get().saturating_sub(1)));
    let seen = RwSignal::new(Scrolled {
        offset: 0.0,
        extent: 6.0 * ROW,
    });
    let rows = Memo::new(move |_| {
        let Scrolled { offset, extent } = seen.get();
        window(offset, extent, ROW, number.get())
    });
    let row = move |index: usize| {
        // a weight that is dragged reads no debate again
        let payload = Derived::new(move || read(model, index));
        let said = Memo::new(move |_| payload.with(|read| decision(model, read)));
        let choose = move |_| {
            desk.set(ITEM, (index > 0).then(|| index.to_string()));
            desk.settle();
        };
        view! {
            <li style:height=format!("{ROW}px")>
                <button
                    type="button"
                    data-testid=format!("debate-{index}")
                    aria-pressed=move || (chosen.get() == index).to_string()
                    on:click=choose
                >
                    <span class="rank">{index + 1}</span>
                    <span>{live(move || said.with(|said| said.0.clone()))}</span>
                    <span>{live(move || said.with(|said| said.1.clone()))}</span>
                </button>
            </li>
        }
    };
    let gap = |rows: usize| format!("{}px", rows as f64 * ROW);
    view! {
        <section class="debates">
            <header class="panel-head"><h2>{live(move || count(number.get(), "debate"))}" in this text"</h2></header>
            <ol
                id=SCROLLER
                data-testid="debates"
                tabindex="-1"
                on:scroll=move |_| seen.set(field::scrolled(SCROLLER)[0])
            >
                <li role="presentation" style:height=move || gap(rows.get().start)></li>
                <For each=move || rows.get() key=|row| *row children=row />
                <li role="presentation" style:height=move || gap(number.get() - rows.get().end)></li>
            </ol>
        </section>
    }
}

/// A debate of the list as read.
fn read(model: Model, index: usize) -> Evaluation<Payload> {
    model.parsed.with(|parsed| read_from(parsed, index))
}

/// What a debate is about, and what came of it.
fn decision(model: Model, read: &Evaluation<Payload>) -> (String, String) {
    let Some(payload) = &read.result else {
        let errors = read.errors().count();
        return (
            format!("Line {}", read.problems.first().map_or(1, |p| p.line)),
            count(errors, "error"),
        );
    };
    let ids = payload.candidates.iter().map(|c| name(&c.id)).take(8);
    let title = payload.question.clone();
    let title = title.unwrap_or_else(|| ids.collect::<Vec<_>>().join(", "));
    let options = model.desk.work.with(|work| options::options(work, true));
    let result = model
        .profiles
        .with(|profiles| score(payload, profiles.result.as_ref()?, &options).result);
    let said = result.map_or_else(
        || "Not scored".into(),
        |result| words::verdict(&result).headline,
    );
    (title, said)
}
