//! A voice explains itself to the end: its shares add up to its score, whatever a reply is written in;
//! and traits by examples, which are learned in the same way.

use std::sync::OnceLock;

use assay::analysis::sum;
use assay::persona::voice::{Control, Explanation};
use assay::persona::{Inputs, Options, Run, Similarities, explain_trait, read};
use proptest::prelude::*;
use serde_json::json;

use crate::embedder::FakeEmbedder;

const PERSONA: &str = "exemplars:\n  - yo, it's up!\n  - nah fam, not today 🙃\n  - sent it just now :)\n  - はい、今すぐ送ります。\n  - ok done, have fun!\nlexicon: {preferred: [fam], avoid: [dear customer]}\nstyle_rules: {tone: [sardonic, friendly]}\ntrait_examples:\n  Sardonic:\n    - Oh good, another meeting about meetings.\n    - Sure, because that worked so well last time.\n";

/// Pieces of many scripts: joined letters, marks that combine, emoji of several characters, text that
/// runs from the right.
const PIECES: [&str; 16] = [
    "yo fam",
    "Dear customer, ",
    "مرحبا بالعالم",
    "こんにちは。",
    "申し訳ございません",
    "नमस्ते",
    "Ünïcödé",
    "e\u{301}e\u{301}",
    "👩‍👩‍👧‍👦",
    "🇯🇵🇯🇵",
    "\u{202e}abc\u{202c}",
    " ",
    "\n\n",
    "!!",
    "ǅ ß İ",
    "42 °C",
];

fn shipped() -> &'static Control {
    static CONTROL: OnceLock<Control> = OnceLock::new();
    CONTROL.get_or_init(|| {
        let json = std::fs::read_to_string("public/voice/control.json").expect("readable");
        Control::read(&json).expect("valid")
    })
}

fn run(replies: &[&str]) -> Run {
    let rows = replies.iter().enumerate();
    let rows = rows
        .map(|(at, text)| json!({"session_id": "s", "turn": at, "assistant": text}).to_string());
    let read = read(&Inputs {
        persona: PERSONA,
        transcript: &rows.collect::<Vec<_>>().join("\n"),
        ..Inputs::default()
    });
    read.result.expect("valid")
}

/// A run, learned once.
fn learned() -> &'static (Run, Similarities) {
    static LEARNED: OnceLock<(Run, Similarities)> = OnceLock::new();
    LEARNED.get_or_init(|| {
        let run = run(&["yo, done :)", "We apologise for the inconvenience."]);
        let measured = run.measured(&FakeEmbedder::hashing(), shipped());
        (run, measured)
    })
}

fn near(one: f64, other: f64) -> Result<(), TestCaseError> {
    let bound = 1e-9 * one.abs().max(other.abs()).max(1.0);
    prop_assert!((one - other).abs() <= bound, "{one} is not {other}");
    Ok(())
}

/// Base and parts are the log-odds, these the value; the signals are the part of the surface, and the
/// words that of the letters; each word stands where it says.
fn adds_up(text: &str, found: &Explanation) -> Result<(), TestCaseError> {
    let score = found.score;
    near(score.base + sum(&score.parts), score.log_odds)?;
    near(1.0 / (1.0 + (-score.log_odds).exp()), score.value)?;
    let shares = |pulls: &[assay::persona::voice::Pull]| {
        sum(&pulls.iter().map(|pull| pull.share).collect::<Vec<_>>())
    };
    near(shares(&found.signals), score.parts[0])?;
    near(shares(&found.words), score.parts[1])?;
    let length = text.chars().count();
    for pull in found.signals.iter().chain(&found.words) {
        for [start, end] in &pull.spans {
            prop_assert!(start < end && *end <= length, "{:?} at {start}", pull.what);
        }
    }
    Ok(())
}

