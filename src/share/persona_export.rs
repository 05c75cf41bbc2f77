//! A persona result as CSV (a row per response) and as Markdown.

use std::iter;

use crate::persona::{
    Comparison, Metric, MetricComparison, PersonaResult, SessionResult, Split, TurnResult, remarks,
};

use super::export::{bullets, cell, csv, inline, table};

const COLUMNS: [&str; 12] = [
    "session_id",
    "turn_index",
    "authenticity",
    "style",
    "traits",
    "lexicon",
    "violations",
    "preferred",
    "avoided",
    "nearest_exemplar",
    "voice",
    "unread",
];

/// One row per response; not measured is an empty cell, and so is what says nothing of a response that
/// cannot be read. Each trait that is told by examples has a column. What the figures were made with
/// stands on every row: what fills the place of style, what the voice was learned with, and the model's
/// SHA-256. Lines end with CRLF (RFC 4180).
pub fn persona_csv(result: &PersonaResult) -> String {
    let traits = result.taught.iter();
    let traits: Vec<String> = traits
        .map(|one| cell(&format!("trait {}", one.word)))
        .collect();
    let mut header = COLUMNS.to_vec();
    header.extend(traits.iter().map(String::as_str));
    header.extend(["style_by", "voice_labels", "model_sha256", "text"]);
    let made_with = made_with(result);
    let rows = result.sessions.iter().flat_map(|session| {
        let turns = session.turns.iter();
        turns.map(|turn| {
            let mut cells = row(session, &result.judged(turn));
            cells.extend(result.taught.iter().map(|one| {
                let told = turn.taught.iter().find(|told| told.word == one.word);
                number(told.map(|told| told.value))
            }));
            cells.extend(made_with.iter().cloned());
            cells.push(cell(&turn.text));
            cells
        })
    });
    csv(&header, rows)
}

/// What fills the place of style, how many labels the voice has learned from, and the model.
fn made_with(result: &PersonaResult) -> [String; 3] {
    let voice = result.voice.as_ref();
    let by = match voice {
        Some(voice) if voice.is_style => voice.formula,
        _ => result.formula,
    };
    let labels = voice.map(|voice| voice.learned_from.labels.to_string());
    let model = result.model.as_ref().map(|model| cell(&model.sha256));
    [
        by.to_owned(),
        labels.unwrap_or_default(),
        model.unwrap_or_default(),
    ]
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn row(session: &SessionResult, turn: &TurnResult) -> Vec<String> {
    let matched = turn.traits.iter().filter(|shown| shown.matched).count();
    let traits = (!turn.traits.is_empty()).then(|| format!("{matched}/{}", turn.traits.len()));
    let violations = turn.violations.iter();
    let preferred = turn.preferred_hits.iter();
    let avoided = turn.avoided_hits.iter();
    vec![
        cell(&session.session_id),
        turn.turn_index.to_string(),
        number(turn.authenticity),
        number(turn.style),
        traits.unwrap_or_default(),
        number(turn.lexicon),
        joined(violations.map(|violation| violation.category.as_str())),
        joined(preferred.map(|hit| hit.entry.as_str())),
        joined(avoided.map(|hit| hit.entry.as_str())),
        cell(turn.nearest_exemplar.as_deref().unwrap_or_default()),
        number(turn.voice),
        cell(turn.unread.unwrap_or_default()),
    ]
}

/// A comparison: one row per paired reply, those that got worse first, and what both were made from.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let metrics = Metric::OF_REPLIES.map(|metric| format!("{}_change", metric.name()));
    let mut header = vec!["session_id", "turn_index"];
    header.extend(metrics.iter().map(String::as_str));
    header.extend([
        "breaks_rule_before",
        "breaks_rule_now",
        "baseline",
        "candidate",
        "baseline_sha256",
        "candidate_sha256",
    ]);
    let rows = comparison.replies.iter().map(|reply| {
        let mut cells = vec![cell(&reply.session_id), reply.turn_index.to_string()];
        cells.extend(Metric::OF_REPLIES.map(|metric| {
            let change = reply.differences.get(metric.name());
            number(change.copied())
        }));
        cells.extend(reply.is_in_breach.map(|breaks| breaks.to_string()));
        cells.extend([cell(&reply.baseline), cell(&reply.candidate)]);
        cells.push(comparison.baseline_sha256.clone());
        cells.push(comparison.candidate_sha256.clone());
        cells
    });
    csv(&header, rows)
}

