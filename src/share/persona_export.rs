//! A persona result as CSV (a row per response) and as Markdown.

use std::iter;

use crate::persona::{Metric, PersonaResult, SessionResult, TurnResult, remarks};

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
    "text",
];

/// One row per response; not measured is an empty cell. Lines end with CRLF (RFC 4180).
pub fn persona_csv(result: &PersonaResult) -> String {
    let rows = result.sessions.iter().flat_map(|session| {
        let turns = session.turns.iter();
        turns.map(move |turn| row(session, turn))
    });
    csv(&COLUMNS, rows)
}

fn row(session: &SessionResult, turn: &TurnResult) -> Vec<String> {
    let matched = turn.traits.iter().filter(|shown| shown.matched).count();
    let traits = (!turn.traits.is_empty()).then(|| format!("{matched}/{}", turn.traits.len()));
    let violations = turn.violations.iter();
    let preferred = turn.preferred_hits.iter();
    let avoided = turn.avoided_hits.iter();
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
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
        cell(&turn.text),
    ]
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
    let mut said = remarks(Metric::Safety, result);
    said.extend(
        remarks(Metric::Voice, result)
            .into_iter()
            .map(|remark| format!("Voice: {remark}")),
    );
    said.extend(result.notes.iter().cloned());
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
        "# Persona alignment\n\n**{verdict}**\n{partial}\n{}\n{}\n{}{}\n{}, input SHA-256 {}\n{by}",
        table(&["Metric", "Mean"], metrics.into_iter()),
        table(&header, sessions),
        table(&["Weight", "Used"], weights),
        bullets(&said),
        result.formula,
        result.input_sha256
    )
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
        let end = "1,0.5,,,0.5,,ride,,,,\"Say \"\"ride\"\",\nlol lol\"\r\n";
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
