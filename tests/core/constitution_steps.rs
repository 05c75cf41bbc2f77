//! Reading turns in steps comes to what reading at once comes to, wherever it rests.

use assay::constitution::{Log, Options, read, read_in_steps, score};
use assay::document::Evaluation;
use assay::share::reward_marks;
use assay::steps::{Pause, Progress};
use proptest::prelude::*;

use crate::rested::rested;

/// Turns as lines, a list, a list over lines, a session, lines between words, or
/// something that is broken at its end.
fn session(turns: &[(u8, u16)], shape: u8) -> String {
    let turn = |(index, (number, length)): (usize, &(u8, u16))| {
        let response = "é ".repeat(usize::from(*length));
        format!(
            r#"{{"turn_number": {number}, "action": "step {index}", "has_mutations": {}, "x": {{"y": [1, "}}"]}}, "turn_result": {{"response": "{response}", "tools": [{{"name": "t"}}]}}}}"#,
            index.is_multiple_of(2)
        )
    };
    let turns: Vec<String> = turns.iter().enumerate().map(turn).collect();
    match shape % 8 {
        0 => turns.join("\r\n"),
        1 => format!("[{}]", turns.join(", ")),
        2 => format!("\n[\n  {}\n]\n", turns.join(",\n  ")),
        3 => format!(
            r#"{{"session_id": "s", "turns": [{}], "weights": {{"ethical": 3}}}}"#,
            turns.join(" ,")
        ),
        5 => {
            let (first, second) = turns.split_at(turns.len() / 2);
            let session = |id: &str, turns: &[String]| {
                format!(
                    r#"{{"session_id": "{id}", "turns": [{}]}}"#,
                    turns.join(",")
                )
            };
            format!("{}\n{}", session("a", first), session("b", second))
        }
        6 => {
            let log = read(&format!("[{}]", turns.join(",")));
            let log = log.result.expect("turns");
            let scored = score(&log, &Options::default());
            reward_marks(&log, &scored.result.expect("scored"))
        }
        4 => format!("Turns:\n```jsonl\n{}\n```\nThat is all.", turns.join("\n")),
        _ => format!("[{}, {{\"turn_number\": }}]", turns.join(",")),
    }
}

/// Reads with a rest after every `every` steps, and what was told on the way.
fn slowly(text: &str, every: usize) -> (Evaluation<Log>, Vec<Progress>) {
    let reading = async |pause: Pause<'_>| read_in_steps(text, pause).await;
    let (read, told) = rested(every, usize::MAX, reading);
    let (parsed, found) = read.expect("it comes to an end");
    assert_eq!(parsed, assay::constitution::parse(text));
    (found, told)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn in_steps_and_at_once_are_the_same(
        // some sessions are larger than what is read in one step
        turns in prop::collection::vec((0_u8..20, 0_u16..800), 1..30),
        shape in 0_u8..8,
        every in 1_usize..9,
    ) {
        let text = session(&turns, shape);
        let (found, told) = slowly(&text, every);
        prop_assert_eq!(found, read(&text));
        prop_assert!(told.iter().all(|progress| progress.done <= progress.total));
    }
}

#[test]
fn every_turn_is_a_step_in_every_shape() {
    let turns: Vec<(u8, u16)> = (0..200).map(|number| (number, 300)).collect();
    for shape in 0..5 {
        let text = session(&turns, shape);
        let (found, told) = slowly(&text, 3);
        assert!(found.result.is_some(), "{shape}");
        for what in ["turns read", "turns measured"] {
            let steps = told.iter().filter(|progress| progress.what == what);
            assert_eq!(steps.count(), 200, "{what} {shape}");
        }
        let parsed = told
            .iter()
            .filter(|progress| progress.what == "kB read" || progress.what == "values read");
        assert!(parsed.count() >= 200, "{shape}");
    }
}
