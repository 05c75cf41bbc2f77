//! Matching is compiled once: many turns take well under a second.

use std::fmt::Write;
use std::time::Instant;

use assay::persona::{Inputs, Known, Options, read_with};

/// 10,000 turns against 100 entries; the bound is for an unoptimised build on a
/// busy machine, an optimised one takes a small part of it.
#[test]
fn ten_thousand_turns_against_a_hundred_entries() {
    let mut persona = String::from("lexicon:\n  preferred:\n");
    for number in 0..100 {
        writeln!(persona, "    - \"word{number} and more\"").expect("writes");
    }
    let mut transcript = String::new();
    for number in 0..10_000 {
        writeln!(
            transcript,
            r#"{{"session_id": "s{}", "turn": {number}, "assistant": "A fairly usual reply — it mentions word{} and more, and it doesn’t stop before the second sentence, which says a little more than the first."}}"#,
            number % 50,
            number % 100,
        )
        .expect("writes");
    }
    let start = Instant::now();
    let mut known = Known::default();
    let inputs = |persona| Inputs {
        persona,
        transcript: &transcript,
        ..Inputs::default()
    };
    let run = read_with(&inputs(&persona), &mut known);
    let reading = start.elapsed();
    // another exemplar measures nothing again
    let with_exemplar = format!("{persona}exemplars: [x]\n");
    let again = Instant::now();
    let known_run = read_with(&inputs(&with_exemplar), &mut known);
    let again = again.elapsed();
    assert!(known_run.result.is_some());
    println!("read again with another exemplar {again:?}");
    assert!(again < reading / 5, "{again:?} of {reading:?}");
    let result = run.result.expect("valid").score(&Options::default(), None);
    println!("read {reading:?}, read and scored {:?}", start.elapsed());
    assert!(
        (result
            .result
            .expect("scored")
            .authenticity
            .lexicon
            .expect("measured")
            - 0.01)
            .abs()
            < 1e-9
    );
    let bound = if cfg!(debug_assertions) { 60 } else { 3 };
    assert!(start.elapsed().as_secs() < bound);
}
