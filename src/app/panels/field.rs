//! Parts of forms: fields that show what stands in a text and change it there.

use std::collections::HashMap;
use std::sync::Arc;

use leptos::prelude::*;

use crate::app::browser::field;
use crate::app::derived::{Derived, effect, settled};
use crate::app::desk::Desk;
use crate::document::{Mend, Problem, Severity};

/// A form over one of a desk's texts: what it shows, and the way back into the text.
pub struct Sheet<F: Send + Sync + 'static> {
    /// Whose text it is.
    pub desk: Desk,
    /// The input's name.
    input: &'static str,
    /// What stands in the text.
    pub form: Derived<Arc<F>>,
    /// The messages of errors, by path.
    wrong: Memo<HashMap<String, String>>,
}

impl<F: Send + Sync + 'static> Clone for Sheet<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Send + Sync + 'static> Copy for Sheet<F> {}

/// A field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    /// What it is.
    pub label: String,
    /// Its id and its hook for tests.
    pub hook: String,
    /// The id of the `datalist` that it offers.
    pub offers: Option<&'static str>,
    /// Whether every letter counts at once, or only what is there when it is left.
    pub at_once: bool,
}

impl Field {
    /// A field of which every letter counts at once.
    pub fn at_once(label: impl Into<String>, hook: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            hook: hook.into(),
            offers: None,
            at_once: true,
        }
    }

    /// A field that counts when it is left: a name that others refer to.
    pub fn when_left(label: impl Into<String>, hook: impl Into<String>) -> Self {
        Self {
            at_once: false,
            ..Self::at_once(label, hook)
        }
    }

    /// The same with the values of a `datalist` to choose from.
    #[must_use]
    pub fn offering(self, datalist: &'static str) -> Self {
        Self {
            offers: Some(datalist),
            ..self
        }
    }
}

impl<F: Send + Sync + PartialEq + 'static> Sheet<F> {
    /// A form over an input with these problems; an empty one while there is none.
    pub fn new(
        desk: Desk,
        input: &'static str,
        form: Derived<Option<Arc<F>>>,
        problems: Signal<Vec<Problem>>,
    ) -> Self
    where
        F: Default,
    {
        Self {
            desk,
            input,
            form: Derived::new(move || form.with(Clone::clone).unwrap_or_default()),
            wrong: errors_by_path(settled(move || problems.get())),
        }
    }

    /// Changes the text; `gesture` names the field, so that typing in it is one
    /// step of undo.
    pub fn change(self, gesture: &str, change: impl FnOnce(&str) -> Option<String>) {
        self.desk.edit(self.input, gesture, change);
    }

    /// Changes the text in a step of undo of its own.
    pub fn change_once(self, change: impl FnOnce(&str) -> Option<String>) {
        self.change("form", change);
        self.desk.settle();
    }

    /// Whether the value at a path is a mistake.
    pub fn is_wrong(self, path: &str) -> bool {
        self.wrong.with(|wrong| wrong.contains_key(path))
    }

    /// A one-line field that shows `value`, with the problem at `path` (empty: with
    /// none), and hands on what is typed.
    pub fn line(
        self,
        field: Field,
        path: impl Into<String>,
        value: impl Fn(&F) -> String + Send + Sync + 'static,
        commit: impl Fn(String) + Send + Sync + 'static,
    ) -> AnyView {
        let (value, problem) = self.shown(path.into(), value);
        text_field(self.desk, field, value, problem, Callback::new(commit))
    }

    /// The same as a text area of some rows. Every letter counts at once.
    pub fn area(
        self,
        field: Field,
        rows: u32,
        path: impl Into<String>,
        value: impl Fn(&F) -> String + Send + Sync + 'static,
        commit: impl Fn(String) + Send + Sync + 'static,
    ) -> AnyView {
        let (value, problem) = self.shown(path.into(), value);
        let commit = Callback::new(commit);
        text_area(self.desk, field, rows, value, problem, commit)
    }

    /// What a field shows, and what is wrong with it.
    fn shown(
        self,
        path: String,
        value: impl Fn(&F) -> String + Send + Sync + 'static,
    ) -> (Memo<String>, Memo<Option<String>>) {
        let form = self.form;
        let value = Memo::new(move |_| form.with(|form| value(form)));
        (value, problem_at(self.wrong, path))
    }
}

