//! What is shown of them: each chart as the picture that leaves, each table by its size.

use std::sync::Arc;
use std::time::Duration;

use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;

use super::source::Source;
use crate::app::bench::{Leaves, Leaving};
use crate::app::browser::{Refused, clipboard, download, field, picture};
use crate::app::derived::live;
use crate::app::format::count;
use crate::app::panels::field::choice;
use crate::app::parts::fetch;
use crate::share::Kind;
use crate::share::figures::{Chart, Table, Theme, charts, svg, tables, vega_lite};

/// A result that changes is drawn again when it has rested for so long.
const REST: Duration = Duration::from_millis(300);

/// The charts and tables of a result.
#[derive(Clone)]
struct Drawn {
    charts: Vec<Arc<Chart>>,
    tables: Vec<Arc<Table>>,
}

impl Drawn {
    fn of(kind: Kind, result: &str) -> Option<Self> {
        let result: Value = serde_json::from_str(result).ok()?;
        Some(Self {
            charts: charts(kind, &result).into_iter().map(Arc::new).collect(),
            tables: tables(kind, &result).into_iter().map(Arc::new).collect(),
        })
    }
}

/// All of them; they follow the result.
pub fn panel(source: Source) -> AnyView {
    let drawn = RwSignal::new(None::<Drawn>);
    let is_dark = RwSignal::new(false);
    let draw = move || {
        fetch(source.result.run(()), move |result| {
            let result = result.ok().flatten();
            // the panel may be away when it comes
            drawn.try_set(result.and_then(|result| Drawn::of(source.kind, &result)));
        });
    };
    draw();
    // the sheet that was pressed gives the focus back when it closes
    request_animation_frame(|| field::go_to("figures-title"));
    let mut draw_later = debounce(REST, move |()| draw());
    Effect::new(move |is_first: Option<()>| {
        source.changes.track();
        if is_first.is_some() {
            draw_later(());
        }
    });
    let theme = |label, hook: &str, dark| {
        let is_chosen = move || is_dark.get() == dark;
        choice(label, hook.to_owned(), is_chosen, move || is_dark.set(dark))
    };
    let all = move || {
        match drawn.get() {
        None => view! { <p class="muted">"There is no result of what is there now."</p> }.into_any(),
        Some(Drawn { charts, tables }) => view! {
            <ul class="taken">{charts.into_iter().map(|chart| one_chart(source, chart, is_dark)).collect_view()}</ul>
            <h3>"Tables"</h3>
            <ul class="taken-tables">{tables.into_iter().map(|table| one_table(source, table)).collect_view()}</ul>
        }
        .into_any(),
    }
    };
    view! {
        <section class="figures-panel" aria-labelledby="figures-title" data-testid="figures">
            <header>
                <h2 id="figures-title" tabindex="-1">"Charts and tables"</h2>
                <span class="face-switch" role="group" aria-label="Colours of the charts">
                    {theme("Light", "figures-light", false)}
                    {theme("Dark", "figures-dark", true)}
                </span>
                <button type="button" class="quiet" data-testid="figures-close" on:click=move |_| source.close.run(())>
                    "Close"
                </button>
            </header>
            {live(all)}
        </section>
    }
    .into_any()
}

/// What a chart is taken along as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Svg,
    /// With so many pixels for each of its own.
    Png(u32),
    VegaLite,
}

impl Shape {
    const SAVED: [Self; 4] = [Self::Png(1), Self::Png(2), Self::Svg, Self::VegaLite];
    const COPIED: [Self; 3] = [Self::Png(2), Self::Svg, Self::VegaLite];

    const fn label(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Png(1) => "PNG",
            Self::Png(_) => "PNG ×2",
            Self::VegaLite => "Vega-Lite",
        }
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png(1) => "png",
            Self::Png(_) => "2x.png",
            Self::VegaLite => "vl.json",
        }
    }
}