/// Metrics of two runs and how they changed, as a Markdown table.
fn changes(all: &[MetricComparison]) -> String {
    let none = || "-".to_owned();
    let rows = all.iter().map(|one| {
        let change = one.difference.map(|by| format!("{by:+.3}"));
        let interval = one.ci95;
        let interval = interval.map(|[low, high]| format!("{low:+.3} to {high:+.3}"));
        vec![
            one.metric.to_owned(),
            shown(one.baseline),
            shown(one.candidate),
            change.unwrap_or_else(none),
            interval.unwrap_or_else(none),
            MetricComparison::words(one.shift()).to_owned(),
        ]
    });
    let header = [
        "Metric",
        "Baseline",
        "Candidate",
        "Change",
        "95 % interval",
        "In words",
    ];
    table(&header, rows)
}

/// What of the difference comes from what, as a Markdown table.
fn parts(split: &Split) -> String {
    let rows = split.metrics.iter().map(|one| {
        let signed = [one.difference, one.persona, one.transcript, one.weights];
        let mut cells = vec![one.name.clone()];
        cells.extend([one.before, one.after].map(|value| shown(Some(value))));
        cells.extend(signed.map(|by| format!("{by:+.3}")));
        cells
    });
    let header = [
        "Metric",
        "Before",
        "After",
        "Change",
        "By the persona",
        "By the transcript",
        "By the weights",
    ];
    table(&header, rows)
}

/// A comparison as Markdown: each metric's change, the sessions that got worse, what limits it.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    let replies = if comparison.reply_metrics.is_empty() {
        String::new()
    } else {
        let paired = comparison.replies.len();
        format!(
            "\nOver {paired} paired replies:\n\n{}",
            changes(&comparison.reply_metrics)
        )
    };
    let apart = comparison.split.as_ref().map(|split| {
        let words =
            "Each run with its own persona and weights, and what of the difference each part adds:";
        format!("\n{words}\n\n{}", parts(split))
    });
    let apart = apart.unwrap_or_default();
    let listed = [
        ("Worse", &comparison.worse),
        ("Only in the baseline", &comparison.only_baseline),
        ("Only in the candidate", &comparison.only_candidate),
    ];
    let mut said: Vec<String> = listed
        .into_iter()
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(title, ids)| format!("{title}: {}", ids.join(", ")))
        .collect();
    said.extend(comparison.notes.iter().cloned());
    format!(
        "# Persona alignment, compared\n\n**Overall {} to {}**\n\n{}{apart}{replies}{}\n{}, input SHA-256 {} (baseline) and {} (candidate)\n",
        shown(comparison.baseline_overall),
        shown(comparison.candidate_overall),
        changes(&comparison.metrics),
        bullets(&said),
        comparison.formula,
        comparison.baseline_sha256,
        comparison.candidate_sha256,
    )
}

/// What is said beside the figures.
fn said(result: &PersonaResult) -> Vec<String> {
    let mut said = remarks(Metric::Safety, result);
    // what is by construction is a note already
    let unstable = remarks(Metric::Stability, result).into_iter();
    let unstable = unstable.filter(|remark| !result.notes.contains(remark));
    said.extend(unstable.map(|remark| format!("Stability: {remark}")));
    said.extend(
        remarks(Metric::Voice, result)
            .into_iter()
            .map(|remark| format!("Voice: {remark}")),
    );
    said.extend(result.notes.iter().cloned());
    said
}

