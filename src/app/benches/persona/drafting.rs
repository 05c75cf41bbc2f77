//! From good replies to a persona: the examples, what is proposed of them with the evidence of each
//! part, and the way into the persona.

use std::collections::HashSet;
use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use super::voice::{Fetched, fetch_control};
use crate::app::browser::events::is_checked;
use crate::app::derived::{Derived, effect, live};
use crate::app::desk::Face;
use crate::app::embedder::panel::EmbeddingPanel;
use crate::app::embedder::pool::Embedding;
use crate::app::format::{count, fixed};
use crate::app::job::{Clock, Job};
use crate::app::panels::explain::explained;
use crate::app::panels::progress::ProgressPanel;
use crate::app::panels::text::{Hints, TextPanel};
use crate::document::{Problem, Problems};
use crate::persona::draft::{Draft, Entry, Examples, Exemplar, Part, draft};
use crate::persona::form::List;
use crate::persona::read_given;
use crate::persona::voice::{Control, read_control};

/// The input that holds the examples.
pub const EXAMPLES: &str = "examples";
/// What stands beside it.
pub const HINTS: Hints = Hints {
    label: "Good replies",
    formats: "one a line or paragraph, JSONL, or a transcript",
    placeholder: "Check the log first; it names the failing step.\nNice, that fixed it. Ship it.",
};

/// What a proposal is asked of: the examples as they stood, and a control of one's own.
#[derive(Clone, Debug, Default, PartialEq)]
struct Asked {
    examples: Arc<Examples>,
    own: Option<Arc<Control>>,
}

type Proposed = Option<Result<Arc<Draft>, String>>;

/// A proposal on the page.
#[derive(Clone, Copy)]
struct Drafting {
    model: Model,
    asked: RwSignal<Option<Asked>>,
    /// What was wrong with the examples when they were read.
    problems: RwSignal<Vec<Problem>>,
    left_out: RwSignal<HashSet<Part>>,
    name: RwSignal<String>,
    missing: Memo<Vec<String>>,
    control: RwSignal<Fetched>,
    job: Job,
    proposed: Derived<Proposed>,
    is_current: Signal<bool>,
    separation: Derived<Option<f64>>,
}

/// The texts of what is asked that have no vector yet; they are made at once.
fn missing(model: Model, asked: RwSignal<Option<Asked>>) -> Memo<Vec<String>> {
    let embedding = model.embedding;
    let missing = Memo::new(move |_| {
        asked.with(|asked| {
            let is_enough = |asked: &&Asked| asked.examples.lacks().is_none();
            let Some(asked) = asked.as_ref().filter(is_enough) else {
                return Vec::new();
            };
            let own = asked.own.iter().flat_map(|own| own.texts.iter());
            let texts = asked.examples.texts().chain(own.map(String::as_str));
            embedding.missing(&texts.collect::<Vec<&str>>())
        })
    });
    effect(move || {
        let missing = missing.get();
        let is_idle = embedding.job.with(|job| !job.is_busy());
        if is_idle && !missing.is_empty() && embedding.is_idle() {
            embedding.want(missing);
        }
    });
    missing
}

