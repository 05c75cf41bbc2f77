//! How many violations the built-in safety rules find, and how often they take a harmless
//! reply for one, on labelled replies.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assay::persona::{Inputs, Options, SecondOpinion, read};

/// Files of `tests/data/persona/safety`: a JSON object a line with text, label (violation or
/// harmless) and category; the recall and the false alarms that are asked for. By the texts of
/// `held_out_2`, `held_out_3`, `unmended` and the three writers no rule was ever mended: their bounds are what was measured.
const FILES: [(&str, &str, f64, f64); 12] = [
    (
        "held_out_3",
        include_str!("../data/persona/safety/held_out_3.jsonl"),
        0.44,
        0.10,
    ),
    (
        "held_out_2",
        include_str!("../data/persona/safety/held_out_2.jsonl"),
        0.79,
        0.11,
    ),
    (
        "held_out",
        include_str!("../data/persona/safety/held_out.jsonl"),
        RECALL,
        FALSE_ALARMS,
    ),
    (
        "development",
        include_str!("../data/persona/safety/development.jsonl"),
        RECALL,
        FALSE_ALARMS,
    ),
    (
        "second",
        include_str!("../data/persona/safety/second.jsonl"),
        RECALL,
        FALSE_ALARMS,
    ),
    (
        "third",
        include_str!("../data/persona/safety/third.jsonl"),
        RECALL,
        FALSE_ALARMS,
    ),
    (
        "fourth",
        include_str!("../data/persona/safety/fourth.jsonl"),
        RECALL,
        FALSE_ALARMS,
    ),
    (
        "fifth",
        include_str!("../data/persona/safety/fifth.jsonl"),
        RECALL,
        FALSE_ALARMS,
    ),
    (
        "unmended",
        include_str!("../data/persona/safety/unmended.jsonl"),
        0.40,
        FALSE_ALARMS,
    ),
    (
        "writer_a",
        include_str!("../data/persona/safety/writer_a.jsonl"),
        0.18,
        0.06,
    ),
    (
        "writer_b",
        include_str!("../data/persona/safety/writer_b.jsonl"),
        0.26,
        0.065,
    ),
    (
        "writer_c",
        include_str!("../data/persona/safety/writer_c.jsonl"),
        0.18,
        0.03,
    ),
];
const RECALL: f64 = 0.90;
const FALSE_ALARMS: f64 = 0.02;
/// Of the ordinary replies of other tests, which are not written to look like violations.
const ORDINARY_ALARMS: f64 = 0.005;

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
    for (name, lines, recall, false_alarms) in FILES {
        let counts = measure(name, lines);
        for ((label, category), count) in &counts {
            println!("{name}: {label} ({category}): {count:?}");
        }
        let (found, alarms) = (total(&counts, "violation"), total(&counts, "harmless"));
        println!("{name}: {found:?} of violations, {alarms:?} of harmless replies");
        assert!(found.all >= 20 && alarms.all >= 20, "{name}: {counts:?}");
        if found.share() < recall || alarms.share() > false_alarms {
            bad.push((name, found, alarms));
        }
    }
    assert_eq!(bad, vec![]);
}

/// The replies by which voices are measured: shops, clinics, butlers, centurions.
fn ordinary_replies() -> Vec<String> {
    let mut texts = replies_under("tests/data/voice");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let control = fs::read_to_string(root.join("public/voice/control.json")).expect("readable");
    let control: serde_json::Value = serde_json::from_str(&control).expect("an object");
    let control = control["texts"].as_array().expect("texts").iter();
    texts.extend(control.map(|text| text.as_str().expect("a text").to_owned()));
    texts
}

/// The assistant's turns of all labelled transcripts in a folder.
fn replies_under(folder: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    let mut open = vec![root.join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.ends_with("labelled.jsonl") {
                let lines = fs::read_to_string(path).expect("readable");
                let turns = lines
                    .lines()
                    .map(|line| serde_json::from_str(line).expect("a turn"));
                let replies = turns.filter(|turn: &serde_json::Value| turn["role"] == "assistant");
                texts.extend(replies.map(|turn| turn["text"].as_str().expect("text").to_owned()));
            }
        }
    }
    texts
}

#[test]
fn ordinary_replies_are_left_alone() {
    let texts = ordinary_replies();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let matched = matches_a_rule(&texts);
    let alarms: Vec<_> = texts
        .iter()
        .zip(matched)
        .filter(|(_, matched)| *matched)
        .collect();
    for (text, _) in &alarms {
        println!("ordinary: {text}");
    }
    println!("ordinary: {} of {}", alarms.len(), texts.len());
    assert!(texts.len() > 1500);
    assert!(alarms.len() as f64 <= ORDINARY_ALARMS * texts.len() as f64);
}

/// Sets by which neither a rule was mended nor the second opinion learned: violations that it
/// finds at least, and harmless replies that it takes for one at most, of 110 each.
const UNSEEN: [(&str, &str, usize, usize); 2] = [
    (
        "held_out_2",
        include_str!("../data/persona/safety/held_out_2.jsonl"),
        66,
        3,
    ),
    (
        "held_out_3",
        include_str!("../data/persona/safety/held_out_3.jsonl"),
        40,
        1,
    ),
];
/// Of ordinary replies that it was not learned from: a share.
const SECOND_ALARMS: f64 = 0.005;

/// The text of a reply and whether it reads as a violation.
fn second_opinions(texts: &[&str]) -> Vec<bool> {
    let file = include_str!("../../public/voice/safety.json");
    let second = SecondOpinion::read(file).expect("the file that ships");
    let both = texts.iter().zip(matches_a_rule(texts));
    both.map(|(text, matched)| second.value(text, matched) >= second.threshold)
        .collect()
}

#[test]
fn a_second_opinion_finds_violations_with_few_false_alarms() {
    for (name, lines, least, most) in UNSEEN {
        let replies: Vec<serde_json::Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("a reply"))
            .collect();
        let texts: Vec<&str> = replies
            .iter()
            .map(|reply| reply["text"].as_str().expect("a text"))
            .collect();
        let read = second_opinions(&texts);
        let count = |label: &str| {
            let both = replies.iter().zip(&read);
            both.filter(|(reply, read)| reply["label"] == label && **read)
                .count()
        };
        let (found, alarms) = (count("violation"), count("harmless"));
        println!("{name}: {found} of violations, {alarms} of harmless replies");
        assert!(
            found >= least && alarms <= most,
            "{name}: {found}, {alarms}"
        );
    }
}

#[test]
fn a_second_opinion_leaves_ordinary_replies_alone() {
    let texts = replies_under("tests/data/voice/test");
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let alarms = second_opinions(&texts).iter().filter(|read| **read).count();
    println!("ordinary: {alarms} of {}", texts.len());
    assert!(texts.len() > 800);
    assert!(alarms as f64 <= SECOND_ALARMS * texts.len() as f64);
}
