//! Where a bench's document comes from: what it was read as and why, what was left out, and the
//! mapping, which can be changed.

use leptos::prelude::*;

use super::Intake;
use super::inside::{coded, remarks};
use super::room::{Origin, compare, remake_as, remap};
use crate::app::browser::events;
use crate::app::derived::live;
use crate::app::format::{count, grouped, short};
use crate::sources::{Kind, Setting, Told, Value, told};
use crate::text::Shown;

/// A line for each document on the bench that was made of a file.
#[component]
pub(super) fn OriginBar(intake: Intake, kinds: Vec<Kind>) -> impl IntoView {
    let shown = move || {
        kinds
            .iter()
            .map(|kind| of_kind(intake, *kind))
            .collect_view()
    };
    view! { <div class="origins">{live(shown)}</div> }
}

fn of_kind(intake: Intake, kind: Kind) -> impl IntoView + use<> {
    let known = Memo::new(move |_| found(intake, kind));
    // of an earlier visit, or changed by hand since then: the document says so itself
    let said = Memo::new(move |_| {
        let is_known = known.with(Option::is_some);
        let text = (!is_known).then(|| (intake.outlet().text)(kind));
        text.and_then(|text| told(&text))
    });
    live(move || match known.get() {
        Some(origin) => Some(origin_view(intake, &origin)),
        None => said.get().map(|told| told_view(intake, &told)),
    })
}

/// What a document says of where it comes from: its file is not at hand.
fn told_view(intake: Intake, told: &Told) -> AnyView {
    let file = match told.file.as_str() {
        "" => "A file".to_owned(),
        file => file.to_owned(),
    };
    let part = match told.id.as_str() {
        "" => String::new(),
        id => format!(" ({})", Shown(id)),
    };
    let rows = told.mapping.iter().map(|(key, value)| {
        view! { <tr><th scope="row"><code>{key.clone()}</code></th><td>{shown(value)}</td></tr> }
    });
    let rows: Vec<_> = rows.collect();
    let mapping = (!rows.is_empty()).then(|| {
        let is_open = intake.room().is_mapping_open;
        view! {
            <details class="origin-more mapping" data-testid="mapping" open=is_open.get_untracked() on:toggle=move |event| is_open.set(events::is_open(&event))>
                <summary>"Mapping"</summary>
                <table>
                    <thead><tr><th scope="col">"What the file does not say"</th><th scope="col">"Taken as"</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </details>
        }
    });
    view! {
        <section class="origin" data-testid="origin">
            <p>
                <strong>{file}</strong>{part}" read as "{told.noun.clone()}
                ", because "{coded(&told.because)}". "
                {taken(told)}
                <span class="muted">
                    "So says the document. To read the file as something else or to change the mapping, choose it again."
                </span>
            </p>
            <div class="origin-folds">
                {mapping}
                {remarks(&told.left_out, &[])}
                {swapped_seats(&told.swapped)}
            </div>
        </section>
    }
    .into_any()
}

/// Where the exemplars of a persona were taken from, and where their evidence is.
fn taken(told: &Told) -> Option<AnyView> {
    let words = told.taken_words();
    (!words.is_empty()).then(|| {
        view! {
            <span data-testid="taken">
                "Exemplars taken: "{words}". "
                <span class="muted">
                    "Below the persona is shown how well they tell this voice from others, before it is used. "
                </span>
            </span>
        }
        .into_any()
    })
}

/// Verdicts that are others when the seats are swapped, as the document keeps them; folded.
fn swapped_seats(verdicts: &[String]) -> Option<AnyView> {
    if verdicts.is_empty() {
        return None;
    }
    let words = format!(
        "{} differing with the seats",
        count(verdicts.len(), "verdict")
    );
    let items = verdicts
        .iter()
        .map(|verdict| view! { <li>{Shown(verdict).to_string()}</li> });
    Some(
        view! {
            <details class="origin-more" data-testid="swapped">
                <summary>{words}</summary>
                <ul>{items.collect_view()}</ul>
            </details>
        }
        .into_any(),
    )
}

/// A value of the mapping as it is typed.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => short(*number),
        Value::Text(text) => text.clone(),
        Value::Names(names) => names.join(", "),
    }
}

/// Where what is on the bench now comes from. A document that was changed by hand since then
/// still says so itself.
fn found(intake: Intake, kind: Kind) -> Option<Origin> {
    let text = (intake.outlet().text)(kind);
    let origins = intake.room().origins;
    origins.with(|origins| {
        let mut origins = origins.iter().rev();
        origins
            .find(|origin| origin.kind == kind && origin.text == text)
            .cloned()
    })
}

fn origin_view(intake: Intake, origin: &Origin) -> AnyView {
    let (chosen, all) = origin.of;
    let part = match (chosen, all) {
        (_, 1) => String::new(),
        (1, all) => format!(" (one of {} parts)", grouped(all)),
        (chosen, all) => format!(" ({} of {} parts)", grouped(chosen), grouped(all)),
    };
    let said = told(&origin.text);
    let choose = (all > 1).then(|| {
        let show = move |_| (intake.outlet().show)();
        view! { <button type="button" class="quiet" data-testid="choose-part" on:click=show>"Choose other parts"</button> }
    });
    view! {
        <section class="origin" data-testid="origin">
            <p>
                <strong>{origin.file.clone()}</strong>{part}" read as "{origin.noun.clone()}
                ", because "{coded(&origin.because)}". "
                {said.as_ref().and_then(taken)}
                {labelled(origin)}
                {choose}
                {others(intake, origin)}
                {other_replies(intake, origin)}
            </p>
            <div class="origin-folds">
                {mapping(intake, origin)}
                {remarks(&origin.dropped, &origin.problems)}
                {said.and_then(|told| swapped_seats(&told.swapped))}
            </div>
        </section>
    }
    .into_any()
}

