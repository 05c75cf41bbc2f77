//! A text as typed, with line numbers, marks in the gutter and its problems.

use std::fmt::Write;
use std::sync::Arc;

use leptos::prelude::*;

use super::lines::{self, lines_view};
use super::problems::{ProblemList, Sign};
use crate::app::browser::events::{self, File, Files};
use crate::app::browser::{field, tasks};
use crate::app::derived::{effect, live};
use crate::app::desk::Desk;
use crate::app::format::count;
use crate::app::words::guessed_words;
use crate::document::{Problem, Severity};

/// Lines of a text, counted as the gutter does.
fn line_count(text: &str) -> u32 {
    lines::breaks(text).count() as u32 + 1
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
    /// Where files are for this input that are dropped on it: what to do where they cannot
    /// be read.
    #[prop(optional, into)]
    refuse: Option<Callback<String>>,
    /// Who takes files that are not for this input alone: those that are no texts, several, and
    /// those of which this says so.
    #[prop(optional, into)]
    others: Option<Others>,
) -> impl IntoView {
    let text = desk.text(name);
    let lines = line_count_of(text);
    let id = format!("input-{name}");
    let has_errors = move || problems.with(|problems| error_count(problems) > 0);
    let status = move || {
        let (lines, is_blank) = (lines.get(), text.with(|text| text.trim().is_empty()));
        problems.with(|problems| status(lines, is_blank, problems))
    };
    // the text stays in its field where somebody edits it there
    let is_edited = RwSignal::new(false);
    let is_listed = Memo::new(move |_| text.with(|text| lines::is_long(text)) && !is_edited.get());
    let marks = Memo::new(move |_| problems.with(|problems| marks(problems)));
    let edit = Callback::new(move |()| {
        is_edited.set(true);
        request_animation_frame(move || field::focus(&format!("input-{name}")));
    });
    let field = move || {
        if is_listed.get() {
            return lines_view(name, hints.label, text, marks, edit);
        }
        let lines = line_count_of(text);
        text_field(desk, name, hints, (text, lines), marks, is_edited)
    };
    let drop = move |event: leptos::ev::DragEvent| {
        if let Some(refuse) = refuse {
            events::take_dropped(&event, move |files| match files {
                Ok(files) => take_files(desk, name, files, refuse, others),
                Err(message) => refuse.run(message),
            });
        }
    };
    view! {
        <section class="text-panel" on:drop=drop>
            <header>
                <label for=id>{hints.label}</label>
                <span class="formats">{hints.formats}</span>
                <span class="status" aria-live="polite">{live(status)}</span>
            </header>
            <div class="text-scroll" class:listed=is_listed class:invalid=has_errors>
                {live(field)}
            </div>
            {(!has_form).then(|| view! { <ProblemList desk name problems /> })}
        </section>
    }
}

/// Who takes files that are not for one input, and which texts are for them.
type Others = (Callback<Files>, Callback<String, bool>);

/// Takes files that were dropped on an input: a text is for it, whatever it looks like, unless
/// others take it.
fn take_files(
    desk: Desk,
    name: &'static str,
    mut files: Vec<File>,
    refuse: Callback<String>,
    others: Option<Others>,
) {
    if let Some((take, is_another)) = others {
        let is_for_others = |file: &File| {
            let text = file.text.clone();
            text.is_none_or(|text| is_another.run(text))
        };
        if files.len() > 1 || files.iter().any(is_for_others) {
            return take.run(Ok(files));
        }
    }
    let Some(file) = files.pop() else {
        return;
    };
    let Some(text) = file.text else {
        return refuse.run(format!("{} is not a text", file.name));
    };
    if file.is_guessed {
        refuse.run(guessed_words(&[file.name]));
    }
    desk.type_text(name, text);
    desk.settle();
}

fn line_count_of(text: Memo<Arc<str>>) -> Memo<u32> {
    Memo::new(move |_| text.with(|text| line_count(text)))
}

/// The text in a field, with its line numbers.
fn text_field(
    desk: Desk,
    name: &'static str,
    hints: Hints,
    (text, lines): (Memo<Arc<str>>, Memo<u32>),
    marks: Memo<Vec<(u32, Severity)>>,
    is_edited: RwSignal<bool>,
) -> AnyView {
    let id = format!("input-{name}");
    // the text area holds what is typed; it is told of changes from elsewhere
    let area = id.clone();
    effect(move || {
        text.with(|text| {
            if is_edited.get() || !lines::is_long(text) {
                field::show_text(&area, text);
            }
        });
    });
    let has_errors = move || {
        marks.with(|marks| {
            let mut severities = marks.iter().map(|(_, severity)| *severity);
            severities.any(|severity| severity == Severity::Error)
        })
    };
    let take = taker(desk, name, text, is_edited);
    let take_pasted = take.clone();
    // a field lays out what is pasted into it before it tells of it
    let paste = move |event: leptos::ev::ClipboardEvent| {
        if let Some(whole) = field::pasted(&event, lines::is_long) {
            event.prevent_default();
            let take = take_pasted.clone();
            // to fetch a long text from the clipboard is a task's work
            tasks::later(Box::new(move || take(whole)));
        }
    };
    view! {
        <div class="gutter" aria-hidden="true">
            <pre>{live(move || line_numbers(lines.get()))}</pre>
            {live(move || marks.with(|marks| gutter(marks)))}
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
            aria-describedby=format!("problems-{name}")
            aria-invalid=move || has_errors().to_string()
            on:paste=paste
            on:input=move |event| take(event_target_value(&event))
            on:change=move |_| desk.settle()
        />
    }
    .into_any()
}

/// Takes what is in the field now as the text.
fn taker(
    desk: Desk,
    name: &'static str,
    text: Memo<Arc<str>>,
    is_edited: RwSignal<bool>,
) -> impl Fn(String) + Clone {
    move |typed| {
        if text.with_untracked(|text| lines::is_outgrown(text, &typed)) {
            is_edited.set(true);
        } else if !is_edited.get_untracked() && lines::is_long(&typed) {
            // the field makes room for a list: it is not to lay out all this before
            field::show_text(&format!("input-{name}"), "");
        }
        desk.type_text(name, typed);
    }
}

/// The marks of lines with problems, beside the line numbers.
fn gutter(marks: &[(u32, Severity)]) -> impl IntoView + use<> {
    let marks = marks.iter().map(|(line, severity)| {
        let Sign { class, mark, .. } = Sign::of(*severity);
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
