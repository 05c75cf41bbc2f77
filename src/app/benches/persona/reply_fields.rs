//! The fields that choose and order the replies.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::json;

use super::choice::{Bound, Choice, Chosen, Hit, Judged, Order, Score, offered};
use super::drafting::EXAMPLES;
use super::model::Model;
use crate::app::browser::field;
use crate::app::derived::live;
use crate::app::format::{grouped, name, short};
use crate::persona::TurnResult;

/// The list that they choose from.
pub const LIST: &str = "replies-list";
/// The most sessions and tags that are offered; a search finds the others.
const MOST: usize = 500;
/// A bound that nobody has set yet: where a voice is as likely the one as the other.
const BOUND: f64 = 0.5;

const ORDERS: [(&str, &str, Order); 4] = [
    ("worst", "Worst first", Order::Worst),
    ("best", "Best first", Order::Best),
    ("transcript", "In their order", Order::Transcript),
    ("length", "Longest first", Order::Length),
];

const HITS: [(&str, &str, Hit); 7] = [
    ("violation", "Breaks a rule", Hit::Violation),
    ("avoided", "Has an avoided word", Hit::Avoided),
    ("preferred", "Has a preferred word", Hit::Preferred),
    ("missed", "Lacks a trait", Hit::Missed),
    ("unread", "Cannot be read", Hit::Unread),
    (
        "doubted",
        "Second opinion differs from the rules",
        Hit::Doubted,
    ),
    ("nothing", "No rule and no word", Hit::Nothing),
];

const BOUNDS: [(&str, &str, (Score, bool)); 4] = [
    ("voice-most", "Voice at most", (Score::Voice, true)),
    ("voice-least", "Voice at least", (Score::Voice, false)),
    (
        "authenticity-most",
        "Authenticity at most",
        (Score::Authenticity, true),
    ),
    (
        "authenticity-least",
        "Authenticity at least",
        (Score::Authenticity, false),
    ),
];

const LABELS: [(&str, &str, Judged); 3] = [
    ("on", "Labelled on brand", Judged::On),
    ("off", "Labelled off brand", Judged::Off),
    ("not", "Not labelled", Judged::Not),
];

/// All of them, with how many replies are chosen.
pub fn fields(model: Model, chosen: Chosen) -> impl IntoView {
    let now = chosen.choice;
    let offer = Memo::new(move |_| {
        let scored = model.scored.get();
        scored.result.as_ref().map(offered).unwrap_or_default()
    });
    let find = move |event: leptos::ev::Event| {
        let words = event_target_value(&event).trim().to_lowercase();
        choose(chosen, |choice| choice.words = words);
    };
    let order = Field {
        label: "Order of the replies",
        hook: "reply-order",
        all: "",
        now: |choice: &Choice| Some(choice.order),
        set: |choice: &mut Choice, order| choice.order = order.unwrap_or_default(),
    };
    let hit = Field {
        label: "What was found in them",
        hook: "reply-hit",
        all: "Whatever was found",
        now: |choice: &Choice| choice.hit,
        set: |choice: &mut Choice, hit| choice.hit = hit,
    };
    let judged = Field {
        label: "Label",
        hook: "reply-label",
        all: "All labels",
        now: |choice: &Choice| choice.judged,
        set: |choice: &mut Choice, judged| choice.judged = judged,
    };
    let labels = move || {
        offer
            .with(|(_, has)| *has)
            .then(|| judged.view(chosen, &LABELS))
    };
    view! {
        <div class="turn-tools">
            {order.view(chosen, &ORDERS)}
            {session_field(model, chosen)}
            {bound_field(chosen)}
            {hit.view(chosen, &HITS)}
            {tag_field(chosen, offer)}
            {live(labels)}
            <input
                type="text"
                aria-label="Find in replies and what they answer"
                placeholder="Find in replies and prompts"
                data-testid="reply-find"
                prop:value=move || now.with(|choice| choice.words.clone())
                on:input=find
            />
            <span class="muted" role="status" data-testid="reply-count">{counted(model, chosen)}</span>
            <button type="button" class="quiet" data-testid="draft-of-replies" on:click=move |_| draft_of(model, chosen)>
                "Draft a persona from these"
            </button>
        </div>
    }
}

