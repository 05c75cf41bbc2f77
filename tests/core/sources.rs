//! Every source: a small document of our own in exactly its shape is known as what it is and as
//! nothing else, and read to known figures. A source is a `NAME.expected.json` in
//! `tests/data/sources`, beside the file that it names.
//!
//! `items` are the ids (or else the titles) of what is inside. A case makes a document of the items
//! `pick` and says what our scorers make of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use assay::sources::{FORMATS, File, Kind, Listing, Made, Wanted, together};
use assay::steps::{THROUGH, at_once};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Expected {
    file: String,
    format: String,
    items: Vec<String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    pick: Vec<usize>,
    kind: Kind,
    #[serde(default)]
    mapping: BTreeMap<String, assay::sources::Value>,
    #[serde(flatten)]
    figures: BTreeMap<String, Value>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/sources")
}

fn all() -> Vec<Expected> {
    let mut found: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".expected.json"))
        .collect();
    found.sort();
    let read = found.iter().map(|path| {
        let text = fs::read_to_string(path).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    });
    read.collect()
}

fn opened(expected: &Expected) -> File {
    let bytes = fs::read(folder().join(&expected.file)).unwrap();
    let file = File::open(&expected.file, Box::new(bytes), None).unwrap();
    assert!(
        file.listings.len() == 1 && file.strange.is_empty(),
        "{file:?}: {:?}",
        file.strange
    );
    file
}

#[test]
fn every_format_has_a_sample() {
    let known: Vec<_> = all().into_iter().map(|expected| expected.format).collect();
    for format in FORMATS {
        assert!(
            known.iter().any(|key| key == format.key),
            "{} has no sample",
            format.key
        );
    }
}

#[test]
fn every_source_is_known_as_what_it_is_and_as_nothing_else() {
    for expected in all() {
        let opened = opened(&expected);
        let (listing, file): (&Listing, _) = (&opened.listings[0], &expected.file);
        assert_eq!(
            listing.format.key, expected.format,
            "{file}: {}",
            listing.because
        );
        assert!(listing.ties.is_empty(), "{file}: {:?}", listing.ties);
        let names = listing.items.iter().map(|item| match item.id.as_str() {
            "" => item.title.as_str(),
            id => id,
        });
        assert_eq!(names.collect::<Vec<_>>(), expected.items, "{file}");
    }
}

#[test]
fn every_source_is_read_to_known_figures() {
    for expected in all() {
        let opened = opened(&expected);
        let listing = &opened.listings[0];
        for case in &expected.cases {
            let items = case.pick.iter().map(|pick| &listing.items[*pick]);
            let wanted = Wanted {
                kind: case.kind,
                file: &expected.file,
                because: &listing.because,
                mapping: case.mapping.clone(),
            };
            for item in items {
                assert!(
                    item.makes.contains(&case.kind),
                    "{}: {:?}",
                    expected.file,
                    item.makes
                );
            }
            let made = opened.make(0, &case.pick, &wanted).unwrap();
            let mut figures = figures(&made);
            let own = fs::read_to_string(folder().join(&expected.file)).unwrap();
            figures.insert("byte_for_byte".into(), Value::from(own == made.text));
            for (name, value) in &case.figures {
                let found = figures.get(name);
                assert_eq!(
                    found,
                    Some(value),
                    "{} {name} of:\n{}",
                    expected.file,
                    made.text
                );
            }
        }
    }
}

/// The words that a call of `name` begins with, in the sources of the readers.
fn named_in(text: &str, name: &str) -> Vec<String> {
    let calls = text.split(name).skip(1);
    let words = calls.filter_map(|call| {
        let call = call.trim_start_matches('(').trim_start();
        let call = call.strip_prefix("&format!(").unwrap_or(call);
        call.strip_prefix('"')?.split(['"', '{']).next()
    });
    words.map(str::to_owned).collect()
}

