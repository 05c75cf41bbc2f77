//! The replies, worst first: what each says and answers, its scores, and why it stands where it
//! stands. One opens at a time, and keys go on from it.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::choice::{Chosen, Opened, Place};
use super::model::{Model, Waiting};
use super::reply::{explanation, taught_why, whole};
use super::reply_fields::{LIST, fields};
use super::rules::caught;
use super::second::opinion;
use super::voice::Heard;
use crate::app::browser::events;
use crate::app::browser::field::{self, Place as Slot};
use crate::app::derived::{effect, live};
use crate::app::format::{fixed, grouped, measured, name, sentence};
use crate::app::panels::explain::explained;
use crate::app::panels::goal::follow_rows;
use crate::app::panels::section::Section;
use crate::app::panels::unrolled::{Unrolled, Unrolling};
use crate::app::panels::windowed::WHOLE;
use crate::persona::{PersonaResult, TurnResult, reasons, unread_words};

/// A row shows two lines of a reply; more than this does not fit in them.
const SHOWN: usize = 400;

/// A row as it is written into its place.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    id: String,
    /// Session and turn.
    stands: String,
    prompt: String,
    text: String,
    why: String,
    authenticity: (String, String),
    voice: (String, String),
}

/// Names a reply for the program.
fn id(place: Place) -> String {
    format!("{}-{}", place.session, place.turn)
}

impl Row {
    fn of(result: &PersonaResult, place: Place, unheard: &str) -> Option<Self> {
        let turn = place.of(result)?;
        let session = &result.sessions[place.session].session_id;
        let reasons = reasons(turn, result).into_iter();
        let why: Vec<String> = reasons.map(|reason| reason.words).collect();
        let prompt = turn.prompt.as_deref();
        let carried = |value: Option<f64>| value.map(|value| value.to_string());
        let voice = turn.voice.map(|voice| fixed(voice, 2));
        let authenticity = result.judged(turn).authenticity;
        Some(Self {
            id: id(place),
            stands: format!("{} · turn {}", name(session), turn.turn_index),
            prompt: prompt
                .map(|text| format!("To: {}", begun(text)))
                .unwrap_or_default(),
            text: begun(&turn.text),
            why: sentence(&why.join("; ")),
            // a number that says nothing is not shown
            authenticity: (
                measured(authenticity, 2),
                carried(authenticity).unwrap_or_default(),
            ),
            voice: (
                voice.unwrap_or_else(|| unheard.to_owned()),
                carried(turn.voice).unwrap_or_default(),
            ),
        })
    }
}

/// The beginning of a text.
fn begun(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// What stands for a voice that is not there: it is on its way, or there is none.
fn unheard(model: Model) -> &'static str {
    let is_coming = model.heard.with(|heard| *heard == Heard::NotYet);
    if is_coming && model.waiting.get() != Waiting::ToBeAsked {
        "…"
    } else {
        "–"
    }
}

/// The section.
#[component]
pub fn Replies(
    /// Whose result it is.
    model: Model,
    /// Which replies are shown.
    chosen: Chosen,
) -> impl IntoView {
    let list = move || view! { {fields(model, chosen)}{voiceless(model)}{list(model, chosen)} };
    view! {
        <Section
            name="replies"
            title="Replies"
            note="Open one to see what was found in it; n and p go on"
            chart=list
        />
    }
}

/// Why there is no voice.
fn voiceless(model: Model) -> impl IntoView {
    let reason = Memo::new(move |_| model.voiceless());
    live(move || {
        let reason = reason.get()?;
        Some(view! {
            <p class="muted" data-testid="voiceless">
                {explained("Voice", "voice")}" is not measured: "{reason}"."
            </p>
        })
    })
}

