//! The persona bench: transcripts held against a persona.

mod form;
mod result;

use leptos::prelude::*;

use crate::app::pages::BenchPage;
use crate::app::panels::embedding::EmbeddingPanel;
use crate::app::panels::faces::Faces;
use crate::app::panels::problems::ProblemList;
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::panels::weights::NumberRow;
use crate::app::state::benches::{MAX_VARIANCE, PERSONA_INPUTS, SEED, problems_of};
use crate::app::state::derived::effect;
use crate::app::state::export;
use crate::app::state::store::Store;
use crate::app::state::work::Bench;
use crate::persona::config::Config;
use form::PersonaForm;
use result::{PersonaResultView, PersonaWeights, firm_words, seen};

const fn hints(input: &str) -> Hints {
    match input.as_bytes() {
        b"persona" => Hints {
            label: "Persona",
            formats: "YAML or JSON",
            placeholder: "exemplars:\n  - Check the log first; it names the failing step.\nlexicon:\n  preferred: [check, log]\n  avoid: [lol]",
        },
        b"transcript" => Hints {
            label: "Transcript",
            formats: "JSONL or JSON",
            placeholder: "{\"session_id\": \"s1\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": \"…\"}",
        },
        b"config" => Hints {
            label: "Scoring config",
            formats: "YAML, optional",
            placeholder: "scoring:\n  authenticity_weight: 0.5",
        },
        b"safety" => Hints {
            label: "Safety rules",
            formats: "YAML, optional",
            placeholder: "- category: custom\n  severity: high\n  pattern: guaranteed returns",
        },
        _ => Hints {
            label: "Judge scores",
            formats: "JSON, optional",
            placeholder: "{\"s1\": {\"score\": 7.5}}",
        },
    }
}

/// The persona bench.
#[component]
pub fn PersonaBench() -> impl IntoView {
    let store = expect_context::<Store>();
    let desk = store.persona_desk;
    let blank = desk.is_blank();
    let all_problems = Signal::derive(move || store.persona.with(|e| e.problems.clone()));
    let problems = move |input: &'static str| {
        Signal::from(Memo::new(move |_| {
            let filled = desk.work.with(|work| work.filled(input).is_some());
            let found = all_problems.with(|all| problems_of(all, input, "transcript"));
            if filled { found } else { Vec::new() }
        }))
    };
    let text = move |input: &'static str| view! { <TextPanel desk name=input hints=hints(input) problems=problems(input) /> };
    let input = move || {
        let [persona, transcript, optional @ ..] = PERSONA_INPUTS;
        let any = desk
            .work
            .with_untracked(|work| optional.iter().any(|name| work.filled(name).is_some()));
        let own = problems(persona);
        view! {
            <Faces face=desk.face form=move || view! { <PersonaForm store problems=own /> }>
                <TextPanel desk name=persona hints=hints(persona) problems=own has_form=true />
            </Faces>
            <ProblemList desk name=persona problems=own face=desk.face />
            {text(transcript)}
            <details class="more-inputs" open=any>
                <summary>"Config, safety rules, judge scores"</summary>
                {optional.map(text)}
            </details>
        }
    };
    let given = move |read: fn(&Config) -> Vec<f64>| {
        store.persona_run.with(|found| {
            let run = found.result.as_ref();
            run.map_or_else(|| read(&Config::default()), |run| read(run.given()))
        })
    };
    let originals = Signal::derive(move || {
        given(|config| [config.outer, config.inner].as_flattened().to_vec())
    });
    let original = move |read: fn(&Config) -> Vec<f64>| Signal::derive(move || given(read)[0]);
    let export = move |format| {
        store.persona.with(|e| {
            e.result
                .as_ref()
                .map(|result| export::persona(result, format))
        })
    };
    let seen = seen(store);
    // it sees every change, also those without a result
    effect(move || seen.track());
    let missing = Signal::derive(move || {
        let missing = |name: &str| desk.work.with(|work| work.filled(name).is_none());
        match (blank.get(), missing("persona"), missing("transcript")) {
            (false, true, _) => "A persona is needed as well: paste one beside.".to_owned(),
            (false, _, true) => "A transcript is needed as well: paste one beside.".to_owned(),
            _ => String::new(),
        }
    });
    let settings = move || {
        view! {
            <EmbeddingPanel embedding=store.embedding missing=store.persona_missing />
            <div class="settings">
                <PersonaWeights store originals />
                <section class="numbers">
                    <header class="panel-head"><h3>"Options"</h3></header>
                    <div class="number-rows">
                        <NumberRow desk field=MAX_VARIANCE original=original(|given| vec![given.max_expected_variance]) />
                        <NumberRow desk field=SEED original=original(|given| vec![given.seed as f64]) />
                    </div>
                </section>
            </div>
        }
    };
    view! {
        <BenchPage
            bench=Bench::Persona
            about="Replies held against a persona: authenticity, safety, stability."
            input
            problems=all_problems
            remarks=all_problems
            missing
            firm=firm_words(store)
            export
            settings
            result=move || view! { <PersonaResultView store seen /> }
        />
    }
}
