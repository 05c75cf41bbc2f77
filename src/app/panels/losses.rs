//! What each row lost on each part, a cell for each: thousands of rows are looked over where
//! bars would fill pages. A cell has its number, and the more was lost of what the part
//! could bring the stronger it is; one that lost nothing is empty.

use leptos::ev;
use leptos::prelude::*;

use super::anatomy::{Opened, Row, Rows};
use super::unrolled::{Unrolled, Unrolling};
use super::windowed::WHOLE;
use crate::app::browser::events;
use crate::app::browser::field::{self, Place};
use crate::app::charts::stack::Part;
use crate::app::derived::{effect, live};
use crate::app::format::fixed;

/// The list, for whoever goes to one of its rows.
const LIST: &str = "losses-list";

/// What was lost on a part: as it is shown, and as a share of what the part could bring.
fn lost(row: &Row, part: usize) -> (String, f64) {
    let value = row.values.get(part).copied().unwrap_or_default();
    let whole = row.wholes.as_ref().and_then(|wholes| wholes.get(part));
    let whole = whole.copied().unwrap_or_default();
    let lost = whole - value;
    if lost <= 0.0 || whole <= 0.0 {
        return (String::new(), 0.0);
    }
    let shown = if lost < 0.005 {
        "<0.01".to_owned()
    } else {
        fixed(lost, 2)
    };
    (shown, lost / whole)
}

/// Draws the rows. Each opens in its place, one at a time.
#[component]
pub fn Losses(
    /// What the rows are.
    label: &'static str,
    /// What one is: stands before its title where that is told.
    noun: &'static str,
    /// The rows; each has the whole values of its parts.
    rows: Rows,
    /// The parts that all rows have.
    parts: &'static [Part],
    /// The evidence of a row, made when it is opened.
    #[prop(into)]
    evidence: Callback<Opened, AnyView>,
) -> impl IntoView {
    let open = RwSignal::new(None::<Opened>);
    let unrolling = Unrolling::default();
    if let Some(wanted) = rows.wanted {
        effect(move || {
            if let Some(index) = wanted.get() {
                untrack(|| go_to(rows, open, unrolling, index));
                wanted.set(None);
            }
        });
    }
    let draw = move |(start, size): (Signal<usize>, usize)| {
        let slots = (0..size).map(|slot| {
            let index = Signal::derive(move || start.get() + slot);
            line((rows, parts, noun), index, (open, unrolling), evidence)
        });
        view! { <ol class="loss-rows">{slots.collect_view()}</ol> }.into_any()
    };
    let heads = parts.iter().map(|part| {
        view! { <span title=part.label><span class="long-label">{part.label}</span><span class="letter">{part.letter}</span></span> }
    });
    view! {
        <div class="losses" role="group" aria-label=label on:click=move |event| press(&event, open, unrolling)>
            <div class="loss-row loss-head" aria-hidden="true">
                <span></span>
                {heads.collect_view()}
                <span class="total">"Total"</span>
            </div>
            <Unrolled id=LIST count=rows.count unrolling draw foot=move || () />
        </div>
    }
}

/// Opens the row or the part that was pressed, or closes it again.
fn press(event: &ev::MouseEvent, open: RwSignal<Option<Opened>>, unrolling: Unrolling) {
    let Some(id) = events::attribute(event, "data-row") else {
        return;
    };
    let part = events::attribute(event, "data-cell").and_then(|part| part.parse().ok());
    if part.is_none() && events::attribute(event, "data-press").is_none() {
        return;
    }
    let opened = Opened { id, part };
    open.update(|open| {
        let is_same = open.as_ref().is_some_and(|now| {
            now.id == opened.id && (opened.part.is_none() || now.part == opened.part)
        });
        *open = (!is_same).then_some(opened);
    });
    if open.with_untracked(Option::is_none) {
        unrolling.open_at.set(None);
    }
}

/// Opens a row and brings it into view.
fn go_to(rows: Rows, open: RwSignal<Option<Opened>>, unrolling: Unrolling, index: usize) {
    let Some(Row { id, .. }) = rows.row.run(index) else {
        return;
    };
    let opened = Opened {
        id: id.clone(),
        part: None,
    };
    open.set(Some(opened));
    if rows.count.get_untracked() > WHOLE {
        unrolling.go_to(LIST, index);
    }
    // the row is there when the list was drawn anew
    request_animation_frame(move || {
        request_animation_frame(move || {
            field::bring_row_into_view(&format!("#{LIST} "), &id);
        });
    });
}