/// Takes the replies that are chosen as the examples of a draft.
fn draft_of(model: Model, chosen: Chosen) {
    let texts = model.scored.with_untracked(|scored| {
        let result = scored.result.as_ref()?;
        let places = chosen.places.get_untracked();
        let turns = places.iter().filter_map(|place| place.of(result));
        let row = |turn: &TurnResult| match turn.label {
            Some(is_on) => json!({ "text": &*turn.text, "label": u8::from(is_on) }),
            None => json!({ "text": &*turn.text }),
        };
        Some(
            turns
                .map(|turn| row(turn).to_string() + "\n")
                .collect::<String>(),
        )
    });
    let desk = model.desk;
    desk.settle();
    desk.edit(EXAMPLES, "examples", |_| texts.clone());
    desk.settle();
    model.is_drafting.set(true);
    desk.is_folded.set(false);
    request_animation_frame(|| field::focus("draft-start"));
}

/// Chooses otherwise, and goes to the first of the replies.
fn choose(chosen: Chosen, change: impl FnOnce(&mut Choice)) {
    chosen.choice.update(change);
    field::back_to(LIST);
}

/// `12 of 136 replies`.
fn counted(model: Model, chosen: Chosen) -> Memo<String> {
    Memo::new(move |_| {
        let all = model.scored.with(|scored| {
            let sessions = scored.result.iter().flat_map(|result| &result.sessions);
            sessions.map(|session| session.turns.len()).sum::<usize>()
        });
        words(chosen.places.with(|places| places.len()), all)
    })
}

fn words(chosen: usize, all: usize) -> String {
    let noun = if all == 1 { "reply" } else { "replies" };
    let all_words = format!("{} {noun}", grouped(all));
    if chosen == all {
        all_words
    } else {
        format!("{} of {all_words}", grouped(chosen))
    }
}

/// A list of choices.
#[derive(Clone, Copy)]
struct Field<T> {
    label: &'static str,
    hook: &'static str,
    /// What nothing chosen is called; empty where something always is.
    all: &'static str,
    now: fn(&Choice) -> Option<T>,
    set: fn(&mut Choice, Option<T>),
}

impl<T: Copy + PartialEq + Send + Sync + 'static> Field<T> {
    fn view(self, chosen: Chosen, each: &'static [(&'static str, &'static str, T)]) -> AnyView {
        let Self { now, set, .. } = self;
        let value = move || {
            let now = chosen.choice.with(now);
            let known = each.iter().find(|(.., value)| Some(*value) == now);
            known.map_or("", |(name, ..)| name)
        };
        let change = move |event| {
            let typed: String = event_target_value(&event);
            let known = each.iter().find(|(name, ..)| *name == typed);
            let value = known.map(|(.., value)| *value);
            choose(chosen, |choice| set(choice, value));
        };
        let options = each.iter().map(|(name, label, _)| {
            view! { <option value=*name>{*label}</option> }
        });
        let all = (!self.all.is_empty()).then(|| view! { <option value="">{self.all}</option> });
        view! {
            <select aria-label=self.label data-testid=self.hook prop:value=value on:change=change>
                {all}
                {options.collect_view()}
            </select>
        }
        .into_any()
    }
}

/// How a field of the choice is read and set.
type Accessors = (
    fn(&Choice) -> Option<Arc<str>>,
    fn(&mut Choice, Option<Arc<str>>),
);

