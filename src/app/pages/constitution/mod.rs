//! The constitution bench: turns on seven principles.

mod form;
mod result;

use leptos::prelude::*;

use crate::app::browser::events::is_checked;
use crate::app::pages::BenchPage;
use crate::app::panels::faces::Faces;
use crate::app::panels::problems::ProblemList;
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::panels::weights::NumberRow;
use crate::app::state::benches::{ETHICAL_FLOOR, GAMMA};
use crate::app::state::export;
use crate::app::state::store::Store;
use crate::app::state::work::Bench;
use crate::constitution::{DEFAULT_ETHICAL_FLOOR, Options};
use form::TurnsForm;
use result::{PrincipleWeights, RewardResultView, firm_words, firmness};

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

/// The constitution bench.
#[component]
pub fn ConstitutionBench() -> impl IntoView {
    let store = expect_context::<Store>();
    let desk = store.constitution_desk;
    let problems = store.turns_problems();
    let export = move |format| {
        store.constitution.with(|e| {
            e.result
                .as_ref()
                .map(|result| export::constitution(result, format))
        })
    };
    let firmness = firmness(store);
    let input = move || {
        view! {
            <Faces face=desk.face form=move || view! { <TurnsForm store /> }>
                <TextPanel
                    desk
                    name="turns"
                    hints=Hints {
                        label: "Input",
                        formats: "turns or marks, JSON or JSONL",
                        placeholder: "[{\"turn_number\": 1, \"action\": \"send_message\", \"has_mutations\": true, \"turn_result\": {\"response\": \"…\", \"tools\": [{\"name\": \"write_file\"}], \"tools_passed\": true}}]",
                    }
                    problems
                    has_form=true
                />
            </Faces>
            <ProblemList desk name="turns" problems face=desk.face />
        }
    };
    let settings = move || {
        view! {
            <div class="settings">
                <PrincipleWeights store firmness />
                <OptionsPanel store />
            </div>
        }
    };
    view! {
        <BenchPage
            bench=Bench::Constitution
            about="An agent’s turns, each on seven principles, weighted and witnessed."
            input
            problems
            remarks=move || store.constitution.with(|e| e.problems.clone())
            firm=firm_words(firmness)
            export
            settings
            result=move || view! { <RewardResultView store /> }
        />
    }
}
