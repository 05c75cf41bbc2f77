//! Labels by hand: one reply after the other, blind and in an order that is drawn, one key each. Each
//! label is saved at once as a line of the labels' text. Below, what the labels say of the voice.

use std::collections::HashSet;
use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::model::Model;
use super::options::{BY_LABELS, WEIGHTS, listed};
use super::voice::held_against;
use crate::app::bench::Leaves;
use crate::app::browser::storage;
use crate::app::charts::roc;
use crate::app::derived::{Derived, live};
use crate::app::export::file_name;
use crate::app::format::{count, fixed};
use crate::app::job::{Clock, Job};
use crate::app::panels::field::word_button;
use crate::app::panels::progress::ProgressPanel;
use crate::app::panels::section::Section;
use crate::document::{Node, Problems, parse_json};
use crate::persona::judges::Rated;
use crate::persona::voice::{
    Calibration, Figure, Labels, NARROW, Verdict, calibrate, lacks, queue, read_labels, written,
};
use crate::persona::{Metric, Reweighed, Run, reweigh};

/// The input that holds the labels.
const LABELS: &str = "labels";
/// The order in which replies come; its value means nothing, that it is fixed does.
const SEED: u64 = 42;
/// So many disagreements are shown.
const SHOWN: usize = 20;

/// What a key says of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Label(Option<bool>),
    Skip,
    Back,
}

impl Answer {
    /// Key, words and what they say.
    const ALL: [(&'static str, &'static str, Self); 5] = [
        ("1", "On brand", Self::Label(Some(true))),
        ("0", "Off brand", Self::Label(Some(false))),
        ("u", "Unsure", Self::Label(None)),
        ("s", "Skip", Self::Skip),
        ("b", "Back", Self::Back),
    ];

    fn of(key: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(own, ..)| *own == key);
        found.map(|(_, _, answer)| *answer)
    }
}

/// A text of lines with one more.
fn with_line(text: &str, line: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() {
        format!("{line}\n")
    } else {
        format!("{text}\n{line}\n")
    }
}

/// Whether the last of the labels is of this labeller: those that came with a file are not.
fn is_last_by(text: &str, labeller: &str) -> bool {
    let last = text.trim_end().lines().next_back();
    let last = last.and_then(|line| parse_json(line).ok());
    last.is_some_and(|last| {
        let own = last.get("labeller").and_then(Node::text);
        own.unwrap_or_default() == labeller
    })
}

/// A text of lines without its last.
fn without_last(text: &str) -> String {
    let text = text.trim_end();
    text.rfind('\n')
        .map_or_else(String::new, |end| format!("{}\n", &text[..end]))
}

/// What is being labelled.
#[derive(Clone, Copy)]
struct Labelling {
    model: Model,
    labels: Memo<Arc<Labels>>,
    is_open: RwSignal<bool>,
    labeller: RwSignal<String>,
    skipped: RwSignal<HashSet<usize>>,
    /// The number of the reply that is shown.
    shown: Memo<Option<usize>>,
    left: Memo<usize>,
}

impl Labelling {
    fn new(model: Model) -> Self {
        let text = model.desk.text(LABELS);
        let labels =
            Memo::new(move |_| text.with(|text| Arc::new(read_labels(text, &mut Problems::new()))));
        let (labeller, skipped) = (RwSignal::new(String::new()), RwSignal::new(HashSet::new()));
        let order = Memo::new(move |_| {
            model.run.with(|run| {
                let replies = run.result.as_ref().map(Run::rated).unwrap_or_default();
                let replies: Vec<&str> = replies.iter().map(|reply| reply.text).collect();
                labels.with(|labels| labeller.with(|name| queue(&replies, labels, name, SEED)))
            })
        });
        Self {
            model,
            labels,
            is_open: RwSignal::new(false),
            labeller,
            skipped,
            shown: Memo::new(move |_| {
                let is_new = |at: &&usize| skipped.with(|skipped| !skipped.contains(at));
                order.with(|order| order.iter().find(is_new).copied())
            }),
            left: Memo::new(move |_| order.with(Vec::len)),
        }
    }

    /// What is asked of the reply that is shown.
    fn of_shown<T>(self, ask: impl Fn(&Rated) -> T) -> Option<T> {
        let at = self.shown.get()?;
        self.model.run.with(|run| {
            let run: &Run = run.result.as_ref()?;
            Some(ask(run.rated().get(at)?))
        })
    }

