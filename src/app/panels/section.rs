//! A section of a result: a heading, a chart, and its twin as a table. It may be
//! folded away; what is folded away is not worked out.

use leptos::prelude::*;

use super::field::choice;
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
    let as_table = RwSignal::new(false);
    let is_open = move || open.is_none_or(|open| open.get());
    let body_id = format!("section-{name}");
    let heading = match open {
        None => title.into_any(),
        Some(open) => view! {
            <button
                type="button"
                class="unfold"
                data-testid=format!("fold-{name}")
                aria-expanded=move || open.get().to_string()
                aria-controls=body_id.clone()
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {title}
            </button>
        }
        .into_any(),
    };
    let choose = move |label: &'static str, wants_table: bool| {
        let hook = format!("{}-{name}", label.to_lowercase());
        let is_chosen = move || as_table.get() == wants_table;
        choice(label, hook, is_chosen, move || as_table.set(wants_table))
    };
    let has_table = table.is_some();
    let switch = move || {
        (has_table && is_open()).then(|| {
            view! { <span class="twins" role="group" aria-label=format!("{title}: how to show it")>{choose("Chart", false)}{choose("Table", true)}</span> }
        })
    };
    let body = move || {
        let shown = table.as_ref().filter(|_| as_table.get()).unwrap_or(&chart);
        is_open().then(|| shown.run())
    };
    let waits = move || is_current.is_some_and(|is_current| !is_current.get());
    view! {
        <section class="result-section" class:waits=waits data-testid=format!("section-{name}")>
            <header class="panel-head">
                <h3>{heading}</h3>
                <span class="panel-note muted">{note}</span>
                {live(switch)}
            </header>
            <div id=body_id.clone()>{live(body)}</div>
        </section>
    }
}
