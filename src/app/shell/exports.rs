//! What a result can leave as: a sheet of choices, each with what it is for.

use leptos::prelude::*;

use crate::app::export::Format;
use crate::share::Shape;

/// The id of the sheet of what a result can leave as.
pub const EXPORTS: &str = "exports";

/// The files of its own that a result can leave as, each with what it is for.
const FILES: [(&str, &str, Format); 4] = [
    (
        "Report",
        "A page that can be read, printed and checked: the input is inside",
        Format::Report,
    ),
    (
        "Markdown",
        "A summary, for a message or a wiki",
        Format::Markdown,
    ),
    ("CSV", "The rows, for a spreadsheet", Format::Csv),
    (
        "JSON",
        "All figures, as the command line prints them",
        Format::Json,
    ),
];

/// The sheet; the browser opens and closes it.
pub fn exports(
    shapes: &'static [Shape],
    save: impl Fn(Format) + Copy + 'static,
    draw: impl Fn() + Copy + 'static,
) -> impl IntoView {
    let entry =
        move |label, about, hook: String, format| entry(label, about, hook, move || save(format));
    let own = FILES.map(|(label, about, format)| {
        entry(label, about, format!("export-{}", format.ending()), format)
    });
    let figures = self::entry(
        "Charts and tables",
        "Each as a picture, as Vega-Lite or as cells, for a slide or a document",
        "export-figures".to_owned(),
        draw,
    );
    let others = shapes.iter().map(|shape| {
        let hook = format!("export-for-{}", shape.name());
        entry(shape.title(), shape.about(), hook, Format::Back(*shape))
    });
    let others = others.collect_view();
    view! {
        <div
            id=EXPORTS
            class="explanation exports"
            popover="auto"
            role="dialog"
            aria-label="Export the result"
            data-testid="exports"
        >
            <h2>"A file of the result"</h2>
            <ul>
                {own.collect_view()}
                {figures}
            </ul>
            <h2>"For another tool"</h2>
            <ul>{others}</ul>
        </div>
    }
}

fn entry(
    label: &'static str,
    about: &'static str,
    hook: String,
    act: impl Fn() + 'static,
) -> AnyView {
    view! {
        <li>
            <button
                type="button"
                data-testid=hook
                popovertarget=EXPORTS
                popovertargetaction="hide"
                on:click=move |_| act()
            >
                <strong>{label}</strong>
                <span class="muted">{about}</span>
            </button>
        </li>
    }
    .into_any()
}
