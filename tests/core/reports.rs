//! Reports and pictures, as readers that know nothing of this program take them apart; and what is
//! changed in a report is found.

use std::collections::BTreeSet;

use assay::constitution;
use assay::debate;
use assay::embedding::{EmbedError, Embedder, ModelIdentity};
use assay::persona::voice::Control;
use assay::share::figures::{Chart, Theme, charts, svg, tables, vega_lite};
use assay::share::report::{Report, is_report, read_report, write};
use assay::share::verify::{Account, compare_reports, other_model};
use assay::share::{Document, Kind, Means, score_again};
use assay::text::is_steering;
use html5gum::{Token, Tokenizer};
use roxmltree::{NodeType, ParsingOptions};
use serde_json::{Value, json};

/// What a person may have typed as a name, and what must not come to life in any file.
const HOSTILE: [&str; 12] = [
    "<script>alert(1)</script>",
    "\"]]><svg onload=\"alert(1)\">",
    "' onmouseover='alert(1)",
    "</pre></template></textarea><h1 id=hostile>x</h1>",
    "--><!DOCTYPE x [<!ENTITY e \"x\">]>&e;&amp;&#60;b&#62;",
    "<![CDATA[x]]><?php x ?>",
    "a\u{0}b\u{1}\u{8}\u{b}\u{1b}[31m\u{7f}\u{85}",
    "\u{202e}evil\u{2066}\u{2069}\u{200f}",
    "שלום עולם",
    "\u{fffe}\u{ffff}\u{feff}\u{2028}",
    "line\r\nfeed\ttab\rend",
    "=cmd|' /C calc'!A0",
];

/// A word for a word, so that one text is like another where they share some.
struct Letters(ModelIdentity);

impl Letters {
    fn new() -> Self {
        Self(ModelIdentity {
            id: "letters".into(),
            sha256: "0123456789abcdef".repeat(4),
            precision: "f32".into(),
        })
    }
}

impl Embedder for Letters {
    fn model(&self) -> &ModelIdentity {
        &self.0
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut vector = [0.1_f32; 8];
        for byte in text.bytes() {
            vector[usize::from(byte % 8)] += 1.0;
        }
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        Ok(vector.iter().map(|x| x / length).collect())
    }
}

fn again(document: &Document) -> Result<Report, Vec<assay::document::Problem>> {
    let letters = Letters::new();
    let texts = ["Any answer.", "Another one, to be sure."].map(str::to_owned);
    let vectors = texts
        .each_ref()
        .map(|text| letters.embed(text).expect("a vector"));
    let control = Control::pack(letters.model().sha256.clone(), texts.to_vec(), &vectors);
    let means = Means {
        embedder: &letters,
        control: &control,
        second: None,
    };
    score_again(document, Some(means))
}

fn made(document: &Document) -> Report {
    let report = again(document).unwrap_or_else(|problems| panic!("{problems:?}"));
    report.dated(Some("2026-01-31".into()))
}