#[test]
fn what_is_left_out_has_a_reason() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/sources");
    let mut names = Vec::new();
    for part in ["formats", "make", "unpack", "."] {
        for entry in fs::read_dir(folder.join(part)).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_file() && !path.ends_with("notes.rs") {
                let text = fs::read_to_string(path).expect("a source");
                for call in ["notes.drop", ".drop", "drop_many", "what: "] {
                    names.extend(named_in(&text, call));
                }
            }
        }
    }
    assert!(names.len() > 60, "{}", names.len());
    for what in names {
        let dropped = assay::sources::Dropped {
            what,
            times: 1,
            first_line: 0,
        };
        assert_ne!(dropped.why(), "", "{:?}", dropped.what);
    }
    for expected in all() {
        let opened = opened(&expected);
        for dropped in &opened.listings[0].notes.dropped {
            assert_ne!(dropped.why(), "", "{:?}", dropped.what);
        }
    }
}

#[derive(Deserialize)]
struct Together {
    files: Vec<String>,
    items: Vec<String>,
    cases: Vec<Case>,
}

/// Several logs of one task are a debate: worked out by hand in `inspect-logs.together.json`.
#[test]
fn several_files_are_read_together_to_known_figures() {
    let text = fs::read_to_string(folder().join("inspect-logs.together.json")).expect("a sample");
    let expected: Together = serde_json::from_str(&text).expect("JSON");
    let (joined, apart) = (joined(&expected.files), joined(&expected.files[..1]));
    assert!(apart.is_none());
    let joined = joined.expect("logs of one task");
    let names: Vec<_> = joined.listings[0]
        .items
        .iter()
        .map(|item| &item.id)
        .collect();
    assert_eq!(names, expected.items.iter().collect::<Vec<_>>());
    assert_eq!(joined.listings[0].noun, "3 logs of Inspect");
    for case in &expected.cases {
        let wanted = Wanted {
            kind: case.kind,
            file: &joined.name,
            because: &joined.listings[0].because,
            mapping: case.mapping.clone(),
        };
        let made = joined.make(0, &case.pick, &wanted).expect("a debate");
        let figures = figures(&made);
        for (name, value) in &case.figures {
            assert_eq!(figures.get(name), Some(value), "{name} of:\n{}", made.text);
        }
    }
}

fn joined(files: &[String]) -> Option<File> {
    let opened = files.iter().map(|file| {
        let bytes = fs::read(folder().join(file)).expect("a sample");
        File::open(file, Box::new(bytes), None).expect("a log")
    });
    let opened: Vec<File> = opened.collect();
    at_once(together(&opened.iter().collect::<Vec<_>>(), THROUGH))
}

#[test]
fn logs_of_other_tasks_are_no_debate_and_it_is_said_why() {
    let files = ["inspect-logs-b.json", "inspect-logs-other.json"];
    let joined = joined(&files.map(str::to_owned)).expect("logs");
    let listing = &joined.listings[0];
    assert!(listing.items.is_empty());
    let says = |at: usize| listing.notes.problems[at].message.as_str();
    assert!(says(0).starts_with("inspect-logs-b.json: the task \"wells\" on \"deep wells\" has one model here (house/small), and one candidate is no debate"), "{}", says(0));
    assert!(
        says(1).starts_with("inspect-logs-other.json: the task \"bridges\" on"),
        "{}",
        says(1)
    );
}

/// The mapping that was used, read from the marks that the document keeps, gives its ratings.
#[test]
fn the_marks_of_every_debate_give_its_ratings() {
    use assay::debate::{Options, Profiles, league, parse, read_from, readings};
    let (mut with_marks, mut leagues) = (0, 0);
    for expected in all() {
        let opened = opened(&expected);
        let debates = expected.cases.iter();
        for case in debates.filter(|case| case.kind == Kind::Debate) {
            let wanted = Wanted {
                kind: case.kind,
                file: &expected.file,
                because: "",
                mapping: case.mapping.clone(),
            };
            let made = opened.make(0, &case.pick, &wanted).expect("a debate");
            let parsed = parse(&made.text);
            for index in 0..parsed.pieces().len() {
                let Some(payload) = read_from(&parsed, index).result else {
                    continue;
                };
                leagues += usize::from(league(&payload).is_some());
                let found = readings(&payload, Profiles::built_in(), &Options::default());
                let Some(found) = found else {
                    continue;
                };
                with_marks += 1;
                assert_eq!(found.kept, 0, "{}:\n{}", expected.file, made.text);
                let firsts: f64 = found.candidates.iter().map(|own| own.first).sum();
                assert!((firsts - 1.0).abs() < 1e-3, "{found:?}");
            }
        }
    }
    assert!(
        with_marks > 5 && leagues > 1,
        "{with_marks} with marks, {leagues} leagues"
    );
}

