//! Parts of turns and of leagues make together what one run over all of them makes, however they are
//! split; jobs are gone on with, and what does not belong together is told.

use assay::cli::Status;
use assay::constitution::{Options, QuickTurns, evaluate, own_weights};
use assay::document::{Code, input_sha256};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{command_line, own_files};

fn assay(args: &[&str], stdin: &[u8]) -> (Status, String, String) {
    let ran = command_line::assay(args, stdin);
    (ran.status, ran.stdout, ran.stderr)
}

/// A file of this test, by its name.
fn file(name: &str, text: &str) -> String {
    let file = own_files::file(name, text);
    file.to_str().expect("UTF-8").to_owned()
}

fn gone(name: &str) -> String {
    let name = file(name, "");
    std::fs::remove_file(&name).expect("removed");
    name
}

/// A result without the hash of its input.
fn unhashed(json: &str) -> String {
    let mut value: Value = serde_json::from_str(json).unwrap_or_else(|_| panic!("{json}"));
    value["input_sha256"].take();
    value.to_string()
}

/// A turn as it is meant to be.
fn turn() -> impl Strategy<Value = Value> {
    let tools = prop::option::of(0..9_usize);
    let used = prop::option::of(0..=20_u8);
    (0..25_usize, tools, any::<[bool; 5]>(), used).prop_map(|(length, tools, is, used)| {
        let mut result = json!({"response": "é".repeat(length)});
        if let Some(tools) = tools {
            result["tools"] = json!(vec![json!({"name": "t", "input": {"a": [1, null]}}); tools]);
        }
        if is[0] {
            result["tools_passed"] = json!(is[1]);
        }
        result["context_utilization"] = json!(used.map(|used| f64::from(used) / 20.0));
        let mut turn = json!({"user_message": "?", "turn_result": result, "reasoning": "so"});
        if is[2] {
            turn["has_mutations"] = json!(is[3]);
            turn["acknowledged"] = if is[4] { json!(is[0]) } else { json!(null) };
            turn["action"] = json!("fork");
        }
        turn
    })
}

/// Sessions by ids in their order, each a line.
fn sessions() -> impl Strategy<Value = Vec<String>> {
    vec(vec(turn(), 1..6), 1..7).prop_map(|sessions| {
        let line = |(at, turns): (usize, Vec<Value>)| {
            json!({"session_id": format!("s{at}"), "turns": turns}).to_string()
        };
        sessions.into_iter().enumerate().map(line).collect()
    })
}

fn json_of<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("finite")
}

