//! Exports of any texts: a spreadsheet runs none of them, and Markdown shows them as
//! they are.

use assay::constitution;
use assay::debate;
use assay::embedding::{EmbedError, Embedder, ModelIdentity};
use assay::persona::{self, Inputs};
use assay::share::{
    debate_csv, debate_markdown, persona_csv, persona_markdown, reward_csv, reward_markdown,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Texts that a spreadsheet would run, that CSV has to quote, that Markdown would draw;
/// none is empty.
fn text() -> impl Strategy<Value = String> {
    const PIECES: [&str; 16] = [
        "=1+1",
        "+",
        "-",
        "@x",
        "\t",
        "\r",
        "\n",
        "\"",
        ",",
        "|",
        "\\",
        "![t](http://x/p.png)",
        "<b>",
        "*a* _b_ ~c~",
        "`#`",
        "&amp;",
    ];
    let pieces = prop::collection::vec(prop::sample::select(&PIECES), 0..4);
    (pieces, "\\PC{0,3}").prop_map(|(pieces, end)| pieces.concat() + &end + "x")
}

fn debate(texts: &[String; 4]) -> (String, String) {
    let [id, model, domain, why] = texts;
    let candidate = |id: &str, risks: u8| {
        json!({
            "id": id, "wins": 0, "model": model, "reviews": [{
                "support": 1, "evidence": 1, "major_risks": risks, "critical_fail": 0,
                "debater": why, "justification": why,
            }],
        })
    };
    let payload = json!({
        "domain": domain, "question": why,
        "candidates": [candidate(id, 2), candidate("b", 0)],
    });
    let scored = debate::evaluate(&payload.to_string(), &debate::Options::default());
    let result = scored.result.expect("a debate");
    (debate_csv(&result), debate_markdown(&result))
}

fn reward(texts: &[String; 4]) -> (String, String) {
    let [action, message, reasoning, witnessed] = texts;
    let turn = json!({"action": action, "user_message": message, "reasoning": reasoning});
    let mark = json!({"action": witnessed, "constitutional_scores": {}});
    let turns = json!([turn, mark]).to_string();
    let scored = constitution::evaluate(&turns, &constitution::Options::default());
    let result = scored.result.expect("turns");
    (reward_csv(&result), reward_markdown(&result))
}

/// The same vector for every text.
struct Alike(ModelIdentity);

impl Embedder for Alike {
    fn model(&self) -> &ModelIdentity {
        &self.0
    }

    fn embed(&self, _: &str) -> Result<Vec<f32>, EmbedError> {
        Ok(vec![1.0, 0.0])
    }
}

fn persona(texts: &[String; 4]) -> (String, String) {
    let [session, reply, exemplar, word] = texts;
    let persona = json!({
        "id": "p", "exemplars": [exemplar], "style_rules": {"tone": [word]},
        "lexicon": {"preferred": [word], "avoid": ["lol"]},
    });
    let row = |session: &str| json!({"session_id": session, "turn": 1, "assistant": format!("{reply} {word} lol")});
    let transcript: Value = [row(session), row("b")].into();
    let run = persona::read(&Inputs {
        persona: &persona.to_string(),
        transcript: &transcript.to_string(),
        ..Inputs::default()
    });
    let embedder = Alike(ModelIdentity {
        id: "alike".into(),
        sha256: String::new(),
        precision: String::new(),
    });
    let run = run.result.expect("a persona and a transcript");
    let scored = run.score(&persona::Options::default(), Some(&embedder));
    let result = scored.result.expect("scored");
    (persona_csv(&result), persona_markdown(&result))
}

/// The cells of a CSV as a spreadsheet reads it (RFC 4180).
fn cells(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut rest = csv.chars().peekable();
    let mut is_quoted = false;
    while let Some(character) = rest.next() {
        match character {
            '"' if is_quoted && rest.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !is_quoted && rest.next_if_eq(&'\n').is_some() => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(character),
        }
    }
    assert!(!is_quoted && row.is_empty() && cell.is_empty(), "{csv:?}");
    rows
}

/// Every row as long as the header, and no cell of these columns a formula.
fn check_csv(csv: &str, texts: &[&str]) {
    let rows = cells(csv);
    let (header, rows) = rows.split_first().expect("a header");
    for name in texts {
        let column = header.iter().position(|head| head == name).expect(name);
        for row in rows {
            assert_eq!(row.len(), header.len(), "{csv:?}");
            let cell = &row[column];
            assert!(
                !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
                "{csv:?}"
            );
        }
    }
}

/// The lines without the characters that stand behind a backslash, which mean nothing.
fn live(markdown: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut live = String::new();
        let mut rest = line.chars();
        while let Some(character) = rest.next() {
            if character == '\\' {
                rest.next();
            } else {
                live.push(character);
            }
        }
        live
    };
    markdown.split('\n').map(line).collect()
}

/// What is drawn is what the export draws of plain texts: the same lines, the same cells.
fn check_markdown(markdown: &str, plain: &str) {
    let drawn = |lines: Vec<String>| -> Vec<String> {
        let marks = |line: String| {
            line.chars()
                .filter(|c| "\\`*[]<>|#&~\r".contains(*c))
                .collect()
        };
        lines.into_iter().map(marks).collect()
    };
    assert_eq!(drawn(live(markdown)), drawn(live(plain)), "{markdown}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_text_of_an_export_is_run_or_drawn(texts in prop::array::uniform4(text())) {
        let plain = ["x"; 4].map(str::to_owned);
        let (csv, markdown) = debate(&texts);
        check_csv(&csv, &["id", "model"]);
        check_markdown(&markdown, &debate(&plain).1);
        let (csv, markdown) = reward(&texts);
        check_csv(&csv, &["action", "notes"]);
        check_markdown(&markdown, &reward(&plain).1);
        let (csv, markdown) = persona(&texts);
        check_csv(&csv, &["session_id", "preferred", "avoided", "nearest_exemplar", "text"]);
        check_markdown(&markdown, &persona(&plain).1);
    }
}