fn debate_document(name: &str) -> Document {
    let candidate = |id: String, wins: u8, risks: u8| {
        json!({
            "id": id, "wins": wins, "model": name,
            "claims": [{"text": name, "status": "proved"}],
            "reviews": [{
                "support": 2, "evidence": 1, "major_risks": risks, "critical_fail": 0,
                "debater": name, "justification": name,
            }, {"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}],
        })
    };
    let payload = json!({
        "question": name, "domain": "legal",
        "source": {"league": [[name, "B", 10, 1, 0]]},
        "candidates": [candidate(format!("{name}1"), 1, 2), candidate("B".into(), 0, 0)],
    });
    let mut document = Document::new(Kind::Rwea, debate::FORMULA, payload.to_string().into())
        .with_weights(&[("w_risk".to_owned(), 0.375)]);
    document.options.insert("question".into(), name.into());
    document
}

fn turns_document(name: &str) -> Document {
    let turn = |reply: &str| {
        json!({
            "session_id": name, "action": name, "user_message": name, "reasoning": name,
            "turn_result": {"response": reply, "tools": []},
            "overrides": {"ethical": {"score": 0.55, "reason": name}},
        })
    };
    let turns =
        json!([turn(name), turn("a reply that is long enough to delight"), {"session_id": "b"}]);
    let mut document = Document::new(
        Kind::Reward,
        constitution::FORMULA,
        turns.to_string().into(),
    );
    document.options.insert("gamma".into(), 0.5.into());
    document
}

fn persona_document(name: &str) -> Document {
    let persona = json!({
        "id": name, "exemplars": [name, "That is what it is for, and nothing else."],
        "style_rules": {"tone": ["friendly"]},
        "lexicon": {"preferred": ["ride", name], "avoid": ["lol"]},
    });
    let row = |session: &str, turn: u8| {
        let text =
            format!("{name} ride with us, lol, and that is what it is for at all times {turn}");
        json!({"session_id": session, "turn": turn, "assistant": text}).to_string()
    };
    let transcript = [row(name, 1), row(name, 2), row("b", 1), row("b", 2)].join("\n");
    let judge = json!({name: {"score": 7.5, "reasoning": name}});
    let input = json!({"persona": persona.to_string(), "transcript": transcript, "judge": judge.to_string()});
    let mut document = Document::new(Kind::Persona, assay::persona::FORMULA, input);
    document.options.insert("seed".into(), 7.into());
    document
}

fn documents(name: &str) -> [Document; 3] {
    [
        debate_document(name),
        turns_document(name),
        persona_document(name),
    ]
}

/// What a report may be made of; nothing of it runs or fetches.
const ELEMENTS: [&str; 38] = [
    "body",
    "circle",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "figure",
    "h1",
    "h2",
    "h3",
    "head",
    "header",
    "html",
    "li",
    "line",
    "main",
    "meta",
    "p",
    "polyline",
    "pre",
    "rect",
    "section",
    "style",
    "svg",
    "table",
    "tbody",
    "td",
    "text",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
    "g",
    "path",
    "figcaption",
    "span",
];
const ATTRIBUTES: [&str; 42] = [
    "aria-labelledby",
    "charset",
    "class",
    "content",
    "cx",
    "cy",
    "data-as",
    "data-assay-report",
    "data-claims",
    "data-part",
    "fill",
    "font-family",
    "font-size",
    "font-weight",
    "height",
    "http-equiv",
    "id",
    "lang",
    "name",
    "points",
    "r",
    "role",
    "scope",
    "stroke",
    "stroke-dasharray",
    "stroke-width",
    "style",
    "tabindex",
    "text-anchor",
    "viewbox",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "xmlns",
    "y",
    "y1",
    "y2",
    "d",
    "transform",
    "opacity",
];

/// Every tag that a reader of HTML finds, with its attributes, and no mistake.
fn tags(html: &str) -> Vec<(String, Vec<(String, String)>)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let mut tags = Vec::new();
    for token in Tokenizer::new(html) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let attributes = tag.attributes.iter();
                let attributes = attributes.map(|(name, value)| (text(name), text(value)));
                tags.push((text(&tag.name), attributes.collect()));
            }
            Token::Comment(_) => panic!("a comment"),
            Token::Error(error) => panic!("{error:?}"),
            _ => {}
        }
    }
    tags
}

fn assert_harmless(markup: &str) {
    for (name, attributes) in tags(markup) {
        assert!(ELEMENTS.contains(&name.as_str()), "<{name}>");
        for (attribute, value) in attributes {
            assert!(
                ATTRIBUTES.contains(&attribute.as_str()),
                "{attribute}={value}"
            );
            let is_style = attribute == "style" || attribute == "fill" || attribute == "stroke";
            assert!(!(is_style && value.contains("url")), "{attribute}={value}");
            assert_ne!(value, "hostile");
        }
    }
    assert!(!markup.contains("hostile\">") && !markup.contains("href="));
}

/// The same as XML: well-formed, and of the same elements.
fn elements(markup: &str) -> BTreeSet<String> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = roxmltree::Document::parse_with_options(markup, options).expect("well-formed");
    let nodes = document.root().descendants();
    let elements = nodes.filter(|node| node.node_type() == NodeType::Element);
    elements
        .map(|node| node.tag_name().name().to_owned())
        .collect()
}

