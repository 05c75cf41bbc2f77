//! The pages. A bench's page is its form and its anatomy; the rest is panels.

use leptos::prelude::*;

use crate::app::panels::frame::BenchFrame;
use crate::app::panels::problems::Remarks;
use crate::app::panels::verdict::VerdictPanel;
use crate::app::state::derived::live;
use crate::app::state::export::Format;
use crate::app::state::store::{Desk, Store};
use crate::app::state::work::{Bench, Work};
use crate::document::{Problem, Severity};
use start::ExampleButton;

pub mod constitution;
pub mod debate;
pub mod persona;
pub mod start;

/// A bench: its input on one side; on the other the verdict, what there is to
/// remark, the settings and the result.
#[component]
fn BenchPage(
    /// Which bench.
    bench: Bench,
    /// What it does, in one sentence.
    about: &'static str,
    /// The inputs.
    #[prop(into)]
    input: ViewFn,
    /// What was found in the inputs.
    problems: Signal<Vec<Problem>>,
    /// What was found on the way to the result.
    #[prop(into)]
    remarks: Signal<Vec<Problem>>,
    /// What is missing before there can be a result, where it is not a matter of
    /// problems; empty where nothing is.
    #[prop(optional, into)]
    missing: Signal<String>,
    /// How firm the verdict is.
    #[prop(into)]
    firm: Signal<String>,
    /// The result as a file; none while there is no result.
    #[prop(into)]
    export: Callback<Format, Option<String>>,
    /// The weights, and what else is set.
    #[prop(into)]
    settings: ViewFn,
    /// Everything below them, once there is a result.
    #[prop(into)]
    result: ViewFn,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let desk = store.desk(bench);
    let blank = desk.is_blank();
    let verdict = Memo::new(move |_| store.verdict(bench));
    let has_result = Memo::new(move |_| verdict.with(Option::is_some));
    let empty = Signal::derive(move || {
        let missing = missing.get();
        if missing.is_empty() {
            empty_words(desk, problems)
        } else {
            missing
        }
    });
    view! {
        <BenchFrame bench about export input>
            <VerdictPanel verdict firm empty />
            {live(move || blank.get().then(|| view! { <ExampleButton bench /> }))}
            <Remarks evaluation_problems=remarks />
            {settings.run()}
            {live(move || has_result.get().then(|| result.run()))}
        </BenchFrame>
    }
}

/// What to do when there is no result.
fn empty_words(desk: Desk, problems: Signal<Vec<Problem>>) -> String {
    if desk.work.with(Work::is_blank) {
        return "Paste or drop an input, or open the example.".into();
    }
    problems.with(|problems| {
        let errors = problems.iter().filter(|p| p.severity == Severity::Error);
        match errors.count() {
            0 => "The settings leave nothing to compute.".into(),
            1 => "One error in the input has to be mended first; it is listed beside the text.".into(),
            number => format!("{number} errors in the input have to be mended first; they are listed beside the text."),
        }
    })
}

/// What a result stands on: formula, input, and what the scorer noted.
fn provenance(formula: &str, input_sha256: &str, notes: &[String]) -> impl IntoView + use<> {
    let notes = notes
        .iter()
        .map(|note| view! { <li>{note.clone()}</li> })
        .collect_view();
    view! {
        <div class="provenance">
            <ul class="notes">{notes}</ul>
            <p class="muted">"Formula "<code>{formula.to_owned()}</code>", input SHA-256 "<code>{input_sha256.to_owned()}</code></p>
        </div>
    }
}
