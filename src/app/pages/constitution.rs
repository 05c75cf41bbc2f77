//! The constitution bench: turns on seven principles.

use leptos::prelude::*;

use super::start::ExampleButton;
use crate::app::browser::events::is_checked;
use crate::app::charts::radar::{self, Spoke};
use crate::app::charts::stack::Part;
use crate::app::panels::anatomy::{self, Anatomy, Opened};
use crate::app::panels::frame::BenchFrame;
use crate::app::panels::problems::Remarks;
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, number, words};
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::panels::verdict::VerdictPanel;
use crate::app::panels::weights::{NumberRow, WeightsPanel};
use crate::app::state::benches::{ETHICAL_FLOOR, GAMMA, PRINCIPLES, problems_of};
use crate::app::state::export;
use crate::app::state::format::{fixed, measured, short};
use crate::app::state::store::Store;
use crate::app::state::words as verdicts;
use crate::app::state::work::Bench;
use crate::constitution::{DEFAULT_ETHICAL_FLOOR, DEFAULT_WEIGHTS, Log, Options, RewardResult};

const PARTS: [Part; 7] = [
    Part {
        label: "Tasteful",
        letter: "T",
        class: "part-1",
    },
    Part {
        label: "Curated",
        letter: "C",
        class: "part-3",
    },
    Part {
        label: "Ethical",
        letter: "E",
        class: "part-2",
    },
    Part {
        label: "Joy-inducing",
        letter: "J",
        class: "part-1",
    },
    Part {
        label: "Composable",
        letter: "Co",
        class: "part-3",
    },
    Part {
        label: "Heterarchical",
        letter: "H",
        class: "part-2",
    },
    Part {
        label: "Generative",
        letter: "G",
        class: "part-1",
    },
];

static COLUMNS: [Column; 11] = [
    words("Turn"),
    words("Action"),
    number("Tasteful", "Does this serve a clear purpose?"),
    number("Curated", "Is this intentional?"),
    number("Ethical", "Does this respect human agency?"),
    number("Joy", "Does this delight?"),
    number("Compos.", "Does this compose cleanly?"),
    number("Heterarch.", "Can this both lead and follow?"),
    number("Generat.", "Is this compressive?"),
    number("Total", "Sum of weight × score"),
    words("Band"),
];

/// The number of a turn; with its position where an earlier turn has that number.
fn turn_id(result: &RewardResult, index: usize) -> String {
    let number = result.turns[index].turn_number;
    let earlier = &result.turns[..index];
    if earlier.iter().any(|turn| turn.turn_number == number) {
        format!("{number}-{index}")
    } else {
        number.to_string()
    }
}

fn anatomy_rows(result: &RewardResult) -> Vec<anatomy::Row> {
    let wholes = result.weights.values().to_vec();
    let rows = result
        .turns
        .iter()
        .enumerate()
        .map(|(index, turn)| anatomy::Row {
            id: turn_id(result, index),
            title: format!("Turn {}", turn.turn_number),
            subtitle: format!("{} · {}", turn.action, verdicts::band(turn.band)),
            rank: None,
            was: None,
            values: turn.contributions.values().to_vec(),
            wholes: Some(wholes.clone()),
            score: turn.weighted_total,
            before: None,
            total: fixed(turn.weighted_total, 2),
            out: turn.rejected.then(|| "rejected".to_owned()),
        });
    rows.collect()
}

fn table_rows(result: &RewardResult) -> Vec<table::Row> {
    let rows = result.turns.iter().map(|turn| {
        let mut cells = vec![
            Cell::text(turn.turn_number.to_string()),
            Cell::text(turn.action.clone()),
        ];
        cells.extend(turn.scores.values().map(|score| Cell::number(score, 3)));
        cells.push(Cell::number(turn.weighted_total, 4));
        let band = verdicts::band(turn.band);
        cells.push(Cell::text(if turn.rejected {
            format!("{band}, rejected")
        } else {
            band.into()
        }));
        table::Row {
            id: turn.turn_number.to_string(),
            is_out: turn.rejected,
            cells,
        }
    });
    rows.collect()
}

static MEANS: [Column; 4] = [
    words("Principle"),
    number("Weight", "As used"),
    number("Mean", "Over the turns of the session, 0 to 1"),
    number("Weight × mean", "What it brings to the mean total"),
];

fn principle_rows(result: &RewardResult) -> Vec<table::Row> {
    let numbers = result
        .weights
        .values()
        .into_iter()
        .zip(result.session.mean_scores.values());
    let rows = PRINCIPLES.iter().zip(numbers);
    rows.map(|(field, (weight, mean))| table::Row {
        id: field.name.to_owned(),
        is_out: false,
        cells: vec![
            Cell::text(field.label),
            Cell::number(weight, 2),
            Cell::number(mean, 4),
            Cell::number(weight * mean, 4),
        ],
    })
    .collect()
}

