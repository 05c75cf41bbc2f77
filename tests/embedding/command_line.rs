//! The subcommands that need the model, run in this process on buffers.

use std::ffi::OsString;

use assay::cli::{Status, Streams, run};
use serde_json::{Value, json};

use super::own_files::{self, path};

const PERSONA: &str = "id: p\nexemplars:\n  - yo, it's up!\n  - nah fam, not today\n  - sent it just now :)\n  - lol sure, one sec\n  - ok done, have fun!\nstyle_rules: {tone: [dry wit]}\ntrait_examples:\n  dry wit:\n    - Oh good, another meeting about meetings.\n    - Sure, because that worked so well last time.\n";
const ON: [&str; 6] = [
    "yo, all set!",
    "nah, not that one fam",
    "lol on it, gimme a sec",
    "done, enjoy :)",
    "ok it's live now!",
    "sure thing, sent!",
];
const OFF: [&str; 6] = [
    "Dear customer, your request has been received and will be processed.",
    "We apologise for any inconvenience this may have caused.",
    "Please be advised that our office is closed on public holidays.",
    "Your feedback is important to us and has been forwarded.",
    "Kindly note that the terms and conditions apply.",
    "Thank you for contacting our support department.",
];

struct Ran {
    status: Status,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("{}", self.stderr))
    }
}

