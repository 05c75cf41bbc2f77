//! A text as typed, with line numbers, marks in the gutter and its problems.

use std::fmt::Write;

use leptos::prelude::*;

use super::problems::{self, ProblemList};
use crate::app::browser::field;
use crate::app::derived::{effect, live};
use crate::app::desk::Desk;
use crate::app::format::count;
use crate::document::{Problem, Severity};

/// Lines of a text, counted as the gutter does.
fn line_count(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1
}

/// The numbers 1 to `lines`, one per line.
fn line_numbers(lines: u32) -> String {
    (1..=lines).fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{line}"); // writing to a String cannot fail
        out
    })
}

/// The worst severity of each line that has a problem, by line.
fn marks(problems: &[Problem]) -> Vec<(u32, Severity)> {
    let mut marks = std::collections::BTreeMap::new();
    for problem in problems {
        let worst = marks.entry(problem.line).or_insert(problem.severity);
        *worst = (*worst).min(problem.severity);
    }
    marks.into_iter().take(500).collect()
}

/// What stands in an empty text.
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    /// The label.
    pub label: &'static str,
    /// The formats that are read.
    pub formats: &'static str,
    /// What to put in.
    pub placeholder: &'static str,
}

/// An input of a bench.
#[component]
pub fn TextPanel(
    /// Whose text it is.
    desk: Desk,
    /// The input's name.
    name: &'static str,
    /// What it is for.
    hints: Hints,
    /// The input's problems.
    #[prop(into)]
    problems: Signal<Vec<Problem>>,
    /// Whether the problems are listed elsewhere, under both faces.
    #[prop(optional)]
    has_form: bool,
) -> impl IntoView {
    let text = desk.text(name);
    let lines = Memo::new(move |_| text.with(|text| line_count(text)));
    let id = format!("input-{name}");
    let list_id = format!("problems-{name}");
    let has_errors =
        move || problems.with(|problems| problems.iter().any(|p| p.severity == Severity::Error));
    let status = move || {
        let text_lines = lines.get();
        problems.with(|problems| {
            let errors = problems
                .iter()
                .filter(|p| p.severity == Severity::Error)
                .count();
            match (
                text.with(|text| text.trim().is_empty()),
                errors,
                problems.len(),
            ) {
                (true, ..) => String::new(),
                (_, 0, 0) => count(text_lines as usize, "line"),
                (_, 0, others) => count(others, "remark"),
                (_, errors, _) => count(errors, "error"),
            }
        })
    };
    let gutter_marks = move || {
        problems.with(|problems| marks(problems)).into_iter().map(|(line, severity)| {
            let (word, mark) = problems::severity(severity);
            let top = format!("calc({} * var(--line-step))", line.saturating_sub(1));
            view! { <span class=format!("gutter-mark {}", word.to_lowercase()) style:top=top>{mark}</span> }
        }).collect_view()
    };
    // the text area holds what is typed; it is told of changes from elsewhere
    let area = id.clone();
    effect(move || text.with(|text| field::show_text(&area, text)));
    view! {
        <section class="text-panel">
            <header>
                <label for=id.clone()>{hints.label}</label>
                <span class="formats">{hints.formats}</span>
                <span class="status" aria-live="polite">{live(status)}</span>
            </header>
            <div class="text-scroll" class:invalid=has_errors>
                <div class="gutter" aria-hidden="true">
                    <pre>{live(move || line_numbers(lines.get()))}</pre>
                    {live(gutter_marks)}
                </div>
                <textarea
                    id=id.clone()
                    data-testid=id
                    class="input"
                    wrap="off"
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                    placeholder=hints.placeholder
                    rows=move || lines.get()
                    aria-describedby=list_id.clone()
                    aria-invalid=move || has_errors().to_string()
                    on:input=move |event| desk.type_text(name, event_target_value(&event))
                    on:change=move |_| desk.settle()
                />
            </div>
            {(!has_form).then(|| view! { <ProblemList desk name problems /> })}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Place;

    #[test]
    fn the_gutter_counts_as_the_text_area_does() {
        assert_eq!(line_count(""), 1);
        assert_eq!(line_count("a\nb\n"), 3);
        assert_eq!(line_numbers(3), "1\n2\n3\n");
    }

    #[test]
    fn a_line_is_marked_with_its_worst_problem() {
        let problem = |severity, line| Problem::new(severity, Place { line, column: 1 }, "", "");
        let found = [
            problem(Severity::Note, 2),
            problem(Severity::Error, 2),
            problem(Severity::Warning, 1),
        ];
        assert_eq!(
            marks(&found),
            vec![(1, Severity::Warning), (2, Severity::Error)]
        );
    }
}
