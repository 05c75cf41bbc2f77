//! What the benches' pages have in common: the input on one side, the result on
//! the other, and what stands around them. The rest is panels.

use std::time::Duration;

use leptos::prelude::*;

use super::another::read_as_another;
use crate::app::bench::{Host, Settings};
use crate::app::browser::field;
use crate::app::derived::{effect, live};
use crate::app::desk::{Desk, Work};
use crate::app::format::{count, measured};
use crate::app::job::{Job, Phase};
use crate::app::panels::example::{example_button, files_button, start_button};
use crate::app::panels::goal::Goals;
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
    /// Whether what was found is said: it is of what is there now, or of what was there a moment ago. What
    /// is taken away for a moment moves all that stands below it.
    pub fn says_what_was_found(self) -> bool {
        self.is_current.get() || self.job.phase() == Phase::Quiet
    }

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
}

/// A bench: its input on one side; on the other the instrument, which is the verdict with
/// the weights and the rows that they change; then what is set rarely, and the rest of the
/// result. While there is no result the input has the page to itself; once there is one it
/// may be folded away to a few words.
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
    /// What the input is, in a few lines: shown while it is folded away.
    #[prop(into)]
    gist: Signal<Vec<String>>,
    /// What was found in the inputs.
    problems: Signal<Vec<Problem>>,
    /// What was found on the way to the result.
    #[prop(into)]
    remarks: Signal<Vec<Problem>>,
    /// What is missing before there can be a result, beside problems; empty where nothing is.
    #[prop(optional, into)]
    missing: Signal<String>,
    /// Whether the result is of what was there before a mistake was made.
    #[prop(optional, into)]
    is_old: Signal<bool>,
    /// The reading of the inputs, where it may take a while.
    #[prop(optional)]
    reading: Option<Reading>,
    /// What goes on beside the input and the result.
    #[prop(optional, into)]
    beside: ViewFn,
    /// The weights.
    #[prop(into)]
    weights: ViewFn,
    /// The rows that the weights change, once there is a result.
    #[prop(into)]
    rows: ViewFn,
    /// What else is set.
    #[prop(into)]
    settings: ViewFn,
    /// The rest of the result, once there is one.
    #[prop(into)]
    result: ViewFn,
    /// What helps to an input, while there is no result.
    #[prop(optional, into)]
    aid: Option<ViewFn>,
    /// The sections of the result by their names, and what they are called in a word or two.
    #[prop(default = &[])]
    sections: &'static [(&'static str, &'static str)],
) -> impl IntoView {
    let has_result = Memo::new(move |_| verdict.with(Option::is_some));
    let errors = Memo::new(move |_| problems.with(|all| of_kind(all, Severity::Error)));
    let verdict = Signal::derive(move || {
        let verdict = verdict.get()?.with_originals_for(&mistaken(host, desk));
        Some(verdict.of_before(is_old.get().then(|| errors.get())))
    });
    let has_rest = a_frame_later(has_result);
    // a mistake on the way does not turn the page over
    let is_begun = Memo::new(move |before: Option<&bool>| {
        let was_begun = before.copied().unwrap_or_default();
        has_result.get() || (was_begun && !desk.is_blank().get())
    });
    let is_turned = turned(is_begun);
    let is_folded = Memo::new(move |_| has_result.get() && desk.is_folded.get());
    let waiting = move || reading.map(Reading::words).unwrap_or_default();
    let is_current = move || reading.is_none_or(|reading| reading.is_current.get());
    Goals::provide(host.goal, Signal::derive(is_current));
    // where it is said what is missing, that is no error to go to
    let is_begun_only = Signal::derive(move || !is_old.get() && !missing.read().is_empty());
    let empty = Signal::derive(move || empty_words(desk, errors.get(), missing.get(), waiting));
    view! {
        <div class="bench-columns" class:entry=move || !is_turned.get() class:blank=desk.is_blank() class:folded=move || is_folded.get()>
            <div class="bench-input" aria-label="Input" role="region">
                {rail(desk, is_folded, gist, problems)}
                <div class="inputs" id="inputs" tabindex="-1" hidden=move || is_folded.get()>
                    <div class="input-acts" hidden=move || desk.is_blank().get()>
                        {files_button(host.take_files)}
                        {fold_button(desk, has_result)}
                    </div>
                    {input.run()}
                    {to_result(desk, verdict, waiting)}
                </div>
            </div>
            <div
                class="bench-result"
                class:out-of-date=move || has_result.get() && !is_current()
                class:of-before=is_old
                id="result"
                tabindex="-1"
                aria-label="Result"
                role="region"
                aria-busy=move || (!is_current()).to_string()
            >
                {reading.map(|reading| reading.progress(has_result))}
                {beside.run()}
                <div class="instrument">
                    <div class="instrument-head">
                        <VerdictPanel verdict empty />
                        {to_errors(desk, errors, is_begun_only)}
                        {begin(desk, host, problems)}
                        {live(move || aid.as_ref().filter(|_| !has_result.get()).map(ViewFn::run))}
                        <Remarks evaluation_problems=remarks sections />
                        {weights.run()}
                    </div>
                    {live(move || has_rest.get().then(|| rows.run()))}
                </div>
                {settings.run()}
                {live(move || has_rest.get().then(|| outline(sections, verdict)))}
                {live(move || has_rest.get().then(|| result.run()))}
            </div>
        </div>
    }
}

