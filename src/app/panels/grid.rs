//! A grid of small fields that is filled from the keyboard: arrow keys move,
//! digits set. Only the rows that can be seen are drawn.

use std::ops::Range;

use leptos::ev;
use leptos::prelude::*;

use crate::app::browser::events;
use crate::app::browser::field;

/// Rows drawn beyond what can be seen, so that scrolling does not show gaps.
const BEYOND: usize = 3;

/// A field of a grid: positions from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct At {
    /// The row.
    pub row: usize,
    /// The column.
    pub column: usize,
    /// Which of the fields in the cell.
    pub field: usize,
}

impl At {
    const fn of([row, column, field]: [usize; 3]) -> Self {
        Self { row, column, field }
    }
}

/// What is done to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// One of its keys, from 0.
    Key(usize),
    /// The space bar.
    Toggle,
    /// Delete: the value goes.
    Clear,
    /// Shift and Delete: the whole cell goes.
    ClearCell,
    /// Enter: more about the cell.
    Open,
}

/// How a field looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The key that is set; anything else is none.
    pub value: String,
    /// What it is, with its value, in words.
    pub label: String,
    /// Whether its value is a mistake.
    pub is_wrong: bool,
}

/// A kind of field: its class, and its keys as people read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Its class in form.css.
    pub class: &'static str,
    /// In front of the keys.
    pub title: &'static str,
    /// The keys.
    pub keys: &'static [&'static str],
}

/// The rows that are seen through a window of a list, and some beyond.
pub fn visible(top: f64, height: f64, row_height: f64, rows: usize) -> Range<usize> {
    let first = (top / row_height).floor().max(0.0) as usize;
    let seen = (height / row_height).ceil() as usize + 1;
    let start = first.saturating_sub(BEYOND).min(rows);
    start..(first + seen + BEYOND).min(rows)
}

/// Where a key leads from a field; none if it is no key that moves.
pub fn step(at: At, key: &str, command: bool, size: (usize, usize), fields: usize) -> Option<At> {
    let (rows, columns) = size;
    let last = At {
        row: rows.checked_sub(1)?,
        column: columns.checked_sub(1)?,
        field: fields.checked_sub(1)?,
    };
    let mut to = at;
    match (key, command) {
        ("ArrowUp", _) if at.field > 0 => to.field -= 1,
        ("ArrowUp", _) if at.row > 0 => (to.row, to.field) = (at.row - 1, last.field),
        ("ArrowDown", _) if at.field < last.field => to.field += 1,
        ("ArrowDown", _) if at.row < last.row => (to.row, to.field) = (at.row + 1, 0),
        ("ArrowLeft", _) => to.column = at.column.saturating_sub(1),
        ("ArrowRight", _) => to.column = (at.column + 1).min(last.column),
        ("PageUp", _) => to.row = at.row.saturating_sub(1),
        ("PageDown", _) => to.row = (at.row + 1).min(last.row),
        ("Home", false) => to.column = 0,
        ("End", false) => to.column = last.column,
        ("Home", true) => to = At::default(),
        ("End", true) => to = last,
        ("ArrowUp" | "ArrowDown", _) => {}
        _ => return None,
    }
    Some(to)
}

