//! Reading in steps comes to what reading at once comes to, wherever it rests and
//! whatever was dropped before.

use std::fmt::Write;

use assay::document::Evaluation;
use assay::persona::{Inputs, Known, Options, Run, parse, read, read_in_steps, read_with};
use assay::steps::{Pause, Progress, at_once};
use proptest::prelude::*;

use crate::embedder::FakeEmbedder;
use crate::rested::rested;

const PERSONA: &str = include_str!("../../public/examples/persona.yaml");
const WORDS: [&str; 4] = [
    "Check the log first, then retry the step — it’s the third.",
    "lol, you idiot!",
    "We could, perhaps, look at it together? I'd be happy to.",
    " ",
];

/// Replies as lines, as one list, or as one list over lines; the last may be cut off.
fn transcript(replies: &[(u8, usize)], shape: u8) -> String {
    let row = |(number, (session, word)): (usize, &(u8, usize))| {
        format!(
            r#"{{"session_id": "s{session}", "turn": {number}, "user": "é?", "assistant": "{} {number}"}}"#,
            WORDS[word % WORDS.len()]
        )
    };
    let rows: Vec<String> = replies.iter().enumerate().map(row).collect();
    match shape % 5 {
        0 => rows.join("\n"),
        1 => format!("[{}]", rows.join(", ")),
        2 => format!("\n[\n  {}\n]\n", rows.join(",\r\n  ")),
        3 => format!("[{},]", rows.join(",")),
        _ => {
            let mut text = rows.join("\n");
            let _ = write!(text, "\n{{\"session_id\": \"s1\", ");
            text
        }
    }
}

fn inputs(transcript: &str) -> Inputs<'_> {
    Inputs {
        persona: PERSONA,
        transcript,
        ..Inputs::default()
    }
}

/// Reads with a rest after every `every` steps; gives up at the rest `most`.
fn slowly(
    inputs: &Inputs,
    known: &mut Known,
    every: usize,
    most: usize,
) -> (Option<Evaluation<Run>>, Vec<Progress>) {
    let persona = parse(inputs.persona);
    rested(every, most, async |pause: Pause<'_>| {
        read_in_steps(inputs, &persona, known, pause).await
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn in_steps_and_at_once_are_the_same(
        replies in prop::collection::vec((0_u8..3, 0_usize..4), 1..12),
        shape in 0_u8..5,
        every in 1_usize..9,
        dropped in 0_usize..20,
    ) {
        let text = transcript(&replies, shape);
        let expected = read(&inputs(&text));
        let mut known = Known::default();
        // one that is dropped somewhere on its way, of another text
        let earlier = transcript(&replies[1..], shape);
        slowly(&inputs(&earlier), &mut known, every, dropped);
        let (found, told) = slowly(&inputs(&text), &mut known, every, usize::MAX);
        let found = found.expect("it comes to an end");
        prop_assert_eq!(&found, &expected);
        prop_assert!(told.iter().all(|progress| progress.done <= progress.total));
        // what is known afterwards gives the same again
        prop_assert_eq!(&read_with(&inputs(&text), &mut known), &expected);
        if let (Some(found), Some(expected)) = (found.result, expected.result) {
            let options = Options::default();
            prop_assert_eq!(found.score(&options, None), expected.score(&options, None));
        }
    }
}

#[test]
fn comparing_in_steps_and_at_once_are_the_same() {
    let replies: Vec<(u8, usize)> = (0..30).map(|number| (number % 3, 1)).collect();
    let run = read(&inputs(&transcript(&replies, 0))).result;
    let run = run.expect("no error");
    let embedder = FakeEmbedder::hashing();
    let (found, told) = rested(4, usize::MAX, async |pause: Pause<'_>| {
        run.similarities_in_steps(&embedder, pause).await
    });
    assert_eq!(found, Some(run.similarities(&embedder)));
    assert_eq!(told.len(), 30);
}

#[test]
fn every_reply_is_a_step() {
    let replies: Vec<(u8, usize)> = (0..30).map(|number| (number % 3, 0)).collect();
    for shape in 0..3 {
        let text = transcript(&replies, shape);
        let (run, told) = slowly(&inputs(&text), &mut Known::default(), 7, usize::MAX);
        assert!(run.expect("an end").result.is_some());
        let last = told
            .iter()
            .filter(|p| p.what == "replies measured")
            .max_by_key(|p| p.done);
        assert_eq!(last.map(|p| (p.done, p.total)), Some((30, 30)), "{shape}");
        let checked = told.iter().filter(|p| p.what == "rows checked");
        assert_eq!(checked.count(), 30, "{shape}");
    }
    let never: Pause<'_> = &|_| true;
    let persona = parse(PERSONA);
    let mut known = Known::default();
    let text = transcript(&replies, 0);
    let run = at_once(read_in_steps(&inputs(&text), &persona, &mut known, never));
    assert_eq!(run, read(&inputs(&text)));
}
