//! The form of turns and its text through random edits: each change does what
//! it says and nothing else, in every shape that turns come in.

use std::collections::BTreeMap;

use assay::constitution::Principle;
use assay::constitution::form::{Change, Form, Item};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;

/// Turns in an odd layout, with unknown keys and both spellings of overrides.
const TURNS: [&str; 3] = [
    r#"{ "x-note" :"kept 🔒", "turn_number":1,"overrides": {"ethical": 0.5, "x-o": {}, "reason" : "all"}, "turn_result": {"x-r": [1,{"a":2}], "tools": [{"name": "a", "x-t": 1}, "b"]} }"#,
    r#"{"user_message": "because, { so ]", "turn_number": 2, "turn_result": null, "overrides":{"curated":{"value": 0.25, "x-v": "k", "reason":"r"}}, "x-c": -0.0}"#,
    r#"{"constitutional_scores": {"ethical": 0.5, "x-s": 1} , "x-m":null}"#,
];

/// Every shape, with what stands around the turns.
fn texts() -> [(String, &'static str, &'static str); 4] {
    let list = format!("[{},\n\t{} , {}]", TURNS[0], TURNS[1], TURNS[2]);
    [
        (list.clone(), "", ""),
        (
            format!("{{\"x-session\": 1, \"turns\" : {list},\"x-end\":2 }}"),
            "{\"x-session\": 1, \"turns\" : [",
            ",\"x-end\":2 }",
        ),
        (TURNS.join("\n"), "", ""),
        (
            format!("Here:\n```json\n{list}\n```\nDone."),
            "Here:\n```json\n[",
            "]\n```\nDone.",
        ),
    ]
}

fn items() -> Vec<Item> {
    use Item::{
        Acknowledged, Action, Context, Mutations, Number, Passed, Reason, Reasoning, Response,
        Score, SharedReason, Tool, Tools, User,
    };
    let mut items = vec![
        Number,
        Action,
        User,
        Mutations,
        Acknowledged,
        Reasoning,
        Response,
        Passed,
        Context,
        SharedReason,
        Tools,
    ];
    for principle in Principle::ALL {
        items.extend([Score(principle), Reason(principle)]);
    }
    items.extend((0..4).map(Tool));
    items
}

/// Everything a form says of a turn.
fn facts(form: &Form, turn: usize) -> BTreeMap<String, String> {
    let all = items().into_iter();
    all.map(|item| (format!("{item:?}"), form.value(turn, item)))
        .chain([
            ("mark".to_owned(), form.is_mark(turn).to_string()),
            ("result".to_owned(), form.has_result(turn).to_string()),
            ("tools".to_owned(), form.tools(turn).to_string()),
        ])
        .collect()
}

fn all_facts(form: &Form) -> Vec<BTreeMap<String, String>> {
    (0..form.len()).map(|turn| facts(form, turn)).collect()
}

fn some_change(form: &Form, random: &mut ChaCha8Rng) -> Change {
    const WORDS: [&str; 8] = ["", "2", "a \"word\"", "ünï\n", "{", "0.5", "true", "// no"];
    let mut below = |most: usize| random.random_range(0..most.max(1));
    let turns = form.len();
    let turn = below(turns);
    match below(14) {
        0 if turns < 9 => Change::Add,
        1 if turns > 3 => Change::Remove(turn),
        2 => Change::Move {
            from: turn,
            to: below(turns),
        },
        3 if !form.is_mark(turn) => Change::Set(turn, Item::Tools, below(5).to_string()),
        4 if form.tools(turn) > 0 => Change::RemoveTool(turn, below(form.tools(turn))),
        5 => Change::RemoveResult(turn),
        _ => {
            let items = items();
            let item = loop {
                match items[below(items.len())] {
                    // a mark has no overrides to speak of
                    Item::Reason(_) | Item::SharedReason if form.is_mark(turn) => {}
                    Item::Tool(tool) if tool >= form.tools(turn) => {}
                    item => break item,
                }
            };
            Change::Set(turn, item, WORDS[below(WORDS.len())].to_owned())
        }
    }
}

/// What else of a turn a change of a field may touch.
fn may_touch(item: Item, fact: &str) -> bool {
    let own = format!("{item:?}");
    match item {
        Item::Response | Item::Passed | Item::Context => fact == own || fact == "result",
        Item::Tools => fact.to_lowercase().starts_with("tool") || fact == "result",
        _ => fact == own,
    }
}

/// What is typed into a field as it is shown then.
fn shown(item: Item, typed: &str) -> &str {
    match item {
        Item::Number | Item::Context | Item::Tools | Item::Score(_) => typed.trim(),
        _ => typed,
    }
}

