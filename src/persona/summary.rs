//! A result as text for people.

use std::fmt::Write;
use std::iter;

use super::compare::{Comparison, MetricComparison};
use super::metric::Metric;
use super::remarks::remarks;
use super::result::{PersonaResult, SafetyPart};
use super::taught::TaughtSummary;
use crate::text::{Shown, scalar_starts};

/// A share to three decimals; a dash for what was not measured.
pub fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

/// The result as text: the verdict, the metrics, the sessions, what was found.
pub fn summary(result: &PersonaResult) -> String {
    let mut lines = vec![verdict(result), String::new()];
    lines.extend(metrics(result));
    lines.extend(voice(result));
    lines.extend(taught(result));
    lines.push(String::new());
    lines.extend(sessions(result));
    lines.extend(findings(result));
    // what stands beside a figure already is not said again
    let notes = result
        .notes
        .iter()
        .filter(|note| !lines.iter().any(|line| line.trim_start() == *note));
    let notes: Vec<String> = notes.map(|note| format!("note: {note}")).collect();
    if !notes.is_empty() {
        lines.push(String::new());
        lines.extend(notes);
    }
    lines.push(String::new());
    lines.push(provenance(result));
    lines.join("\n") + "\n"
}

/// The three metrics, each with its parts.
fn metrics(result: &PersonaResult) -> Vec<String> {
    let mut lines = Vec::new();
    for metric in Metric::OUTER {
        lines.push(metric_line(metric, result));
        match metric {
            Metric::Authenticity => lines.extend(Metric::INNER.map(|part| {
                let (value, weight) = (shown(part.of(result)), part.weight_of(&result.weights));
                format!("    {:<16} {value:>5}  weight {weight:.2}", part.name())
            })),
            Metric::Safety => lines.extend(SafetyPart::ALL.map(|part| {
                let is_decisive = result.safety.decided_by == Some(part);
                let mark = if is_decisive {
                    "  decided in most sessions"
                } else {
                    ""
                };
                format!(
                    "    {:<16} {:>5}{mark}",
                    part.name(),
                    shown(part.of(result))
                )
            })),
            _ => {}
        }
        let said = remarks(metric, result).into_iter();
        lines.extend(said.map(|remark| format!("    {remark}")));
    }
    lines
}

/// The voice beside them, and what it was learned from.
fn voice(result: &PersonaResult) -> Vec<String> {
    let Some(voice) = &result.voice else {
        return Vec::new();
    };
    let pair = |[low, high]: [f64; 2]| format!("{low:.3} to {high:.3}");
    let interval = voice.metric.ci95.map_or_else(|| "-".to_owned(), pair);
    let place = if voice.is_style {
        "in the place of style"
    } else {
        "beside the score"
    };
    let said = remarks(Metric::Voice, result).into_iter();
    let first = format!(
        "{:<20} {:>5}  {place}, {}  95 % interval {interval}",
        Metric::Voice.name(),
        shown(voice.metric.mean),
        voice.formula,
    );
    iter::once(first)
        .chain(said.map(|remark| format!("    {remark}")))
        .collect()
}

/// The traits that are told by examples.
fn taught(result: &PersonaResult) -> Vec<String> {
    let line = |one: &TaughtSummary| {
        let (name, mean) = (one.name(), shown(one.mean));
        let (formula, examples) = (one.formula, one.examples);
        format!("{name:<20} {mean:>5}  beside the score, {formula}  {examples} examples")
    };
    result.taught.iter().map(line).collect()
}

