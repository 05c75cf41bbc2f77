//! Exports of any texts: a spreadsheet runs none of them, and Markdown shows them as
//! they are.

use assay::constitution;
use assay::debate;
use assay::embedding::{EmbedError, Embedder, ModelIdentity};
use assay::persona::{self, Inputs};
use assay::share::{
    WhyNot, beside_markdown, debate_csv, debate_markdown, debates_csv, debates_markdown,
    persona_csv, persona_markdown, reward_csv, reward_markdown,
};
use assay::text::one_line;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser};
use serde_json::{Value, json};

/// Texts that a spreadsheet would run, that CSV has to quote, that Markdown would draw;
/// none is empty.
fn text() -> impl Strategy<Value = String> {
    const PIECES: [&str; 22] = [
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
        "＝1",
        "www.x.org",
        "1. a",
        "- a",
        "$x$",
        "\u{1b}[31m",
    ];
    let pieces = prop::collection::vec(prop::sample::select(&PIECES), 0..4);
    (pieces, "\\PC{0,3}").prop_map(|(pieces, end)| pieces.concat() + &end + "x")
}

/// What comes of texts: a table, Markdown, and what a terminal gets.
struct Exported {
    csv: String,
    markdown: String,
    beside: String,
    summary: String,
}

/// A debate that was made of a league, in which a change is tried.
fn debate(texts: &[String; 4]) -> Exported {
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
        "domain": domain, "question": why, "source": {"league": [[id, "b", 10, 1, 0]]},
        "candidates": [candidate(id, 2), candidate("b", 0)],
    });
    let (options, profiles) = (debate::Options::default(), debate::Profiles::built_in());
    let payload = debate::read(&payload.to_string()).result.expect("a debate");
    let edit = debate::Edit::Review {
        candidate: 0,
        review: 0,
        field: debate::ReviewField::Support,
        from: 1,
        to: 2,
    };
    let tried = debate::score(&edit.try_on(&payload), profiles, &options).result;
    let result = tried.expect("scored");
    let board = debate::Board::new(&payload, profiles, &options);
    let second = board.expect("weights").second_against_first();
    let second = second.map(|second| WhyNot {
        id: second.behind.clone(),
        sentences: second.sentences(),
    });
    assert!(second.is_some());
    let beside = debate::Beside::of(&payload, profiles, &options);
    assert!(beside.league.is_some());
    Exported {
        csv: debate_csv(&result),
        markdown: debate_markdown(&result, second.as_ref()),
        beside: beside_markdown(&beside),
        summary: debate::summary(&result),
    }
}

