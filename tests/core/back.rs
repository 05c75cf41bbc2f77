//! Results in the shapes of other tools: what our own readers read comes back, and every text
//! stands in every shape as it is.

use std::collections::BTreeMap;

use assay::constitution;
use assay::debate::{self, DebateResult, Decision, Payload};
use assay::persona::{self, Inputs};
use assay::share::{Shape, debates_back, persona_back, reward_back};
use assay::sources::{File, Kind, Wanted};
use proptest::prelude::*;
use serde_json::{Value, json};

type Scored = (Payload, DebateResult);

fn scored(text: &str) -> Scored {
    let result = debate::evaluate(text, &debate::Options::default()).result;
    let payload = debate::read(text).result.expect("a debate");
    (payload, result.expect("weights"))
}

fn written(shape: Shape, debates: &[Scored]) -> String {
    let debates: Vec<_> = debates
        .iter()
        .map(|(read, scored)| (read, scored))
        .collect();
    debates_back(shape, "", &debates)
}

fn rows(text: &str) -> Vec<Value> {
    let lines = text.lines();
    let rows = lines.map(|line| serde_json::from_str(line).expect("JSON in a line"));
    rows.collect()
}

/// A debate that is read from an item of a file in a known format.
fn read_back(text: &str, format: &str, item: usize) -> Scored {
    let bytes = Box::new(text.as_bytes().to_vec());
    let file = File::open("a.json", bytes, None).expect("opened");
    assert!(
        file.listings.len() == 1 && file.strange.is_empty(),
        "{text}"
    );
    let listing = &file.listings[0];
    assert_eq!(
        (listing.format.key, listing.ties.len()),
        (format, 0),
        "{text}"
    );
    let wanted = Wanted {
        kind: Kind::Debate,
        file: "a.json",
        because: &listing.because,
        mapping: BTreeMap::new(),
    };
    let made = file.make(0, &[item], &wanted).expect("made");
    scored(&made.text)
}

fn ids(result: &DebateResult) -> Vec<&str> {
    let mut ids: Vec<_> = result.results.iter().map(|row| row.id.as_str()).collect();
    ids.sort_unstable();
    ids
}

/// Ratings are support, evidence, risks and critical fail, a review each.
fn candidate(id: &str, wins: u8, reviews: &[[u8; 4]]) -> Value {
    let reviews = reviews.iter().enumerate().map(|(at, review)| {
        let [support, evidence, risks, fail] = review;
        json!({"debater": format!("J{at}"), "support": support, "evidence": evidence,
            "major_risks": risks, "critical_fail": fail, "justification": format!("{id} {at}")})
    });
    json!({"id": id, "model": "opus", "wins": wins, "reviews": reviews.collect::<Value>()})
}

const GOOD: [u8; 4] = [2, 2, 0, 0];
const FAIR: [u8; 4] = [1, 1, 0, 0];
const FAIL: [u8; 4] = [2, 2, 0, 1];

fn debate(candidates: &[Value]) -> Scored {
    scored(&json!({"question": "Which?", "candidates": candidates}).to_string())
}

#[test]
fn the_first_two_stand_in_a_comparator() {
    // A has 2.0, B 1.0 and C 0: the first two, in the order of the input
    let one = debate(&[
        candidate("C", 0, &[[0, 0, 0, 0]]),
        candidate("B", 0, &[FAIR, FAIR]),
        candidate("A", 0, &[GOOD, FAIR, GOOD]),
    ]);
    assert_eq!(one.1.winner.as_deref(), Some("A"));
    let text = written(Shape::Comparator, std::slice::from_ref(&one));
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["models"], json!([{"name": "B"}, {"name": "A"}]));
    let example = &value["examples"][0];
    assert_eq!(example["input_text"], "Which?");
    assert_eq!(example["custom_fields"]["candidate"], json!(["B", "A"]));
    // (4 + 2 + 4) / 3 x 0.5 is 1.6667, so B is 0.6667 behind: x 0.25 / 0.4
    assert_eq!(example["score"], -0.4167);
    // the third rates A alone
    let raters = example["individual_rater_scores"]
        .as_array()
        .expect("a list");
    let raters: Vec<_> = raters
        .iter()
        .map(|rater| (rater["score"].as_f64(), rater["rationale"].as_str()))
        .collect();
    let expected = [
        (Some(-1.0), Some("B: B 0\nA: A 0")),
        (Some(0.0), Some("B: B 1\nA: A 1")),
    ];
    assert_eq!(raters, expected);
    for item in [0, 1] {
        let (_, back) = read_back(&text, "llm-comparator", item);
        assert_eq!(
            (ids(&back), back.winner.as_deref()),
            (vec!["A", "B"], Some("A"))
        );
    }
}