/// Whether the page has room for a result, as soon as that is begun: the field that has the
/// focus then stays where it is in the window.
fn turned(is_begun: Memo<bool>) -> RwSignal<bool> {
    let is_turned = RwSignal::new(is_begun.get_untracked());
    effect(move || {
        let is_begun = is_begun.get();
        if is_begun == is_turned.get_untracked() {
            return;
        }
        let stay = field::hold_focus("bench-input");
        is_turned.set(is_begun);
        request_animation_frame(stay);
    });
    is_turned
}

/// True a frame after the other is: what is read after the verdict is made once that is drawn.
fn a_frame_later(is_now: Memo<bool>) -> RwSignal<bool> {
    let is_later = RwSignal::new(false);
    let follow = move || {
        is_later.try_set(is_now.try_get_untracked().unwrap_or_default());
    };
    effect(move || {
        if is_now.get() {
            request_animation_frame(move || set_timeout(follow, Duration::ZERO));
        } else {
            is_later.set(false);
        }
    });
    is_later
}

/// The numbers that were set to what is none: their originals are used.
fn mistaken(host: Host, desk: Desk) -> Vec<&'static str> {
    let Settings {
        weights, numbers, ..
    } = host.bench.settings;
    let fields = weights.iter().chain(numbers);
    desk.work.with(|work| {
        let wrong = fields.filter(|field| field.read(work).is_err());
        wrong.map(|field| field.label).collect()
    })
}

/// The input in a few words, with the way to it.
fn rail(
    desk: Desk,
    is_folded: Memo<bool>,
    gist: Signal<Vec<String>>,
    problems: Signal<Vec<Problem>>,
) -> impl IntoView {
    let open = move |_| {
        desk.is_folded.set(false);
        request_animation_frame(|| field::focus_still("inputs"));
    };
    let lines = move || {
        let lines = gist.get().into_iter();
        lines.map(|line| view! { <p>{line}</p> }).collect_view()
    };
    let found = move || {
        let found = problems.with(|problems| counted(problems));
        (!found.is_empty())
            .then(|| view! { <p class="muted" data-testid="rail-problems">{found}</p> })
    };
    view! {
        <div class="rail" hidden=move || !is_folded.get()>
            <div class="rail-lines">{live(lines)}{live(found)}</div>
            <button type="button" id="edit-input" data-testid="edit-input" on:click=open>
                "Edit the input"
            </button>
        </div>
    }
}