/// Draws a grid.
#[component]
pub fn KeyGrid(
    /// Prefix of all ids in it.
    name: &'static str,
    /// What it is, for those who do not see it.
    label: &'static str,
    /// Rows and columns.
    #[prop(into)]
    size: Signal<(usize, usize)>,
    /// The fields of a cell.
    fields: &'static [Keys],
    /// Height of a row in pixels.
    row_height: f64,
    /// Height of the heading in pixels.
    head_height: f64,
    /// Above the row headings.
    #[prop(into)]
    corner: ViewFn,
    /// The heading of a column.
    #[prop(into)]
    head: Callback<usize, AnyView>,
    /// The heading of a row.
    #[prop(into)]
    row_head: Callback<usize, AnyView>,
    /// How a field looks.
    #[prop(into)]
    look: Callback<At, Look>,
    /// The field that was last focused.
    active: RwSignal<At>,
    /// Does what is pressed.
    #[prop(into)]
    press: Callback<(At, Press)>,
) -> impl IntoView {
    let scroller = format!("{name}-scroll");
    let top = RwSignal::new(0.0_f64);
    let height = RwSignal::new(640.0_f64);
    let rows = Memo::new(move |_| visible(top.get(), height.get(), row_height, size.get().0));
    let go = {
        let scroller = scroller.clone();
        move |to: At| {
            active.set(to);
            top.set(field::reveal(
                &scroller,
                to.row as f64 * row_height,
                row_height,
                head_height,
            ));
            // a row that was out of sight is drawn first
            request_animation_frame(move || field::rove(name, &id(name, to)));
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        let Some(hit) = field::hit(&event) else {
            return;
        };
        let at = At::of(hit.at);
        let key = events::key(&event);
        let pressed = match (key.key.as_str(), key.shift) {
            (_, _)
                if key.alt
                    || (key.command && !key.key.ends_with("Home") && !key.key.ends_with("End")) =>
            {
                return;
            }
            ("Delete" | "Backspace", true) => Some(Press::ClearCell),
            ("Delete" | "Backspace", false) => Some(Press::Clear),
            (" ", _) => Some(Press::Toggle),
            ("Enter", _) => Some(Press::Open),
            (digit, _) => digit.parse().ok().map(Press::Key),
        };
        if let Some(pressed) = pressed {
            press.run((at, pressed));
        } else if let Some(to) = step(
            at,
            &key.key,
            key.command,
            size.get_untracked(),
            fields.len(),
        ) {
            go(to);
        } else {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let on_click = move |event: ev::MouseEvent| {
        if let Some(hit) = field::hit(&event) {
            let at = At::of(hit.at);
            active.set(at);
            field::rove(name, &id(name, at));
            if let Some(key) = hit.key {
                let is_switch = fields
                    .get(at.field)
                    .is_some_and(|field| field.keys.len() == 1);
                press.run((
                    at,
                    if is_switch {
                        Press::Toggle
                    } else {
                        Press::Key(key)
                    },
                ));
            }
        }
    };
    let on_focus = move |event: ev::FocusEvent| {
        if let Some(hit) = field::hit(&event) {
            active.set(At::of(hit.at));
        }
    };
    let row = move |row: usize| {
        let cells = move || {
            let columns = size.get().1;
            (0..columns)
                .map(|column| cell(name, row, column, fields, look, active))
                .collect_view()
        };
        view! {
            <div role="row" class="grid-row" aria-rowindex=row + 2 style:height=format!("{row_height}px")>
                <div role="rowheader" class="grid-row-head">{row_head.run(row)}</div>
                {cells}
            </div>
        }
    };
    let heads = move || {
        let columns = size.get().1;
        (0..columns)
            .map(|column| view! { <div role="columnheader" class="grid-column-head">{head.run(column)}</div> })
            .collect_view()
    };
    let gap = move |rows: usize| format!("{}px", rows as f64 * row_height);
    let scroll_id = scroller.clone();
    let on_scroll = move |_| {
        let (now, seen) = field::scrolled(&scroller);
        top.set(now);
        height.set(seen);
    };
    view! {
        <div class="grid-scroll" id=scroll_id on:scroll=on_scroll>
            <div
                role="grid"
                id=name
                class="grid"
                data-testid=name
                aria-label=label
                aria-rowcount=move || size.get().0 + 1
                on:keydown=on_key
                on:click=on_click
                on:focusin=on_focus
            >
                <div role="row" class="grid-row grid-head" aria-rowindex="1" style:height=format!("{head_height}px")>
                    <div role="columnheader" class="grid-row-head">{corner.run()}</div>
                    {heads}
                </div>
                <div role="presentation" style:height=move || gap(rows.get().start)></div>
                <For each=move || rows.get() key=|row| *row children=row />
                <div role="presentation" style:height=move || gap(size.get().0 - rows.get().end)></div>
            </div>
        </div>
    }
}

fn id(name: &str, at: At) -> String {
    format!("{name}-{}-{}-{}", at.row, at.column, at.field)
}

fn cell(
    name: &'static str,
    row: usize,
    column: usize,
    fields: &'static [Keys],
    look: Callback<At, Look>,
    active: RwSignal<At>,
) -> AnyView {
    let fields = fields.iter().enumerate().map(|(field, keys)| {
        let at = At { row, column, field };
        let look = Memo::new(move |_| look.run(at));
        let tab = if active.get_untracked() == at {
            "0"
        } else {
            "-1"
        };
        let buttons = keys
            .keys
            .iter()
            .enumerate()
            .map(|(key, text)| view! { <i data-key=key>{*text}</i> })
            .collect_view();
        view! {
            <div
                role="gridcell"
                id=id(name, at)
                class=keys.class
                tabindex=tab
                data-at=format!("{row},{column},{field}")
                data-value=move || look.with(|look| look.value.clone())
                aria-label=move || look.with(|look| look.label.clone())
                class:wrong=move || look.with(|look| look.is_wrong)
            >
                <b aria-hidden="true">{keys.title}</b>
                <span aria-hidden="true">{buttons}</span>
            </div>
        }
    });
    view! { <div role="presentation" class="grid-cell">{fields.collect_view()}</div> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_seen_is_drawn() {
        assert_eq!(visible(0.0, 300.0, 100.0, 200), 0..7);
        assert_eq!(visible(1050.0, 300.0, 100.0, 200), 7..17);
        assert_eq!(visible(1e9, 300.0, 100.0, 20), 20..20);
        assert_eq!(visible(0.0, 300.0, 100.0, 0), 0..0);
    }

    #[test]
    fn keys_lead_through_fields_cells_and_rows() {
        let at = |row, column, field| At { row, column, field };
        let go = |from, key| step(from, key, false, (2, 3), 4);
        assert_eq!(go(at(0, 0, 3), "ArrowDown"), Some(at(1, 0, 0)));
        assert_eq!(go(at(1, 2, 0), "ArrowUp"), Some(at(0, 2, 3)));
        assert_eq!(go(at(1, 2, 3), "ArrowDown"), Some(at(1, 2, 3)));
        assert_eq!(go(at(0, 2, 1), "ArrowRight"), Some(at(0, 2, 1)));
        assert_eq!(go(at(0, 2, 1), "Home"), Some(at(0, 0, 1)));
        assert_eq!(step(at(0, 1, 1), "End", true, (2, 3), 4), Some(at(1, 2, 3)));
        assert_eq!(go(at(0, 0, 0), "x"), None);
        assert_eq!(step(at(0, 0, 0), "End", true, (0, 0), 4), None);
    }
}
