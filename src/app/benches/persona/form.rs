//! The form of a persona: its name, its voice, its words and its exemplars.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use super::model::Model;
use crate::app::browser::field;
use crate::app::derived::{Derived, effect, live};
use crate::app::desk::Face;
use crate::app::format::{count, sentence};
use crate::app::panels::explain::explained;
use crate::app::panels::faces::start_when_asked;
use crate::app::panels::field::{Field as Shown, Sheet, small_button};
use crate::document::Problem;
use crate::persona::form::{Change, Field, Form, List, unmeasured_field, unmeasured_tone};

/// How many entries of a list are shown at once.
const SHOWN: usize = 200;

/// How long typing rests before a trait has its examples.
const REST: Duration = Duration::from_millis(700);

/// With more exemplars than these they are folded on a narrow screen.
const FEW: usize = 3;

/// What the parts of the form need.
#[derive(Clone, Copy)]
struct Desk {
    sheet: Sheet<Form>,
    form: Derived<Arc<Form>>,
}

impl Desk {
    /// What is typed in a field, one step of undo.
    fn set(self, field: Field, typed: String) {
        self.change(&format!("{field:?}"), &Change::Field(field, typed));
    }

    /// What is typed in an entry of a list, one step of undo.
    fn set_entry(self, list: List, index: usize, typed: String) {
        let gesture = format!("{list:?} {index}");
        self.change(&gesture, &Change::Entry(list, index, typed));
    }

    fn change(self, gesture: &str, change: &Change) {
        let form = self.form.get_untracked();
        self.sheet.change(gesture, |_| form.apply(change));
    }

    /// A change that is a step of undo by itself.
    fn change_once(self, change: &Change) {
        let form = self.form.get_untracked();
        self.sheet.change_once(|_| form.apply(change));
    }

    fn count(self, list: List) -> Memo<usize> {
        Memo::new(move |_| self.form.with(|form| form.list(list).len()))
    }
}

/// The form; where the text is no persona, what to do about it.
#[component]
pub fn PersonaForm(
    /// Whose persona it is.
    model: Model,
    /// The problems of its text.
    problems: Signal<Vec<Problem>>,
) -> impl IntoView {
    let desk = model.desk;
    let text = desk.text("persona");
    let is_blank = Memo::new(move |_| text.with(|text| text.trim().is_empty()));
    let is_there = Memo::new(move |_| model.form.with(Option::is_some));
    let start = move || {
        desk.edit("persona", "start", |_| {
            Form::default().apply(&Change::Start)
        });
        desk.settle();
        desk.face.set(Face::Form);
        request_animation_frame(|| field::focus("persona-name"));
    };
    start_when_asked(desk, start);
    view! {
        {live(move || if is_blank.get() {
            view! {
                <div class="form-empty">
                    <p>"Describe a voice by hand, or paste a persona anywhere on this page."</p>
                    <button type="button" data-testid="persona-start" on:click=move |_| start()>"Start a persona"</button>
                </div>
            }.into_any()
        } else if is_there.get() {
            let sheet = Sheet::new(desk, "persona", model.form, problems);
            fields(Desk { sheet, form: sheet.form })
        } else {
            view! {
                <p class="form-empty" role="status">
                    "The text is not a persona as it stands. Once it is, the form shows it again."
                </p>
            }.into_any()
        })}
    }
}