fn spokes(result: &RewardResult) -> Vec<Spoke> {
    let values = result.session.mean_scores.values();
    PRINCIPLES
        .iter()
        .zip(values)
        .map(|(field, value)| Spoke {
            label: field.label,
            value,
            text: fixed(value, 2),
        })
        .collect()
}

/// The radar in words.
fn described(spokes: &[Spoke]) -> String {
    let parts: Vec<String> = spokes
        .iter()
        .map(|spoke| format!("{} {}", spoke.label, spoke.text))
        .collect();
    format!("Session mean per principle: {}.", parts.join(", "))
}

fn turn_evidence(result: &RewardResult, log: &Log, opened: &Opened) -> AnyView {
    let index = (0..result.turns.len()).find(|index| turn_id(result, *index) == opened.id);
    let Some(index) = index else {
        return ().into_any();
    };
    let (Some(scored), Some(turn)) = (result.turns.get(index), log.turns.get(index)) else {
        return ().into_any();
    };
    let numbers = scored
        .scores
        .values()
        .into_iter()
        .zip(result.weights.values());
    let terms = PRINCIPLES
        .iter()
        .zip(numbers)
        .zip(scored.contributions.values());
    let terms = terms.enumerate().map(|(part, ((field, (score, weight)), value))| {
        let term = format!("{} × {}", short(weight), short(score));
        view! { <div class:less=score < 1.0 class:lit=opened.part == Some(part)><dt title=field.help>{field.label}</dt><dd class="term">{term}</dd><dd class="figure">{fixed(value, 4)}</dd></div> }
    });
    let said = |who: &'static str, text: &str| {
        let text = text.trim().to_owned();
        (!text.is_empty())
            .then(|| view! { <div class="said"><strong>{who}</strong><p>{text}</p></div> })
    };
    let response = turn
        .result
        .as_ref()
        .map(|result| result.response.as_str())
        .unwrap_or_default();
    let overrides = turn.overrides.iter().map(|given| {
        let reason = given.reason.clone().map(|reason| format!(": {reason}")).unwrap_or_default();
        view! { <li>"Override: "{verdicts::principle_label(given.principle).to_owned()}" set to "{short(given.score)}{reason}</li> }
    });
    let notes = scored
        .notes
        .iter()
        .map(|note| view! { <li>{note.clone()}</li> });
    view! {
        <div class="conversation">{said("User", &turn.user_message)}{said("Agent", response)}{said("Reasoning", &turn.reasoning)}</div>
        <dl class="sum">
            {terms.collect_view()}
            <div class="sum-total"><dt>"Total"</dt><dd class="term"></dd><dd class="figure">{fixed(scored.weighted_total, 4)}</dd></div>
        </dl>
        <ul class="notes">{overrides.collect_view()}{notes.collect_view()}</ul>
    }
    .into_any()
}

fn session_figures(result: &RewardResult) -> impl IntoView + use<> {
    let session = &result.session;
    let trend = session.trend.map(|trend| {
        if trend > 0.0 {
            format!("+{}", fixed(trend, 3))
        } else {
            fixed(trend, 3)
        }
    });
    view! {
        <dl class="figures">
            <div><dt>"Mean total"</dt><dd data-testid="mean-total" data-value=session.mean_total.to_string()>{fixed(session.mean_total, 2)}<small>" of "{fixed(result.weights_sum, 2)}</small></dd></div>
            <div><dt>"Weakest"</dt><dd>{verdicts::principle_label(session.weakest).to_owned()}</dd></div>
            <div><dt title="Slope of the total per turn">"Trend"</dt><dd>{trend.unwrap_or_else(|| measured(None, 3))}</dd></div>
            <div><dt title="Sum of γ to the power t × total">"Discounted value"</dt><dd data-testid="discounted" data-value=session.discounted_value.to_string()>{fixed(session.discounted_value, 2)}</dd></div>
        </dl>
    }
}

#[component]
fn OptionsPanel(store: Store) -> impl IntoView {
    let desk = store.constitution_desk;
    let floor = desk.setting("ethical_floor");
    let mode = desk.setting("weights_mode");
    let switch_floor = move |event: leptos::ev::Event| {
        desk.set(
            "ethical_floor",
            is_checked(&event).then(|| DEFAULT_ETHICAL_FLOOR.to_string()),
        );
        desk.settle();
    };
    let switch_mode = move |event: leptos::ev::Event| {
        desk.set(
            "weights_mode",
            is_checked(&event).then(|| "replace".to_owned()),
        );
        desk.settle();
    };
    view! {
        <section class="numbers">
            <header class="panel-head"><h3>"Options"</h3></header>
            <div class="number-rows">
            <label class="check">
                <input type="checkbox" data-testid="ethical-floor" prop:checked=move || floor.get().is_some() on:change=switch_floor />
                "Reject turns below an ethical floor"
            </label>
            <Show when=move || floor.get().is_some()>
                <NumberRow desk field=ETHICAL_FLOOR original=Signal::stored(DEFAULT_ETHICAL_FLOOR) is_switched=true />
            </Show>
            <label class="check">
                <input type="checkbox" data-testid="replace-mode" prop:checked=move || mode.get().is_some() on:change=switch_mode />
                "Weights replace all others (unnamed ones become 1)"
            </label>
            <NumberRow desk field=GAMMA original=Signal::stored(Options::default().gamma) />
            </div>
        </section>
    }
}

