//! A text as typed, with line numbers, marks in the gutter and its problems.

use std::fmt::Write;

use leptos::prelude::*;

use super::problems::{ProblemList, Sign};
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

fn error_count(problems: &[Problem]) -> usize {
    let errors = problems.iter().filter(|p| p.severity == Severity::Error);
    errors.count()
}

/// What is said of a text: its worst kind of problem, or its length.
fn status(lines: u32, is_blank: bool, problems: &[Problem]) -> String {
    match (is_blank, error_count(problems), problems.len()) {
        (true, ..) => String::new(),
        (_, 0, 0) => count(lines as usize, "line"),
        (_, 0, others) => count(others, "remark"),
        (_, errors, _) => count(errors, "error"),
    }
}

/// What an input is called, and what stands in it while it is empty.
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
    let has_errors = move || problems.with(|problems| error_count(problems) > 0);
    let status = move || {
        let (lines, is_blank) = (lines.get(), text.with(|text| text.trim().is_empty()));
        problems.with(|problems| status(lines, is_blank, problems))
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
                    {live(move || problems.with(|problems| gutter(problems)))}
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

/// The marks of lines with problems, beside the line numbers.
fn gutter(problems: &[Problem]) -> impl IntoView + use<> {
    let marks = marks(problems).into_iter().map(|(line, severity)| {
        let Sign { class, mark, .. } = Sign::of(severity);
        let class = format!("gutter-mark {class}");
        let top = format!("calc({} * var(--line-step))", line.saturating_sub(1));
        view! { <span class=class style:top=top>{mark}</span> }
    });
    marks.collect_view()
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

    fn problem(severity: Severity, line: u32) -> Problem {
        Problem::new(severity, Place { line, column: 1 }, "", "")
    }

    #[test]
    fn the_worst_kind_of_problem_is_counted() {
        let mut found = vec![problem(Severity::Note, 1), problem(Severity::Warning, 1)];
        assert_eq!(status(2, false, &[]), "2 lines");
        assert_eq!(status(2, false, &found), "2 remarks");
        found.push(problem(Severity::Error, 2));
        assert_eq!(status(2, false, &found), "1 error");
        // nothing is said of what is not there yet
        assert_eq!(status(2, true, &found), "");
    }

    #[test]
    fn a_line_is_marked_with_its_worst_problem() {
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
