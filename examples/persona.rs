//! Replies held against a persona from a program of yours. Without an embedder, style and stability are
//! not measured; `assay::embedding::Model::open` with the feature `cli` opens the one of `make model`. The voice and
//! the drift, too, are in the result of `run.score_with(&options, Some(&run.measured(&model, &control)))`, with
//! `assay::persona::voice::Control::read` of `public/voice/control.json`.
//! `cargo run --example persona --no-default-features`

use assay::document::Problem;
use assay::persona::{Inputs, Options, read, summary};

const PERSONA: &str = "
exemplars: [Check the chain first; it names the trouble.]
lexicon: {preferred: [chain, oil], avoid: [awesome]}
";
const TRANSCRIPT: &str = r#"
{"session_id": "a", "turn": 1, "user": "It squeaks.", "assistant": "A drop of oil on the chain."}
{"session_id": "b", "turn": 1, "user": "And now?", "assistant": "Awesome!"}
"#;

fn tell(problems: &[Problem]) {
    for problem in problems {
        let input = problem.input.as_deref().unwrap_or("the transcript");
        eprintln!("{:?}: {}", problem.severity, problem.located(input));
    }
}

fn main() {
    let read = read(&Inputs {
        persona: PERSONA,
        transcript: TRANSCRIPT,
        ..Inputs::default()
    });
    tell(&read.problems);
    let Some(run) = read.result else {
        std::process::exit(1);
    };
    let scored = run.score(&Options::default(), None);
    tell(&scored.problems);
    if let Some(result) = scored.result {
        println!("{}", summary(&result));
    }
}
