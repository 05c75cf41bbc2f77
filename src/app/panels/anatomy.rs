//! The anatomy of scores: one stacked bar per row, each row and each part of its
//! bar opening to its evidence.
//!
//! Rows are drawn by their place in the list, so that a change of a weight
//! changes numbers in the page and rebuilds nothing.

use std::collections::BTreeMap;
use std::ops::Range;

use leptos::ev;
use leptos::prelude::*;

use super::windowed::{WHOLE, Windowed};
use crate::app::browser::events;
use crate::app::charts::stack::{self, Axis, Part};

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Names the row.
    pub id: String,
    /// As people read it.
    pub title: String,
    /// In smaller type.
    pub subtitle: String,
    /// Its place, from 1; none where it has none.
    pub rank: Option<usize>,
    /// Its place before the last change, where that was another.
    pub was: Option<usize>,
    /// The contributions.
    pub values: Vec<f64>,
    /// What the contributions could be at most, where that is known.
    pub wholes: Option<Vec<f64>>,
    /// The score.
    pub score: f64,
    /// The score before the last change, where that was another.
    pub before: Option<f64>,
    /// The score as text.
    pub total: String,
    /// Whether it counts no more, and why.
    pub out: Option<String>,
}

/// What of a row is looked at: all of it, or one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The row.
    pub id: String,
    /// The part, by its position.
    pub part: Option<usize>,
}

/// The axis on which all rows fit.
pub fn axis(rows: &[Row]) -> Axis {
    Axis::fitting(
        rows.iter()
            .map(|row| row.wholes.as_deref().unwrap_or(&row.values)),
    )
}

/// Draws the rows. In a long list the evidence of one row stands below the list.
#[component]
pub fn Anatomy(
    /// What the rows are.
    label: &'static str,
    /// The rows in order.
    #[prop(into)]
    rows: Signal<Vec<Row>>,
    /// The parts that all rows have.
    parts: &'static [Part],
    /// The evidence of a row, made when it is opened.
    #[prop(into)]
    evidence: Callback<Opened, AnyView>,
    /// The heading over rows that count no more, where they stand apart.
    #[prop(optional)]
    apart: &'static str,
) -> impl IntoView {
    let open = RwSignal::new(BTreeMap::<String, Option<usize>>::new());
    let axis = Memo::new(move |_| rows.with(|rows| axis(rows)));
    let is_long = Memo::new(move |_| rows.with(|rows| rows.len() > WHOLE));
    // the rows that count come first
    let counting = Memo::new(move |_| {
        rows.with(|rows| {
            let is_in = |row: &&Row| apart.is_empty() || row.out.is_none();
            rows.iter().filter(is_in).count()
        })
    });
    let toggle = move |opened: Opened| {
        open.update(|open| {
            let is_same = open.get(&opened.id) == Some(&opened.part);
            let is_row = opened.part.is_none() && open.contains_key(&opened.id);
            if is_long.get_untracked() {
                open.clear();
            }
            if is_same || is_row {
                open.remove(&opened.id);
            } else {
                open.insert(opened.id, opened.part);
            }
        });
    };
    // one listener for all rows
    let press = move |event: &ev::Event| {
        let on_row = events::attribute(event, "data-press").is_some();
        let part = events::attribute(event, "data-part").and_then(|part| part.parse().ok());
        if let Some(id) = events::attribute(event, "data-row").filter(|_| on_row || part.is_some())
        {
            toggle(Opened { id, part });
        }
    };
    let key = move |event: ev::KeyboardEvent| {
        let on_part = events::attribute(&event, "data-part").is_some();
        let done = match event.key().as_str() {
            "ArrowRight" => events::step_focus(&event, true, "[data-part]"),
            "ArrowLeft" => events::step_focus(&event, false, "[data-part]"),
            "Enter" | " " if on_part => {
                press(&event);
                true
            }
            _ => false,
        };
        if done {
            event.prevent_default();
        }
    };
    let draw = move |range: Range<usize>, first: usize| {
        let axis = axis.get();
        let whole = !is_long.get();
        let items = rows.with(|rows| {
            let shown = rows.get(first + range.start..first + range.end);
            let items = shown.unwrap_or_default().iter().map(|row| {
                let part = open.with(|open| open.get(&row.id).copied());
                let opened = part.map(|part| Opened {
                    id: row.id.clone(),
                    part,
                });
                let is_open = opened.is_some();
                let details = opened.filter(|_| whole).map(|opened| {
                    view! { <div class="evidence">{evidence.run(opened)}</div> }.into_any()
                });
                row_view(row, parts, axis, is_open, details)
            });
            items.collect_view()
        });
        view! { <ol class="anatomy-rows">{items}</ol> }.into_any()
    };
    let below = move || {
        let opened = open.with(|open| {
            open.iter().next().map(|(id, part)| Opened {
                id: id.clone(),
                part: *part,
            })
        });
        let opened = opened.filter(|_| is_long.get())?;
        let title = opened.id.clone();
        Some(
            view! { <div class="evidence pane" aria-live="polite"><h4>{title}</h4>{evidence.run(opened)}</div> },
        )
    };
    let out = move || {
        let first = counting.get();
        let count = rows.with(Vec::len) - first;
        (count > 0).then(|| {
            let draw = move |range| draw(range, counting.get());
            view! {
                <h4 class="apart">{apart}</h4>
                <Windowed label=apart count=Signal::derive(move || rows.with(Vec::len) - counting.get()) draw />
            }
        })
    };
    view! {
        <div class="anatomy" on:click=move |event| press(&event) on:keydown=key>
            <ul class="legend">{stack::legend(parts)}</ul>
            <Windowed label count=counting draw=move |range| draw(range, 0) />
            <div class="anatomy-scale"><span class="bar">{move || stack::scale(axis.get())}</span></div>
            {below}
            {move || if apart.is_empty() { ().into_any() } else { out().into_any() }}
        </div>
    }
}

/// Where a row stood before the last change.
fn ghost(row: &Row) -> Option<impl IntoView + use<>> {
    let (rank, was) = (row.rank?, row.was?);
    let (class, sign, word) = if rank < was {
        ("was up", "▲", "up")
    } else {
        ("was down", "▼", "down")
    };
    Some(view! {
        <span class=class data-testid="ghost" data-was=was>
            <span aria-hidden="true">{sign}</span><span class="visually-hidden">{word}","</span>" was "{was}
        </span>
    })
}

fn row_view(
    row: &Row,
    parts: &[Part],
    axis: Axis,
    is_open: bool,
    details: Option<AnyView>,
) -> impl IntoView + use<> {
    let bar = stack::bar(
        &row.title,
        &row.values,
        row.wholes.as_deref(),
        parts,
        axis,
        row.before,
    );
    let out = row
        .out
        .clone()
        .map(|out| view! { <span class="tag">{out}</span> });
    view! {
        <li class:out=row.out.is_some() data-row=row.id.clone() data-testid=format!("row-{}", row.id)>
            <div class="anatomy-row">
                <button type="button" class="row-open" data-press="" aria-expanded=is_open.to_string()>
                    <span class="rank">{row.rank}</span>
                    <span class="name">{row.title.clone()}<small>{ghost(row)}{row.subtitle.clone()}</small>{out}</span>
                </button>
                <span class="bar">{bar}</span>
                <span class="total" data-value=row.score.to_string()>{row.total.clone()}</span>
            </div>
            {details}
        </li>
    }
}
