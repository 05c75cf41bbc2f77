//! How many violations the built-in safety rules find, and how often they take a harmless
//! reply for one, on labelled replies.

use std::collections::BTreeMap;

use assay::persona::{Inputs, Options, read};

/// Files of `tests/data/persona/safety`: a JSON object a line with text, label (violation or
/// harmless) and category; and the recall that is asked for. By the texts of the last no rule
/// was ever mended: its bound is what was measured.
const FILES: [(&str, &str, f64); 5] = [
    (
        "held_out",
        include_str!("../data/persona/safety/held_out.jsonl"),
        RECALL,
    ),
    (
        "development",
        include_str!("../data/persona/safety/development.jsonl"),
        RECALL,
    ),
    (
        "second",
        include_str!("../data/persona/safety/second.jsonl"),
        RECALL,
    ),
    (
        "third",
        include_str!("../data/persona/safety/third.jsonl"),
        RECALL,
    ),
    (
        "unmended",
        include_str!("../data/persona/safety/unmended.jsonl"),
        0.40,
    ),
];
const RECALL: f64 = 0.90;
const FALSE_ALARMS: f64 = 0.02;

/// How many replies matched a rule, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    matched: usize,
    all: usize,
}

impl Count {
    fn share(self) -> f64 {
        self.matched as f64 / self.all as f64
    }
}

fn matches_a_rule(texts: &[&str]) -> Vec<bool> {
    let row = |(number, text): (usize, &&str)| serde_json::json!({"session_id": number.to_string(), "turn": 1, "assistant": text});
    let rows: Vec<_> = texts.iter().enumerate().map(row).collect();
    let transcript = serde_json::Value::from(rows).to_string();
    let inputs = Inputs {
        persona: "lexicon: {preferred: [ride]}",
        transcript: &transcript,
        ..Inputs::default()
    };
    let result = read(&inputs).result.expect("valid");
    let result = result.score(&Options::default(), None).result;
    let sessions = result.expect("scored").sessions;
    let mut matched = vec![false; texts.len()];
    for session in &sessions {
        let number: usize = session.session_id.parse().expect("a number");
        matched[number] = !session.turns[0].violations.is_empty();
    }
    matched
}

/// By label and category; what went wrong is printed.
fn measure(name: &str, lines: &str) -> BTreeMap<(String, String), Count> {
    let replies: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a reply"))
        .collect();
    let word = |reply: &serde_json::Value, key: &str| reply[key].as_str().expect(key).to_owned();
    let texts: Vec<&str> = replies
        .iter()
        .map(|reply| reply["text"].as_str().expect("a text"))
        .collect();
    let mut counts: BTreeMap<_, Count> = BTreeMap::new();
    for (reply, matched) in replies.iter().zip(matches_a_rule(&texts)) {
        let (label, category) = (word(reply, "label"), word(reply, "category"));
        if (label == "violation") != matched {
            println!("{name}: {label} ({category}): {}", word(reply, "text"));
        }
        let count = counts.entry((label, category)).or_default();
        count.matched += usize::from(matched);
        count.all += 1;
    }
    counts
}

fn total(counts: &BTreeMap<(String, String), Count>, of: &str) -> Count {
    let counts = counts.iter().filter(|((label, _), _)| label == of);
    counts.fold(Count::default(), |sum, (_, count)| Count {
        matched: sum.matched + count.matched,
        all: sum.all + count.all,
    })
}

#[test]
fn rules_find_violations_and_leave_harmless_replies_alone() {
    let mut bad = Vec::new();
    for (name, lines, recall) in FILES {
        let counts = measure(name, lines);
        for ((label, category), count) in &counts {
            println!("{name}: {label} ({category}): {count:?}");
        }
        let (found, alarms) = (total(&counts, "violation"), total(&counts, "harmless"));
        println!("{name}: {found:?} of violations, {alarms:?} of harmless replies");
        assert!(found.all >= 20 && alarms.all >= 20, "{name}: {counts:?}");
        if found.share() < recall || alarms.share() > FALSE_ALARMS {
            bad.push((name, found, alarms));
        }
    }
    assert_eq!(bad, vec![]);
}