fn errors_by_path(problems: Derived<Vec<Problem>>) -> Memo<HashMap<String, String>> {
    Memo::new(move |_| {
        problems.with(|problems| {
            // a field for which its row is left out is as wrong as one that leaves nothing
            let is_wrong =
                |p: &&Problem| p.severity == Severity::Error || p.mend == Some(&Mend::LeaveOut);
            let wrong = problems.iter().filter(is_wrong);
            wrong.map(|p| (p.path.clone(), p.message.clone())).collect()
        })
    })
}

/// The message of the problem at a path, or inside of what stands there.
fn problem_at(wrong: Memo<HashMap<String, String>>, path: String) -> Memo<Option<String>> {
    Memo::new(move |_| {
        wrong.with(|wrong| {
            let is_inside = |(other, message): (&String, &String)| {
                let rest = other.strip_prefix(&path).filter(|_| !path.is_empty())?;
                rest.starts_with('.').then(|| message.clone())
            };
            // what is wrong with the whole text is wrong with no field of it
            let own = wrong.get(&path).filter(|_| !path.is_empty()).cloned();
            own.or_else(|| wrong.iter().find_map(is_inside))
        })
    })
}

/// Draws a one-line field that shows `value` and hands on what is typed.
pub fn text_field(
    desk: Desk,
    field: Field,
    value: Memo<String>,
    problem: Memo<Option<String>>,
    commit: Callback<String>,
) -> AnyView {
    let Field {
        label,
        hook,
        offers,
        at_once,
    } = field;
    let typed = move |event| {
        if at_once {
            commit.run(event_target_value(&event));
        }
    };
    let left = move |event| {
        let typed = event_target_value(&event);
        if !at_once && typed != value.get_untracked() {
            commit.run(typed);
        }
        desk.settle();
    };
    view! {
        <input
            type="text"
            autocomplete="off"
            spellcheck="false"
            class="plain"
            list=offers
            id=hook.clone()
            data-testid=hook
            aria-label=label
            title=move || problem.get()
            aria-invalid=move || problem.with(Option::is_some).to_string()
            prop:value=move || value.get()
            on:input=typed
            on:change=left
        />
    }
    .into_any()
}

fn text_area(
    desk: Desk,
    field: Field,
    rows: u32,
    value: Memo<String>,
    problem: Memo<Option<String>>,
    commit: Callback<String>,
) -> AnyView {
    let Field { label, hook, .. } = field;
    let id = hook.clone();
    // not a property: the caret would jump
    effect(move || value.with(|text| field::show_text(&id, text)));
    view! {
        <div class="grows" data-text=move || value.get()>
            <textarea
                id=hook.clone()
                data-testid=hook
                rows=rows
                aria-label=label
                title=move || problem.get()
                aria-invalid=move || problem.with(Option::is_some).to_string()
                on:input=move |event| commit.run(event_target_value(&event))
                on:change=move |_| desk.settle()
            ></textarea>
        </div>
    }
    .into_any()
}

/// A button that is one sign; its label says what it does.
pub fn small_button(
    label: String,
    sign: &'static str,
    act: impl Fn() + Send + Sync + 'static,
) -> AnyView {
    let act = Callback::new(move |()| act());
    draw_small_button(label, sign, act)
}

// not generic, like all that is drawn often
fn draw_small_button(label: String, sign: &'static str, act: Callback<()>) -> AnyView {
    view! {
        <button type="button" class="mini" aria-label=label.clone() title=label on:click=move |_| act.run(())>
            {sign}
        </button>
    }
    .into_any()
}

/// A button with words, and its hook for tests.
pub fn word_button(
    words: &'static str,
    hook: &'static str,
    act: impl Fn() + Send + Sync + 'static,
) -> AnyView {
    draw_word_button(words, hook, Callback::new(move |()| act()))
}

fn draw_word_button(words: &'static str, hook: &'static str, act: Callback<()>) -> AnyView {
    view! { <button type="button" data-testid=hook on:click=move |_| act.run(())>{words}</button> }
        .into_any()
}

/// A button of a group of which one is pressed at a time.
pub fn choice(
    label: &'static str,
    hook: String,
    is_chosen: impl Fn() -> bool + Send + Sync + 'static,
    choose: impl Fn() + Send + Sync + 'static,
) -> AnyView {
    let pressed = move || is_chosen().to_string();
    view! {
        <button type="button" data-testid=hook aria-pressed=pressed on:click=move |_| choose()>{label}</button>
    }
    .into_any()
}