fn fields(desk: Desk) -> AnyView {
    let line = move |label: &'static str, hook: &'static str, field: Field| {
        let path = desk
            .form
            .with_untracked(|form| form.field(field).path.clone());
        view! {
            <label>
                <span>{label}</span>
                {desk.sheet.line(
                    Shown::at_once(label, hook),
                    path,
                    move |form| form.field(field).text.clone(),
                    move |typed| desk.set(field, typed),
                )}
            </label>
        }
        .into_any()
    };
    let description = desk.sheet.area(
        Shown::at_once("Description", "persona-description"),
        2,
        "description",
        |form| form.field(Field::Description).text.clone(),
        move |typed| desk.set(Field::Description, typed),
    );
    view! {
        <div class="form persona-form" data-testid="persona-form">
            <div class="form-lines">
                {line("Name", "persona-name", Field::Name)}
                {line("Id", "persona-id", Field::Id)}
            </div>
            <div class="form-field">
                <label for="persona-description">"Description"</label>
                {description}
            </div>
            <div class="form-lines">
                {choice(desk, "Formality", "persona-formality", Field::Formality, &["formal", "business_casual", "casual"])}
                {choice(desk, "Verbosity", "persona-verbosity", Field::Verbosity, &["concise", "balanced", "detailed"])}
            </div>
            {words(desk, List::Tone, "Tone", "tone")}
            {traits_by_examples(desk)}
            {texts(desk, EXEMPLARS)}
            {words(desk, List::Preferred, "Preferred words", "preferred")}
            {words(desk, List::Avoided, "Avoided words", "avoided")}
            {texts(desk, OFF_BRAND)}
        </div>
    }
    .into_any()
}

/// One of some words, or what stands there instead.
fn choice(
    desk: Desk,
    label: &'static str,
    hook: &'static str,
    field: Field,
    words: &'static [&'static str],
) -> AnyView {
    let held = Memo::new(move |_| desk.form.with(|form| form.field(field).text.clone()));
    let path = desk
        .form
        .with_untracked(|form| form.field(field).path.clone());
    let is_wrong = move || desk.sheet.is_wrong(&path).to_string();
    let options = move || {
        let held = held.get();
        let known = words.contains(&held.as_str()) || held.is_empty();
        let other = (!known)
            .then(|| view! { <option selected=true value=held.clone()>{held.clone()}</option> });
        let options = words.iter().map(|word| {
            view! { <option value=*word selected=held == *word>{word.replace('_', " ")}</option> }
        });
        view! {
            <option value="" selected=held.is_empty()>"not declared"</option>
            {options.collect_view()}
            {other}
        }
        .into_any()
    };
    let pick = move |event| desk.change_once(&Change::Field(field, event_target_value(&event)));
    let unmeasured = move || {
        let found = unmeasured_field(field, &held.get())?;
        let like = found.like.map(|like| {
            let take = move |_| desk.change_once(&Change::Field(field, like.to_owned()));
            let hook = format!("{hook}-like");
            view! { <button type="button" data-testid=hook on:click=take>"Read it as "{like.replace('_', " ")}</button> }
        });
        Some(view! { <small class="unmeasured-why">"Not measured. "</small>{like} })
    };
    view! {
        <div>
        <label>
            <span>{label}</span>
            <select data-testid=hook aria-invalid=is_wrong prop:value=move || held.get() on:change=pick>
                {live(options)}
            </select>
        </label>
        <span class="unmeasured-field">{live(unmeasured)}</span>
        </div>
    }
    .into_any()
}

/// A heading over a list, and how long it is.
fn bar(label: &'static str, count_of: Memo<usize>, noun: &'static str) -> impl IntoView {
    view! {
        <h2>{label}</h2>
        <span class="muted">{live(move || count(count_of.get(), noun))}</span>
    }
}

/// The first entries of so many, and how many more there are.
fn shown<V: IntoView>(count: usize, entry: impl Fn(usize) -> V) -> AnyView {
    let entries = (0..count.min(SHOWN)).map(entry);
    view! { {entries.collect_view()}{more(count)} }.into_any()
}

fn more(count: usize) -> Option<AnyView> {
    let more = count.saturating_sub(SHOWN);
    (more > 0).then(|| view! { <li class="muted">{more}" more are in the text."</li> }.into_any())
}

