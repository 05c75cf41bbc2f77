//! What the benches' pages have in common: the input on one side, the result on
//! the other, and what stands around them. The rest is panels.

use leptos::prelude::*;

use crate::app::bench::Host;
use crate::app::browser::field;
use crate::app::derived::live;
use crate::app::desk::{Desk, Work};
use crate::app::export::Format;
use crate::app::format::measured;
use crate::app::job::{Job, Phase};
use crate::app::panels::example::example_button;
use crate::app::panels::problems::Remarks;
use crate::app::panels::progress::ProgressPanel;
use crate::app::panels::verdict::VerdictPanel;
use crate::app::verdict::Verdict;
use crate::document::{Problem, Severity};

/// The reading of a bench's inputs, which may take a while.
#[derive(Clone, Copy)]
pub struct Reading {
    /// The work.
    pub job: Job,
    /// Whether what was read is what is there now; what was there before stays meanwhile.
    pub is_current: Signal<bool>,
}

impl Reading {
    /// What there is to say while there is no result; nothing once it is read.
    fn words(self) -> &'static str {
        if self.is_current.get() {
            ""
        } else if self.job.phase() == Phase::Cancelled {
            "It is not scored."
        } else {
            "It is being read."
        }
    }

    /// How far it is, where that takes a while.
    fn progress(self, has_result: Memo<bool>) -> impl IntoView {
        view! { <ProgressPanel job=self.job is_current=self.is_current has_result /> }
    }

    /// Does something once what is there now is read: at once where it is.
    pub fn when_read(self, then: impl FnOnce() + 'static) {
        if self.is_current.get_untracked() {
            then();
        } else {
            self.job.when_done(then);
        }
    }

    /// An export that gives nothing while the result is of what was there before.
    pub fn guard(
        self,
        export: Callback<Format, Option<String>>,
    ) -> Callback<Format, Option<String>> {
        Callback::new(move |format| {
            let is_current = self.is_current.get_untracked();
            is_current.then(|| export.run(format)).flatten()
        })
    }
}

/// A bench: its input on one side; on the other the verdict, what there is to
/// remark, the settings and the result.
#[component]
pub fn BenchPage(
    /// The work.
    desk: Desk,
    /// What the page gives the bench.
    host: Host,
    /// The verdict; none while there is no result.
    #[prop(into)]
    verdict: Signal<Option<Verdict>>,
    /// The inputs.
    #[prop(into)]
    input: ViewFn,
    /// What was found in the inputs.
    problems: Signal<Vec<Problem>>,
    /// What was found on the way to the result.
    #[prop(into)]
    remarks: Signal<Vec<Problem>>,
    /// What is missing before there can be a result, beside problems; empty where nothing is.
    #[prop(optional, into)]
    missing: Signal<String>,
    /// The reading of the inputs, where it may take a while.
    #[prop(optional)]
    reading: Option<Reading>,
    /// How firm the verdict is.
    #[prop(into)]
    firm: Signal<String>,
    /// The weights, and what else is set.
    #[prop(into)]
    settings: ViewFn,
    /// Everything below them, once there is a result.
    #[prop(into)]
    result: ViewFn,
) -> impl IntoView {
    let has_result = Memo::new(move |_| verdict.with(Option::is_some));
    let waiting = move || reading.map(Reading::words).unwrap_or_default();
    let is_current = move || reading.is_none_or(|reading| reading.is_current.get());
    view! {
        <div class="bench-columns">
            <div class="bench-input" aria-label="Input" role="region">
                {input.run()}
                {to_result(verdict, waiting)}
            </div>
            <div
                class="bench-result"
                class:out-of-date=move || has_result.get() && !is_current()
                id="result"
                tabindex="-1"
                aria-label="Result"
                role="region"
                aria-busy=move || (!is_current()).to_string()
            >
                {reading.map(|reading| reading.progress(has_result))}
                <VerdictPanel verdict firm empty=Signal::derive(move || empty_words(desk, problems, missing.get(), waiting)) />
                {example(desk.is_blank(), host)}
                <Remarks evaluation_problems=remarks />
                {settings.run()}
                {live(move || has_result.get().then(|| result.run()))}
            </div>
        </div>
    }
}

/// The example, while there is nothing.
fn example(is_blank: Memo<bool>, host: Host) -> AnyView {
    live(move || {
        let button = || example_button(host.bench.name, host.open_example);
        is_blank.get().then(button)
    })
    .into_any()
}

/// From the input to the result, where they stand below each other.
fn to_result(
    verdict: Signal<Option<Verdict>>,
    waiting: impl Fn() -> &'static str + Send + Sync + 'static,
) -> impl IntoView {
    let headline = Memo::new(move |_| {
        verdict.with(|verdict| match (verdict, waiting()) {
            (Some(verdict), _) => Some(verdict.headline.clone()),
            (None, "") => None,
            (None, waiting) => Some(waiting.to_owned()),
        })
    });
    view! {
        <button
            type="button"
            class="to-result"
            hidden=move || headline.with(Option::is_none)
            on:click=|_| field::focus("result")
        >
            <strong>{headline}</strong>
            <span>"Result ↓"</span>
        </button>
    }
}

/// What to do when there is no result.
fn empty_words(
    desk: Desk,
    problems: Signal<Vec<Problem>>,
    missing: String,
    waiting: impl Fn() -> &'static str,
) -> String {
    if !missing.is_empty() {
        return missing;
    }
    if desk.work.with(Work::is_blank) {
        return "Paste or drop an input, or open the example.".into();
    }
    let waiting = waiting();
    if !waiting.is_empty() {
        return waiting.into();
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

/// The last line of a sum.
pub fn sum_total(label: &'static str, total: Option<f64>) -> impl IntoView {
    view! {
        <div class="sum-total">
            <dt>{label}</dt>
            <dd class="term"></dd>
            <dd class="figure">{measured(total, 4)}</dd>
        </div>
    }
}

/// What a result stands on: formula, input, and what the scorer noted.
pub fn provenance(formula: &str, input_sha256: &str, notes: &[String]) -> impl IntoView + use<> {
    let notes = notes
        .iter()
        .map(|note| view! { <li>{note.clone()}</li> })
        .collect_view();
    view! {
        <div class="provenance">
            <ul class="notes">{notes}</ul>
            <p class="muted">
                "Formula "
                <code>{formula.to_owned()}</code>
                ", input SHA-256 "
                <code>{input_sha256.to_owned()}</code>
            </p>
        </div>
    }
}