/// What is written in the place of a row.
const PLACES: [(&str, Place); 7] = [
    ("[data-slot]", Place::Text),
    ("[data-cell]", Place::Style("--lost")),
    ("", Place::Attribute("data-row")),
    ("", Place::Attribute("data-testid")),
    ("[data-press]", Place::Attribute("aria-expanded")),
    ("[data-press]", Place::Attribute("aria-label")),
    (".total", Place::Attribute("data-value")),
];

/// A place in the list, whatever row is there; all of it is written by one effect.
fn line(
    (rows, parts, noun): (Rows, &'static [Part], &'static str),
    index: Signal<usize>,
    (open, unrolling): (RwSignal<Option<Opened>>, Unrolling),
    evidence: Callback<Opened, AnyView>,
) -> AnyView {
    let row = Memo::new(move |_| rows.row.run(index.get()));
    let opened = Memo::new(move |_| {
        let open = open.get()?;
        row.with(|row| (row.as_ref()?.id == open.id).then_some(open))
    });
    effect(move || {
        if opened.with(Option::is_some) {
            unrolling.open_at.set(Some(index.get()));
        }
    });
    let item = NodeRef::<leptos::html::Li>::new();
    let slots = StoredValue::new_local(None::<field::Slots>);
    effect(move || {
        let Some(item) = item.get() else {
            return;
        };
        row.with(|row| {
            let Some(row) = row else {
                return;
            };
            let is_open = opened.with(Option::is_some);
            slots.update_value(|slots| {
                let slots = slots.get_or_insert_with(|| field::Slots::new(&item, &PLACES));
                write(slots, row, (parts, noun), is_open);
            });
        });
    });
    let cells = (0..parts.len()).map(|part| {
        view! { <span data-cell=part.to_string() data-slot="">"\u{a0}"</span> }
    });
    let details = move || {
        let opened = opened.get()?;
        let evidence = live(move || evidence.run(opened.clone()));
        Some(view! { <div class="evidence">{evidence}</div> })
    };
    view! {
        <li node_ref=item>
            <div class="loss-row">
                <button type="button" data-press=""><span data-slot=""></span></button>
                {cells.collect_view()}
                <span class="total" data-slot=""></span>
            </div>
            {live(details)}
        </li>
    }
    .into_any()
}

fn write(slots: &mut field::Slots, row: &Row, (parts, noun): (&[Part], &str), is_open: bool) {
    let lost: Vec<(String, f64)> = (0..parts.len()).map(|part| lost(row, part)).collect();
    let shares: Vec<String> = lost
        .iter()
        .map(|(_, share)| format!("{share:.3}"))
        .collect();
    let told = parts.iter().zip(&lost);
    let told = told.filter(|(_, (shown, _))| !shown.is_empty());
    let told: Vec<String> = told
        .map(|(part, (shown, _))| format!("{} lost {shown}", part.label))
        .collect();
    let told = if told.is_empty() {
        "nothing lost".to_owned()
    } else {
        told.join(", ")
    };
    let out = row.out.as_ref().map(|out| format!(", {out}"));
    let label = format!(
        "{noun} {}, {}{}: {told}, total {}",
        row.title,
        row.subtitle,
        out.unwrap_or_default(),
        row.total
    );
    let hook = format!("row-{}", row.id);
    let (is_open, score) = (is_open.to_string(), row.score.to_string());
    let mut values = vec![row.title.as_str()];
    values.extend(lost.iter().map(|(shown, _)| shown.as_str()));
    values.push(&row.total);
    values.extend(shares.iter().map(String::as_str));
    values.extend([&*row.id, &*hook, &*is_open, &*label, &*score]);
    slots.write(values);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lost_is_told_and_nothing_is_empty() {
        let row = Row {
            id: "1".into(),
            title: "Turn 1".into(),
            subtitle: String::new(),
            rank: None,
            was: None,
            values: vec![1.0, 0.66, 0.0, 1.999],
            wholes: Some(vec![1.0, 1.2, 0.0, 2.0]),
            score: 0.0,
            before: None,
            total: String::new(),
            out: None,
        };
        let found: Vec<_> = (0..5).map(|part| lost(&row, part)).collect();
        assert_eq!(found[0], (String::new(), 0.0));
        assert_eq!(found[1].0, "0.54");
        assert!((found[1].1 - 0.45).abs() < 1e-12);
        assert_eq!(
            found[2],
            (String::new(), 0.0),
            "what weighs nothing loses nothing"
        );
        assert_eq!(found[3].0, "<0.01");
        assert_eq!(found[4], (String::new(), 0.0));
    }
}