#[test]
fn no_text_of_a_report_comes_to_life() {
    for hostile in HOSTILE {
        for document in documents(hostile) {
            let html = write(&made(&document));
            assert!(is_report(&html));
            assert_harmless(&html);
            for element in elements(&html) {
                assert!(ELEMENTS.contains(&element.as_str()), "<{element}>");
            }
            // what steers stands nowhere, but for the marks that keep a name apart
            let steering =
                |c: char| is_steering(c) && !matches!(c, '\n' | '\t' | '\u{2068}' | '\u{2069}');
            assert!(!html.contains(steering), "{hostile:?}");
            let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
            assert!(html.contains(&format!(
                "http-equiv=\"Content-Security-Policy\" content=\"{policy}\""
            )));
        }
    }
}

#[test]
fn a_report_says_again_what_it_was_made_of() {
    for hostile in HOSTILE {
        for document in documents(hostile) {
            let report = made(&document);
            let html = write(&report);
            let read = read_report(&html).unwrap_or_else(|problem| panic!("{problem:?}"));
            assert_eq!(read, report, "{hostile:?}");
            // as a mail program or a repository may keep it
            let kept = format!("\u{feff}{}", html.replace('\n', "\r\n"));
            assert!(is_report(&kept));
            assert_eq!(read_report(&kept), Ok(report));
        }
    }
}

/// Every chart that there is, of names that are hostile.
fn all_charts(name: &str) -> Vec<Chart> {
    let documents = documents(name).into_iter();
    let charts = documents.flat_map(|document| charts(document.kind, &made(&document).result));
    let charts: Vec<Chart> = charts.collect();
    assert_eq!(charts.len(), 5);
    charts
}

/// How many elements of a class a picture has.
fn marked(svg: &str, class: &str) -> usize {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    let all = document.root().descendants();
    all.filter(|node| node.attribute("class") == Some(class))
        .count()
}

#[test]
fn every_chart_is_a_picture_in_every_theme() {
    for hostile in HOSTILE {
        for chart in all_charts(hostile) {
            for theme in [Theme::Light, Theme::Dark, Theme::Both] {
                let svg = svg(&chart, theme);
                assert_harmless(&svg);
                elements(&svg);
                let document = roxmltree::Document::parse(&svg).expect("well-formed");
                let root = document.root_element();
                assert_eq!(
                    root.tag_name().namespace(),
                    Some("http://www.w3.org/2000/svg")
                );
                let texts: Vec<&str> = root.descendants().filter_map(|node| node.text()).collect();
                assert!(texts.contains(&chart.title.as_str()), "{texts:?}");
                assert!(texts.contains(&chart.source.as_str()), "{texts:?}");
                // a file of its own has colours of its own
                assert_eq!(svg.contains("var(--"), theme == Theme::Both);
                let parts = chart.rows.iter().map(|row| row.parts.len()).sum::<usize>();
                assert!(parts > 0 && marked(&svg, "mark") == parts, "{}", chart.name);
            }
        }
    }
}

/// Names of definitions have brackets in them there, which no reference may have.
fn plainly_named(schema: &mut Value) {
    let plain = |name: &str| -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "#/".contains(c);
        name.chars()
            .map(|c| if is_plain(c) { c } else { '_' })
            .collect()
    };
    match schema {
        Value::Object(entries) => {
            if let Some(Value::String(name)) = entries.get_mut("$ref") {
                *name = plain(name);
            }
            if let Some(Value::Object(definitions)) = entries.get_mut("definitions") {
                let named = std::mem::take(definitions).into_iter();
                *definitions = named.map(|(name, held)| (plain(&name), held)).collect();
            }
            entries.values_mut().for_each(plainly_named);
        }
        Value::Array(items) => items.iter_mut().for_each(plainly_named),
        _ => {}
    }
}

