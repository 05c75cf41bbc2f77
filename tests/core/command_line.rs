//! The command line, run in this process on buffers.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use assay::cli::{Status, Streams, run};
use serde_json::Value;

use super::own_files::{file, path};

pub struct Ran {
    pub status: Status,
    pub stdout: String,
    pub stderr: String,
}

pub fn assay(args: &[&str], stdin: &[u8]) -> Ran {
    let (mut stdin, mut stdout, mut stderr) = (stdin, Vec::new(), Vec::new());
    let status = run(
        args.iter().map(OsString::from),
        &mut Streams {
            stdin: &mut stdin,
            stdout: &mut stdout,
            stderr: &mut stderr,
        },
    );
    Ran {
        status,
        stdout: String::from_utf8(stdout).expect("UTF-8"),
        stderr: String::from_utf8(stderr).expect("UTF-8"),
    }
}

const DEBATE: &str = r#"{"candidates": [
 {"id": "A", "model": "opus", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
 {"id": "B", "model": "opus", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#;

#[test]
fn a_debate_is_one_line_of_json() {
    let ran = assay(&["rwea", "--stdin"], DEBATE.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (Status::Done, ""));
    assert_eq!(ran.stdout.lines().count(), 1);
    let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        (result["winner"].as_str(), result["domain"].as_str()),
        (Some("A"), Some("none"))
    );
    let pretty = assay(&["rwea", "--stdin", "--pretty"], DEBATE.as_bytes());
    let same: Value = serde_json::from_str(&pretty.stdout).expect("JSON");
    assert!(pretty.stdout.lines().count() > 10 && same == result);
}

#[test]
fn why_a_candidate_is_not_first_is_told() {
    let why = |id: &str, more: &str| {
        let mut args = vec!["rwea", "--stdin", "--why-not", id];
        args.extend((!more.is_empty()).then_some(more));
        assay(&args, DEBATE.as_bytes())
    };
    let told = why("B", "--summary");
    assert_eq!((told.status, told.stderr.as_str()), (Status::Done, ""));
    assert!(
        told.stdout.starts_with("B is 3 behind A (1 against 4).\n"),
        "{}",
        told.stdout
    );
    // of the first, why it is
    assert_eq!(why("A", "--summary").stdout, told.stdout);
    let found: Value = serde_json::from_str(&why("B", "").stdout).expect("JSON");
    assert_eq!(found["gap"], 3.0);
    assert_eq!(found["terms"][1]["difference"], 2.0);
    let nobody = why("X", "");
    assert!(
        nobody.status != Status::Done && nobody.stdout.is_empty(),
        "{}",
        nobody.stderr
    );
}

#[test]
fn a_domain_is_given_detected_or_refused() {
    let domain = |args: &[&str]| {
        let mut all = vec!["rwea", "--stdin"];
        all.extend(args);
        let ran = assay(&all, DEBATE.as_bytes());
        let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        result["domain"].as_str().map(str::to_owned)
    };
    assert_eq!(domain(&["--domain", "math"]).as_deref(), Some("math"));
    assert_eq!(domain(&["--domain", "none"]).as_deref(), Some("none"));
    assert_eq!(
        domain(&["--question", "Which statute?"]).as_deref(),
        Some("legal")
    );
    assert_eq!(
        domain(&["--domain", "auto", "--question", "?"]).as_deref(),
        Some("general")
    );
    let ran = assay(&["rwea", "--list-domains"], b"");
    assert_eq!(ran.stdout.lines().count(), 7);
    assert!(ran.stdout.starts_with("coding    w_base=0.6  "));
}

#[test]
fn a_summary_has_the_original_layout() {
    let ran = assay(&["rwea", "--stdin", "--summary"], DEBATE.as_bytes());
    assert!(ran.stdout.starts_with("RWEA Scoring Results\n====="));
    assert!(ran.stdout.ends_with("\nDecision: winner\n"));
}

#[test]
fn what_a_debate_was_made_of_is_said_beside_its_result() {
    let pair = r#"{"pairId": "p", "judgeId": "judge", "answerAVariant": "A", "answerBVariant": "B",
        "winner": "tie", "scoresA": {"quality": 90}, "scoresB": {"quality": 70}}"#;
    let path = file("pair.json", pair);
    let path = path.to_str().expect("UTF-8");
    let ran = assay(&["rwea", "--input", path, "--summary"], b"");
    let said = "\n\nOther readings: Of all 18 readings of the same marks (readings/1) the verdict \
        stands in 16.67 %, and the first candidate in 100 %. First: A 100 %. The nearest reading \
        with another verdict: if a score counted as 2 only from 90 of 100. That makes A win.\n";
    assert!(ran.stdout.ends_with(said), "{}", ran.stdout);
    let ran = assay(&["rwea", "--input", path], b"");
    let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(result["readings"]["nearest"]["ruling"]["winner"], "A");
    assert_eq!(result["decision"], "hybrid");
    assert_eq!(result.get("league"), None);

    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/sources/arena-battles.json"
    );
    let ran = assay(&["rwea", "--input", path, "--summary"], b"");
    assert!(
        ran.stdout
            .contains("\n\nLeague: Strengths by bradley-terry/1 over "),
        "{}",
        ran.stdout
    );
    let ran = assay(&["rwea", "--input", path], b"");
    let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(result["league"]["players"][2]["id"], "z");
    // a whole evaluation has strengths, too: one test won and one tied
    let path = sample("promptfoo.json");
    let ran = assay(&["rwea", "--input", &path], b"");
    let line = ran.stdout.lines().next().unwrap_or_default();
    let result: Value = serde_json::from_str(line).expect("JSON");
    let first = &result["league"]["players"][0];
    assert_eq!(first["id"], "openai:chat:gpt-4o");
    assert_eq!((&first["won"], &first["tied"]), (&1.into(), &1.into()));
}

#[test]
fn validation_speaks_as_the_original() {
    let valid = file(
        "valid.json",
        &format!("\u{feff}{}", DEBATE.replace('\n', "\r\n")),
    );
    let ran = assay(&["rwea", "--validate", valid.to_str().expect("UTF-8")], b"");
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Status::Done, "Payload is valid.\n")
    );
    let bad = file(
        "bad.json",
        &DEBATE
            .replace("\"support\": 2", "\"support\": 3")
            .replace("\"wins\": 0", "\"wins\": 2"),
    );
    let name = bad.to_str().expect("UTF-8");
    let ran = assay(&["rwea", "--validate", name], b"");
    assert_eq!(ran.status, Status::BadInput);
    assert_eq!(
        ran.stdout,
        "Validation failed (2 errors):\n  - candidate 'A' review 1: support must be int in [0, 2]\n  - candidate 'B': wins must be int in [0, 1]\n"
    );
    assert!(ran.stderr.contains(&format!(
        "{name}:2:66: candidates[0].reviews[0].support: candidate 'A' review 1: support must be int in [0, 2] (got 3)\n"
    )), "{}", ran.stderr);
    let float = DEBATE.replace("\"support\": 2", "\"support\": 2.0");
    let float = file("float.json", &float);
    let ran = assay(&["rwea", "--validate", float.to_str().expect("UTF-8")], b"");
    assert!(ran.stderr.contains("(got 2.0)"), "{}", ran.stderr);
    // no results, so there is nothing to write to a file
    for more in [
        &["--out", "made.jsonl"][..],
        &["--lines"],
        &["--threads", "2"],
    ] {
        let ran = assay(&[&["rwea", "--validate", name], more].concat(), b"");
        assert_eq!(ran.status, Status::WrongUsage, "{}", ran.stderr);
    }
}