/// Everything below the verdict and the weights.
#[component]
fn RewardResultView(store: Store) -> impl IntoView {
    let rows = Memo::new(move |_| {
        store
            .constitution
            .with(|e| e.result.as_ref().map(anatomy_rows).unwrap_or_default())
    });
    let evidence = move |opened: Opened| {
        store.constitution.with(|scored| {
            store
                .turns
                .with(|read| match (&scored.result, &read.result) {
                    (Some(result), Some(log)) => turn_evidence(result, log, &opened),
                    _ => ().into_any(),
                })
        })
    };
    let session = move || {
        store.constitution.with(|e| {
            e.result.as_ref().map(|result| {
                let spokes = spokes(result);
                view! { <div class="session">{radar::view(&spokes, described(&spokes))}{session_figures(result)}</div> }
            })
        })
    };
    let principles = move || {
        let rows = Signal::derive(move || {
            store
                .constitution
                .with(|e| e.result.as_ref().map(principle_rows).unwrap_or_default())
        });
        view! { <Table caption="Session mean per principle" columns=&MEANS[..] rows /> }
    };
    let turns_table = move || {
        let rows = Signal::derive(move || {
            store
                .constitution
                .with(|e| e.result.as_ref().map(table_rows).unwrap_or_default())
        });
        view! { <Table caption="Scores per principle, 0 to 1" columns=&COLUMNS[..] rows /> }
    };
    let turns = move || view! { <Anatomy label="Turns" rows parts=&PARTS evidence /> };
    let provenance = move || {
        store.constitution.with(|e| {
            e.result
                .as_ref()
                .map(|result| super::provenance(result.formula, &result.input_sha256, &[]))
        })
    };
    view! {
        <Section name="session" title="Session" chart=move || session table=ViewFn::from(principles) />
        <Section name="turns" title="Turns" note="An empty part is what was lost; open a turn for why" chart=turns table=ViewFn::from(turns_table) />
        <section>{provenance}</section>
    }
}

/// The constitution bench.
#[component]
pub fn ConstitutionBench() -> impl IntoView {
    let store = expect_context::<Store>();
    let desk = store.constitution_desk;
    let problems = Signal::derive(move || {
        store
            .constitution
            .with(|e| problems_of(&e.problems, "turns", "turns"))
    });
    let shown = Signal::derive(move || {
        if desk.work.with(super::super::state::work::Work::is_blank) {
            Vec::new()
        } else {
            problems.get()
        }
    });
    let originals = Signal::derive(move || {
        store.constitution_original.with(|e| {
            e.result
                .as_ref()
                .map_or(DEFAULT_WEIGHTS, |result| result.weights)
                .values()
                .to_vec()
        })
    });
    let export = move |format| {
        store.constitution.with(|e| {
            e.result
                .as_ref()
                .map(|result| export::constitution(result, format))
        })
    };
    let verdict = Signal::derive(move || store.verdict(Bench::Constitution));
    let has_result = Memo::new(move |_| store.constitution.with(|e| e.result.is_some()));
    let input = move || {
        view! {
            <TextPanel
                desk
                name="turns"
                hints=Hints {
                    label: "Input",
                    formats: "turns or marks, JSON or JSONL",
                    placeholder: "[{\"turn_number\": 1, \"action\": \"send_message\", \"has_mutations\": true, \"turn_result\": {\"response\": \"…\", \"tools\": [{\"name\": \"write_file\"}], \"tools_passed\": true}}]",
                }
                problems=shown
            />
        }
    };
    view! {
        <BenchFrame bench=Bench::Constitution about="An agent’s turns, each on seven principles, weighted and witnessed." export input>
            <VerdictPanel verdict empty=Signal::derive(move || super::empty_words(desk, problems)) />
            <Show when=move || desk.work.with(super::super::state::work::Work::is_blank)><ExampleButton bench=Bench::Constitution /></Show>
            <Remarks evaluation_problems=Signal::derive(move || store.constitution.with(|e| e.problems.clone())) />
            <div class="settings">
                <WeightsPanel desk fields=&PRINCIPLES originals />
                <OptionsPanel store />
            </div>
            <Show when=move || has_result.get()><RewardResultView store /></Show>
        </BenchFrame>
    }
}
