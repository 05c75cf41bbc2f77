//! The published schemas of inputs and results, held against what the readers take and the scorers give.

use assay::constitution;
use assay::debate::{self, Options};
use assay::document::{Problem, Severity};
use assay::persona::{self, Inputs};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::debate_lines::debate;
use super::schema::{assert_fits, root, schema};

fn example(name: &str) -> String {
    let path = root().join("public/examples").join(name);
    std::fs::read_to_string(path).expect(name)
}

fn rows(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn the_examples_fit() {
    let json = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    assert_fits(&schema("debate"), &json(&example("debate.json")));
    assert_fits(&schema("turns"), &json(&example("turns.json")));
    assert_fits(
        &schema("transcript"),
        &Value::Array(rows(&example("transcript.jsonl"))),
    );
    let persona = json!({
        "id": "p", "lexicon": {"preferred": ["ride"], "avoided": "lol"}, "examples": ["A ride."],
        "voice": {"tone": ["friendly", "witty"], "formality": "casual"},
    });
    assert_fits(&schema("persona"), &persona);
    let read = persona::read(&Inputs {
        persona: &persona.to_string(),
        transcript: &example("transcript.jsonl"),
        ..Inputs::default()
    });
    assert!(read.result.is_some(), "{:?}", read.problems);
}

#[test]
fn what_is_tested_by_hand_fits() {
    let cases = |name: &str, key: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(root().join("tests/data").join(name)).expect(name);
        let cases: Vec<Value> = serde_json::from_str(&text).expect("JSON");
        cases.into_iter().map(|mut case| case[key].take()).collect()
    };
    let (debate, result) = (schema("debate"), schema("debate-result"));
    for payload in cases("debates.json", "payload") {
        let read = debate::evaluate(&payload.to_string(), &Options::default());
        if let Some(scored) = read.result {
            assert_fits(&debate, &payload);
            assert_fits(&result, &json!(scored));
        }
    }
    let (turns, result) = (schema("turns"), schema("reward-result"));
    for turn in cases("turns.json", "turn") {
        assert_fits(&turns, &turn);
        let log = constitution::read(&turn.to_string())
            .result
            .expect("a turn");
        let scored = constitution::score(&log, &constitution::Options::default());
        assert_fits(&result, &json!(scored.result.expect("scored")));
    }
}

/// What the schema of a single value cannot say: it depends on others.
fn is_between(problem: &Problem, value: &Value) -> bool {
    let said = &problem.message;
    value.is_u64() && said.contains("wins must be int in [0,")
        || value.is_string() && said.contains("is not a candidate")
        || said.contains("duplicate candidate id")
        || said.contains("its claims give")
        || said.contains("the pairwise list gives")
}

fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                leaves(value, &format!("{path}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                leaves(item, &format!("{path}/{at}"), found);
            }
        }
        _ => {}
    }
    found.push(path.to_owned());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A value that is another: the schema refuses the debate where the reader does.
    #[test]
    fn a_debate_is_refused_where_the_reader_refuses_it(
        mut debate in debate(),
        at in any::<prop::sample::Index>(),
        other in prop::sample::select(vec![
            json!(null), json!(1), json!(2), json!(3), json!(-1), json!(1.5), json!("x"), json!(""), json!([]),
            json!({}), json!(true),
        ]),
    ) {
        let mut paths = Vec::new();
        leaves(&debate, "", &mut paths);
        let path = at.get(&paths);
        *debate.pointer_mut(path).expect("a place") = other.clone();
        let schema = schema("debate");
        let read = debate::read(&debate.to_string());
        let errors: Vec<&Problem> = read.errors().filter(|one| !is_between(one, &other)).collect();
        let has_warnings = read.problems.iter().any(|one| one.severity == Severity::Warning);
        let is_valid = schema.is_valid(&debate);
        // what is refused is refused by both; what is only warned of may be refused by the schema
        prop_assert!(is_valid == errors.is_empty() || !is_valid && has_warnings, "{path}: {is_valid} {errors:?} {debate}");
    }
}

const REPLIES: &str = "{\"session_id\": \"a\", \"turn\": 1, \"assistant\": \"Yo, it is up. I will kill you.\"}\n{\"session_id\": \"b\", \"turn\": 1, \"assistant\": \"Dear customer.\"}";