    fn answer(self, answer: Answer) {
        let desk = self.model.desk;
        match answer {
            Answer::Skip => self.skipped.update(|skipped| {
                skipped.extend(self.shown.get_untracked());
            }),
            Answer::Back => {
                self.skipped.update(HashSet::clear);
                desk.settle();
                let own = self.labeller.get_untracked();
                desk.edit(LABELS, "label", |text| {
                    is_last_by(text, own.trim()).then(|| without_last(text))
                });
            }
            Answer::Label(is_on) => {
                let line = untrack(|| {
                    self.of_shown(|reply| {
                        written(&Verdict {
                            text: reply.text.to_owned(),
                            is_on,
                            session: reply.session_id.to_owned(),
                            turn: Some(reply.turn_index),
                            labeller: self.labeller.get_untracked().trim().to_owned(),
                        })
                    })
                });
                if let Some(line) = line {
                    desk.settle();
                    desk.edit(LABELS, "label", |text| Some(with_line(text, &line)));
                }
            }
        }
    }

    fn press(self, event: &KeyboardEvent) {
        let is_plain = !(event.ctrl_key() || event.meta_key() || event.alt_key());
        if let Some(answer) = Answer::of(&event.key()).filter(|_| is_plain) {
            event.prevent_default();
            event.stop_propagation();
            self.answer(answer);
        }
    }

    /// How many there are of each.
    fn counts(self) -> [usize; 3] {
        self.labels.with(|labels| {
            [Some(true), Some(false), None].map(|is_on| {
                labels
                    .0
                    .iter()
                    .filter(|verdict| verdict.is_on == is_on)
                    .count()
            })
        })
    }
}

/// Labels, and what they say of the voice.
#[component]
pub fn LabellingSection(
    /// Whose replies they are.
    model: Model,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let labelling = Labelling::new(model);
    view! {
        <Section
            name="labels"
            title="Label and calibrate"
            note="Say of some replies whether they are on brand; the voice learns from it, and shows how well"
            open
            chart=move || {
                view! {
                    <div class="labelling">{desk_of(labelling)}<CalibrationView labelling /></div>
                }
            }
        />
    }
}

fn desk_of(labelling: Labelling) -> impl IntoView {
    let model = labelling.model;
    let has_labels = Memo::new(move |_| labelling.labels.with(|labels| !labels.0.is_empty()));
    // a row each, whatever they were read from
    let save = move || {
        let rows = labelling.labels.with_untracked(|labels| {
            let rows = labels.0.iter().map(|verdict| written(verdict) + "\n");
            rows.collect::<String>()
        });
        let topic = untrack(|| {
            model
                .run
                .with(|run| run.result.as_ref()?.name().map(str::to_owned))
        });
        let name = file_name("labels", topic.as_deref(), &storage::today());
        let name = format!("{name}.jsonl");
        model
            .host
            .save(name, "application/jsonl", rows, Leaves::Labels);
    };
    let counts = move || {
        let [on, off, unsure] = labelling.counts();
        format!(
            "{on} on brand, {off} off brand, {unsure} unsure; {} to go",
            labelling.left.get()
        )
    };
    let words = move || {
        if labelling.is_open.get() {
            "Stop labelling"
        } else {
            "Label replies"
        }
    };
    view! {
        <p class="labelling-head">
            <button type="button" data-testid="label-start" on:click=move |_| labelling.is_open.update(|open| *open = !*open)>
                {words}
            </button>
            <span data-testid="label-counts" role="status">{counts}</span>
            <label class="labeller">
                "Who labels "
                <input
                    class="plain"
                    type="text"
                    data-testid="labeller"
                    placeholder="optional"
                    prop:value=labelling.labeller
                    on:input=move |event| labelling.labeller.set(event_target_value(&event))
                />
            </label>
        </p>
        {move || labelling.is_open.get().then(|| card(labelling))}
        {live(move || has_labels.get().then(|| word_button("Save the labels", "save-labels", save)))}
    }
}

/// The reply that is to be labelled: what it answers and its text, and nothing that a score says.
fn card(labelling: Labelling) -> impl IntoView {
    let shown = move || {
        let reply = labelling.of_shown(|reply| {
            let prompt = reply.prompt.map(|prompt| {
                view! { <p class="muted label-prompt"><bdi>{prompt.to_owned()}</bdi></p> }
            });
            view! {
                {prompt}
                <p class="label-text" data-testid="label-text"><bdi>{reply.text.to_owned()}</bdi></p>
            }
        });
        reply.map_or_else(
            || view! { <p data-testid="label-done">"Every reply has its label, or was skipped."</p> }.into_any(),
            IntoAny::into_any,
        )
    };
    let buttons = Answer::ALL.map(|(key, words, answer)| {
        view! {
            <button
                type="button"
                class="quiet"
                data-testid=format!("label-{key}")
                aria-keyshortcuts=key
                on:click=move |_| labelling.answer(answer)
            >
                {words}" "<kbd>{key}</kbd>
            </button>
        }
    });
    let card = NodeRef::<leptos::html::Div>::new();
    card.on_load(|card| {
        // the keys are for the card from the start
        let _ = card.focus();
    });
    view! {
        <div
            class="label-card"
            role="group"
            aria-label="The reply to label"
            tabindex="0"
            node_ref=card
            data-testid="label-card"
            on:keydown=move |event| labelling.press(&event)
        >
            <div aria-live="polite">{shown}</div>
            <p class="label-keys">{buttons}</p>
        </div>
    }
}

