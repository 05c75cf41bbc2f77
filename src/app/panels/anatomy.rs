//! The anatomy of scores: one stacked bar per row, each opening to its evidence.

use std::collections::BTreeSet;

use leptos::prelude::*;

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
    /// The contributions.
    pub values: Vec<f64>,
    /// What the contributions could be at most, where that is known.
    pub wholes: Option<Vec<f64>>,
    /// The score as text.
    pub total: String,
    /// Whether it counts no more, and why.
    pub out: Option<&'static str>,
}

/// The axis on which all rows fit.
pub fn axis(rows: &[Row]) -> Axis {
    Axis::fitting(
        rows.iter()
            .map(|row| row.wholes.as_deref().unwrap_or(&row.values)),
    )
}

/// Draws the rows. `open` holds the ids of the rows that show their evidence.
#[component]
pub fn Anatomy(
    /// The rows in order.
    #[prop(into)]
    rows: Signal<Vec<Row>>,
    /// The parts that all rows have.
    parts: &'static [Part],
    /// The evidence of a row, made when it is opened.
    #[prop(into)]
    evidence: Callback<String, AnyView>,
) -> impl IntoView {
    let open = RwSignal::new(BTreeSet::<String>::new());
    let toggle = move |id: &str| {
        open.update(|open| {
            if !open.remove(id) {
                open.insert(id.to_owned());
            }
        });
    };
    let draw = move || {
        let rows = rows.get();
        let axis = axis(&rows);
        let items = rows.into_iter().enumerate().map(|(index, row)| {
            let is_open = open.with(|open| open.contains(&row.id));
            let bar = stack::bar(&row.values, row.wholes.as_deref(), parts, axis);
            let details = is_open.then(|| view! { <div class="evidence">{evidence.run(row.id.clone())}</div> });
            let out = row.out.map(|out| view! { <span class="tag">{out}</span> });
            let id = row.id.clone();
            view! {
                <li class:out=row.out.is_some()>
                    <button type="button" class="anatomy-row" aria-expanded=is_open.to_string() on:click=move |_| toggle(&id)>
                        <span class="rank" aria-hidden="true">{index + 1}</span>
                        <span class="name">{row.title}<small>{row.subtitle}</small>{out}</span>
                        <span class="bar">{bar}</span>
                        <span class="total">{row.total}</span>
                    </button>
                    {details}
                </li>
            }
        });
        let items = items.collect_view();
        view! {
            <ol class="anatomy-rows">{items}</ol>
            <div class="anatomy-scale"><span class="bar">{stack::scale(axis)}</span></div>
        }
    };
    view! {
        <div class="anatomy">
            <ul class="legend">{stack::legend(parts)}</ul>
            {draw}
        </div>
    }
}