impl Drafting {
    fn new(model: Model) -> Self {
        let asked = RwSignal::new(None::<Asked>);
        let left_out = RwSignal::new(HashSet::new());
        let control = RwSignal::new(None);
        let missing = missing(model, asked);
        let embedding = model.embedding;
        let job = Job::new(Clock::BROWSER);
        let known = move || {
            let own = asked.with(|asked| asked.as_ref().and_then(|asked| asked.own.clone()));
            own.map(Ok).or_else(|| control.get())
        };
        let ask = move || (asked.get(), missing.with(Vec::is_empty), known());
        let found = job.outcome(None, ask, move |(asked, is_ready, control), slice| {
            let (asked, control) = (asked.clone(), control.clone());
            let made = is_ready.then(|| embedding.made()).flatten();
            Box::pin(async move {
                let asked = asked?;
                if let Some(reason) = asked.examples.lacks() {
                    return Some(Err(reason));
                }
                let control = match control? {
                    Ok(control) => control,
                    Err(reason) => return Some(Err(reason)),
                };
                let pause = |progress| slice.is_over(progress);
                let found = draft(&asked.examples, &control, &made?, &pause).await;
                Some(found.map(Arc::new))
            })
        });
        let proposed = Derived::shared(move || found.with(|found| found.result.clone()));
        let is_current = Signal::derive(move || found.with(|found| found.is_current));
        Self {
            model,
            asked,
            problems: RwSignal::default(),
            left_out,
            name: RwSignal::new(String::new()),
            missing,
            control,
            job,
            proposed,
            is_current,
            separation: separation(embedding, proposed, left_out, known),
        }
    }

    /// Reads the examples as they stand and asks for a proposal.
    fn ask(self) {
        let text = self.model.desk.text(EXAMPLES).get_untracked();
        let mut problems = Problems::new();
        let examples = Examples::new(read_given(&text, &mut problems));
        self.problems.set(problems.into_sorted());
        let own = self.model.desk.work.with_untracked(|work| {
            let own = work.filled("control")?;
            Some(Arc::new(read_control(own, &mut Problems::new())))
        });
        let own = own.filter(|own| own.lacks().is_none());
        if own.is_none() {
            fetch_control(self.control);
        }
        self.left_out.set(HashSet::new());
        self.asked.set(Some(Asked {
            examples: Arc::new(examples),
            own,
        }));
    }

    fn of_draft<T>(self, ask: impl Fn(&Draft) -> T) -> Option<T> {
        self.proposed
            .with(|proposed| proposed.as_ref()?.as_ref().ok().map(|draft| ask(draft)))
    }

    /// The persona that is proposed, without what is ticked off.
    fn written(self) -> Option<String> {
        let (name, separation) = (self.name.get(), self.separation.with(|value| *value));
        self.of_draft(|draft| {
            self.left_out
                .with(|left_out| draft.written(&name, left_out, separation))
        })
    }

    /// Puts the proposal into the persona, as a step of undo.
    fn take(self) {
        let Some(text) = untrack(|| self.written()) else {
            return;
        };
        let desk = self.model.desk;
        desk.settle();
        desk.edit("persona", "draft", |_| Some(text.clone()));
        desk.settle();
        desk.face.set(Face::Form);
    }
}

/// How well the voice of the proposal tells its exemplars from the others, each left out once.
fn separation(
    embedding: Embedding,
    proposed: Derived<Proposed>,
    left_out: RwSignal<HashSet<Part>>,
    control: impl Fn() -> Fetched + Send + Sync + 'static,
) -> Derived<Option<f64>> {
    let lesson = move || {
        let draft = proposed.with(|proposed| proposed.as_ref()?.as_ref().ok().cloned())?;
        Some(left_out.with(|left_out| draft.lesson(left_out)))
    };
    let asked = move || (lesson(), control());
    let job = Job::new(Clock::BROWSER);
    let found = job.outcome(None, asked, move |(lesson, control), slice| {
        let (lesson, control) = (lesson.clone(), control.clone());
        let made = embedding.made();
        Box::pin(async move {
            let pause = |progress| slice.is_over(progress);
            let learned = lesson?.learn(&*control?.ok()?, &made?, &pause).await;
            learned.ok()?.separation
        })
    });
    Derived::new(move || found.with(|found| found.is_current.then(|| *found.result).flatten()))
}

/// The exemplars of the persona as it is written, whether or not there is a transcript.
fn exemplars_of(model: Model) -> Vec<String> {
    model.form.with(|form| {
        let form = form.as_ref();
        let entries = form.map_or(&[][..], |form| form.list(List::Exemplars));
        let texts = entries.iter().map(|entry| entry.text.clone());
        texts.filter(|text| !text.trim().is_empty()).collect()
    })
}