fn debates(texts: &[String; 4]) -> (String, String) {
    let [id, model, domain, question] = texts;
    let reviews = json!([{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]);
    let candidate =
        |id: &str, wins: u8| json!({"id": id, "wins": wins, "model": model, "reviews": reviews});
    let lines = [1, 0].map(|wins| {
        let payload = json!({
            "domain": domain, "question": question,
            "candidates": [candidate(id, wins), candidate("b", 0)],
        });
        let scored = debate::evaluate(&payload.to_string(), &debate::Options::default());
        debate::DebateLine::of(1, &scored.result.expect("a debate"))
    });
    (debates_csv(&lines), debates_markdown(&lines))
}

fn reward(texts: &[String; 4]) -> (String, String) {
    let [action, session, reasoning, witnessed] = texts;
    let turn = json!({
        "session_id": session, "action": action, "user_message": session, "reasoning": reasoning,
        "overrides": {"ethical": {"score": 0.5, "reason": reasoning}},
    });
    let mark = json!({"session_id": "b", "action": witnessed, "constitutional_scores": {}});
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

fn persona(texts: &[String; 4]) -> Exported {
    let [session, reply, exemplar, word] = texts;
    let persona = json!({
        "id": "p", "exemplars": [exemplar], "style_rules": {"tone": [word]},
        "lexicon": {"preferred": [word], "avoid": ["lol"]},
    });
    // whatever the texts are, each reply is in English
    let english = "and that is what it is for, lol, if you can do without it at all";
    let assistant = format!("{reply} {word} {english} {english}");
    let row = |session: &str| json!({"session_id": session, "turn": 1, "assistant": assistant});
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
    Exported {
        csv: persona_csv(&result),
        markdown: persona_markdown(&result),
        beside: String::new(),
        summary: persona::summary(&result),
    }
}

/// The cells of a CSV as a library reads it by RFC 4180: every row as long as the first.
fn cells(csv: &str) -> Vec<Vec<String>> {
    let csv = csv.strip_prefix('\u{feff}').expect("the mark of UTF-8");
    assert!(csv.ends_with("\r\n"), "{csv:?}");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .terminator(csv::Terminator::CRLF)
        .from_reader(csv.as_bytes());
    let rows = reader.records();
    let rows = rows.map(|row| row.unwrap_or_else(|error| panic!("{error}: {csv:?}")));
    rows.map(|row| row.iter().map(str::to_owned).collect())
        .collect()
}

/// Every row as long as the header, and no cell of any column a formula, unless it is a number.
/// These columns are there.
fn check_csv(csv: &str, texts: &[&str]) {
    let rows = cells(csv);
    let (header, rows) = rows.split_first().expect("a header");
    for name in texts {
        assert!(header.iter().any(|head| head == name), "{name}: {csv:?}");
    }
    let run = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    for row in rows {
        assert_eq!(row.len(), header.len(), "{csv:?}");
        for cell in row {
            let is_number = cell.parse::<f64>().is_ok();
            assert!(is_number || !cell.starts_with(run), "{cell:?} in {csv:?}");
        }
    }
}

/// Nothing that steers a terminal, and as many lines as of plain texts.
fn check_terminal(text: &str, plain: &str) {
    let steers = |character: &char| character.is_control() && *character != '\n';
    assert_eq!(text.chars().find(steers), None, "{text:?}");
    assert_eq!(text.lines().count(), plain.lines().count(), "{text}");
}

/// What a reader of CommonMark draws: the elements, and the text in them.
fn drawn(markdown: &str) -> (Vec<String>, String) {
    let (mut elements, mut text) = (Vec::new(), String::new());
    for event in Parser::new_ext(
        markdown,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH,
    ) {
        match event {
            Event::Text(part) => text.push_str(&part),
            Event::Code(part) => {
                text.push_str(&part);
                elements.push("code".into());
            }
            other => elements.push(format!("{other:?}")),
        }
    }
    (elements, text)
}

/// What is drawn is what the export draws of plain texts, with these texts in it as they
/// are; and nothing that other readers make an address of.
fn check_markdown(markdown: &str, plain: &str, texts: &[&String]) {
    let (elements, text) = drawn(markdown);
    assert_eq!(elements, drawn(plain).0, "{markdown}");
    for shown in texts {
        let line = one_line(&shown.replace(['\n', '\r', '\t'], " "));
        assert!(text.contains(line.trim()), "{line:?} in {markdown}");
    }
    let bare = markdown
        .replace("\\\\", "")
        .replace("\\:", "")
        .replace("\\@", "");
    for live in ["://", "@", "www."] {
        assert!(!bare.contains(live), "{markdown}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_text_of_an_export_is_run_or_drawn(texts in prop::array::uniform4(text())) {
        let plain = ["x"; 4].map(str::to_owned);
        let (made, of_plain) = (debate(&texts), debate(&plain));
        check_csv(&made.csv, &["id", "model", "domain", "what_if"]);
        check_markdown(&made.markdown, &of_plain.markdown, &[&texts[0], &texts[1], &texts[2]]);
        check_markdown(&made.beside, &of_plain.beside, &[]);
        check_terminal(&made.summary, &of_plain.summary);
        let (csv, markdown) = debates(&texts);
        check_csv(&csv, &["question", "domain", "winner", "combined"]);
        check_markdown(&markdown, &debates(&plain).1, &[&texts[1], &texts[2], &texts[3]]);
        let (csv, markdown) = reward(&texts);
        check_csv(&csv, &["session_id", "action", "notes", "reasons"]);
        check_markdown(&markdown, &reward(&plain).1, &[&texts[0], &texts[3]]);
        let (made, of_plain) = (persona(&texts), persona(&plain));
        check_csv(&made.csv, &["session_id", "preferred", "avoided", "nearest_exemplar", "text"]);
        check_markdown(&made.markdown, &of_plain.markdown, &[&texts[0]]);
        check_terminal(&made.summary, &of_plain.summary);
    }
}

#[test]
fn what_is_run_or_steers_is_seen() {
    let seen = |check: &dyn Fn()| {
        let check = std::panic::AssertUnwindSafe(check);
        std::panic::catch_unwind(check).is_err()
    };
    assert!(seen(&|| check_csv("\u{feff}a,b\r\n1,=1+1\r\n", &[])));
    assert!(seen(&|| check_csv("\u{feff}a\r\n1\r\n", &["b"])));
    assert!(!seen(&|| check_csv("\u{feff}a,b\r\n-1.5,'=1\r\n", &["b"])));
    assert!(seen(&|| check_terminal("\u{1b}[31mx", "x")));
    assert!(seen(&|| check_terminal("a\nb", "x")));
    assert!(!seen(&|| check_terminal("a", "x")));
}
