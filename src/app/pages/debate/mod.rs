//! The debate bench: candidates and reviews to a ranking and a decision.

mod domain;
mod evidence;
mod firm;
mod form;
mod list;
mod profile;
mod result;

use leptos::prelude::*;

use crate::app::pages::BenchPage;
use crate::app::panels::faces::Faces;
use crate::app::panels::problems::ProblemList;
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::state::export;
use crate::app::state::firmness::DebateFirmness;
use crate::app::state::store::Store;
use crate::app::state::work::Bench;
use domain::DomainPanel;
use form::DebateForm;
use list::DebateList;
use result::{DebateResultView, DebateWeights, firm_words};

/// The debate bench.
#[component]
pub fn DebateBench() -> impl IntoView {
    let store = expect_context::<Store>();
    let desk = store.debate_desk;
    let problems = store.debate_problems();
    let export = move |format| {
        store.debate.with(|e| {
            e.result
                .as_ref()
                .map(|result| export::debate(result, format))
        })
    };
    let firmness = DebateFirmness::new(store);
    let input = move || {
        view! {
            <DebateList store />
            <Faces face=desk.face form=move || view! { <DebateForm store /> }>
                <TextPanel
                    desk
                    name="debate"
                    hints=Hints {
                        label: "Input",
                        formats: "candidates and reviews, JSON or JSONL",
                        placeholder: "{\"question\": \"…\", \"candidates\": [{\"id\": \"A\", \"wins\": 2, \"reviews\": [{\"support\": 2, \"evidence\": 1, \"major_risks\": 0, \"critical_fail\": 0}]}]}",
                    }
                    problems
                    has_form=true
                />
            </Faces>
            <ProblemList desk name="debate" problems face=desk.face />
        }
    };
    let settings = move || {
        view! {
            <div class="settings">
                <DomainPanel store />
                <DebateWeights store firmness />
            </div>
        }
    };
    let result = move || {
        view! { <DebateResultView store firmness try_edit=Callback::new(move |edit| form::try_edit(store, &edit)) /> }
    };
    view! {
        <BenchPage
            bench=Bench::Debate
            about="Candidates and their reviews, ranked by reliability-weighted evidence."
            input
            problems
            remarks=move || store.debate.with(|e| e.problems.clone())
            firm=firm_words(firmness)
            export
            settings
            result
        />
    }
}