/// Short texts: words to prefer, to avoid, of tone.
fn words(desk: Desk, list: List, label: &'static str, hook: &'static str) -> AnyView {
    let count = desk.count(list);
    let entry = move |index: usize| {
        let path = desk
            .form
            .with_untracked(|form| form.list(list).get(index).map(|entry| entry.path.clone()));
        let why = Memo::new(move |_| {
            desk.form.with(|form| {
                let word = text_of(form, list, index);
                let is_open = list == List::Tone && !form.is_taught(&word);
                is_open
                    .then(|| unmeasured_tone(&word))
                    .flatten()
                    .map(|found| found.why)
            })
        });
        view! {
            <li class:unmeasured=move || why.with(Option::is_some)>
                {desk.sheet.line(
                    Shown::at_once(format!("{label}, {}", index + 1), format!("{hook}-{index}")),
                    path.unwrap_or_default(),
                    move |form| text_of(form, list, index),
                    move |typed| desk.set_entry(list, index, typed),
                )}
                {live(move || why.get().map(|why| view! { <small class="unmeasured-why" title=why>"not measured"</small> }))}
                {small_button(format!("Remove entry {} of {label}", index + 1), "×", move || desk.change_once(&Change::Remove(list, index)))}
            </li>
        }
    };
    let add = move |event: leptos::ev::Event| {
        let typed = event_target_value(&event);
        if !typed.trim().is_empty() {
            desk.change_once(&Change::Add(list, typed.trim().to_owned()));
            field::clear(&format!("add-{hook}"));
        }
    };
    let entries = move || shown(count.get(), entry);
    view! {
        <div class="form-field">
            <div class="form-bar">{bar(label, count, "word")}</div>
            <ul class="entries">{live(entries)}</ul>
            <input
                type="text"
                class="plain add"
                autocomplete="off"
                spellcheck="false"
                id=format!("add-{hook}")
                data-testid=format!("add-{hook}")
                aria-label=format!("Add to {label}")
                placeholder="Add one…"
                on:change=add
            />
        </div>
    }
    .into_any()
}

fn text_of(form: &Form, list: List, index: usize) -> String {
    let entry = form.list(list).get(index);
    entry.map(|entry| entry.text.clone()).unwrap_or_default()
}

/// The words that no detector knows, each with texts that show it: what it is told by.
fn traits_by_examples(desk: Desk) -> AnyView {
    let words = rested(Memo::new(move |_| {
        desk.form.with(|form| form.taught().to_vec())
    }));
    let traits = move || {
        let words = words.get();
        let traits = words.iter().enumerate();
        let traits = traits.map(|(at, word)| trait_examples(desk, at, &word.replace('_', " ")));
        let traits = traits.collect::<Vec<_>>();
        (!traits.is_empty()).then(|| {
            view! {
                <div class="form-field trait-examples" data-testid="trait-examples">
                    <h2>{explained("Traits by examples", "trait_examples")}</h2>
                    <p class="muted">
                        "Two or three replies that show a trait, and it is told by them: beside the score, never in it. A word that no detector knows needs this."
                    </p>
                    {traits}
                </div>
            }
        })
    };
    view! { {live(traits)} }.into_any()
}

/// The words once typing rests: one that is half typed is none yet. One that is gone goes at once.
fn rested(words: Memo<Vec<String>>) -> RwSignal<Vec<String>> {
    let rested = RwSignal::new(words.get_untracked());
    let mut rest = debounce(REST, move |()| {
        if let Some(words) = words.try_get_untracked() {
            rested.try_set(words);
        }
    });
    effect(move || {
        let words = words.get();
        // one that is typed is at one place; where others stand elsewhere, so do their examples
        let is_typed = rested.with_untracked(|rested| {
            let both = rested.iter().zip(&words);
            let others = both.filter(|(old, new)| old != new).count();
            words.len() >= rested.len() && others + (words.len() - rested.len()) <= 1
        });
        if !is_typed {
            rested.set(words);
        } else if rested.with_untracked(|rested| *rested != words) {
            rest(());
        }
    });
    rested
}

