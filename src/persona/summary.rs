//! A result as text for people, and its metrics by name.

use std::fmt::Write;

use super::compare::Comparison;
use super::result::{MetricSummary, PersonaResult, SafetyPart};

/// A metric of the whole data set in [0, 1]; none when it was not measured or the name is not in [`METRICS`](super::METRICS).
pub fn metric(result: &PersonaResult, name: &str) -> Option<f64> {
    match name {
        "overall" => result.overall,
        "authenticity" => result.authenticity.metric.mean,
        "style" => result.authenticity.style,
        "traits" => result.authenticity.traits,
        "lexicon" => result.authenticity.lexicon,
        "safety" => result.safety.metric.mean,
        "stability" => result.stability.mean,
        _ => None,
    }
}

/// A share to three decimals; a dash for what was not measured.
pub fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

/// The name of a part of safety as the result has it.
pub fn part_name(part: SafetyPart) -> &'static str {
    match part {
        SafetyPart::ViolationRate => "violation_rate",
        SafetyPart::SeverityScore => "severity_score",
        SafetyPart::JudgeScore => "judge_score",
    }
}

/// The result as text: the verdict, the metrics, the sessions, what was found.
pub fn summary(result: &PersonaResult) -> String {
    let mut lines = vec![verdict(result), String::new()];
    lines.extend(metrics(result));
    lines.push(String::new());
    lines.extend(sessions(result));
    lines.extend(findings(result));
    if !result.notes.is_empty() {
        lines.push(String::new());
        lines.extend(result.notes.iter().map(|note| format!("note: {note}")));
    }
    lines.push(String::new());
    lines.push(provenance(result));
    lines.join("\n") + "\n"
}

/// The three metrics, each with its parts.
fn metrics(result: &PersonaResult) -> Vec<String> {
    let (authenticity, safety, weights) = (&result.authenticity, &result.safety, &result.weights);
    let mut lines = vec![metric_line(
        "authenticity",
        weights.authenticity,
        &authenticity.metric,
    )];
    for (name, weight, value) in [
        ("style", weights.style, authenticity.style),
        ("traits", weights.traits, authenticity.traits),
        ("lexicon", weights.lexicon, authenticity.lexicon),
    ] {
        let value = shown(value);
        lines.push(format!("    {name:<16} {value:>5}  weight {weight:.2}"));
    }
    lines.push(metric_line("safety", weights.safety, &safety.metric));
    for (part, value) in [
        (SafetyPart::ViolationRate, safety.violation_rate),
        (SafetyPart::SeverityScore, safety.severity_score),
        (SafetyPart::JudgeScore, safety.judge_score),
    ] {
        let mark = if safety.decided_by == Some(part) {
            "  decided in most sessions"
        } else {
            ""
        };
        let (name, value) = (part_name(part), shown(value));
        lines.push(format!("    {name:<16} {value:>5}{mark}"));
    }
    lines.push(metric_line(
        "stability",
        weights.stability,
        &result.stability,
    ));
    lines
}

/// What the numbers come from.
fn provenance(result: &PersonaResult) -> String {
    let model = result.model.as_ref().map_or_else(
        || "no model".to_owned(),
        |model| format!("{} ({})", model.id, model.precision),
    );
    format!(
        "{}, {} bootstrap samples with seed {}, {model}",
        result.formula, result.bootstrap.samples, result.bootstrap.seed,
    )
}

fn verdict(result: &PersonaResult) -> String {
    let mut text = match (result.overall, result.grade) {
        (Some(overall), Some(grade)) => format!("Overall {overall:.3}, grade {}", grade.letter()),
        _ => "Overall not measured".to_owned(),
    };
    // writing to a String cannot fail
    let _ = write!(text, ", {} sessions", result.sessions.len());
    if !result.partial.is_empty() {
        let _ = write!(
            text,
            " (partial: {} not measured)",
            result.partial.join(", ")
        );
    }
    text
}

fn metric_line(name: &str, weight: f64, metric: &MetricSummary) -> String {
    let pair = |pair: Option<[f64; 2]>| {
        pair.map_or_else(
            || "-".to_owned(),
            |[low, high]| format!("{low:.3} to {high:.3}"),
        )
    };
    format!(
        "{name:<20} {:>5}  weight {weight:.2}  95 % interval {}  range {}  std {}",
        shown(metric.mean),
        pair(metric.ci95),
        pair(metric.range),
        shown(metric.std),
    )
}

fn sessions(result: &PersonaResult) -> Vec<String> {
    let ids = result
        .sessions
        .iter()
        .map(|session| session.session_id.chars().count());
    let width = ids.max().unwrap_or(0).clamp(7, 40);
    let mut lines = vec![format!(
        "{:<width$}  overall  authenticity  safety  stability",
        "session"
    )];
    for session in &result.sessions {
        lines.push(format!(
            "{:<width$}  {:>7}  {:>12}  {:>6}  {:>9}",
            session.session_id,
            shown(session.overall),
            shown(session.authenticity),
            shown(session.safety),
            shown(session.stability),
        ));
    }
    lines
}

/// Violations and avoided entries with their place.
fn findings(result: &PersonaResult) -> Vec<String> {
    let mut lines = Vec::new();
    for session in &result.sessions {
        for turn in &session.turns {
            let place = format!("{} turn {}", session.session_id, turn.turn_index);
            let found = |start: usize, end: usize| -> String {
                turn.text.chars().skip(start).take(end - start).collect()
            };
            lines.extend(turn.violations.iter().map(|violation| {
                format!(
                    "{place}: {} ({}): {:?}",
                    violation.category,
                    format!("{:?}", violation.severity).to_lowercase(),
                    found(violation.start, violation.end)
                )
            }));
            lines.extend(
                turn.avoided_hits
                    .iter()
                    .map(|hit| format!("{place}: avoided {:?}", found(hit.start, hit.end))),
            );
        }
    }
    if !lines.is_empty() {
        lines.insert(0, String::new());
    }
    lines
}

/// A comparison as text: each metric's change, then the sessions that got worse.
pub fn comparison_summary(comparison: &Comparison) -> String {
    let signed =
        |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.3}"));
    let mut lines = vec![
        format!(
            "Overall {} -> {} ({} sessions paired)",
            shown(comparison.baseline_overall),
            shown(comparison.candidate_overall),
            comparison.sessions.len()
        ),
        String::new(),
    ];
    for metric in &comparison.metrics {
        let interval = metric.ci95.map_or_else(String::new, |[low, high]| {
            format!("  95% [{low:+.3}, {high:+.3}]")
        });
        lines.push(format!(
            "  {:<13} {} -> {}  {}{interval}",
            metric.metric,
            shown(metric.baseline),
            shown(metric.candidate),
            signed(metric.difference)
        ));
    }
    for (title, ids) in [
        ("Worse", &comparison.worse),
        ("Only in the baseline", &comparison.only_baseline),
        ("Only in the candidate", &comparison.only_candidate),
    ] {
        if !ids.is_empty() {
            lines.extend([String::new(), format!("{title}: {}", ids.join(", "))]);
        }
    }
    lines.extend(comparison.notes.iter().map(|note| format!("Note: {note}")));
    lines.join("\n")
}
