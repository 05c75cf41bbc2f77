//! The witness record: it reads back to the same scores, and what was changed is found.

use assay::constitution::{Finding, Log, Options, PerPrinciple, RewardResult, read, score};
use assay::share::{reward_marks, reward_traces};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn log(text: &str) -> Log {
    let read = read(text);
    assert!(read.result.is_some(), "{text}: {:?}", read.problems);
    read.result.expect("readable")
}

fn scored(log: &Log, options: &Options) -> RewardResult {
    score(log, options).result.expect("scored")
}

/// Turns of every kind: with and without a result, said and unsaid, overridden, repeated.
fn turns() -> Value {
    json!([
        {"turn_number": 1, "user_message": "hi", "has_mutations": true, "turn_result": {"response": "Ok!", "tools": [1, 2, 3, 4, 5, 6, 7], "tools_passed": false, "context_utilization": 0.97}},
        {"turn_number": 2, "turn_result": null, "reasoning": "why not", "has_mutations": true},
        {"turn_number": 2, "action": "fork", "has_mutations": false, "acknowledged": true, "turn_result": {"response": "é\u{2028}\"x\" 👩‍💻"}},
        {"overrides": {"tasteful": 0.1, "composable": {"score": 0.300_000_000_000_000_04, "reason": "a \"reason\""}}, "turn_result": {"response": "A response that is long enough.", "tools": []}},
        {"overrides": {"ethical": 0}},
    ])
}

fn options() -> Options {
    Options {
        weights: vec![("ethical".into(), 1.0 / 3.0), ("joy_inducing".into(), 0.1)],
        ethical_floor: Some(0.6),
        gamma: 0.9,
        ..Options::default()
    }
}

/// A log of one session and a log of two, each with the record of its scoring in both forms.
fn records() -> Vec<(Log, RewardResult, [String; 2])> {
    let turns = turns();
    let two = json!([{"session_id": "a", "turns": turns}, {"turns": turns}]);
    let logs = [turns.to_string(), two.to_string()].map(|text| log(&text));
    let records = logs.map(|log| {
        let result = scored(&log, &options());
        let forms = [reward_marks(&log, &result), reward_traces(&log, &result)];
        (log, result, forms)
    });
    records.into()
}

#[test]
fn a_record_reads_back_to_the_same_scores_and_holds() {
    for (log, result, forms) in records() {
        for text in forms {
            let again = self::log(&text);
            let check = again.check.as_ref().expect("a record");
            assert!(check.holds(), "{}: {:?}", check.words(), check.turns);
            assert_eq!(check.exact, log.turns.len());
            // its weights are the record's without being given again
            let bare = Options {
                weights: Vec::new(),
                ..options()
            };
            let rescored = scored(&again, &bare);
            assert_eq!(
                (rescored.turns, rescored.session, rescored.sessions),
                (
                    result.turns.clone(),
                    result.session.clone(),
                    result.sessions.clone()
                )
            );
        }
    }
}

#[test]
fn the_record_of_a_record_is_the_same_but_for_its_source() {
    let (_, _, [text, _]) = records().remove(0);
    let again = log(&text);
    let twice = reward_marks(&again, &scored(&again, &options()));
    let without_source = |text: &str| {
        let mut marks: Value = serde_json::from_str(text).expect("JSON");
        for mark in marks.as_array_mut().expect("a list") {
            mark["witness"]["input_sha256"] = Value::Null;
        }
        marks
    };
    assert_eq!(without_source(&text), without_source(&twice));
    assert!(log(&twice).check.expect("a record").holds());
}

#[test]
fn the_hash_is_that_of_the_documented_keys() {
    let (_, _, [text, _]) = records().remove(1);
    let marks: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    for mark in &marks {
        // what somebody would write who has only SCORING.md
        let keys = [
            "session_id",
            "turn_number",
            "action",
            "user_message",
            "assistant_response",
            "reasoning",
        ];
        let mut parts: Vec<String> = keys
            .iter()
            .filter_map(|key| Some(format!("\"{key}\":{}", mark.get(*key)?)))
            .collect();
        // the objects of the evidence have few keys, whose order matters
        let line = text
            .lines()
            .find(|line| line.contains(mark["witness"]["turn_sha256"].as_str().expect("a hash")));
        let line = line.expect("its line");
        let from = line.find("\"evidence\":").expect("evidence");
        let to = line.find(",\"weighted_total\"").expect("a total");
        parts.push(line[from..to].to_owned());
        let said = format!("{{{}}}", parts.join(","));
        let hash = Sha256::digest(said.as_bytes());
        let hash = assay::document::hex(&hash);
        assert_eq!(mark["witness"]["turn_sha256"], hash, "{said}");
    }
}

/// What is found of a record in which something was changed.
fn found(change: impl Fn(&mut Vec<Value>)) -> (String, Vec<String>) {
    let (_, _, [text, _]) = records().remove(0);
    let mut marks: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    change(&mut marks);
    let read = read(&json!(marks).to_string());
    let check = read.result.expect("readable").check.expect("a record");
    assert!(!check.holds());
    let told = read.problems.into_iter().map(|problem| problem.message);
    let told = told.filter(|message| message.starts_with("not as recorded"));
    (check.words(), told.collect())
}