#[test]
fn the_eliminated_are_behind_whatever_their_score() {
    let one = debate(&[
        candidate("A", 0, &[FAIR, FAIR]),
        candidate("B", 1, &[FAIL, FAIL]),
    ]);
    assert!(one.1.results[1].eliminated && one.1.results[1].score > one.1.results[0].score);
    let text = written(Shape::Comparator, std::slice::from_ref(&one));
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["examples"][0]["score"], 1.5);
    let both = debate(&[
        candidate("A", 0, &[FAIL, FAIL]),
        candidate("B", 1, &[FAIL, FAIL]),
    ]);
    let value: Value = serde_json::from_str(&written(Shape::Comparator, &[both])).expect("JSON");
    assert_eq!(value["examples"][0]["score"], 0.0);
}

#[test]
fn a_series_keeps_its_seats_where_it_has_the_same_two() {
    let by = |a: [u8; 4], b: [u8; 4]| debate(&[candidate("A", 0, &[a]), candidate("B", 0, &[b])]);
    let series = [by(FAIR, GOOD), by(GOOD, FAIR), by(FAIR, GOOD)];
    let text = written(Shape::Comparator, &series);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["models"], json!([{"name": "A"}, {"name": "B"}]));
    let scores = value["examples"].as_array().expect("a list").iter();
    let scores: Vec<_> = scores.map(|example| example["score"].as_f64()).collect();
    assert_eq!(scores, [Some(-0.625), Some(0.625), Some(-0.625)]);
    // all together, then each
    let winners = [0, 1, 2, 3].map(|item| read_back(&text, "llm-comparator", item).1.winner);
    let winners = winners.map(Option::unwrap_or_default);
    assert_eq!(winners, ["B", "B", "A", "B"]);
    let other = debate(&[candidate("A", 0, &[GOOD]), candidate("C", 0, &[FAIR])]);
    let [first, ..] = series;
    let text = written(Shape::Comparator, &[first, other]);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["models"][0]["name"], "First of each ranking");
    assert_eq!(
        value["examples"][0]["custom_fields"]["candidate"],
        json!(["B", "A"])
    );
    assert_eq!(value["examples"][0]["score"], 0.625);
}

#[test]
fn a_candidate_has_one_column_in_all_tests_of_promptfoo() {
    let series = [
        debate(&[candidate("A", 0, &[FAIR]), candidate("B", 0, &[GOOD])]),
        debate(&[candidate("A", 0, &[GOOD]), candidate("B", 0, &[GOOD])]),
        debate(&[
            candidate("B", 0, &[[0, 0, 0, 0]]),
            candidate("A", 0, &[FAIR]),
        ]),
    ];
    let text = written(Shape::Promptfoo, &series);
    let rows = rows(&text);
    let shown = rows.iter().map(|row| {
        let name = row["provider"]["label"].as_str();
        let columns = [&row["testIdx"], &row["promptIdx"]].map(Value::as_u64);
        (columns, name, row["success"].as_bool())
    });
    let expected = [
        ([0, 0], "B", true),
        ([0, 1], "A", false),
        ([1, 1], "A", true),
        ([1, 0], "B", true),
        ([2, 1], "A", false),
        ([2, 0], "B", false),
    ];
    let expected =
        expected.map(|(columns, name, pass)| (columns.map(Some), Some(name), Some(pass)));
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    assert_eq!(rows[0]["namedScores"]["score"], 2.0);
    let review = &rows[0]["gradingResult"]["componentResults"][1];
    assert_eq!(
        (&review["reason"], &review["assertion"]["value"]),
        (&"B 0".into(), &"J0".into())
    );
    let back = [1, 2, 3].map(|item| read_back(&text, "promptfoo", item).1);
    let decisions = back.each_ref().map(|result| result.decision);
    let expected = [Decision::Winner, Decision::Hybrid, Decision::Insufficient];
    assert_eq!(decisions, expected);
    let model = back[0].results[0].model.as_deref();
    assert_eq!(
        (back[0].winner.as_deref(), model),
        (Some("B"), Some("opus"))
    );
}