/// Of the whole of Vega-Lite, which `make test` fetches.
/// Whatever stands in the texts, each input and each result is what its schema says.
#[cfg(feature = "cli-core")]
#[test]
fn inputs_and_results_fit_their_schemas() {
    use super::schema::{assert_fits, schema};
    let of = [
        ("debate", "debate-result"),
        ("turns", "reward-result"),
        ("transcript", "persona-result"),
    ];
    let schemas = of.map(|(input, result)| (schema(input), schema(result)));
    for hostile in HOSTILE {
        for (document, (input, result)) in documents(hostile).iter().zip(&schemas) {
            assert_fits(result, &made(document).result);
            let text = document.text().or_else(|| document.part("transcript"));
            let text = text.expect("an input");
            let rows = serde_json::Deserializer::from_str(text).into_iter::<Value>();
            for row in rows {
                assert_fits(input, &row.expect("JSON"));
            }
        }
    }
}

#[test]
fn a_specification_is_what_vega_lite_takes() {
    let path = std::env::var("ASSAY_VEGA_LITE")
        .expect("ASSAY_VEGA_LITE names its schema: make test-core sets it");
    let schema = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut schema: Value = serde_json::from_slice(&schema).expect("JSON");
    plainly_named(&mut schema);
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    for hostile in HOSTILE {
        for chart in all_charts(hostile) {
            let spec = vega_lite(&chart);
            let wrong: Vec<String> = schema
                .iter_errors(&spec)
                .map(|one| one.to_string())
                .collect();
            assert_eq!(wrong, Vec::<String>::new(), "{}", chart.name);
            let mut damaged = spec.clone();
            damaged["layer"] = serde_json::json!([{"mark": "bat"}]);
            assert!(!schema.is_valid(&damaged));
        }
    }
}

#[test]
fn a_specification_draws_the_same_marks_from_the_same_numbers() {
    for hostile in HOSTILE {
        for chart in all_charts(hostile) {
            let spec = vega_lite(&chart);
            assert_eq!(
                spec["$schema"],
                "https://vega.github.io/schema/vega-lite/v5.json"
            );
            let values = spec["data"]["values"].as_array().expect("values");
            let svg = svg(&chart, Theme::Light);
            assert_eq!(values.len(), marked(&svg, "mark"));
            let parts = chart.rows.iter().enumerate();
            let parts =
                parts.flat_map(|(at, row)| row.parts.iter().map(move |part| (at, row, part)));
            for (value, (at, row, part)) in values.iter().zip(parts) {
                assert_eq!(value["row"], at);
                assert_eq!(value["label"], row.label);
                assert_eq!(value["value"], part.value);
                assert_eq!(value["series"], chart.series[part.series].name);
                assert_eq!(value["high"].as_f64(), part.interval.map(|[_, high]| high));
            }
            for layer in spec["layer"].as_array().expect("layers") {
                let data = layer["data"]["values"].as_array().unwrap_or(values);
                let layer = std::slice::from_ref(layer);
                let inner = layer[0]["layer"].as_array().map_or(layer, Vec::as_slice);
                for encoding in inner.iter().map(|layer| &layer["encoding"]) {
                    for channel in encoding.as_object().expect("an encoding").values() {
                        let field = channel["field"].as_str().expect("a field");
                        let has = |value: &Value| value.get(field).is_some();
                        assert!(data.iter().any(has), "{}: {field}", chart.name);
                    }
                }
            }
            let totals = chart.rows.iter().filter(|row| row.total.is_some()).count();
            assert_eq!(totals, marked(&svg, "total"));
            // nothing is asked for from elsewhere
            assert!(!spec.to_string().contains("\"url\""));
        }
    }
}

#[test]
fn a_table_is_tsv_and_markdown() {
    for hostile in HOSTILE {
        for document in documents(hostile) {
            for table in tables(document.kind, &made(&document).result) {
                let tsv = table.tsv();
                let lines: Vec<&str> = tsv.lines().collect();
                assert_eq!(lines.len(), table.rows.len() + 1);
                for line in lines {
                    let cells: Vec<&str> = line.split('\t').collect();
                    assert_eq!(cells.len(), table.head.len(), "{line}");
                    let runs = |cell: &&str| {
                        cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err()
                    };
                    assert!(!cells.iter().any(runs), "{line}");
                }
                let markdown = table.markdown();
                assert_eq!(markdown.lines().count(), table.rows.len() + 2);
            }
        }
    }
}