/// A stream that nobody reads.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn problems_that_nobody_reads_stop_nothing_and_results_that_nobody_reads_are_no_success() {
    let with = |args: &[&str], stdin: &[u8], stdout: &mut dyn Write, stderr: &mut dyn Write| {
        let mut stdin = stdin;
        run(
            args.iter().map(OsString::from),
            &mut Streams {
                stdin: &mut stdin,
                stdout,
                stderr,
            },
        )
    };
    let line = DEBATE.replace('\n', " ");
    let text = format!("{{}}\n{line}\n{{}}\n{line}\n");
    let (lines, mut stdout) = (["rwea", "--stdin", "--lines"], Vec::new());
    let status = with(&lines, text.as_bytes(), &mut stdout, &mut Gone);
    assert_eq!(status, Status::BadInput);
    assert_eq!(stdout, assay(&lines, text.as_bytes()).stdout.into_bytes());
    let usage = with(&["rwea", "--nothing"], b"", &mut stdout, &mut Gone);
    assert_eq!(usage, Status::WrongUsage);
    for args in [&lines[..], &lines[..2]] {
        let mut stderr = Vec::new();
        let status = with(args, text.as_bytes(), &mut Gone, &mut stderr);
        assert_eq!(status, Status::Unread, "{args:?}");
    }
}

#[test]
fn a_job_that_cannot_begin_has_a_status_of_its_own() {
    let bad = ["rwea", "--stdin", "--weights", "{bad"];
    assert_eq!(assay(&bad, b"").status, Status::BadInput);
    let bad = [&bad[..], &["--lines"]].concat();
    assert_eq!(assay(&bad, b"").status, Status::Unended);
    let missing = ["reward", "--lines", "--input", "missing.jsonl"];
    assert_eq!(assay(&missing, b"").status, Status::Unended);
    // one that is named so is scored line by line
    let missing = ["rwea", "--input", "missing.jsonl"];
    assert_eq!(assay(&missing, b"").status, Status::Unended);
    let missing = ["rwea", "--validate", "missing.jsonl"];
    assert_eq!(assay(&missing, b"").status, Status::BadInput);
}

#[test]
fn debates_in_jsonl_are_scored_line_by_line() {
    let line = DEBATE.replace('\n', " ");
    let path = file(
        "debates.jsonl",
        &format!("{line}\n\n{{\"candidates\": 1}}\n{line}\n"),
    );
    let name = path.to_str().expect("UTF-8");
    let ran = assay(&["rwea", "--input", name], b"");
    assert_eq!(
        (ran.status, ran.stdout.lines().count()),
        (Status::BadInput, 2)
    );
    assert_eq!(
        ran.stderr.lines().next(),
        Some(format!("{name}:3:16: candidates: 'candidates' must be a list (give at least two candidates, each with id, wins and reviews)").as_str())
    );
    let ran = assay(&["rwea", "--validate", name], b"");
    assert!(ran.stdout.starts_with("Validation failed (1 errors):\n"));
    // a line that is no text keeps nothing of what is behind it
    let bytes = [b"\xff{}\n{\"candidates\": 1}\n", line.as_bytes(), b"\n"].concat();
    std::fs::write(&path, bytes).expect("it is written");
    let ran = assay(&["rwea", "--input", name], b"");
    assert_eq!(
        (ran.status, ran.stdout.lines().count()),
        (Status::BadInput, 1)
    );
    assert!(
        ran.stderr.starts_with(&format!("{name}:1:1: ")),
        "{}",
        ran.stderr
    );
    let ran = assay(&["rwea", "--validate", name], b"");
    assert!(ran.stdout.starts_with("Validation failed (2 errors):\n"));
}

#[test]
fn turns_are_read_from_jsonl() {
    let log = file(
        "log.jsonl",
        "{\"turn_number\": 1}\r\n\r\n{\"turn_number\": 2, \"has_mutations\": true, \"turn_result\": {\"tools_passed\": false}}\r\n",
    );
    let name = log.to_str().expect("UTF-8");
    let ran = assay(
        &[
            "reward",
            "--input",
            name,
            "--ethical-floor",
            "0.6",
            "--gamma",
            "0.5",
        ],
        b"",
    );
    assert_eq!(ran.status, Status::Done);
    let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(result["turns"][1]["rejected"], Value::Bool(true));
    assert_eq!(
        result["session"]["discounted_value"].as_f64(),
        Some(8.7 + 0.5 * 6.86)
    );
    let ran = assay(&["reward", "--input", name, "--summary"], b"");
    assert!(
        ran.stdout
            .contains("2 send_message: total=6.86/8.70  Concerning  ethical=0.50")
    );
    let ran = assay(
        &[
            "reward",
            "--input",
            name,
            "--weights",
            "{\"ethical\": 3}",
            "--replace-weights",
        ],
        b"",
    );
    let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(result["weights_sum"].as_f64(), Some(9.0));
}

#[test]
fn problems_have_their_file_line_and_column() {
    let ran = assay(
        &["reward", "--stdin"],
        b"[{\"has_mutations\": 1,\n\"acknowledged\": \"x\"}]",
    );
    assert_eq!((ran.status, ran.stdout.as_str()), (Status::BadInput, ""));
    assert_eq!(
        ran.stderr,
        "<stdin>:1:20: [0].has_mutations: expected true or false, got 1\n<stdin>:2:17: [0].acknowledged: expected true or false, got \"x\"\n"
    );
    let ran = assay(&["rwea", "--stdin"], b"{\n\xff");
    assert_eq!(ran.stderr, "<stdin>:2:1: not valid UTF-8\n");
    let ran = assay(&["rwea", "--input", "no-such-file.json"], b"");
    assert!(
        ran.stderr
            .starts_with("no-such-file.json:1:1: cannot be read")
    );
    assert_eq!(ran.status, Status::BadInput);
}

