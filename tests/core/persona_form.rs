//! A persona's form and its text through random edits: each change does what it
//! says and nothing else, in each spelling and layout; comments and unknown keys stay.

use assay::persona::form::{Change, Field, Form, List};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Three spellings, odd layouts, comments, unknown keys, every kind of quotes.
const TEXTS: [&str; 5] = [
    "# a voice 🔒\nid: m # its id\ndisplay_name: 'M''s'\nx-note: kept # x\nexemplars: # why\n  - \"one\"  # first\n  - 'it''s two'\n  - |\n    three\n\n    lines\n  # between\n  - >-\n    folded\n    lines\n  - plain\n    goes on\n\nlexicon:\n    preferred:\n    - ride\n    - \"a: b\"\n    avoid: [lol, \"x, y\"]\n    x-more: {a: [1, 2]}\nstyle_rules:\n  tone: [\"friendly\", warm]\n  x-rule: {allowed: false} # kept\n  formality: casual\n# the end",
    "name: N\nexamples: [x, 'y']\nvoice:\n  # words\n  lexicon: {preferred: [p], avoided: [q, r]} # here\n  tone: warm\n  x-v: 1\nx-last:\n",
    "{\"id\": \"a\", \"x-note\" :\"kept\",\n \"examples\":[\"x\",\n  \"y\"],\n \"voice\": {\"tone\": \"friendly\", \"x-v\": [1, {\"a\": null}], \"verbosity\": \"concise\"}\n}\n",
    "id: only\n",
    "off_brand: [stiff] # here\nx-notes:\n  # what we never say\n  tones:\n    off_brand: # there\n      - \"Dear customer\"\n      # between\n      - 'per our policy'\n    x-rest: 1 # kept\n",
];

fn some_change(form: &Form, random: &mut ChaCha8Rng) -> Change {
    const WORDS: [&str; 14] = [
        "a word",
        "7",
        "true",
        "a: b",
        "# no",
        "two\nlines",
        "it's",
        "say \"x\"",
        "ünï 猫",
        "- dash",
        "{",
        "  spaces  ",
        "tab\tand\\n",
        "null",
    ];
    let mut below = |most: usize| random.random_range(0..most.max(1));
    let word = WORDS[below(WORDS.len())].to_owned();
    let field = Field::ALL[below(5)];
    let list = List::ALL[below(5)];
    let count = form.list(list).len();
    match below(8) {
        0 => Change::Field(field, word),
        1 => Change::Field(field, String::new()),
        2 | 3 if count > 0 => Change::Entry(list, below(count), word),
        4 if count > 1 => Change::Remove(list, below(count)),
        5 if count > 1 => Change::Move {
            list,
            from: below(count),
            to: below(count),
        },
        6 if count > 3 => Change::Remove(list, below(count)),
        _ => Change::Add(list, word),
    }
}

/// Everything a form says.
fn facts(form: &Form) -> (Vec<String>, Vec<Vec<String>>) {
    let fields = Field::ALL.map(|field| form.field(field).text.clone());
    let lists = List::ALL.map(|list| {
        let entries = form.list(list).iter();
        entries.map(|entry| entry.text.clone()).collect()
    });
    (fields.to_vec(), lists.to_vec())
}

/// What the form is to say after a change.
fn expected(form: &Form, change: &Change) -> (Vec<String>, Vec<Vec<String>>) {
    let (mut fields, mut lists) = facts(form);
    match change.clone() {
        Change::Start => {}
        Change::Field(field, typed) => fields[field as usize] = typed,
        Change::Entry(list, index, typed) => lists[list.slot()][index] = typed,
        Change::Add(list, typed) => lists[list.slot()].push(typed),
        Change::Remove(list, index) => {
            lists[list.slot()].remove(index);
        }
        Change::Move { list, from, to } => {
            let moved = lists[list.slot()].remove(from);
            lists[list.slot()].insert(to, moved);
        }
    }
    (fields, lists)
}

/// What the form does not know: keys and comments.
fn kept(text: &str) -> Vec<String> {
    let keys = text.match_indices("x-").map(|(at, _)| {
        let rest: String = text[at..].chars().take(14).collect();
        rest.lines().next().unwrap_or_default().to_owned()
    });
    let comments = [
        "# a voice",
        "# between",
        "# why",
        "# words",
        "# the end",
        "# here",
    ];
    let comments = comments
        .into_iter()
        .filter(|comment| text.contains(comment));
    keys.chain(comments.map(str::to_owned)).collect()
}

#[test]
fn form_and_text_stay_in_step_through_random_edits() {
    let (mut done, mut refused) = (0, 0);
    for (number, start) in TEXTS.into_iter().enumerate() {
        for seed in 0..4 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut text = start.to_owned();
            for edit in 0..250 {
                let before = Form::read(&text).expect("a persona");
                let change = some_change(&before, &mut random);
                let says =
                    || format!("text {number}, seed {seed}, edit {edit}: {change:?}\n{text}");
                let Some(changed) = before.apply(&change) else {
                    refused += 1;
                    continue;
                };
                let after = Form::read(&changed).unwrap_or_else(|| panic!("{}\n{changed}", says()));
                if !matches!(change, Change::Field(_, ref typed) if typed.is_empty()) {
                    assert_eq!(
                        facts(&after),
                        expected(&before, &change),
                        "{}\n{changed}",
                        says()
                    );
                }
                assert_eq!(kept(&changed), kept(&text), "{}\n{changed}", says());
                if number == 2 {
                    let read = serde_json::from_str::<serde_json::Value>(&changed);
                    assert!(read.is_ok(), "JSON stays JSON: {}\n{changed}", says());
                }
                done += 1;
                text = changed;
            }
        }
    }
    println!("{done} changes made, {refused} refused");
    assert!(done > 3_600, "{refused} of {} are refused", done + refused);
}

