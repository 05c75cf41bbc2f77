//! A grid of small fields that is filled from the keyboard: arrow keys move,
//! digits set. Of many rows, and of many columns, only those are drawn that can be seen.

use std::ops::Range;

use leptos::ev;
use leptos::prelude::*;

use super::windowed::window;
use crate::app::browser::events::{self, Key};
use crate::app::browser::field::{self, Scrolled};
use crate::app::derived::{effect, live};

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
    /// Whether another value is tried in its place.
    pub is_tried: bool,
}

/// A kind of field: its class, and its keys as people read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Its class in benches/page.css or in the sheet of a bench.
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

/// Where a value that was entered leads: through the fields of a cell, then along the
/// row, then to the next row; the last field is the end.
pub fn onward(at: At, (rows, columns): (usize, usize), fields: usize) -> At {
    let At { row, column, field } = at;
    if field + 1 < fields {
        At::of([row, column, field + 1])
    } else if column + 1 < columns {
        At::of([row, column + 1, 0])
    } else if row + 1 < rows {
        At::of([row + 1, 0, 0])
    } else {
        at
    }
}

/// Goes back to a field of a grid.
pub fn return_to(name: &str, at: At) {
    field::rove(name, &id(name, at));
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

/// How large the parts of a grid are, in rem.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// Height of a row.
    pub row: f64,
    /// Height of the heading.
    pub head: f64,
    /// Widths of a row's heading and of a column, where the columns too may be
    /// many. Without them all are drawn, as wide as the style sheet says.
    pub widths: Option<(f64, f64)>,
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
    /// How large its parts are.
    measures: Measures,
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
    /// Whether values are entered one after the other: a digit leads on to the next field.
    #[prop(optional)]
    entry: bool,
    /// Whether there is more to read about a cell than it shows: then the first click on
    /// one of its values looks at that, and says that another sets the value.
    #[prop(optional, into)]
    has_more: Option<Callback<At, bool>>,
    /// What a column is called, in every cell of it but the first.
    #[prop(optional, into)]
    caption: Option<Callback<usize, String>>,
) -> impl IntoView {
    let grid = Grid {
        entry,
        has_more,
        caption,
        ..Grid::new(name, size, fields, measures, look, active, press)
    };
    grid.keep_stop();
    view! {
        <div
            class="grid-scroll"
            class:long=move || grid.is_long.get()
            id=grid.scroller()
            on:scroll=move |_| grid.view.set(field::scrolled(&grid.scroller()))
        >
            <div
                role="grid"
                id=name
                class="grid"
                data-testid=name
                aria-label=label
                aria-rowcount=move || size.get().0 + 1
                aria-colcount=move || size.get().1 + 1
                on:keydown=move |event| grid.on_key(&event)
                on:click=move |event| grid.on_click(&event)
                on:focusin=move |event| grid.on_focus(&event)
            >
                {grid.head(&corner, head)}
                {grid.body(row_head)}
            </div>
        </div>
        <p class="visually-hidden" role="status">
            {move || grid.asking.with(|asking| asking.as_ref().map(|(_, what)| format!("Click again {what}")))}
        </p>
    }
}

/// What all parts of a grid know.
#[derive(Clone, Copy)]
struct Grid {
    name: &'static str,
    size: Signal<(usize, usize)>,
    fields: &'static [Keys],
    measures: Measures,
    look: Callback<At, Look>,
    active: RwSignal<At>,
    press: Callback<(At, Press)>,
    entry: bool,
    has_more: Option<Callback<At, bool>>,
    caption: Option<Callback<usize, String>>,
    /// The cell that was looked at last, by hand.
    looked_at: StoredValue<Option<(usize, usize)>>,
    /// The cell in which a click waits for another, and what for.
    asking: RwSignal<Option<((usize, usize), String)>>,
    /// How far it is scrolled: down, and to the right.
    view: RwSignal<[Scrolled; 2]>,
    /// Whether it scrolls by itself.
    is_long: Memo<bool>,
    /// The rows that are drawn.
    rows: Memo<Range<usize>>,
    /// The columns that are drawn.
    columns: Memo<Range<usize>>,
}

impl Grid {
    fn new(
        name: &'static str,
        size: Signal<(usize, usize)>,
        fields: &'static [Keys],
        measures: Measures,
        look: Callback<At, Look>,
        active: RwSignal<At>,
        press: Callback<(At, Press)>,
    ) -> Self {
        let view = RwSignal::new([AT_FIRST; 2]);
        let is_long = Memo::new(move |_| size.get().0 as f64 * measures.row > WHOLE);
        let rows = Memo::new(move |_| {
            let ([down, _], rows) = (view.get(), size.get().0);
            if is_long.get() {
                window(down.offset, down.extent, measures.row, rows)
            } else {
                0..rows
            }
        });
        let columns = Memo::new(move |_| {
            let ([_, right], columns) = (view.get(), size.get().1);
            match measures.widths {
                Some((_, width)) => window(right.offset, right.extent, width, columns),
                None => 0..columns,
            }
        });
        Self {
            name,
            size,
            fields,
            measures,
            look,
            active,
            press,
            entry: false,
            has_more: None,
            caption: None,
            looked_at: StoredValue::new(None),
            asking: RwSignal::new(None),
            view,
            is_long,
            rows,
            columns,
        }
    }