/// What came of verifying a text; none where it cannot be read or scored.
fn verified(text: &str) -> Option<Account> {
    let claimed = read_report(text).ok()?;
    if other_model(&claimed.result, &Letters::new().model().sha256).is_some() {
        return None;
    }
    let computed = again(&claimed.document).ok()?;
    Some(compare_reports(text, &claimed, &computed))
}

#[test]
fn a_report_stands_as_it_was_written() {
    for name in ["A", HOSTILE[0], HOSTILE[7]] {
        for document in documents(name) {
            let html = write(&made(&document));
            let account = verified(&html).expect("can be checked");
            assert!(
                account.stands() && account.close == 0,
                "{:?}",
                account.sentences()
            );
            assert!(account.compared > 20);
        }
    }
}

#[test]
fn a_digit_that_is_changed_anywhere_is_found() {
    for document in documents("A") {
        let html = write(&made(&document));
        let digits = html.char_indices().filter(|(_, c)| c.is_ascii_digit());
        let places: Vec<usize> = digits.map(|(at, _)| at).collect();
        let claims = html.find("data-claims").expect("claims");
        // a persona takes the longest to be scored
        let each = if document.kind == Kind::Persona { 5 } else { 1 };
        for at in places.into_iter().step_by(each) {
            let digit = (html.as_bytes()[at] - b'0' + 1) % 10;
            let changed = format!("{}{digit}{}", &html[..at], &html[at + 1..]);
            let Some(account) = verified(&changed) else {
                continue;
            };
            // of a figure that comes of vectors, its last digits may be others: that is said
            let is_close = document.kind == Kind::Persona && at > claims && account.close > 0;
            let around = String::from_utf8_lossy(&changed.as_bytes()[at.saturating_sub(40)..]);
            let around: String = around.chars().take(80).collect();
            assert!(is_close || !account.stands(), "{around}");
        }
    }
}

#[test]
fn a_part_that_is_changed_is_named() {
    let document = debate_document("A");
    let html = write(&made(&document));
    for (heading, from, to) in [
        ("Charts", "<circle", ""),
        ("Candidates", "<td>A1</td>", "<td>A2</td>"),
        ("What it was made with", "<dd>0.375</dd>", "<dd>0.376</dd>"),
        ("the head", "default-src 'none'", "default-src *"),
        ("Step by step", "<ul>", "<ul><li>It is sure.</li>"),
    ] {
        if !html.contains(from) {
            continue;
        }
        let (before, rest) = html.split_at(html.find(&format!("<h2>{heading}</h2>")).unwrap_or(0));
        let changed = format!("{before}{}", rest.replacen(from, to, 1));
        let told = verified(&changed)
            .expect("can be read")
            .sentences()
            .join(" ");
        assert!(told.starts_with("It does not stand"), "{told}");
        assert!(told.contains(&format!("In {heading:?}")), "{told}");
    }
    // a verdict that is written anew, with all that is shown of it
    let mut report = made(&document);
    report.result["results"][0]["score"] = json!(4.0);
    let told = verified(&write(&report)).expect("can be read").sentences();
    assert!(
        told[1].starts_with("results[0].score: it says 4.0, computed again it is "),
        "{told:?}"
    );
    report = made(&document);
    report.said[0].sentences[0] = "B wins by far".into();
    let told = verified(&write(&report)).expect("can be read").sentences();
    assert!(told[1].contains("B wins by far"), "{told:?}");
}

#[test]
fn what_is_no_report_or_of_a_later_version_says_so() {
    let html = write(&made(&turns_document("A")));
    for (text, expected) in [
        ("<!DOCTYPE html>".to_owned(), "this is no Assay report"),
        (
            html.replacen("report=\"1\"", "report=\"2\"", 1),
            "version \"2\"",
        ),
        (html[..html.len() / 2].to_owned(), "does not say"),
        (
            html.replacen("data-claims", "data-other", 1),
            "does not say",
        ),
        (
            html.replacen("&quot;document&quot;", "&quot;other&quot;", 1),
            "",
        ),
    ] {
        let problem = read_report(&text).expect_err("refused");
        assert!(problem.message.contains(expected), "{}", problem.message);
    }
    for end in (0..html.len()).step_by(97) {
        // nothing of it panics
        let _ = html.get(..end).map(read_report);
    }
}
