//! A persona result as CSV (a row per response) and as Markdown.

use std::fmt::Write;

use crate::persona::{Metric, PersonaResult};

const COLUMNS: &str = "session_id,turn_index,authenticity,style,traits,lexicon,violations,\
                       preferred,avoided,nearest_exemplar,text";

/// One row per response; not measured is an empty cell. Lines end with CRLF (RFC 4180).
pub fn persona_csv(result: &PersonaResult) -> String {
    let mut csv = format!("{COLUMNS}\r\n");
    for session in &result.sessions {
        for turn in &session.turns {
            let matched = turn
                .traits
                .iter()
                .filter(|trait_result| trait_result.matched);
            let traits = (!turn.traits.is_empty())
                .then(|| format!("{}/{}", matched.count(), turn.traits.len()));
            let violations = turn
                .violations
                .iter()
                .map(|violation| violation.category.as_str());
            let preferred = turn.preferred_hits.iter().map(|hit| hit.entry.as_str());
            let avoided = turn.avoided_hits.iter().map(|hit| hit.entry.as_str());
            let cells = [
                session.session_id.clone(),
                turn.turn_index.to_string(),
                number(turn.authenticity),
                number(turn.style),
                traits.unwrap_or_default(),
                number(turn.lexicon),
                joined(violations),
                joined(preferred),
                joined(avoided),
                turn.nearest_exemplar
                    .as_deref()
                    .unwrap_or_default()
                    .to_owned(),
                turn.text.to_string(),
            ];
            csv.push_str(&cells.map(|cell| quoted(&cell)).join(","));
            csv.push_str("\r\n");
        }
    }
    csv
}

/// The verdict, the metrics and the sessions as Markdown tables.
pub fn persona_markdown(result: &PersonaResult) -> String {
    let mut text = String::from("# Persona alignment\n\n");
    match (result.overall, result.grade) {
        (Some(overall), Some(grade)) => line(
            &mut text,
            &format!("**Overall {overall:.3}, grade {}**", grade.letter()),
        ),
        _ => line(&mut text, "**Overall not measured**"),
    }
    if !result.partial.is_empty() {
        line(
            &mut text,
            &format!("\nNot measured: {}.", result.partial.join(", ")),
        );
    }
    line(&mut text, "\n| Metric | Mean |\n|---|---:|");
    for metric in Metric::ALL {
        line(
            &mut text,
            &format!("| {} | {} |", metric.name(), shown(metric.of(result))),
        );
    }
    line(
        &mut text,
        "\n| Session | Overall | Authenticity | Safety | Stability |\n|---|---:|---:|---:|---:|",
    );
    for session in &result.sessions {
        let cells = [
            session.overall,
            session.authenticity,
            session.safety,
            session.stability,
        ]
        .map(shown);
        line(
            &mut text,
            &format!(
                "| {} | {} |",
                escaped(&session.session_id),
                cells.join(" | ")
            ),
        );
    }
    if !result.notes.is_empty() {
        text.push('\n');
        for note in &result.notes {
            line(&mut text, &format!("- {}", escaped(note)));
        }
    }
    line(
        &mut text,
        &format!(
            "\n{}, input SHA-256 {}",
            result.formula, result.input_sha256
        ),
    );
    text
}

fn line(text: &mut String, content: &str) {
    // writing to a String cannot fail
    let _ = writeln!(text, "{content}");
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "not measured".to_owned(), |value| format!("{value:.3}"))
}

fn joined<'a>(items: impl Iterator<Item = &'a str>) -> String {
    let mut items: Vec<&str> = items.collect();
    items.dedup();
    items.join("; ")
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// A text in a table cell: nothing in it may end the cell or the line.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace(['\n', '\r'], " ")
        .replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use crate::persona::{Inputs, Options, read};

    use super::*;

    fn result() -> PersonaResult {
        let run = read(&Inputs {
            persona: "lexicon: {preferred: [ride, oil], avoid: []}",
            transcript: r#"{"session_id": "a|b", "turn": 1, "assistant": "Say \"ride\",\nlol lol"}"#,
            ..Inputs::default()
        });
        let scored = run.result.expect("valid").score(&Options::default(), None);
        scored.result.expect("scored")
    }

    #[test]
    fn csv_quotes_what_it_must() {
        let csv = persona_csv(&result());
        assert!(
            csv.ends_with("a|b,1,0.5,,,0.5,,ride,,,\"Say \"\"ride\"\",\nlol lol\"\r\n"),
            "{csv}"
        );
    }

    #[test]
    fn markdown_keeps_its_table() {
        let markdown = persona_markdown(&result());
        assert!(
            markdown.contains("| a\\|b |") && markdown.contains("Not measured: style"),
            "{markdown}"
        );
    }
}