/// What the numbers come from.
fn provenance(result: &PersonaResult) -> String {
    let model = result.model.as_ref().map_or_else(
        || "no model".to_owned(),
        |model| {
            let short: String = model.sha256.chars().take(12).collect();
            let name = Shown(&model.id);
            format!("{name} ({}, SHA-256 {short}…)", model.precision)
        },
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

fn metric_line(metric: Metric, result: &PersonaResult) -> String {
    let pair = |pair: Option<[f64; 2]>| {
        pair.map_or_else(
            || "-".to_owned(),
            |[low, high]| format!("{low:.3} to {high:.3}"),
        )
    };
    let figures = metric.summary(result);
    format!(
        "{:<20} {:>5}  weight {:.2}  95 % interval {}  range {}  std {}",
        metric.name(),
        shown(figures.mean),
        metric.weight_of(&result.weights),
        pair(figures.ci95),
        pair(figures.range),
        shown(figures.std),
    )
}

fn sessions(result: &PersonaResult) -> Vec<String> {
    let ids = result
        .sessions
        .iter()
        .map(|session| Shown(&session.session_id).to_string().chars().count());
    let width = ids.max().unwrap_or(0).clamp(7, 40);
    let line = |id: &str, figure: &dyn Fn(Metric) -> String| {
        let columns = iter::once(Metric::Overall).chain(Metric::OUTER);
        let figures = columns.map(|metric| {
            let width = metric.name().len();
            format!("  {:>width$}", figure(metric))
        });
        format!("{id:<width$}{}", figures.collect::<String>())
    };
    let mut lines = vec![line("session", &|metric| metric.name().to_owned())];
    for session in &result.sessions {
        let figure = |metric: Metric| shown(metric.of_session(session));
        lines.push(line(&Shown(&session.session_id).to_string(), &figure));
    }
    lines
}

/// Violations and avoided entries with their place.
fn findings(result: &PersonaResult) -> Vec<String> {
    let mut lines = Vec::new();
    for session in &result.sessions {
        if let Some(found) = session.drift.as_ref().and_then(|drift| drift.departure()) {
            let back = found
                .returns_at
                .map_or_else(String::new, |back| format!(", back at turn {back}"));
            lines.push(format!(
                "{} departs from the persona at turn {}{back}: distance {:.2} within, {:.2} outside",
                Shown(&session.session_id),
                found.departs_at,
                found.within,
                found.before
            ));
        }
        for turn in &session.turns {
            let place = format!("{} turn {}", Shown(&session.session_id), turn.turn_index);
            let starts = scalar_starts(&turn.text);
            let found = |start: usize, end: usize| &turn.text[starts[start]..starts[end]];
            lines.extend(turn.violations.iter().map(|violation| {
                format!(
                    "{place}: {} ({}): {:?}",
                    violation.category,
                    violation.severity.word(),
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

/// How many replies that changed for the worse a summary quotes.
const QUOTED: usize = 5;

/// How much of a reply it quotes, in Unicode scalar values.
const QUOTE: usize = 120;

/// A comparison as text: each metric's change, the replies that changed most for the worse, then
/// the sessions that got worse.
pub fn comparison_summary(comparison: &Comparison) -> String {
    let mut lines = vec![
        format!(
            "Overall {} -> {} ({} sessions paired)",
            shown(comparison.baseline_overall),
            shown(comparison.candidate_overall),
            comparison.sessions.len()
        ),
        String::new(),
    ];
    lines.extend(comparison.metrics.iter().map(changed));
    if !comparison.reply_metrics.is_empty() {
        let paired = comparison.replies.len();
        lines.extend([String::new(), format!("Over {paired} paired replies:")]);
        lines.extend(comparison.reply_metrics.iter().map(changed));
    }
    lines.extend(split(comparison));
    lines.extend(worse_replies(comparison));
    for (title, ids) in [
        ("Worse", &comparison.worse),
        ("Only in the baseline", &comparison.only_baseline),
        ("Only in the candidate", &comparison.only_candidate),
    ] {
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(|id| Shown(id).to_string()).collect();
            lines.extend([String::new(), format!("{title}: {}", ids.join(", "))]);
        }
    }
    lines.extend(comparison.notes.iter().map(|note| format!("Note: {note}")));
    lines.join("\n")
}

/// A metric's change in a line.
fn changed(metric: &MetricComparison) -> String {
    let signed = |value: f64| format!("{value:+.3}");
    let interval = metric.ci95.map_or_else(String::new, |[low, high]| {
        format!("  95% [{low:+.3}, {high:+.3}]")
    });
    format!(
        "  {:<13} {} -> {}  {}{interval}  {}",
        metric.metric,
        shown(metric.baseline),
        shown(metric.candidate),
        metric.difference.map_or_else(|| "-".to_owned(), signed),
        MetricComparison::words(metric.shift())
    )
}

/// What of the difference comes from what.
fn split(comparison: &Comparison) -> Vec<String> {
    let Some(split) = &comparison.split else {
        return Vec::new();
    };
    let lines = split.metrics.iter().map(|one| {
        format!(
            "  {:<13} {:.3} -> {:.3}  {:+.3} = persona {:+.3}, transcript {:+.3}, weights {:+.3}",
            one.name,
            one.before,
            one.after,
            one.difference,
            one.persona,
            one.transcript,
            one.weights
        )
    });
    let head =
        "Each run with its own persona and weights, and what of the difference each part adds:";
    [String::new(), head.to_owned()]
        .into_iter()
        .chain(lines)
        .collect()
}

/// The replies that changed most for the worse, quoted.
fn worse_replies(comparison: &Comparison) -> Vec<String> {
    let quoted = |text: &str| {
        let start: String = text.chars().take(QUOTE).collect();
        format!("{:?}", Shown(&start))
    };
    let worse = comparison.replies.iter().filter(|reply| reply.is_worse());
    let mut lines: Vec<String> = worse
        .take(QUOTED)
        .flat_map(|reply| {
            let place = format!("{} turn {}", Shown(&reply.session_id), reply.turn_index);
            let change = reply.differences.get(Metric::Authenticity.name());
            let change = change.map_or_else(String::new, |by| format!(" authenticity {by:+.3}"));
            let breach = if reply.breaks_anew() {
                " breaks a rule now"
            } else {
                ""
            };
            [
                format!("{place}:{change}{breach}"),
                format!("  was {}", quoted(&reply.baseline)),
                format!("  is  {}", quoted(&reply.candidate)),
            ]
        })
        .collect();
    if !lines.is_empty() {
        lines.splice(
            0..0,
            [String::new(), "Replies, the worst change first:".into()],
        );
    }
    lines
}