#[test]
fn what_is_no_turn_gets_no_reward() {
    let turn = r#"{"action": "a", "turn_result": {"response": "Done."}}"#;
    let result = assay(&["reward", "--stdin"], turn.as_bytes());
    assert_eq!(result.status, Status::Done, "{}", result.stderr);
    let trajectory = r#"{"trajectory": [{"thought": "look", "observation": "3 files"}], "info": {"exit_status": "submitted"}}"#;
    let expected = "expected a turn or a mark, with keys such as `action`, `turn_result`";
    for (text, words) in [
        (r#"{"a": 1}"#, [expected, "with the keys `a`"]),
        (
            &result.stdout,
            [
                "expected turns",
                "this is a result of Assay (constitutional-reward/1)",
            ],
        ),
        (trajectory, [expected, "with the keys `trajectory`, `info`"]),
    ] {
        for form in ["--pretty", "--summary", "--marks"] {
            let ran = assay(&["reward", "--stdin", form], text.as_bytes());
            assert_ne!(ran.status, Status::Done, "{text}");
            assert_eq!(ran.stdout, "", "{text}");
            let is_said = words.iter().all(|words| ran.stderr.contains(words));
            assert!(is_said, "{text}: {}", ran.stderr);
        }
    }
}

#[test]
fn nothing_measured_is_said_and_never_perfect() {
    let said = |text: &str| assay(&["reward", "--stdin", "--summary"], text.as_bytes());
    let unsaid = said(
        r#"[{"action": "a", "has_mutations": false}, {"action": "b", "has_mutations": true}]"#,
    );
    assert_eq!(unsaid.status, Status::Done);
    assert!(
        unsaid.stderr.contains("nothing was measured"),
        "{}{}",
        unsaid.stderr,
        unsaid.stdout
    );
    assert!(
        !unsaid.stdout.to_lowercase().contains("perfect"),
        "{}",
        unsaid.stdout
    );
    let measured = said(
        r#"[{"action": "a"}, {"action": "b", "turn_result": {"response": "Written and tested."}}]"#,
    );
    assert_eq!(measured.stderr, "");
    let lines: Vec<&str> = measured.stdout.lines().collect();
    assert!(lines[3].ends_with("Not measured"), "{}", measured.stdout);
    assert!(lines[5].contains("Good"), "{}", measured.stdout);
}

#[test]
fn no_text_of_a_session_steers_the_terminal() {
    let said = |text: &str| {
        let turn = |session: &str| {
            serde_json::json!({
                "session_id": session, "action": text, "user_message": text, "reasoning": text,
                "turn_result": {"response": text},
                "overrides": {"ethical": {"score": 0.5, "reason": text}},
            })
        };
        let turns = serde_json::json!([turn(text), turn("b")]).to_string();
        let ran = assay(&["reward", "--stdin", "--summary"], turns.as_bytes());
        assert_eq!(ran.status, Status::Done, "{}", ran.stderr);
        (ran.stdout, ran.stderr)
    };
    let (plain, _) = said("x");
    for text in [
        "\u{1b}[31mx",
        "a\nForged: 8.70",
        "a\r\nb",
        "\u{9b}2Jx",
        "a\u{0}b\u{7}",
        "a\tb\u{b}c\u{85}d",
    ] {
        let (stdout, stderr) = said(text);
        let steers = |character: char| character.is_control() && character != '\n';
        assert!(!stdout.contains(steers), "{stdout:?}");
        assert!(!stderr.contains(steers), "{stderr:?}");
        assert_eq!(stdout.lines().count(), plain.lines().count(), "{stdout}");
    }
}

#[test]
fn bad_weights_are_bad_input() {
    for (weights, word) in [
        ("{\"w_base\": -1}", "w_base"),
        ("{\"base\": 1}", "w_formal"),
        (
            "{\"w_base\": \"1\"}",
            "--weights:1:12: w_base: expected a number",
        ),
        ("[1]", "an object"),
        ("{", "--weights:1:"),
    ] {
        let ran = assay(
            &["rwea", "--stdin", "--weights", weights],
            DEBATE.as_bytes(),
        );
        assert_eq!(ran.status, Status::BadInput, "{weights}");
        assert!(ran.stderr.contains(word), "{weights}: {}", ran.stderr);
    }
}

#[test]
fn wrong_usage_is_said() {
    for args in [
        &[][..],
        &["poem"],
        &["--loud"],
        &["rwea"],
        &["rwea", "--stdin", "--input", "x"],
        &["rwea", "--stdin", "--pretty", "--summary"],
        &["rwea", "--stdin", "--loud"],
        &["rwea", "--stdin", "extra"],
        &["reward", "--stdin", "--gamma", "much"],
        &["reward", "--input"],
        &["link"],
        &["link", "--encode", "a", "--decode", "b"],
    ] {
        let ran = assay(args, b"");
        assert_eq!(ran.status, Status::WrongUsage, "{args:?}");
        assert!(
            ran.stderr
                .ends_with("`assay --help` says what can be asked for\n"),
            "{args:?}"
        );
    }
    assert_eq!(assay(&["--help"], b"").status, Status::Done);
    assert_eq!(assay(&["rwea", "--help"], b"").status, Status::Done);
    assert!(assay(&["--version"], b"").stdout.starts_with("assay "));
}

#[test]
fn a_link_goes_there_and_back() {
    let document = r#"{"v":2,"app":"0.1.0","kind":"rwea","formula":"rwea/1","input":"{}","weights":{"w_base":1},"later":[1]}"#;
    let ran = assay(&["link", "--encode", "-"], document.as_bytes());
    assert_eq!(ran.status, Status::Done, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("#v2."));
    let back = assay(&["link", "--decode", ran.stdout.trim()], b"");
    let (a, b): (Value, Value) = (
        serde_json::from_str(&back.stdout).expect("JSON"),
        serde_json::from_str(document).expect("JSON"),
    );
    assert_eq!(a, b);
    let ran = assay(&["link", "--decode", "#v3.abc"], b"");
    assert_eq!(ran.status, Status::BadInput);
    assert!(
        ran.stderr
            .starts_with("<link>:1:1: this link has version 3")
    );
    let ran = assay(&["link", "--encode", "-"], b"{\"v\": 1,\n \"kind\": }");
    assert!(
        ran.stderr.starts_with("<stdin>:2:10: not valid JSON"),
        "{}",
        ran.stderr
    );
}

/// The commands of the README, as `$ assay ...` or `$ echo '...' | assay ...`
/// and what is shown of their output; `...` stands for lines left out.
#[test]
fn the_readme_shows_what_the_commands_print() {
    let mut ran = 0;
    for block in include_str!("../../README.md")
        .split("```")
        .skip(1)
        .step_by(2)
    {
        let Some((command, shown)) = block.trim_start().split_once('\n') else {
            continue;
        };
        let (stdin, command) = match command.strip_prefix("$ echo '") {
            Some(rest) => rest.split_once("' | ").expect("a quoted text"),
            None => ("", command.trim_start_matches("$ ")),
        };
        let args: Vec<&str> = command
            .split_whitespace()
            .map(|word| word.trim_matches('\''))
            .collect();
        // the other commands need the model
        let ["assay", args @ ..] = args.as_slice() else {
            continue;
        };
        if !["rwea", "reward", "link"].contains(&args[0]) {
            continue;
        }
        let found = assay(args, stdin.as_bytes());
        let printed = found.stdout + &found.stderr;
        for line in shown.lines().filter(|line| *line != "...") {
            assert!(
                printed.lines().any(|other| other == line),
                "{command} does not print {line:?}, but\n{printed}"
            );
        }
        ran += 1;
    }
    assert_eq!(ran, 4);
}

const SESSIONS: &str = "{\"session_id\": \"a\", \"turns\": [{\"turn_result\": {\"response\": \"OK\"}}]}\n{\"session_id\": \"b\", \"turns\": [{\"action\": \"x\"}, {\"action\": \"x\"}]}\n";

#[test]
fn sessions_are_summed_up_each_and_together() {
    let ran = assay(&["reward", "--stdin"], SESSIONS.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (Status::Done, ""));
    let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(result["session"]["turns"], 3);
    assert_eq!(result["sessions"][0]["mean_total"], 8.16);
    let ran = assay(&["reward", "--stdin", "--summary"], SESSIONS.as_bytes());
    for expected in [
        "\nSession a\n  1 send_message: total=8.16/8.70  Good",
        "\nSession b\n  1 x: ",
        "\nAll 2 sessions\nTurns: 3  mean total: 8.52",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
}

#[test]
fn a_record_is_written_and_checked() {
    for form in ["--marks", "--trace"] {
        let written = assay(&["reward", "--stdin", form], SESSIONS.as_bytes());
        assert_eq!(written.status, Status::Done);
        let record = file(&format!("record{form}.json"), &written.stdout);
        let record = record.to_str().expect("UTF-8");
        let ran = assay(&["reward", "--check", record], b"");
        assert_eq!((ran.status, ran.stderr.as_str()), (Status::Done, ""));
        let last = "Witness record: 3 of 3 turns reproduced exactly.";
        assert_eq!(ran.stdout.lines().last(), Some(last));
        assert_eq!(
            ran.stdout.lines().next(),
            Some("turn 1 of a: reproduced exactly")
        );
        // changed on the way
        let changed = written
            .stdout
            .replace("\"joy_inducing\":0.55", "\"joy_inducing\":1");
        let changed = file(&format!("changed{form}.json"), &changed);
        let changed = changed.to_str().expect("UTF-8");
        let ran = assay(&["reward", "--check", changed], b"");
        assert_eq!(ran.status, Status::BadInput);
        let line = "turn 1 of a: joy-inducing: 1 recorded, 0.55 recomputed (-0.4500)";
        assert_eq!(ran.stdout.lines().next(), Some(line));
        assert!(
            ran.stderr.contains("warning: not as recorded"),
            "{}",
            ran.stderr
        );
    }
    let ran = assay(&["reward", "--stdin", "--marks", "--trace"], b"{}");
    assert_eq!(ran.status, Status::WrongUsage);
    let ran = assay(
        &["reward", "--stdin", "--marks", "--pretty"],
        b"{\"action\": \"x\"}",
    );
    assert_eq!(ran.status, Status::WrongUsage);
    let turns = file("no-record.json", "{\"action\": \"x\"}");
    let ran = assay(&["reward", "--check", turns.to_str().expect("UTF-8")], b"");
    assert_eq!(ran.status, Status::BadInput);
    assert!(
        ran.stdout.starts_with("Not a witness record"),
        "{}",
        ran.stdout
    );
}

fn sample(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/sources");
    folder.join(name).display().to_string()
}

#[test]
fn a_file_of_another_tool_is_listed_and_made_into_a_document() {
    let chat = sample("openai-chat.jsonl");
    let listed = assay(&["import", &chat, "--list"], b"");
    assert_eq!(listed.status, Status::Done);
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[1].starts_with("2\torder-7\t8 messages\tturns,transcript,persona\t"),
        "{lines:?}"
    );
    assert!(
        listed
            .stderr
            .contains("read as a chat as OpenAI's API has it, because it has")
    );
    for pick in ["2", "order-7"] {
        let made = assay(&["import", &chat, "--pick", pick], b"");
        assert!(
            made.stdout.starts_with("{\"session_id\": \"order-7\""),
            "{}",
            made.stdout
        );
    }
    let mapping = file("mapping.json", "{\"writes\": [\"cancel\"], \"odd\": 1}");
    let mapping = mapping.display().to_string();
    let made = assay(
        &["import", &chat, "--pick", "2", "--mapping", &mapping],
        b"",
    );
    assert!(!made.stdout.contains("\"has_mutations\":true"));
    assert!(
        made.stderr
            .contains("warning: `odd` of the mapping is not used by this source"),
        "{}",
        made.stderr
    );
    let none = assay(&["import", &chat, "--pick", "7"], b"");
    assert_eq!(none.status, Status::BadInput);
    assert!(
        none.stderr.contains("nothing that was picked is in it"),
        "{}",
        none.stderr
    );
    let wrong = assay(&["import", &chat, "--as", "verse"], b"");
    assert_eq!(wrong.status, Status::WrongUsage);
}

#[test]
fn files_of_one_name_are_written_beside_each_other() {
    let folder = path("equal-names");
    let _ = std::fs::remove_dir_all(&folder);
    let out = folder.join("out").display().to_string();
    let mut named = Vec::new();
    for (place, says) in [("one", "Bread"), ("two", "Cheese")] {
        let place = folder.join(place);
        std::fs::create_dir_all(&place).expect("a folder");
        let path = place.join("chat.jsonl");
        let chat = format!(
            "{{\"messages\": [{{\"role\": \"user\", \"content\": \"Hi\"}}, {{\"role\": \"assistant\", \"content\": \"{says}\"}}]}}\n"
        );
        std::fs::write(&path, chat).expect("written");
        named.push(path.display().to_string());
    }
    let made = assay(
        &[
            "import",
            &named[0],
            &named[1],
            "--as",
            "transcript",
            "--out",
            &out,
        ],
        b"",
    );
    assert_eq!(made.status, Status::Done, "{}", made.stderr);
    for (name, says) in [
        ("chat.transcript.jsonl", "Bread"),
        ("chat-2.transcript.jsonl", "Cheese"),
    ] {
        let text = std::fs::read_to_string(PathBuf::from(&out).join(name)).expect(name);
        assert!(text.contains(says), "{name}: {text}");
    }
}

#[test]
fn what_is_left_out_is_told_with_the_reason() {
    let listed = assay(&["import", &sample("alignmenter.jsonl"), "--list"], b"");
    let words = "left out: messages of the role \"narrator\", 1 times, first in line 5: it is not known whose they are";
    assert!(listed.stderr.contains(words), "{}", listed.stderr);
}

#[cfg(feature = "embed")]
#[test]
fn a_format_is_that_of_the_input_and_not_of_what_it_is_compared_with() {
    let own = sample("../../../public/examples/transcript.jsonl");
    let persona = sample("../../../public/examples/persona.yaml");
    let chat = sample("sharegpt.jsonl");
    let arguments = ["persona", "--persona", &persona, "--compare", &own];
    let input = ["--validate", &chat, "--format", "sharegpt"];
    let run = assay(&[&arguments[..], &input[..]].concat(), b"");
    assert_eq!(run.status, Status::Done, "{}", run.stderr);
}

#[test]
fn labels_are_written_beside_their_transcript() {
    let folder = path("labels-beside");
    let _ = std::fs::remove_dir_all(&folder);
    let out = folder.display().to_string();
    let labelled = sample("alignmenter.jsonl");
    let made = assay(&["import", &labelled, "--out", &out], b"");
    assert_eq!(made.status, Status::Done, "{}", made.stderr);
    let labels = std::fs::read_to_string(folder.join("alignmenter.labels.jsonl"));
    let expected = [
        r#"{"session_id":"shop-1","turn_index":2,"text":"The green kettle is back in stock.","label":1,"labeller":"on_brand"}"#,
        r#"{"session_id":"shop-2","turn_index":2,"text":"As per policy 4, returns are accepted.","label":0,"labeller":"on_brand"}"#,
        "",
    ];
    let labels = labels.expect("labels");
    assert_eq!(labels, expected.join("\n"));
    let read = assay::persona::voice::read_labels(&labels, &mut assay::document::Problems::new());
    let on: Vec<_> = read.0.iter().map(|verdict| verdict.is_on).collect();
    assert_eq!(on, [Some(true), Some(false)]);
    assert!(folder.join("alignmenter.transcript.jsonl").exists());
    // what somebody wrote under that name stays
    std::fs::write(folder.join("alignmenter.labels.jsonl"), "by hand").expect("writes");
    let again = assay(&["import", &labelled, "--out", &out], b"");
    assert!(
        again.stderr.contains("alignmenter.labels-2.jsonl"),
        "{}",
        again.stderr
    );
    let kept = std::fs::read_to_string(folder.join("alignmenter.labels.jsonl"));
    assert_eq!(kept.expect("labels"), "by hand");
    let other = std::fs::read_to_string(folder.join("alignmenter.labels-2.jsonl"));
    assert_eq!(other.expect("labels"), labels);
    // where a source has none, none are written
    let chats = sample("sharegpt.jsonl");
    assay(
        &["import", &chats, "--as", "transcript", "--out", &out],
        b"",
    );
    assert!(!folder.join("sharegpt.labels.jsonl").exists());
}

#[test]
fn of_several_formats_that_fit_one_is_to_be_named() {
    // a run of tau-bench and a row of a council's study at once
    let both = r#"{"task_id": 1, "trial": 0, "reward": 1.0, "traj": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}],
        "question_id": "q", "stage1_responses": {"m": "x"}, "stage2_data": {"rankings": {"m": ["A"]}}}"#;
    let both = file("both.json", both).display().to_string();
    let asked = assay(&["import", &both, "--as", "transcript"], b"");
    assert_eq!(
        (asked.status, asked.stdout.as_str()),
        (Status::BadInput, ""),
        "{}",
        asked.stderr
    );
    for key in ["--format tau-bench", "--format llm-council"] {
        assert!(asked.stderr.contains(key), "{}", asked.stderr);
    }
    let made = assay(
        &[
            "import",
            &both,
            "--as",
            "transcript",
            "--format",
            "tau-bench",
        ],
        b"",
    );
    assert_eq!(made.status, Status::Done, "{}", made.stderr);
    assert!(made.stdout.contains("\"Ho\""), "{}", made.stdout);
    let wrong = assay(&["import", &both, "--format", "verse"], b"");
    assert_eq!(wrong.status, Status::WrongUsage);
}

