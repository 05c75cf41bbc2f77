//! A section of a result: a heading, a chart, and its twin as a table. It may be
//! folded away; what is folded away is not worked out.

use leptos::prelude::*;

use super::explain::ask;
use super::field::choice;
use super::goal::follow_section;
use crate::app::derived::live;

/// A section.
#[component]
pub fn Section(
    /// Names it in marks: `section-<name>`.
    name: &'static str,
    /// The heading.
    title: &'static str,
    /// What it shows, or what to do with it.
    #[prop(optional)]
    note: &'static str,
    /// The chart, or whatever stands here.
    #[prop(into)]
    chart: ViewFn,
    /// What explains it, in the glossary.
    #[prop(optional)]
    about: &'static str,
    /// The same as a table.
    #[prop(optional, into)]
    table: Option<ViewFn>,
    /// Whether it is open, where it can be folded away.
    #[prop(optional)]
    open: Option<RwSignal<bool>>,
    /// Whether it says what there is to say now. While it does not, it is drawn only
    /// where it is seen: in a drag the page has enough to do.
    #[prop(optional, into)]
    is_current: Option<Signal<bool>>,
) -> impl IntoView {
    follow_section(name, open);
    let as_table = RwSignal::new(false);
    let is_open = move || open.is_none_or(|open| open.get());
    let body_id = format!("section-{name}");
    let heading = match open {
        None => title.into_any(),
        Some(open) => fold_button(name, title, body_id.clone(), open),
    };
    let has_table = table.is_some();
    let twins = move || (has_table && is_open()).then(|| twins(name, title, as_table));
    let body = move || {
        let shown = table.as_ref().filter(|_| as_table.get()).unwrap_or(&chart);
        is_open().then(|| shown.run())
    };
    let waits = move || is_current.is_some_and(|is_current| !is_current.get());
    view! {
        <section
            id=format!("part-{name}")
            tabindex="-1"
            class="result-section"
            class:waits=waits
            data-testid=format!("section-{name}")
        >
            <header class="panel-head">
                <h3>{heading}</h3>
                {ask(title, about)}
                <span class="panel-note muted">{note}</span>
                {live(twins)}
            </header>
            <div id=body_id>{live(body)}</div>
        </section>
    }
}

fn fold_button(name: &str, title: &'static str, body_id: String, open: RwSignal<bool>) -> AnyView {
    view! {
        <button
            type="button"
            class="unfold"
            data-testid=format!("fold-{name}")
            aria-expanded=move || open.get().to_string()
            aria-controls=body_id
            on:click=move |_| open.update(|open| *open = !*open)
        >
            {title}
        </button>
    }
    .into_any()
}

/// The switch between the chart and its table.
fn twins(name: &str, title: &str, as_table: RwSignal<bool>) -> impl IntoView + use<> {
    let twin = |label: &'static str, hook: String, is_table: bool| {
        let is_shown = move || as_table.get() == is_table;
        choice(label, hook, is_shown, move || as_table.set(is_table))
    };
    view! {
        <span class="twins" role="group" aria-label=format!("{title}: how to show it")>
            {twin("Chart", format!("chart-{name}"), false)}
            {twin("Table", format!("table-{name}"), true)}
        </span>
    }
}