/// A list of names that are the input's own; nothing where there are fewer than `least`.
fn names_field(
    chosen: Chosen,
    (label, hook, all): (&'static str, &'static str, &'static str),
    names: Memo<Vec<Arc<str>>>,
    least: usize,
    (now, set): Accessors,
) -> AnyView {
    let change = move |event| {
        let at: Option<usize> = event_target_value(&event).parse().ok();
        let name = at.and_then(|at| names.with_untracked(|names| names.get(at).cloned()));
        choose(chosen, |choice| set(choice, name));
    };
    live(move || {
        let all_names = names.get();
        if all_names.len() < least {
            return None;
        }
        let options = all_names.iter().enumerate().map(|(at, known)| {
            view! { <option value=at.to_string()>{name(known)}</option> }
        });
        let options = options.collect_view();
        let value = move || {
            let now = chosen.choice.with(now);
            let at = now.and_then(|now| all_names.iter().position(|known| *known == now));
            at.map(|at| at.to_string()).unwrap_or_default()
        };
        Some(view! {
            <select aria-label=label data-testid=hook prop:value=value on:change=change>
                <option value="">{all}</option>
                {options}
            </select>
        })
    })
    .into_any()
}

fn session_field(model: Model, chosen: Chosen) -> AnyView {
    let sessions = Memo::new(move |_| {
        model.scored.with(|scored| {
            let sessions = scored.result.iter().flat_map(|result| &result.sessions);
            let ids = sessions.map(|session| Arc::from(&*session.session_id));
            ids.take(MOST).collect::<Vec<Arc<str>>>()
        })
    });
    let set = |choice: &mut Choice, session| choice.session = session;
    let named = ("Session", "reply-session", "All sessions");
    names_field(
        chosen,
        named,
        sessions,
        2,
        (|choice| choice.session.clone(), set),
    )
}

fn tag_field(chosen: Chosen, offer: Memo<(Vec<Arc<str>>, bool)>) -> AnyView {
    let tags = Memo::new(move |_| {
        let first = |tags: &Vec<Arc<str>>| tags.iter().take(MOST).cloned().collect::<Vec<_>>();
        offer.with(|(tags, _)| first(tags))
    });
    let set = |choice: &mut Choice, tag| choice.tag = tag;
    let named = ("Tag", "reply-tag", "All tags");
    names_field(chosen, named, tags, 1, (|choice| choice.tag.clone(), set))
}

/// A score, on which side of a bound, and the bound.
fn bound_field(chosen: Chosen) -> impl IntoView {
    let field = Field {
        label: "Score",
        hook: "reply-bound",
        all: "Any score",
        now: |choice: &Choice| choice.bound.map(|bound| (bound.score, bound.is_most)),
        set: |choice: &mut Choice, side: Option<(Score, bool)>| {
            let at = choice.bound.map_or(BOUND, |bound| bound.at);
            choice.bound = side.map(|(score, is_most)| Bound { score, is_most, at });
        },
    };
    let is_bound = Memo::new(move |_| chosen.choice.with(|choice| choice.bound.is_some()));
    let set = move |event: leptos::ev::Event| {
        let typed = event_target_value(&event)
            .trim()
            .replace(',', ".")
            .parse::<f64>();
        let typed = typed.ok().filter(|at| (0.0..=1.0).contains(at));
        let now = chosen.choice.with_untracked(|choice| choice.bound);
        if let (Some(at), Some(bound)) = (typed, now) {
            choose(chosen, |choice| choice.bound = Some(Bound { at, ..bound }));
        }
    };
    let number = move || {
        is_bound.get().then(|| {
            let at = chosen.choice.with_untracked(|choice| choice.bound);
            let at = at.map_or(BOUND, |bound| bound.at);
            view! {
                <input
                    type="text"
                    inputmode="decimal"
                    class="bound"
                    aria-label="Bound of the score, 0 to 1"
                    data-testid="reply-bound-at"
                    value=short(at)
                    on:input=set
                />
            }
        })
    };
    view! { {field.view(chosen, &BOUNDS)}{live(number)} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_counted() {
        assert_eq!(words(136, 136), "136 replies");
        assert_eq!(words(12, 1360), "12 of 1,360 replies");
        assert_eq!(words(1, 1), "1 reply");
        assert_eq!(words(0, 1), "0 of 1 reply");
    }
}
