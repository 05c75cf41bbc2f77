//! A table of figures: the twin of every chart.

use std::borrow::Cow;
use std::ops::Range;

use leptos::prelude::*;

use super::explain::explained;
use super::windowed::Windowed;

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// As people read it.
    pub text: String,
    /// The unrounded number, where it is one.
    pub value: Option<f64>,
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            value: None,
        }
    }

    /// A number with fixed decimals, or a dash when it was not measured.
    pub fn number(value: impl Into<Option<f64>>, decimals: usize) -> Self {
        let value = value.into();
        Self {
            text: crate::app::format::measured(value, decimals),
            value,
        }
    }
}

/// A row. The first cell is its heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Names the row.
    pub id: String,
    /// Whether it counts no more (eliminated, rejected).
    pub is_out: bool,
    /// The cells.
    pub cells: Vec<Cell>,
}

/// The rows of a table, those of a stretch made when they are looked at.
#[derive(Clone, Copy)]
pub struct Rows {
    /// How many there are.
    pub count: Signal<usize>,
    /// The rows of a stretch, tracked.
    pub rows: Callback<Range<usize>, Vec<Row>>,
}

impl From<Signal<Vec<Row>>> for Rows {
    fn from(rows: Signal<Vec<Row>>) -> Self {
        Self {
            count: Signal::derive(move || rows.with(Vec::len)),
            rows: Callback::new(move |range: Range<usize>| {
                rows.with(|rows| rows.get(range).map(<[Row]>::to_vec).unwrap_or_default())
            }),
        }
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub title: Cow<'static, str>,
    /// Whether it holds numbers.
    pub numeric: bool,
    /// What it is, where the heading does not say.
    pub help: &'static str,
    /// What explains it, in the glossary; empty where nothing does.
    pub about: &'static str,
}

impl Column {
    /// The same with what explains it in the glossary.
    #[must_use]
    pub const fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }
}

/// A column of numbers.
pub const fn number(title: &'static str, help: &'static str) -> Column {
    Column {
        title: Cow::Borrowed(title),
        numeric: true,
        help,
        about: "",
    }
}

/// A column of numbers that the glossary explains.
pub const fn figure(title: &'static str, about: &'static str) -> Column {
    number(title, "").about(about)
}

/// A column of words.
pub const fn words(title: &'static str) -> Column {
    Column {
        title: Cow::Borrowed(title),
        numeric: false,
        help: "",
        about: "",
    }
}

/// A table that follows its rows; of a long one only the rows in view are drawn.
#[component]
pub fn Table(
    /// What it shows.
    caption: &'static str,
    /// The columns.
    #[prop(into)]
    columns: Cow<'static, [Column]>,
    /// The rows.
    #[prop(into)]
    rows: Rows,
) -> impl IntoView {
    let draw = move |(start, size): (Signal<usize>, usize)| {
        let columns = columns.clone();
        let shown = move || {
            let start = start.get();
            let end = rows.count.get().min(start + size);
            table(caption, &columns, &rows.rows.run(start.min(end)..end))
        };
        shown.into_any()
    };
    view! { <Windowed label=caption count=rows.count draw /> }
}

/// Draws a table.
pub fn table(caption: &'static str, columns: &[Column], rows: &[Row]) -> impl IntoView + use<> {
    let head = columns.iter().map(|column| {
        let help = (!column.help.is_empty()).then_some(column.help);
        view! { <th scope="col" class:numeric=column.numeric title=help>{explained(column.title.clone(), column.about)}</th> }
    });
    let head = head.collect_view();
    let body = rows.iter().map(|row| {
        let cells = row.cells.iter().zip(columns).enumerate();
        let cells = cells.map(|(index, (cell, column))| {
            let value = cell.value.map(|value| value.to_string());
            let text = cell.text.clone();
            if index == 0 {
                view! { <th scope="row">{text}</th> }.into_any()
            } else {
                view! { <td class:numeric=column.numeric data-value=value>{text}</td> }.into_any()
            }
        });
        view! { <tr class:out=row.is_out data-testid=format!("row-{}", row.id)>{cells.collect_view()}</tr> }
    });
    view! {
        <div class="table-scroll" role="region" aria-label=caption tabindex="0">
            <table>
                <caption>{caption}</caption>
                <thead><tr>{head}</tr></thead>
                <tbody>{body.collect_view()}</tbody>
            </table>
        </div>
    }
}