#[test]
fn a_change_touches_one_line() {
    const EXAMPLE: &str = include_str!("../../public/examples/persona.yaml");
    let differing = |change: &Change| {
        let form = Form::read(EXAMPLE).expect("a persona");
        let changed = form.apply(change).expect("possible");
        let (old, new): (Vec<_>, Vec<_>) = (EXAMPLE.lines().collect(), changed.lines().collect());
        let added = new.iter().filter(|line| !old.contains(line));
        let gone = old.iter().filter(|line| !new.contains(line));
        let owned = |line: &&str| (*line).to_owned();
        (
            gone.map(owned).collect::<Vec<_>>(),
            added.map(owned).collect::<Vec<_>>(),
        )
    };
    let (gone, added) = differing(&Change::Entry(List::Preferred, 1, "garage".into()));
    assert_eq!(
        (gone, added),
        (
            vec!["    - \"workshop\"".into()],
            vec!["    - \"garage\"".into()]
        )
    );
    let (gone, added) = differing(&Change::Add(List::Avoided, "bro".into()));
    assert_eq!((gone.len(), added), (0, vec!["    - \"bro\"".to_owned()]));
    let (gone, added) = differing(&Change::Field(Field::Formality, "casual".into()));
    assert_eq!(
        (gone, added),
        (
            vec!["  formality: business_casual".into()],
            vec!["  formality: casual".into()]
        )
    );
    let (gone, added) = differing(&Change::Remove(List::Tone, 1));
    assert_eq!(
        (gone.len(), added),
        (1, vec!["  tone: [\"friendly\", \"practical\"]".to_owned()])
    );
}

#[test]
fn a_persona_begins_in_an_empty_text() {
    let mut text = Form::default().apply(&Change::Start).expect("always");
    for change in [
        Change::Entry(List::Exemplars, 0, "Check the log first.".into()),
        Change::Add(List::Preferred, "log".into()),
        Change::Field(Field::Name, "The helper".into()),
        Change::Field(Field::Formality, "casual".into()),
        Change::Add(List::Tone, "technical".into()),
        Change::Add(List::Tone, "friendly".into()),
    ] {
        let form = Form::read(&text).expect("a persona");
        let changed = form.apply(&change);
        text = changed.unwrap_or_else(|| panic!("{change:?} in {text}"));
    }
    let transcript = r#"{"session_id": "s", "turn": 1, "assistant": "Check the log."}"#;
    let inputs = assay::persona::Inputs {
        persona: &text,
        transcript,
        ..assay::persona::Inputs::default()
    };
    let read = assay::persona::read(&inputs);
    assert_eq!(read.problems, vec![], "{text}");
    assert!(read.result.is_some());
}

#[test]
fn what_is_no_persona_has_no_form() {
    for text in ["[1]", "hello", "a: [", "{\"id\": ]"] {
        assert_eq!(Form::read(text), None, "{text}");
    }
    let change = Change::Field(Field::Id, "x".into());
    assert_eq!(Form::default().apply(&change), None);
}

/// A tone that no detector knows gets examples: the key is made where there is none, in the spelling that
/// is there, and a word that YAML would read as something else is quoted.
#[test]
fn a_word_without_a_detector_is_given_examples() {
    let text = "id: a # a voice\nstyle_rules:\n  tone: [friendly, Dry wit, 'no']\n";
    let form = Form::read(text).expect("a persona");
    assert_eq!(form.taught(), ["dry_wit", "no"]);
    assert!(!form.is_taught("Dry wit"));
    let change = Change::Add(List::Examples(0), "Oh, how novel: rain.".into());
    let one = form.apply(&change).expect("a place");
    assert_eq!(
        one,
        format!("{text}trait_examples:\n  dry_wit:\n    - \"Oh, how novel: rain.\"\n")
    );
    let form = Form::read(&one).expect("a persona");
    assert!(form.is_taught("Dry-Wit") && !form.is_taught("friendly"));
    let change = Change::Add(List::Examples(0), "Thrilling.".into());
    let two = form.apply(&change).expect("a place");
    let form = Form::read(&two).expect("a persona");
    assert_eq!(form.list(List::Examples(0)).len(), 2);
    let change = Change::Add(List::Examples(1), "Never.".into());
    let three = Form::read(&two).expect("a persona").apply(&change);
    let three = three.expect("a place");
    assert!(three.ends_with("  \"no\":\n    - Never.\n"), "{three}");
    // examples of a word that is no tone have their list, too
    let form = Form::read("trait_examples: {Sardonic: [x, y]}").expect("a persona");
    assert_eq!(form.taught(), ["sardonic"]);
    let change = Change::Add(List::Examples(0), "z".into());
    assert_eq!(
        form.apply(&change).as_deref(),
        Some("trait_examples: {Sardonic: [x, y, z]}")
    );
}