/// A kind of input beside a transcript: its schema, a document that is as it is meant to be, and the
/// name of the input.
fn beside() -> Vec<(&'static str, Value, &'static str)> {
    let config = json!({"scoring": {
        "authenticity_weight": 2, "safety_weight": 0.3, "style_weight": null, "max_expected_variance": 0.5,
        "bootstrap_samples": 50, "seed": 7, "style_by": "voice/1",
    }});
    let rules = json!([
        {"category": "custom", "severity": "low", "name": "ours", "words": ["up", "down there"], "exceptions": ["it is up"]},
        {"category": "violence", "severity": "critical", "pattern": "k[i]ll"},
        {"except": ["kill you"], "category": "violence"}, {"except": ["I will"]},
    ]);
    let judge =
        json!({"a": {"score": 7.5, "reasoning": "calm"}, "b": {"score": 0, "reasoning": null}});
    let profiles = json!({"about": "ours", "domains": {"ours": {
        "weights": {"w_base": 1, "w_pairwise": 0, "w_risk": 0.5, "w_reliability": 2, "w_formal": 0},
        "keywords": ["tax", "GDPR"], "models": {"opus": 0.9}, "rationale": "so",
    }}});
    let persona = json!({
        "id": "p", "display_name": "P", "exemplars": ["yo", "it is up"], "off_brand": ["Dear customer"],
        "lexicon": {"preferred": ["up"], "avoid": "lol", "avoided": null},
        "style_rules": {"tone": ["friendly", "dry"], "formality": "casual", "verbosity": ["concise"]},
        "trait_examples": {"dry": ["Rain."]}, "description": "ours", "version": 2,
    });
    vec![
        ("persona", persona, "persona"),
        ("config", config, "config"),
        ("rules", rules, "safety"),
        ("judge", judge, "judge"),
        ("profiles", profiles, "profiles"),
    ]
}

/// What the reader of an input says of a document.
fn said(input: &str, document: &str) -> Vec<Problem> {
    let of = |own: &str| (own == input).then_some(document);
    let problems = if input == "profiles" {
        debate::read_profiles(document).problems
    } else {
        let read = persona::read(&Inputs {
            persona: of("persona").unwrap_or("exemplars: [yo]"),
            transcript: REPLIES,
            config: of("config"),
            safety: of("safety"),
            judge: of("judge"),
            labels: of("labels"),
            control: None,
        });
        read.problems
    };
    let own = problems.into_iter();
    own.filter(|one| one.input.as_deref() == Some(input))
        .collect()
}

fn has_errors(problems: &[Problem]) -> bool {
    problems.iter().any(|one| one.severity == Severity::Error)
}

