//! The debate bench: candidates and reviews to a ranking and a decision.

use leptos::prelude::*;

use super::start::ExampleButton;
use crate::app::charts::stack::Part;
use crate::app::panels::anatomy::{self, Anatomy};
use crate::app::panels::evidence::{self, Mark};
use crate::app::panels::frame::BenchFrame;
use crate::app::panels::numbers::NumberPanel;
use crate::app::panels::problems::Remarks;
use crate::app::panels::table::{self, Cell, Column, number, words};
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::panels::verdict::VerdictPanel;
use crate::app::state::benches::{DEBATE_WEIGHTS, problems_of};
use crate::app::state::export;
use crate::app::state::format::{fixed, short};
use crate::app::state::store::Store;
use crate::app::state::work::Bench;
use crate::debate::{DebateResult, NO_DOMAIN, Payload, Profiles, Review, Row, Weights};

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

/// The weights in the order of the fields.
fn weight_values(weights: &Weights) -> Vec<f64> {
    weights.named().map(|(_, value)| value).to_vec()
}

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

/// The question with the words marked that speak for the domain.
fn question(result: &DebateResult, payload: &Payload) -> Option<impl IntoView + use<>> {
    let text = payload.question.as_deref()?;
    let marks: Vec<Mark> = result
        .domain_hits
        .iter()
        .flatten()
        .flat_map(|domain| {
            domain.hits.iter().map(|hit| Mark {
                start: hit.start,
                end: hit.end,
                class: if domain.domain == result.domain {
                    "preferred"
                } else {
                    "trait"
                },
                title: format!("{} speaks for {}", hit.keyword, domain.domain),
            })
        })
        .collect();
    let tally: Vec<String> = result
        .domain_hits
        .iter()
        .flatten()
        .map(|domain| format!("{} {}", domain.domain, domain.hits.len()))
        .collect();
    let tally = (!tally.is_empty())
        .then(|| view! { <p class="muted">"Words found: "{tally.join(", ")}"."</p> });
    Some(view! { <div class="question">{evidence::marked(text, &marks)}{tally}</div> })
}

#[component]
fn DomainPicker(store: Store) -> impl IntoView {
    let desk = store.debate_desk;
    let setting = desk.setting("domain");
    let pick = move |event| {
        let value = event_target_value(&event);
        desk.set("domain", (value != "payload").then_some(value));
        desk.settle();
    };
    let own = move || {
        let named = store
            .debate_payload
            .with(|e| e.result.as_ref().and_then(|payload| payload.domain.clone()));
        format!(
            "As the input says ({})",
            named.unwrap_or_else(|| "none".into())
        )
    };
    let domains = Profiles::built_in().names();
    let options = domains
        .into_iter()
        .map(|name| view! { <option value=name>{name}</option> });
    let chosen = move || setting.get().unwrap_or_else(|| "payload".into());
    view! {
        <div class="choice">
            <label for="domain">"Domain"</label>
            <select id="domain" data-testid="domain" prop:value=chosen on:change=pick>
                <option value="payload">{own}</option>
                <option value="none">"none"</option>
                <option value="auto">"detect from the question"</option>
                {options.collect_view()}
            </select>
            <span class="muted" data-testid="domain-used">
                {move || store.debate.with(|e| e.result.as_ref().map(|result| format!("in use: {}", result.domain)))}
            </span>
        </div>
    }
}

/// The debate bench.
#[component]
pub fn DebateBench() -> impl IntoView {
    let store = expect_context::<Store>();
    let desk = store.debate_desk;
    let problems = Signal::derive(move || {
        store
            .debate
            .with(|e| problems_of(&e.problems, "debate", "debate"))
    });
    let shown = Signal::derive(move || {
        if desk.work.with(|work| work.is_blank()) {
            Vec::new()
        } else {
            problems.get()
        }
    });
    let originals = Signal::derive(move || {
        store.debate_original.with(|e| {
            weight_values(
                e.result
                    .as_ref()
                    .map_or(&NO_DOMAIN, |result| &result.weights),
            )
        })
    });
    let export = move |format| {
        store.debate.with(|e| {
            e.result
                .as_ref()
                .map(|result| export::debate(result, format))
        })
    };
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
    let verdict = Signal::derive(move || store.verdict(Bench::Debate));
    let has_result = Memo::new(move |_| store.debate.with(|e| e.result.is_some()));
    let input = move || {
        view! {
            <TextPanel
                desk
                name="debate"
                hints=Hints {
                    label: "Input",
                    formats: "candidates and reviews, JSON",
                    placeholder: "{\"question\": \"…\", \"candidates\": [{\"id\": \"A\", \"wins\": 2, \"reviews\": [{\"support\": 2, \"evidence\": 1, \"major_risks\": 0, \"critical_fail\": 0}]}]}",
                }
                problems=shown
            />
        }
    };
    let chart = move || {
        let used = move || {
            store.debate.with(|scored| {
                store
                    .debate_payload
                    .with(|read| Some(question(scored.result.as_ref()?, read.result.as_ref()?)))
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
                <header class="panel-head"><h3>"Question"</h3></header>
                {used}
                {move || store.debate.with(|e| e.result.as_ref().map(|result| super::provenance(result.formula, &result.input_sha256, &[])))}
            </section>
        }
    };
    view! {
        <BenchFrame bench=Bench::Debate about="Candidates and their reviews, ranked by reliability-weighted evidence." export input>
            <VerdictPanel verdict empty=Signal::derive(move || super::empty_words(desk, problems)) />
            <Show when=move || desk.work.with(|work| work.is_blank())><ExampleButton bench=Bench::Debate /></Show>
            <Remarks evaluation_problems=Signal::derive(move || store.debate.with(|e| e.problems.clone())) />
            <div class="settings">
                <DomainPicker store />
                <NumberPanel desk title="Weights" fields=&DEBATE_WEIGHTS originals />
            </div>
            <Show when=move || has_result.get()>{chart}</Show>
        </BenchFrame>
    }
}
