//! Personal data: what is masked stays the document that it was, and nothing of it is left.

use assay::document::{Parsed, Problems, Value};
use assay::persona::{Inputs, read};
use assay::share::{Masks, counted, find, mark_json};
use proptest::prelude::*;

fn masked(text: &str) -> (String, String) {
    let mut masks = Masks::for_texts([text]);
    let masked = masks.mask(text);
    (masked, counted(&masks.counts()))
}

#[test]
fn the_same_value_has_the_same_mask_in_all_texts() {
    let texts = [
        "Ask Jane@posteo.net or joe@posteo.net; jane@posteo.net is faster. +49 170 1234567",
        "{\"text\": \"joe@posteo.net, +49-170-1234567\"}",
    ];
    let mut masks = Masks::for_texts(texts);
    let masked = texts.map(|text| masks.mask(text));
    assert_eq!(
        masked,
        [
            "Ask [mail 1] or [mail 2]; [mail 1] is faster. [phone 1]",
            "{\"text\": \"[mail 2], [phone 1]\"}",
        ]
    );
    assert_eq!(
        counted(&masks.counts()),
        "4 mail addresses and 2 phone numbers"
    );
    // numbers go on after those that stand there already
    assert_eq!(
        masked_again("[mail 7] wrote to joe@posteo.net"),
        "[mail 7] wrote to [mail 8]"
    );
}

fn masked_again(text: &str) -> String {
    masked(text).0
}

#[test]
fn a_persona_in_yaml_stays_one() {
    let persona = "id: a # by joe@posteo.net\nexemplars:\n  - jane@posteo.net is where I am\n  - 'call 415-555-2671'\n  - |\n    two lines:\n    joe@posteo.net\noff_brand: [jane@posteo.net, x]\nlexicon: {preferred: [ride]}\n";
    let (masked, said) = masked(persona);
    assert_eq!(said, "4 mail addresses and a phone number");
    assert_eq!(find(&masked), []);
    assert!(masked.starts_with("id: a # by ["), "{masked}");
    let run = |persona: &str| {
        let read = read(&Inputs {
            persona,
            transcript: r#"{"session_id": "s", "turn": 1, "assistant": "a"}"#,
            ..Inputs::default()
        });
        assert_eq!(read.problems, vec![], "{persona}");
        read.result.expect("valid").lesson()
    };
    let (before, after) = (run(persona), run(&masked));
    assert_eq!(before.exemplars.len(), after.exemplars.len());
    assert_eq!(before.lexicon, after.lexicon);
    assert!(
        after.exemplars[0].starts_with("[mail ") && after.exemplars[0].ends_with("] is where I am")
    );
    assert!(
        after.exemplars[2].starts_with("two lines:\n[mail "),
        "{masked}"
    );
    assert_eq!(after.off_brand.len(), 2);
}

/// Longer than what is set text by text.
#[test]
fn a_long_yaml_stays_one() {
    let one = |at: usize| {
        format!(
            "- session_id: s{at}\n  user: joe{at}@posteo.net is who I am\n  card: 4111111111111111\n  tags: [ask jane@posteo.net, x]\n  assistant: |-\n    joe@posteo.net\n"
        )
    };
    let text: String = (0..4_000).map(one).collect();
    assert!(text.len() > 512 << 10);
    let (masked, _) = masked(&text);
    assert_eq!(find(&masked), []);
    let parsed = Parsed::yaml(&masked);
    assert_eq!(parsed.problems(0), []);
    let root = parsed.node(0).expect("YAML");
    let at = |key: &str| root.at(&[3_997.into(), key.into()]).map(|node| &node.value);
    for (key, begins, ends) in [
        ("user", "[mail ", "] is who I am"),
        ("card", "[card 1]", ""),
        ("assistant", "[mail ", "]"),
    ] {
        let is_masked = |held: &String| held.starts_with(begins) && held.ends_with(ends);
        assert!(
            matches!(at(key), Some(Value::String(held)) if is_masked(held)),
            "{key}: {:?}",
            at(key)
        );
    }
    assert!(matches!(at("tags"), Some(Value::List(tags)) if tags.len() == 2));
}

/// Anchors, tags, aliases and the mark of UTF-8: whatever stood as a text stays one.
#[test]
fn what_has_a_name_in_yaml_stays_what_it_was() {
    for (text, expected) in [
        (
            "base: &b\n  mail: jane@posteo.net\nx:\n  <<: [*b]\n",
            "base: &b\n  mail: \"[mail 1]\"\nx:\n  <<: [*b]\n",
        ),
        (
            "mail: &m jane@posteo.net\ncopy: *m\n",
            "mail: &m \"[mail 1]\"\ncopy: *m\n",
        ),
        (
            "card: !!str 4111111111111111\n",
            "card: !!str \"[card 1]\"\n",
        ),
        (
            "\u{feff}mail: jane@posteo.net\n",
            "\u{feff}mail: \"[mail 1]\"\n",
        ),
    ] {
        let (masked, _) = masked(text);
        assert_eq!(find(&masked), []);
        assert_eq!(masked, expected);
    }
}