fn list(model: Model, chosen: Chosen) -> impl IntoView {
    let unrolling = Unrolling::default();
    let count = Memo::new(move |_| chosen.places.with(|places| places.len()));
    effect(move || {
        let at = chosen.open_at();
        if unrolling.open_at.get_untracked() != at {
            unrolling.open_at.set(at);
        }
    });
    let find = move |row: &str| {
        let is_it = |place: &Place| id(*place) == row;
        chosen.places.with(|places| places.iter().position(is_it))
    };
    follow_rows("replies", find, move |at| {
        go_to(model, chosen, unrolling, at);
    });
    let go = Callback::new(move |is_next: bool| step(model, chosen, unrolling, None, is_next));
    let on_key = move |event: ev::KeyboardEvent| {
        let key = events::key(&event);
        let is_next = match key.key.as_str() {
            _ if key.command || key.alt => return,
            "n" | "j" => true,
            "p" | "k" => false,
            _ => return,
        };
        let from = events::attribute(&event, "data-index").and_then(|at| at.parse().ok());
        step(model, chosen, unrolling, from, is_next);
        event.prevent_default();
    };
    let draw = move |(start, size): (Signal<usize>, usize)| {
        let rows = (0..size).map(|slot| {
            let index = Signal::derive(move || start.get() + slot);
            row(model, chosen, index, go)
        });
        view! { <ol class="reply-rows">{rows.collect_view()}</ol> }.into_any()
    };
    view! {
        <div
            class="replies"
            role="group"
            aria-label="Replies"
            on:click=move |event| press(model, chosen, &event)
            on:keydown=on_key
        >
            <div class="reply-row reply-head">
                <span></span>
                <span>{explained("Authent.", "authenticity")}</span>
                <span>{explained("Voice", "voice")}</span>
            </div>
            <Unrolled id=LIST count unrolling draw foot=move || () />
        </div>
    }
}

/// The reply at a place, ready to be opened.
fn opened(model: Model, place: Place) -> Option<Opened> {
    model.scored.with_untracked(|scored| {
        let text = place.of(scored.result.as_ref()?)?.text.clone();
        Some(Opened { place, text })
    })
}

/// Opens the row that was pressed, or closes it again.
fn press(model: Model, chosen: Chosen, event: &ev::MouseEvent) {
    if events::attribute(event, "data-press").is_none() {
        return;
    }
    let at = events::attribute(event, "data-index").and_then(|at| at.parse::<usize>().ok());
    let place = at.and_then(|at| {
        chosen
            .places
            .with_untracked(|places| places.get(at).copied())
    });
    let pressed = place.and_then(|place| opened(model, place));
    chosen.open.update(|open| {
        *open = if *open == pressed { None } else { pressed };
    });
}

/// Opens the reply after the one that is open, or before it; where none is, the one that has the
/// focus, or the first.
fn step(model: Model, chosen: Chosen, unrolling: Unrolling, from: Option<usize>, is_next: bool) {
    let now = untrack(|| chosen.open_at());
    let at = match (now, is_next) {
        (Some(now), true) => now + 1,
        (Some(now), false) => match now.checked_sub(1) {
            Some(before) => before,
            None => return,
        },
        (None, _) => from.unwrap_or_default(),
    };
    go_to(model, chosen, unrolling, at);
}

/// Opens the reply at a place in the list and brings it into view.
fn go_to(model: Model, chosen: Chosen, unrolling: Unrolling, at: usize) {
    let count = chosen.places.with_untracked(|places| places.len());
    let place = chosen
        .places
        .with_untracked(|places| places.get(at).copied());
    let Some(reply) = place.and_then(|place| opened(model, place)) else {
        return;
    };
    let id = id(reply.place);
    chosen.open.set(Some(reply));
    if count > WHOLE {
        unrolling.go_to(LIST, at);
    }
    // the row is there when the list was drawn anew
    request_animation_frame(move || {
        request_animation_frame(move || {
            field::bring_row_into_view(&format!("#{LIST} "), &id);
        });
    });
}

/// What is written in the place of a row.
const PLACES: [(&str, Slot); 6] = [
    ("[data-slot]", Slot::Text),
    ("", Slot::Attribute("data-row")),
    ("", Slot::Attribute("data-index")),
    ("[data-press]", Slot::Attribute("aria-expanded")),
    (".reply-row > .authenticity", Slot::Attribute("data-value")),
    (".reply-row > .voice", Slot::Attribute("data-value")),
];

