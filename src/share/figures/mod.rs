//! Charts and tables of a result as plain data, and what they are written as: SVG, Vega-Lite, TSV,
//! Markdown. All are made from the result's JSON, so that a file that holds it draws the same again.

mod chart;
mod debate;
mod given;
mod persona;
mod svg;
mod table;
mod turns;
mod vega_lite;

use serde_json::Value;

pub use chart::{Chart, Form, Part, Row, Rule, Series};
pub use svg::{Theme, svg};
pub use table::Table;
pub use vega_lite::vega_lite;

pub(super) use chart::{INK, PALETTE};

use super::permalink::Kind;

/// The charts of a result; what a result does not have is left out, and of a comparison there are
/// none.
pub fn charts(kind: Kind, result: &Value) -> Vec<Chart> {
    let all = match kind {
        Kind::Rwea => debate::charts(result),
        Kind::Reward => turns::charts(result),
        Kind::Persona => persona::charts(result),
        Kind::Compare => Vec::new(),
    };
    all.into_iter()
        .filter(|chart| !chart.rows.is_empty())
        .collect()
}

/// The tables of a result: every figure that a chart draws stands in one.
pub fn tables(kind: Kind, result: &Value) -> Vec<Table> {
    let mut tables = match kind {
        Kind::Rwea => debate::tables(result),
        Kind::Reward => turns::tables(result),
        Kind::Persona => persona::tables(result),
        Kind::Compare => Vec::new(),
    };
    // a what-if says so wherever it goes
    let tried = result
        .get("what_if")
        .map(|tried| given::text(tried, "words"));
    for table in &mut tables {
        if let Some(words) = tried.filter(|words| !words.is_empty()) {
            table.head.push("what_if".to_owned());
            for row in &mut table.rows {
                row.push(words.to_owned());
            }
        }
    }
    tables
}
