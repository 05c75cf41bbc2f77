//! The user's own rules of safety as a form, a field to try a sentence in, and the way from a match
//! to its exception.

use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use crate::app::derived::{Derived, live};
use crate::app::desk::Desk;
use crate::app::panels::evidence::{self, Mark};
use crate::app::panels::field::small_button;
use crate::persona::{
    CATEGORIES, Item, ItemKind, Match, RulesChange, RulesForm, Tryout, TurnResult, Violation,
    ViolationSeverity,
};
use crate::text::Shown;

/// The input that holds them.
const INPUT: &str = "safety";
/// So many are shown; the others are in the text.
const MOST: usize = 100;
/// A sentence to try is at most so many characters long: it is read at every letter.
const LONGEST: &str = "2000";

#[derive(Clone, Copy)]
struct Rules {
    model: Model,
    form: Derived<Option<Arc<RulesForm>>>,
}

impl Rules {
    fn item<T>(self, at: usize, read: impl Fn(&Item) -> T) -> Option<T> {
        let form = self.form.get();
        Some(read(form.as_ref().as_ref()?.items.get(at)?))
    }

    fn change(self, change: &RulesChange) {
        apply(self.model, change);
    }
}

/// Changes the rules in a step of undo of its own, or says why it cannot.
fn apply(model: Model, change: &RulesChange) -> bool {
    let edit = |text: &str| RulesForm::read(text)?.apply(change);
    let is_done = model.desk.edit(INPUT, "rules", edit);
    model.desk.settle();
    if !is_done {
        let words = "The safety rules cannot be changed by the form as they are written. Change their text.";
        model.host.notices.warn(words);
    }
    is_done
}

fn form_of(desk: Desk) -> Derived<Option<Arc<RulesForm>>> {
    let text = desk.text(INPUT);
    Derived::new(move || text.with(|text| RulesForm::read(text).map(Arc::new)))
}

/// The list of rules, and the field to try them.
#[component]
pub fn RulesPanel(
    /// Whose rules they are.
    model: Model,
) -> impl IntoView {
    let rules = Rules {
        model,
        form: form_of(model.desk),
    };
    // drawn anew only where an item comes, goes or becomes another
    let kinds = Memo::new(move |_| {
        rules.form.with(|form| {
            let form = form.as_ref()?;
            Some(form.items.iter().map(|item| item.kind).collect::<Vec<_>>())
        })
    });
    let list = move || {
        let Some(kinds) = kinds.get() else {
            let words = "The text below is not a list of rules as it stands. Once it is, the form shows it.";
            return view! { <p class="form-empty" role="status">{words}</p> }.into_any();
        };
        let more = kinds.len().saturating_sub(MOST);
        let items = kinds.into_iter().take(MOST).enumerate();
        let items = items.map(|(at, kind)| item_view(rules, at, kind));
        let more =
            (more > 0).then(|| view! { <li class="muted">{more}" more are in the text."</li> });
        view! { <ol class="rules-list">{items.collect_view()}{more}</ol> }.into_any()
    };
    let add = move |event: leptos::ev::Event| {
        let words = lines(&event_target_value(&event));
        if !words.is_empty() {
            rules.change(&RulesChange::AddRule(words));
            crate::app::browser::field::clear("add-rule");
        }
    };
    view! {
        <div class="form rules-form" data-testid="rules-form">
            <div class="form-bar"><h2>"Your safety rules"</h2><span class="muted">"beside the built-in ones"</span></div>
            {live(list)}
            <input type="text" class="plain add" autocomplete="off" id="add-rule" data-testid="add-rule"
                aria-label="Add a rule: words to look for" placeholder="Add a rule: words to look for…" on:change=add />
            {try_field(model.desk)}
        </div>
    }
}

