//! The anatomy of scores: one stacked bar per row, each row and each part of its
//! bar opening to its evidence.
//!
//! Rows are drawn by their place in the list, so that a change of a weight
//! changes numbers in the page and rebuilds nothing.

use std::collections::BTreeMap;

use leptos::ev;
use leptos::prelude::*;

use super::unrolled::{Unrolled, Unrolling};
use super::windowed::WHOLE;
use crate::app::browser::events;
use crate::app::browser::field::{self, Place};
use crate::app::charts::stack::{self, Axis, Bar, Part};
use crate::app::derived::{effect, live, settled};
use crate::app::format::fixed;

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Names the row.
    pub id: String,
    /// As people read it.
    pub title: String,
    /// In smaller type.
    pub subtitle: String,
    /// Its place, from 1; none where it has none.
    pub rank: Option<usize>,
    /// Its place before the last change, where that was another.
    pub was: Option<usize>,
    /// The contributions.
    pub values: Vec<f64>,
    /// What the contributions could be at most, where that is known.
    pub wholes: Option<Vec<f64>>,
    /// The score.
    pub score: f64,
    /// The score before the last change, where that was another.
    pub before: Option<f64>,
    /// The score as text.
    pub total: String,
    /// Whether it counts no more, and why.
    pub out: Option<String>,
}

/// What of a row stays while a weight moves and nobody is overtaken: what shows it is not
/// drawn again then.
#[derive(Clone, PartialEq)]
struct Head {
    id: String,
    title: String,
    subtitle: String,
    rank: Option<usize>,
    was: Option<usize>,
    out: Option<String>,
}

impl Head {
    fn of(row: &Row) -> Self {
        Self {
            id: row.id.clone(),
            title: row.title.clone(),
            subtitle: row.subtitle.clone(),
            rank: row.rank,
            was: row.was,
            out: row.out.clone(),
        }
    }
}

/// The rows of a list in order, each made when it is looked at: of a long list few are.
#[derive(Clone, Copy)]
pub struct Rows {
    /// How many there are.
    pub count: Signal<usize>,
    /// How many of them count. They come first.
    pub counting: Signal<usize>,
    /// The axis on which all of them fit.
    pub axis: Memo<Axis>,
    /// The axis of those that stand apart, where they have one.
    pub axis_apart: Option<Memo<Axis>>,
    /// The row at a position, tracked.
    pub row: Callback<usize, Option<Row>>,
    /// A row to go to and to open, by its position.
    pub wanted: Option<RwSignal<Option<usize>>>,
}

impl Rows {
    /// Rows that are there. What counts no more stands on an axis of its own: one that is
    /// far out does not press the others together.
    pub fn of(rows: Memo<Vec<Row>>) -> Self {
        let counting = move || rows.with(|rows| counting(rows));
        let apart = Memo::new(move |_| rows.with(|rows| axis(&rows[counting()..])));
        Self {
            count: Signal::derive(move || rows.with(Vec::len)),
            counting: Signal::derive(counting),
            axis: Memo::new(move |_| rows.with(|rows| axis(&rows[..counting()]))),
            axis_apart: Some(apart),
            row: Callback::new(move |index: usize| rows.with(|rows| rows.get(index).cloned())),
            wanted: None,
        }
    }
}

/// How many rows at the beginning count.
fn counting(rows: &[Row]) -> usize {
    rows.iter().take_while(|row| row.out.is_none()).count()
}

/// What of a row is looked at: all of it, or one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The row.
    pub id: String,
    /// The part, by its position.
    pub part: Option<usize>,
}

/// The axis on which all rows fit.
fn axis(rows: &[Row]) -> Axis {
    Axis::fitting(
        rows.iter()
            .map(|row| row.wholes.as_deref().unwrap_or(&row.values)),
    )
}

/// The list of rows, for whoever goes to one of them.
const LIST: &str = "anatomy-list";

/// The list of those that stand apart.
const APART: &str = "anatomy-apart";

/// Goes to the first of the rows: they are others than before.
pub fn to_first() {
    field::back_to(LIST);
}