#[test]
fn what_stands_beside_a_transcript_fits() {
    for (name, document, input) in beside() {
        assert_fits(&schema(name), &document);
        assert!(!has_errors(&said(input, &document.to_string())), "{name}");
    }
    assert_fits(&schema("rules"), &json!(null));
    let built_in = include_str!("../../src/debate/profiles.json");
    assert_fits(
        &schema("profiles"),
        &serde_json::from_str(built_in).expect("JSON"),
    );
    // a row that is left out is warned of
    for (row, is_label) in [
        (json!({"text": "a", "label": 1, "session_id": "s"}), true),
        (json!({"assistant": "a", "label": "off_brand"}), true),
        (json!({"text": "a", "role": "user"}), true),
        (json!({"text": "a", "label": 2}), false),
        (json!({"text": "a", "label": "maybe"}), false),
        (json!({"text": "  ", "label": 1}), false),
        (json!({"label": true}), false),
    ] {
        let given = json!({"text": "x", "label": 0});
        let found = said("labels", &format!("{given}\n{row}"));
        assert_eq!(found.is_empty(), is_label, "{row}: {found:?}");
        assert_eq!(schema("labels").is_valid(&row), is_label, "{row}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A value that is another: the schema refuses a document where its reader does.
    #[test]
    fn what_stands_beside_is_refused_where_its_reader_refuses_it(
        which in 0..5_usize,
        at in any::<prop::sample::Index>(),
        other in prop::sample::select(vec![
            json!(null), json!(1), json!(0), json!(-1), json!(1.5), json!(11), json!("x"), json!(" "), json!([]),
            json!(["x"]), json!({}), json!(true), json!({"weights": 1}), json!(2_000_000_000_i64),
        ]),
        is_added in any::<bool>(),
    ) {
        let (name, mut document, input) = beside().swap_remove(which);
        let mut paths = Vec::new();
        leaves(&document, "", &mut paths);
        let path = at.get(&paths);
        let place = document.pointer_mut(path).expect("a place");
        match place {
            Value::Object(entries) if is_added => {
                entries.insert("else".into(), other);
            }
            _ => *place = other,
        }
        let is_valid = schema(name).is_valid(&document);
        let found = said(input, &document.to_string());
        // what is only warned of may be refused by the schema; a session that nobody has is told of
        // whatever its score is
        prop_assert!(is_valid != has_errors(&found) || !is_valid && !found.is_empty(), "{name} {path}: {is_valid} {found:?} {document}");
    }
}

/// What a reader says of a text.
type Said = fn(&str) -> Vec<Problem>;

/// What is scored: its schema, a document that is as it is meant to be, and what its reader says of one.
fn scored() -> Vec<(&'static str, Value, Said)> {
    let turn = json!({
        "session_id": 7, "turn_number": 1, "action": "send_message", "user_message": "hi", "has_mutations": true,
        "acknowledged": null, "reasoning": "so",
        "turn_result": {
            "response": "x", "tools": [{"name": "t"}, "u"], "tools_passed": true, "user_corrected": false,
            "signals": ["s"], "stopping_suggestion": "stop", "context_utilization": 0.5,
        },
        "overrides": {"ethical": 0.4, "curated": {"score": 1, "reason": "y"}, "tasteful": {"value": 0}, "reason": "z"},
    });
    let session = json!({
        "session_id": "a", "weights": {"ethical": 2}, "weights_mode": "replace", "turns": [turn, {"turn_result": {}}],
    });
    let transcript = json!([
        {"session_id": 1, "turn_index": 1, "role": "user", "text": "hi", "tags": ["t"], "persona_id": "p", "label": 1},
        {"session_id": "1", "turn_index": 2, "role": "assistant", "text": ["yo", {"text": "it is up"}, {"image": 1}]},
        {"session_id": "b", "turn": 1, "user": [{"text": "hi"}], "assistant": "yo", "turn_index": 1},
        {"session_id": "c", "turn": 1, "user": "hi"},
        {"messages": [{"role": "user", "content": null}, {"role": "assistant", "content": ["yo"]}], "tags": [], "label": 0},
    ]);
    let label = json!({
        "session_id": 1, "turn_index": null, "text": "yo", "label": "ON_brand", "labeller": null, "assistant": "yo",
    });
    let turns = |text: &str| constitution::read(text).problems;
    let transcripts = |text: &str| {
        let read = persona::read(&Inputs {
            persona: "id: p\nexemplars: [yo]",
            transcript: text,
            ..Inputs::default()
        });
        read.problems
    };
    let labels = |text: &str| {
        said(
            "labels",
            &format!("[{{\"text\": \"x\", \"label\": 0}}, {text}]"),
        )
    };
    vec![
        ("turns", json!([turn, {"turn_result": null}]), turns),
        ("turns", json!([session, {"turns": [turn]}]), turns),
        ("transcript", transcript, transcripts),
        ("labels", label, labels),
    ]
}

#[test]
fn what_is_scored_fits() {
    for (name, document, said) in scored() {
        assert_fits(&schema(name), &document);
        let lost = said(&document.to_string()).into_iter().filter(is_loss);
        assert_eq!(lost.collect::<Vec<_>>(), [], "{name}");
    }
}

/// Whether a problem says that something is not read.
fn is_loss(problem: &Problem) -> bool {
    problem.severity == Severity::Error || problem.is_left_out()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// A value that is another: the schema refuses a document where its reader takes it, or a part of it, not up.
    #[test]
    fn what_is_scored_is_refused_where_its_reader_refuses_it(
        which in 0..4_usize,
        at in any::<prop::sample::Index>(),
        other in prop::sample::select(vec![
            json!(null), json!(1), json!(0), json!(-1), json!(1.5), json!("x"), json!(" "), json!([]), json!(["x"]),
            json!([1]), json!({}), json!(1e300), json!({"moral": 1}), json!({"value": 2}), json!(true),
        ]),
    ) {
        let (name, mut document, said) = scored().swap_remove(which);
        let mut paths = Vec::new();
        leaves(&document, "", &mut paths);
        let path = at.get(&paths);
        *document.pointer_mut(path).expect("a place") = other;
        let is_valid = schema(name).is_valid(&document);
        let found = said(&document.to_string());
        let is_refused = found.iter().any(is_loss);
        // what is only warned of may be refused by the schema
        prop_assert!(is_valid != is_refused || !is_valid && !found.is_empty(), "{name} {path}: {is_valid} {found:?} {document}");
    }
}

#[test]
fn parts_and_comparisons_fit() {
    let fits = |name: &str, text: &str| {
        let schema = schema(name);
        for row in rows(text) {
            assert_fits(&schema, &row);
        }
    };
    let assay = |args: &[&str], stdin: &str| {
        let ran = super::command_line::assay(args, stdin.as_bytes());
        assert!(!ran.stdout.is_empty(), "{}", ran.stderr);
        ran.stdout
    };
    let turns = example("turns.json");
    fits(
        "reward-part",
        &assay(&["reward", "--stdin", "--partial"], &turns),
    );
    let lines = assay(
        &["reward", "--stdin", "--lines"],
        "{\"turn_result\": {}}\n{\"turn_result\": {\"response\": \"x\"}}",
    );
    fits("reward-result", &lines);
    let battles = "{\"model_a\": \"x\", \"model_b\": \"y\", \"winner\": \"tie\"}\n{\"model_a\": \"x\", \"model_b\": \"z\", \"winner\": \"model_b\"}";
    fits(
        "league-part",
        &assay(&["rwea", "--stdin", "--partial"], battles),
    );
}
