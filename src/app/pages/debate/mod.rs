//! The debate bench: candidates and reviews to a ranking and a decision.

mod domain;
mod evidence;
mod firm;
mod form;
mod list;
mod profile;
mod result;

use leptos::prelude::*;

use crate::app::pages::start::ExampleButton;
use crate::app::panels::faces::Faces;
use crate::app::panels::frame::BenchFrame;
use crate::app::panels::problems::{ProblemList, Remarks};
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::panels::verdict::VerdictPanel;
use crate::app::state::derived::live;
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
    let blank = desk.is_blank();
    let export = move |format| {
        store.debate.with(|e| {
            e.result
                .as_ref()
                .map(|result| export::debate(result, format))
        })
    };
    let firmness = DebateFirmness::new(store);
    let verdict = Signal::derive(move || store.verdict(Bench::Debate));
    let has_result = Memo::new(move |_| store.debate.with(|e| e.result.is_some()));
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
    view! {
        <BenchFrame bench=Bench::Debate about="Candidates and their reviews, ranked by reliability-weighted evidence." export input>
            <VerdictPanel verdict firm=firm_words(firmness) empty=Signal::derive(move || crate::app::pages::empty_words(desk, problems)) />
            {live(move || blank.get().then(|| view! { <ExampleButton bench=Bench::Debate /> }))}
            <Remarks evaluation_problems=Signal::derive(move || store.debate.with(|e| e.problems.clone())) />
            <div class="settings">
                <DomainPanel store />
                <DebateWeights store firmness />
            </div>
            {live(move || has_result.get().then(|| view! { <DebateResultView store firmness try_edit=Callback::new(move |edit| form::try_edit(store, &edit)) /> }))}
        </BenchFrame>
    }
}