#[test]
fn rows_that_follow_each_other_are_one_stretch_however_they_are_indented() {
    let rows = (0..50).map(
        |at| serde_json::json!({"model_a": format!("m{at}"), "model_b": "n", "winner": "model_a"}),
    );
    let text = format!("{:#}", rows.collect::<Value>());
    let text = text.replace('\n', "\n          ");
    let file = known(&text.into_bytes(), None).expect("a known format");
    let listing = &file.listings[0];
    assert_eq!(listing.items[0].stretches.len(), 1);
    assert_eq!(listing.items[0].count, 50);
}

/// Each value of a sample is replaced by an odd one, one at a time.
#[test]
fn no_value_of_a_ballot_is_a_surprise() {
    let odd = [
        serde_json::json!(null),
        serde_json::json!(-1e308),
        serde_json::json!("\u{0}<b>"),
        serde_json::json!([[]]),
        serde_json::json!({"": {}}),
    ];
    for expected in all() {
        let debates = expected.cases.iter().any(|case| case.kind == Kind::Debate);
        if !debates || expected.format.starts_with("assay-") {
            continue;
        }
        let text = fs::read_to_string(folder().join(&expected.file)).expect("a sample");
        let rows = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        let whole: Vec<Value> = rows.map(|row| row.expect("JSON")).collect();
        let places: usize = whole.iter().map(places).sum();
        for at in 0..places {
            let mut rows = whole.clone();
            let mut left = at;
            let odd = &odd[at % odd.len()];
            rows.iter_mut().any(|row| replace(row, &mut left, odd));
            let lines = rows.iter().map(Value::to_string).collect::<Vec<_>>();
            makes_readable_debates(&lines.join("\n").into_bytes(), &expected.format);
        }
    }
}

/// How many values are in a value, itself included.
fn places(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(places).sum(),
        Value::Object(entries) => entries.values().map(places).sum(),
        _ => 0,
    }
}

/// Replaces the value at a place of a walk; whether the place was found.
fn replace(value: &mut Value, left: &mut usize, by: &Value) -> bool {
    if *left == 0 {
        *value = by.clone();
        return true;
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| replace(item, left, by)),
        Value::Object(entries) => entries.values_mut().any(|value| replace(value, left, by)),
        _ => false,
    }
}

fn known(bytes: &[u8], format: Option<&str>) -> Option<File> {
    let file = File::open("a.json", Box::new(bytes.to_vec()), format).ok()?;
    (!file.listings.is_empty()).then_some(file)
}

fn makes_readable_debates(bytes: &[u8], format: &str) {
    let Some(file) = known(bytes, Some(format)) else {
        return;
    };
    let listing = &file.listings[0];
    let items = listing.items.iter().enumerate();
    let debates = items.filter(|(_, item)| item.makes.contains(&Kind::Debate));
    let items: Vec<usize> = debates.map(|(at, _)| at).collect();
    let wanted = Wanted {
        kind: Kind::Debate,
        file: "a.json",
        because: &listing.because,
        mapping: BTreeMap::new(),
    };
    let made = file.make(0, &items, &wanted).expect("bytes in memory");
    let text = String::from_utf8_lossy(bytes);
    if made.text.is_empty() {
        let says = |words: &str| {
            let problems = &made.notes.problems;
            problems
                .iter()
                .any(|problem| problem.message.contains(words))
        };
        assert!(items.is_empty() || says("a debate needs two"), "{text}");
        return;
    }
    let parsed = assay::debate::parse(&made.text);
    for index in 0..parsed.pieces().len() {
        let read = assay::debate::read_from(&parsed, index);
        assert_eq!(read.errors().next(), None, "{text}\n{}", made.text);
    }
}

