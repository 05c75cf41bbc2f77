//! A table, and what it is written as.

use super::super::export;
use crate::text::one_line;

/// A table as plain data. Cells are texts as they are: who shows them escapes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows, each as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(title: &str, head: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self {
            title: title.to_owned(),
            head: head.iter().map(|&name| name.to_owned()).collect(),
            rows,
        }
    }

    /// Lines of cells with tabs between, as a spreadsheet takes them from the clipboard. No cell has a
    /// line end or a tab, and none is run as a formula.
    pub fn tsv(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells = cells.iter().map(|cell| {
                let is_number = cell.parse::<f64>().is_ok();
                let guarded = if is_number { cell.clone() } else { guard(cell) };
                one_line(&guarded.replace(['\t', '\n', '\r'], " "))
            });
            cells.collect::<Vec<_>>().join("\t") + "\n"
        };
        let mut text = line(&self.head);
        text.extend(self.rows.iter().map(line));
        text
    }

    /// A table of Markdown that shows every cell as it is.
    pub fn markdown(&self) -> String {
        let head: Vec<&str> = self.head.iter().map(String::as_str).collect();
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(|cell| export::inline(cell)).collect());
        export::table(&head, rows)
    }
}

/// A cell with an apostrophe before what would be run. Quotes would only be taken off again.
fn guard(cell: &str) -> String {
    let guarded = export::guard(cell);
    // a quote at the start would open a cell that goes on behind the tab
    if guarded.is_empty() && cell.starts_with('"') {
        return format!("'{cell}");
    }
    format!("{guarded}{cell}")
}