fn assay(args: &[&str]) -> Ran {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut stdin: &[u8] = b"";
    let status = run(
        args.iter().map(OsString::from),
        &mut Streams {
            stdin: &mut stdin,
            stdout: &mut stdout,
            stderr: &mut stderr,
        },
    );
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran {
        status,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

/// A file with this text, by its path.
fn file(name: &str, text: &str) -> String {
    let file = own_files::file(name, text);
    file.to_str().expect("UTF-8").to_owned()
}

fn transcript(replies: &[&str]) -> String {
    let rows = replies.iter().enumerate();
    let rows = rows.map(|(at, text)| {
        json!({"session_id": format!("s{}", at / 2), "turn_index": at, "role": "assistant", "text": text})
            .to_string()
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn labelled() -> String {
    let on = ON.iter().map(|text| (*text, 1));
    let all = on.chain(OFF.iter().map(|text| (*text, 0))).enumerate();
    let rows = all.map(|(at, (text, label))| {
        json!({
            "session_id": format!("s{at}"), "turn_index": 2, "role": "assistant", "text": text, "label": label,
        })
        .to_string()
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// A persona's file, and one of 13 labels, one of which has a mail address.
fn labels_of(name: &str) -> (String, String) {
    let more = json!({
        "session_id": "s99", "role": "assistant", "text": "yo, mail jane@posteo.net :)", "label": 1,
    });
    (
        file(&format!("{name}-persona.yaml"), PERSONA),
        file(&format!("{name}.jsonl"), &format!("{}\n{more}", labelled())),
    )
}

/// Calibrates into a file, and what stands there.
fn calibrated(name: &str, more: &[&str]) -> (Ran, String, String) {
    let (persona, labels) = labels_of(name);
    let out = path(&format!("{name}-voice.json"));
    let out = out.to_str().expect("UTF-8").to_owned();
    let call = [
        "calibrate",
        "--persona",
        &persona,
        "--input",
        &labels,
        "--out",
        &out,
    ];
    let made = assay(&[&call[..], more].concat());
    assert_eq!(made.status, Status::Done, "{}", made.stderr);
    let kept = std::fs::read_to_string(&out).expect("written");
    (made, out, kept)
}

#[test]
fn a_calibration_that_is_written_is_masked_where_that_is_asked() {
    let (_, _, kept) = calibrated("calibrate-masked", &["--mask"]);
    assert!(
        !kept.contains("posteo") && kept.contains("[mail 1]"),
        "{kept}"
    );
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!(kept["masked"]["mail"], 1);
}

#[test]
fn labels_calibrate_a_voice_and_the_file_is_the_voice_of_another_run() {
    let (made, out, kept) = calibrated("calibrate", &[]);
    assert!(
        made.stdout.contains("each figure out of fold"),
        "{}",
        made.stdout
    );
    assert!(kept.contains("jane@posteo.net"));
    let (persona, labels) = labels_of("calibrate");
    // a labelled row is a reply, and need not say so
    let rows = std::fs::read_to_string(labels).expect("written");
    assert!(rows.contains(r#""role":"assistant","#));
    let bare = file("bare.jsonl", &rows.replace(r#""role":"assistant","#, ""));
    let bare = assay(&[
        "calibrate",
        "--persona",
        &persona,
        "--input",
        &bare,
        "--summary",
    ]);
    assert_eq!((bare.status, bare.stdout), (Status::Done, made.stdout));
    let input = file("calibrated.jsonl", &transcript(&[ON[0], OFF[0]]));
    let plain = ["persona", "--persona", &persona, "--input", &input];
    let by_labels = [&plain[..], &["--voice", &out]].concat();
    let (before, after) = (assay(&plain).json(), assay(&by_labels).json());
    assert_eq!(before["voice"]["learned_from"]["labels"], 0);
    assert_eq!(after["voice"]["learned_from"]["labels"], 13);
    assert!(before["voice"]["threshold"].is_null() && after["voice"]["threshold"].is_number());
    let notes = after["notes"].to_string();
    assert!(
        notes.contains("voice is calibrated by 13 labels"),
        "{notes}"
    );
    // the labels are beside the overall score
    assert_eq!(before["overall"], after["overall"]);
    let turns = &after["sessions"][0]["turns"];
    assert!(
        turns[0]["voice"].as_f64() > turns[1]["voice"].as_f64(),
        "{turns}"
    );
}

#[test]
fn the_voice_fills_the_place_of_style_where_that_is_asked() {
    let persona = file("style-persona.yaml", PERSONA);
    let input = file("style.jsonl", &transcript(&[ON[1], OFF[1]]));
    let plain = ["persona", "--persona", &persona, "--input", &input];
    let asked = [&plain[..], &["--style-by", "voice/1"]].concat();
    let (style, voice) = (assay(&plain).json(), assay(&asked).json());
    assert_eq!(
        (&style["voice"]["is_style"], &voice["voice"]["is_style"]),
        (&json!(false), &json!(true))
    );
    assert_ne!(style["authenticity"]["mean"], voice["authenticity"]["mean"]);
    // style itself is the same; what weighs in authenticity is the voice
    assert_eq!(
        style["authenticity"]["style"],
        voice["authenticity"]["style"]
    );
    assert!(
        voice["notes"]
            .to_string()
            .contains("voice/1 stands in the place of style")
    );
    let wrong = assay(&[&plain[..], &["--style-by", "tone/9"]].concat());
    assert_eq!(wrong.status, Status::WrongUsage);

    // a trait by examples stands beside the score, in JSON and in the summary
    let taught = &style["taught"][0];
    assert_eq!(
        (&taught["trait"], &taught["examples"]),
        (&json!("dry_wit"), &json!(2))
    );
    assert!(!style["notes"].to_string().contains("cannot be measured"));
    let summary = assay(&[&plain[..], &["--summary"]].concat()).stdout;
    let line = summary.lines().find(|line| line.starts_with("dry wit "));
    let mean = taught["mean"].as_f64().expect("a mean");
    let told = format!("{mean:.3}  beside the score, trait/1  2 examples");
    assert!(line.is_some_and(|line| line.ends_with(&told)), "{summary}");
}

#[test]
fn good_replies_become_a_persona() {
    let replies = [&ON[..], &["yo, write to jane@posteo.net :)"]].concat();
    let examples = file("examples.txt", &replies.join("\n"));
    let made = assay(&["persona", "draft", "--examples", &examples, "--name", "Pal"]);
    assert_eq!(made.status, Status::Done, "{}", made.stderr);
    assert!(
        made.stdout.contains("exemplars:") && made.stdout.contains("Pal"),
        "{}",
        made.stdout
    );
    // what was drafted is a persona
    let drafted = file("drafted.yaml", &made.stdout);
    let valid = assay(&[
        "persona",
        "--persona",
        &drafted,
        "--validate",
        &file("draft.jsonl", &transcript(&ON)),
    ]);
    assert_eq!(
        (valid.status, &*valid.stdout),
        (Status::Done, "Payload is valid.\n")
    );
    assert!(made.stdout.contains("jane@posteo.net"));
    let few = assay(&[
        "persona",
        "draft",
        "--examples",
        &file("few.txt", "one\ntwo"),
    ]);
    assert_eq!(few.status, Status::BadInput);
    assert!(
        few.stderr.contains("5 good replies at least"),
        "{}",
        few.stderr
    );
}

#[test]
fn a_draft_is_masked_where_that_is_asked_and_what_was_edited_is_kept() {
    let replies = [&ON[..], &["yo, write to jane@posteo.net :)"]].concat();
    let examples = file("mask-examples.txt", &replies.join("\n"));
    let out = path("masked.yaml");
    // of an earlier run
    let _ = std::fs::remove_file(&out);
    let out = out.to_str().expect("UTF-8");
    let call = [
        "persona",
        "draft",
        "--examples",
        &examples,
        "--out",
        out,
        "--mask",
    ];
    let masked = assay(&call);
    assert_eq!((masked.status, &*masked.stdout), (Status::Done, ""));
    let kept = std::fs::read_to_string(out).expect("written");
    assert!(
        !kept.contains("posteo") && kept.contains("[mail 1]"),
        "{kept}"
    );
    assert!(
        masked.stderr.contains("assay: masked "),
        "{}",
        masked.stderr
    );
    // what was edited since is not lost
    let again = assay(&call);
    assert_eq!(again.status, Status::WrongUsage);
    assert!(
        again.stderr.contains("is there already"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_bar_that_is_missed_is_exit_status_3() {
    let persona = file("bars-persona.yaml", PERSONA);
    let (good, bad) = (
        file("good.jsonl", &transcript(&ON)),
        file("bad.jsonl", &transcript(&OFF)),
    );
    let ran = |input: &str, more: &[&str]| {
        assay(&[&["persona", "--persona", &*persona, "--input", input], more].concat())
    };
    let under = ran(
        &bad,
        &[
            "--fail-under",
            "authenticity=0.99",
            "--fail-under",
            "safety=0.5",
        ],
    );
    assert_eq!(under.status, Status::BarMissed);
    assert_eq!(
        under.stderr.matches("the bar is").count(),
        1,
        "{}",
        under.stderr
    );
    assert!(
        under.json()["overall"].is_number(),
        "the result is printed all the same"
    );
    for (bar, status) in [
        ("voice", Status::BarMissed),
        ("voice=0.05", Status::BarMissed),
        ("voice=1", Status::Done),
        ("safety", Status::Done),
    ] {
        let worse = ran(&bad, &["--compare", &good, "--fail-worse", bar]);
        assert_eq!(worse.status, status, "{bar}: {}", worse.stderr);
    }
    for bar in ["voice", "overall=0"] {
        let same = ran(&good, &["--compare", &good, "--fail-worse", bar]);
        assert_eq!(same.status, Status::Done, "{bar}: {}", same.stderr);
    }
}

/// A persona's file, and one of four replies to it.
fn reported(name: &str) -> [String; 2] {
    let replies = transcript(&[ON[0], OFF[0], ON[1], OFF[1]]);
    [
        file(&format!("{name}-persona.yaml"), PERSONA),
        file(&format!("{name}.jsonl"), &replies),
    ]
}

#[test]
fn a_report_of_a_persona_is_verified_with_the_model_that_made_it() {
    let [persona, input] = reported("report");
    let call = ["persona", "--persona", &persona, "--input", &input];
    let report = path("report.html");
    let report = report.to_str().expect("UTF-8");
    let made = assay(&[&call[..], &["--report", report]].concat());
    assert_eq!(made.status, Status::Done, "{}", made.stderr);
    let stands = assay(&["verify", report]);
    assert_eq!(
        stands.status,
        Status::Done,
        "{}{}",
        stands.stdout,
        stands.stderr
    );
    assert!(
        stands.stdout.starts_with("It stands: "),
        "{}",
        stands.stdout
    );

    // a figure beyond the tolerance, and another model
    let html = std::fs::read_to_string(report).expect("written");
    let overall = made.json()["overall"].as_f64().expect("scored");
    let other = html.replace(&overall.to_string(), &(overall + 0.001).to_string());
    let changed = file("report-changed.html", &other);
    let differs = assay(&["verify", &changed]);
    assert_eq!(differs.status, Status::BadInput);
    assert!(
        differs.stdout.contains("overall: it says "),
        "{}",
        differs.stdout
    );
    let sha256 = made.json()["model"]["sha256"]
        .as_str()
        .expect("a hash")
        .to_owned();
    let changed = file(
        "report-model.html",
        &html.replace(&sha256, &sha256.replace('a', "b")),
    );
    let other = assay(&["verify", &changed]);
    assert_eq!(other.status, Status::WrongUsage);
    assert!(
        other.stdout.contains("Figures of another model"),
        "{}",
        other.stdout
    );
}

#[test]
fn a_result_of_a_persona_is_verified_with_what_it_was_made_of() {
    let [persona, input] = reported("result");
    let call = ["persona", "--persona", &persona, "--input", &input];
    let result = file("result.json", &assay(&call).stdout);
    let stands = assay(&[&["verify", &result], &call[1..]].concat());
    assert_eq!(stands.status, Status::Done, "{}", stands.stdout);
    let differs = assay(&[&["verify", &result], &call[1..], &["--seed", "8"]].concat());
    assert_eq!(differs.status, Status::BadInput, "{}", differs.stdout);
}

#[test]
fn a_comparison_has_no_report_that_holds_its_input() {
    let [persona, input] = reported("compared");
    let call = ["persona", "--persona", &persona, "--input", &input];
    let report = path("compared.html");
    let report = report.to_str().expect("UTF-8");
    let compared = assay(&[&call[..], &["--compare", &input, "--report", report]].concat());
    assert_eq!(compared.status, Status::WrongUsage);
    let table = path("compared.csv");
    let table = table.to_str().expect("UTF-8");
    let compared = assay(&[&call[..], &["--compare", &input, "--report", table]].concat());
    assert_eq!(compared.status, Status::Done, "{}", compared.stderr);
    let table = std::fs::read_to_string(table).expect("written");
    assert!(table.contains("authenticity_change"), "{table}");
}

/// An earlier run with a persona and a config of its own: its files persona, config and input.
fn earlier(name: &str) -> [String; 3] {
    let persona =
        "id: b\nlexicon: {preferred: [check, log], avoid: []}\nexemplars: [Check the log first.]\n";
    let config = "scoring: {authenticity_weight: 0.9, safety_weight: 0.1}\n";
    let input = transcript(&[OFF[0], OFF[1], ON[1], OFF[1]]);
    [
        file(&format!("{name}-earlier.yaml"), persona),
        file(&format!("{name}-weights.yaml"), config),
        file(&format!("{name}-earlier.jsonl"), &input),
    ]
}

/// The shares add up to the difference of what the two runs say by themselves.
#[test]
fn a_difference_is_taken_apart_by_persona_transcript_and_weights() {
    let [persona, input] = reported("apart");
    let [other, config, before] = earlier("apart");
    let overall = |call: &[&str]| {
        let found = assay(call);
        assert_eq!(found.status, Status::Done, "{}", found.stderr);
        found.json()["overall"].as_f64().expect("a number")
    };
    let was = ["persona", "--persona", &other, "--config", &config];
    let was = overall(&[&was[..], &["--input", &before]].concat());
    let call = ["persona", "--persona", &persona, "--input", &input];
    let is = overall(&call);
    let call = [&call[..], &["--compare", &before]].concat();
    let own = ["--compare-persona", &other, "--compare-config", &config];
    let found = assay(&[&call[..], &own].concat());
    assert_eq!(found.status, Status::Done, "{}", found.stderr);
    let split = found.json()["split"]["metrics"][0].clone();
    let figure = |name: &str| split[name].as_f64().expect(name);
    assert_eq!(split["name"], "overall");
    for (name, expected) in [("before", was), ("after", is), ("difference", is - was)] {
        assert!((figure(name) - expected).abs() < 1e-12, "{split}");
    }
    let shares = ["persona", "transcript", "weights"].map(figure);
    assert!(
        (shares.iter().sum::<f64>() - (is - was)).abs() < 1e-12,
        "{split}"
    );
    assert!(shares.iter().all(|share| *share != 0.0), "{split}");
    let text = assay(&[&call[..], &own, &["--summary"]].concat()).stdout;
    assert!(
        text.contains("what of the difference each part adds"),
        "{text}"
    );
    // one of the two alone: the other part has no share
    let alone = assay(&[&call[..], &own[2..]].concat()).json();
    assert_eq!(alone["split"]["metrics"][0]["persona"], 0.0, "{alone}");
    assert!(assay(&call).json().get("split").is_none());
}

#[test]
fn what_is_wrong_with_an_earlier_persona_is_said_once_of_its_file() {
    let [persona, input] = reported("wrong");
    let [_, config, before] = earlier("wrong");
    let wrong = file("wrong.yaml", "exemplars: 7\n");
    let call = ["persona", "--persona", &persona, "--input", &input];
    let own = ["--compare", &before, "--compare-persona", &wrong];
    let found = assay(&[&call[..], &own].concat());
    assert_eq!(found.status, Status::BadInput);
    assert_eq!(
        found.stderr.matches("expected a list").count(),
        1,
        "{}",
        found.stderr
    );
    let usage = assay(&[&call[..], &["--compare-config", &config]].concat());
    assert_eq!(usage.status, Status::WrongUsage);
}

fn unhashed(ran: &Ran) -> String {
    let mut value = ran.json();
    value["input_sha256"].take();
    value.to_string()
}

/// In one go, in a part, session by session, and gone on with after it was broken off.
#[test]
fn parts_of_a_transcript_make_what_one_run_makes() {
    let replies: Vec<&str> = ON.iter().chain(&OFF).chain(&ON).copied().collect();
    let persona = file("parts.yaml", PERSONA);
    let input = file("parts.jsonl", &(transcript(&replies) + "\n"));
    let given = ["persona", "--persona", &persona, "--input", &input];
    let single = assay(&given);
    let whole = assay(&[&given[..], &["--partial"]].concat());
    // between the head and the end
    assert_eq!(whole.stdout.lines().count(), 2 + replies.len() / 2);
    let merge = |part: &str| {
        let ran = assay(&["merge", &file("whole.part", part)]);
        assert_eq!(ran.status, Status::Done, "{}", ran.stderr);
        unhashed(&ran)
    };
    assert_eq!(merge(&whole.stdout), unhashed(&single));
    let by_lines = [&given[..], &["--partial", "--lines", "--threads", "2"]].concat();
    let printed = assay(&by_lines);
    assert_eq!(merge(&printed.stdout), unhashed(&single));
    let out = path("parts.out");
    let _ = std::fs::remove_file(&out);
    let out = out.to_str().expect("UTF-8");
    let to_file = [&by_lines[..], &["--out", out]].concat();
    assert_eq!(assay(&to_file).status, Status::Done);
    let all = std::fs::read_to_string(out).expect("written");
    assert_eq!(all, printed.stdout);
    let resumed = [&to_file[..], &["--resume"]].concat();
    for kept in [0, all.len() / 2, all.len() - 1] {
        std::fs::write(out, &all.as_bytes()[..kept]).expect("written");
        let ran = assay(&resumed);
        assert_eq!(ran.status, Status::Done, "{}", ran.stderr);
        assert!(
            std::fs::read_to_string(out).expect("there") == all,
            "{kept}"
        );
    }
    // another persona is another job
    let other = file("parts-other.yaml", "exemplars: [yo]");
    let changed: Vec<&str> = resumed
        .iter()
        .map(|arg| if *arg == persona { &*other } else { arg })
        .collect();
    let ran = assay(&changed);
    assert_eq!(ran.status, Status::WrongUsage);
    assert!(
        ran.stderr.contains("begun with other inputs"),
        "{}",
        ran.stderr
    );
    // a bar holds for the whole
    let part = file("bar.part", &all);
    assert_eq!(
        assay(&["merge", &part, "--fail-under", "overall=1"]).status,
        Status::BarMissed
    );
    let [one, other] = [
        assay(&["merge", &part, "--summary"]),
        assay(&[&given[..], &["--summary"]].concat()),
    ];
    assert_eq!(one.stdout, other.stdout);
}

fn part_by_lines(persona: &str, input: &str) -> Ran {
    let given = ["persona", "--persona", persona, "--input", input];
    assay(&[&given[..], &["--partial", "--lines"]].concat())
}

#[test]
fn what_is_wrong_with_a_session_is_told_and_leaves_the_others() {
    let persona = file("wrong.yaml", PERSONA);
    let rows = [
        r#"{"messages": [{"role": "assistant", "content": "yo"}]}"#,
        r#"{"session_id": "a", "turn_index": 1, "role": "assistant", "text": 3}"#,
        r#"{"session_id": "b", "turn_index": 1, "role": "user", "text": "hi"}"#,
        "{",
        r#"{"session_id": "c", "turn_index": 1, "role": "assistant", "text": "ok", "mood": 1}"#,
        r#"{"session_id": "d", "turn_index": 1, "role": "assistant", "text": "ok", "mood": 2}"#,
    ];
    let input = file("wrong.jsonl", &rows.join("\n"));
    let ran = part_by_lines(&persona, &input);
    assert_eq!(ran.status, Status::BadInput);
    let sessions: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let ids: Vec<&Value> = sessions
        .iter()
        .map(|line| &line["persona_session"]["result"]["session_id"])
        .filter(|id| id.is_string())
        .collect();
    // a conversation without an id is named by its row, as in one run
    assert_eq!(ids, ["row-0001", "c", "d"]);
    let beside = sessions.iter().map(|line| &line["persona_beside"]);
    let beside: Vec<&Value> = beside.filter(|beside| beside.is_object()).collect();
    // of one nothing can be scored, in the other nobody answers
    assert_eq!(beside, [&json!({"empty_sessions": ["a", "b"]})]);
    let told: Vec<&str> = ran
        .stderr
        .lines()
        .filter_map(|line| line.split("wrong.jsonl:").nth(1))
        .collect();
    assert!(
        told.iter().any(|line| line.starts_with("2:"))
            && told.iter().any(|line| line.starts_with("4:")),
        "{}",
        ran.stderr
    );
    // what is the same with many sessions is told once
    assert_eq!(
        told.iter().filter(|line| line.contains("mood")).count(),
        1,
        "{}",
        ran.stderr
    );
    // of two files each names its own
    let call = [
        "persona",
        "--persona",
        &persona,
        "--input",
        &input,
        "--partial",
        "--lines",
    ];
    let ran = assay(&[&call[..], &["--session-prefix", "b"]].concat());
    assert!(
        ran.stdout.contains("\"session_id\":\"b-0001\""),
        "{}",
        ran.stdout
    );
}

/// A run of all sessions would ask for fewer; what was embedded is not lost for that.
#[test]
fn parts_that_ask_for_too_many_resamples_have_as_many_as_may_be() {
    let persona = file("resamples.yaml", PERSONA);
    let config = file(
        "resamples-config.yaml",
        "scoring: {bootstrap_samples: 100000}\n",
    );
    let part = |name: &str, range: std::ops::Range<usize>| {
        let row = |at: usize| {
            json!({"session_id": format!("s{at}"), "turn_index": 1, "role": "assistant", "text": ON[at % 2]})
                .to_string()
        };
        let input = file(
            &format!("{name}.jsonl"),
            &range.map(row).collect::<Vec<_>>().join("\n"),
        );
        let given = [
            "persona",
            "--persona",
            &persona,
            "--config",
            &config,
            "--input",
            &input,
        ];
        file(
            name,
            &assay(&[&given[..], &["--partial", "--lines"]].concat()).stdout,
        )
    };
    let parts = [
        part("resamples-1.part", 0..120),
        part("resamples-2.part", 120..210),
    ];
    let merged = assay(&["merge", &parts[0], &parts[1]]);
    assert_eq!(merged.status, Status::Done, "{}", merged.stderr);
    let told = "bootstrap_samples is 100000: with 210 sessions at most 95238 are drawn";
    assert!(merged.stdout.contains(told), "{}", merged.stdout);
}

/// Rows without an id are those of a session that has a name.
#[test]
fn rows_without_an_id_belong_to_the_session_that_is_named_so() {
    let persona = file("nameless.yaml", PERSONA);
    let rows = [
        r#"{"role": "assistant", "text": "yo", "turn_index": 1}"#,
        r#"{"session_id": "session", "turn_index": 9, "role": "assistant", "text": "ok"}"#,
    ];
    let input = file("nameless.jsonl", &rows.join("\n"));
    let part = part_by_lines(&persona, &input);
    assert!(
        part.stdout
            .contains("{\"persona_end\":{\"left_out\":0,\"sessions\":1}}"),
        "{}",
        part.stdout
    );
    let merged = assay(&["merge", &file("nameless.part", &part.stdout)]);
    let single = assay(&["persona", "--persona", &persona, "--input", &input]);
    assert_eq!(unhashed(&merged), unhashed(&single));
}

#[test]
fn what_makes_no_sense_of_a_part_is_refused() {
    let (persona, input) = (
        file("usage.yaml", PERSONA),
        file("usage.jsonl", &transcript(&ON)),
    );
    let run = ["persona", "--persona", &persona, "--input", &input];
    for wrong in [
        &["--lines"][..],
        &["--partial", "--summary"],
        &["--partial", "--out", "x"],
        &["--partial", "--lines", "--validate", "x"],
        &["--partial", "--session-prefix", "x"],
    ] {
        assert_eq!(
            assay(&[&run[..], wrong].concat()).status,
            Status::WrongUsage,
            "{wrong:?}"
        );
    }
}

/// Two texts in the middle have changed places.
#[test]
fn vectors_of_other_texts_are_not_gone_on_with() {
    let out = file("vectors-many.jsonl", "");
    let out = out.as_str();
    let texts: Vec<String> = (0..40).map(|at| format!("text {at}")).collect();
    let input = file("texts-many.txt", &texts.join("\n"));
    let many = ["embed", "--input", &input, "--out", out, "--resume"];
    assert_eq!(assay(&many).status, Status::Done);
    let all = std::fs::read_to_string(out).expect("there");
    for at in [1, 20, 38] {
        let mut changed = texts.clone();
        changed.swap(at, at - 1);
        file("texts-many.txt", &changed.join("\n"));
        let ran = assay(&many);
        assert_eq!(ran.status, Status::WrongUsage, "{at}: {}", ran.stderr);
        assert!(std::fs::read_to_string(out).expect("there") == all);
    }
}

#[test]
fn vectors_are_gone_on_with() {
    let texts = [&ON[..], &OFF].concat();
    let input = file("texts.txt", &(texts.join("\n") + "\n"));
    let out = path("vectors.jsonl");
    let _ = std::fs::remove_file(&out);
    let out = out.to_str().expect("UTF-8");
    let call = ["embed", "--input", &input, "--out", out];
    assert_eq!(assay(&call).status, Status::Done);
    let whole = std::fs::read_to_string(out).expect("written");
    assert_eq!(whole.lines().count(), texts.len());
    assert_eq!(assay(&["embed", "--input", &input]).stdout, whole);
    assert_eq!(
        assay(&call).status,
        Status::WrongUsage,
        "it is there already"
    );
    let resumed = [&call[..], &["--resume"]].concat();
    for kept in [0, 10, whole.len() / 2, whole.len() - 1, whole.len()] {
        std::fs::write(out, &whole.as_bytes()[..kept]).expect("written");
        let ran = assay(&resumed);
        assert_eq!(ran.status, Status::Done, "{}", ran.stderr);
        assert!(
            std::fs::read_to_string(out).expect("there") == whole,
            "{kept}"
        );
    }
    // of other texts
    let other = file("texts-other.txt", &OFF.join("\n"));
    let first: String = whole
        .lines()
        .take(2)
        .flat_map(|line| [line, "\n"])
        .collect();
    std::fs::write(out, &first).expect("written");
    let ran = assay(&["embed", "--input", &other, "--out", out, "--resume"]);
    assert_eq!(ran.status, Status::WrongUsage);
    assert!(
        ran.stderr
            .contains("vectors.jsonl:1: this is not the vector"),
        "{}",
        ran.stderr
    );
    assert_eq!(std::fs::read_to_string(out).expect("there"), first);
    // its first text is the same, and its second is not
    let text = format!("{}\n{}\n", ON[0], OFF[0]);
    let changed = file("texts-changed.txt", &text);
    let ran = assay(&["embed", "--input", &changed, "--out", out, "--resume"]);
    let said = ran
        .stderr
        .contains("vectors.jsonl:2: this is not the vector");
    assert!(said, "{}", ran.stderr);
    for (there, line) in [("notes\n", 1), ("null\n[0.5]\n[0.5, 0.5]\n", 3)] {
        std::fs::write(out, there).expect("written");
        let ran = assay(&resumed);
        assert_eq!(ran.status, Status::WrongUsage);
        let told = format!("vectors.jsonl:{line}: this is no vector");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
        assert_eq!(std::fs::read_to_string(out).expect("there"), there);
    }
}

#[test]
fn a_line_that_is_not_utf_8_is_named_and_has_no_vector() {
    let input = path("broken.txt");
    std::fs::write(&input, b"one\ntwo\nthr\xffee\nfour\n").expect("written");
    let input = input.to_str().expect("UTF-8");
    let ran = assay(&["embed", "--input", input]);
    assert_eq!(ran.status, Status::BadInput);
    assert!(
        ran.stderr.contains("broken.txt:3:4:") && ran.stderr.contains("not valid UTF-8"),
        "{}",
        ran.stderr
    );
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines.len(), lines[2]), (4, "null"));
    let others = [0, 1, 3].map(|at| format!("{}\n", lines[at]));
    assert_eq!(embedded("one\ntwo\nfour\n"), others.concat());
    // and is gone on with, and told again
    let out = path("broken.jsonl");
    for kept in [
        0,
        ran.stdout.find("null").expect("there") + 2,
        ran.stdout.len() - 9,
    ] {
        std::fs::write(&out, &ran.stdout[..kept]).expect("written");
        let name = out.to_str().expect("UTF-8");
        let again = assay(&["embed", "--input", input, "--out", name, "--resume"]);
        assert_eq!(again.status, Status::BadInput, "{kept}");
        assert!(
            again.stderr.contains("broken.txt:3:4:"),
            "{kept}: {}",
            again.stderr
        );
        let found = std::fs::read_to_string(&out).expect("there");
        assert!(found == ran.stdout, "{kept}");
    }
}

/// Of more vectors than are made again, also where every second line has none, those that are lie over all of them.
#[test]
fn vectors_of_a_long_file_are_made_again_evenly() {
    let text = |at: usize| match at % 2 {
        0 => format!("text {at}\n").into_bytes(),
        _ => b"\xff\n".to_vec(),
    };
    let lines = (0..600).map(text).collect::<Vec<_>>();
    let (input, out) = (path("long.txt"), path("long.jsonl"));
    let [input, out] = [&input, &out].map(|path| path.to_str().expect("UTF-8"));
    std::fs::write(input, lines.concat()).expect("written");
    let _ = std::fs::remove_file(out);
    let call = ["embed", "--input", input, "--out", out];
    assert_eq!(assay(&call).status, Status::BadInput);
    let whole = std::fs::read_to_string(out).expect("written");
    let resumed = [&call[..], &["--resume"]].concat();
    assert_eq!(assay(&resumed).status, Status::BadInput);
    // all but one of eight texts in a row are others
    for start in [97, 388] {
        let mut changed = lines.clone();
        for (at, line) in changed.iter_mut().enumerate().skip(start).take(16) {
            if at % 2 == 0 {
                *line = b"another\n".to_vec();
            }
        }
        std::fs::write(input, changed.concat()).expect("written");
        let ran = assay(&resumed);
        assert_eq!(ran.status, Status::WrongUsage, "{start}: {}", ran.stderr);
        assert!(std::fs::read_to_string(out).expect("there") == whole);
    }
}

/// What could not be read of what stands beside an input, or is labelled, or an example, makes the status.
#[test]
fn what_is_lost_beside_a_transcript_makes_the_status() {
    let persona = file("beside.yaml", PERSONA);
    let good = file("beside.jsonl", &transcript(&ON));
    let rows = ON.iter().map(|text| json!({"text": text}).to_string());
    let rows = rows.collect::<Vec<_>>().join("\n");
    for line in ["Connection reset", "7"] {
        let damaged = |name: &str, text: &str| {
            let (first, rest) = text.split_once('\n').expect("lines");
            file(name, &format!("{first}\n{line}\n{rest}"))
        };
        let bad = damaged("beside_damaged.jsonl", &transcript(&ON));
        let labels = damaged("labels_damaged.jsonl", &labelled());
        let examples = damaged("examples_damaged.jsonl", &rows);
        let compared = ["persona", "--persona", &persona, "--input", &good];
        for call in [
            &[&compared[..], &["--compare", &bad]].concat()[..],
            &["calibrate", "--persona", &persona, "--input", &labels],
            &["persona", "draft", "--examples", &examples],
        ] {
            let ran = assay(call);
            assert_eq!(ran.status, Status::BadInput, "{call:?}: {}", ran.stderr);
            assert_ne!(ran.stdout, "", "{call:?}: {}", ran.stderr);
            let told = ran.stderr.matches("_damaged.jsonl:2:1: ").count();
            assert_eq!(told, 1, "{call:?}: {}", ran.stderr);
        }
    }
    // a label that is none
    let labels = labelled().replacen("\"label\":1", "\"label\":7", 1);
    let labels = file("labels_none.jsonl", &labels);
    let ran = assay(&["calibrate", "--persona", &persona, "--input", &labels]);
    assert_eq!(ran.status, Status::BadInput, "{}", ran.stderr);
    assert_ne!(ran.stdout, "");
    assert!(
        ran.stderr.contains("got 7; this is left out"),
        "{}",
        ran.stderr
    );
}

/// A line without a vector that has a text now, or that the input has no more.
#[test]
fn vectors_that_are_not_those_of_the_input_are_left_as_they_are() {
    let out = file("no_vectors.jsonl", "null\nnull\n");
    for (text, told) in [
        (&b"\xff\nhello\n"[..], ":2: the input has a text here now"),
        (&b"\xff\n"[..], ":2: the input has no such line"),
    ] {
        let input = path("no_vectors.txt");
        std::fs::write(&input, text).expect("written");
        let input = input.to_str().expect("UTF-8");
        let ran = assay(&["embed", "--input", input, "--out", &out, "--resume"]);
        assert_eq!(ran.status, Status::WrongUsage);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        assert_eq!(
            std::fs::read_to_string(&out).expect("there"),
            "null\nnull\n"
        );
    }
}

fn embedded(texts: &str) -> String {
    assay(&["embed", "--input", &file("embedded.txt", texts)]).stdout
}

/// Conversations of other programs, with names of theirs and with none.
#[test]
fn conversations_of_others_are_read_line_by_line_as_in_one_run() {
    let persona = file("others.yaml", PERSONA);
    let said = |at: usize, role: &str| {
        json!([
            {"role": "system", "content": "Be kind."}, {"role": "user", "content": "And?"},
            {"role": role, "content": ON[at]}, {"role": "user", "content": "And then?"},
            {"role": "assistant", "content": OFF[at]},
        ])
    };
    let named = |key: &str| -> Vec<Value> {
        (0..4)
            .map(|at| json!({key: format!("c{at}"), "messages": said(at, "assistant")}))
            .collect()
    };
    let nameless: Vec<Value> = (0..4)
        .map(|at| json!({"messages": said(at, "assistant")}))
        .collect();
    for (name, rows) in [
        ("session_id", named("session_id")),
        ("id", named("id")),
        ("none", nameless),
    ] {
        let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
        let input = file(&format!("others-{name}.jsonl"), &(rows.join("\n") + "\n"));
        let given = ["persona", "--persona", &persona, "--input", &input];
        let part = assay(&[&given[..], &["--partial", "--lines"]].concat());
        assert_eq!(part.status, Status::Done, "{}", part.stderr);
        let merged = assay(&["merge", &file("others.part", &part.stdout)]);
        assert_eq!(unhashed(&merged), unhashed(&assay(&given)), "{name}");
    }
}

/// What is not taken of a conversation is told of lines as of the whole.
#[test]
fn messages_that_are_left_out_are_told_of_lines_too() {
    let persona = file("narrated.yaml", PERSONA);
    let row = |id: usize, role: &str| {
        let said =
            json!([{"role": role, "content": "Once"}, {"role": "assistant", "content": ON[id]}]);
        json!({"session_id": id, "messages": said}).to_string()
    };
    let rows = [row(0, "user"), row(1, "narrator"), row(2, "chorus")];
    let input = file("narrated.jsonl", &(rows.join("\n") + "\n"));
    let part = part_by_lines(&persona, &input);
    assert_eq!(part.status, Status::Done, "{}", part.stderr);
    for (line, role) in [(2, "narrator"), (3, "chorus")] {
        let told = format!(
            "{input}:{line}:1: warning: left out: messages of the role \"{role}\", 1 times: it is not known whose they are\n"
        );
        assert!(part.stderr.contains(&told), "{}", part.stderr);
    }
}

/// A line that cannot be read is told with its place, whichever program its file is of; what is told of
/// the others is the same.
#[test]
fn a_broken_line_of_others_is_told_and_leaves_the_rest() {
    let persona = file("broken.yaml", PERSONA);
    let row = |id: usize| {
        let said =
            json!([{"role": "user", "content": "And?"}, {"role": "assistant", "content": ON[id]}]);
        json!({"session_id": id, "messages": said}).to_string()
    };
    let rows = [
        row(0),
        r#"{"session_id": "x", "messages": ["#.to_owned(),
        row(1),
        row(2),
    ];
    let input = file("broken.jsonl", &(rows.join("\n") + "\n"));
    let given = ["persona", "--persona", &persona, "--input", &input];
    let single = assay(&given);
    assert_eq!(single.status, Status::BadInput, "{}", single.stderr);
    let part = part_by_lines(&persona, &input);
    assert_eq!(part.status, Status::BadInput, "{}", part.stderr);
    for stderr in [&single.stderr, &part.stderr] {
        let place = format!("{input}:2:");
        assert!(
            stderr.contains(&place) && stderr.contains("not valid JSON"),
            "{stderr}"
        );
        assert_eq!(stderr.matches("this is left out").count(), 1, "{stderr}");
    }
    let merged = assay(&["merge", &file("broken.part", &part.stdout)]);
    assert_eq!(unhashed(&merged), unhashed(&single));
    // the same is told of a part that was read as a whole
    let whole = assay(&[&given[..], &["--partial"]].concat());
    for part in [&part, &whole] {
        let end = part.stdout.lines().last();
        assert_eq!(
            end,
            Some(r#"{"persona_end":{"left_out":1,"sessions":3}}"#),
            "{}",
            part.stderr
        );
    }
    assert!(
        merged
            .stderr
            .contains("1 sessions, or lines of them, were left out"),
        "{}",
        merged.stderr
    );
    // a number is an id as well
    assert_eq!(single.json()["sessions"][1]["session_id"], "1");
    // and what is no row at all parts no session
    let row = |at: usize| json!({"session_id": "s", "turn_index": at, "role": "assistant", "text": ON[at]});
    let rows = [row(0), json!({"event": "beat"}), row(1)].map(|row| row.to_string());
    let input = file("beat.jsonl", &rows.join("\n"));
    let part = part_by_lines(&persona, &input);
    assert_eq!(part.status, Status::BadInput, "{}", part.stderr);
    let merged = assay(&["merge", &file("beat.part", &part.stdout)]);
    assert_eq!(merged.status, Status::BadInput, "{}", merged.stderr);
}

/// Lines of a chat that hold no conversation, and blank ones: one run and a part tell them, and name
/// the conversations alike.
#[test]
fn what_is_no_conversation_is_told_and_takes_no_number() {
    let persona = file("numbers.yaml", PERSONA);
    let chat = |at: usize| {
        json!({"messages": [{"role": "user", "content": "And?"}, {"role": "assistant", "content": ON[at]}]})
            .to_string()
    };
    let rows = [
        chat(0),
        r#"{"foo": 1}"#.to_owned(),
        r#"{"messages": "none"}"#.to_owned(),
        String::new(),
        chat(1),
        chat(2),
    ];
    let input = file("numbers.jsonl", &(rows.join("\n") + "\n"));
    let given = ["persona", "--persona", &persona, "--input", &input];
    let single = assay(&given);
    for line in [2, 3] {
        let place = format!("{input}:{line}:");
        assert!(single.stderr.contains(&place), "{}", single.stderr);
    }
    let part = part_by_lines(&persona, &input);
    assert_eq!(part.status, Status::BadInput, "{}", part.stderr);
    let whole = assay(&[&given[..], &["--partial"]].concat());
    for part in [&part, &whole] {
        let end = part.stdout.lines().last();
        assert_eq!(end, Some(r#"{"persona_end":{"left_out":2,"sessions":3}}"#));
        let merged = assay(&["merge", &file("numbers.part", &part.stdout)]);
        assert_eq!(unhashed(&merged), unhashed(&single));
    }
    // of two files both name them from 1 on
    let other = file("numbers-2.jsonl", &chat(3));
    let parts = |options: [&[&str]; 2]| {
        let of = |at: usize, input: &str| {
            let given = ["persona", "--persona", &persona, "--input", input];
            let ran = assay(&[&given[..], &["--partial", "--lines"], options[at]].concat());
            file(&format!("numbers-{at}.part"), &ran.stdout)
        };
        assay(&["merge", &of(0, &input), &of(1, &other)])
    };
    let refused = parts([&[], &[]]);
    assert_eq!(refused.status, Status::BadInput);
    assert!(
        refused.stderr.contains("--session-prefix"),
        "{}",
        refused.stderr
    );
    let merged = parts([&[], &["--session-prefix", "b"]]);
    // the lines that are no conversation
    assert_eq!(merged.status, Status::BadInput, "{}", merged.stderr);
    assert_eq!(merged.json()["sessions"][0]["session_id"], "b-0001");
}

/// Files of other programs: what comes of their lines one by one is what comes of them at once.
#[test]
fn files_of_others_are_read_line_by_line_as_in_one_run() {
    let persona = file("sources.yaml", PERSONA);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sources");
    for name in [
        "alignmenter",
        "anthropic-2",
        "assay-transcript",
        "character-llm",
        "claude-code-2",
        "codex",
        "langsmith",
        "openai-chat",
        "openinference",
        "preference-pairs",
        "preference-pairs-2",
        "sharegpt",
        "sillytavern",
    ] {
        let input = format!("{folder}/{name}.jsonl");
        let given = ["persona", "--persona", &persona, "--input", &input];
        let single = assay(&given);
        assert_eq!(single.status, Status::Done, "{name}: {}", single.stderr);
        let part = part_by_lines(&persona, &input);
        let merged = assay(&["merge", &file("sources.part", &part.stdout)]);
        assert_eq!(merged.status, Status::Done, "{name}: {}", merged.stderr);
        assert_eq!(unhashed(&merged), unhashed(&single), "{name}");
    }
    // what is of one format at the beginning is of no other further down
    let rows = [
        r#"{"session_id": "a", "turn_index": 1, "role": "assistant", "text": "Ride on."}"#,
        r#"{"session_id": "b", "speaker": "ai", "text": "Sure."}"#,
        r#"{"messages": [{"role": "assistant", "content": "Yes."}]}"#,
    ];
    let input = file("mixed.jsonl", &rows.join("\n"));
    let single = assay(&["persona", "--persona", &persona, "--input", &input]);
    let part = part_by_lines(&persona, &input);
    let merged = assay(&["merge", &file("mixed.part", &part.stdout)]);
    assert_eq!(unhashed(&merged), unhashed(&single));
}