/// What the labels say of the voice, when it is asked for.
#[component]
fn CalibrationView(labelling: Labelling) -> impl IntoView {
    let model = labelling.model;
    let is_asked = RwSignal::new(false);
    let job = Job::new(Clock::BROWSER);
    let is_ready = model.is_voice_ready;
    let lack = Memo::new(move |_| labelling.labels.with(|labels| lacks(&labels.agreed())));
    let asked = move || {
        let run = is_asked.get().then(|| model.run.get());
        (run, is_ready.get(), model.control.get())
    };
    let outcome = job.outcome(None, asked, move |(run, is_ready, control), slice| {
        let (run, control) = (run.clone(), control.clone());
        let made = is_ready.then(|| model.embedding.made()).flatten();
        Box::pin(async move {
            let run = run?;
            let run = run.result.as_ref()?;
            let lesson = run.lesson();
            let control = held_against(&lesson, control)?.ok()?;
            let pause = |progress| slice.is_over(progress);
            Some(
                calibrate(
                    &lesson,
                    run.labels(),
                    &control,
                    &made?,
                    run.bootstrap(),
                    &pause,
                )
                .await,
            )
        })
    });
    let is_current = Signal::derive(move || !is_asked.get() || outcome.with(|o| o.is_current));
    let has_result = Memo::new(move |_| outcome.with(|outcome| outcome.result.is_some()));
    let shown: Derived<Option<Result<Calibration, String>>> =
        Derived::shared(move || outcome.with(|o| o.result.clone()));
    let result = move || {
        is_asked.get().then(|| {
            shown.with(|shown| match shown {
                Some(Ok(calibration)) => Some(calibration_view(calibration).into_any()),
                Some(Err(reason)) => {
                    Some(view! { <p class="muted">{reason.clone()}</p> }.into_any())
                }
                None => None,
            })
        })
    };
    let ask = move || {
        lack.get().map_or_else(
            || {
                view! {
                    <button type="button" data-testid="calibrate" on:click=move |_| is_asked.set(true)>
                        "How well does the voice know these labels?"
                    </button>
                }
                .into_any()
            },
            |reason| view! { <span class="muted" data-testid="label-lack">{reason}</span> }.into_any(),
        )
    };
    view! {
        <p>{ask}</p>
        <ProgressPanel job is_current has_result />
        <div data-testid="calibration" aria-live="polite">{live(result)}</div>
        {weights_by_labels(labelling, is_asked)}
    }
}

/// The weights that tell the labels apart best, and the way to use them.
fn weights_by_labels(labelling: Labelling, is_asked: RwSignal<bool>) -> impl IntoView {
    let model = labelling.model;
    let asked = move || {
        let is_wanted = is_asked.get() && !model.is_by_voice.get();
        is_wanted.then(|| (model.run.get(), model.scored.get()))
    };
    let found = Job::new(Clock::BROWSER).outcome(None, asked, |asked, slice| {
        let asked = asked.clone();
        Box::pin(async move {
            let (run, scored) = asked?;
            let labels = run.result.as_ref()?.labels().agreed();
            let pause = |progress| slice.is_over(progress);
            reweigh(&labels, scored.result.as_ref()?, &pause).await
        })
    });
    let found: Derived<Option<Reweighed>> =
        Derived::shared(move || found.with(|found| found.result.clone()));
    live(move || found.with(|found| found.as_ref().map(|found| reweighed_view(model, found))))
}