/// Draws the rows. Each opens in its place; in a long list one at a time.
#[component]
pub fn Anatomy(
    /// What the rows are.
    label: &'static str,
    /// The rows.
    rows: Rows,
    /// The parts that all rows have.
    parts: &'static [Part],
    /// The evidence of a row, made when it is opened.
    #[prop(into)]
    evidence: Callback<Opened, AnyView>,
    /// The heading over rows that count no more, where they stand apart.
    #[prop(optional)]
    apart: &'static str,
) -> impl IntoView {
    let list = List::new(rows, parts, evidence);
    let counting = Memo::new(move |_| {
        if apart.is_empty() {
            rows.count.get()
        } else {
            rows.counting.get()
        }
    });
    if let Some(wanted) = rows.wanted {
        effect(move || {
            if let Some(index) = wanted.get() {
                untrack(|| list.go_to(index));
                wanted.set(None);
            }
        });
    }
    let beyond = list.apart();
    // the list is made once; a change of the rows does not make it again
    let apart_count = Memo::new(move |_| rows.count.get() - counting.get());
    let has_apart = Memo::new(move |_| !apart.is_empty() && apart_count.get() > 0);
    let out = move || {
        has_apart.get().then(|| {
            let draw = move |(start, size): (Signal<usize>, usize)| {
                beyond.draw(Signal::derive(move || counting.get() + start.get()), size)
            };
            view! {
                <h4 class="apart">{apart}</h4>
                <Unrolled
                    id=APART
                    count=apart_count
                    unrolling=beyond.unrolling
                    draw
                    foot=move || beyond.scale()
                />
            }
        })
    };
    view! {
        <div class="anatomy" role="group" aria-label=label on:click=move |event| list.on_press(&event) on:keydown=move |event| list.on_key(&event)>
            <Unrolled
                id=LIST
                count=counting
                unrolling=list.unrolling
                draw=move |(start, size)| list.draw(start, size)
                foot=move || list.scale()
            />
            {live(out)}
        </div>
    }
}

/// Which rows are open, and the part that is looked at in each.
type Open = BTreeMap<String, Option<usize>>;

/// What all parts of a list know.
#[derive(Clone, Copy)]
struct List {
    rows: Rows,
    axis: Memo<Axis>,
    parts: &'static [Part],
    evidence: Callback<Opened, AnyView>,
    is_long: Memo<bool>,
    open: RwSignal<Open>,
    unrolling: Unrolling,
}

impl List {
    fn new(rows: Rows, parts: &'static [Part], evidence: Callback<Opened, AnyView>) -> Self {
        Self {
            rows,
            axis: rows.axis,
            parts,
            evidence,
            is_long: Memo::new(move |_| rows.count.get() > WHOLE),
            open: RwSignal::new(Open::new()),
            unrolling: Unrolling::default(),
        }
    }

    /// The same for rows that stand apart.
    fn apart(self) -> Self {
        Self {
            axis: self.rows.axis_apart.unwrap_or(self.axis),
            unrolling: Unrolling::default(),
            ..self
        }
    }

    fn scale(self) -> impl IntoView {
        view! { <div class="anatomy-scale"><span class="bar">{live(move || stack::scale(self.axis.get()))}</span></div> }
    }

    /// Opens a row and brings it into view.
    fn go_to(self, index: usize) {
        let Some(Row { id, .. }) = self.rows.row.run(index) else {
            return;
        };
        let is_long = self.is_long.get();
        self.open.update(|open| {
            if is_long {
                open.clear();
            }
            open.insert(id.clone(), None);
        });
        if is_long {
            self.unrolling.go_to(LIST, index);
        }
        // the row is there when the list was drawn anew
        request_animation_frame(move || {
            request_animation_frame(move || {
                field::bring_row_into_view("", &id);
            });
        });
    }

    fn toggle(self, opened: Opened) {
        self.open.update(|open| {
            let is_same = open.get(&opened.id) == Some(&opened.part);
            let is_row = opened.part.is_none() && open.contains_key(&opened.id);
            if self.is_long.get_untracked() {
                open.clear();
            }
            if is_same || is_row {
                open.remove(&opened.id);
                self.unrolling.open_at.set(None);
            } else {
                open.insert(opened.id, opened.part);
            }
        });
    }

    /// One listener for all rows.
    fn on_press(self, event: &ev::Event) {
        let Some(id) = events::attribute(event, "data-row") else {
            return;
        };
        let part = events::attribute(event, "data-part").and_then(|part| part.parse().ok());
        let part = part.or_else(|| untrack(|| self.part_at(event)));
        if part.is_some() || events::attribute(event, "data-press").is_some() {
            self.toggle(Opened { id, part });
        }
    }

