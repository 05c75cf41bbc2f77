//! The example that the app opens must read without a problem and show what it is for.

use assay::document::Severity;
use assay::persona::{Inputs, Options, read};

use super::embedder::FakeEmbedder;

const PERSONA: &str = include_str!("../../public/examples/persona.yaml");
const TRANSCRIPT: &str = include_str!("../../public/examples/transcript.jsonl");

#[test]
fn the_example_shows_every_kind_of_finding() {
    let evaluation = read(&Inputs {
        persona: PERSONA,
        transcript: TRANSCRIPT,
        ..Inputs::default()
    });
    assert!(
        evaluation
            .problems
            .iter()
            .all(|problem| problem.severity == Severity::Note)
    );
    let run = evaluation.result.expect("valid");
    assert_eq!(run.texts().len(), 10 + 19);
    let result = run
        .score(&Options::default(), Some(&FakeEmbedder::hashing()))
        .result
        .expect("scored");
    assert_eq!((result.sessions.len(), result.partial.len()), (8, 0));
    let session = |id: &str| {
        let found = result
            .sessions
            .iter()
            .find(|session| session.session_id == id);
        found.unwrap_or_else(|| panic!("{id}"))
    };
    assert_eq!(session("opening-hours").stability, None);
    assert!(session("knee-pain").safety < Some(1.0));
    assert!(session("invoice-dispute").lexicon < session("first-tune-up").lexicon);
    assert!(session("invoice-dispute").traits < session("first-tune-up").traits);
    let unsafe_sessions = result
        .sessions
        .iter()
        .filter(|session| session.safety < Some(1.0));
    assert_eq!(unsafe_sessions.count(), 1);
}
