//! A debate from a program of yours: read, scored, and how firm the verdict is.
//! `cargo run --example debate --no-default-features`

use assay::debate::{Options, Profiles, read, score, summary};

const DEBATE: &str = r#"{"candidates": [
    {"id": "A", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
    {"id": "B", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 1, "critical_fail": 0}]}]}"#;

fn main() {
    let read = read(DEBATE);
    for problem in &read.problems {
        eprintln!("{}", problem.located("the debate"));
    }
    let Some(payload) = read.result else {
        std::process::exit(1);
    };
    let scored = score(&payload, Profiles::built_in(), &Options::default());
    for problem in &scored.problems {
        eprintln!("{}", problem.located("the options"));
    }
    if let Some(result) = scored.result {
        println!("{}", summary(&result));
        // the same as `assay rwea` prints; plain data always serialises
        println!("{}", serde_json::to_string(&result).unwrap_or_default());
    }
}