/// Takes the exemplars of the persona as the examples.
fn take_own(model: Model) {
    let rows = untrack(|| exemplars_of(model));
    let rows = rows
        .iter()
        .map(|text| serde_json::json!({ "text": text }).to_string() + "\n");
    let text: String = rows.collect();
    let desk = model.desk;
    desk.settle();
    desk.edit(EXAMPLES, "examples", |_| Some(text.clone()));
    desk.settle();
}

/// The examples and their proposal.
#[component]
pub fn DraftPanel(
    /// Whose persona it is to be.
    model: Model,
) -> impl IntoView {
    let drafting = Drafting::new(model);
    effect(move || {
        if model.asks_own.get() {
            model.asks_own.set(false);
            take_own(model);
            drafting.ask();
        }
    });
    let has_own = Memo::new(move |_| !exemplars_of(model).is_empty());
    let load = (!model.embedding.loaded_before()).then_some(
        " This loads the model and its program once, about 30 MB, from this page's own server.",
    );
    let (own_model, bring) = model.other_models();
    let begins = Signal::derive(|| true);
    let beside = Signal::derive(|| false);
    let has_result = Memo::new(move |_| drafting.proposed.with(Option::is_some));
    view! {
        <p class="muted">
            "Twenty good replies are enough to begin with. What is proposed is shown with its evidence before it is used."{load}
        </p>
        <TextPanel desk=model.desk name=EXAMPLES hints=HINTS problems=drafting.problems />
        <p class="draft-buttons">
            <button type="button" class="primary" id="draft-start" data-testid="draft-start" on:click=move |_| drafting.ask()>
                "Draft a persona"
            </button>
            {live(move || has_own.get().then(|| view! {
                <button type="button" class="quiet" data-testid="draft-own" on:click=move |_| take_own(model)>
                    "Take this persona’s exemplars"
                </button>
            }))}
        </p>
        <EmbeddingPanel embedding=model.embedding missing=drafting.missing begins is_beside=beside own=own_model bring />
        <ProgressPanel job=drafting.job is_current=drafting.is_current has_result />
        <div data-testid="draft" aria-live="polite">{live(move || proposal(drafting))}</div>
    }
}

/// The proposal, or why there is none.
fn proposal(drafting: Drafting) -> Option<AnyView> {
    let proposed = drafting.proposed.get();
    let draft = match (*proposed).as_ref()? {
        Err(reason) => {
            let words = format!("No proposal: {reason}.");
            return Some(view! { <p class="failed" role="alert">{words}</p> }.into_any());
        }
        Ok(draft) => draft.clone(),
    };
    let auc = move || match drafting.separation.with(|value| *value) {
        Some(value) => fixed(value, 3),
        None => "…".to_owned(),
    };
    let yaml = move || drafting.written().unwrap_or_default();
    let name = move |event| drafting.name.set(event_target_value(&event));
    Some(
        view! {
            <h3>{format!("A proposal, of {}", count(draft.examples, "example"))}</h3>
            <p>
                {explained("Leave-one-out ROC AUC", "separation")}" of its voice, against "
                {count(draft.others, "other text")}": "
                <strong data-testid="draft-auc">{live(auc)}</strong>
            </p>
            {parts(drafting, &draft)}
            {manner(&draft)}
            <label class="draft-name">
                "Name "
                <input type="text" class="plain" data-testid="draft-name" prop:value=drafting.name on:input=name placeholder="New persona" />
            </label>
            <details class="fold">
                <summary>"The persona as text"</summary>
                <pre class="draft-text" tabindex="0" data-testid="draft-text">{live(yaml)}</pre>
            </details>
            <button type="button" class="primary" data-testid="draft-use" on:click=move |_| drafting.take()>
                "Use this persona"
            </button>
            <p class="muted">"It takes the place of the persona that is there; undo brings that back."</p>
        }
        .into_any(),
    )
}