/// How many labels came with the replies.
fn labelled(origin: &Origin) -> Option<AnyView> {
    let number = origin.labels.lines().count();
    (number > 0).then(|| {
        let words = format!("{} came with its replies. ", count(number, "label"));
        view! { <span data-testid="came-labelled">{words}</span> }.into_any()
    })
}

/// The other kinds that it could be read as.
fn others(intake: Intake, origin: &Origin) -> Option<AnyView> {
    let room = intake.room();
    if !room.is_at_hand(origin) {
        return None;
    }
    let makes = room.makes(&origin.order);
    let others = makes.into_iter().filter(|kind| *kind != origin.kind);
    let buttons = others.map(|kind| {
        let origin = origin.clone();
        let hook = format!("instead-{}", kind.name());
        view! {
            <button type="button" class="quiet" data-testid=hook on:click=move |_| remake_as(intake, &origin, kind)>
                "Read it as "{kind.noun()}
            </button>
        }
    });
    Some(buttons.collect_view().into_any())
}

/// Where several replies stand at one place, the others as a second run to compare.
fn other_replies(intake: Intake, origin: &Origin) -> Option<AnyView> {
    const KEY: &str = "reply";
    let setting = origin.mapping.iter().find(|setting| setting.key == KEY)?;
    let kept = setting.options.first()?;
    let other = setting.options.get(1)?.clone();
    let is_kept = shown(&setting.value) == *kept;
    if !is_kept || !intake.room().is_at_hand(origin) || !(intake.outlet().compares)(origin.kind) {
        return None;
    }
    let origin = origin.clone();
    let open = move |_| compare(intake, &origin, KEY, other.clone());
    Some(
        view! {
            <button type="button" class="quiet" data-testid="compare-others" on:click=open>
                "Compare with the other replies"
            </button>
        }
        .into_any(),
    )
}

fn mapping(intake: Intake, origin: &Origin) -> Option<AnyView> {
    if origin.mapping.is_empty() {
        return None;
    }
    let is_at_hand = intake.room().is_at_hand(origin);
    let set = origin
        .mapping
        .iter()
        .filter(|setting| setting.is_set)
        .count();
    let is_open = intake.room().is_mapping_open;
    let words = match set {
        0 => "Mapping".to_owned(),
        set => format!("Mapping, {} by you", count(set, "choice")),
    };
    let rows = origin
        .mapping
        .iter()
        .map(|setting| row(intake, origin, setting, is_at_hand));
    let note = (!is_at_hand).then(|| {
        view! { <p class="muted">"To change it, give the file again."</p> }
    });
    Some(
        view! {
            <details class="origin-more mapping" data-testid="mapping" open=is_open.get_untracked() on:toggle=move |event| is_open.set(events::is_open(&event))>
                <summary>{words}</summary>
                {note}
                <table>
                    <thead><tr><th scope="col">"What the file does not say"</th><th scope="col">"Taken as"</th></tr></thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </details>
        }
        .into_any(),
    )
}

fn row(intake: Intake, origin: &Origin, setting: &Setting, is_at_hand: bool) -> AnyView {
    let id = format!("mapping-{}", setting.key);
    let (key, for_reset) = (setting.key.clone(), setting.key.clone());
    let (held, again) = (origin.clone(), origin.clone());
    let is_number = matches!(setting.value, Value::Number(_));
    let change = move |event| {
        let typed = event_target_value(&event);
        let value = match typed.trim().parse() {
            Ok(number) if is_number => Value::Number(number),
            _ => Value::Text(typed),
        };
        remap(intake, &held, &key, Some(value));
    };
    let shown = shown(&setting.value);
    let control = if setting.options.is_empty() {
        let mode = if is_number { "decimal" } else { "text" };
        view! {
            <input type="text" id=id.clone() data-testid=id.clone() inputmode=mode prop:value=shown disabled=!is_at_hand on:change=change />
        }
        .into_any()
    } else {
        let options = setting.options.iter().map(|option| {
            let selected = *option == shown;
            view! { <option value=option.clone() selected=selected>{option.clone()}</option> }
        });
        view! {
            <select id=id.clone() data-testid=id.clone() disabled=!is_at_hand on:change=change>{options.collect_view()}</select>
        }
        .into_any()
    };
    let reset = (setting.is_set && is_at_hand).then(|| {
        view! {
            <button type="button" class="quiet" on:click=move |_| remap(intake, &again, &for_reset, None)>"As guessed"</button>
        }
    });
    view! {
        <tr class:set=setting.is_set>
            <th scope="row"><label for=id>{setting.label.clone()}</label></th>
            <td>{control}{reset}</td>
        </tr>
    }
    .into_any()
}
