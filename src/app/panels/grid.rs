//! A grid of small fields that is filled from the keyboard: arrow keys move,
//! digits set. Of many rows, and of many columns, only those are drawn that can be seen.

use leptos::ev;
use leptos::prelude::*;

use super::windowed::window;
use crate::app::browser::events::{self, Key};
use crate::app::browser::field::{self, Scrolled};
use crate::app::derived::effect;

/// Up to this height in rem a grid is shown whole; a longer one scrolls by itself.
const WHOLE: f64 = 57.0;
/// What can be seen of a grid before it was scrolled, in rem.
const AT_FIRST: Scrolled = Scrolled {
    offset: 0.0,
    extent: 43.0,
};

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

/// What a key does to a field; none if it does nothing.
fn press_of(key: &Key) -> Option<Press> {
    match (key.key.as_str(), key.shift) {
        ("Delete" | "Backspace", true) => Some(Press::ClearCell),
        ("Delete" | "Backspace", false) => Some(Press::Clear),
        (" ", _) => Some(Press::Toggle),
        ("Enter", _) => Some(Press::Open),
        (digit, _) => digit.parse().ok().map(Press::Key),
    }
}

/// Draws a grid.
#[component]
#[allow(clippy::too_many_lines)] // one part with all that it listens to
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
    /// Height of a row in rem.
    row_height: f64,
    /// Height of the heading in rem.
    head_height: f64,
    /// Widths of a row's heading and of a column in rem, where the columns too may
    /// be many. Without them all are drawn, as wide as the style sheet says.
    #[prop(optional)]
    widths: Option<(f64, f64)>,
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
    let view = RwSignal::new([AT_FIRST; 2]);
    let is_long = Memo::new(move |_| size.get().0 as f64 * row_height > WHOLE);
    let rows = Memo::new(move |_| {
        let ([down, _], rows) = (view.get(), size.get().0);
        if is_long.get() {
            window(down.offset, down.extent, row_height, rows)
        } else {
            0..rows
        }
    });
    let columns = Memo::new(move |_| {
        let ([_, right], columns) = (view.get(), size.get().1);
        match widths {
            Some((_, width)) => window(right.offset, right.extent, width, columns),
            None => 0..columns,
        }
    });
    let go = {
        let scroller = scroller.clone();
        move |to: At| {
            active.set(to);
            let [mut down, mut right] = field::scrolled(&scroller);
            down.offset = down.reveal(to.row as f64 * row_height, row_height, head_height);
            if let Some((head, width)) = widths {
                right.offset = right.reveal(to.column as f64 * width, width, head);
            }
            field::scroll_to(&scroller, [down.offset, right.offset]);
            view.set([down, right]);
            // a field that was out of sight is drawn first
            request_animation_frame(move || field::rove(name, &id(name, to)));
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        let Some(hit) = field::hit(&event) else {
            return;
        };
        // keys may come faster than the focus follows
        let at = Some(active.get_untracked())
            .filter(|at| at.row < size.get_untracked().0)
            .unwrap_or(At::of(hit.at));
        let key = events::key(&event);
        if key.alt || (key.command && !matches!(key.key.as_str(), "Home" | "End")) {
            return;
        }
        let pressed = press_of(&key);
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
            let keys = fields.get(at.field).map_or(0, |field| field.keys.len());
            match hit.key {
                _ if keys == 1 => press.run((at, Press::Toggle)),
                Some(key) => press.run((at, Press::Key(key))),
                None => {}
            }
        }
    };
    let on_focus = move |event: ev::FocusEvent| {
        if let Some(hit) = field::hit(&event) {
            active.set(At::of(hit.at));
        }
    };
    let gap = move |rows: usize| format!("{}rem", rows as f64 * row_height);
    let beside = move |columns: usize| {
        let width = widths.map_or(0.0, |(_, width)| columns as f64 * width);
        format!("0 0 {width}rem")
    };
    // columns in view, between what stands for those that are not
    let across = move |draw: Callback<usize, AnyView>| {
        let basis = widths.map(|(_, width)| format!("0 0 {width}rem"));
        let class = move |at| {
            view! { <div role="presentation" class="grid-column" style:flex=basis.clone()>{draw.run(at)}</div> }
        };
        view! {
            <div role="presentation" style:flex=move || beside(columns.get().start)></div>
            <For each=move || columns.get() key=|column| *column children=class />
            <div role="presentation" style:flex=move || beside(size.get().1.saturating_sub(columns.get().end))></div>
        }
        .into_any()
    };
    let row = move |row: usize| {
        let cells = Callback::new(move |at| {
            cell(
                name,
                At {
                    row,
                    column: at,
                    field: 0,
                },
                fields,
                look,
                active,
            )
        });
        view! {
            <div role="row" class="grid-row" aria-rowindex=row + 2 style:height=format!("{row_height}rem")>
                <div role="rowheader" class="grid-row-head" style:flex-basis=head_basis(widths)>{row_head.run(row)}</div>
                {across(cells)}
            </div>
        }
    };
    let heads = Callback::new(move |at: usize| {
        view! { <div role="columnheader" class="grid-column-head" aria-colindex=at + 2>{head.run(at)}</div> }
            .into_any()
    });
    // a field that goes must not take the grid's stop of Tab along
    effect(move || {
        rows.track();
        columns.track();
        request_animation_frame(move || field::keep_stop(name));
    });
    let scroll_id = scroller.clone();
    let on_scroll = move |_| view.set(field::scrolled(&scroller));
    view! {
        <div class="grid-scroll" class:long=move || is_long.get() id=scroll_id on:scroll=on_scroll>
            <div
                role="grid"
                id=name
                class="grid"
                data-testid=name
                aria-label=label
                aria-rowcount=move || size.get().0 + 1
                aria-colcount=move || size.get().1 + 1
                on:keydown=on_key
                on:click=on_click
                on:focusin=on_focus
            >
                <div role="row" class="grid-row grid-head" aria-rowindex="1" style:height=format!("{head_height}rem")>
                    <div role="columnheader" class="grid-row-head" aria-colindex="1" style:flex-basis=head_basis(widths)>{corner.run()}</div>
                    {across(heads)}
                </div>
                <div role="presentation" style:height=move || gap(rows.get().start)></div>
                <For each=move || rows.get() key=|row| *row children=row />
                <div role="presentation" style:height=move || gap(size.get().0 - rows.get().end)></div>
            </div>
        </div>
    }
}

fn head_basis(widths: Option<(f64, f64)>) -> Option<String> {
    widths.map(|(head, _)| format!("{head}rem"))
}

fn id(name: &str, at: At) -> String {
    format!("{name}-{}-{}-{}", at.row, at.column, at.field)
}

fn cell(
    name: &'static str,
    At { row, column, .. }: At,
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
                aria-colindex=column + 2
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
    fn what_is_out_of_sight_is_scrolled_to_and_no_further() {
        let view = Scrolled {
            offset: 100.0,
            extent: 300.0,
        };
        assert_eq!(view.reveal(120.0, 30.0, 50.0), 100.0);
        assert_eq!(view.reveal(60.0, 30.0, 50.0), 60.0);
        assert_eq!(view.reveal(400.0, 30.0, 50.0), 180.0);
        // what does not fit is shown from its start
        assert_eq!(view.reveal(400.0, 500.0, 50.0), 400.0);
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