/// A list of parts: its name, what a part of it is, and the text and evidence of each.
struct Group {
    label: &'static str,
    part: fn(usize) -> Part,
    items: Vec<(String, String)>,
}

fn groups(draft: &Draft) -> [Group; 5] {
    let words = |entries: &[Entry]| -> Vec<(String, String)> {
        let one = |one: &Entry| {
            let evidence = draft.evidence(one.examples, one.others, one.of_others);
            (one.entry.clone(), evidence)
        };
        entries.iter().map(one).collect()
    };
    let texts = |exemplars: &[Exemplar]| -> Vec<(String, String)> {
        let one = |one: &Exemplar| {
            let words = match one.stands_for {
                1 => "stands for itself".to_owned(),
                number => format!("stands for {number}"),
            };
            (one.text.clone(), words)
        };
        exemplars.iter().map(one).collect()
    };
    let traits = draft.traits.iter().map(|one| {
        let words = one.word.replace('_', " ");
        let evidence = draft.evidence(one.examples, one.others, draft.others);
        (format!("{}: {words}", one.dimension), evidence)
    });
    let group = |label, part, items| Group { label, part, items };
    [
        group("Exemplars", Part::Exemplar, texts(&draft.exemplars)),
        group("Off brand", Part::OffBrand, texts(&draft.off_brand)),
        group("Preferred words", Part::Preferred, words(&draft.preferred)),
        group("Avoided words", Part::Avoided, words(&draft.avoided)),
        group("Style rules", Part::Trait, traits.collect()),
    ]
}

/// Each part with a tick and its evidence.
fn parts(drafting: Drafting, draft: &Draft) -> AnyView {
    let shown = |Group { label, part, items }: Group| {
        if items.is_empty() {
            let words = format!("{label}: nothing has enough evidence.");
            let is_said = label != "Off brand";
            return is_said.then(|| view! { <p class="muted">{words}</p> }.into_any());
        }
        let items = items.into_iter().enumerate();
        let items = items.map(|(at, (text, evidence))| tick(drafting, part(at), text, evidence));
        let items = items.collect_view();
        Some(
            view! { <fieldset class="draft-part"><legend>{label}</legend>{items}</fieldset> }
                .into_any(),
        )
    };
    groups(draft).map(shown).into_any()
}

fn tick(drafting: Drafting, part: Part, text: String, evidence: String) -> impl IntoView {
    let is_in = move || drafting.left_out.with(|left_out| !left_out.contains(&part));
    let change = move |event| {
        let is_in = is_checked(&event);
        drafting.left_out.update(|left_out| {
            if is_in {
                left_out.remove(&part);
            } else {
                left_out.insert(part);
            }
        });
    };
    view! {
        <label class="check">
            <input type="checkbox" prop:checked=is_in on:change=change />
            <span><bdi>{text}</bdi>" "<small class="muted">{evidence}</small></span>
        </label>
    }
}

/// How the examples look beside the others.
fn manner(draft: &Draft) -> Option<AnyView> {
    let rows = draft.manner.iter().map(|one| {
        let sign = if one.deviations < 0.0 { "less" } else { "more" };
        let has = if one.examples + one.others > 0 {
            format!(
                ", {}",
                draft.evidence(one.examples, one.others, draft.others)
            )
        } else {
            String::new()
        };
        let words = format!(
            "{sign}, by {} deviations{has}",
            fixed(one.deviations.abs(), 1)
        );
        view! { <li>{one.signal}": "<span class="muted">{words}</span></li> }
    });
    (!draft.manner.is_empty()).then(|| {
        view! {
            <h4>"How the examples look, beside the others"</h4>
            <p class="muted">"The voice hears this in the exemplars; nothing has to be declared."</p>
            <ul class="plain-list">{rows.collect_view()}</ul>
        }
        .into_any()
    })
}