/// A place in the list, whatever reply is there; all of it is written by one effect, since a
/// page that scrolls writes every row.
fn row(model: Model, chosen: Chosen, index: Signal<usize>, go: Callback<bool>) -> AnyView {
    let place = Memo::new(move |_| {
        chosen
            .places
            .with(|places| places.get(index.get()).copied())
    });
    let row = Memo::new(move |_| {
        let (place, unheard) = (place.get()?, unheard(model));
        model
            .scored
            .with(|scored| Row::of(scored.result.as_ref()?, place, unheard))
    });
    let open = Memo::new(move |_| {
        let (place, open) = (place.get()?, chosen.open.get()?);
        let is_here = open.place == place && opened_text(model, place).as_ref() == Some(&open.text);
        is_here.then_some(open)
    });
    let item = NodeRef::<leptos::html::Li>::new();
    let slots = StoredValue::new_local(None::<field::Slots>);
    effect(move || {
        let Some(item) = item.get() else {
            return;
        };
        let (at, is_open) = (
            index.get().to_string(),
            open.with(Option::is_some).to_string(),
        );
        row.with(|row| {
            let Some(row) = row else {
                return;
            };
            let texts = [&row.stands, &row.prompt, &row.text, &row.why];
            let figures = [&row.authenticity.0, &row.voice.0];
            let carried = [&row.id, &at, &is_open, &row.authenticity.1, &row.voice.1];
            slots.update_value(|slots| {
                let slots = slots.get_or_insert_with(|| field::Slots::new(&item, &PLACES));
                let all = texts.into_iter().chain(figures).chain(carried);
                slots.write(all.map(String::as_str));
            });
        });
    });
    view! {
        <li node_ref=item data-testid="reply">
            <div class="reply-row">
                <button type="button" class="row-open" data-press="">
                    <span class="rank"></span>
                    <span class="reply-lines">
                        <small class="muted"><span data-slot=""></span>" "<span class="prompt" data-slot=""></span></small>
                        <span class="reply-text" data-slot=""></span>
                        <small class="why" data-slot=""></small>
                    </span>
                </button>
                <span class="total authenticity" data-slot=""></span>
                <span class="total voice" data-slot=""></span>
            </div>
            {live(move || open.get().map(|open| details(model, chosen, &open, go)))}
        </li>
    }
    .into_any()
}

/// What the result has at a place. Tracked.
fn opened_text(model: Model, place: Place) -> Option<Arc<str>> {
    model.scored.with(|scored| {
        let turn = place.of(scored.result.as_ref()?)?;
        Some(turn.text.clone())
    })
}

/// What is behind a row, and the ways on from it.
fn details(model: Model, chosen: Chosen, open: &Opened, go: Callback<bool>) -> AnyView {
    let place = open.place;
    let explanation = explanation(model, open.text.clone());
    let why = taught_why(model, open.text.clone());
    let reply = move || {
        let silent = model
            .voiceless()
            .or_else(|| Some(unheard(model).to_owned()));
        let draw = |turn: &TurnResult, unread: Option<String>| {
            let opinion = opinion(model.second, turn);
            let caught = caught(model, turn);
            let why = why.get();
            explanation.with(|found| {
                let whole = whole(
                    turn,
                    (found.as_ref(), &why),
                    silent.clone(),
                    opinion,
                    caught,
                );
                let unread = unread.map(|words| {
                    view! { <p class="unread" data-testid="reply-unread">{sentence(&words)}"."</p> }
                });
                view! { {unread}{whole} }.into_any()
            })
        };
        model.scored.with(|scored| {
            let result = scored.result.as_ref()?;
            let turn = place.of(result)?;
            Some(draw(&result.judged(turn), unread_words(turn, result)))
        })
    };
    let at = move || chosen.open_at().unwrap_or_default();
    let count = move || chosen.places.with(|places| places.len());
    let is_first = move || at() == 0;
    let is_last = move || at() + 1 == count();
    let said = move || format!("{} of {}", grouped(at() + 1), grouped(count()));
    view! {
        <div class="evidence reply-whole" data-testid="reply-whole">
            <p class="reply-ways">
                <button type="button" data-testid="reply-previous" aria-keyshortcuts="p k" disabled=is_first on:click=move |_| go.run(false)>
                    "Previous (p)"
                </button>
                <button type="button" data-testid="reply-next" aria-keyshortcuts="n j" disabled=is_last on:click=move |_| go.run(true)>
                    "Next (n)"
                </button>
                <span class="muted">{said}</span>
            </p>
            {live(reply)}
        </div>
    }
    .into_any()
}
