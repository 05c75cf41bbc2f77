//! The constitution bench: turns on seven principles.

mod choice;
mod comparing;
mod door;
mod form;
mod line;
mod model;
mod options;
mod record;
mod result;
mod sessions;
mod turns;
mod words;
mod worst;

use leptos::prelude::*;

use super::page::BenchPage;
use crate::app::bench::{Bench, Compare, Host, InLink, Input, KnownBy, Link, Room, Settings};
use crate::app::browser::events::is_checked;
use crate::app::derived::{Derived, effect, live};
use crate::app::desk::Desk;
use crate::app::export::{Format, json};
use crate::app::format::name;
use crate::app::job::Clock;
use crate::app::locks::LOCKED;
use crate::app::model::choose_face;
use crate::app::panels::faces::Faces;
use crate::app::panels::number::NumberRow;
use crate::app::panels::problems::ProblemList;
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::parts::{Fetching, later};
use crate::app::report::written;
use crate::app::seen::Seen;
use crate::app::verdict::Verdict;
use crate::constitution::{self, DEFAULT_ETHICAL_FLOOR, Options, RewardResult};
use crate::share;
use crate::share::report::Report;
use crate::sources::Kind;
use choice::Chosen;
use model::Model;
use options::{ETHICAL_FLOOR, GAMMA, PRINCIPLES, WEIGHTS_MODE};
use result::{Figures, PrincipleWeights, RewardResultView, Turns, figures, firmness};

/// The text of the turns.
const TURNS: Input = Input {
    name: model::TURNS,
    hints: Hints {
        label: "Input",
        formats: "turns or marks, JSON or JSONL",
        placeholder: "[{\"turn_number\": 1, \"action\": \"send_message\", \"has_mutations\": true,\n  \"turn_result\": {\"response\": \"…\", \"tools\": [{\"name\": \"write_file\"}],\n    \"tools_passed\": true}}]",
    },
    known_by: KnownBy {
        noun: "turns",
        clause: "turns have an action or a turn_result",
        surely: &[
            "turn_result",
            "turn_number",
            "constitutional_scores",
            "policy_trace",
        ],
        perhaps: &["turns", "action"],
        shape: None,
    },
    kind: Some(Kind::Turns),
    joins: false,
    first_of_two: None,
    in_link: InLink::Whole,
    example: Some("examples/turns.json"),
};

/// The record.
pub static BENCH: Bench = Bench {
    name: "constitution",
    title: "Constitution",
    scores: "an agent’s turns",
    purpose: "Did the agent behave? Every turn is scored on seven principles, and shows where it lost points.",
    takes: "JSON or JSONL of turns",
    about: "An agent’s turns, each on seven principles, weighted and witnessed.",
    inputs: &[TURNS],
    settings: Settings {
        weights: &PRINCIPLES,
        numbers: &[ETHICAL_FLOOR, GAMMA],
        words: &[WEIGHTS_MODE, LOCKED],
    },
    link: Link {
        kind: share::Kind::Reward,
        formula: constitution::FORMULA,
        main: TURNS.name,
    },
    shapes: &share::Shape::OF_TURNS,
    compare: Compare::Apart(|before, after| Box::pin(door::compare(before, after))),
    enter: |desk, host| Box::pin(door::enter(desk, host)),
};

/// What the page has of the bench once its code is there.
fn room(desk: Desk, host: Host) -> Room {
    let model = Model::new(desk, host, Clock::BROWSER);
    let seen = figures(model);
    // it sees every change, also those without a result
    effect(move || seen.track());
    let scored = model.scored;
    let verdict = Memo::new(move |_| scored.with(|e| e.result.as_ref().map(words::verdict)));
    Room {
        verdict: Signal::derive(move || verdict.get().filter(|_| !model.is_old.get())),
        is_current: Signal::derive(move || {
            scored.track();
            !model.is_old.get() && model.reading.is_current.get()
        }),
        topic: Signal::derive(move || {
            let read = model.log.get();
            let log = read.result.as_ref()?;
            desk.with_file(log.session_id.as_deref().map(name), TURNS.name)
        }),
        export: Callback::new(move |format| -> Fetching<_> { Box::pin(door::file(model, format)) }),
        choose_face: choose_face(desk, model.form, Some(model.reading.is_current)),
        view: ViewFn::from(move || view! { <ConstitutionBench model verdict seen /> }),
    }
}

