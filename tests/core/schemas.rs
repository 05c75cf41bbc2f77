//! The published schemas of inputs and results, held against what the readers take and the scorers give.

use std::path::PathBuf;

use assay::constitution;
use assay::debate::{self, Options};
use assay::document::{Problem, Severity};
use assay::persona::{self, Inputs};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::debate_lines::debate;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A schema of `public/schema`.
pub fn schema(name: &str) -> Validator {
    let path = root()
        .join("public/schema")
        .join(name)
        .with_extension("json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema["$id"], format!("{name}.json"));
    assert!(jsonschema::meta::is_valid(&schema), "{name}");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// Fails with all that is wrong with a document.
pub fn assert_fits(schema: &Validator, document: &Value) {
    let wrong = schema.iter_errors(document);
    let wrong: Vec<String> = wrong
        .map(|one| format!("{}: {one}", one.instance_path()))
        .collect();
    assert_eq!(wrong, Vec::<String>::new(), "{document}");
}

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
        || said.contains("duplicate candidate id")
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
