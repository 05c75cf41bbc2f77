//! All ratings of a debate as a table, on paper alone: on the screen they are in the form.

use leptos::prelude::*;

use super::model::Model;
use crate::app::browser::events;
use crate::app::derived::live;
use crate::app::format::name;
use crate::app::panels::table::{Cell, Column, Row, number, table, words};
use crate::debate::{Payload, Review};

static COLUMNS: [Column; 7] = [
    words("Candidate"),
    words("Debater"),
    number("Support", ""),
    number("Evidence", ""),
    number("Major risks", ""),
    number("Critical", ""),
    words("Why"),
];

fn row(id: &str, index: usize, review: &Review) -> Row {
    let Review {
        debater,
        support,
        evidence,
        major_risks,
        critical_fail,
        justification,
    } = review;
    let ratings = [support, evidence, major_risks, critical_fail];
    let said = |text: &Option<String>| Cell::text(name(text.as_deref().unwrap_or("–")));
    let mut cells = vec![Cell::text(name(id)), said(debater)];
    cells.extend(ratings.map(|rating| Cell::number(*rating as f64, 0)));
    cells.push(Cell::text(justification.clone().unwrap_or_default()));
    Row {
        id: format!("{id}-{index}"),
        is_out: false,
        cells,
    }
}

fn rows(payload: &Payload) -> Vec<Row> {
    let candidates = payload.candidates.iter();
    let rows = candidates.flat_map(|candidate| {
        let reviews = candidate.reviews.iter().enumerate();
        reviews.map(|(index, review)| row(&candidate.id, index, review))
    });
    rows.collect()
}

/// The table, while the page is printed.
pub fn view(model: Model) -> AnyView {
    let is_printing = RwSignal::new(false);
    // it goes with the view
    StoredValue::new_local(events::on_print(move |is_now| {
        is_printing.try_set(is_now);
    }));
    live(move || {
        is_printing.get().then(|| {
            let read = model.entered.get();
            let rows = read.result.as_ref().map(rows).unwrap_or_default();
            view! {
                <section class="on-paper" data-testid="ratings-on-paper">
                    <h3>"Ratings"</h3>
                    {table("Ratings as entered", &COLUMNS, &rows)}
                </section>
            }
        })
    })
    .into_any()
}
