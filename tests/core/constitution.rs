//! Turns whose scores are known (`tests/data/turns.json`).

use assay::constitution::{Options, PerPrinciple, evaluate};
use assay::document::{Code, Problem};
use serde_json::{Value, json};

#[test]
fn known_turns_score_as_known() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../data/turns.json")).expect("valid data");
    assert_eq!(cases.len(), 21);
    for case in &cases {
        let name = &case["case"];
        let mut input = case["turn"].clone();
        let tools = case["tools"].as_u64().expect("count") as usize;
        if !input["turn_result"].is_null() {
            input["turn_result"]["tools"] = json!(vec![json!({"name": "tool"}); tools]);
        }
        let found = evaluate(&input.to_string(), &Options::default());
        // only a turn of which nothing was measured is a warning
        let is_unsaid = |problem: &Problem| problem.code == Code::Unsaid;
        assert!(found.problems.iter().all(is_unsaid), "{name}");
        let result = found.result.expect("a result");
        let turn = &result.turns[0];
        assert_eq!(
            found.problems.len(),
            usize::from(turn.is_unsaid()),
            "{name}"
        );
        let scores: Vec<f64> = serde_json::from_value(case["scores"].clone()).expect("scores");
        let scores = PerPrinciple::from_values(scores.try_into().expect("seven"));
        assert_eq!(turn.scores, scores, "{name}");
        assert_eq!(Some(turn.weighted_total), case["total"].as_f64(), "{name}");
        assert_eq!(json!(turn.band), case["band"], "{name}");
    }
}

#[test]
fn the_documents_own_arithmetic_is_mended() {
    // the document says 8.35 for ethical 0.8 with composable 0.9
    let text = r#"{"turn_result": {"response": "A reply of more than twenty.", "context_utilization": 0.4},
        "overrides": {"ethical": 0.8, "composable": 0.9}}"#;
    let result = evaluate(text, &Options::default()).result.expect("valid");
    assert_eq!(result.turns[0].weighted_total, 8.15);
    assert_eq!(
        result.turns[0].notes[..],
        [
            "ethical overridden with 0.8 (was 1)",
            "composable overridden with 0.9 (was 1)"
        ]
    );
}

#[test]
fn the_result_has_the_documented_shape() {
    let result = evaluate(
        "[{\"action\": \"a\"}, {\"action\": \"a\"}]",
        &Options::default(),
    )
    .result
    .expect("valid");
    let json = serde_json::to_string(&result).expect("serialises");
    let value: Value = serde_json::from_str(&json).expect("valid");
    for key in [
        "formula",
        "weights",
        "weights_sum",
        "turns",
        "session",
        "input_sha256",
    ] {
        assert!(value.get(key).is_some(), "{key}");
    }
    assert_eq!(value["weights_sum"], json!(8.7));
    assert_eq!(value["session"]["bands"]["perfect"], json!(2));
    assert_eq!(value["input_sha256"].as_str().map(str::len), Some(64));
}
