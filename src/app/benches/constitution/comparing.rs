//! A log held against an earlier run of it.

use super::TURNS;
use super::options::options;
use crate::app::bench::HeldAgainst;
use crate::app::desk::Work;
use crate::app::format::signed;
use crate::app::panels::table::{Cell, Column, Row, number, words};
use crate::constitution::{Difference, Log, NamedDifference, Split, difference, read};

static COLUMNS: [Column; 6] = [
    words("Of"),
    number("Before", "A total, or the mean of several"),
    number("After", "A total, or the mean of several"),
    number("Difference", ""),
    number("By the turns", "Their share of the difference"),
    number("By the weights", "Their share of the difference"),
];

/// Holds a log against an earlier one.
pub fn held_against(before: &Work, after: &Work) -> Result<HeldAgainst, String> {
    let log = |which: &str, work: &Work| -> Result<Log, String> {
        let read = read(work.text(TURNS.name)).result;
        read.ok_or_else(|| format!("the {which} run has turns with mistakes"))
    };
    let (one, other) = (log("earlier", before)?, log("later", after)?);
    let found = difference((&one, &options(before)), (&other, &options(after)));
    let found = found.ok_or("the weights of one of them are refused")?;
    Ok(HeldAgainst {
        said: said(&found),
        columns: &COLUMNS,
        rows: rows(&found),
    })
}

fn said(found: &Difference) -> Vec<String> {
    let Split {
        before,
        after,
        difference,
        shares: [turns, weights],
    } = found.mean_total;
    let mean = format!(
        "The mean total was {before:.2} and is {after:.2}, {}: {} by the turns and {} by the weights.",
        signed(difference, 2),
        signed(turns, 2),
        signed(weights, 2)
    );
    // the mean of a principle has no weight in it
    let principles = found.principles.iter();
    let mut moved: Vec<_> = principles
        .map(|(name, before, after)| (*name, after - before))
        .filter(|(_, difference)| difference.abs() >= 0.005)
        .collect();
    moved.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let moved: Vec<String> = moved
        .iter()
        .map(|(name, difference)| format!("{name} {}", signed(*difference, 2)))
        .collect();
    let moved = match moved.len() {
        0 => "The mean of no principle has moved.".to_owned(),
        _ => format!("Means of principles that moved: {}.", moved.join(", ")),
    };
    vec![mean, moved]
}

/// Principles, then sessions where there are several, then turns.
fn rows(found: &Difference) -> Vec<Row> {
    let principles = found.principles.iter().map(|(name, before, after)| {
        // no weight is in it
        let split = Split {
            before: *before,
            after: *after,
            difference: after - before,
            shares: [after - before, 0.0],
        };
        let both = (Some(*before), Some(*after));
        row(name, format!("{name}, mean"), both, Some(split))
    });
    let named = |what: &'static str, all: &[NamedDifference]| {
        let all = all.iter().map(|one| {
            let called = format!("{what} {}", one.name);
            row(&one.name, called, (one.before, one.after), one.total)
        });
        all.collect::<Vec<Row>>()
    };
    let sessions = named("session", &found.sessions);
    principles
        .chain(sessions)
        .chain(named("turn", &found.turns))
        .collect()
}

fn row(
    id: &str,
    called: String,
    (before, after): (Option<f64>, Option<f64>),
    split: Option<Split>,
) -> Row {
    let figure = |value: Option<f64>| Cell::number(value, 4);
    let share = |at: usize| figure(split.map(|split| split.shares[at]));
    Row {
        id: id.to_owned(),
        is_out: after.is_none(),
        cells: vec![
            Cell::text(called),
            figure(before),
            figure(after),
            figure(split.map(|split| split.difference)),
            share(0),
            share(1),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_that_only_the_weights_move_says_so() {
        let text = r#"[{"action": "x", "overrides": {"ethical": 0.5}}]"#;
        let before = Work::of(TURNS.name, text);
        let mut after = before.clone();
        after.set("ethical", Some("1".into()));
        let held = held_against(&before, &after).expect("two logs");
        // the default weight of 2 has half of it, then 1 has
        assert!(
            held.said[0].contains("-0.50") || held.said[0].contains("−0.50"),
            "{:?}",
            held.said
        );
        assert_eq!(held.said[1], "The mean of no principle has moved.");
        let turn = held.rows.iter().find(|row| row.cells[0].text == "turn 1");
        let cells = &turn.expect("the turn").cells;
        assert_eq!(
            (cells[4].value, cells[3].value),
            (Some(0.0), cells[5].value)
        );
        let broken = Work::of(TURNS.name, "{");
        assert!(held_against(&broken, &after).is_err());
    }
}