#[test]
fn turns_are_tests_whose_score_is_the_normalised_total() {
    let text = r#"{"session_id": "s", "turns": [{"user_message": "Tidy up", "has_mutations": true,
        "acknowledged": false, "turn_result": {"response": "Done, all of it is tidy."}}]}
        {"session_id": "t", "turns": [{"user_message": "Tidy up", "turn_result": {"response": "OK"}}]}"#;
    let options = constitution::Options {
        ethical_floor: Some(0.6),
        ..constitution::Options::default()
    };
    let log = constitution::read(text).result.expect("turns");
    let result = constitution::score(&log, &options).result.expect("scored");
    let text = reward_back(Shape::Promptfoo, &log, &result).expect("of turns");
    let rows = rows(&text);
    let [first, second] = [0, 1].map(|at| &rows[at]);
    assert_eq!(
        (&first["provider"]["id"], &first["success"]),
        (&"s".into(), &false.into())
    );
    assert_eq!(first["vars"], json!({"user_message": "Tidy up"}));
    assert_eq!(second["response"]["output"], "OK");
    assert_eq!(first["score"].as_f64(), Some(result.turns[0].normalised));
    let parts = first["gradingResult"]["componentResults"]
        .as_array()
        .expect("a list");
    let number = |value: &Value| value.as_f64().expect("a number");
    let (sum, weights) = parts.iter().fold((0.0, 0.0), |(sum, weights), part| {
        let weight = number(&part["assertion"]["weight"]);
        (sum + weight * number(&part["score"]), weights + weight)
    });
    assert!((sum / weights - result.turns[0].normalised).abs() < 1e-9);
    // two sessions are two candidates
    let (_, back) = read_back(&text, "promptfoo", 0);
    assert_eq!(ids(&back), ["s", "t"]);
    for shape in [Shape::Comparator, Shape::Labels] {
        assert_eq!(reward_back(shape, &log, &result), None);
    }
}

#[test]
fn labels_leave_with_the_keys_that_they_came_in() {
    let first = r#"{"candidates": [], "source": {"labels": [
        {"z": 1, "candidate": "A", "name": "human", "value": 0.5, "more": [null, {"b": true}]}, 3]}}"#;
    let second = r#"{"source": {"labels": [{"candidate": "B", "text": "pass"}]}}"#;
    assert_eq!(
        debates_back(Shape::Labels, first, &[]),
        "{\"z\":1,\"candidate\":\"A\",\"name\":\"human\",\"value\":0.5,\"more\":[null,{\"b\":true}]}\n"
    );
    let both = debates_back(Shape::Labels, &format!("{first}\n{second}"), &[]);
    assert!(both.starts_with("{\"debate\":1,\"z\":1,"), "{both}");
    assert!(
        both.ends_with("\n{\"debate\":2,\"candidate\":\"B\",\"text\":\"pass\"}\n"),
        "{both}"
    );
    assert_eq!(debates_back(Shape::Labels, "{\"candidates\": []}", &[]), "");
    let row = r#"{"session_id":"a","turn_index":2,"role":"assistant","text":"Hi","label":1,"confidence":0.9}"#;
    let plain = r#"{"session_id":"a","turn_index":1,"role":"user","text":"Hi","label":null}"#;
    let with_source = row.replacen('{', r#"{"source":{"format":"table"},"#, 1);
    let result = persona_result("a", "Hi");
    for text in [
        format!("{plain}\n{with_source}\n"),
        format!("[{plain}, {with_source}]"),
    ] {
        let labels = persona_back(Shape::Labels, &text, &result);
        assert_eq!(labels, Some(format!("{row}\n")));
    }
}

fn persona_result(session: &str, reply: &str) -> persona::PersonaResult {
    let row = json!({"session_id": session, "turn": 1, "assistant": reply});
    let run = persona::read(&Inputs {
        persona: "lexicon: {preferred: [ride, oil], avoid: []}",
        transcript: &row.to_string(),
        ..Inputs::default()
    });
    let scored = run.result.expect("valid");
    let scored = scored.score(&persona::Options::default(), None);
    scored.result.expect("scored")
}

