//! The result of a debate: what each score is made of, and where the numbers come from.

use leptos::prelude::*;

use crate::app::charts::stack::Part;
use crate::app::panels::anatomy::{self, Anatomy};
use crate::app::panels::table::{self, Cell, Column, number, words};
use crate::app::state::format::{fixed, short};
use crate::app::state::store::Store;
use crate::debate::{DebateResult, Payload, Review, Row, Weights};

const PARTS: [Part; 5] = [
    Part {
        label: "Base",
        letter: "B",
        class: "part-1",
    },
    Part {
        label: "Pairwise",
        letter: "P",
        class: "part-2",
    },
    Part {
        label: "Reliability",
        letter: "R",
        class: "part-3",
    },
    Part {
        label: "Formal",
        letter: "F",
        class: "part-4",
    },
    Part {
        label: "Risk, subtracted",
        letter: "−",
        class: "part-minus",
    },
];

const COLUMNS: [Column; 10] = [
    words("Candidate"),
    words("Model"),
    number("Base", "Weight × mean of support + evidence"),
    number("Pairwise", "Weight × share of comparisons won"),
    number("Risk", "Minus weight × mean of risks"),
    number(
        "Reliability",
        "Weight × the model's reliability in the domain",
    ),
    number("Formal", "Weight × formal score"),
    number("Score", "The sum of the contributions"),
    number("Fails", "Reviews with critical_fail; two eliminate"),
    words("State"),
];

/// The contributions in the order of [`PARTS`].
fn contributions(row: &Row) -> Vec<f64> {
    let c = &row.contributions;
    vec![c.base, c.pairwise, c.reliability, c.formal, c.risk]
}

fn anatomy_rows(result: &DebateResult) -> Vec<anatomy::Row> {
    let rows = result.results.iter().map(|row| anatomy::Row {
        id: row.id.clone(),
        title: row.id.clone(),
        subtitle: row.model.clone().unwrap_or_default(),
        values: contributions(row),
        wholes: None,
        total: fixed(row.score, 2),
        out: row.eliminated.then_some("eliminated"),
    });
    rows.collect()
}

fn table_rows(result: &DebateResult) -> Vec<table::Row> {
    let rows = result.results.iter().map(|row| {
        let c = &row.contributions;
        let mut cells = vec![
            Cell::text(row.id.clone()),
            Cell::text(row.model.clone().unwrap_or_else(|| "–".into())),
        ];
        cells.extend(
            [
                c.base,
                c.pairwise,
                c.risk,
                c.reliability,
                c.formal,
                row.score,
            ]
            .map(|n| Cell::number(n, 4)),
        );
        cells.push(Cell::number(row.critical_fails as f64, 0));
        cells.push(Cell::text(if row.eliminated { "eliminated" } else { "in" }));
        table::Row {
            id: row.id.clone(),
            is_out: row.eliminated,
            cells,
        }
    });
    rows.collect()
}

/// The formula with the numbers of a row filled in.
fn formula(row: &Row, weights: &Weights) -> Vec<(&'static str, String, f64)> {
    let c = &row.contributions;
    let term = |weight: f64, value: f64| format!("{} × {}", short(weight), short(value));
    let model = row.model_weight.unwrap_or_default();
    let formal = row.formal_score.unwrap_or_default();
    vec![
        ("Base", term(weights.w_base, row.base), c.base),
        (
            "Pairwise",
            term(weights.w_pairwise, row.pairwise),
            c.pairwise,
        ),
        (
            "Risk",
            format!("−{}", term(weights.w_risk, row.risk)),
            c.risk,
        ),
        (
            "Reliability",
            term(weights.w_reliability, model),
            c.reliability,
        ),
        ("Formal", term(weights.w_formal, formal), c.formal),
    ]
}

fn review_item(review: &Review) -> impl IntoView + use<> {
    let who = review.debater.clone().unwrap_or_else(|| "A debater".into());
    let fail =
        (review.critical_fail > 0).then(|| view! { <span class="tag">"critical fail"</span> });
    let scores = format!(
        "support {}, evidence {}, risks {}",
        review.support, review.evidence, review.major_risks
    );
    let why = review
        .justification
        .clone()
        .map(|why| view! { <q>{why}</q> });
    view! { <li><strong>{who}</strong>" "<span class="muted">{scores}</span>" "{fail}{why}</li> }
}

fn row_evidence(result: &DebateResult, payload: &Payload, id: &str) -> AnyView {
    let Some(row) = result.results.iter().find(|row| row.id == id) else {
        return ().into_any();
    };
    let terms = formula(row, &result.weights).into_iter().map(|(name, term, value)| {
        view! { <div><dt>{name}</dt><dd class="term">{term}</dd><dd class="figure">{fixed(value, 4)}</dd></div> }
    });
    let reviews = payload
        .candidates
        .iter()
        .find(|candidate| candidate.id == id)
        .map(|candidate| candidate.reviews.iter().map(review_item).collect_view());
    view! {
        <dl class="sum">
            {terms.collect_view()}
            <div class="sum-total"><dt>"Score"</dt><dd class="term"></dd><dd class="figure">{fixed(row.score, 4)}</dd></div>
        </dl>
        <ul class="reviews">{reviews}</ul>
    }
    .into_any()
}

/// Everything below the verdict and the weights.
#[component]
pub fn DebateResultView(
    /// Whose result it is.
    store: Store,
) -> impl IntoView {
    let rows = Signal::derive(move || {
        store
            .debate
            .with(|e| e.result.as_ref().map(anatomy_rows).unwrap_or_default())
    });
    let evidence = move |id: String| {
        store.debate.with(|scored| {
            store
                .debate_payload
                .with(|read| match (&scored.result, &read.result) {
                    (Some(result), Some(payload)) => row_evidence(result, payload, &id),
                    _ => ().into_any(),
                })
        })
    };
    view! {
        <section>
            <header class="panel-head"><h3>"What each score is made of"</h3><span class="muted">"Open a row for its formula and reviews"</span></header>
            <Anatomy rows parts=&PARTS evidence />
        </section>
        <section>
            {move || store.debate.with(|e| e.result.as_ref().map(|result| table::table("Contributions, weight × value", &COLUMNS, table_rows(result))))}
        </section>
        <section>
            {move || store.debate.with(|e| e.result.as_ref().map(|result| crate::app::pages::provenance(result.formula, &result.input_sha256, &[])))}
        </section>
    }
}