/// What our scorers make of a document.
fn figures(made: &Made) -> BTreeMap<String, Value> {
    let figures = match made.kind {
        Kind::Turns => of_turns(&made.text),
        Kind::Debate => of_debate(&made.text),
        Kind::Transcript => of_transcript(&made.text),
        Kind::Persona => of_persona(&made.text),
    };
    let left_out = made.notes.dropped.iter();
    let left_out = left_out.map(|dropped| (dropped.what.clone(), Value::from(dropped.times)));
    let problems = made
        .notes
        .problems
        .iter()
        .map(|problem| problem.message.clone());
    let mapping = made.mapping.iter().map(|setting| {
        let value = serde_json::to_value(&setting.value).unwrap();
        (setting.key.clone(), value)
    });
    let about = [
        ("left_out", Value::Object(left_out.collect())),
        ("problems", problems.collect()),
        ("mapping_used", Value::Object(mapping.collect())),
    ];
    let all = figures.into_iter().chain(about);
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn rounded(value: f64) -> Value {
    Value::from((value * 10_000.0).round() / 10_000.0)
}

fn of_turns(text: &str) -> Vec<(&'static str, Value)> {
    let read = assay::constitution::read(text);
    assert_eq!(read.problems, [], "{text}");
    let log = read.result.unwrap();
    let scored = assay::constitution::score(&log, &assay::constitution::Options::default());
    let scored = scored.result.unwrap();
    let turns: Vec<Value> = text_turns(text);
    let of = |of: &dyn Fn(&Value) -> Value| turns.iter().map(of).collect::<Value>();
    vec![
        ("turns", Value::from(log.turns.len())),
        (
            "sessions",
            log.sessions
                .iter()
                .map(|session| Value::from(session.id.as_deref()))
                .collect(),
        ),
        ("mean_total", rounded(scored.session.mean_total)),
        (
            "tools",
            of(&|turn| {
                turn["turn_result"]["tools"]
                    .as_array()
                    .map_or(0, Vec::len)
                    .into()
            }),
        ),
        (
            "passed",
            of(&|turn| turn["turn_result"]["tools_passed"].clone()),
        ),
        ("mutations", of(&|turn| turn["has_mutations"].clone())),
        ("users", of(&|turn| turn["user_message"].clone())),
        (
            "responses",
            of(&|turn| turn["turn_result"]["response"].clone()),
        ),
        (
            "context",
            of(&|turn| turn["turn_result"]["context_utilization"].clone()),
        ),
    ]
}

/// The turns of a document, one after the other.
fn text_turns(text: &str) -> Vec<Value> {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let sessions = values.map(|value| value.unwrap());
    sessions
        .flat_map(|session| match session["turns"].as_array() {
            Some(turns) => turns.clone(),
            // a turn in a line
            None => vec![session],
        })
        .collect()
}

fn of_debate(text: &str) -> Vec<(&'static str, Value)> {
    let parsed = assay::debate::parse(text);
    let mut all = Vec::new();
    for index in 0..parsed.pieces().len() {
        let read = assay::debate::read_from(&parsed, index);
        // a pair without a winner is a warning
        assert_eq!(read.errors().next(), None, "{text}");
        let payload = read.result.unwrap();
        let reviews = payload.candidates.iter().map(|candidate| {
            let reviews = candidate.reviews.iter();
            let reviews = reviews.map(|review| {
                let ratings = [
                    review.support,
                    review.evidence,
                    review.major_risks,
                    review.critical_fail,
                ];
                let ratings: Vec<_> = ratings.iter().map(i64::to_string).collect();
                Value::from(format!(
                    "{} {}",
                    review.debater.as_deref().unwrap_or("?"),
                    ratings.join("")
                ))
            });
            (candidate.id.clone(), reviews.collect::<Value>())
        });
        let reviews = Value::Object(reviews.collect());
        let wins = payload
            .candidates
            .iter()
            .map(|candidate| (candidate.id.clone(), candidate.wins.into()));
        let wins = Value::Object(wins.collect());
        let scored = assay::debate::evaluate(text, &assay::debate::Options::default());
        let winner = match parsed.pieces().len() {
            1 => scored.result.map(|result| result.winner),
            _ => None,
        };
        let met = payload.origin.iter().flat_map(|origin| &origin.league);
        let met = met.map(|met| {
            let [won, lost, tied] = met.counts;
            format!("{} {won} {lost} {tied}", met.ids.join(" - "))
        });
        let met: Vec<String> = met.collect();
        all.push(vec![
            ("league", Value::from(met)),
            ("question", Value::from(payload.question.clone())),
            ("reviews", reviews),
            ("wins", wins),
            ("winner", Value::from(winner.flatten())),
        ]);
    }
    let number = Value::from(all.len());
    let mut first = all.into_iter().next().unwrap_or_default();
    first.push(("debates", number));
    first
}

fn of_transcript(text: &str) -> Vec<(&'static str, Value)> {
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> = rows.collect();
    let mut sessions: Vec<_> = rows
        .iter()
        .map(|row| row["session_id"].as_str().unwrap())
        .collect();
    sessions.sort_unstable();
    sessions.dedup();
    let replies: Vec<&Value> = rows
        .iter()
        .filter(|row| row["role"] == "assistant")
        .collect();
    vec![
        ("sessions", sessions.into_iter().map(Value::from).collect()),
        ("rows", Value::from(rows.len())),
        ("responses", Value::from(replies.len())),
        (
            "texts",
            replies.iter().map(|row| row["text"].clone()).collect(),
        ),
        (
            "labels",
            replies.iter().map(|row| row["label"].clone()).collect(),
        ),
        ("tags", rows.iter().map(|row| row["tags"].clone()).collect()),
        (
            "persona_ids",
            rows.iter().map(|row| row["persona_id"].clone()).collect(),
        ),
    ]
}

fn of_persona(text: &str) -> Vec<(&'static str, Value)> {
    let node =
        assay::document::parse_yaml(text).unwrap_or_else(|problem| panic!("{problem:?}: {text}"));
    let texts = |key: &str| {
        let list = node.find(key).map_or(&[][..], assay::document::Node::items);
        list.iter()
            .map(|item| Value::from(item.text()))
            .collect::<Value>()
    };
    let field = |key: &str| Value::from(node.get(key).and_then(assay::document::Node::text));
    vec![
        ("id", field("id")),
        ("name", field("display_name")),
        ("description", field("description")),
        ("exemplars", texts("exemplars")),
        (
            "taken",
            assay::sources::told(text).map_or(Value::Null, |told| told.taken.into_iter().collect()),
        ),
        ("preferred", texts("lexicon.preferred")),
        ("avoided", texts("lexicon.avoid")),
    ]
}

/// Opens a file, and makes every kind of document of all that is in it.
fn make_all(bytes: &[u8]) {
    let Ok(file) = File::open("a", Box::new(bytes.to_vec()), None) else {
        return;
    };
    for (at, listing) in file.listings.iter().enumerate() {
        let all: Vec<usize> = (0..listing.items.len()).collect();
        for kind in Kind::ALL {
            let makes = |place: &&usize| listing.items[**place].makes.contains(&kind);
            let items: Vec<usize> = all.iter().filter(makes).copied().collect();
            let wanted = Wanted {
                kind,
                file: "a",
                because: &listing.because,
                mapping: BTreeMap::new(),
            };
            if !items.is_empty() {
                // it may say in words why it cannot be made
                let _ = file.make(at, &items, &wanted);
            }
        }
    }
}

/// Files that are cut anywhere, and such with bytes that are others, do no harm.
#[test]
fn any_cut_and_any_byte_changed_does_no_harm() {
    use rand::{Rng, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(13);
    let odd = [
        0, b'"', b'{', b'}', b'[', b']', b',', b'\\', b'\n', b'9', b'-', 0xff,
    ];
    for expected in all() {
        let bytes = fs::read(folder().join(&expected.file)).unwrap();
        for _ in 0..12 {
            make_all(&bytes[..random.random_range(0..bytes.len())]);
            let mut changed = bytes.clone();
            for _ in 0..random.random_range(1..4) {
                let at = random.random_range(0..changed.len());
                changed[at] = odd[random.random_range(0..odd.len())];
            }
            make_all(&changed);
        }
    }
}
