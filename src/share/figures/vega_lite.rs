//! A chart as a Vega-Lite specification: the same marks from the same numbers.

use serde_json::{Value, json};

use super::chart::{Chart, Form, Mark, PALETTE, figure};

/// The specification (version 5), in the light theme, with its numbers inside: for each mark its row's
/// position and label, its series, its value, and where it begins and ends. It asks for nothing from
/// elsewhere.
pub fn vega_lite(chart: &Chart) -> Value {
    let marks = chart.marks();
    let values: Vec<Value> = marks.iter().map(record).collect();
    let totals = chart.rows.iter().enumerate();
    let totals: Vec<Value> = totals
        .filter_map(|(at, row)| {
            let total = row.total?;
            Some(json!({"row": at, "label": row.label, "total": total}))
        })
        .collect();
    let mut layer = Vec::new();
    layer.extend(rules(chart));
    layer.extend(match chart.form {
        Form::Bars => bars(chart),
        Form::Dots => dots(chart),
        Form::Line => line(chart),
    });
    if !totals.is_empty() {
        layer.push(json!({
            "data": {"values": totals},
            "mark": {"type": "tick", "thickness": 2, "color": "black"},
            "encoding": {"y": rows(chart), "x": value(chart, "total")},
        }));
    }
    json!({
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": chart.title, "subtitle": chart.source},
        "width": 450,
        "data": {"values": values},
        "layer": layer,
    })
}

fn record(mark: &Mark) -> Value {
    let [from, to] = mark.span;
    let mut record = json!({
        "row": mark.row,
        "label": mark.label,
        "series": mark.series.name,
        "value": mark.value,
        "from": from,
        "to": to,
    });
    if let Some([low, high]) = mark.interval {
        record["low"] = json!(low);
        record["high"] = json!(high);
    }
    record
}

/// The axis of rows. They are told by position: two may have the same label.
fn rows(chart: &Chart) -> Value {
    let labels: Vec<&str> = chart.rows.iter().map(|row| row.label.as_str()).collect();
    // a JSON list is a list of Vega's expressions too
    let labels = format!("{}[datum.value]", json!(labels));
    json!({"field": "row", "type": "ordinal", "axis": {"title": null, "labelExpr": labels}})
}

fn value(chart: &Chart, field: &str) -> Value {
    json!({
        "field": field,
        "type": "quantitative",
        "scale": {"domain": chart.ends},
        "title": chart.axis,
    })
}

fn colour(chart: &Chart) -> Value {
    let names: Vec<&str> = chart
        .series
        .iter()
        .map(|series| series.name.as_str())
        .collect();
    let hues = chart.series.iter();
    let hues: Vec<&str> = hues
        .map(|series| PALETTE[series.hue % PALETTE.len()][0])
        .collect();
    json!({
        "field": "series",
        "type": "nominal",
        "scale": {"domain": names, "range": hues},
        "title": null,
    })
}

fn bars(chart: &Chart) -> Vec<Value> {
    vec![json!({
        "mark": "bar",
        "encoding": {
            "y": rows(chart),
            "x": value(chart, "from"),
            "x2": {"field": "to"},
            "color": colour(chart),
        },
    })]
}

fn dots(chart: &Chart) -> Vec<Value> {
    let interval = json!({
        "transform": [{"filter": "isValid(datum.low)"}],
        "mark": "rule",
        "encoding": {
            "y": rows(chart),
            "x": value(chart, "low"),
            "x2": {"field": "high"},
            "color": colour(chart),
        },
    });
    let dot = json!({
        "mark": {"type": "circle", "size": 80, "opacity": 1},
        "encoding": {"y": rows(chart), "x": value(chart, "value"), "color": colour(chart)},
    });
    let has_interval = chart.marks().iter().any(|mark| mark.interval.is_some());
    has_interval
        .then_some(interval)
        .into_iter()
        .chain([dot])
        .collect()
}

fn line(chart: &Chart) -> Vec<Value> {
    vec![json!({
        "mark": {"type": "line", "point": true},
        "encoding": {"x": rows(chart), "y": value(chart, "value"), "color": colour(chart)},
    })]
}

/// Values that are marked across all rows, each with what it is.
fn rules(chart: &Chart) -> Vec<Value> {
    let is_line = chart.form == Form::Line;
    let rules = chart.rules.iter().map(|rule| {
        let channel = if is_line { "y" } else { "x" };
        let mut encoding = json!({});
        encoding[channel] = value(chart, "value");
        let mut labelled = encoding.clone();
        labelled["text"] = json!({"field": "label"});
        let words = if is_line {
            json!({"type": "text", "x": "width", "align": "right", "dy": -6})
        } else {
            json!({"type": "text", "y": 0, "align": "left", "dx": 4})
        };
        let label = format!("{} {}", rule.label, figure(rule.value));
        json!({
            "data": {"values": [{"value": rule.value, "label": label}]},
            "layer": [
                {"mark": {"type": "rule", "strokeDash": [4, 3]}, "encoding": encoding},
                {"mark": words, "encoding": labelled},
            ],
        })
    });
    rules.collect()
}
