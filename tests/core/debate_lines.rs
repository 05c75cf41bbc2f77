//! Debates line by line: the quick way is the long way, on any number of threads, and what was begun is
//! gone on with.

use assay::cli::Status;
use assay::debate::{DomainChoice, Options, Profiles, evaluate, evaluate_quickly, read};
use assay::document::Code;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::command_line;
use super::own_files::path;

fn assay(args: &[&str], stdin: &[u8]) -> (Status, String, String) {
    let ran = command_line::assay(args, stdin);
    (ran.status, ran.stdout, ran.stderr)
}

/// A review, which may have a key that nobody reads.
fn review() -> impl Strategy<Value = Value> {
    let ratings = (0..=2_u8, 0..=2_u8, 0..=2_u8, prop::bool::weighted(0.2));
    (ratings, any::<bool>(), other()).prop_map(
        |((support, evidence, risks, fails), says, other)| {
            let mut review = json!({
                "support": support, "evidence": evidence, "major_risks": risks,
                "critical_fail": u8::from(fails),
                "debater": says.then_some("d"), "justification": says.then_some(""),
            });
            with(&mut review, "seen \u{e9}", other);
            review
        },
    )
}

/// What may stand under a key that nobody reads.
fn other() -> impl Strategy<Value = Option<Value>> {
    let value = prop::sample::select(vec![json!("a \"b\" \n"), json!([{"id": 1}]), json!(null)]);
    prop_oneof![4 => Just(None), 1 => value.prop_map(Some)]
}

fn with(object: &mut Value, key: &str, value: Option<Value>) {
    if let (Some(value), Some(map)) = (value, object.as_object_mut()) {
        map.insert(key.to_owned(), value);
    }
}

fn candidate() -> impl Strategy<Value = Value> {
    let model = prop::sample::select(vec!["opus", "gpt", "unheard-of", ""]);
    let status = prop::sample::select(vec!["proved", "Disproved", "timeout"]);
    let claims = prop::option::weighted(0.3, vec(status, 0..3));
    let formal = prop::option::weighted(0.5, -100..=100_i8);
    let one = (vec(review(), 1..4), formal, model, claims);
    (one, other(), other()).prop_map(|((reviews, formal, model, claims), other, source)| {
        let claims = claims.map(|claims| {
            let claims = claims
                .iter()
                .map(|status| json!({"text": "c", "status": status}));
            claims.collect::<Vec<_>>()
        });
        let mut candidate = json!({
            "model": model, "formal_score": formal.map(|formal| f64::from(formal) / 100.0),
            "reviews": reviews, "claims": claims,
        });
        with(&mut candidate, "answer", other);
        with(&mut candidate, "source", source);
        candidate
    })
}

/// Who won of each pair; the last pair may be missing.
fn matches(n: usize, won: &[bool]) -> Vec<Value> {
    let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
    let named = pairs.zip(won).map(|((one, other), won)| {
        let (winner, loser) = if *won { (one, other) } else { (other, one) };
        json!({"winner": format!("c{winner}"), "loser": format!("c{loser}")})
    });
    named.collect()
}

/// A debate that is as it is meant to be but for its wins, which may be impossible together, formal scores
/// that are not those of the claims, and keys that nobody reads.
pub fn debate() -> impl Strategy<Value = Value> {
    let domain = prop::sample::select(vec!["coding", "auto", "none", "unheard-of", ""]);
    let id = prop::sample::select(vec![json!(null), json!(""), json!("d 1"), json!(-7)]);
    let candidates = vec((candidate(), 0..4_usize), 2..5);
    let won = prop::option::weighted(0.3, vec(any::<bool>(), 0..8));
    let domain = prop::option::of(domain);
    (candidates, domain, "[a-z \"é]{0,12}", id, won, other()).prop_map(
        |(candidates, domain, question, id, won, other)| {
            let n = candidates.len();
            let candidates = candidates.into_iter().enumerate();
            let candidates = candidates.map(|(at, (mut candidate, wins))| {
                candidate["id"] = json!(format!("c{at}"));
                candidate["wins"] = json!(won.is_none().then_some(wins.min(n - 1)));
                candidate
            });
            let candidates: Vec<Value> = candidates.collect();
            let mut debate = json!({
                "id": id, "question": question, "domain": domain, "candidates": candidates,
            });
            with(
                &mut debate,
                "pairwise",
                won.map(|won| json!(matches(n, &won))),
            );
            with(&mut debate, "when", other);
            debate
        },
    )
}

