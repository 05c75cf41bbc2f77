//! The charts and tables of scored turns.

use serde_json::Value;

use super::chart::{Chart, Form, Part, Row, Rule, Series};
use super::given::{list, number, plain, source, text};
use super::table::Table;
use crate::constitution::{Band, Principle, SCALE};

/// The reward of each turn, and the principles' means.
pub(super) fn charts(result: &Value) -> Vec<Chart> {
    vec![rewards(result), means(result)]
}

/// A turn's name: its number, and its session where there are several.
fn label(turn: &Value) -> String {
    let session = text(turn, "session_id");
    let number = plain(turn.get("turn_number"));
    if session.is_empty() {
        number
    } else {
        format!("{number} of {session}")
    }
}

fn rewards(result: &Value) -> Chart {
    let rows = list(result, "turns").iter().map(|turn| Row {
        label: label(turn),
        parts: part(0, number(turn, "weighted_total")).collect(),
        total: None,
    });
    let sum = number(result, "weights_sum").unwrap_or(SCALE);
    let bands = [Band::Good, Band::Concerning].map(|band| Rule {
        value: band.least() / SCALE * sum,
        label: format!("{} from here", band.word()),
    });
    let mean = result
        .get("session")
        .and_then(|session| number(session, "mean_total"));
    let mean = mean.map(|value| Rule {
        value,
        label: "mean".into(),
    });
    let chart = Chart {
        name: "rewards",
        title: "Reward of each turn".into(),
        source: source(result),
        axis: "Weighted total",
        ends: [0.0, 1.0],
        series: Series::named(["Reward"]),
        rows: rows.collect(),
        rules: bands.into_iter().chain(mean).collect(),
        form: Form::Line,
    };
    chart.fitted()
}

fn part(series: usize, value: Option<f64>) -> impl Iterator<Item = Part> {
    value.into_iter().map(move |value| Part {
        series,
        value,
        interval: None,
    })
}

fn means(result: &Value) -> Chart {
    let means = result
        .get("session")
        .and_then(|session| session.get("mean_scores"));
    let rows = Principle::ALL.into_iter().map(|principle| Row {
        label: principle.label().to_owned(),
        parts: part(0, means.and_then(|means| number(means, principle.name()))).collect(),
        total: None,
    });
    Chart {
        name: "principles",
        title: "Mean score of each principle".into(),
        source: source(result),
        axis: "Mean over all turns",
        ends: [0.0, 1.0],
        series: Series::named(["Mean"]),
        rows: rows.collect(),
        rules: Vec::new(),
        form: Form::Bars,
    }
}

/// The turns with their scores, the sessions, and the weights.
pub(super) fn tables(result: &Value) -> Vec<Table> {
    let mut head = vec!["Turn", "Action"];
    head.extend(Principle::ALL.map(Principle::label));
    head.extend(["Total", "Band", "Rejected", "By default"]);
    let turns = list(result, "turns").iter().map(|turn| {
        let scores = turn.get("scores");
        let score = |principle: Principle| plain(scores.and_then(|all| all.get(principle.name())));
        let mut cells = vec![label(turn), plain(turn.get("action"))];
        cells.extend(Principle::ALL.map(score));
        let rest = ["weighted_total", "band", "rejected", "by_default"];
        cells.extend(rest.map(|key| plain(turn.get(key))));
        cells
    });
    let turns = Table::new("Turns", &head, turns.collect());
    let columns = [
        ("Turns", "turns"),
        ("Mean total", "mean_total"),
        ("Not measured", "unmeasured"),
        ("Scores by default", "by_default"),
        ("Weakest", "weakest"),
        ("Trend per turn", "trend"),
        ("Discounted value", "discounted_value"),
    ];
    let row = |name: String, of: &Value| {
        let cells = columns.iter().map(|(_, key)| plain(of.get(*key)));
        std::iter::once(name).chain(cells).collect::<Vec<_>>()
    };
    let own = list(result, "sessions").iter();
    let own = own.map(|session| row(text(session, "session_id").to_owned(), session));
    let all = result
        .get("session")
        .map(|all| row("All turns".into(), all));
    let mut head = vec!["Session"];
    head.extend(columns.map(|(label, _)| label));
    let sessions = Table::new("Sessions", &head, own.chain(all).collect());
    let (weights, session) = (result.get("weights"), result.get("session"));
    let means = session.and_then(|session| session.get("mean_scores"));
    let principles = Principle::ALL.map(|principle| {
        let of = |values: Option<&Value>| plain(values.and_then(|all| all.get(principle.name())));
        vec![principle.label().to_owned(), of(means), of(weights)]
    });
    let head = ["Principle", "Mean score", "Weight"];
    vec![
        turns,
        sessions,
        Table::new("Principles", &head, principles.to_vec()),
    ]
}
