//! Texts that nobody would write, made from texts that people do write: readers, forms,
//! scorers, exports and links meet them without a panic, and what they give holds together.
//!
//! A minute of it is a test; `make fuzz TIME=600` goes on for longer, with a seed of its
//! own. What fails is printed as `SEED TARGET CASE`, and played again by
//! `ASSAY_FUZZ="SEED TARGET CASE"`.

// a test says what went wrong by panicking
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod mutate;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use std::{env, fs};

use mutate::Case;
use targets::TARGETS;

/// The seed of the test; `make fuzz` takes the clock's.
const SEED: u64 = 20_261_123;
/// Seconds of the test, and its cases: the same on every machine that is quick enough.
const SECONDS: u64 = 60;
const CASES: u64 = 12_000;
/// Cases of a target before the next has its turn.
const TURN: u64 = 50;

/// Texts to begin with: the examples, the tests' data, and what was hard once.
fn corpus() -> Vec<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let folders = [
        "public/examples",
        "tests/data",
        "tests/data/persona",
        "tests/data/sources",
        "tests/fuzz/corpus",
    ];
    let mut texts = Vec::new();
    for folder in folders {
        let mut files: Vec<_> = fs::read_dir(format!("{root}/{folder}"))
            .expect(folder)
            .map(|entry| entry.expect(folder).path())
            .filter(|path| path.is_file())
            .collect();
        // a seed means the same on every machine
        files.sort();
        texts.extend(
            files
                .iter()
                .filter_map(|path| fs::read_to_string(path).ok()),
        );
    }
    assert!(texts.len() > 10, "{} texts", texts.len());
    texts
}

fn play(seed: u64, target: usize, number: u64, corpus: &[String]) -> Result<(), String> {
    let (_, run) = TARGETS[target];
    let mut case = Case::new(seed, target, number, corpus);
    let result = catch_unwind(AssertUnwindSafe(|| run(&mut case)));
    result.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("panic: {}", words.unwrap_or_default()))
    })
}

#[test]
fn nothing_breaks_and_what_comes_of_it_holds_together() {
    let corpus = corpus();
    if let Ok(again) = env::var("ASSAY_FUZZ") {
        let parts: Vec<&str> = again.split_whitespace().collect();
        let [seed, name, number] = parts[..] else {
            panic!("ASSAY_FUZZ is SEED TARGET CASE, got {again:?}");
        };
        let target = TARGETS.iter().position(|(known, _)| *known == name);
        let played = play(
            seed.parse().expect("a seed"),
            target.expect("a target"),
            number.parse().expect("a number"),
            &corpus,
        );
        assert_eq!(played, Ok(()));
        return;
    }
    let number = |name: &str, default: u64| {
        let given = env::var(name).ok().filter(|given| !given.is_empty());
        given.map_or(default, |given| given.parse().expect(name))
    };
    let seed = number("ASSAY_FUZZ_SEED", SEED);
    let seconds = number("ASSAY_FUZZ_SECONDS", SECONDS);
    let most = if env::var_os("ASSAY_FUZZ_SECONDS").is_some() {
        u64::MAX
    } else {
        CASES
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut failures: Vec<String> = Vec::new();
    let mut slowest = (Duration::ZERO, String::new());
    let mut cases = 0;
    while Instant::now() < end && cases < most && failures.len() < 10 {
        for (target, (name, _)) in TARGETS.iter().enumerate() {
            for number in cases..cases + TURN {
                let began = Instant::now();
                if let Err(why) = play(seed, target, number, &corpus) {
                    failures.push(format!("{seed} {name} {number}: {why:.600}"));
                }
                let took = began.elapsed();
                if took > slowest.0 {
                    slowest = (took, format!("{seed} {name} {number}"));
                }
            }
        }
        cases += TURN;
    }
    println!(
        "seed {seed}: {cases} cases of each of {} targets; the slowest took {:.2?} ({})",
        TARGETS.len(),
        slowest.0,
        slowest.1
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
