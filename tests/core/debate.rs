//! Debates whose outcome is known (`tests/data/debates.json`). A case with
//! `departs` says where this project decides otherwise than the original scorer.

use assay::debate::{DomainChoice, Options, evaluate, summary};
use serde_json::Value;

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../data/debates.json")).expect("valid data")
}

fn options(case: &Value) -> Options {
    Options {
        domain: case["domain"]
            .as_str()
            .map_or(DomainChoice::Payload, |name| {
                DomainChoice::Named(name.into())
            }),
        ..Options::default()
    }
}

#[test]
fn known_debates_end_as_known() {
    let mut scored = 0;
    for case in cases().iter().filter(|case| case.get("result").is_some()) {
        let name = &case["case"];
        let found = evaluate(&case["payload"].to_string(), &options(case));
        assert_eq!(found.errors().count(), 0, "{name}");
        let result = found.result.expect("a result");
        let json = serde_json::to_value(&result).expect("serialises");
        includes(&json, &case["result"], name.as_str().unwrap_or_default());
        let lines: Vec<String> = serde_json::from_value(case["summary"].clone()).expect("lines");
        assert_eq!(summary(&result), lines.join("\n"), "{name}");
        // the optional keys of a row are there when, and only when, they should be
        for (row, expected) in result
            .results
            .iter()
            .zip(case["result"]["results"].as_array().expect("rows"))
        {
            for (has, key) in [
                (row.model_weight.is_some(), "model_weight"),
                (row.reliability_bonus.is_some(), "reliability_bonus"),
                (row.formal_score.is_some(), "formal_score"),
                (row.formal_bonus.is_some(), "formal_bonus"),
            ] {
                assert_eq!(has, expected.get(key).is_some(), "{name}: {key}");
            }
        }
        scored += 1;
    }
    assert_eq!(scored, 22);
}

#[test]
fn known_mistakes_are_named_as_known() {
    let mut refused = 0;
    for case in cases().iter().filter(|case| case.get("errors").is_some()) {
        let found = evaluate(&case["payload"].to_string(), &options(case));
        let mut errors: Vec<_> = found
            .errors()
            .map(|problem| problem.message.clone())
            .collect();
        let mut expected: Vec<String> =
            serde_json::from_value(case["errors"].clone()).expect("lines");
        // errors come in the order of the text, and the text was written with sorted keys
        errors.sort();
        expected.sort();
        assert_eq!(errors, expected, "{}", case["case"]);
        assert_eq!(found.result, None);
        refused += 1;
    }
    assert_eq!(refused, 11);
}

/// Everything in `expected` is in `found`, numbers compared as numbers.
fn includes(found: &Value, expected: &Value, at: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            for (key, value) in expected {
                let inner = format!("{at}.{key}");
                includes(found.get(key).unwrap_or(&Value::Null), value, &inner);
            }
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{at}");
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                includes(found, expected, &format!("{at}[{index}]"));
            }
        }
        (Value::Number(found), Value::Number(expected)) => {
            assert_eq!(found.as_f64(), expected.as_f64(), "{at}");
        }
        _ => assert_eq!(found, expected, "{at}"),
    }
}