#[test]
fn a_reply_without_letters_has_shares_and_no_places() {
    let (run, measured) = learned();
    let voice = measured.voice.as_ref().expect("a voice");
    for text in ["", " \n "] {
        let found = run.explain(voice, text, &FakeEmbedder::hashing());
        let found = found.expect("a vector");
        adds_up(text, &found).expect("shares that add up");
        assert!(found.words.iter().all(|word| word.spans.is_empty()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_shares_of_a_reply_add_up_to_its_score(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12),
        tail in "\\PC{0,24}",
    ) {
        let text = format!("{}{tail}", pieces.concat());
        let (run, measured) = learned();
        let embedder = FakeEmbedder::hashing();
        let voice = measured.voice.as_ref().expect("a voice");
        adds_up(&text, &run.explain(voice, &text, &embedder).expect("a vector"))?;
        let contrast = measured.told[0].learned.contrast.as_ref().expect("two examples");
        adds_up(&text, &explain_trait(contrast, &text, &embedder).expect("a vector"))?;
    }
}

#[test]
fn the_result_has_the_same_shares() {
    let (run, measured) = learned();
    let scored = run.score_with(&Options::default(), Some(measured)).result;
    for turn in &scored.expect("scored").sessions[0].turns {
        let parts = turn.voice_parts.expect("a voice");
        let all = [parts.surface, parts.ngrams, parts.vectors, parts.nearest];
        let value = 1.0 / (1.0 + (-(parts.base + sum(&all))).exp());
        assert!((value - turn.voice.expect("a voice")).abs() < 1e-9);
    }
}

#[test]
fn a_word_without_a_detector_is_told_by_its_examples() {
    let (run, measured) = learned();
    let scored = run.score_with(&Options::default(), Some(measured)).result;
    let result = scored.expect("scored");
    // it can be measured: nothing says that it cannot
    assert!(
        !result.notes.iter().any(|note| note.contains("sardonic")),
        "{:?}",
        result.notes
    );
    let summary = &result.taught[0];
    assert_eq!((&*summary.word, summary.examples), ("sardonic", 2));
    let values: Vec<f64> = result.sessions[0]
        .turns
        .iter()
        .map(|turn| turn.taught[0].value)
        .collect();
    let mean = sum(&values) / values.len() as f64;
    assert!((summary.mean.expect("a mean") - mean).abs() < 1e-12);
    // beside the score, never in it: without examples every other figure is the same
    let without = read(&Inputs {
        persona: PERSONA.split("trait_examples").next().expect("the rest"),
        transcript: "{\"session_id\": \"s\", \"turn\": 0, \"assistant\": \"yo, done :)\"}\n{\"session_id\": \"s\", \"turn\": 1, \"assistant\": \"We apologise for the inconvenience.\"}",
        ..Inputs::default()
    });
    let without = without.result.expect("valid");
    let bare = without.measured(&FakeEmbedder::hashing(), shipped());
    let bare = without.score_with(&Options::default(), Some(&bare)).result;
    let bare = bare.expect("scored");
    assert_eq!(bare.overall, result.overall);
    assert_eq!(bare.voice, result.voice);
    assert!(bare.taught.is_empty());
    let says = |note: &String| note.contains("\"sardonic\" cannot be measured");
    assert!(bare.notes.iter().any(says), "{:?}", bare.notes);
}

#[test]
fn one_example_is_too_few_and_that_is_said() {
    let persona = "exemplars: [a, b]\ntrait_examples: {dry: [Thrilling.]}";
    let run = read(&Inputs {
        persona,
        transcript: "{\"session_id\": \"s\", \"turn\": 1, \"assistant\": \"yo\"}",
        ..Inputs::default()
    });
    let said: Vec<&str> = run.problems.iter().map(|one| &*one.message).collect();
    assert!(
        said.iter().any(|one| one.contains("at least 2 examples")),
        "{said:?}"
    );
    let run = run.result.expect("a warning only");
    let measured = run.measured(&FakeEmbedder::hashing(), shipped());
    let result = run.score_with(&Options::default(), Some(&measured)).result;
    let result = result.expect("scored");
    assert_eq!((result.taught[0].mean, result.taught.len()), (None, 1));
    assert!(result.sessions[0].turns[0].taught.is_empty());
    let note = "dry by its examples is not measured: it needs at least 2 examples";
    assert!(
        result.notes.iter().any(|one| one.starts_with(note)),
        "{:?}",
        result.notes
    );
}