#[test]
fn keys_of_yaml_are_masked_and_it_stays_yaml() {
    let text = "joe@posteo.net: [a, b]\nnotes:\n  - 'jane@posteo.net': x # bare\n  - ask jane@posteo.net: {+49 170 1234567: joe@posteo.net}\nlexicon: {preferred: [ride]}\n";
    let (masked, said) = masked(text);
    assert_eq!(said, "4 mail addresses and a phone number");
    assert_eq!(find(&masked), []);
    let keys = |text: &str| -> Vec<String> {
        let parsed = Parsed::yaml(text);
        assert_eq!(parsed.problems(0), [], "{text}");
        let root = parsed.node(0).expect("YAML");
        let Value::Map(entries) = &root.value else {
            panic!("{text}");
        };
        entries.iter().map(|entry| entry.key.clone()).collect()
    };
    assert_eq!(keys(text), ["joe@posteo.net", "notes", "lexicon"]);
    assert_eq!(keys(&masked), ["[mail 1]", "notes", "lexicon"], "{masked}");
    assert!(masked.contains("  - '[mail 2]': x # bare\n"), "{masked}");
    assert!(masked.contains("\"ask [mail 2]\""), "{masked}");
}

#[test]
fn a_bare_number_becomes_a_text_and_a_result_says_what_was_masked() {
    let (masked, _) =
        masked("{\"card\":4111111111111111,\"note\": \"pay: 4111111111111111, now\"}");
    assert_eq!(
        masked,
        "{\"card\":\"[card 1]\",\"note\": \"pay: [card 1], now\"}"
    );
    let mut masks = Masks::default();
    let json = masks.mask("{\"text\":\"a@b.io\"}");
    assert_eq!(
        mark_json(&json, &masks),
        "{\"masked\":{\"mail\":1},\"text\":\"[mail 1]\"}"
    );
}

/// No reply of those that this project has wrongly loses a word: the control sample, and the
/// examples of the page.
#[test]
fn ordinary_replies_raise_no_alarm() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts =
        vec![std::fs::read_to_string(root.join("public/voice/control.json")).expect("readable")];
    let mut open = vec![
        root.join("public/examples"),
        root.join("tests/data/voice"),
        root.join("tests/data/persona"),
    ];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("a folder");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else {
            texts.extend(std::fs::read_to_string(path));
        }
    }
    let words: usize = texts
        .iter()
        .map(|text| text.split_whitespace().count())
        .sum();
    let found: Vec<String> = texts
        .iter()
        .flat_map(|text| find(text))
        .map(|one| format!("{:?} {}", one.kind, one.text))
        .collect();
    println!("{} found in {words} words: {found:?}", found.len());
    assert!(words > 50_000, "{words}");
    assert!(found.len() <= 3, "{found:?}");
}

#[test]
fn a_long_text_takes_time_by_its_length() {
    for piece in [
        "@", "+1 ", "0", "a@", "a.", "4111 ", "DE89 ", "1.", "2:", "\\u", "A A A ", "12 Aaaa ",
        "Aaaaaaa", "[mail 1",
    ] {
        let text = piece.repeat(400_000 / piece.len());
        let began = std::time::Instant::now();
        let found = find(&text);
        let took = began.elapsed().as_secs_f64();
        assert!(took < 5.0, "{piece}: {took} s for {} found", found.len());
    }
}

const PERSONAL: &str = "(jane@posteo\\.net|\\+49 170 1234567|4111111111111111|DE89 3704 0044 0532 0130 00|93\\.184\\.216\\.34|123-45-6789|221 Baker Street)";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever stands around it: it is found once, the JSON stays JSON of the same shape, and nothing
    /// is left to find.
    #[test]
    fn json_stays_json(before in "(\\PC{0,12} |[\n\t\"\\\\]{0,3} )?", personal in PERSONAL, after in "( \\PC{0,12}|[\n\"\\\\]{0,3})?") {
        let text = format!("{before}{personal}{after}");
        let row = serde_json::json!({"text": text, "n": [1, 2.5, null]}).to_string();
        let (masked, _) = masked(&row);
        let value: serde_json::Value = serde_json::from_str(&masked).map_err(|error| TestCaseError::fail(format!("{error}: {masked}")))?;
        prop_assert_eq!(&value["n"], &serde_json::json!([1, 2.5, null]));
        prop_assert!(value["text"].is_string());
        prop_assert_eq!(find(&masked), vec![]);
    }

    #[test]
    fn yaml_stays_yaml(before in "([a-z:#'\" -]{0,9} )?", personal in PERSONAL, after in "( [a-z'\"-]{0,9})?") {
        let plain = format!("{before}{personal}{after}");
        let text = format!("id: a\nexemplars:\n  - {plain}\n  - b\nrest: {{c: 1}}\n");
        let read = |text: &str| -> Option<usize> {
            let parsed = Parsed::yaml(text);
            let mut problems = Problems::new();
            problems.extend(parsed.problems(0).iter().cloned());
            let is_sound = !problems.has_errors();
            let list = parsed.node(0)?.at(&["exemplars".into()])?.clone();
            match list.value {
                Value::List(items) if is_sound => Some(items.len()),
                _ => None,
            }
        };
        let (masked, _) = masked(&text);
        prop_assert_eq!(find(&masked), vec![], "{}", masked);
        if let Some(items) = read(&text) {
            prop_assert_eq!(read(&masked), Some(items), "{}\n{}", text, masked);
        }
    }

    #[test]
    fn any_text_is_found_in_and_masked(text in "(\\PC|[@.+0-9A-Z -]){0,200}") {
        let all = find(&text);
        let mut end = 0;
        for one in &all {
            prop_assert!(one.range.start >= end && text.is_char_boundary(one.range.start) && text.is_char_boundary(one.range.end));
            end = one.range.end;
        }
        let (again, _) = masked(&text);
        prop_assert!(find(&again).len() <= all.len());
    }
}