fn one_chart(source: Source, chart: Arc<Chart>, is_dark: RwSignal<bool>) -> impl IntoView {
    let (name, title) = (chart.name, chart.title.clone());
    let text = {
        let chart = chart.clone();
        move |is_dark: bool| svg(&chart, if is_dark { Theme::Dark } else { Theme::Light })
    };
    let drawn = {
        let text = text.clone();
        move || picture::address(&text(is_dark.get()))
    };
    let written = move |shape: Shape| match shape {
        Shape::Svg | Shape::Png(_) => text(is_dark.get_untracked()),
        Shape::VegaLite => format!("{:#}\n", vega_lite(&chart)),
    };
    let act = |verb: &'static str, shape: Shape, take: fn(Source, &str, Shape, String)| {
        let written = written.clone();
        let called = format!("{verb} as {}: {title}", shape.label());
        let hook = format!("{}-{}-{name}", verb.to_lowercase(), shape.ending());
        view! {
            <button type="button" aria-label=called data-testid=hook on:click=move |_| take(source, name, shape, written(shape))>
                {shape.label()}
            </button>
        }
    };
    let saved = Shape::SAVED.map(|shape| act("Save", shape, save));
    let copied = Shape::COPIED.map(|shape| act("Copy", shape, copy));
    view! {
        <li>
            <img src=drawn alt=title.clone() data-testid=format!("figure-{name}") />
            <p class="taken-acts">
                <span class="taken-group"><span class="muted">"Save"</span>{saved.into_iter().collect_view()}</span>
                <span class="taken-group"><span class="muted">"Copy"</span>{copied.into_iter().collect_view()}</span>
            </p>
        </li>
    }
}

fn one_table(source: Source, table: Arc<Table>) -> impl IntoView {
    let title = table.title.clone();
    let size = format!(
        "{}, {}",
        count(table.rows.len(), "row"),
        count(table.head.len(), "column")
    );
    let act = |label: &'static str, verb: &'static str, write: fn(&Table) -> String| {
        let table = table.clone();
        let called = format!("{verb}: {title}");
        view! {
            <button
                type="button"
                aria-label=called
                data-testid=format!("copy-{label}-{title}")
                on:click=move |_| leave_copied(source, table.title.clone(), write(&table))
            >
                {label}
            </button>
        }
    };
    view! {
        <li>
            <span>{title.clone()}" "<span class="muted">{size}</span></span>
            <span class="taken-group">
                <span class="muted">"Copy"</span>
                {act("TSV", "Copy for a spreadsheet", Table::tsv)}
                {act("Markdown", "Copy as Markdown", Table::markdown)}
            </span>
        </li>
    }
}

/// Lets a chart leave as a file.
fn save(source: Source, chart: &str, shape: Shape, text: String) {
    let name = format!("{}-{chart}.{}", source.stem.run(()), shape.ending());
    let notices = source.notices;
    let refused = move || notices.warn("This browser did not make a file of it.");
    let called = name.clone();
    let go = move |text: String| match shape {
        Shape::Png(scale) => {
            let called = called.clone();
            spawn_local(async move {
                let drawn = picture::png(text, scale).await;
                if drawn
                    .and_then(|drawn| download::offer_blob(&called, &drawn))
                    .is_err()
                {
                    refused();
                }
            });
        }
        Shape::Svg | Shape::VegaLite => {
            let media_type = if shape == Shape::Svg {
                "image/svg+xml"
            } else {
                "application/json"
            };
            if download::offer(&called, media_type, &text).is_err() {
                refused();
            }
        }
    };
    leave(source, name, text, go);
}

/// Lets a chart leave by the clipboard.
fn copy(source: Source, chart: &str, shape: Shape, text: String) {
    let Shape::Png(scale) = shape else {
        return leave_copied(source, chart.to_owned(), text);
    };
    let go = move |text: String| {
        spawn_local(async move { say_copied(source, picture::copy(text, scale).await) });
    };
    leave(source, chart.to_owned(), text, go);
}

fn leave_copied(source: Source, name: String, text: String) {
    let go = move |text: String| {
        spawn_local(async move { say_copied(source, clipboard::copy(&text).await) });
    };
    leave(source, name, text, go);
}

fn say_copied(source: Source, copied: Result<(), Refused>) {
    match copied {
        Ok(()) => source.notices.tell("Copied."),
        Err(Refused) => source
            .notices
            .warn("This browser did not let it be copied. Save it as a file instead."),
    }
}

fn leave(source: Source, name: String, text: String, go: impl Fn(String) + Send + Sync + 'static) {
    source.leave.run(Leaving {
        name,
        text,
        leaves: Leaves::File,
        is_result: false,
        go: Callback::new(go),
    });
}