/// The verdict, the metrics and the sessions as Markdown tables.
pub fn persona_markdown(result: &PersonaResult) -> String {
    let verdict = match (result.overall, result.grade) {
        (Some(overall), Some(grade)) => format!("Overall {overall:.3}, grade {}", grade.letter()),
        _ => "Overall not measured".to_owned(),
    };
    let partial = if result.partial.is_empty() {
        String::new()
    } else {
        format!("\nNot measured: {}.\n", result.partial.join(", "))
    };
    let metrics = Metric::ALL.map(|metric| vec![metric.name().into(), shown(metric.of(result))]);
    let taught = result.taught.iter().map(|one| {
        let name = format!("{} by examples", one.name());
        vec![inline(&name), shown(one.mean)]
    });
    let metrics = metrics.into_iter().chain(taught);
    let weighed = Metric::OUTER.into_iter().chain(Metric::INNER);
    let weights = weighed.map(|metric| {
        let weight = metric.weight_of(&result.weights);
        vec![metric.name().into(), weight.to_string()]
    });
    let columns = || iter::once(Metric::Overall).chain(Metric::OUTER);
    let header: Vec<&str> = iter::once("Session")
        .chain(columns().map(Metric::label))
        .collect();
    let sessions = result.sessions.iter().map(|session| {
        let figures = columns().map(|metric| shown(metric.of_session(session)));
        iter::once(inline(&session.session_id))
            .chain(figures)
            .collect()
    });
    let by = result.model.as_ref().map(|model| {
        let how = inline(&model.precision);
        format!(
            "\nEmbedded by {} ({how}), SHA-256 {}\n",
            inline(&model.id),
            model.sha256
        )
    });
    let by = by.unwrap_or_default();
    format!(
        "# Persona alignment\n\n**{verdict}**\n{partial}\n{}\n{}\n{}{}{}\n{}, input SHA-256 {}\n{by}",
        table(&["Metric", "Mean"], metrics),
        table(&header, sessions),
        table(&["Weight", "Used"], weights),
        departures(result),
        bullets(&said(result)),
        result.formula,
        result.input_sha256
    )
}

/// The sessions that depart from the persona; nothing where none does.
fn departures(result: &PersonaResult) -> String {
    let rows: Vec<Vec<String>> = result
        .sessions
        .iter()
        .filter_map(|session| {
            let found = session.drift.as_ref()?.departure()?;
            let back = found
                .returns_at
                .map_or_else(|| "-".to_owned(), |turn| turn.to_string());
            Some(vec![
                inline(&session.session_id),
                found.departs_at.to_string(),
                back,
                format!("{:.2}", found.within),
                format!("{:.2}", found.before),
                format!("{:.4}", found.p),
            ])
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let header = [
        "Session departs",
        "At turn",
        "Back at",
        "Distance within",
        "Outside",
        "p",
    ];
    format!("\n{}", table(&header, rows.into_iter()))
}

fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "not measured".to_owned(), |value| format!("{value:.3}"))
}

fn joined<'a>(items: impl Iterator<Item = &'a str>) -> String {
    let mut items: Vec<&str> = items.collect();
    items.dedup();
    cell(&items.join("; "))
}

#[cfg(test)]
mod tests {
    use crate::persona::{Inputs, Options, read};

    use super::*;

    fn result(session: &str) -> PersonaResult {
        let reply = serde_json::json!({
            "session_id": session, "turn": 1, "assistant": "Say \"ride\",\nlol lol",
        });
        let run = read(&Inputs {
            persona: "lexicon: {preferred: [ride, oil], avoid: []}",
            transcript: &reply.to_string(),
            ..Inputs::default()
        });
        let scored = run.result.expect("valid").score(&Options::default(), None);
        scored.result.expect("scored")
    }

    #[test]
    fn csv_is_quoted_and_guarded() {
        let end =
            "1,0.5,,,0.5,,ride,,,,,alignmenter-reference/1,,,\"Say \"\"ride\"\",\nlol lol\"\r\n";
        for (session, shown) in [("a|b", "a|b"), ("=1+1", "'=1+1")] {
            let csv = persona_csv(&result(session));
            assert!(csv.ends_with(&format!("\r\n{shown},{end}")), "{csv}");
        }
    }

    #[test]
    fn markdown_shows_text_as_it_is() {
        let markdown = persona_markdown(&result("a|b ![t](http://x/p.png)"));
        assert!(
            markdown.contains("| a\\|b !\\[t\\](http\\://x/p.png) | 0.")
                && markdown.contains("\n\nNot measured: style"),
            "{markdown}"
        );
    }
}