fn reweighed_view(model: Model, found: &Reweighed) -> AnyView {
    let area = |auc: Option<f64>| auc.map_or_else(|| "not defined".to_owned(), |auc| fixed(auc, 3));
    let weights = found.weights;
    let [style, traits, lexicon] = weights.map(|weight| fixed(weight, 2));
    let words = format!(
        "Style {style}, traits {traits}, lexicon {lexicon} tell these labels apart best: authenticity then has an AUC of {} out of fold; with the weights as they are {}.",
        area(found.auc),
        area(found.auc_now)
    );
    let take = move |_| {
        let fields = &WEIGHTS[Metric::OUTER.len()..];
        let mut settings: Vec<_> = fields
            .iter()
            .zip(weights)
            .map(|(field, weight)| (field.name, Some(weight.to_string())))
            .collect();
        settings.push((BY_LABELS, Some(listed(weights))));
        model.desk.set_together("weights-by-labels", settings);
        model.desk.settle();
    };
    view! {
        <div data-testid="weights-by-labels">
            <h4>"Weights within authenticity"</h4>
            <p>{words}</p>
            <p>
                <button type="button" data-testid="use-weights" on:click=take>"Use these weights"</button>
                " "
                <span class="muted">"The result then says that labels have chosen them."</span>
            </p>
        </div>
    }
    .into_any()
}

fn shown(figure: Figure) -> String {
    match (figure.value, figure.ci95) {
        (Some(value), Some([low, high])) => {
            format!(
                "{} ({} to {})",
                fixed(value, 3),
                fixed(low, 2),
                fixed(high, 2)
            )
        }
        (Some(value), None) => fixed(value, 3),
        _ => "not defined".to_owned(),
    }
}

fn calibration_view(calibration: &Calibration) -> impl IntoView + use<> {
    let figures = [
        ("AUC", shown(calibration.auc)),
        ("AUC without labels", shown(calibration.auc_without_labels)),
        ("Called right", shown(calibration.accuracy)),
        ("The commoner class alone", fixed(calibration.majority, 3)),
        ("F1", shown(calibration.f1)),
        ("Kappa", shown(calibration.kappa)),
        ("On brand from", fixed(calibration.threshold, 3)),
    ];
    let figures = figures.map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> });
    let more = calibration.more_labels.map(|more| match more {
        0 => format!("The interval of the AUC is narrower than ±{NARROW}."),
        _ => format!(
            "About {} would narrow the interval of the AUC to ±{NARROW}.",
            count(more, "more label")
        ),
    });
    let agreement = calibration.labellers.iter().map(|(one, other, both, kappa)| {
        let kappa = kappa.map_or_else(|| "not defined".to_owned(), |kappa| fixed(kappa, 2));
        view! { <li><bdi>{one.clone()}</bdi>" and "<bdi>{other.clone()}</bdi>": kappa "{kappa}" over "{count(*both, "reply").replace("replys", "replies")}</li> }
    });
    let wrong: Vec<_> = calibration
        .labels
        .iter()
        .filter(|held| !held.agrees)
        .collect();
    let heading = format!(
        "{} of {} labels disagree with the voice",
        wrong.len(),
        calibration.labels.len()
    );
    let wrong = wrong.into_iter().take(SHOWN).map(|held| {
        let label = if held.label == 1 {
            "on brand"
        } else {
            "off brand"
        };
        view! {
            <li>
                <span class="muted">"labelled "{label}", voice "{fixed(held.voice, 2)}</span>
                <bdi>{held.text.clone()}</bdi>
            </li>
        }
    });
    view! {
        <p class="muted">"Every figure is out of fold: each reply was judged by a voice that had seen no label of its session."</p>
        <div class="calibration">
            {roc::view(&calibration.roc, format!("ROC curve, area {}", shown(calibration.auc)))}
            <dl>{figures}</dl>
        </div>
        {more.map(|more| view! { <p>{more}</p> })}
        <ul class="plain-list">{agreement.collect_view()}</ul>
        <h4>{heading}</h4>
        <ul class="disagreements" data-testid="disagreements">{wrong.collect_view()}</ul>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_line_and_can_be_taken_back() {
        let one = with_line("", "a");
        let two = with_line(&one, "b");
        assert_eq!((one.as_str(), two.as_str()), ("a\n", "a\nb\n"));
        assert_eq!(without_last(&two), one);
        assert_eq!(without_last(&one), "");
        assert_eq!(with_line("x\n\n", "y"), "x\ny\n");
        // what came with a file is not taken back
        assert!(is_last_by("{\"text\": \"a\", \"label\": 1}\n", ""));
        assert!(!is_last_by("{\"labeller\": \"voice\"}\n\n", ""));
        assert!(is_last_by("{\"labeller\": \"me\"}\n", "me"));
        assert!(!is_last_by("", ""));
    }

    #[test]
    fn each_answer_has_a_key() {
        for (key, _, answer) in Answer::ALL {
            assert_eq!(Answer::of(key), Some(answer));
        }
        assert_eq!(Answer::of("x"), None);
    }
}
