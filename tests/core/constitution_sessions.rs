//! Several sessions in one text: whichever way they stand there, they are sessions.

use assay::constitution::form::{Change, Form, Item};
use assay::constitution::{Log, Options, RewardResult, ScoredTurn, read, score};
use assay::document::{Code, Severity};
use serde_json::{Value, json};

fn log(text: &str) -> Log {
    let read = read(text);
    assert!(read.result.is_some(), "{text}: {:?}", read.problems);
    read.result.expect("readable")
}

fn scored(text: &str) -> RewardResult {
    score(&log(text), &Options::default())
        .result
        .expect("scored")
}

fn warnings(text: &str) -> Vec<String> {
    let problems = read(text).problems.into_iter();
    // that nothing was measured has a test of its own
    let warnings = problems.filter(|p| p.severity == Severity::Warning && p.code != Code::Unsaid);
    warnings
        .map(|problem| format!("{} {}", problem.path, problem.message))
        .collect()
}

/// Two sessions, of 3 and 2 turns, in every way in which they may stand in a text.
fn ways() -> Vec<String> {
    let turn = |length: usize| json!({"turn_result": {"response": "x".repeat(length)}});
    let (a, b) = ([turn(2), turn(40), turn(9)], [turn(0), turn(40)]);
    let of = |id: &str, turn: &Value| {
        let mut turn = turn.clone();
        turn["session_id"] = id.into();
        turn
    };
    let flat: Vec<Value> = a.iter().map(|turn| of("a", turn)).collect();
    let others: Vec<Value> = b.iter().map(|turn| of("b", turn)).collect();
    let in_a_row: Vec<Value> = flat.iter().chain(&others).cloned().collect();
    let mixed: Vec<Value> = [&flat[0], &others[0], &flat[1], &others[1], &flat[2]]
        .map(Value::clone)
        .into();
    let held = [
        json!({"session_id": "a", "turns": a}),
        json!({"session_id": "b", "turns": b}),
    ];
    let lines = |items: &[Value]| {
        let lines: Vec<String> = items.iter().map(Value::to_string).collect();
        lines.join("\n")
    };
    vec![
        lines(&held),
        json!(held).to_string(),
        lines(&in_a_row),
        json!(in_a_row).to_string(),
        lines(&mixed),
        json!(mixed).to_string(),
        json!({"turns": mixed, "weights": {"ethical": 2}}).to_string(),
        format!("Here they are:\n```\n{}\n```\nThat is all.", lines(&held)),
        lines(&[held[0].clone(), others[0].clone(), others[1].clone()]),
        json!([held[0], others[0], others[1]]).to_string(),
    ]
}

#[test]
fn every_way_to_write_two_sessions_gives_the_same_sessions() {
    for text in ways() {
        let result = scored(&text);
        let told: Vec<_> = result
            .sessions
            .iter()
            .map(|s| (&*s.session_id, s.summary.turns, s.summary.bands.good))
            .collect();
        assert_eq!(told, [("a", 3, 2), ("b", 2, 1)], "{text}");
        let numbers = |at: usize| {
            let positions = result.sessions[at].positions.iter();
            let turns = positions.map(|position| &result.turns[*position]);
            turns.map(ScoredTurn::name).collect::<Vec<_>>()
        };
        assert_eq!(numbers(0), ["1 of a", "2 of a", "3 of a"], "{text}");
        assert_eq!(numbers(1), ["1 of b", "2 of b"], "{text}");
        // 8.16, 8.7, 8.37 and 7.86, 8.7
        assert!((result.session.mean_total - 8.358).abs() < 1e-12, "{text}");
        assert_eq!(result.session.trend, None);
        let trend = result.sessions[0].summary.trend.expect("of three");
        assert!((trend - (8.37 - 8.16) / 2.0).abs() < 1e-12, "{trend}");
        let values = result
            .sessions
            .iter()
            .map(|session| session.summary.discounted_value);
        let sum: f64 = values.sum();
        assert!((result.session.discounted_value - sum).abs() < 1e-9);
    }
}

#[test]
fn a_session_among_several_scores_as_it_does_alone() {
    let held = log(&ways()[0]);
    let several = score(&held, &Options::default()).result.expect("scored");
    let alone = scored(ways()[0].lines().next().expect("a line"));
    assert_eq!(several.sessions[0].summary, alone.session);
    assert!(alone.sessions.is_empty() && alone.turns[0].session_id.is_none());
}

#[test]
fn the_json_of_one_session_has_nothing_of_several() {
    let one = r#"{"session_id": "a", "turns": [{"action": "b"}]}"#;
    let flat = r#"[{"session_id": "a", "action": "b"}]"#;
    for text in [one, flat] {
        let value = serde_json::to_value(scored(text)).expect("JSON");
        let keys: Vec<_> = value.as_object().expect("an object").keys().collect();
        let known = [
            "formula",
            "input_sha256",
            "session",
            "session_id",
            "turns",
            "weights",
            "weights_sum",
        ];
        assert_eq!(keys, known);
        assert_eq!(value["session_id"], "a");
        assert_eq!(value["turns"][0].get("session_id"), None);
        assert_eq!(log(text).session_id.as_deref(), Some("a"));
    }
    let value = serde_json::to_value(scored(&ways()[0])).expect("JSON");
    assert_eq!(value["turns"][4]["session_id"], "b");
    assert_eq!(value["sessions"][1]["session_id"], "b");
    assert_eq!(value["sessions"][1]["turns"], 2);
    assert_eq!(value["session"]["turns"], 5);
}