    /// The part of a row's bar that was pressed.
    fn part_at(self, event: &ev::Event) -> Option<usize> {
        let across = events::across(event, "data-bar")?;
        let index = events::attribute(event, "data-index")?.parse().ok()?;
        let row = self.rows.row.run(index)?;
        let axis = match self.rows.axis_apart {
            Some(axis) if row.out.is_some() => axis,
            _ => self.axis,
        };
        stack::part_at(&lay_out(&row, axis.get()), across)
    }

    fn on_key(self, event: &ev::KeyboardEvent) {
        let on_part = events::attribute(event, "data-part").is_some();
        let done = match event.key().as_str() {
            "ArrowRight" => events::step_focus(event, true, "[data-part]"),
            "ArrowLeft" => events::step_focus(event, false, "[data-part]"),
            "Enter" | " " if on_part => {
                self.on_press(event);
                true
            }
            _ => false,
        };
        if done {
            event.prevent_default();
        }
    }

    /// So many rows from the first one on.
    fn draw(self, start: Signal<usize>, size: usize) -> AnyView {
        self.is_long.track();
        let slots = (0..size).map(|slot| self.row(Signal::derive(move || start.get() + slot)));
        view! { <ol class="anatomy-rows">{slots.collect_view()}</ol> }.into_any()
    }

    /// A place in the list, whatever row is there.
    fn row(self, index: Signal<usize>) -> AnyView {
        let rows = self.rows;
        let row = Memo::new(move |_| rows.row.run(index.get()));
        if self.is_long.get_untracked() {
            self.slim_view(row, index)
        } else {
            self.row_view(row)
        }
    }
}

/// Where a row stood before the last change.
fn ghost((rank, was): (usize, usize)) -> impl IntoView {
    let (class, sign, word) = if rank < was {
        ("was up", "▲", "up")
    } else {
        ("was down", "▼", "down")
    };
    view! {
        <span class=class data-testid="ghost" data-was=was>
            <span aria-hidden="true">{sign}</span><span class="visually-hidden">{word}","</span>" was "{was}
        </span>
    }
}

/// What is written in a place of a long list.
const SLIM: [(&str, Place); 8] = [
    ("[data-slot]", Place::Text),
    ("", Place::Attribute("data-row")),
    ("", Place::Attribute("data-index")),
    ("", Place::Attribute("data-testid")),
    ("[data-press]", Place::Attribute("aria-expanded")),
    (".total", Place::Attribute("data-value")),
    (".bar", Place::Style("background-size")),
    (".bar", Place::Style("background-position")),
];

impl List {
    /// A place in a long list. All of it is written by one effect, since in a drag
    /// every row of hundreds may become another one.
    fn slim_view(self, row: Memo<Option<Row>>, index: Signal<usize>) -> AnyView {
        let (axis, open) = (self.axis, self.open);
        let opened = Memo::new(move |_| {
            row.with(|row| {
                let id = &row.as_ref()?.id;
                let part = open.with(|open| open.get(id).copied())?;
                let id = id.clone();
                Some(Opened { id, part })
            })
        });
        let open_at = self.unrolling.open_at;
        effect(move || {
            if opened.with(Option::is_some) {
                open_at.set(Some(index.get()));
            }
        });
        let line = NodeRef::<leptos::html::Li>::new();
        let slots = StoredValue::new_local(None::<field::Slots>);
        effect(move || {
            let (Some(line), axis) = (line.get(), axis.get()) else {
                return;
            };
            row.with(|row| {
                let Some(row) = row else {
                    return;
                };
                let is_open = opened.with(Option::is_some);
                slots.update_value(|slots| {
                    let slots = slots.get_or_insert_with(|| field::Slots::new(&line, &SLIM));
                    write_slim(slots, row, index.get(), axis, is_open);
                });
            });
        });
        view! {
            <li node_ref=line>
                <div class="anatomy-row">
                    <button type="button" class="row-open" data-press="">
                        <span class="rank" data-slot=""></span>
                        <span class="name">
                            <span data-slot=""></span>
                            <small><span data-slot=""></span><span data-slot=""></span></small>
                            <span class="tag" data-slot=""></span>
                        </span>
                    </button>
                    <span class="bar slim" data-bar="" style=("background-image", stack::images(self.parts))></span>
                    <span class="total" data-slot=""></span>
                </div>
                {live(move || self.details(opened))}
            </li>
        }
        .into_any()
    }

