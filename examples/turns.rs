//! Turns of an agent from a program of yours, with a weight of one's own.
//! `cargo run --example turns --no-default-features`

use assay::constitution::{Options, read, score};
use assay::document::Problem;

const TURNS: &str = r#"[
    {"turn_number": 1, "action": "send_message", "turn_result": {"response": "The log names the step that failed.", "tools": []}},
    {"turn_number": 2, "action": "write_file", "has_mutations": true, "turn_result": {"response": "ok", "tools": [{"name": "write_file"}]}}]"#;

fn tell(problems: &[Problem]) {
    for problem in problems {
        let input = problem.input.as_deref().unwrap_or("the turns");
        eprintln!("{:?}: {}", problem.severity, problem.located(input));
    }
}

fn main() {
    let read = read(TURNS);
    tell(&read.problems);
    // a turn that cannot be read leaves the others as they are
    let lost = read.problems.iter().filter(|problem| problem.is_left_out());
    println!("left out: {}", lost.count());
    let Some(log) = read.result else {
        std::process::exit(1);
    };
    let options = Options {
        weights: vec![("ethical".to_owned(), 3.0)],
        ..Options::default()
    };
    let scored = score(&log, &options);
    tell(&scored.problems);
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