/// A change of a text: from one place something else stands there.
fn changed() -> impl Strategy<Value = String> {
    let other = prop::sample::select(vec![
        "",
        "1.0",
        "-1",
        "3",
        "null",
        "true",
        "\"x\"",
        "{}",
        "[]",
        "\"id\": \"c0\", ",
        " ",
        "\u{feff}",
        "1e0",
        "\\ud800",
        "99999999999999999999",
    ]);
    (debate(), any::<prop::sample::Index>(), 0..6_usize, other).prop_map(
        |(debate, at, length, other)| {
            let text: Vec<char> = debate.to_string().chars().collect();
            let at = at.index(text.len());
            let end = (at + length).min(text.len());
            let (before, after) = (text[..at].iter(), text[end..].iter());
            let [before, after] = [before.collect::<String>(), after.collect()];
            format!("{before}{other}{after}")
        },
    )
}

fn options() -> impl Strategy<Value = Options> {
    let domain = prop::sample::select(vec!["payload", "none", "auto", "coding", "unheard-of"]);
    (domain, prop::option::of(0.0..3.0_f64)).prop_map(|(domain, weight)| Options {
        domain: match domain {
            "payload" => DomainChoice::Payload,
            other => DomainChoice::parse(other),
        },
        weights: weight
            .map(|weight| ("w_reliability".to_owned(), weight))
            .into_iter()
            .collect(),
        ..Options::default()
    })
}

proptest! {
    /// Of whatever has nothing wrong with it but keys that nobody reads the quick way says the same, and nothing of all
    /// else.
    #[test]
    fn the_quick_way_is_the_long_way(debate in debate(), options in options()) {
        let text = debate.to_string();
        let quick = evaluate_quickly(&text, Profiles::built_in(), &options);
        let is_plain = read(&text).problems.iter().all(|own| own.code == Code::UnknownKey);
        let long = Some(evaluate(&text, &options));
        prop_assert_eq!(quick, long.filter(|long| is_plain && long.result.is_some()));
    }

    #[test]
    fn what_is_damaged_goes_the_long_way(text in changed(), options in options()) {
        if let Some(quick) = evaluate_quickly(&text, Profiles::built_in(), &options) {
            prop_assert_eq!(quick, evaluate(&text, &options), "{}", text);
        }
    }
}