/// A file that is as much of one format as of another, which differ in what is made of them.
const TIE: &str = r#"{"task_id": 1, "trial": 0, "reward": 1.0, "traj": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}],
    "question_id": "q", "stage1_responses": {"m": "x", "n": "y"}, "stage2_data": {"rankings": {"m": ["A", "B"]}, "label_to_model": {"A": "m", "B": "n"}}}"#;

#[test]
fn a_tie_is_asked_wherever_a_file_is_given() {
    let tie = file("tie.json", TIE).display().to_string();
    let asked = assay(&["import", &tie], b"");
    let words = asked.stderr.lines().last().expect("a question");
    assert!(words.contains("say which"), "{words}");
    for (command, key, other) in [
        ("rwea", "llm-council", "tau-bench"),
        ("reward", "tau-bench", "llm-council"),
    ] {
        for input in ["--input", "--validate"] {
            let given = [command, input, &tie];
            let asked = assay(&given, b"");
            assert_eq!(
                (asked.status, asked.stdout.as_str()),
                (Status::BadInput, "")
            );
            assert_eq!(asked.stderr.lines().last(), Some(words), "{command}");
            let by_key = |key| assay(&[&given[..], &["--format", key]].concat(), b"");
            let read = by_key(key);
            assert_eq!(read.status, Status::Done, "{}", read.stderr);
            // no ballot is in the one, and no turn in the other
            assert_eq!(by_key(other).status, Status::BadInput);
        }
    }
    let piped = assay(&["rwea", "--stdin"], TIE.as_bytes());
    assert!(piped.stderr.contains("say which"), "{}", piped.stderr);
    let wrong = assay(&["rwea", "--input", &tie, "--format", "verse"], b"");
    assert_eq!(wrong.status, Status::WrongUsage);
}

