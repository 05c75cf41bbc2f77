//! A debate from a program of yours: read, scored, and how firm the verdict is.
//! `cargo run --example debate --no-default-features`

use assay::debate::{Options, Profiles, read, score, summary};
use assay::document::Problem;

const DEBATE: &str = r#"{"candidates": [
    {"id": "A", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
    {"id": "B", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 1, "critical_fail": 0}]}]}"#;

fn tell(problems: &[Problem]) {
    for problem in problems {
        let input = problem.input.as_deref().unwrap_or("the debate");
        eprintln!("{:?}: {}", problem.severity, problem.located(input));
    }
}

fn main() {
    let read = read(DEBATE);
    tell(&read.problems);
    let Some(payload) = read.result else {
        std::process::exit(1);
    };
    let scored = score(&payload, Profiles::built_in(), &Options::default());
    tell(&scored.problems);
    if let Some(result) = scored.result {
        println!("{}", summary(&result));
        // the same as `assay rwea` prints, which adds what marks and battles say; plain data always serialises
        println!("{}", serde_json::to_string(&result).unwrap_or_default());
    }
}
