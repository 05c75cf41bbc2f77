//! Turns of an agent from a program of yours, with a weight of one's own.
//! `cargo run --example turns --no-default-features`

use assay::constitution::{Options, read, score};

const TURNS: &str = r#"[
    {"turn_number": 1, "action": "send_message", "turn_result": {"response": "The log names the step that failed.", "tools": []}},
    {"turn_number": 2, "action": "write_file", "has_mutations": true, "turn_result": {"response": "ok", "tools": [{"name": "write_file"}]}}]"#;

fn main() {
    let read = read(TURNS);
    for problem in &read.problems {
        eprintln!("{}", problem.located("the turns"));
    }
    let Some(log) = read.result else {
        std::process::exit(1);
    };
    let options = Options {
        weights: vec![("ethical".to_owned(), 3.0)],
        ..Options::default()
    };
    let scored = score(&log, &options);
    for problem in &scored.problems {
        eprintln!("{}", problem.located("the options"));
    }
    if let Some(result) = scored.result {
        for turn in &result.turns {
            let (name, total) = (turn.name(), turn.weighted_total);
            println!(
                "turn {name}: {total:.2} of {:.2}, {}",
                result.weights_sum,
                turn.band.title()
            );
        }
    }
}
