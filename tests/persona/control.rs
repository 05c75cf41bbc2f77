//! A control sample of one's own: what the voice is held against in the place of the one that ships.

use assay::persona::voice::{Control, ControlSource};
use assay::persona::{Inputs, Options, PersonaResult, Run, read};
use serde_json::json;

use crate::embedder::FakeEmbedder;

const PERSONA: &str = "exemplars:\n  - yo, it's up!\n  - nah fam, not today\n  - sent it just now :)\n  - lol sure, one sec\n  - ok done, have fun!\n";
const TRANSCRIPT: &str = r#"{"session_id": "s", "turn": 1, "assistant": "yo, done :)"}"#;

fn run(control: Option<&str>) -> Run {
    let read = read(&Inputs {
        persona: PERSONA,
        transcript: TRANSCRIPT,
        control,
        ..Inputs::default()
    });
    read.result.expect("valid")
}

fn scored(run: &Run) -> PersonaResult {
    let embedder = FakeEmbedder::hashing();
    let shipped = std::fs::read_to_string("public/voice/control.json").expect("readable");
    let shipped = Control::read(&shipped).expect("valid");
    let measured = run.measured(&embedder, &shipped);
    let scored = run.score_with(&Options::default(), Some(&measured));
    scored.result.expect("scored")
}

/// Stiff replies, as JSONL.
fn stiff(number: usize) -> String {
    let row = |at: usize| {
        json!({"text": format!("Dear customer, your request number {at} has been received.")})
            .to_string()
    };
    (0..number).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_voice_is_held_against_the_sample_that_is_given() {
    let own = stiff(20);
    let (shipped, given) = (scored(&run(None)), scored(&run(Some(&own))));
    let shipped = shipped.voice.expect("a voice");
    let voice = given.voice.as_ref().expect("a voice");
    assert_eq!(
        (shipped.control.source, shipped.control.texts),
        (ControlSource::Shipped, 410)
    );
    assert_eq!(
        (voice.control.source, voice.control.texts),
        (ControlSource::Given, 20)
    );
    assert_eq!(voice.learned_from.control, 20);
    assert_ne!(voice.control.sha256, shipped.control.sha256);
    // the same texts in another shape are the same sample
    let texts: Vec<serde_json::Value> = own
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a row")["text"].clone())
        .collect();
    let again = scored(&run(Some(&json!(texts).to_string())));
    assert_eq!(again.voice, given.voice);
    assert_ne!(again.input_sha256, given.input_sha256);
    assert_ne!(voice.metric, shipped.metric);
    let json = serde_json::to_value(&given).expect("plain data");
    assert_eq!(json["voice"]["control"]["source"], "given");
}

#[test]
fn too_small_a_sample_is_no_voice_and_says_how_many_are_needed() {
    for (control, words) in [
        (
            stiff(3),
            "the control sample has 3 texts, at least 20 are needed",
        ),
        (
            "[]".to_owned(),
            "the control sample has no text: at least 20",
        ),
    ] {
        let run = run(Some(&control));
        // nothing is embedded for a voice that cannot be
        assert_eq!(run.texts().len(), 6);
        let result = scored(&run);
        assert!(result.voice.is_none() && result.overall.is_some());
        let said = result.notes.iter().any(|note| note.contains(words));
        assert!(said, "{:?}", result.notes);
    }
    assert_eq!(run(Some(&stiff(20))).texts().len(), 26);
}

#[test]
fn what_is_no_sample_is_told_at_its_place() {
    let read = read(&Inputs {
        persona: PERSONA,
        transcript: TRANSCRIPT,
        control: Some("{\"text\": \"a\"}\n{\"txt\": \"b\"}\n"),
        ..Inputs::default()
    });
    let problems: Vec<(u32, &str)> = read
        .problems
        .iter()
        .filter(|problem| problem.input.as_deref() == Some("control"))
        .map(|problem| (problem.line, problem.message.as_str()))
        .collect();
    assert!(read.result.is_some());
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(
        problems.iter().any(|(line, message)| *line == 2
            && message.contains("expected a text, or a row with `text`"))
    );
}