#[test]
fn a_number_is_given_twice_only_within_a_session() {
    let text = r#"[{"session_id": "a", "turn_number": 57}, {"session_id": "b", "turn_number": 57},
        {"session_id": "a", "turn_number": 57}, {"session_id": "b", "turn_number": 58}]"#;
    let text = text.replace("57}", "57, \"action\": \"x\"}");
    assert_eq!(
        warnings(&text),
        ["[2].turn_number turn_number 57 is given twice"]
    );
    let names: Vec<_> = scored(&text).turns.iter().map(ScoredTurn::name).collect();
    assert_eq!(names, ["57 of a", "57 of b", "57 (2nd) of a", "58 of b"]);
}

#[test]
fn the_same_id_in_two_places_is_one_session_and_a_warning() {
    let text = "{\"session_id\": \"a\", \"turns\": [{\"action\": \"x\"}]}\n{\"session_id\": \"b\", \"turns\": [{\"action\": \"x\"}]}\n{\"session_id\": \"a\", \"turns\": [{\"action\": \"y\"}]}";
    let joined = scored(text);
    let turns: Vec<_> = joined.sessions.iter().map(|s| s.positions.len()).collect();
    assert_eq!(turns, [2, 1]);
    let told = warnings(text);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("[2] session_id \"a\" is given to several sessions"),
        "{told:?}"
    );
    // its turns are counted on
    assert_eq!(joined.turns[2].name(), "2 of a");
}

#[test]
fn what_has_no_id_is_named_by_its_place_and_what_is_odd_is_said() {
    let text = r#"[{"turns": [{"action": "x"}]}, {"session_id": 7, "turns": [{"action": "x", "session_id": "8"}]}, {"action": "y"}]"#;
    let ids: Vec<_> = scored(text)
        .sessions
        .iter()
        .map(|s| s.session_id.to_string())
        .collect();
    assert_eq!(ids, ["session-1", "7", "session-3"]);
    let told = warnings(text).join("\n");
    assert!(
        told.contains("is not that of the session around it, \"7\""),
        "{told}"
    );
    assert!(
        told.contains("turns without a session_id stand beside sessions"),
        "{told}"
    );
    // a name that is taken is not given again
    let text = r#"[{"session_id": "session-2", "turns": [{"action": "x"}]}, {"turns": [{"action": "x"}]}]"#;
    assert_eq!(&*scored(text).sessions[1].session_id, "session-2'");
}

#[test]
fn the_first_weights_hold_for_all_sessions() {
    let session = |id: &str, weights: &str| {
        format!("{{\"session_id\": \"{id}\", \"turns\": [{{\"action\": \"x\"}}]{weights}}}")
    };
    let (three, four) = (
        ", \"weights\": {\"ethical\": 3}",
        ", \"weights\": {\"ethical\": 4}",
    );
    let all = |lines: [String; 3]| lines.join("\n");
    let text = all([session("a", ""), session("b", three), session("c", three)]);
    assert_eq!((scored(&text).weights_sum, warnings(&text).len()), (9.7, 0));
    let text = all([session("a", three), session("b", ""), session("c", four)]);
    assert_eq!(scored(&text).weights_sum, 9.7);
    let told = warnings(&text);
    assert!(
        told.len() == 1 && told[0].starts_with("[2].weights "),
        "{told:?}"
    );
}

#[test]
fn what_is_wrong_in_a_session_is_told_with_its_place() {
    let text = "{\"session_id\": \"a\", \"turns\": [{\"action\": 3}]}\n{\"session_id\": [], \"turns\": [1]}\n{\"turns\": 1}";
    let found = read(text);
    let told: Vec<_> = found
        .errors()
        .map(|p| format!("{} {} {}", p.line, p.path, p.message))
        .collect();
    assert_eq!(
        told,
        [
            "1 [0].turns[0].action expected a string, got 3",
            "2 [1].session_id expected a string, got a list of 0",
            "2 [1].turns[0] expected a turn (an object), got 1",
            "3 [2].turns expected a list of turns, got 1",
        ]
    );
}

#[test]
fn the_form_has_the_turns_of_all_sessions_and_changes_them_in_their_place() {
    for text in ways() {
        let form = Form::read(&text).expect("JSON");
        let log = log(&text);
        assert_eq!(form.len(), 5, "{text}");
        for (at, turn) in log.turns.iter().enumerate() {
            assert_eq!(form.value(at, Item::Response), turn.response(), "{text}");
            let changed = form
                .apply(&Change::Set(at, Item::Response, "changed".into()))
                .expect("a place");
            assert_eq!(self::log(&changed).turns[at].response(), "changed");
        }
        // a new turn is one of the last session
        let last = log.turns.last().expect("turns").session;
        let longer = form.apply(&Change::Add).expect("a place");
        let longer = self::log(&longer);
        assert_eq!(
            (longer.turns.len(), longer.sessions.len()),
            (6, 2),
            "{text}"
        );
        assert_eq!(longer.turns[5].session, last, "{text}");
        let shorter = form.apply(&Change::Remove(4)).expect("a place");
        assert_eq!(self::log(&shorter).turns.len(), 4, "{text}");
    }
    // the last turn of a session goes with it
    let lines = "{\"session_id\": \"a\", \"turns\": [{\"action\": \"x\"}]}\n{\"session_id\": \"b\", \"turns\": [{\"action\": \"y\"}]}";
    for text in [lines.to_owned(), format!("[{}]", lines.replace('\n', ","))] {
        let form = Form::read(&text).expect("JSON");
        let left = log(&form.apply(&Change::Remove(0)).expect("a place"));
        assert_eq!(left.session_id.as_deref(), Some("b"), "{text}");
        assert_eq!(form.apply(&Change::Move { from: 0, to: 1 }), None, "{text}");
        assert_eq!(
            form.path(1, Item::Action),
            "[1].turns[0].action",
            "as reading names it"
        );
    }
}
