//! The problems of a text, each a way to its place.

use std::sync::Arc;

use leptos::prelude::*;

use crate::app::browser::caret::utf16_offset;
use crate::app::browser::field;
use crate::app::derived::live;
use crate::app::desk::{Desk, Face};
use crate::app::problems::OPTIONS;
use crate::document::{Code, Problem, Severity, mend};

/// How many are shown; the rest are counted.
const SHOWN: usize = 100;

/// How a severity is shown: by a word and a shape, not by colour alone.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// Its name in style sheets.
    pub class: &'static str,
    /// As people read it.
    pub word: &'static str,
    /// The shape.
    pub mark: &'static str,
}

impl Sign {
    /// The sign of a severity.
    pub const fn of(severity: Severity) -> Self {
        let (class, word, mark) = match severity {
            Severity::Error => ("error", "Error", "✕"),
            Severity::Warning => ("warning", "Warning", "!"),
            Severity::Note => ("note", "Note", "i"),
        };
        Self { class, word, mark }
    }
}

/// The problems of an input, with a way to mend what can be mended by itself.
#[component]
pub fn ProblemList(
    /// Whose input it is.
    desk: Desk,
    /// The input's name.
    name: &'static str,
    /// Its problems.
    #[prop(into)]
    problems: Signal<Vec<Problem>>,
    /// Where the input has a form: which face is shown.
    #[prop(optional)]
    face: Option<RwSignal<Face>>,
) -> impl IntoView {
    let text = desk.text(name);
    let is_mendable =
        Memo::new(move |_| problems.with(|found| found.iter().any(|p| p.code == Code::Slip)));
    let mend_it = move |_| {
        desk.edit(name, "mend", mend);
        desk.settle();
    };
    let mender = move || {
        is_mendable.get().then(|| {
            view! {
                <p class="mend">
                    <button type="button" data-testid="mend" on:click=mend_it>
                        "Take out extra commas and comments"
                    </button>
                </p>
            }
        })
    };
    view! {
        <div id=format!("problems-{name}")>
            {live(mender)}
            {live(move || problems.with(|found| list(name, found, text, face)))}
        </div>
    }
}

/// A list of problems of the input `name`, each a way to its place in the text.
fn list(
    name: &'static str,
    problems: &[Problem],
    text: Memo<Arc<str>>,
    face: Option<RwSignal<Face>>,
) -> impl IntoView + use<> {
    let more = problems.len().saturating_sub(SHOWN);
    let items = problems.iter().take(SHOWN).map(|problem| {
        let Sign { class, word, mark } = Sign::of(problem.severity);
        let (line, column) = (problem.line, problem.column);
        let go = move |_| {
            if let Some(face) = face {
                face.set(Face::Text);
            }
            let offset = text.with_untracked(|text| utf16_offset(text, line, column));
            // the text may have to be shown first
            request_animation_frame(move || {
                field::place_caret(&format!("input-{name}"), offset, line);
            });
        };
        let way = format!("{word}, go to line {line}, column {column}");
        let path = (!problem.path.is_empty()).then(|| view! { <code>{problem.path.clone()}</code>" " });
        let hint = problem.hint.clone();
        let hint = hint.map(|hint| view! { <span class="hint">" "{hint}</span> });
        view! {
            <li class=format!("problem {class}") data-testid="problem" data-line=line data-column=column>
                <span class="mark" aria-hidden="true">{mark}</span>
                <button type="button" class="place" on:click=go aria-label=way>{line}":"{column}</button>
                <span class="message">
                    <span class="visually-hidden">{word}": "</span>{path}{problem.message.clone()}{hint}
                </span>
            </li>
        }
    });
    let items = items.collect_view();
    let more = (more > 0).then(|| view! { <li class="more">{more}" more"</li> });
    view! { <ul class="problems">{items}{more}</ul> }
}

/// The problems of settings, which have no place in a text.
#[component]
pub fn Remarks(
    /// All problems of an evaluation.
    #[prop(into)]
    evaluation_problems: Signal<Vec<Problem>>,
) -> impl IntoView {
    let own = Memo::new(move |_| {
        evaluation_problems.with(|problems| {
            let own = problems.iter();
            let own = own.filter(|problem| problem.input.as_deref() == Some(OPTIONS));
            own.cloned().collect::<Vec<_>>()
        })
    });
    let items = move || {
        let items = own.get().into_iter().map(|problem| {
            let Sign { class, mark, .. } = Sign::of(problem.severity);
            view! {
                <li class=format!("problem {class}") data-testid="problem">
                    <span class="mark" aria-hidden="true">{mark}</span>
                    <span class="message">{problem.message.clone()}</span>
                </li>
            }
        });
        items.collect_view()
    };
    view! { <ul class="problems" aria-live="polite">{live(items)}</ul> }
}
