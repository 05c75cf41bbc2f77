//! Steps, counted: the same on every machine, as a time is not. The compiler puts a counter
//! into every stretch of code (`-Cinstrument-coverage`), of ours and of what we use but the
//! standard library; their sum is read where they stand. Stage `steps` of `tools/test` builds it so.

// the counters belong to the compiler's runtime
#![allow(unsafe_code)]

use std::collections::BTreeMap;

use super::bombs;

/// What a text may take beside what its size makes, in steps.
const SMALL: u64 = 200_000;
/// Twice the text takes less than so many times the steps.
const MOST: u64 = 3;
/// Characters of the smaller text: enough for a square to show, and over soon.
const SIZE: usize = 48_500;

/// Bombs whose text is the same for every size, and why.
const OF_ONE_SIZE: &[(&str, &str)] = &[
    ("yaml-alias-lists", "how deep aliases nest is what counts"),
    (
        "yaml-indent-stairs",
        "a stair more is over the bound on levels",
    ),
    (
        "safety-deep-parens",
        "a pattern has at most 4,000 characters",
    ),
    (
        "safety-alternation",
        "a pattern has at most 4,000 characters",
    ),
    ("safety-class", "a pattern has at most 4,000 characters"),
    (
        "json-deep-valid",
        "a level more is over the bound on levels",
    ),
    ("json-deep-turn", "a level more is over the bound on levels"),
];

/// What asks each of some things about all others, and why it may.
const SQUARED: &[(&str, &str)] = &[
    ("one left out", "each debater is left out in turn"),
    ("debaters", "each debater is left out in turn"),
];
/// Twice the text takes less than so many times the steps of those.
const MOST_SQUARED: u64 = 5;

unsafe extern "C" {
    fn __llvm_profile_begin_counters() -> *const u64;
    fn __llvm_profile_end_counters() -> *const u64;
}

/// The steps of this program until now.
fn steps() -> u64 {
    // SAFETY: the runtime's own section of counters, aligned and there until the end; no other
    // thread of this test counts
    let counters = unsafe {
        let (from, to) = (
            __llvm_profile_begin_counters(),
            __llvm_profile_end_counters(),
        );
        let count = (to as usize - from as usize) / size_of::<u64>();
        std::slice::from_raw_parts(from, count)
    };
    counters.iter().copied().fold(0, u64::wrapping_add)
}

/// What the page does with a bomb, each with its steps.
fn steps_of(name: &str, size: usize) -> BTreeMap<String, u64> {
    let mut counted = BTreeMap::new();
    bombs::run(name, size, &mut |step, act| {
        let before = steps();
        act();
        *counted.entry(step.to_owned()).or_default() += steps().wrapping_sub(before);
    });
    counted
}

#[test]
fn twice_the_text_takes_about_twice_the_steps() {
    let wanted = std::env::var("ASSAY_BOMB").unwrap_or_default();
    let mut wrong = Vec::new();
    for name in bombs::names() {
        if !name.contains(&wanted) {
            continue;
        }
        let is_of_one_size = OF_ONE_SIZE.iter().any(|(known, _)| *known == name);
        if is_of_one_size != (bombs::text(name, SIZE) == bombs::text(name, 2 * SIZE)) {
            wrong.push(format!(
                "{name}: is it of one size? It is listed as otherwise"
            ));
        }
        if is_of_one_size {
            continue;
        }
        // what is made once for all is made before
        steps_of(name, SIZE / 100);
        let (small, large) = (steps_of(name, SIZE), steps_of(name, 2 * SIZE));
        for (step, large) in large {
            let small = small.get(&step).copied().unwrap_or_default();
            let is_squared = SQUARED.iter().any(|(known, _)| *known == step);
            let most = if is_squared { MOST_SQUARED } else { MOST };
            println!("{name}, {step}: {small}, twice the text {large}");
            if large > most * small + SMALL {
                wrong.push(format!(
                    "{name}, {step}: {small} steps, twice as long {large}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A pair for each two characters is seen, and the same work takes the same steps.
#[test]
fn a_square_is_seen() {
    let square = |size: u64| {
        let before = steps();
        let mut pairs = 0_u64;
        for one in 0..size {
            for other in 0..size {
                if one != std::hint::black_box(other) {
                    pairs += 1;
                }
            }
        }
        assert_eq!(pairs, size * (size - 1));
        steps().wrapping_sub(before)
    };
    let (small, large) = (square(1_000), square(2_000));
    assert!(large > MOST * small + SMALL, "{small}, {large}");
    assert_eq!(square(1_000), square(1_000));
}