fn of_kind(problems: &[Problem], severity: Severity) -> usize {
    let is_it = |problem: &&Problem| problem.severity == severity;
    problems.iter().filter(is_it).count()
}

/// How many problems there are of each kind, the worst first.
fn counted(problems: &[Problem]) -> String {
    let kinds = [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Note, "note"),
    ];
    let kinds = kinds.into_iter().filter_map(|(severity, word)| {
        let number = of_kind(problems, severity);
        (number > 0).then(|| count(number, word))
    });
    kinds.collect::<Vec<_>>().join(", ")
}

fn fold_button(desk: Desk, has_result: Memo<bool>) -> impl IntoView {
    let fold = move |_| {
        desk.is_folded.set(true);
        request_animation_frame(|| field::focus_still("edit-input"));
    };
    view! {
        <button
            type="button"
            class="quiet fold-input"
            data-testid="fold-input"
            hidden=move || !has_result.get()
            on:click=fold
        >
            "Fold the input away"
        </button>
    }
}

/// The verdict and the ways to the sections, in sight wherever one reads in them.
fn outline(
    sections: &'static [(&'static str, &'static str)],
    verdict: Signal<Option<Verdict>>,
) -> Option<impl IntoView> {
    if sections.is_empty() {
        return None;
    }
    let headline =
        Memo::new(move |_| verdict.with(|verdict| Some(verdict.as_ref()?.headline.clone())));
    let ways = sections.iter().map(|(name, label)| {
        let go = move |_| field::go_to(&format!("part-{name}"));
        view! {
            <li>
                <button type="button" class="quiet" data-testid=format!("go-{name}") on:click=go>
                    {*label}
                </button>
            </li>
        }
    });
    Some(view! {
        <nav class="outline" id="sections" tabindex="-1" aria-label="Sections of the result">
            // it stands above already, for those who hear it
            <strong aria-hidden="true">{headline}</strong>
            <ul>{ways.collect_view()}</ul>
        </nav>
    })
}

/// Ways to begin, while there is nothing, or nothing that the bench knows.
fn begin(desk: Desk, host: Host, problems: Signal<Vec<Problem>>) -> AnyView {
    let is_blank = desk.is_blank();
    let start = Callback::new(move |()| desk.start());
    let ways = move || {
        is_blank.get().then(|| {
            view! {
                <p class="begin">
                    {example_button(host.bench.name, host.open_example)}
                    {files_button(host.take_files)}
                    {start_button(start)}
                </p>
            }
        })
    };
    view! {
        {live(ways)}
        {read_as_another(desk, host, problems)}
    }
    .into_any()
}

/// From the result to the first error, where there is one.
fn to_errors(desk: Desk, errors: Memo<usize>, is_begun: Signal<bool>) -> impl IntoView {
    let is_blank = desk.is_blank();
    let go = move |_| {
        desk.is_folded.set(false);
        request_animation_frame(|| field::bring_into_view(".problem.error"));
    };
    live(move || {
        let words = match errors.get() {
            0 => return None,
            // nor is what nobody began with
            _ if is_begun.get() || is_blank.get() => return None,
            1 => "Show the error",
            _ => "Show the first error",
        };
        Some(view! {
            <button type="button" class="to-errors" data-testid="to-errors" on:click=go>
                {words}
            </button>
        })
    })
}

/// From the input to the result, where they stand below each other: the input makes room.
fn to_result(
    desk: Desk,
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
            on:click=move |_| {
                desk.is_folded.set(true);
                request_animation_frame(|| field::go_to("result"));
            }
        >
            <strong>{headline}</strong>
            <span>"Result ↓"</span>
        </button>
    }
}

/// What to do when there is no result.
fn empty_words(
    desk: Desk,
    errors: usize,
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
    match errors {
        0 => "The settings leave nothing to compute.".into(),
        1 => "One error in the input has to be corrected first.".into(),
        number => format!("{number} errors in the input have to be corrected first."),
    }
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
