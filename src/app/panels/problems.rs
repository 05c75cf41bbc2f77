//! The problems of a text, each a way to its place.

use leptos::prelude::*;

use crate::app::browser::field;
use crate::app::state::benches::OPTIONS;
use crate::app::state::caret::utf16_offset;
use crate::document::{Problem, Severity};

/// How many are shown; the rest are counted.
const SHOWN: usize = 100;

/// The name and the mark of a severity: words and a shape, not colour alone.
pub const fn severity(severity: Severity) -> (&'static str, &'static str) {
    match severity {
        Severity::Error => ("Error", "✕"),
        Severity::Warning => ("Warning", "!"),
        Severity::Note => ("Note", "i"),
    }
}

/// A list of problems of the input `name`, whose text `text` gives.
pub fn list(
    name: &'static str,
    problems: &[Problem],
    text: Callback<(), std::sync::Arc<str>>,
) -> impl IntoView + use<> {
    let more = problems.len().saturating_sub(SHOWN);
    let items = problems.iter().take(SHOWN).map(|problem| {
        let (word, mark) = severity(problem.severity);
        let (line, column) = (problem.line, problem.column);
        let go = move |_| {
            let offset = utf16_offset(&text.run(()), line, column);
            field::place_caret(&format!("input-{name}"), offset, line);
        };
        let path = (!problem.path.is_empty()).then(|| view! { <code>{problem.path.clone()}</code>" " });
        let hint = problem.hint.clone().map(|hint| view! { <span class="hint">" "{hint}</span> });
        view! {
            <li class=format!("problem {}", word.to_lowercase()) data-testid="problem" data-line=line data-column=column>
                <span class="mark" aria-hidden="true">{mark}</span>
                <button type="button" class="place" on:click=go aria-label=format!("{word}, go to line {line}, column {column}")>
                    {line}":"{column}
                </button>
                <span class="message"><span class="visually-hidden">{word}": "</span>{path}{problem.message.clone()}{hint}</span>
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
    let items = move || {
        evaluation_problems.with(|problems| {
            let own = problems
                .iter()
                .filter(|problem| problem.input.as_deref() == Some(OPTIONS));
            let items = own.map(|problem| {
                let (word, mark) = severity(problem.severity);
                view! {
                    <li class=format!("problem {}", word.to_lowercase()) data-testid="problem">
                        <span class="mark" aria-hidden="true">{mark}</span>
                        <span class="message">{problem.message.clone()}</span>
                    </li>
                }
            });
            items.collect_view()
        })
    };
    view! { <ul class="problems" aria-live="polite">{items}</ul> }
}