/// How often each unknown key stands in a text.
fn unknown_keys(text: &str) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    for (at, _) in text.match_indices("\"x-") {
        *found.entry(&text[at..at + 4]).or_insert(0) += 1;
    }
    found
}

/// Checks one change, and gives the text after it.
fn checked(text: &str, change: &Change) -> String {
    let before = Form::read(text).expect("JSON");
    let says = || format!("{change:?}\n{text}");
    let changed = before.apply(change);
    assert!(changed.is_some(), "{}", says());
    let changed = changed.unwrap_or_default();
    let after = Form::read(&changed);
    assert!(after.is_some(), "{}\n{changed}", says());
    let after = after.unwrap_or_default();
    let (old, mut new) = (all_facts(&before), all_facts(&after));
    let mut expected = old.clone();
    match change {
        Change::Set(turn, item, typed) => {
            assert_eq!(
                after.value(*turn, *item),
                shown(*item, typed),
                "{}\n{changed}",
                says()
            );
            for (fact, value) in &mut expected[*turn] {
                if may_touch(*item, fact) {
                    value.clone_from(&new[*turn][fact]);
                }
            }
        }
        Change::Add => {
            let added = new.pop().expect("one more");
            assert_eq!(added["mark"], "false", "not all are marks");
        }
        Change::Remove(turn) => drop(expected.remove(*turn)),
        Change::Move { from, to } => {
            let moved = expected.remove(*from);
            expected.insert(*to, moved);
        }
        Change::RemoveTool(turn, _) => {
            assert_eq!(after.tools(*turn) + 1, before.tools(*turn), "{}", says());
            expected[*turn].clone_from(&new[*turn]);
        }
        Change::RemoveResult(turn) => {
            assert!(!after.has_result(*turn));
            expected[*turn].clone_from(&new[*turn]);
        }
        Change::Start => {}
    }
    assert_eq!(new, expected, "{}\n{changed}", says());
    // unknown keys go only with the object they stand in
    let takes_away = matches!(
        change,
        Change::Remove(_)
            | Change::RemoveTool(..)
            | Change::RemoveResult(_)
            | Change::Set(_, Item::Tools, _)
    );
    assert!(
        takes_away || unknown_keys(text) == unknown_keys(&changed),
        "{}\n{changed}",
        says()
    );
    changed
}

#[test]
fn form_and_text_stay_in_step_through_300_random_edits_of_every_shape() {
    for (index, (text, start, end)) in texts().into_iter().enumerate() {
        let mut random = ChaCha8Rng::seed_from_u64(index as u64);
        let mut text = text;
        for _ in 0..300 {
            let form = Form::read(&text).expect("JSON");
            let change = some_change(&form, &mut random);
            text = checked(&text, &change);
            // what stands around the turns stays
            assert!(text.starts_with(start) && text.ends_with(end), "{text}");
            // every turn is JSON, and the same in another layout is the same form
            let json = text
                .trim_start_matches("Here:\n```json\n")
                .trim_end_matches("\n```\nDone.");
            let values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
            let values: Vec<Value> = values.collect::<Result<_, _>>().expect("JSON");
            let pretty: Vec<_> = values
                .iter()
                .map(|value| serde_json::to_string_pretty(value).expect("JSON"))
                .collect();
            let again = Form::read(&pretty.join("\n")).expect("JSON");
            assert_eq!(
                all_facts(&again),
                all_facts(&Form::read(&text).expect("JSON"))
            );
        }
    }
}

// a browser's tests have no clock
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_change_in_ten_thousand_turns_looks_at_its_own_turn() {
    use std::time::Instant;
    let turns: Vec<String> = (1..=10_000)
        .map(|turn| {
            format!(
                "{{\"turn_number\": {turn}, \"turn_result\": {{\"response\": \"{}\"}}}}",
                "word ".repeat(20)
            )
        })
        .collect();
    for text in [turns.join("\n"), format!("[{}]", turns.join(","))] {
        let form = Form::read(&text).expect("JSON");
        assert_eq!(form.len(), 10_000);
        let began = Instant::now();
        for turn in (0..10_000).step_by(100) {
            let change = Change::Set(turn, Item::User, "x".into());
            form.apply(&change).expect("a place");
        }
        let each = began.elapsed() / 100;
        let began = Instant::now();
        Form::read(&text);
        let all = began.elapsed();
        // parsing all of it for a change takes as long as reading it
        assert!(each < all / 2, "{each:?} of {all:?}");
    }
}