fn lines(all: &[String]) -> String {
    all.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// To the last digit, whatever is in which part and in which order they come.
    #[test]
    fn parts_of_turns_make_what_one_run_makes(
        sessions in sessions(),
        parts in vec((0..3_usize, any::<bool>()), 7),
        gamma in prop::sample::select(vec!["0.99", "1", "0.37"]),
    ) {
        let given = ["--gamma", gamma, "--weights", r#"{"ethical": 2.7}"#, "--ethical-floor", "0.6"];
        let (_, single, _) = assay(&[&["reward", "--stdin"], &given[..]].concat(), lines(&sessions).as_bytes());
        let mut of_part = vec![Vec::new(); 3];
        for (line, (part, _)) in sessions.iter().zip(&parts) {
            of_part[*part].insert(0, line.clone());
        }
        let mut text = String::new();
        for (own, (_, is_streamed)) in of_part.iter().zip(&parts).rev() {
            let call = if own.is_empty() || *is_streamed { &["--lines", "--threads", "2"][..] } else { &[] };
            let (status, part, stderr) = assay(
                &[&["reward", "--stdin", "--partial"], &given[..], call].concat(),
                lines(own).as_bytes(),
            );
            prop_assert_eq!((status, stderr.as_str()), (Status::Done, ""));
            text.push_str(&part);
        }
        let (status, merged, stderr) = assay(&["merge", "--stdin"], text.as_bytes());
        prop_assert_eq!((status, stderr.as_str()), (Status::Done, ""));
        prop_assert_eq!(unhashed(&single), unhashed(&merged));
        // the same numbers in words
        let summary = ["--summary"];
        let (_, single, _) = assay(&[&["reward", "--stdin"], &given[..], &summary].concat(), lines(&sessions).as_bytes());
        let (_, merged, _) = assay(&["merge", "--stdin", "--summary"], text.as_bytes());
        prop_assert_eq!(single, merged);
    }

    /// Where there is nothing to say but of keys that nobody reads the quick way says the same, and of all else
    /// nothing.
    #[test]
    fn turns_are_read_quickly_as_they_are_read(
        mut turns in vec(turn(), 1..4),
        key in prop::option::of(prop::sample::select(vec![
            "é \"", "when", "source", "evidence", "witness", "policy_trace", "formula", "reward_session", "session_id",
        ])),
        into in 0..4_usize,
        shape in 0..4_usize,
        place in any::<prop::sample::Index>(),
        length in 0..5_usize,
        other in prop::sample::select(vec![
            None, Some(""), Some("1.0"), Some("null"), Some("true"), Some("\"x\""), Some("{}"), Some("[]"), Some("7"),
            Some("\"turn_number\": 1, "), Some("\"session_id\": \"s\", "), Some("\u{feff}"), Some("\\ud800"), Some("-0.0"),
        ]),
    ) {
        let last = turns.len() - 1;
        if let Some(key) = key {
            let value = json!({"a": [1, "\u{e9}\n"]});
            match into {
                0 => turns[last][key] = json!("s"),
                1 => turns[last]["turn_result"][key] = value,
                2 => turns[0][key] = value,
                _ => for at in 0..9 {
                    turns[last][format!("{key}{at}")] = value.clone();
                },
            }
        }
        let text = match shape {
            0 => turns[0].to_string(),
            1 => json!(turns).to_string(),
            2 => json!({"turns": turns, "about": "us"}).to_string(),
            _ => json!({"session_id": "s", "turns": turns}).to_string(),
        };
        let text = match other {
            None => text,
            Some(other) => {
                let text: Vec<char> = text.chars().collect();
                let at = place.index(text.len());
                let end = (at + length).min(text.len());
                let [before, after] = [text[..at].iter().collect::<String>(), text[end..].iter().collect()];
                format!("{before}{other}{after}")
            }
        };
        let options = Options::default();
        let weights = own_weights(&options).result.expect("the defaults");
        let mut quick = QuickTurns::new(weights, &options);
        let long = evaluate(&text, &options);
        // the second time it is known
        for _ in 0..2 {
            let mut line = Vec::new();
            let notes = quick.push_line(&text, &mut line);
            let is_plain = long.problems.iter().all(|own| own.code == Code::UnknownKey);
            if other.is_none() && is_plain && key.is_none() {
                prop_assert!(notes.is_some(), "{} {:?}", text, long.problems);
            }
            if let Some(notes) = notes {
                prop_assert_eq!(&long.problems, &notes, "{}", &text);
                prop_assert_eq!(String::from_utf8(line).unwrap(), json_of(&long.result), "{}", &text);
            } else {
                prop_assert_eq!(line, b"");
            }
        }
        if let Some(result) = &long.result {
            let mut line = Vec::new();
            result.push_line(&mut line);
            prop_assert_eq!(String::from_utf8(line).unwrap(), json_of(result));
        }
    }

    /// Battles in any order and in any parts are one league, its intervals included.
    #[test]
    fn parts_of_a_league_make_what_one_run_makes(
        battles in vec((0..4_usize, 0..3_usize, 0..3_usize, 0..3_usize), 3..40),
        turned in any::<prop::sample::Index>(),
    ) {
        let names = ["d", "b", "c", "a"];
        let row = |(one, step, outcome, _): &(usize, usize, usize, usize)| {
            let other = (one + step + 1) % 4;
            let winner = ["model_a", "model_b", "tie"][*outcome];
            json!({"model_a": names[*one], "model_b": names[other], "winner": winner}).to_string()
        };
        let all: Vec<String> = battles.iter().map(row).collect();
        let call = |name: &str, rows: &[String], options: &[&str]| {
            let name = file(name, &lines(rows));
            assay(&[&["rwea", "--input", &name], options].concat(), b"")
        };
        let (status, single, _) = call("league.jsonl", &all, &["--domain", "general"]);
        prop_assert_eq!(status, Status::Done);
        let mut mixed = all.clone();
        mixed.rotate_left(turned.index(all.len()));
        let (_, again, _) = call("mixed.jsonl", &mixed, &["--domain", "general"]);
        prop_assert_eq!(unhashed(&single), unhashed(&again));
        let mut parts = Vec::new();
        for part in 0..3 {
            let own = battles.iter().zip(&all).filter(|((.., at), _)| *at == part);
            let own: Vec<String> = own.map(|(_, row)| row.clone()).collect();
            if !own.is_empty() {
                let (status, text, stderr) = call("part.jsonl", &own, &["--partial"]);
                prop_assert_eq!(status, Status::Done, "{}", stderr);
                parts.push(text);
            }
        }
        parts.reverse();
        let (status, merged, stderr) = assay(&["merge", "--stdin", "--domain", "general"], parts.concat().as_bytes());
        // the same battles in two parts count, and could be one part given twice
        let are_others = (1..parts.len()).all(|at| !parts[..at].contains(&parts[at]));
        let expected = if are_others { Status::Done } else { Status::BadInput };
        prop_assert_eq!(status, expected, "{}", stderr);
        prop_assert_eq!(unhashed(&single), unhashed(&merged));
    }
}

#[test]
fn a_broken_battle_is_counted_and_told() {
    let battle = |one: &str, other: &str| {
        json!({"model_a": one, "model_b": other, "winner": "model_a"}).to_string()
    };
    // more than are told one by one
    let mut rows = vec!["{broken".to_owned(); 300];
    rows.splice(..0, [battle("a", "b"), battle("b", "c")]);
    let many = file("broken_battles.jsonl", &lines(&rows));
    let (_, part, _) = assay(&["rwea", "--input", &many, "--partial"], b"");
    assert!(part.contains("\"left_out\":300,"), "{part}");
    let rows = [battle("a", "b"), "{broken".to_owned(), battle("b", "c")];
    let input = file("broken_battle.jsonl", &lines(&rows));
    let (status, single, _) = assay(&["rwea", "--input", &input, "--domain", "general"], b"");
    assert_eq!(status, Status::BadInput);
    let (status, part, stderr) = assay(&["rwea", "--input", &input, "--partial"], b"");
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(part.contains("\"left_out\":1,"), "{part}");
    let (status, merged, stderr) = assay(
        &["merge", "--stdin", "--domain", "general"],
        part.as_bytes(),
    );
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(
        stderr.contains("1 lines were left out of the parts"),
        "{stderr}"
    );
    assert_eq!(unhashed(&merged), unhashed(&single));
    // the same battles under another path are the same part
    let folder = std::path::Path::new(&input).parent().expect("a folder");
    let again = folder
        .join("..")
        .join(folder.file_name().expect("its name"));
    let again = again.join("broken_battle.jsonl").display().to_string();
    let (_, other, _) = assay(&["rwea", "--input", &again, "--partial"], b"");
    assert_eq!(other, part);
}

/// One row of another source does not make a file of our own that source.
#[test]
fn a_line_of_something_else_takes_no_file_over() {
    let battle = json!({"model_a": "a", "model_b": "b", "winner": "model_a"}).to_string();
    let review = json!({"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0});
    let own = |id: &str, wins: usize| json!({"id": id, "wins": wins, "reviews": [review]});
    let debate = json!({"candidates": [own("A", 1), own("B", 0)]});
    let mut rows = vec![debate.to_string(); 20];
    rows.insert(0, battle);
    let input = file("stray_battle.jsonl", &lines(&rows));
    let (status, results, stderr) = assay(&["rwea", "--input", &input], b"");
    assert_eq!(
        (status, results.lines().count()),
        (Status::BadInput, 20),
        "{stderr}"
    );
    assert!(stderr.contains(":1:1: "), "{stderr}");
    // what could be both is asked
    let mut both = debate;
    both["model_a"] = "a".into();
    both["model_b"] = "b".into();
    both["winner"] = "model_a".into();
    let input = file("both.jsonl", &lines(&vec![both.to_string(); 3]));
    let (status, _, stderr) = assay(&["rwea", "--input", &input], b"");
    assert_eq!(status, Status::BadInput);
    assert!(stderr.contains("--format assay-debate"), "{stderr}");
    let (_, results, _) = assay(&["rwea", "--input", &input, "--lines"], b"");
    assert_eq!(results.lines().count(), 3);
    let chat = json!({"name": "Mia", "is_user": false, "mes": "Hello."}).to_string();
    let turn = |number: usize| {
        json!({"session_id": "a", "turn_number": number, "turn_result": {"response": "So it is."}})
            .to_string()
    };
    let rows: Vec<String> = (1..=5).map(turn).chain([chat]).collect();
    let (status, result, stderr) = assay(&["reward", "--stdin"], lines(&rows).as_bytes());
    assert!(
        result.contains("\"turns\":5,"),
        "{status:?} {result} {stderr}"
    );
    assert!(stderr.contains(":6:1: "), "{stderr}");
}

fn session(id: &str, response: &str) -> String {
    json!({"session_id": id, "turns": [{"turn_result": {"response": response}}]}).to_string()
}

fn part(sessions: &[String], options: &[&str]) -> String {
    let call = [&["reward", "--stdin", "--partial"], options].concat();
    let (status, part, stderr) = assay(&call, lines(sessions).as_bytes());
    assert_eq!(status, Status::Done, "{stderr}");
    part
}

#[test]
fn what_does_not_belong_together_is_told_with_its_line() {
    let (one, other) = (
        file(
            "one.part",
            &part(&[session("a", "Hello there, friend of mine.")], &[]),
        ),
        session("b", "Ok"),
    );
    let merge = |second: &str| {
        let (status, stdout, stderr) = assay(&["merge", &one, second], b"");
        assert_eq!(
            (status, stdout.as_str()),
            (Status::BadInput, ""),
            "{stderr}"
        );
        stderr
    };
    let said = merge(&file(
        "weights.part",
        &part(&[other], &["--weights", r#"{"ethical": 3}"#]),
    ));
    assert!(
        said.contains("weights.part:1:1: this part was scored with other settings than the first: weights.ethical 3.0 (there 2.0)"),
        "{said}"
    );
    let said = merge(&file("same.part", &part(&[session("a", "Other")], &[])));
    assert!(
        said.contains("same.part:2:1: session \"a\" stands at"),
        "{said}"
    );
    assert!(said.contains("one.part:2 already"), "{said}");
    let nameless = json!({"turns": [{"turn_result": {"response": "Hm"}}]}).to_string();
    let said = merge(&file("nameless.part", &part(&[nameless], &[])));
    assert!(
        said.contains("nameless.part:2 has no id and stands beside others"),
        "{said}"
    );
    // all lines that are none are told, each at its place
    let said = merge(&file(
        "none.part",
        "{\"reward_part\": 3}\n\n{\"reward_session\": {\"a\": 1}}\nx\n{\"turns\": []}\n",
    ));
    let places: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split("none.part:").nth(1))
        .collect();
    assert_eq!(places.len(), 4, "{said}");
    let unknown = "unknown key \"turns\", expected one of reward_part, reward_session, reward_end";
    let is_no_line = places[0].starts_with("1:17: no line of a part:");
    assert!(is_no_line && places[2].starts_with("4:1: "), "{said}");
    assert!(places[3].ends_with(unknown), "{said}");
    // what is no part at all
    let (status, _, stderr) = assay(&["merge", &file("notes.md", "# Notes\n")], b"");
    assert_eq!(status, Status::BadInput);
    assert!(stderr.contains("this is no part"), "{stderr}");
    let (status, _, stderr) = assay(&["merge"], b"");
    assert_eq!(status, Status::WrongUsage, "{stderr}");
    // the same part twice counts once, and is told
    let (status, twice, stderr) = assay(&["merge", &one, &one], b"");
    assert_eq!(status, Status::Done);
    assert!(stderr.contains("1 sessions were given again"), "{stderr}");
    assert_eq!(twice, assay(&["merge", &one], b"").1);
}

#[test]
fn parts_of_two_kinds_are_told() {
    let reward = file("reward.part", &part(&[session("a", "Fine.")], &[]));
    let end = "{\"persona_end\": {\"left_out\": 0}}\n";
    let persona = file("persona.part", &end.repeat(3));
    let (status, _, stderr) = assay(&["merge", &reward, &persona], b"");
    assert_eq!(status, Status::BadInput);
    assert!(
        stderr.contains(
            "persona.part:1:14: this is of a persona's transcript, and the first part is not"
        ),
        "{stderr}"
    );
    // what is no text is told where it stands, and what it may be
    let (empty, packed) = (file("empty.part", ""), own_files::path("packed.part"));
    std::fs::write(&packed, b"\x1f\x8b\x08\0").expect("it is written");
    let packed = packed.to_str().expect("UTF-8");
    let (_, _, said) = assay(&["merge", &empty, packed], b"");
    assert!(
        said.contains("packed.part:1:2: not valid UTF-8 (this is gzip"),
        "{said}"
    );
    // once, whatever the number of lines
    assert!(
        stderr.contains("; the same of all lines to 3") && !stderr.contains("persona.part:2"),
        "{stderr}"
    );
}

#[test]
fn turns_of_a_session_that_stand_together_are_one() {
    let turn = |id: &str, number: usize| {
        json!({"session_id": id, "turn_number": number, "turn_result": {"response": "So it is, and so be it."}}).to_string()
    };
    let rows = [
        turn("a", 1),
        turn("a", 2),
        turn("b", 1),
        turn("b", 2),
        turn("b", 3),
    ];
    let (_, single, _) = assay(&["reward", "--stdin"], lines(&rows).as_bytes());
    let text = part(&rows, &["--lines"]);
    // the head, two sessions, the end
    assert_eq!(text.lines().count(), 4, "{text}");
    let (_, merged, _) = assay(&["merge", "--stdin"], text.as_bytes());
    assert_eq!(unhashed(&single), unhashed(&merged));
    // a session that brings its own weights is no part of this one
    let own = json!({"session_id": "c", "weights": {"ethical": 5}, "turns": [{"turn_result": {"response": "x"}}]}).to_string();
    let call = ["reward", "--stdin", "--partial", "--lines"];
    let (status, stdout, stderr) = assay(&call, lines(&[rows[0].clone(), own]).as_bytes());
    assert_eq!((status, stdout.lines().count()), (Status::BadInput, 3));
    assert!(
        stderr.contains("<stdin>:2:1: weights: these turns bring weights"),
        "{stderr}"
    );
}

#[test]
fn a_job_of_turns_goes_on_where_it_was_broken_off() {
    let all: Vec<String> = (0..300)
        .map(|at| session(&format!("s{at}"), &"x".repeat(at % 30)))
        .collect();
    let input = file("job.jsonl", &lines(&all));
    for mode in [&["--lines"][..], &["--partial", "--lines"]] {
        let out = gone("job.out");
        let call = [
            &["reward", "--input", &input, "--out", &out, "--threads", "3"],
            mode,
        ]
        .concat();
        let (status, stdout, stderr) = assay(&call, b"");
        assert_eq!((status, stdout.as_str()), (Status::Done, ""), "{stderr}");
        let whole = std::fs::read_to_string(&out).expect("written");
        assert_eq!(assay(&call, b"").0, Status::WrongUsage);
        let resumed = [&call[..], &["--resume"]].concat();
        for kept in [0, 1, 500, whole.len() / 2, whole.len() - 1, whole.len()] {
            std::fs::write(&out, &whole.as_bytes()[..kept]).expect("written");
            let (status, _, stderr) = assay(&resumed, b"");
            assert_eq!((status, stderr.as_str()), (Status::Done, ""), "{kept}");
            assert!(
                std::fs::read_to_string(&out).expect("written") == whole,
                "{kept}"
            );
        }
        // with other weights it is another job, which a part can tell
        if mode.len() > 1 {
            let is_refused = |other: &[&str]| {
                let (status, _, stderr) = assay(&[&resumed[..], other].concat(), b"");
                assert_eq!(status, Status::WrongUsage);
                assert!(
                    stderr.contains("begun with other inputs, settings"),
                    "{stderr}"
                );
            };
            is_refused(&["--gamma", "0.5"]);
            assert!(std::fs::read_to_string(&out).expect("there") == whole);
            // one whose first result is another, which shows when its end is off already
            let at = whole.find("\"summary\":{").expect("a session");
            let other = [&whole[..at], &whole[at..].replacen("0.", "0.0", 1)].concat();
            std::fs::write(&out, &other).expect("written");
            is_refused(&[]);
            assert!(std::fs::read_to_string(&out).expect("there") == other);
        }
    }
}

#[test]
fn lines_are_scored_each_by_itself() {
    let bad = "{\"turns\": [{\"turn_result\": {\"response\": 3}}]}".to_owned();
    let all = [
        session("a", "Fine, that is long enough."),
        bad,
        String::new(),
        session("a", "Ok"),
    ];
    let (status, stdout, stderr) = assay(&["reward", "--stdin", "--lines"], lines(&all).as_bytes());
    assert_eq!(status, Status::BadInput);
    let found: Vec<&str> = stdout.lines().collect();
    assert_eq!(found.len(), 2);
    for (line, found) in [&all[0], &all[3]].into_iter().zip(found) {
        assert_eq!(
            assay(&["reward", "--stdin"], line.as_bytes()).1.trim_end(),
            found
        );
    }
    assert!(stderr.starts_with("<stdin>:2:"), "{stderr}");
    for wrong in [
        &["reward", "--stdin", "--out", "x"][..],
        &["reward", "--stdin", "--lines", "--marks"],
        &["reward", "--stdin", "--lines", "--resume"],
        &["reward", "--stdin", "--partial", "--summary"],
        &["rwea", "--stdin", "--partial", "--lines"],
    ] {
        assert_eq!(assay(wrong, b"").0, Status::WrongUsage, "{wrong:?}");
    }
    // a debate is no league
    let debate = include_bytes!("../../public/examples/debate.json");
    let (status, _, stderr) = assay(&["rwea", "--stdin", "--partial"], debate);
    assert_eq!(status, Status::BadInput);
    assert!(stderr.contains("only battles of a league"), "{stderr}");
}

/// What was found by reading: each lost or doubled something.
#[test]
fn marks_with_other_scores_are_other_sessions() {
    let mark = |ethical: f64| {
        json!({"session_id": "a", "turn_number": 1, "constitutional_scores": {"ethical": ethical}})
            .to_string()
    };
    let [one, other] = [0.2, 0.9].map(|ethical| part(&[mark(ethical)], &[]));
    let (status, _, stderr) = assay(&["merge", "--stdin"], (one + &other).as_bytes());
    assert_eq!(status, Status::BadInput);
    assert!(stderr.contains("with other turns"), "{stderr}");
}

#[test]
fn sessions_without_ids_are_never_taken_for_each_other() {
    let turns = json!({"turns": [{"turn_result": {"response": "x"}}]}).to_string();
    let loose = json!({"turn_result": {"response": "x"}}).to_string();
    let named = session("a", "x");
    for (rows, options) in [
        ([turns.clone(), turns], &["--lines"][..]),
        ([named, loose], &[]),
    ] {
        let call = [&["reward", "--stdin", "--partial"], options].concat();
        let (status, text, stderr) = assay(&call, lines(&rows).as_bytes());
        assert_eq!(status, Status::BadInput);
        assert!(
            stderr.contains("have no session_id and stand beside others"),
            "{stderr}"
        );
        let (status, _, stderr) = assay(&["merge", "--stdin"], text.as_bytes());
        assert_eq!(status, Status::BadInput, "{stderr}");
        assert!(
            stderr.contains("without an id") || stderr.contains("has no id"),
            "{stderr}"
        );
    }
}

#[test]
fn a_broken_line_stays_with_its_session() {
    let turn = |number: usize| {
        json!({"session_id": "a", "turn_number": number, "turn_result": {"response": "So it is."}})
            .to_string()
    };
    let rows = [turn(1), "{broken".to_owned(), turn(2)];
    // the others count, and the status says that something does not
    let (status, single, _) = assay(&["reward", "--stdin"], lines(&rows).as_bytes());
    assert_eq!(status, Status::BadInput);
    let (status, _, _) = assay(&["reward", "--stdin", "--partial"], lines(&rows).as_bytes());
    assert_eq!(status, Status::BadInput);
    let (status, text, stderr) = assay(
        &["reward", "--stdin", "--partial", "--lines"],
        lines(&rows).as_bytes(),
    );
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(stderr.contains("2:2: warning: not valid JSON"), "{stderr}");
    assert_eq!(text.lines().count(), 3, "{text}");
    let (status, merged, stderr) = assay(&["merge", "--stdin"], text.as_bytes());
    assert_eq!(
        (status, unhashed(&merged)),
        (Status::BadInput, unhashed(&single))
    );
    assert!(
        stderr.contains("1 sessions, or lines of them, were left out"),
        "{stderr}"
    );
}

#[test]
fn a_line_that_is_not_utf_8_is_left_out_alone() {
    let turn = |id: &str, number: usize| {
        json!({"session_id": id, "turn_number": number, "turn_result": {"response": "So it is."}})
            .to_string()
    };
    let rows = [turn("a", 1), turn("a", 2), turn("a", 3), turn("b", 1)];
    let (_, single, _) = assay(
        &["reward", "--stdin"],
        lines(&[rows[0].clone(), rows[2].clone(), rows[3].clone()]).as_bytes(),
    );
    let mut bytes = lines(&rows).into_bytes();
    let at = rows[0].len() + 1 + rows[1].find("So").expect("a response");
    bytes[at] = 0xff;
    let (input, out) = (file("not_utf8.jsonl", ""), gone("not_utf8.part"));
    std::fs::write(&input, &bytes).expect("written");
    let (status, _, stderr) = part_job(&input, &out, &[]);
    assert_eq!(status, Status::BadInput, "{stderr}");
    let place = format!("{input}:2:{}: not valid UTF-8", at - rows[0].len());
    assert!(stderr.contains(&place), "{stderr}");
    let whole = std::fs::read_to_string(&out).expect("written");
    assert!(
        whole.ends_with("{\"reward_end\":{\"left_out\":1,\"sessions\":2}}\n"),
        "{whole}"
    );
    let (status, merged, stderr) = assay(&["merge", &out], b"");
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert_eq!(unhashed(&merged), unhashed(&single));
    goes_on_behind_each_line(&input, &out, &whole);
}

#[test]
fn what_is_left_out_counts_once() {
    let (status, part, stderr) = assay(
        &["reward", "--stdin", "--partial", "--lines"],
        b"hello\nworld\n",
    );
    assert_eq!(status, Status::BadInput);
    assert!(
        part.ends_with("{\"reward_end\":{\"left_out\":2,\"sessions\":0}}\n"),
        "{part}"
    );
    assert_eq!(stderr.matches("<stdin>:").count(), 2, "{stderr}");
}

/// Found while the part is written, and not when hours later it is put together.
#[test]
fn rows_of_a_session_that_stand_apart_are_told() {
    let turn = |id: &str, said: &str| {
        json!({"session_id": id, "turn_number": 1, "turn_result": {"response": said}}).to_string()
    };
    let nameless = json!({"turn_result": {"response": "x"}}).to_string();
    let (one, other) = (turn("a", "So it is."), turn("a", "And so it was."));
    for between in [turn("b", "Hm."), nameless] {
        let rows = [one.clone(), between, other.clone(), one.clone()];
        let call = ["reward", "--stdin", "--partial", "--lines"];
        let (status, text, stderr) = assay(&call, lines(&rows).as_bytes());
        assert_eq!(status, Status::BadInput, "{stderr}");
        assert!(
            stderr.starts_with("<stdin>:3:1: warning: its session stands further up"),
            "{stderr}"
        );
        assert!(
            text.ends_with("{\"reward_end\":{\"left_out\":2,\"sessions\":2}}\n"),
            "{text}"
        );
    }
    // what says the same is a turn more, as in one run
    let rows = [one.clone(), turn("b", "Hm."), one];
    let call = ["reward", "--stdin", "--partial", "--lines"];
    let (status, text, stderr) = assay(&call, lines(&rows).as_bytes());
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(
        text.ends_with("{\"reward_end\":{\"left_out\":1,\"sessions\":2}}\n"),
        "{text}"
    );
    // a whole session is none
    let whole = session("a", "So it is.");
    let text = part(&[whole.clone(), session("b", "Hm."), whole], &["--lines"]);
    let (status, _, stderr) = assay(&["merge", "--stdin"], text.as_bytes());
    assert_eq!(status, Status::Done, "{stderr}");
    assert!(stderr.contains("given again"), "{stderr}");
}

/// A job that writes a part of turns line by line.
fn part_job(input: &str, out: &str, more: &[&str]) -> (Status, String, String) {
    let call = [
        "reward",
        "--input",
        input,
        "--partial",
        "--lines",
        "--out",
        out,
    ];
    assay(&[&call, more].concat(), b"")
}

/// A job with something left out, broken off behind any of its lines, makes the same when it goes on.
fn goes_on_behind_each_line(input: &str, out: &str, whole: &str) {
    for (at, _) in whole.match_indices('\n') {
        std::fs::write(out, &whole[..=at]).expect("written");
        let (status, _, stderr) = part_job(input, out, &["--resume"]);
        assert_eq!(status, Status::BadInput, "{at}: {stderr}");
        assert_eq!(std::fs::read_to_string(out).expect("written"), whole);
    }
}

/// Whatever stands on a line, and however often the job was gone on with.
#[test]
fn what_was_left_out_of_a_part_is_counted_and_told_at_its_line() {
    let turn = |id: &str, number: usize| {
        json!({"session_id": id, "turn_number": number, "turn_result": {"response": "So it is."}})
            .to_string()
    };
    let rows = [
        turn("a", 1),
        "Connection reset by peer".to_owned(),
        turn("a", 2),
        turn("b", 1),
        "{broken".to_owned(),
        turn("c", 1),
        "null".to_owned(),
        turn("d", 1),
    ];
    let (input, out) = (file("left.jsonl", &lines(&rows)), gone("left.part"));
    let (status, _, stderr) = part_job(&input, &out, &[]);
    assert_eq!(status, Status::BadInput);
    for told in ["left.jsonl:2:1: ", "left.jsonl:5:2: ", "left.jsonl:7:1: "] {
        assert!(stderr.contains(told), "{stderr}");
    }
    let whole = std::fs::read_to_string(&out).expect("written");
    assert!(
        whole.ends_with("{\"reward_end\":{\"left_out\":3,\"sessions\":4}}\n"),
        "{whole}"
    );
    goes_on_behind_each_line(&input, &out, &whole);
}

#[test]
fn a_part_without_its_end_is_no_whole() {
    let all = [
        session("a", "Fine, that is long enough."),
        session("b", "Ok"),
    ];
    let (input, out) = (file("end.jsonl", &lines(&all)), gone("end.part"));
    assert_eq!(part_job(&input, &out, &[]).0, Status::Done);
    let whole = std::fs::read_to_string(&out).expect("written");
    let (_, single, _) = assay(&["merge", &out], b"");
    let (rest, end) = whole.trim_end().rsplit_once('\n').expect("lines");
    assert_eq!(end, r#"{"reward_end":{"left_out":0,"sessions":2}}"#);
    let broken = file("broken.part", &format!("{rest}\n"));
    let (status, stdout, stderr) = assay(&["merge", &broken], b"");
    assert_eq!((status, stdout.as_str()), (Status::BadInput, ""));
    let told = "broken.part:1:1: the part has no end";
    assert!(stderr.contains(told), "{stderr}");
    // one that ends and one that does not, in a single file
    let both = file("both.part", &format!("{whole}{rest}\n"));
    assert_eq!(assay(&["merge", &both], b"").0, Status::BadInput);
    // what is there can be had, and that is told
    let (status, stdout, stderr) = assay(&["merge", "--unfinished", &broken], b"");
    assert_eq!((status, &stdout), (Status::Done, &single));
    assert!(
        stderr.contains("1:1: warning: the part has no end"),
        "{stderr}"
    );
    // half a line, and half a head
    let half = file("half.part", &whole[..whole.len() - end.len() - 9]);
    let head = file("head.part", &whole[..20]);
    let (status, _, stderr) = assay(&["merge", &half], b"");
    assert_eq!(status, Status::BadInput);
    assert!(
        stderr.contains("half.part:3:") && stderr.contains("half a line: its job was broken off"),
        "{stderr}"
    );
    let (status, stdout, stderr) = assay(&["merge", "--unfinished", &half, &head], b"");
    assert_eq!(status, Status::Done, "{stderr}");
    assert!(
        stderr.contains("half a line; this is left out")
            && stderr.contains("nothing of the part is there"),
        "{stderr}"
    );
    let first = file("first.jsonl", &lines(&all[..1]));
    let (_, expected, _) = assay(&["reward", "--input", &first], b"");
    assert_eq!(unhashed(&stdout), unhashed(&expected));
    let league = r#"{"league_part": {}}"#;
    let (status, ..) = assay(&["merge", "--unfinished", "--stdin"], league.as_bytes());
    assert_eq!(status, Status::WrongUsage);
}

/// Also of those behind more broken ones than are told.
#[test]
fn sessions_of_each_unfinished_part_count() {
    let parts: Vec<String> = (0..60)
        .map(|at| {
            let whole = part(&[session(&format!("s{at:02}"), "Ok")], &["--lines"]);
            let (rest, end) = whole.trim_end().rsplit_once('\n').expect("lines");
            file(
                &format!("half-{at}.part"),
                &format!("{rest}\n{}", &end[..9]),
            )
        })
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (status, stdout, _) = assay(&[&["merge", "--unfinished"], &parts[..]].concat(), b"");
    assert_eq!(status, Status::Done);
    let merged: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(merged["turns"].as_array().map(Vec::len), Some(60));
}

/// A whole line is no half one for want of its end: what is wrong with it is told.
#[test]
fn a_last_line_without_its_end_is_a_line() {
    let one = part(&[session("a", "Ok")], &[]);
    let other = part(&[session("a", "No")], &[]);
    let lines: Vec<&str> = other.lines().take(2).collect();
    let (one, other) = (
        file("one.part", &one),
        file("unended.part", &lines.join("\n")),
    );
    let (status, _, stderr) = assay(&["merge", "--unfinished", &one, &other], b"");
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(
        stderr.contains("unended.part:2:1: session \"a\" stands at"),
        "{stderr}"
    );
}

#[test]
fn what_would_be_left_out_is_not_valid() {
    let rows = [
        session("a", "Ok"),
        json!({"turn_result": {"tools_passed": 1}}).to_string(),
    ];
    let input = file("invalid.jsonl", &lines(&rows));
    let (status, stdout, _) = assay(&["reward", "--validate", &input], b"");
    assert_eq!(status, Status::BadInput);
    assert!(
        stdout.starts_with("Validation failed (1 errors):\n  - expected true or false"),
        "{stdout}"
    );
}

#[test]
fn what_was_left_out_of_a_line_is_told_when_the_job_goes_on() {
    let log = json!({"turns": [{"turn_result": {"response": "x"}}, 7]}).to_string();
    let (input, out) = (file("lost.jsonl", &lines(&[log])), gone("lost.out"));
    let call = ["reward", "--input", &input, "--lines", "--out", &out];
    assert_eq!(assay(&call, b"").0, Status::BadInput);
    let (status, _, stderr) = assay(&[&call[..], &["--resume"]].concat(), b"");
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(
        stderr.contains("1 sessions or lines were left out"),
        "{stderr}"
    );
}

/// One of two parts was changed: the result would depend on which comes first.
#[test]
fn a_session_with_the_same_turns_and_other_figures_is_refused() {
    let part_of = |id: &str| part(&[session(id, "Fine, that is long enough.")], &["--lines"]);
    let one = part_of("a");
    let other = one.replacen("\"mean_total\":8.7", "\"mean_total\":8.5", 1);
    assert_ne!(one, other);
    for both in [[&one, &other], [&other, &one]] {
        let text = both.map(String::as_str).concat();
        let (status, stdout, stderr) = assay(&["merge", "--stdin"], text.as_bytes());
        assert_eq!(
            (status, stdout.as_str()),
            (Status::BadInput, ""),
            "{stderr}"
        );
        assert!(
            stderr.contains("<stdin>:5:1: this session stands at <stdin>:2 already"),
            "{stderr}"
        );
    }
}

/// Whatever stands between lines of JSON, with `--lines` and without.
#[test]
fn lines_that_are_no_json_are_lost_in_a_whole_file_as_well() {
    let logs = ["a", "b"].map(|id| session(id, "Fine, that is long enough."));
    for junk in [
        "```",
        "WARN: retrying",
        "WARN {retry}",
        "DEBUG Point { x: 1 }",
        "7",
        "null",
        "# so",
        "\"x\"",
    ] {
        let text = lines(&[logs[0].clone(), junk.to_owned(), logs[1].clone()]);
        let input = file("junk.jsonl", &text);
        for more in [&[][..], &["--lines"]] {
            let call = [&["reward", "--partial", "--input", &input], more].concat();
            let (status, stdout, stderr) = assay(&call, b"");
            assert_eq!(status, Status::BadInput, "{junk}: {stderr}");
            assert!(stderr.contains("junk.jsonl:2:1: "), "{junk}: {stderr}");
            let end = "{\"reward_end\":{\"left_out\":1,\"sessions\":2}}\n";
            assert!(stdout.ends_with(end), "{junk}: {stdout}");
        }
        let (status, stdout, _) = assay(&["reward", "--validate", &input], b"");
        assert_eq!(status, Status::BadInput, "{junk}: {stdout}");
        // the input is what was given
        let (_, stdout, _) = assay(&["reward", "--input", &input], b"");
        let result: Value = serde_json::from_str(&stdout).expect("JSON");
        let read = std::fs::read_to_string(&input).expect("there");
        assert_eq!(
            result["input_sha256"],
            input_sha256(&[("turns", &read)]),
            "{junk}"
        );
    }
}

/// As many others as sessions, and half a line at the end; a line that is no text.
#[test]
fn lines_of_a_whole_file_stand_for_themselves() {
    let logs = ["a", "b"].map(|id| session(id, "Fine, that is long enough."));
    let debug = "DEBUG Point { x: 1 }".to_owned();
    let text = lines(&[
        logs[0].clone(),
        debug.clone(),
        debug,
        logs[1].clone(),
        "{\"turns\": [".to_owned(),
    ]);
    for more in [&[][..], &["--lines"]] {
        let call = [&["reward", "--partial", "--stdin"], more].concat();
        let (status, stdout, stderr) = assay(&call, text.as_bytes());
        assert_eq!(status, Status::BadInput, "{stderr}");
        let end = "\"left_out\":3,\"sessions\":2}}\n";
        assert!(stdout.ends_with(end), "{stdout}");
    }
    let spoiled = |text: &str| -> Vec<u8> {
        let bytes = text.bytes();
        bytes
            .map(|byte| if byte == 1 { 0xff } else { byte })
            .collect()
    };
    let text = lines(&[logs[0].clone(), "\u{1}".to_owned(), logs[1].clone()]);
    let bytes = spoiled(&text);
    let (status, stdout, stderr) = assay(&["reward", "--partial", "--stdin"], &bytes);
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(stderr.contains("<stdin>:2:1: not valid UTF-8"), "{stderr}");
    assert!(stdout.contains("\"left_out\":1,\"sessions\":2"), "{stdout}");
    // a document that is not of lines is none
    let text = format!("{{\n\"turns\": [\n\u{1}]}}\n{}", logs[0]);
    let (status, stdout, stderr) = assay(&["reward", "--stdin"], &spoiled(&text));
    assert_eq!((status, &*stdout), (Status::BadInput, ""), "{stderr}");
}

/// Of a record something is lost: what is there holds, and the status says it.
#[test]
fn a_record_of_which_a_line_is_lost_is_not_whole() {
    let logs = ["a", "b"].map(|id| session(id, "Fine, that is long enough."));
    let (_, record, _) = assay(&["reward", "--stdin", "--trace"], lines(&logs).as_bytes());
    let mut rows: Vec<&str> = record.lines().collect();
    assert_eq!(rows.len(), 2, "{record}");
    rows.insert(1, "Connection reset");
    let damaged = file("damaged_record.jsonl", &rows.join("\n"));
    for call in [&["reward", "--check", &damaged][..], &["verify", &damaged]] {
        let (status, stdout, stderr) = assay(call, b"");
        assert_eq!(status, Status::BadInput, "{stdout}");
        assert!(stderr.contains("damaged_record.jsonl:2:1: "), "{stderr}");
        assert!(
            stdout.contains("2 of 2 turns reproduced exactly"),
            "{stdout}"
        );
    }
}

/// Several sessions stand on a line, and some of them are there: the others are written, and all are counted.
#[test]
fn a_part_goes_on_among_the_sessions_of_a_line() {
    let turn = |id: Option<&str>| {
        let mut turn = json!({"turn_number": 1, "turn_result": {"response": "So it is."}});
        if let Some(id) = id {
            turn["session_id"] = json!(id);
        }
        turn
    };
    let line = |ids: &[Option<&str>]| {
        let turns: Vec<Value> = ids.iter().map(|id| turn(*id)).collect();
        json!({ "turns": turns }).to_string()
    };
    let all = [
        line(&[Some("a")]),
        line(&[Some("b"), Some("c"), Some("d")]),
        line(&[None]),
        line(&[Some("e")]),
    ];
    let (input, out) = (file("among.jsonl", &lines(&all)), gone("among.part"));
    let (status, _, told) = part_job(&input, &out, &[]);
    assert_eq!(status, Status::BadInput, "{told}");
    assert!(
        told.contains("1 of 6 sessions have no session_id"),
        "{told}"
    );
    let whole = std::fs::read_to_string(&out).expect("written");
    for cut in 0..=whole.len() {
        std::fs::write(&out, &whole[..cut]).expect("written");
        let (status, _, stderr) = part_job(&input, &out, &["--resume"]);
        assert_eq!((status, &stderr), (Status::BadInput, &told), "{cut}");
        let now = std::fs::read_to_string(&out).expect("written");
        assert!(now == whole, "{cut}: {now}");
    }
}

/// Also with a line that was not finished, and with the end of a part.
#[test]
fn what_ends_before_anything_is_new_leaves_the_file_as_it_was() {
    let all = ["a", "b"].map(|id| session(id, "Fine, that is long enough."));
    let (input, out) = (file("undone.jsonl", &lines(&all)), gone("undone.part"));
    assert_eq!(part_job(&input, &out, &[]).0, Status::Done);
    let part = std::fs::read_to_string(&out).expect("written");
    let other = file("undone_other.jsonl", &lines(&[session("c", "Hm.")]));
    let folder = env!("CARGO_TARGET_TMPDIR");
    for before in [&part[..], &part[..part.len() - 40]] {
        for input in [&other[..], folder] {
            std::fs::write(&out, before).expect("written");
            let (status, _, stderr) = part_job(input, &out, &["--resume"]);
            assert_ne!(status, Status::Done, "{stderr}");
            assert_eq!(std::fs::read_to_string(&out).expect("there"), before);
        }
    }
}

/// Of a part the first session that the input still has is made again.
#[test]
fn a_part_whose_sessions_are_of_another_program_is_not_gone_on_with() {
    let all = ["a", "b", "c"].map(|id| session(id, "Fine, that is long enough."));
    let (input, out) = (file("made.jsonl", &lines(&all)), gone("made.part"));
    assert_eq!(part_job(&input, &out, &[]).0, Status::Done);
    let part = std::fs::read_to_string(&out).expect("written");
    let second = part.lines().nth(2).expect("a session");
    let other = second.replacen("\"turns\":1", "\"turns\":2", 1);
    assert_ne!(other, second);
    let part = part.replace(second, &other);
    std::fs::write(&out, &part).expect("written");
    // the first is another one now
    let changed = [session("a", "Changed."), all[1].clone(), all[2].clone()];
    let input = file("made.jsonl", &lines(&changed));
    let (status, _, stderr) = part_job(&input, &out, &["--resume"]);
    assert_eq!(status, Status::WrongUsage, "{stderr}");
    assert!(std::fs::read_to_string(&out).expect("there") == part);
}

/// Its end counts its sessions.
#[test]
fn a_part_that_lost_lines_or_has_more_is_no_whole() {
    let all = [
        session("a", "Fine, that is long enough."),
        session("b", "Ok"),
    ];
    let whole = part(&all, &["--lines"]);
    let (rest, end) = whole.trim_end().rsplit_once('\n').expect("lines");
    let (_, single, _) = assay(&["merge", "--stdin"], whole.as_bytes());
    // a line is gone from its middle, or stands in it twice
    let mut cut: Vec<&str> = whole.lines().collect();
    cut.remove(1);
    let cut_text = cut.join("\n");
    let cut = file("cut.part", &cut_text);
    let (status, stdout, stderr) = assay(&["merge", &cut], b"");
    assert_eq!((status, stdout.as_str()), (Status::BadInput, ""));
    let told = "cut.part:3:1: the part ends with \"sessions\": 2, and has 1: lines of it were lost or added";
    assert!(stderr.contains(told), "{stderr}");
    let (status, _, stderr) = assay(&["merge", "--unfinished", &cut], b"");
    assert_eq!(status, Status::Done, "{stderr}");
    assert!(stderr.contains("warning: the part ends with"), "{stderr}");
    let again = rest.lines().nth(1).expect("a session");
    let twice = file("twice.part", &format!("{rest}\n{again}\n{end}\n"));
    assert_eq!(assay(&["merge", &twice], b"").0, Status::BadInput);
    // of several parts in a file the one is named, and one without its head is none
    let several = file("several.part", &format!("{whole}{cut_text}\n"));
    let (status, _, stderr) = assay(&["merge", &several], b"");
    assert_eq!(status, Status::BadInput);
    assert!(
        stderr.contains("several.part:7:1: the part ends with"),
        "{stderr}"
    );
    let (_, headless) = whole.split_once('\n').expect("a head");
    let headless = file("headless.part", &format!("{whole}{headless}"));
    let (status, _, stderr) = assay(&["merge", "--unfinished", &headless], b"");
    assert_eq!(status, Status::BadInput);
    assert!(
        stderr.contains("2 parts that end and 1 that begin"),
        "{stderr}"
    );
    // an end that does not count is one of before
    let old = whole.replace(",\"sessions\":2}", "}");
    let (status, stdout, stderr) = assay(&["merge", &file("old.part", &old)], b"");
    assert_eq!((status, &stdout), (Status::Done, &single), "{stderr}");
}

#[test]
fn a_part_has_one_end_however_often_its_input_grows() {
    let all = [session("a", "Ok"), session("b", "No"), session("c", "So")];
    let (input, out) = (file("grown.jsonl", &lines(&all[..2])), gone("grown.part"));
    assert_eq!(part_job(&input, &out, &[]).0, Status::Done);
    let whole = std::fs::read_to_string(&out).expect("written");
    let (rest, end) = whole.trim_end().rsplit_once('\n').expect("lines");
    std::fs::write(&input, lines(&all)).expect("written");
    assert_eq!(part_job(&input, &out, &["--resume"]).0, Status::Done);
    let grown = std::fs::read_to_string(&out).expect("written");
    let end = end.replace("\"sessions\":2", "\"sessions\":3");
    assert!(grown.starts_with(&format!("{rest}\n")) && grown.ends_with(&format!("{end}\n")));
    let ends = grown.matches("reward_end").count();
    assert_eq!((grown.lines().count(), ends), (5, 1));
    assert_eq!(assay(&["merge", &out], b"").0, Status::Done);
}

#[test]
fn a_file_that_is_not_its_own_is_never_touched() {
    let input = file("own.jsonl", &lines(&[session("a", "x"), session("b", "y")]));
    let call = |out: &str, more: &[&str]| {
        let given = [
            "reward", "--input", &input, "--lines", "--out", out, "--resume",
        ];
        assay(&[&given[..], more].concat(), b"")
    };
    for (at, text) in ["{\"my\": \"notes\"}", "notes", "{\"a\": 1}\n"]
        .into_iter()
        .enumerate()
    {
        let other = file(&format!("other-{at}.json"), text);
        assert_eq!(call(&other, &[]).0, Status::WrongUsage, "{text}");
        assert_eq!(std::fs::read_to_string(&other).expect("there"), text);
    }
    assert_eq!(call(&input, &[]).0, Status::WrongUsage);
    // results that were made with other settings are not gone on with
    let out = gone("settings.out");
    assert_eq!(call(&out, &[]).0, Status::Done);
    let whole = std::fs::read_to_string(&out).expect("written");
    let first = whole.split_inclusive('\n').next().expect("a line");
    std::fs::write(&out, first).expect("written");
    let (status, _, stderr) = call(&out, &["--weights", r#"{"ethical": 3}"#]);
    assert_eq!(status, Status::WrongUsage);
    assert!(
        stderr.contains("begun with other inputs, settings"),
        "{stderr}"
    );
    assert_eq!(std::fs::read_to_string(&out).expect("there"), first);
    assert_eq!(call(&out, &[]).0, Status::Done);
    assert_eq!(std::fs::read_to_string(&out).expect("there"), whole);
}

/// The first result is the same with either discount, a later one is not.
#[test]
fn results_of_other_settings_are_not_gone_on_with() {
    let log = |turns: usize| {
        json!({"turns": vec![json!({"turn_result": {"response": "x"}}); turns]}).to_string()
    };
    let input = file(
        "settings.jsonl",
        &lines(&[log(1), log(1), log(2), log(1), log(1)]),
    );
    let call = |gamma: &str, more: &[&str]| {
        let given = ["reward", "--input", &input, "--lines", "--gamma", gamma];
        assay(&[&given[..], more].concat(), b"")
    };
    let (_, one, _) = call("0.5", &[]);
    for kept in 1..=5 {
        let before: Vec<&str> = one.split_inclusive('\n').take(kept).collect();
        let out = file("settings.out", &before.concat());
        let (status, _, stderr) = call("0.9", &["--out", &out, "--resume"]);
        let expected = if kept < 3 {
            Status::Done
        } else {
            Status::WrongUsage
        };
        assert_eq!(status, expected, "{kept}: {stderr}");
        let (_, all, _) = call("0.9", &[]);
        let left = if kept < 3 { all } else { before.concat() };
        assert_eq!(std::fs::read_to_string(&out).expect("there"), left);
    }
    // of another input
    let other = file("other_input.jsonl", &lines(&[log(3), log(4)]));
    let out = file("settings.out", &one);
    let (status, _, stderr) = assay(
        &[
            "reward", "--input", &other, "--lines", "--gamma", "0.5", "--out", &out, "--resume",
        ],
        b"",
    );
    assert_eq!(status, Status::WrongUsage, "{stderr}");
    assert!(stderr.contains("nothing was added"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&out).expect("there"), one);
    // of another kind
    let debates = file("kinds.jsonl", "");
    let out = file("kinds.out", &one);
    let (status, _, stderr) = assay(
        &["rwea", "--input", &debates, "--out", &out, "--resume"],
        b"",
    );
    assert_eq!(status, Status::WrongUsage, "{stderr}");
    assert_eq!(std::fs::read_to_string(&out).expect("there"), one);
}

/// Two logs of one id that say different things, each whole in its line.
#[test]
fn a_session_of_an_id_that_another_has_is_told() {
    let log = |id: &str, said: &str| {
        json!({"session_id": id, "turns": [{"turn_result": {"response": said}}]}).to_string()
    };
    let all = [
        log("a", "One."),
        log("b", "Two."),
        log("a", "Three."),
        log("a", "One."),
    ];
    let call = ["reward", "--stdin", "--partial", "--lines"];
    let (status, part, stderr) = assay(&call, lines(&all).as_bytes());
    assert_eq!(status, Status::BadInput);
    assert!(
        stderr.starts_with("<stdin>:3:1: warning: its session stands further up"),
        "{stderr}"
    );
    let (status, _, stderr) = assay(&["merge", "--stdin"], part.as_bytes());
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(
        stderr.contains("1 sessions, or lines of them, were left out"),
        "{stderr}"
    );
}

/// What is said of one line is not said of a million.
#[test]
fn what_many_lines_are_warned_of_is_told_once() {
    let turn = |at: usize| json!({"ts": at, "turn_result": {"response": "x"}}).to_string();
    let all: Vec<String> = (0..500).map(turn).collect();
    for more in [&[][..], &["--partial"]] {
        let call = [&["reward", "--stdin", "--lines", "--threads", "1"], more].concat();
        let (_, _, stderr) = assay(&call, lines(&all).as_bytes());
        let told = stderr
            .lines()
            .filter(|line| line.contains("<stdin>"))
            .count();
        assert!(told < 3, "{stderr}");
    }
    let call = ["reward", "--stdin", "--lines"];
    let (_, _, stderr) = assay(&call, lines(&all).as_bytes());
    assert!(
        stderr.ends_with(
            "assay: warnings and notes that differ from one above in places, numbers and names alone: 499\n"
        ),
        "{stderr}"
    );
}

#[test]
fn damaged_parts_are_told() {
    let whole = part(&[session("a", "x")], &[]);
    let merge = |text: &str| assay(&["merge", "--stdin", "--summary"], text.as_bytes());
    for (from, to) in [
        ("\"turns\":1,", "\"turns\":18446744073709551615,"),
        ("\"turns\":[{", "\"turns\":[],\"x\":[{"),
    ] {
        let damaged = whole.replacen(from, to, 1);
        assert_ne!(damaged, whole);
        let (status, _, stderr) = merge(&damaged);
        assert_eq!(status, Status::BadInput);
        assert!(stderr.contains("<stdin>:2:1: "), "{stderr}");
    }
    // what is wrong with all is told once, and that not all were looked at
    let league = r#"{"league_part": {}}"#.to_owned() + "\n";
    let (_, _, stderr) = merge(&(whole.clone() + &league.repeat(80)));
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
    assert!(stderr.contains("not looked at"), "{stderr}");
    let league = |won: &str| {
        format!(
            r#"{{"league_part": {{"kind": "league-part/1", "input_sha256": "a", "players": [["a", null], ["b", null]], "battles": [[[0, 1], [{won}, 1, 0]]]}}}}"#
        )
    };
    assert_eq!(merge(&league("18446744073709551615")).0, Status::BadInput);
    assert_eq!(merge(&league("3")).0, Status::Done);
    let (status, ..) = assay(&["reward", "--stdin", "--partial", "--mask"], b"{}");
    assert_eq!(status, Status::WrongUsage);
}

/// A pipe has no length.
#[cfg(unix)]
#[test]
fn a_part_may_come_through_a_pipe() {
    let path = own_files::path("part.fifo");
    // one that was left waits for whoever opens it
    let _ = std::fs::remove_file(&path);
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo runs").success());
    let text = part(&[session("a", "x")], &[]);
    let (expected, own) = (
        assay(&["merge", "--stdin"], text.as_bytes()).1,
        text.clone(),
    );
    let writer = std::thread::spawn({
        let path = path.clone();
        move || std::fs::write(path, own).expect("written")
    });
    let (status, merged, stderr) = assay(&["merge", path.to_str().expect("UTF-8")], b"");
    writer.join().expect("it ended");
    assert_eq!((status, merged), (Status::Done, expected), "{stderr}");
}

/// A session of which a line was repaired would stand in the part twice, with half of it and whole.
#[test]
fn a_part_whose_input_was_repaired_is_written_anew() {
    let [a, b] = ["a", "b"].map(|id| session(id, "Fine, that is long enough."));
    let turn = |number: u32| {
        format!(
            r#"{{"session_id": "c", "turn_number": {number}, "action": "x", "turn_result": {{"response": "Fine."}}}}"#
        )
    };
    let broken = lines(&[
        a.clone(),
        turn(1),
        "{\"session_id\": \"c\", ".to_owned(),
        b.clone(),
    ]);
    let input = file("repaired.jsonl", &broken);
    let out = gone("repaired.part");
    let (status, ..) = part_job(&input, &out, &[]);
    assert_eq!(status, Status::BadInput);
    let before = std::fs::read_to_string(&out).expect("written");
    std::fs::write(&input, lines(&[a, turn(1), turn(2), b])).expect("written");
    let (status, _, stderr) = part_job(&input, &out, &["--resume"]);
    assert_eq!(status, Status::WrongUsage, "{stderr}");
    assert!(stderr.contains("write the part anew"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&out).expect("there"), before);
}

/// What is whole inside of a line without its beginning is no turn.
#[test]
fn a_torn_first_line_is_lost_and_nothing_of_it_counts() {
    let whole = session("a", "Fine, that is long enough.");
    let torn = &whole[whole.find("esponse").expect("a key")..];
    let inner = format!("s\": [{{\"name\": \"x\"}}], {torn}");
    let other = session("b", "Fine, that is long enough.");
    for torn in [torn, &inner] {
        let input = file("torn.jsonl", &lines(&[torn.to_owned(), other.clone()]));
        for more in [&[][..], &["--lines"]] {
            let call = [&["reward", "--partial", "--input", &input], more].concat();
            let (status, stdout, stderr) = assay(&call, b"");
            assert_eq!(status, Status::BadInput, "{stderr}");
            assert!(stderr.contains("torn.jsonl:1:"), "{stderr}");
            let end = "{\"reward_end\":{\"left_out\":1,\"sessions\":1}}\n";
            assert!(stdout.ends_with(end), "{stdout}");
        }
    }
}