/// The texts that show a trait.
fn trait_examples(desk: Desk, at: usize, word: &str) -> AnyView {
    let list = List::Examples(at);
    let count = desk.count(list);
    let label = word.to_owned();
    let entry = move |index: usize| {
        let path = desk
            .form
            .with_untracked(|form| form.list(list).get(index).map(|entry| entry.path.clone()));
        let (number, hook) = (index + 1, format!("trait-{at}-{index}"));
        view! {
            <li>
                {desk.sheet.area(
                    Shown::at_once(format!("{label}, example {number}"), hook),
                    1,
                    path.unwrap_or_default(),
                    move |form| text_of(form, list, index),
                    move |typed| desk.set_entry(list, index, typed),
                )}
                {small_button(format!("Remove example {number} of {label}"), "×", move || desk.change_once(&Change::Remove(list, index)))}
            </li>
        }
    };
    let add = move |_| {
        let index = count.get_untracked();
        desk.change_once(&Change::Add(list, String::new()));
        request_animation_frame(move || field::focus(&format!("trait-{at}-{index}")));
    };
    let entries = move || shown(count.get(), &entry);
    view! {
        <h3 class="trait-word"><bdi>{word.to_owned()}</bdi></h3>
        <ol class="exemplars">{live(entries)}</ol>
        <button type="button" data-testid=format!("add-trait-{at}") on:click=add>
            "Add an example of "<bdi>{word.to_owned()}</bdi>
        </button>
    }
    .into_any()
}

/// A list of whole texts.
#[derive(Clone, Copy)]
struct Texts {
    list: List,
    label: &'static str,
    /// One of them.
    one: &'static str,
    hook: &'static str,
    /// Shown with it.
    note: &'static str,
}

const EXEMPLARS: Texts = Texts {
    list: List::Exemplars,
    label: "Exemplars",
    one: "exemplar",
    hook: "exemplar",
    note: "",
};

const OFF_BRAND: Texts = Texts {
    list: List::OffBrand,
    label: "Off brand",
    one: "off-brand text",
    hook: "off-brand",
    note: "Texts that the persona does not sound like. The voice learns from them.",
};

fn texts(desk: Desk, texts: Texts) -> AnyView {
    let Texts {
        list,
        label,
        one,
        hook,
        note,
    } = texts;
    let count = desk.count(list);
    let add = move |_| {
        let index = count.get_untracked();
        desk.change_once(&Change::Add(list, String::new()));
        request_animation_frame(move || field::focus(&format!("{hook}-{index}")));
    };
    let shift = move |from: usize, to: usize| desk.change_once(&Change::Move { list, from, to });
    let entry = move |index: usize| {
        let path = desk
            .form
            .with_untracked(|form| form.list(list).get(index).map(|entry| entry.path.clone()));
        let number = index + 1;
        view! {
            <li>
                {desk.sheet.area(
                    Shown::at_once(sentence(&format!("{one} {number}")), format!("{hook}-{index}")),
                    1,
                    path.unwrap_or_default(),
                    move |form| text_of(form, list, index),
                    move |typed| desk.set_entry(list, index, typed),
                )}
                <span class="minis">
                    {small_button(format!("Move {one} {number} up"), "↑", move || shift(index, index.saturating_sub(1)))}
                    {small_button(format!("Move {one} {number} down"), "↓", move || shift(index, index + 1))}
                    {small_button(format!("Remove {one} {number}"), "×", move || desk.change_once(&Change::Remove(list, index)))}
                </span>
            </li>
        }
    };
    let entries = move || shown(count.get(), entry);
    let note = (!note.is_empty()).then(|| view! { <p class="muted">{note}</p> });
    // many long texts would keep the transcript and the result out of reach
    let is_folded = field::is_narrow() && count.get_untracked() > FEW;
    view! {
        <details class="form-field exemplar-fold" open=!is_folded data-testid=format!("{hook}s")>
            <summary class="form-bar">{bar(label, count, "text")}</summary>
            {note}
            <ol class="exemplars">{live(entries)}</ol>
            <button type="button" data-testid=format!("add-{hook}") on:click=add>
                "Add "{one}
            </button>
        </details>
    }
    .into_any()
}
