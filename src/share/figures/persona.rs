//! The charts and tables of replies held against a persona.

use serde_json::Value;

use super::chart::{Chart, Form, Part, Row, Series};
use super::given::{list, number, plain, source, text};
use super::table::Table;
use crate::persona::Metric;

/// The overall score and its parts, and the three metrics of each session.
pub(super) fn charts(result: &Value) -> Vec<Chart> {
    vec![parts(result), sessions(result)]
}

/// Where a result has a metric's figures: an object of its own, or a number beside its parts.
fn figures(result: &Value, metric: Metric) -> Option<&Value> {
    let place = match metric {
        Metric::Style | Metric::Traits | Metric::Lexicon => result.get("authenticity")?,
        _ => result,
    };
    place.get(metric.name())
}

/// The mean of a metric over the sessions.
fn mean(result: &Value, metric: Metric) -> Option<f64> {
    let found = figures(result, metric)?;
    found.as_f64().or_else(|| number(found, "mean"))
}

fn interval(result: &Value, metric: Metric) -> Option<[f64; 2]> {
    match list(figures(result, metric)?, "ci95") {
        [low, high] => Some([low.as_f64()?, high.as_f64()?]),
        _ => None,
    }
}

fn parts(result: &Value) -> Chart {
    let rows = Metric::ALL.into_iter().filter_map(|metric| {
        let part = Part {
            series: 0,
            value: mean(result, metric)?,
            interval: interval(result, metric),
        };
        Some(Row {
            label: metric.label().to_owned(),
            parts: vec![part],
            total: None,
        })
    });
    Chart {
        name: "metrics",
        title: "The score and its parts".into(),
        source: source(result),
        axis: "Mean over sessions, with its 95 % interval",
        ends: [0.0, 1.0],
        series: Series::named(["Mean"]),
        rows: rows.collect(),
        rules: Vec::new(),
        form: Form::Dots,
    }
}

fn sessions(result: &Value) -> Chart {
    let rows = list(result, "sessions").iter().map(|session| {
        let parts = Metric::OUTER.into_iter().enumerate();
        let parts = parts.filter_map(|(series, metric)| {
            Some(Part {
                series,
                value: number(session, metric.name())?,
                interval: None,
            })
        });
        Row {
            label: text(session, "session_id").to_owned(),
            parts: parts.collect(),
            total: number(session, Metric::Overall.name()),
        }
    });
    let chart = Chart {
        name: "sessions",
        title: "Sessions".into(),
        source: source(result),
        axis: "Score; the line marks the overall score",
        ends: [0.0, 1.0],
        series: Metric::OUTER
            .into_iter()
            .zip([0, 3, 4])
            .map(|(metric, hue)| Series {
                name: metric.label().to_owned(),
                hue,
            })
            .collect(),
        rows: rows.collect(),
        rules: Vec::new(),
        form: Form::Dots,
    };
    chart.bounded()
}

/// A figure, or that it was not measured.
fn measured(value: Option<&Value>) -> String {
    let shown = plain(value);
    if shown.is_empty() {
        return "not measured".into();
    }
    shown
}

/// The metrics, the sessions, the replies and the weights.
pub(super) fn tables(result: &Value) -> Vec<Table> {
    let metrics = Metric::ALL.map(|metric| {
        let found = figures(result, metric);
        let mean = found.and_then(|found| found.get("mean")).or(found);
        let own = |key: &str| plain(found.and_then(|found| found.get(key)));
        let weight = result.get("weights").and_then(|all| all.get(metric.name()));
        vec![
            metric.label().to_owned(),
            measured(mean.filter(|mean| !mean.is_object())),
            own("std"),
            own("range"),
            own("ci95"),
            plain(weight),
        ]
    });
    let head = [
        "Metric",
        "Mean",
        "Deviation",
        "Range",
        "95 % interval",
        "Weight",
    ];
    let metrics = Table::new("Metrics", &head, metrics.to_vec());
    let parts = [
        "violation_rate",
        "severity_score",
        "judge_score",
        "decided_by",
    ];
    let sessions = list(result, "sessions").iter().map(|session| {
        let values = Metric::ALL.map(|metric| measured(session.get(metric.name())));
        let mut cells = vec![plain(session.get("session_id"))];
        cells.extend(values);
        cells.extend(parts.map(|key| plain(session.get(key))));
        cells
    });
    let mut head = vec!["Session"];
    head.extend(Metric::ALL.map(Metric::label));
    head.extend(["Violation rate", "Severity", "Judge", "Decided by"]);
    vec![
        metrics,
        Table::new("Sessions", &head, sessions.collect()),
        replies(result),
    ]
}

fn replies(result: &Value) -> Table {
    let rows = list(result, "sessions").iter().flat_map(|session| {
        list(session, "turns").iter().map(|turn| {
            let keys = ["authenticity", "style", "lexicon", "voice"];
            let found = |list_key: &str, key: &str| {
                let mut found: Vec<&str> = list(turn, list_key)
                    .iter()
                    .map(|hit| text(hit, key))
                    .collect();
                found.dedup();
                found.join("; ")
            };
            let mut cells = vec![
                plain(session.get("session_id")),
                plain(turn.get("turn_index")),
            ];
            cells.extend(keys.map(|key| measured(turn.get(key))));
            cells.extend([
                found("preferred_hits", "entry"),
                found("avoided_hits", "entry"),
                found("violations", "category"),
                plain(turn.get("text")),
            ]);
            cells
        })
    });
    let head = [
        "Session",
        "Turn",
        "Authenticity",
        "Style",
        "Lexicon",
        "Voice",
        "Preferred words",
        "Avoided words",
        "Violations",
        "Reply",
    ];
    Table::new("Replies", &head, rows.collect())
}