/// The attributes of an event of OpenTelemetry.
fn attributes(line: &Value) -> BTreeMap<String, Value> {
    let record = &line["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0];
    assert_eq!(record["eventName"], "gen_ai.evaluation.result");
    let attributes = record["attributes"].as_array().expect("a list").iter();
    let attributes = attributes.map(|attribute| {
        let value = attribute["value"].as_object().expect("an object");
        let value = value.values().next().expect("a value").clone();
        (attribute["key"].as_str().expect("a key").to_owned(), value)
    });
    attributes.collect()
}

#[test]
fn what_is_judged_and_why_stands_in_each_event() {
    let one = debate(&[candidate("A", 1, &[GOOD]), candidate("B", 0, &[FAIR])]);
    let events = rows(&written(Shape::Otel, std::slice::from_ref(&one)));
    assert_eq!(events.len(), 2);
    let first = attributes(&events[0]);
    assert_eq!(first["gen_ai.evaluation.name"], "debate.score");
    assert_eq!(first["gen_ai.evaluation.score.value"], 4.0);
    assert_eq!(first["gen_ai.evaluation.score.label"], "winner");
    assert_eq!(
        first["gen_ai.evaluation.explanation"],
        "base +2, pairwise +2"
    );
    assert_eq!(first["assay.candidate"], "A");
    assert!(!first.contains_key("gen_ai.conversation.id"));
    let text = r#"{"session_id": "s", "turns": [{"turn_result": {"response": "OK"}}]}"#;
    let log = constitution::read(text).result.expect("turns");
    let scored = constitution::score(&log, &constitution::Options::default());
    let result = scored.result.expect("scored");
    let notes = rows(&reward_back(Shape::OpenInference, &log, &result).expect("of turns"));
    assert_eq!(notes.len(), 8);
    assert_eq!(notes[3]["annotation.name"], "constitution.joy_inducing");
    assert_eq!(notes[3]["annotation.explanation"], "2 characters");
    assert_eq!(notes[3]["annotation.annotator_kind"], "CODE");
    assert_eq!(notes[7]["annotation.name"], "constitution.total");
    assert_eq!(notes[7]["annotation.score"].as_f64(), Some(8.16));
    assert_eq!(notes[7]["annotation.label"], "good");
    assert!(
        notes
            .iter()
            .all(|note| note["session.id"] == "s" && note["metadata"]["turn"] == "1")
    );
    let result = persona_result("a", "Let us ride");
    let notes = rows(&persona_back(Shape::OpenInference, "", &result).expect("of sessions"));
    let names: Vec<_> = notes
        .iter()
        .map(|note| note["annotation.name"].as_str())
        .collect();
    let measured = ["overall", "authenticity", "lexicon", "safety"];
    assert_eq!(
        names,
        measured
            .map(|name| format!("persona.{name}"))
            .each_ref()
            .map(|name| Some(name.as_str()))
    );
    assert_eq!(
        notes[0]["annotation.score"].as_f64(),
        result.sessions[0].overall
    );
    assert_eq!(persona_back(Shape::Comparator, "", &result), None);
}

fn ratings() -> impl Strategy<Value = Vec<[u8; 4]>> {
    let review = (0..=2_u8, 0..=2_u8, 0..=2_u8, prop::bool::weighted(0.2));
    let review = review
        .prop_map(|(support, evidence, risks, fail)| [support, evidence, risks, u8::from(fail)]);
    prop::collection::vec(review, 1..4)
}

/// A debate of candidates with any names, whose reviews are of anyone and say anything.
fn any_debate() -> impl Strategy<Value = Value> {
    let one = (
        any::<String>(),
        any::<String>(),
        any::<String>(),
        any::<bool>(),
        ratings(),
    );
    let all = (any::<String>(), prop::collection::vec(one, 2..5));
    all.prop_map(|(question, list)| {
        let candidates =
            list.iter()
                .enumerate()
                .map(|(at, (name, who, why, is_named, ratings))| {
                    let id = format!("{name}x{at}");
                    let mut made = candidate(&id, u8::from(at % 2 == 1), ratings);
                    made["model"] = if *is_named {
                        format!("{who}m").into()
                    } else {
                        Value::Null
                    };
                    let reviews = made["reviews"].as_array_mut().expect("a list");
                    for review in reviews.iter_mut().skip(1) {
                        review["debater"] = who.as_str().into();
                    }
                    reviews[0]["justification"] = why.as_str().into();
                    made
                });
        json!({"question": question, "candidates": candidates.collect::<Value>()})
    })
}

fn check_comparator(one: &Scored) {
    let (payload, result) = one;
    let text = written(Shape::Comparator, std::slice::from_ref(one));
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let example = &value["examples"][0];
    let question = payload.question.as_deref();
    assert_eq!(
        example["input_text"].as_str(),
        Some(question.unwrap_or_default())
    );
    let (_, back) = read_back(&text, "llm-comparator", 0);
    let [first, second] = [0, 1].map(|at| &result.results[at]);
    let mut names = [first, second].map(|row| row.id.as_str());
    names.sort_unstable();
    assert_eq!(ids(&back), names, "{text}");
    let is_even = first.eliminated && second.eliminated
        || first.score == second.score && first.eliminated == second.eliminated;
    assert_eq!(example["score"] == 0.0, is_even, "{text}");
    if !is_even {
        assert_eq!(back.winner.as_ref(), Some(&first.id), "{text}");
    }
}

fn check_promptfoo(one: &Scored) {
    let (payload, result) = one;
    let text = written(Shape::Promptfoo, std::slice::from_ref(one));
    let (_, back) = read_back(&text, "promptfoo", 1);
    assert_eq!(ids(&back), ids(result), "{text}");
    assert_eq!(back.winner, result.winner, "{text}");
    assert_eq!(back.hybrid_candidates, result.hybrid_candidates, "{text}");
    for (line, row) in rows(&text).iter().zip(&result.results) {
        let mut candidates = payload.candidates.iter();
        let candidate = candidates
            .find(|candidate| candidate.id == row.id)
            .expect("read");
        let reviews = line["gradingResult"]["componentResults"]
            .as_array()
            .expect("a list");
        for (review, written) in candidate.reviews.iter().zip(&reviews[1..]) {
            let why = review.justification.as_deref().unwrap_or_default();
            assert_eq!(written["reason"].as_str(), Some(why));
            let who = written["assertion"]["value"].as_str();
            assert!(review.debater.is_none() || review.debater.as_deref() == who);
        }
        if row.model.is_some() {
            let back = back.results.iter().find(|other| other.id == row.id);
            assert_eq!(back.and_then(|row| row.model.as_ref()), row.model.as_ref());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_debate_goes_there_and_back(debate in any_debate()) {
        let one = scored(&debate.to_string());
        check_comparator(&one);
        check_promptfoo(&one);
        let events = rows(&written(Shape::Otel, std::slice::from_ref(&one)));
        let notes = rows(&written(Shape::OpenInference, std::slice::from_ref(&one)));
        prop_assert_eq!(events.len(), one.1.results.len());
        for ((event, note), row) in events.iter().zip(&notes).zip(&one.1.results) {
            let event = attributes(event);
            prop_assert_eq!(event["assay.candidate"].as_str(), Some(row.id.as_str()));
            prop_assert_eq!(note["metadata"]["candidate"].as_str(), Some(row.id.as_str()));
            prop_assert_eq!(note["metadata"]["model"].as_str(), row.model.as_deref());
            prop_assert_eq!(note["annotation.score"].as_f64(), Some(row.score));
        }
    }

    #[test]
    fn any_text_of_a_session_stands_as_it_is(texts in prop::array::uniform4(any::<String>())) {
        let [session, said, reply, reason] = &texts;
        let turn = json!({"user_message": said, "action": reply, "turn_result": {"response": reply},
            "overrides": {"curated": {"score": 0.5, "reason": reason}}});
        let other = json!({"session_id": "other", "turns": [turn]});
        let text = json!([{"session_id": format!("{session}x"), "turns": [turn]}, other]).to_string();
        let log = constitution::read(&text).result.expect("turns");
        let result = constitution::score(&log, &constitution::Options::default()).result.expect("scored");
        let id = format!("{session}x");
        let tests = rows(&reward_back(Shape::Promptfoo, &log, &result).expect("of turns"));
        prop_assert_eq!(tests[0]["response"]["output"].as_str(), Some(reply.as_str()));
        prop_assert_eq!(tests[0]["vars"]["user_message"].as_str().unwrap_or_default(), said.as_str());
        prop_assert_eq!(tests[0]["provider"]["id"].as_str(), Some(id.as_str()));
        let events = rows(&reward_back(Shape::Otel, &log, &result).expect("of turns"));
        prop_assert_eq!(events.len(), 16);
        let curated = attributes(&events[1]);
        prop_assert_eq!(curated["gen_ai.conversation.id"].as_str(), Some(id.as_str()));
        let why = curated["gen_ai.evaluation.explanation"].as_str().expect("a text");
        prop_assert!(why.contains(reason.as_str()), "{why:?}");
        let row = json!({"session_id": id, "turn_index": 1, "role": "assistant", "text": format!("{reply}x"), "label": reason});
        let result = persona_result(&id, &format!("{reply}x"));
        for event in rows(&persona_back(Shape::Otel, "", &result).expect("of sessions")) {
            let event = attributes(&event);
            prop_assert_eq!(event["gen_ai.conversation.id"].as_str(), Some(id.as_str()));
        }
        let labels = rows(&persona_back(Shape::Labels, &row.to_string(), &result).expect("of sessions"));
        prop_assert_eq!(labels, [row]);
    }
}