#[test]
fn a_changed_score_is_found_with_by_how_much() {
    let (words, told) = found(|marks| marks[0]["constitutional_scores"]["ethical"] = json!(1));
    assert_eq!(
        told,
        ["not as recorded: ethical: 1 recorded, 0.5 recomputed (-0.5000)"]
    );
    assert_eq!(
        words,
        "Witness record of 5 turns: 4 reproduced exactly, 1 not as recorded; it was made with an ethical floor of 0.6."
    );
    let (_, told) = found(|marks| {
        let least = 0.55_f64.next_up();
        marks[0]["constitutional_scores"]["joy_inducing"] = json!(least);
    });
    assert!(
        told.len() == 1 && told[0].contains("joy-inducing"),
        "{told:?}"
    );
    let (_, told) = found(|marks| {
        marks[0]["weighted_total"] = json!(7);
        marks[0]["band"] = json!("perfect");
        marks[0]["rejected"] = json!(false);
    });
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[1].contains("band: perfect recorded"), "{told:?}");
    assert!(
        told[2].contains("not rejected in the record, rejected recomputed"),
        "{told:?}"
    );
}

#[test]
fn a_changed_text_is_found() {
    let hash = "what was said or measured is not what was scored";
    for (key, value) in [
        ("user_message", json!("hi!")),
        ("reasoning", json!("because")),
        ("action", json!("fork")),
        ("turn_number", json!(9)),
        ("session_id", json!("other")),
    ] {
        let (_, told) = found(|marks| marks[0][key] = value.clone());
        assert!(
            told.iter().any(|line| line.contains(hash)),
            "{key}: {told:?}"
        );
    }
    // a response of another length changes its score as well
    let (_, told) = found(|marks| marks[0]["assistant_response"] = json!("All right!"));
    assert!(
        told[0].contains(hash) && told[1].contains("joy-inducing: 0.575 recorded, 0.75"),
        "{told:?}"
    );
    let (_, told) = found(|marks| marks[0]["evidence"]["turn_result"]["tools"] = json!(5));
    assert!(
        told.iter()
            .any(|line| line.contains("composable: 0.8 recorded, 1 recomputed")),
        "{told:?}"
    );
}

#[test]
fn a_mark_that_was_taken_out_is_missed() {
    let (words, told) = found(|marks| drop(marks.remove(2)));
    assert!(words.contains("1 of the scored text missing"), "{words}");
    // what is there is as it was, but for which turn of its number it is
    assert_eq!(told, [""; 0]);
}

#[test]
fn a_changed_formula_or_weight_is_found() {
    let (_, told) =
        found(|marks| marks[1]["witness"]["formula"] = json!("constitutional-reward/9"));
    assert!(
        told[0].contains("scored with constitutional-reward/9"),
        "{told:?}"
    );
    let (_, told) = found(|marks| marks[1]["witness"]["weights"]["ethical"] = json!(3));
    assert!(told[0].contains("total: "), "{told:?}");
}

#[test]
fn a_changed_step_of_a_trace_is_found() {
    let (_, _, [_, text]) = records().remove(0);
    let trace: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(trace["log"][0]["state_before"], Value::Null);
    assert_eq!(trace["log"][1]["state_before"], json!(1));
    assert_eq!(trace["log"][2]["discount"], json!(0.9 * 0.9));
    let differs = |path: &str, value: Value, expected: &str| {
        let mut trace = trace.clone();
        *trace.pointer_mut(path).expect("a place") = value;
        let check = log(&trace.to_string()).check.expect("a record");
        let findings = check.turns.iter().flat_map(Finding::words);
        let said = findings.collect::<Vec<_>>().join("; ") + &check.words();
        assert!(!check.holds() && said.contains(expected), "{said}");
    };
    differs("/log/0/reward", json!(1), "reward: 1 recorded");
    differs("/log/3/value", json!(1), "discounted value: 1 recorded");
    differs(
        "/policy_trace/value",
        json!(1),
        "value of the walk: 1 recorded",
    );
    differs(
        "/policy_trace/turns",
        json!(6),
        "a walk of 6 turns has 5 here",
    );
}

#[test]
fn a_mark_that_says_nothing_of_what_was_measured_brings_its_scores() {
    let mark = json!({"constitutional_scores": PerPrinciple::all(0.5), "assistant_response": "a"});
    let log = log(&json!([mark]).to_string());
    assert_eq!(log.check, None);
    assert_eq!(
        scored(&log, &Options::default()).turns[0].scores,
        PerPrinciple::all(0.5)
    );
    // beside marks that do it is said that it is not checked
    let (_, _, [text, _]) = records().remove(0);
    let mut marks: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    marks.push(mark);
    let check = self::log(&json!(marks).to_string())
        .check
        .expect("a record");
    assert_eq!((check.exact, &check.turns[5]), (5, &Finding::Unchecked));
    assert!(check.words().contains("1 not checked"), "{}", check.words());
}

#[test]
fn what_is_wrong_in_a_record_is_told_with_its_place() {
    let text = r#"[{"constitutional_scores": {"ethical": 2}, "evidence": 3},
        {"constitutional_scores": 1, "evidence": {"turn_result": 1}, "weighted_total": "x", "witness": {"weights": {"ethical": 1}, "position": -1, "of": 1.5}},
        {"constitutional_scores": {}, "evidence": {}, "witness": 2}]"#;
    let found = read(text);
    let told: Vec<_> = found.errors().map(|p| p.path.as_str()).collect();
    assert_eq!(
        told,
        [
            "[0].constitutional_scores.ethical",
            "[0].evidence",
            "[1].constitutional_scores",
            "[1].evidence.turn_result",
            "[1].weighted_total",
            "[1].witness.weights",
            "[1].witness.position",
            "[1].witness.of",
            "[2].witness",
        ]
    );
    let found = read(r#"{"policy_trace": {"gamma": 2}, "log": [1]}"#);
    let told: Vec<_> = found.errors().map(|p| p.path.as_str()).collect();
    assert_eq!(told, ["policy_trace.gamma", "log[0]"]);
    let found = read(r#"{"policy_trace": 1}"#);
    assert!(
        found
            .errors()
            .any(|problem| problem.message == "missing 'log'")
    );
}