/// Results of lines are told apart by it, where some lines have none.
#[test]
fn a_result_says_what_its_debate_is_called() {
    let called = |id: &Value| {
        let review = json!({"support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0});
        let one = |name: &str, wins: u8| json!({"id": name, "wins": wins, "reviews": [review]});
        json!({"id": id, "candidates": [one("A", 1), one("B", 0)]}).to_string()
    };
    let ids = [
        json!("d-1"),
        json!(1_198_765_432_109_876_543_i64),
        json!(null),
    ];
    let text = lines_of(["{}".to_owned()].into_iter().chain(ids.iter().map(called)));
    let (status, stdout, stderr) = assay(&["rwea", "--stdin", "--lines"], text.as_bytes());
    assert_eq!(status, Status::BadInput);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let found: Vec<Value> = stdout
        .lines()
        .map(|line| result(line)["id"].clone())
        .collect();
    assert_eq!(
        found,
        [
            json!("d-1"),
            json!(1_198_765_432_109_876_543_i64),
            json!(null)
        ]
    );
    // what is none is told, and no error
    let (status, stdout, stderr) = assay(&["rwea", "--stdin"], called(&json!([1])).as_bytes());
    assert_eq!(
        (status, &result(&stdout)["id"]),
        (Status::Done, &json!(null))
    );
    assert!(
        stderr.contains("id must be a string or a whole number of 64 bits, got a list"),
        "{stderr}"
    );
}

fn lines_of(all: impl IntoIterator<Item = String>) -> String {
    all.into_iter().map(|line| line + "\n").collect()
}

fn result(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

/// A list of values is no object, however well they fit.
#[test]
fn lists_in_the_place_of_objects_go_the_long_way() {
    let review = json!({"support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0});
    let one = json!({"id": "A", "wins": 1, "reviews": [review]});
    let other = json!({"id": "B", "wins": 0, "reviews": [review]});
    let quick = |debate: &Value| {
        evaluate_quickly(
            &debate.to_string(),
            Profiles::built_in(),
            &Options::default(),
        )
    };
    assert!(quick(&json!({"candidates": [one, other]})).is_some());
    let listed = json!({"id": "B", "wins": 0, "reviews": [[null, 2, 1, 0, 0, null]]});
    for debate in [
        json!({"candidates": [one, listed]}),
        json!({"candidates": [one, ["B", null, 0, null, [review]]]}),
        json!([null, null, [one, other]]),
    ] {
        assert_eq!(quick(&debate), None, "{debate}");
    }
}

/// Debates with something to say of every seventh, and every fiftieth no debate at all.
fn lines(count: usize) -> String {
    let review = json!({"support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0});
    let line = |at: usize| {
        let mut candidates = vec![
            json!({"id": "A", "wins": at % 2, "reviews": [review, review]}),
            json!({"id": "B", "wins": 1 - at % 2, "reviews": [review]}),
        ];
        if at.is_multiple_of(7) {
            candidates[0]["unread"] = json!(at);
        }
        if at.is_multiple_of(50) {
            candidates.pop();
        }
        json!({"question": format!("no {at}"), "candidates": candidates}).to_string() + "\n"
    };
    (0..count).map(line).collect::<Vec<_>>().concat()
}

#[test]
fn many_threads_print_what_one_prints() {
    let text = lines(2_000);
    let file = path("many.jsonl");
    std::fs::write(&file, &text).expect("written");
    let file = file.to_str().expect("UTF-8");
    let one = assay(&["rwea", "--input", file, "--threads", "1"], b"");
    let many = assay(&["rwea", "--input", file, "--threads", "5"], b"");
    assert!(one == many);
    let piped = assay(&["rwea", "--stdin", "--lines"], text.as_bytes());
    assert_eq!(piped.1, one.1);
    assert_eq!(one.0, Status::BadInput);
    assert_eq!(one.1.lines().count(), 1_960);
    // problems are in order, each at the line of its debate
    // what is said of many is said of the first
    let (places, more) = one.2.trim_end().rsplit_once('\n').expect("lines");
    assert!(
        more.starts_with("assay: warnings and notes that differ from one above in places, numbers"),
        "{more}"
    );
    let places = places.lines().map(|said| {
        let line = said.strip_prefix(file).expect("its file");
        line.split(':')
            .nth(1)
            .and_then(|line| line.parse::<u32>().ok())
            .expect("a line")
    });
    let places: Vec<u32> = places.collect();
    assert!(
        places.is_sorted() && places.contains(&1951) && !places.contains(&1996),
        "{places:?}"
    );
    // the whole of each result is that of the debate by itself
    let alone = assay(
        &["rwea", "--stdin"],
        text.lines().nth(8).expect("a line").as_bytes(),
    );
    assert_eq!(alone.1.trim_end(), one.1.lines().nth(7).expect("a result"));
}

#[test]
fn a_job_that_was_broken_off_goes_on_where_it_ended() {
    let text = lines(500);
    let (file, results) = (path("resumed.jsonl"), path("results.jsonl"));
    std::fs::write(&file, &text).expect("written");
    let _ = std::fs::remove_file(&results);
    let [file, out] = [&file, &results].map(|path| path.to_str().expect("UTF-8"));
    let call = ["rwea", "--input", file, "--out", out];
    let (status, stdout, _) = assay(&call, b"");
    assert_eq!((status, stdout.as_str()), (Status::BadInput, ""));
    let whole = std::fs::read_to_string(&results).expect("written");
    assert_eq!(whole.lines().count(), 490);
    // nor while another job writes it
    let held = std::fs::File::open(&results).expect("there");
    held.try_lock().expect("nobody else has it");
    let (status, _, stderr) = assay(&[&call[..], &["--resume"]].concat(), b"");
    assert_eq!(status, Status::WrongUsage);
    assert!(stderr.contains("by another job"), "{stderr}");
    drop(held);
    // what is there is not written over unasked
    let (status, _, stderr) = assay(&call, b"");
    assert_eq!(status, Status::WrongUsage);
    assert!(stderr.contains("--resume"), "{stderr}");
    for kept in [0, 1, whole.len() / 3, whole.len() - 1, whole.len()] {
        std::fs::write(&results, &whole.as_bytes()[..kept]).expect("written");
        let (status, ..) = assay(&[&call[..], &["--resume"]].concat(), b"");
        assert_eq!(status, Status::BadInput);
        assert!(
            std::fs::read_to_string(&results).expect("written") == whole,
            "{kept}"
        );
    }
    // of a line that was changed there is a result more, and what is left is said
    let changed = text.replacen("no 1\"", "no 1!\"", 1);
    assert_ne!(changed, text);
    std::fs::write(file, &changed).expect("written");
    let (_, _, stderr) = assay(&[&call[..], &["--resume"]].concat(), b"");
    assert!(stderr.contains("1 results were there already"), "{stderr}");
    let now = std::fs::read_to_string(&results).expect("written");
    assert_eq!(now.lines().count(), 491);
    // what is no file of results stays as it is, also the input
    let notes = path("notes.md");
    std::fs::write(&notes, "# Notes\nof ours\n").expect("written");
    for other in [notes.to_str().expect("UTF-8"), file] {
        let before = std::fs::read_to_string(other).expect("read");
        let call = ["rwea", "--input", file, "--out", other, "--resume"];
        assert_eq!(assay(&call, b"").0, Status::WrongUsage, "{other}");
        assert_eq!(std::fs::read_to_string(other).expect("read"), before);
    }
    assert_eq!(
        assay(&[&call[..], &["--mask"]].concat(), b"").0,
        Status::WrongUsage
    );
    let (status, _, stderr) = assay(&["rwea", "--stdin", "--resume"], b"");
    assert_eq!(status, Status::WrongUsage, "{stderr}");
}

/// Whatever they stand in, each is scored, and a job over their lines is gone on with.
#[test]
fn every_debate_of_a_text_is_scored() {
    let text = lines(30);
    let debates: Vec<&str> = text.lines().skip(1).take(5).collect();
    let (_, expected, _) = assay(
        &["rwea", "--stdin", "--lines"],
        debates.join("\n").as_bytes(),
    );
    assert_eq!(expected.lines().count(), 5);
    for together in [debates.join("\n"), format!("[{}]", debates.join(",\n"))] {
        let (status, printed, stderr) = assay(&["rwea", "--stdin"], together.as_bytes());
        assert_eq!(
            (status, printed),
            (Status::Done, expected.clone()),
            "{stderr}"
        );
    }
    let listed = format!("[{}]\n{}\n", debates[..4].join(","), debates[4]);
    let input = path("listed.jsonl");
    std::fs::write(&input, &listed).expect("written");
    let results = path("listed-results.jsonl");
    let _ = std::fs::remove_file(&results);
    let [input, out] = [&input, &results].map(|path| path.to_str().expect("UTF-8"));
    for resume in [&[][..], &["--resume"]] {
        let call = [&["rwea", "--input", input, "--out", out], resume].concat();
        let (status, _, stderr) = assay(&call, b"");
        assert_eq!(status, Status::Done, "{stderr}");
        assert_eq!(std::fs::read_to_string(out).expect("written"), expected);
    }
    // also where it was broken off among the debates of a line
    for kept in 0..=5 {
        let some: String = expected.split_inclusive('\n').take(kept).collect();
        std::fs::write(out, some + &expected[..kept]).expect("written");
        let call = ["rwea", "--input", input, "--out", out, "--resume"];
        assert_eq!(assay(&call, b"").0, Status::Done);
        let now = std::fs::read_to_string(out).expect("written");
        assert_eq!(now, expected, "{kept}");
    }
}

/// Results of other weights are found out, whatever is written before they are, and then nothing is.
#[test]
fn a_job_that_does_not_go_on_leaves_the_file_as_it_was() {
    let listed = lines(40);
    let listed: Vec<&str> = listed
        .lines()
        .filter(|line| line.contains("\"B\""))
        .collect();
    let listed: Vec<String> = listed
        .chunks(3)
        .map(|some| format!("[{}]\n", some.join(",")))
        .collect();
    let listed = listed.concat();
    let [input, results] = ["other.jsonl", "other-results.jsonl"].map(path);
    let _ = std::fs::remove_file(&results);
    let [input, out] = [&input, &results].map(|path| path.to_str().expect("UTF-8"));
    let job = ["rwea", "--input", input, "--out", out];
    std::fs::write(input, &listed).expect("written");
    assert_eq!(assay(&job, b"").0, Status::Done);
    let all = std::fs::read_to_string(out).expect("written");
    // broken off among the debates of a line
    let two = all.match_indices('\n').nth(1).expect("lines").0;
    // more new lines than are handed out at once
    for (new, before) in [("", &all[..]), (&lines(3_000), &all), ("", &all[..=two])] {
        std::fs::write(input, new.to_owned() + &listed).expect("written");
        std::fs::write(out, before).expect("written");
        let (status, _, stderr) = assay(
            &[&job[..], &["--resume", "--weights", "{\"w_base\": 9}"]].concat(),
            b"",
        );
        assert_eq!(status, Status::WrongUsage, "{stderr}");
        assert!(std::fs::read_to_string(out).expect("written") == before);
    }
    // two results of one debate that are not the same
    let line = all.lines().next().expect("a result");
    let before = format!(
        "{line}\n{}\n",
        line.replacen("\"score\":", "\"score\":1", 1)
    );
    std::fs::write(out, &before).expect("written");
    let (status, ..) = assay(&[&job[..], &["--resume"]].concat(), b"");
    assert_eq!(status, Status::WrongUsage);
    assert!(std::fs::read_to_string(out).expect("written") == before);
}

/// What a pipe gives can be read once.
#[cfg(unix)]
#[test]
fn a_pipe_is_read_by_lines() {
    let pipe = path("debates.pipe");
    let _ = std::fs::remove_file(&pipe);
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    let text = lines(500);
    let name = pipe.to_str().expect("UTF-8");
    let (_, expected, _) = assay(&["rwea", "--lines", "--stdin"], text.as_bytes());
    // who opens it a second time waits for ever
    let (done, found) = std::sync::mpsc::channel();
    let name = name.to_owned();
    std::thread::spawn(move || done.send(assay(&["rwea", "--lines", "--input", &name], b"").1));
    std::thread::spawn(move || std::fs::write(&pipe, &text));
    let found = found.recv_timeout(std::time::Duration::from_secs(60));
    let found = found.expect("it is read once");
    assert!(found == expected, "{} bytes", found.len());
}

/// Of several debates on a line a place is that in the line.
#[test]
fn places_are_those_of_the_line() {
    let text = lines(2);
    let good = text
        .lines()
        .find(|line| line.contains("\"B\""))
        .expect("a debate");
    let wrong = good.replacen("\"support\":", "\"support\":9", 1);
    assert_ne!(good, wrong);
    for (before, after) in [(format!("[{good},"), "]"), (format!("{good} "), "")] {
        let column =
            before.len() + wrong.find("\"support\":9").expect("there") + "\"support\":".len() + 1;
        let text = format!("\n{before}{wrong}{after}\n");
        for more in [&[][..], &["--lines"]] {
            let call = [&["rwea", "--stdin"], more].concat();
            let (status, _, stderr) = assay(&call, text.as_bytes());
            assert_eq!(status, Status::BadInput);
            assert!(
                stderr.contains(&format!("<stdin>:2:{column}: ")),
                "{column}: {stderr}"
            );
        }
    }
}

#[test]
fn a_debate_that_is_none_is_told_again_when_the_job_goes_on() {
    let text = lines(2);
    let (bad, good) = text.split_once('\n').expect("lines");
    let [input, results] = ["one-bad.jsonl", "one-bad-results.jsonl"].map(path);
    let _ = std::fs::remove_file(&results);
    let [input, out] = [&input, &results].map(|path| path.to_str().expect("UTF-8"));
    std::fs::write(input, format!("[{},{bad}]\n", good.trim_end())).expect("written");
    let job = ["rwea", "--input", input, "--out", out];
    assert_eq!(assay(&job, b"").0, Status::BadInput);
    let (status, _, stderr) = assay(&[&job[..], &["--resume"]].concat(), b"");
    assert_eq!(status, Status::BadInput, "{stderr}");
    assert!(stderr.contains("left out"), "{stderr}");
}

#[test]
fn what_is_wrong_with_the_options_is_said_once() {
    let text = lines(300);
    let call = |more: &[&str]| {
        assay(
            &[&["rwea", "--stdin", "--lines"], more].concat(),
            text.as_bytes(),
        )
    };
    let (status, stdout, stderr) = call(&["--weights", r#"{"w_bas": 1}"#]);
    assert_eq!((status, stdout.as_str()), (Status::Unended, ""));
    assert_eq!(stderr.matches("unknown weight").count(), 1, "{stderr}");
    let (_, stdout, stderr) = call(&["--domain", "finanse"]);
    assert_eq!(stdout.lines().count(), 294);
    assert_eq!(stderr.matches("unknown domain").count(), 1, "{stderr}");
}

#[test]
fn threads_and_files_of_results_are_what_they_can_be() {
    for threads in ["0", "-1", "many", "1025", "99999999999"] {
        let (status, _, stderr) = assay(&["rwea", "--stdin", "--lines", "--threads", threads], b"");
        assert_eq!(status, Status::WrongUsage);
        assert!(stderr.contains("a number from 1 to 1024"), "{stderr}");
    }
    for more in [&[][..], &["--resume"]] {
        let folder = env!("CARGO_TARGET_TMPDIR");
        let call = [&["rwea", "--stdin", "--lines", "--out", folder], more].concat();
        let (status, _, stderr) = assay(&call, lines(2).as_bytes());
        assert_eq!(status, Status::WrongUsage);
        assert!(stderr.contains("is no regular file"), "{stderr}");
    }
    let nowhere = path("no_folder/out.jsonl");
    let nowhere = nowhere.to_str().expect("UTF-8");
    let call = ["rwea", "--stdin", "--lines", "--out", nowhere];
    let (status, _, stderr) = assay(&call, lines(2).as_bytes());
    assert_eq!(status, Status::Unended);
    assert!(stderr.contains("cannot be written"), "{stderr}");
}

#[test]
fn what_is_packed_is_told() {
    let bytes = b"\x1f\x8b\x08\0\0\xff\n\xff\n\xff\n";
    let (status, _, stderr) = assay(&["rwea", "--stdin", "--lines"], bytes);
    assert_eq!(status, Status::Unended);
    assert!(stderr.contains("this is gzip"), "{stderr}");
    // and not of each line that it seems to have
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

/// Several debates on a line, words between, a fenced one: each is scored, and what is lost is told.
#[test]
fn no_debate_of_a_whole_file_is_lost() {
    // the first of them is none
    let all = lines(5);
    let [a, b, c, d] = all.lines().skip(1).collect::<Vec<_>>()[..] else {
        panic!("four debates");
    };
    let pretty: Value = serde_json::from_str(b).expect("JSON");
    let pretty = serde_json::to_string_pretty(&pretty).expect("JSON");
    for (text, status, told) in [
        (format!("{a} {b}, {c}\n{d}\n"), Status::Done, ""),
        (
            format!("{a}\n{b}\nKilled\n{c}\n{d}\nKilled\n"),
            Status::BadInput,
            ":3:1: warning: expected a JSON object on this line; this is left out, 2 times",
        ),
        (
            format!("{a}\nand\n```json\n{pretty}\n```\n{c}\n{d}\n"),
            Status::Done,
            "4 debates are read; what else stands in the text is not",
        ),
    ] {
        let (was, stdout, stderr) = assay(&["rwea", "--stdin"], text.as_bytes());
        assert_eq!(was, status, "{text}: {stderr}");
        assert_eq!(stdout.lines().count(), 4, "{text}");
        assert!(stderr.contains(told), "{stderr}");
    }
}