/// The result as a file, if it is one of what is there now.
fn file(model: Model, format: Format) -> Option<String> {
    if model.is_old.get_untracked() || !model.reading.is_current.get_untracked() {
        return None;
    }
    model.scored.with_untracked(|scored| {
        let result = scored.result.as_ref()?;
        Some(match format {
            Format::Json => json(result),
            Format::Csv => share::reward_csv(result),
            Format::Markdown => share::reward_markdown(result),
            Format::Report => {
                let work = model.desk.work.get_untracked();
                written(Report::of_turns(BENCH.document(&work), result))
            }
            Format::Back(shape) => model
                .log
                .with_untracked(|read| share::reward_back(shape, read.result.as_ref()?, result))?,
        })
    })
}

#[component]
fn ConstitutionBench(
    model: Model,
    verdict: Memo<Option<Verdict>>,
    seen: Derived<Seen<Figures>>,
) -> impl IntoView {
    let desk = model.desk;
    let problems = model.problems();
    let firmness = firmness(model);
    let chosen = Chosen::new(model);
    let input = move || {
        view! {
            <Faces
                face=desk.face
                form=move || later("The form", move || Box::pin(door::form(model)))
            >
                <TextPanel desk name=TURNS.name hints=TURNS.hints problems has_form=true />
            </Faces>
            <ProblemList desk name=TURNS.name problems face=desk.face />
        }
    };
    let gist = move || {
        let read = model.log.get();
        read.result.as_ref().map(words::gist).unwrap_or_default()
    };
    let settings = move || view! { <div class="settings"><OptionsPanel model /></div> };
    view! {
        <BenchPage
            desk
            host=model.host
            verdict
            input
            gist=Signal::derive(gist)
            problems
            reading=model.reading
            is_old=model.is_old
            remarks=move || model.remarks()
            weights=move || view! { <PrincipleWeights model firmness chosen /> }
            rows=move || view! { {several(model, chosen)}<Turns model seen chosen /> }
            settings
            result=move || view! { <RewardResultView model chosen /> }
            sections=&[("turns", "Turns"), ("session", "Session"), ("record", "Record")]
        />
    }
}

/// The sessions, where there are several.
fn several(model: Model, chosen: Chosen) -> AnyView {
    let is_several = Memo::new(move |_| {
        let is_several = |result: &RewardResult| !result.sessions.is_empty();
        model
            .scored
            .with(|scored| scored.result.as_ref().is_some_and(is_several))
    });
    live(move || {
        is_several.get().then(|| {
            later("The sessions", move || {
                Box::pin(door::sessions(model, chosen))
            })
        })
    })
    .into_any()
}

#[component]
fn OptionsPanel(model: Model) -> impl IntoView {
    let desk = model.desk;
    let floor = desk.setting("ethical_floor");
    let mode = desk.setting(WEIGHTS_MODE);
    let switch_floor = move |event: leptos::ev::Event| {
        desk.set(
            "ethical_floor",
            is_checked(&event).then(|| DEFAULT_ETHICAL_FLOOR.to_string()),
        );
        desk.settle();
    };
    let switch_mode = move |event: leptos::ev::Event| {
        desk.set(
            WEIGHTS_MODE,
            is_checked(&event).then(|| "replace".to_owned()),
        );
        desk.settle();
    };
    view! {
        <details class="fold numbers" data-testid="options">
            <summary>"Options: ethical floor, weights, discount"</summary>
            <div class="number-rows">
                <label class="check">
                    <input
                        type="checkbox"
                        data-testid="ethical-floor"
                        prop:checked=move || floor.get().is_some()
                        on:change=switch_floor
                    />
                    "Reject turns below an ethical floor"
                </label>
                <Show when=move || floor.get().is_some()>
                    <NumberRow
                        desk
                        field=ETHICAL_FLOOR
                        original=Signal::stored(DEFAULT_ETHICAL_FLOOR)
                        is_switched=true
                    />
                </Show>
                <label class="check">
                    <input
                        type="checkbox"
                        data-testid="replace-mode"
                        prop:checked=move || mode.get().is_some()
                        on:change=switch_mode
                    />
                    "Weights replace all others (unnamed ones become 1)"
                </label>
                <NumberRow desk field=GAMMA original=Signal::stored(Options::default().gamma) />
            </div>
        </details>
    }
}