    /// The id of what scrolls.
    fn scroller(self) -> String {
        format!("{}-scroll", self.name)
    }

    /// Focuses a field, which may be out of sight.
    fn go(self, to: At) {
        let Measures { row, head, widths } = self.measures;
        self.active.set(to);
        self.looked_at.set_value(Some((to.row, to.column)));
        let scroller = self.scroller();
        let [mut down, mut right] = field::scrolled(&scroller);
        down.offset = down.reveal(to.row as f64 * row, row, head);
        if let Some((head, width)) = widths {
            right.offset = right.reveal(to.column as f64 * width, width, head);
        }
        field::scroll_to(&scroller, [down.offset, right.offset]);
        self.view.set([down, right]);
        // a field that was out of sight is drawn first
        request_animation_frame(move || field::rove(self.name, &id(self.name, to)));
    }

    fn on_key(self, event: &ev::KeyboardEvent) {
        let Some(hit) = field::hit(event) else {
            return;
        };
        let size = self.size.get_untracked();
        // keys may come faster than the focus follows
        let at = Some(self.active.get_untracked())
            .filter(|at| at.row < size.0)
            .unwrap_or(At::of(hit.at));
        let key = events::key(event);
        if key.alt || (key.command && !matches!(key.key.as_str(), "Home" | "End")) {
            return;
        }
        if let Some(pressed) = press_of(&key) {
            self.asking.set(None);
            self.press.run((at, pressed));
            if self.entry && self.is_value(at, pressed) {
                self.go(onward(at, size, self.fields.len()));
            }
        } else if let Some(to) = step(at, &key.key, key.command, size, self.fields.len()) {
            self.go(to);
        } else {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
    }

    /// How many keys a field has.
    fn keys(self, at: At) -> usize {
        let field = self.fields.get(at.field);
        field.map_or(0, |field| field.keys.len())
    }

    /// Whether what is pressed is a value of the field; one of one key has it or not.
    fn is_value(self, at: At, pressed: Press) -> bool {
        matches!(pressed, Press::Key(key) if key < self.keys(at).max(2))
    }

    /// What a click on a field is to press; none where it hits the value that is set.
    fn pressed(self, at: At, key: Option<usize>) -> Option<Press> {
        if self.keys(at) == 1 {
            return Some(Press::Toggle);
        }
        let keys = self.fields.get(at.field)?.keys;
        let set = untrack(|| self.look.run(at)).value;
        key.filter(|key| keys.get(*key).is_some_and(|key| *key != set))
            .map(Press::Key)
    }

    /// Whether a click is to look at a cell: whoever reads what is said there changes
    /// nothing by that.
    fn looks_only(self, at: At) -> bool {
        let cell = Some((at.row, at.column));
        let is_here = self.looked_at.get_value() == cell;
        self.looked_at.set_value(cell);
        let has_more = |ask: Callback<At, bool>| untrack(|| ask.run(at));
        !is_here && self.has_more.is_some_and(has_more)
    }

    fn on_click(self, event: &ev::MouseEvent) {
        let Some(hit) = field::hit(event) else {
            return;
        };
        let at = At::of(hit.at);
        self.active.set(at);
        field::rove(self.name, &id(self.name, at));
        let looks_only = self.looks_only(at);
        let asked = self.pressed(at, hit.key).filter(|pressed| {
            if !looks_only {
                self.press.run((at, *pressed));
            }
            looks_only
        });
        self.asking.set(asked.map(|pressed| {
            let what = match pressed {
                Press::Key(key) => format!("to set {key}"),
                _ => "to switch".to_owned(),
            };
            ((at.row, at.column), what)
        }));
    }

    fn on_focus(self, event: &ev::FocusEvent) {
        if let Some(hit) = field::hit(event) {
            let at = At::of(hit.at);
            self.active.set(at);
            let is_elsewhere = |asking: &((usize, usize), String)| asking.0 != (at.row, at.column);
            if self
                .asking
                .with_untracked(|asking| asking.as_ref().is_some_and(is_elsewhere))
            {
                self.asking.set(None);
            }
        }
    }

    /// A field that goes must not take the grid's stop of Tab along.
    fn keep_stop(self) {
        effect(move || {
            self.rows.track();
            self.columns.track();
            request_animation_frame(move || field::keep_stop(self.name));
        });
    }

    fn head(self, corner: &ViewFn, head: Callback<usize, AnyView>) -> impl IntoView + use<> {
        let Measures {
            head: height,
            widths,
            ..
        } = self.measures;
        let heads = Callback::new(move |at: usize| {
            view! { <div role="columnheader" class="grid-column-head" aria-colindex=at + 2>{head.run(at)}</div> }
                .into_any()
        });
        view! {
            <div role="row" class="grid-row grid-head" aria-rowindex="1" style:height=format!("{height}rem")>
                <div role="columnheader" class="grid-row-head" aria-colindex="1" style:flex-basis=head_basis(widths)>
                    {corner.run()}
                </div>
                {self.across(heads)}
            </div>
        }
    }

    /// The rows in view, between what stands for those that are not.
    fn body(self, head: Callback<usize, AnyView>) -> impl IntoView {
        let Self { size, rows, .. } = self;
        let gap = move |rows: usize| format!("{}rem", rows as f64 * self.measures.row);
        view! {
            <div role="presentation" style:height=move || gap(rows.get().start)></div>
            <For each=move || rows.get() key=|row| *row children=move |row| self.row(row, head) />
            <div role="presentation" style:height=move || gap(size.get().0 - rows.get().end)></div>
        }
    }

    fn row(self, row: usize, head: Callback<usize, AnyView>) -> impl IntoView {
        let Measures {
            row: height,
            widths,
            ..
        } = self.measures;
        let cells = Callback::new(move |column| self.cell(row, column));
        view! {
            <div role="row" class="grid-row" aria-rowindex=row + 2 style:height=format!("{height}rem")>
                <div role="rowheader" class="grid-row-head" style:flex-basis=head_basis(widths)>{head.run(row)}</div>
                {self.across(cells)}
            </div>
        }
    }

    /// The columns in view, between what stands for those that are not.
    fn across(self, draw: Callback<usize, AnyView>) -> AnyView {
        let Self { size, columns, .. } = self;
        let width = self.measures.widths.map(|(_, width)| width);
        let beside = move |columns: usize| {
            let width = width.map_or(0.0, |width| columns as f64 * width);
            format!("0 0 {width}rem")
        };
        let basis = width.map(|width| format!("0 0 {width}rem"));
        let column = move |at| {
            view! {
                <div role="presentation" class="grid-column" style:flex=basis.clone()>{draw.run(at)}</div>
            }
        };
        view! {
            <div role="presentation" style:flex=move || beside(columns.get().start)></div>
            <For each=move || columns.get() key=|column| *column children=column />
            <div
                role="presentation"
                style:flex=move || beside(size.get().1.saturating_sub(columns.get().end))
            ></div>
        }
        .into_any()
    }

    fn cell(self, row: usize, column: usize) -> AnyView {
        let fields = self.fields.iter().enumerate();
        let fields = fields.map(|(field, keys)| self.field(At { row, column, field }, *keys));
        // under the heading itself there is no need to say it again
        let caption = self.caption.filter(|_| row > 0);
        let caption = caption.map(|caption| {
            view! { <small class="grid-caption" aria-hidden="true">{move || caption.run(column)}</small> }
        });
        let asked = move || {
            self.asking.with(|asking| {
                let (_, what) = asking.as_ref().filter(|(cell, _)| *cell == (row, column))?;
                let words = format!("Again {what}");
                Some(view! { <small class="grid-asks" aria-hidden="true">{words}</small> })
            })
        };
        let asked = self.has_more.map(|_| live(asked));
        view! { <div role="presentation" class="grid-cell">{caption}{fields.collect_view()}{asked}</div> }
            .into_any()
    }

    fn field(self, at: At, keys: Keys) -> impl IntoView {
        let Self { name, active, .. } = self;
        let look = Memo::new(move |_| self.look.run(at));
        let is_stop = active.get_untracked() == at;
        let buttons = keys.keys.iter().enumerate();
        let buttons = buttons.map(|(key, text)| view! { <i data-key=key>{*text}</i> });
        view! {
            <div
                role="gridcell"
                id=id(name, at)
                class=keys.class
                tabindex=if is_stop { "0" } else { "-1" }
                data-at=format!("{},{},{}", at.row, at.column, at.field)
                aria-colindex=at.column + 2
                data-value=move || look.with(|look| look.value.clone())
                aria-label=move || look.with(|look| look.label.clone())
                class:wrong=move || look.with(|look| look.is_wrong)
                class:tried=move || look.with(|look| look.is_tried)
            >
                <b aria-hidden="true">{keys.title}</b>
                <span aria-hidden="true">{buttons.collect_view()}</span>
            </div>
        }
    }
}

fn head_basis(widths: Option<(f64, f64)>) -> Option<String> {
    widths.map(|(head, _)| format!("{head}rem"))
}

fn id(name: &str, at: At) -> String {
    format!("{name}-{}-{}-{}", at.row, at.column, at.field)
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
    fn what_is_entered_leads_on_to_the_last_field() {
        let mut at = At::default();
        let mut seen = vec![at];
        loop {
            let next = onward(at, (2, 2), 2);
            if next == at {
                break;
            }
            at = next;
            seen.push(at);
        }
        let told: Vec<_> = seen
            .iter()
            .map(|at| (at.row, at.column, at.field))
            .collect();
        assert_eq!(told[..3], [(0, 0, 0), (0, 0, 1), (0, 1, 0)]);
        assert_eq!(told[4..], [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]);
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