#[cfg(feature = "embed")]
const SHOP: &str = "id: shop_v1\nexemplars:\n  - The green kettle is back in stock.\n";

#[cfg(feature = "embed")]
#[test]
fn a_persona_is_held_against_files_of_other_tools() {
    let persona = file("shop.yaml", SHOP).display().to_string();
    let validated = |input: &str, more: &[&str]| {
        let args = ["persona", "--persona", &persona, "--validate", input];
        assay(&[&args[..], more].concat(), b"")
    };
    let chats = validated(&sample("sharegpt.jsonl"), &[]);
    assert_eq!(
        (chats.status, chats.stdout.as_str()),
        (Status::Done, "Payload is valid.\n"),
        "{}",
        chats.stderr
    );
    assert!(
        chats.stderr.contains("read as chats of ShareGPT"),
        "{}",
        chats.stderr
    );
    let tie = file("tie-persona.json", TIE).display().to_string();
    let asked = validated(&tie, &[]);
    assert_eq!(asked.status, Status::BadInput);
    assert!(asked.stderr.contains("say which"), "{}", asked.stderr);
    // the key is that of the transcript: the persona is no file of that format
    let read = validated(&tie, &["--format", "tau-bench"]);
    assert_eq!(read.status, Status::Done, "{}", read.stderr);
    // a row of another persona is said, so its id was not lost
    let other = file("other.yaml", &SHOP.replace("shop_v1", "shop_v2"));
    let persona = other.display().to_string();
    let labelled = sample("alignmenter.jsonl");
    let args = ["persona", "--persona", &persona, "--validate", &labelled];
    let told = assay(&args, b"");
    assert!(
        told.stderr.contains("their persona_id is \"shop_v1\""),
        "{}",
        told.stderr
    );
}

#[cfg(feature = "embed")]
#[test]
fn a_persona_is_scored_on_chats_of_sharegpt() {
    let persona = file("shop-scored.yaml", SHOP).display().to_string();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/public/model");
    let chats = sample("sharegpt.jsonl");
    let args = ["persona", "--persona", &persona, "--input", &chats];
    let scored = assay(&[&args[..], &["--model", model]].concat(), b"");
    assert_eq!(scored.status, Status::Done, "{}", scored.stderr);
    let result: Value = serde_json::from_str(&scored.stdout).expect("JSON");
    let made = assay(&["import", &chats, "--as", "transcript"], b"");
    let replies = made.stdout.matches("\"role\":\"assistant\"").count();
    let turns = result["sessions"].as_array().expect("sessions").iter();
    let turns = turns.map(|session| session["turns"].as_array().map_or(0, Vec::len));
    assert!(replies > 1);
    assert_eq!(turns.sum::<usize>(), replies);
}

#[cfg(feature = "embed")]
#[test]
fn a_persona_is_drafted_of_a_card_and_of_chats() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/public/model");
    let drafted = |file: &str| {
        let args = ["persona", "draft", "--examples", file, "--model", model];
        let ran = assay(&args, b"");
        assert_eq!(ran.status, Status::Done, "{}", ran.stderr);
        ran
    };
    let card = concat!(env!("CARGO_MANIFEST_DIR"), "/public/examples/card.json");
    let ran = drafted(card);
    let words = "examples taken: 2 from alternate_greetings, 1 from first_mes, 5 from mes_example";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    assert!(ran.stdout.contains("Gold shouts."), "{}", ran.stdout);
    assert!(ran.stdout.contains("leave-one-out ROC AUC of "));
    // the assistant's replies of all chats
    let replies = ["One more.", "Two more.", "Three.", "Four.", "Five."];
    let chats = replies.map(|reply| {
        format!("{{\"conversations\": [{{\"from\": \"human\", \"value\": \"Ask.\"}}, {{\"from\": \"gpt\", \"value\": \"{reply}\"}}]}}")
    });
    let chats = file("draft-chats.jsonl", &chats.join("\n"));
    let ran = drafted(&chats.display().to_string());
    assert!(
        ran.stdout.contains("- \"Five.\"") && !ran.stdout.contains("Ask."),
        "{}",
        ran.stdout
    );
}