/// What is typed a line each; blank lines are none.
fn lines(typed: &str) -> Vec<String> {
    let lines = typed.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[expect(clippy::too_many_lines, reason = "one item with all its fields")]
fn item_view(rules: Rules, at: usize, kind: ItemKind) -> AnyView {
    let number = at + 1;
    let category = select(
        (
            format!("Category of rule {number}"),
            format!("rule-{at}-category"),
        ),
        (kind == ItemKind::Except).then_some("any category"),
        CATEGORIES.to_vec(),
        move || {
            rules
                .item(at, |item| item.category.clone())
                .unwrap_or_default()
        },
        move |typed| rules.change(&RulesChange::Category(at, typed)),
    );
    let severity = (kind != ItemKind::Except).then(|| {
        select(
            (
                format!("Severity of rule {number}"),
                format!("rule-{at}-severity"),
            ),
            None,
            ViolationSeverity::ALL.map(ViolationSeverity::word).to_vec(),
            move || {
                rules
                    .item(at, |item| item.severity.clone())
                    .unwrap_or_default()
            },
            move |typed| rules.change(&RulesChange::Severity(at, typed)),
        )
    });
    let sought = match kind {
        ItemKind::Words => "Words, one a line",
        ItemKind::Pattern => "Regular expression",
        ItemKind::Except => "Never a violation, one a line",
    };
    let sought = area(
        (sought, number, format!("rule-{at}-sought")),
        move || {
            rules
                .item(at, |item| item.sought.join("\n"))
                .unwrap_or_default()
        },
        move |typed| {
            // a rule without words would be none
            if !typed.is_empty() {
                rules.change(&RulesChange::Sought(at, typed));
            }
        },
    );
    let exceptions = (kind != ItemKind::Except).then(|| {
        let label = if kind == ItemKind::Pattern {
            "Exceptions (expressions), one a line"
        } else {
            "Exceptions, one a line"
        };
        area(
            (label, number, format!("rule-{at}-exceptions")),
            move || {
                rules
                    .item(at, |item| item.exceptions.join("\n"))
                    .unwrap_or_default()
            },
            move |typed| rules.change(&RulesChange::Exceptions(at, typed)),
        )
    });
    view! {
        <li data-testid="rule">
            <div class="rule-head">
                {category}
                {severity}
                {small_button(format!("Remove rule {number}"), "×", move || rules.change(&RulesChange::Remove(at)))}
            </div>
            <div class="rule-texts">{sought}{exceptions}</div>
        </li>
    }
    .into_any()
}

/// One of some words; what stands there and is none of them is kept and shown.
fn select(
    (label, hook): (String, String),
    none: Option<&'static str>,
    words: Vec<&'static str>,
    held: impl Fn() -> String + Send + Sync + 'static,
    pick: impl Fn(String) + Send + Sync + 'static,
) -> AnyView {
    let held = Memo::new(move |_| held());
    let options = move || {
        let held = held.get();
        let is_other = !(words.contains(&held.as_str()) || held.is_empty() && none.is_some());
        let other = is_other
            .then(|| view! { <option selected=true value=held.clone()>{held.clone()}</option> });
        let none =
            none.map(|none| view! { <option value="" selected=held.is_empty()>{none}</option> });
        let options = words.iter().map(|word| {
            view! { <option value=*word selected=held == *word>{word.replace('_', " ")}</option> }
        });
        view! { {none}{options.collect_view()}{other} }.into_any()
    };
    let change = move |event| {
        let typed: String = event_target_value(&event);
        if !typed.is_empty() {
            pick(typed);
        }
    };
    view! {
        <select data-testid=hook aria-label=label prop:value=move || held.get() on:change=change>{live(options)}</select>
    }
    .into_any()
}

/// Lines that count when the field is left.
fn area(
    (label, number, hook): (&'static str, usize, String),
    value: impl Fn() -> String + Send + Sync + 'static,
    commit: impl Fn(Vec<String>) + Send + Sync + 'static,
) -> AnyView {
    let value = Memo::new(move |_| value());
    view! {
        <label>
            <span>{label}</span>
            <textarea rows="2" spellcheck="false" data-testid=hook aria-label=format!("{label}, rule {number}")
                prop:value=move || value.get()
                on:change=move |event| commit(lines(&event_target_value(&event)))></textarea>
        </label>
    }
    .into_any()
}

fn try_field(desk: Desk) -> AnyView {
    let typed = RwSignal::new(String::new());
    let text = desk.text(INPUT);
    // made ready when the rules have changed, and not at every letter
    let ready = StoredValue::new(None::<(Arc<str>, Tryout)>);
    let matches = move |sentence: &str| {
        let rules: Arc<str> = text.with(|rules| rules.as_ref().into());
        let is_ready = ready.with_value(|ready| ready.as_ref().is_some_and(|(of, _)| *of == rules));
        if !is_ready {
            let tryout = Tryout::new(&rules);
            ready.set_value(Some((rules, tryout)));
        }
        ready.with_value(|ready| {
            let found = ready.as_ref().map(|(_, tryout)| tryout.matches(sentence));
            found.unwrap_or_default()
        })
    };
    let found = move || {
        let sentence = typed.get();
        if sentence.trim().is_empty() {
            return ().into_any();
        }
        let found = matches(&sentence);
        if found.is_empty() {
            return view! { <p class="muted">"No rule matches."</p> }.into_any();
        }
        let items = found
            .iter()
            .map(|found| found_item(&sentence, found))
            .collect_view();
        view! {
            {evidence::marked(&sentence, &marks(&found))}
            <ul class="traits">{items}</ul>
        }
        .into_any()
    };
    view! {
        <div class="form-field">
            <label for="try-sentence">"Try a sentence"</label>
            <textarea id="try-sentence" data-testid="try-sentence" rows="2" maxlength=LONGEST
                placeholder="Which rules match, and what excuses it, is shown as you type."
                on:input=move |event| typed.set(event_target_value(&event))></textarea>
            <div class="tried" data-testid="tried" aria-live="polite">{live(found)}</div>
        </div>
    }
    .into_any()
}

fn marks(found: &[Match]) -> Vec<Mark> {
    let mark = |found: &Match| Mark {
        start: found.violation.start,
        end: found.violation.end,
        class: if found.excuse.is_some() {
            "trait"
        } else {
            "violation"
        },
        title: said(found),
        tip: None,
    };
    found.iter().map(mark).collect()
}

fn said(found: &Match) -> String {
    let Violation {
        category, severity, ..
    } = &found.violation;
    let what = format!("{} {}", severity.word(), category.replace('_', " "));
    match found.excuse.as_deref() {
        None => what,
        Some("") => format!("{what}, excused by a context"),
        Some(why) => format!("{what}, excused: {why}"),
    }
}

fn words_at(text: &str, violation: &Violation) -> String {
    let length = violation.end - violation.start;
    text.chars().skip(violation.start).take(length).collect()
}

fn found_item(sentence: &str, found: &Match) -> impl IntoView + use<> {
    let (mark, is_excused) = if found.excuse.is_some() {
        ("✓", true)
    } else {
        ("✕", false)
    };
    let words = words_at(sentence, &found.violation);
    view! {
        <li class:missed=!is_excused data-excused=is_excused.to_string()>
            <span aria-hidden="true">{mark}</span>" “"{Shown(&words).to_string()}"” "<strong>{said(found)}</strong>
            <small>{Shown(&found.violation.pattern).to_string()}</small>
        </li>
    }
}

/// What rules caught in a reply, each with the way to its exception.
pub fn caught(model: Model, turn: &TurnResult) -> Vec<AnyView> {
    let item = |(at, violation): (usize, &Violation)| {
        let words = words_at(&turn.text, violation);
        let category = violation.category.clone();
        let change = RulesChange::Except {
            category: Some(category.clone()),
            words: words.clone(),
        };
        let except = move |_| {
            if apply(model, &change) {
                let said = "These words are no violation any more. They stand in your safety rules; Undo takes that back.";
                model.host.notices.say(said);
            }
        };
        let (label, words) = (
            format!("Except “{}”", Shown(&words)),
            Shown(&words).to_string(),
        );
        view! {
            <li class="missed">
                <strong>{violation.severity.word()}" "{category.replace('_', " ")}</strong>" “"{words}"” "
                <button type="button" class="small" data-testid=format!("except-{at}") aria-label=label on:click=except>"Not a violation"</button>
                <small>{Shown(&violation.pattern).to_string()}</small>
            </li>
        }
        .into_any()
    };
    turn.violations.iter().enumerate().map(item).collect()
}