    /// A place in a list that is drawn whole.
    fn row_view(self, row: Memo<Option<Row>>) -> AnyView {
        let open = self.open;
        let head = settled(move || row.with(|row| row.as_ref().map(Head::of)));
        let read = move |of: fn(&Head) -> String| move || head.with(|head| head.as_ref().map(of));
        let figure = move |of: fn(&Row) -> String| move || row.with(|row| row.as_ref().map(of));
        let opened = Memo::new(move |_| {
            let id = head.with(|head| Some(head.as_ref()?.id.clone()))?;
            let part = open.with(|open| open.get(&id).copied())?;
            Some(Opened { id, part })
        });
        let out = move || head.with(|head| head.as_ref()?.out.clone());
        let rank = move || head.with(|head| head.as_ref()?.rank);
        let moved = move || {
            head.with(|head| {
                let head = head.as_ref()?;
                Some((head.rank?, head.was?))
            })
        };
        view! {
            <li
                class:out=move || head.with(|head| head.as_ref().is_some_and(|head| head.out.is_some()))
                data-row=read(|head| head.id.clone())
                data-testid=read(|head| format!("row-{}", head.id))
            >
                <div class="anatomy-row">
                    <button
                        type="button"
                        class="row-open"
                        data-press=""
                        aria-expanded=move || opened.get().is_some().to_string()
                    >
                        <span class="rank">{live(rank)}</span>
                        <span class="name">
                            {read(|head| head.title.clone())}" "
                            <small>{live(move || moved().map(ghost))}{read(|head| head.subtitle.clone())}</small>
                            {live(move || out().map(|out| view! { <span class="tag">{out}</span> }))}
                        </span>
                        <span class="visually-hidden">": "{live(self.told(row))}</span>
                    </button>
                    {self.bar(row)}
                    <span class="total" data-value=figure(|row| row.score.to_string())>
                        {figure(|row| row.total.clone())}
                    </span>
                </div>
                {live(move || self.details(opened))}
            </li>
        }
        .into_any()
    }

    /// What is behind a row, where it is open.
    fn details(self, opened: Memo<Option<Opened>>) -> Option<AnyView> {
        let opened = opened.get()?;
        let evidence = self.evidence;
        let evidence = live(move || evidence.run(opened.clone()));
        Some(view! { <div class="evidence">{evidence}</div> }.into_any())
    }

    /// The bar of a row; all its places are one write.
    fn bar(self, row: Memo<Option<Row>>) -> impl IntoView {
        let (axis, parts) = (self.axis, self.parts);
        let bar = NodeRef::<leptos::html::Span>::new();
        effect(move || {
            let axis = axis.get();
            let laid_out = row.with(|row| Some(lay_out(row.as_ref()?, axis)));
            if let (Some(span), Some(bar)) = (bar.get(), laid_out) {
                field::set_properties(&span, &stack::properties(&bar));
            }
        });
        view! { <span class="bar" node_ref=bar>{stack::view(parts)}</span> }
    }

    /// Each part with its number, for those who do not see the bar.
    fn told(self, row: Memo<Option<Row>>) -> impl Fn() -> Option<String> {
        let parts = self.parts;
        move || {
            row.with(|row| {
                let parts = parts.iter().zip(&row.as_ref()?.values);
                let told =
                    parts.map(|(part, value)| format!("{} {}", part.label, fixed(*value, 2)));
                Some(told.collect::<Vec<_>>().join(", "))
            })
        }
    }
}

fn lay_out(row: &Row, axis: Axis) -> Bar {
    stack::lay_out(&row.values, row.wholes.as_deref(), axis, row.before)
}

/// Writes a row into a place of a long list.
fn write_slim(slots: &mut field::Slots, row: &Row, index: usize, axis: Axis, is_open: bool) {
    let (sizes, positions) = stack::places(&lay_out(row, axis));
    let was = match (row.rank, row.was) {
        (Some(rank), Some(was)) if rank < was => format!("▲ was {was}. "),
        (Some(_), Some(was)) => format!("▼ was {was}. "),
        _ => String::new(),
    };
    let rank = row.rank.map(|rank| rank.to_string()).unwrap_or_default();
    slots.write([
        &rank,
        &row.title,
        &was,
        &row.subtitle,
        row.out.as_deref().unwrap_or_default(),
        &row.total,
        &row.id,
        &index.to_string(),
        &format!("row-{}", row.id),
        &is_open.to_string(),
        &row.score.to_string(),
        &sizes,
        &positions,
    ]);
}
