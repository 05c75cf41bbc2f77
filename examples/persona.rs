//! Replies held against a persona from a program of yours. Without an embedder, style and stability are
//! not measured; `assay::embedding::Model::open` with the feature `cli` opens the one of `make model`.
//! `cargo run --example persona --no-default-features`

use assay::persona::{Inputs, Options, read, summary};

const PERSONA: &str = "
exemplars: [Check the chain first; it names the trouble.]
lexicon: {preferred: [chain, oil], avoid: [awesome]}
";
const TRANSCRIPT: &str = r#"
{"session_id": "a", "turn": 1, "user": "It squeaks.", "assistant": "A drop of oil on the chain."}
{"session_id": "b", "turn": 1, "user": "And now?", "assistant": "Awesome!"}
"#;

fn main() {
    let read = read(&Inputs {
        persona: PERSONA,
        transcript: TRANSCRIPT,
        ..Inputs::default()
    });
    for problem in &read.problems {
        let input = problem.input.as_deref().unwrap_or("the transcript");
        eprintln!("{}", problem.located(input));
    }
    let Some(run) = read.result else {
        std::process::exit(1);
    };
    let scored = run.score(&Options::default(), None);
    for problem in &scored.problems {
        eprintln!("{}", problem.located("the options"));
    }
    if let Some(result) = scored.result {
        println!("{}", summary(&result));
    }
}