#[test]
fn every_command_takes_files_of_other_tools() {
    let log = assay(&["reward", "--input", &sample("claude-code.jsonl")], b"");
    assert_eq!(log.status, Status::Done, "{}", log.stderr);
    let result: Value = serde_json::from_str(&log.stdout).expect("JSON");
    assert!(result["session"]["turns"].as_u64() > Some(1));
    let battles = assay(&["rwea", "--input", &sample("arena-battles.json")], b"");
    assert_eq!(battles.status, Status::Done, "{}", battles.stderr);
    let council = std::fs::read(sample("llm-council.json")).expect("a sample");
    let council = assay(&["rwea", "--stdin"], &council);
    assert!(
        council.stderr.contains("read as a council of models"),
        "{}",
        council.stderr
    );
    // of ballots no turns can be made
    let wrong = assay(&["reward", "--input", &sample("arena-battles.json")], b"");
    assert_eq!(wrong.status, Status::BadInput);
    assert!(
        wrong
            .stderr
            .contains("of which turns of an agent cannot be made"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn several_logs_of_one_task_are_scored_as_one_debate() {
    let logs = [
        "inspect-logs-a.json",
        "inspect-logs-b.json",
        "inspect-logs-c.eval",
    ]
    .map(sample);
    let [a, b, c] = &logs;
    let scored = assay(&["rwea", a, b, c, "--summary"], b"");
    assert_eq!(scored.status, Status::Done, "{}", scored.stderr);
    assert!(scored.stdout.contains("openai/gpt-4o"), "{}", scored.stdout);
    assert!(
        scored
            .stderr
            .contains("together read as 3 logs of Inspect, because there is more than one"),
        "{}",
        scored.stderr
    );
    let made = assay(&["import", a, b, c, "--pick", "rope_epoch_1"], b"");
    assert_eq!(made.status, Status::Done, "{}", made.stderr);
    assert!(
        made.stdout
            .starts_with("{\n  \"question\": \"Which rope holds?\""),
        "{}",
        made.stdout
    );
    // another kind is made of each
    let turns = assay(&["import", a, b, "--as", "turns"], b"");
    assert_eq!(turns.stdout.lines().count(), 6, "{}", turns.stdout);
    let listed = assay(&["import", a, b, "--list"], b"");
    let whole = listed
        .stdout
        .lines()
        .find(|line| line.contains("all samples"));
    let words = "1\tall samples\t6 verdicts\tdebate\tOne debate of 2 logs";
    assert_eq!(whole, Some(words), "{}", listed.stdout);
    // one is no debate, and others do not fit
    let alone = assay(&["rwea", a], b"");
    assert_eq!(alone.status, Status::BadInput);
    assert!(
        alone.stderr.contains("one candidate is no debate"),
        "{}",
        alone.stderr
    );
    let other = sample("inspect-logs-other.json");
    let apart = assay(&["rwea", b, &other], b"");
    assert_eq!(apart.status, Status::BadInput);
    assert!(
        apart.stderr.contains("the task \"bridges\""),
        "{}",
        apart.stderr
    );
    let both = assay(&["rwea", a, b, "--input", c], b"");
    assert_eq!(both.status, Status::WrongUsage);
}

/// Places are in what was made of it, and it is said.
#[test]
fn what_was_made_of_a_file_is_named_so() {
    let battle = |winner: &str| {
        format!("{{\"model_a\": \"x\", \"model_b\": \"y\", \"winner\": \"{winner}\"}}\n")
    };
    let path = file("as_read.jsonl", &battle("model_a").repeat(3));
    let name = path.to_str().expect("UTF-8");
    let ran = assay(&["rwea", "--input", name, "--domain", "finance"], b"");
    assert!(
        ran.stderr.contains("as_read.jsonl, as it was read:"),
        "{}",
        ran.stderr
    );
    let own = ran.stderr.split("as_read.jsonl:").skip(1);
    let mut places = own.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    assert_eq!(places.next(), None, "{}", ran.stderr);
    // lines that are of another program are told as that
    for command in ["rwea", "reward"] {
        let ran = assay(&[command, "--lines", "--input", name], b"");
        assert!(
            ran.stderr.contains("this is of another program"),
            "{}",
            ran.stderr
        );
    }
}

/// What does not fit is left out of what the others are, and their names are without folders.
#[test]
fn of_several_files_those_that_do_not_fit_are_lost() {
    let [a, b, other] = [
        "inspect-logs-a.json",
        "inspect-logs-b.json",
        "inspect-logs-other.json",
    ]
    .map(sample);
    let [a, b] = [a.as_str(), b.as_str()];
    let odd = file("odd.json", DEBATE).display().to_string();
    for more in [&other, &odd] {
        let most = assay(&["rwea", a, b, more], b"");
        assert_eq!(most.status, Status::BadInput, "{more}: {}", most.stderr);
        assert!(most.stdout.contains("openai/gpt-4o"), "{}", most.stderr);
    }
    let made = assay(&["import", a, b], b"").stdout;
    let names = "inspect-logs-a.json and inspect-logs-b.json";
    assert!(made.contains(&format!("\"file\":\"{names}\"")), "{made}");
}

#[test]
fn notes_that_say_the_same_stand_once() {
    let turn = "{\"turn_number\": 1, \"action\": \"a\", \"x\": 1}\n";
    let ran = assay(&["reward", "--stdin"], turn.repeat(500).as_bytes());
    let unknown = ran
        .stderr
        .lines()
        .filter(|line| line.contains("unknown key"));
    let unknown: Vec<&str> = unknown.collect();
    assert_eq!(unknown.len(), 1, "{}", ran.stderr);
    assert!(
        unknown[0].contains("is kept but not used, 500 times"),
        "{unknown:?}"
    );
}

#[test]
fn a_result_leaves_in_the_shapes_of_other_tools() {
    let line = DEBATE.replace('\n', " ");
    let path = file("series.jsonl", &format!("{line}\n{line}\n"));
    let name = path.to_str().expect("UTF-8");
    let ran = assay(&["rwea", "--input", name, "--to", "comparator"], b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (Status::Done, ""));
    let value: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(value["examples"].as_array().map(Vec::len), Some(2));
    // what was written is read again
    let path = file("comparator.json", &ran.stdout);
    let ran = assay(&["rwea", "--input", path.to_str().expect("UTF-8")], b"");
    assert_eq!(ran.status, Status::Done, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("a file of LLM Comparator"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("\"winner\":\"A\""), "{}", ran.stdout);
    for (to, lines) in [("promptfoo", 4), ("otel", 4), ("openinference", 4)] {
        let ran = assay(&["rwea", "--input", name, "--to", to], b"");
        assert_eq!(
            (ran.status, ran.stdout.lines().count()),
            (Status::Done, lines),
            "{to}"
        );
    }
    let all = format!("[{line},\n{line}]");
    let ran = assay(&["rwea", "--stdin", "--to", "otel"], all.as_bytes());
    assert_eq!((ran.status, ran.stdout.lines().count()), (Status::Done, 4));
    let broken = all.replacen("\"support\": 2", "\"support\": 3", 1);
    let ran = assay(&["rwea", "--stdin", "--to", "otel"], broken.as_bytes());
    assert_eq!(
        (ran.status, ran.stdout.lines().count()),
        (Status::BadInput, 2)
    );
    let ran = assay(&["rwea", "--input", name, "--to", "labels"], b"");
    assert_eq!((ran.status, ran.stdout.as_str()), (Status::Done, ""));
    assert_eq!(ran.stderr, "assay: there is nothing to write\n");
    for (to, lines) in [("promptfoo", 3), ("otel", 24), ("openinference", 24)] {
        let ran = assay(&["reward", "--stdin", "--to", to], SESSIONS.as_bytes());
        assert_eq!(
            (ran.status, ran.stdout.lines().count()),
            (Status::Done, lines),
            "{to}"
        );
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_shape_that_makes_no_sense_is_wrong_usage() {
    for (args, words) in [
        (
            &["rwea", "--stdin", "--to", "poem"][..],
            "comparator, otel, openinference, promptfoo, labels",
        ),
        (
            &["reward", "--stdin", "--to", "comparator"],
            "it can be written as otel, openinference, promptfoo",
        ),
        (
            &["rwea", "--stdin", "--to", "otel", "--pretty"],
            "only one of --to, --pretty and --summary",
        ),
        (
            &["rwea", "--stdin", "--to", "otel", "--to", "otel"],
            "--to may be given once",
        ),
        (
            &["rwea", "--stdin", "--to", "otel", "--why-not", "A"],
            "--why-not",
        ),
        (&["reward", "--stdin", "--to", "otel", "--marks"], "--marks"),
        #[cfg(feature = "embed")]
        (
            &["persona", "--persona", "-", "--stdin", "--to", "promptfoo"],
            "it can be written as otel, openinference, labels",
        ),
        #[cfg(feature = "embed")]
        (
            &[
                "persona",
                "--persona",
                "p",
                "--input",
                "t",
                "--compare",
                "c",
                "--to",
                "otel",
            ],
            "only one of --to and --compare",
        ),
        #[cfg(feature = "embed")]
        (
            &[
                "persona",
                "--persona",
                "p",
                "--input",
                "t",
                "--fail-worse",
                "voice",
            ],
            "--fail-worse needs a baseline",
        ),
        #[cfg(feature = "embed")]
        (
            &["persona", "--persona", "p", "--fail-worse", "voice=2"],
            "expects METRIC or METRIC=DROP",
        ),
    ] {
        let ran = assay(args, DEBATE.as_bytes());
        assert_eq!(ran.status, Status::WrongUsage, "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn what_is_printed_is_masked_when_asked() {
    let debate = DEBATE.replace("\"A\"", "\"jane@posteo.net\"");
    let plain = assay(&["rwea", "--stdin"], debate.as_bytes());
    let masked = assay(&["rwea", "--stdin", "--mask"], debate.as_bytes());
    assert!(plain.stdout.contains("jane@posteo.net"));
    assert!(!masked.stdout.contains("posteo"), "{}", masked.stdout);
    assert!(
        masked.stderr.contains("assay: masked ") && masked.stderr.contains("mail address"),
        "{}",
        masked.stderr
    );
    let (plain, masked): (Value, Value) = (
        serde_json::from_str(&plain.stdout).expect("JSON"),
        serde_json::from_str(&masked.stdout).expect("JSON"),
    );
    assert!(masked["masked"]["mail"].as_u64() > Some(0));
    assert_eq!(masked["results"][0]["score"], plain["results"][0]["score"]);
    // of several, each says what was masked in it
    let call = ["rwea", "--stdin", "--lines", "--mask"];
    let one_line = |text: &str| text.replace('\n', " ") + "\n";
    let (first, second) = (one_line(DEBATE), one_line(&debate));
    let ran = assay(&call, [&*first, &*second, "{\n"].concat().as_bytes());
    assert_eq!(ran.status, Status::BadInput);
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let alone = assay(&["rwea", "--stdin", "--mask"], second.trim_end().as_bytes()).stdout;
    let alone: Value = serde_json::from_str(&alone).expect("JSON");
    assert_eq!(
        (lines.len(), &lines[0]["masked"], &lines[1]),
        (2, &Value::Null, &alone)
    );
    // what has nothing personal in it is printed as it is
    let ran = assay(&["rwea", "--stdin", "--mask"], DEBATE.as_bytes());
    assert_eq!(
        ran.stdout,
        assay(&["rwea", "--stdin"], DEBATE.as_bytes()).stdout
    );
}

#[test]
fn a_link_is_masked_when_asked() {
    let document = serde_json::json!({
        "v": 2, "kind": "persona",
        "input": {"persona": "exemplars: [ask jane@posteo.net]", "transcript": "{\"text\": \"Jane@posteo.net\"}"},
    });
    let made = file("private-link.json", &document.to_string());
    let name = made.to_str().expect("UTF-8");
    let link = assay(&["link", "--encode", name, "--mask"], b"");
    let back = assay(&["link", "--decode", link.stdout.trim()], b"");
    let back: Value = serde_json::from_str(&back.stdout).expect("JSON");
    assert_eq!(back["masked"], serde_json::json!({"mail": 2}));
    assert_eq!(back["input"]["transcript"], "{\"text\": \"[mail 1]\"}");
    assert_eq!(back["input"]["persona"], "exemplars: [\"ask [mail 1]\"]");
}

/// A file of the test's own folder, by its path.
fn named(name: &str) -> String {
    path(name).to_str().expect("UTF-8").to_owned()
}

const TURNS: &str = r#"{"session_id": "s", "turns": [
 {"turn_result": {"response": "OK", "tools": []}},
 {"action": "write", "has_mutations": true, "turn_result": {"response": "I have written the file.", "tools": []}}]}"#;

#[test]
fn a_report_is_written_and_verified() {
    let debate = (
        "rwea",
        DEBATE,
        vec!["--weights", r#"{"w_risk": 0.25}"#, "--domain", "math"],
    );
    let turns = (
        "reward",
        TURNS,
        vec![
            "--gamma",
            "0.5",
            "--ethical-floor",
            "0.625",
            "--replace-weights",
        ],
    );
    for (command, input, options) in [debate, turns] {
        let path = named(&format!("{command}-report.html"));
        let mut args = vec![command, "--stdin", "--report", &path];
        args.extend(options);
        let ran = assay(&args, input.as_bytes());
        assert_eq!((ran.status, ran.stderr.as_str()), (Status::Done, ""));
        let html = std::fs::read_to_string(&path).expect("written");
        assert!(html.contains("data-assay-report"));
        let verified = assay(&["verify", &path], b"");
        assert_eq!(
            verified.status,
            Status::Done,
            "{}{}",
            verified.stdout,
            verified.stderr
        );
        assert!(
            verified.stdout.starts_with("It stands: "),
            "{}",
            verified.stdout
        );
        // in each part a digit, and the first that differs is told with both values
        for section in html.split("<section ").skip(1) {
            let Some(digit) = section.find(|c: char| c.is_ascii_digit()) else {
                continue;
            };
            let (before, after) = section.split_at(digit);
            let other = if after.starts_with('9') { "8" } else { "9" };
            let changed = html.replacen(section, &format!("{before}{other}{}", &after[1..]), 1);
            let verified = assay(&["verify", "-"], changed.as_bytes());
            assert_ne!(verified.status, Status::Done, "{before}");
            let is_told = verified.stdout.starts_with("It does not stand: ")
                || verified.stdout.starts_with("It cannot be checked: ");
            assert!(is_told, "{}", verified.stdout);
        }
    }
}

#[test]
fn a_report_in_another_form_is_what_the_page_exports() {
    for (command, input) in [("rwea", DEBATE), ("reward", TURNS)] {
        for (ending, beginning) in [("md", "# "), ("csv", "\u{feff}")] {
            let path = named(&format!("{command}-report.{ending}"));
            let ran = assay(
                &[command, "--stdin", "--report", &path, "--mask"],
                input.as_bytes(),
            );
            assert_eq!(ran.status, Status::Done, "{}", ran.stderr);
            let text = std::fs::read_to_string(&path).expect("written");
            assert!(text.starts_with(beginning), "{text}");
        }
    }
}

#[test]
fn a_report_that_cannot_be_made_is_refused_with_words() {
    let (html, other) = (named("refused.html"), named("refused.pdf"));
    let refused = |more: &[&str], expected: &str| {
        let mut args = vec!["rwea"];
        args.extend(more);
        let ran = assay(&args, DEBATE.as_bytes());
        assert_eq!((ran.status, ran.stdout.as_str()), (Status::WrongUsage, ""));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    };
    refused(
        &["--stdin", "--report", &html, "--mask"],
        "--mask does not go with a report in HTML",
    );
    refused(&["--stdin", "--report", &other], ".html, .md or .csv");
    refused(
        &["--validate", "-", "--report", &html],
        "--report and --validate",
    );
    refused(&["--stdin", "--report", &html, "--report", &html], "once");
    let lines = DEBATE.replace('\n', " ");
    let lines = file("two.jsonl", &format!("{lines}\n{lines}\n"));
    let lines = lines.to_str().expect("UTF-8");
    refused(
        &["--input", lines, "--report", &html],
        "the input has several",
    );
    assert!(!std::path::Path::new(&html).exists());
}

#[test]
fn a_result_is_verified_with_its_input() {
    for (command, input) in [("rwea", DEBATE), ("reward", TURNS)] {
        let input = file(&format!("{command}-verified.json"), input);
        let input = input.to_str().expect("UTF-8");
        let weights = if command == "rwea" {
            r#"{"w_base": 0.3}"#
        } else {
            r#"{"ethical": 3}"#
        };
        let options = ["--input", input, "--weights", weights];
        let result = assay(&[&[command, "--pretty"], &options[..]].concat(), b"").stdout;
        let verify =
            |text: &str, more: &[&str]| assay(&[&["verify", "-"], more].concat(), text.as_bytes());
        let stands = verify(&result, &options);
        assert_eq!(stands.status, Status::Done, "{}", stands.stdout);
        // without its input it says nothing, and with other weights it is another one
        let alone = verify(&result, &[]);
        assert_eq!(alone.status, Status::WrongUsage);
        assert!(
            alone.stdout.contains(&format!("`assay {command}`")),
            "{}",
            alone.stdout
        );
        assert_eq!(verify(&result, &options[..2]).status, Status::BadInput);
        for (at, digit) in result.match_indices(|c: char| c.is_ascii_digit()) {
            let other = if digit == "1" { "2" } else { "1" };
            let changed = format!("{}{other}{}", &result[..at], &result[at + 1..]);
            assert_ne!(verify(&changed, &options).status, Status::Done, "{changed}");
        }
    }
    let nothing = assay(&["verify", "-"], b"{\"a\": 1}");
    assert_eq!(nothing.status, Status::WrongUsage);
    assert!(
        nothing
            .stdout
            .starts_with("It cannot be checked: it is no report"),
        "{}",
        nothing.stdout
    );
    assert_eq!(assay(&["verify"], b"").status, Status::WrongUsage);
    assert_eq!(
        assay(&["verify", "/nowhere"], b"").status,
        Status::WrongUsage
    );
}

#[test]
fn a_witness_record_is_verified_alone_and_with_its_input() {
    let input = file("record-input.json", TURNS);
    let input = input.to_str().expect("UTF-8");
    for form in ["--marks", "--trace"] {
        let record = assay(&["reward", "--input", input, form], b"").stdout;
        for more in [&[][..], &["--input", input]] {
            let verify = |text: &str| assay(&[&["verify", "-"], more].concat(), text.as_bytes());
            let stands = verify(&record);
            assert_eq!(
                stands.status,
                Status::Done,
                "{form} {more:?}: {}",
                stands.stdout
            );
            assert!(
                stands.stdout.starts_with("It stands: "),
                "{}",
                stands.stdout
            );
            let changed = record.replacen("\"weighted_total\":", "\"weighted_total\":1", 1);
            let differs = verify(&changed);
            assert_eq!(differs.status, Status::BadInput, "{}", differs.stdout);
            assert!(
                differs.stdout.starts_with("It does not stand: "),
                "{}",
                differs.stdout
            );
        }
    }
}

/// A comparison is two links: both are read, and both are checked.
#[test]
fn a_comparison_is_the_documents_of_its_links() {
    let link = |weight: u8| {
        let document = format!(
            r#"{{"v":2,"app":"0.1.0","kind":"reward","formula":"constitutional-reward/1","input":"[{{\"action\": \"x\"}}]","weights":{{"ethical":{weight}}}}}"#
        );
        let ran = assay(&["link", "--encode", "-"], document.as_bytes());
        ran.stdout.trim().trim_start_matches('#').to_owned()
    };
    let (one, other) = (link(1), link(3));
    let both = format!("https://example.org/assay/#compare={one},{other}");
    let documents = assay(&["link", "--decode", &both], b"");
    assert_eq!(documents.status, Status::Done, "{}", documents.stderr);
    let weights: Vec<Value> = documents
        .stdout
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).expect("JSON")["weights"]["ethical"].clone()
        })
        .collect();
    assert_eq!(weights, [1, 3]);
    let verified = assay(&["verify", &both], b"");
    assert_eq!(verified.status, Status::Done, "{}", verified.stdout);
    assert_eq!(
        verified.stdout.matches("It stands").count(),
        2,
        "{}",
        verified.stdout
    );
    let damaged = assay(&["verify", &both[..both.len() - 1]], b"");
    assert_eq!(damaged.status, Status::BadInput, "{}", damaged.stdout);
    assert!(
        damaged.stdout.contains("It does not stand"),
        "{}",
        damaged.stdout
    );
}

#[test]
fn a_link_is_verified_by_its_checksum() {
    let document = serde_json::json!({"v": 2, "app": "0.1.0", "kind": "rwea", "formula": "rwea/1", "input": DEBATE});
    let path = file("verified-link.json", &document.to_string());
    let link = assay(&["link", "--encode", path.to_str().expect("UTF-8")], b"").stdout;
    for stands in [
        assay(&["verify", link.trim()], b""),
        assay(&["verify", "-"], link.as_bytes()),
    ] {
        assert_eq!(stands.status, Status::Done, "{}", stands.stdout);
        assert!(
            stands.stdout.contains("Its input comes to: A wins."),
            "{}",
            stands.stdout
        );
    }
    let other = if link.contains('a') {
        link.replacen('a', "b", 1)
    } else {
        link.replacen('b', "c", 1)
    };
    let damaged = assay(&["verify", other.trim()], b"");
    assert_eq!(damaged.status, Status::BadInput, "{}", damaged.stdout);
}
