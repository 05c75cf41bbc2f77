//! The charts and tables of a debate.

use serde_json::Value;

use super::chart::{Chart, Form, MINUS, Part, Row, Series};
use super::given::{list, number, plain, source, text};
use super::table::Table;
use crate::debate::{Term, Weights};

/// What each candidate's score is made of.
pub(super) fn charts(result: &Value) -> Vec<Chart> {
    let series = Term::ALL.into_iter().enumerate();
    let series = series.map(|(at, term)| Series {
        name: term.label().to_owned(),
        hue: if term == Term::Risk { MINUS } else { at },
    });
    let rows = list(result, "results").iter().map(|row| {
        let parts = Term::ALL.into_iter().enumerate().filter_map(|(at, term)| {
            let value = number(row.get("contributions")?, term.name())?;
            Some(Part {
                series: at,
                value,
                interval: None,
            })
        });
        Row {
            label: text(row, "id").to_owned(),
            parts: parts.filter(|part| part.value != 0.0).collect(),
            total: number(row, "score"),
        }
    });
    let chart = Chart {
        name: "contributions",
        title: "What each score is made of".into(),
        source: source(result),
        axis: "Weight × value; the line marks the score",
        ends: [0.0, 1.0],
        series: series.collect(),
        rows: rows.collect(),
        rules: Vec::new(),
        form: Form::Bars,
    };
    vec![chart.bounded().fitted()]
}

/// The candidates with their values, and what each term adds to their scores.
pub(super) fn tables(result: &Value) -> Vec<Table> {
    let columns = [
        ("Candidate", "id"),
        ("Model", "model"),
        ("Score", "score"),
        ("Wins", "wins"),
        ("Base", "base"),
        ("Pairwise", "pairwise"),
        ("Risk", "risk"),
        ("Reliability", "model_weight"),
        ("Formal", "formal_score"),
        ("Critical fails", "critical_fails"),
        ("Eliminated", "eliminated"),
    ];
    let rows = list(result, "results").iter();
    let values = rows.clone().map(|row| {
        let cells = columns.iter().map(|(_, key)| plain(row.get(*key)));
        cells.collect()
    });
    let parts = rows.map(|row| {
        let own = row.get("contributions");
        let terms = Term::ALL.map(|term| plain(own.and_then(|own| own.get(term.name()))));
        let mut cells = vec![plain(row.get("id"))];
        cells.extend(terms);
        cells.push(plain(row.get("score")));
        cells
    });
    let mut head = vec!["Candidate"];
    head.extend(Term::ALL.map(Term::label));
    head.push("Score");
    let weights = result.get("weights");
    let weights = Weights::NAMES.map(|name| {
        let value = weights.and_then(|weights| weights.get(name));
        vec![name.to_owned(), plain(value)]
    });
    vec![
        Table::new(
            "Candidates",
            &columns.map(|(label, _)| label),
            values.collect(),
        ),
        Table::new("Weight × value", &head, parts.collect()),
        Table::new("Weights", &["Weight", "Used"], weights.to_vec()),
    ]
}
