//! The intervals of the principles' weights: every end is checked by scoring anew.

use assay::constitution::{
    Band, Intervals, Log, Options, PerPrinciple, RewardResult, intervals, read, score,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Turns by the rules, with overrides and marks among them.
fn turn() -> impl Strategy<Value = Value> {
    let share = prop_oneof![
        (0..=20_u32).prop_map(|twentieths| f64::from(twentieths) / 20.0),
        0.0..=1.0_f64,
    ];
    let scores = prop::array::uniform7(share.clone());
    let ruled = (
        any::<bool>(),
        any::<bool>(),
        0..25_usize,
        0..12_usize,
        share,
    );
    prop_oneof![
        3 => ruled.prop_map(|(mutations, passed, length, tools, context)| json!({
            "has_mutations": mutations,
            "turn_result": {"response": "x".repeat(length), "tools": vec![1; tools], "tools_passed": passed,
                            "context_utilization": context},
        })),
        2 => scores.clone().prop_map(|scores| {
            let named = PerPrinciple::from_values(scores);
            json!({"constitutional_scores": named})
        }),
        1 => scores.prop_map(|scores| json!({
            "overrides": {"tasteful": scores[0], "heterarchical": {"score": scores[1], "reason": "r"}},
        })),
    ]
}

fn weights() -> impl Strategy<Value = [f64; 7]> {
    let weight = prop_oneof![
        2 => (0..=60_u32).prop_map(|tenths| f64::from(tenths) / 20.0),
        2 => 0.0..4.0_f64,
        1 => Just(0.0),
        1 => Just(1e9),
    ];
    prop::array::uniform7(weight)
        .prop_filter("one above 0", |all| all.iter().any(|weight| *weight > 0.0))
}

fn scored(log: &Log, weights: [f64; 7]) -> Option<RewardResult> {
    let options = Options {
        weights: PerPrinciple::NAMES
            .map(str::to_owned)
            .into_iter()
            .zip(weights)
            .collect(),
        ethical_floor: Some(0.6),
        ..Options::default()
    };
    score(log, &options).result
}

fn bands(log: &Log, weights: [f64; 7]) -> Option<Vec<Band>> {
    let result = scored(log, weights)?;
    Some(result.turns.iter().map(|turn| turn.band).collect())
}

/// Scores on both sides of every end, and within.
fn check(log: &Log, weights: [f64; 7], inside: &[f64]) -> (Intervals, usize) {
    let found = intervals(&scored(log, weights).expect("scored"));
    let now = bands(log, weights).expect("scored");
    let mut flips = 0;
    for (term, interval) in found.weights.iter().enumerate() {
        let at = |weight: f64| {
            let mut weights = weights;
            weights[term] = weight;
            bands(log, weights)
        };
        let says = |weight: f64| format!("{} at {weight}: {interval:?}", interval.weight);
        assert_eq!(interval.current, weights[term]);
        let (low, high) = (interval.low.at, interval.high.at);
        assert!(
            low <= interval.current && interval.current <= high,
            "{}",
            says(low)
        );
        let mut samples = vec![low, high, interval.current];
        samples.extend(
            inside
                .iter()
                .map(|share| low + (high.min(1e3) - low).max(0.0) * share),
        );
        for weight in samples
            .into_iter()
            .filter(|weight| (low..=high).contains(weight))
        {
            // all weights 0 are no weights
            if let Some(bands) = at(weight) {
                assert_eq!(bands, now, "{}", says(weight));
            }
        }
        for (end, bound) in [(&interval.low, 0.0), (&interval.high, 1e9)] {
            let Some(flip) = &end.flip else {
                assert_eq!(end.at, bound, "{}", says(end.at));
                continue;
            };
            flips += 1;
            let there = at(flip.at).expect("scored");
            assert_eq!(there[flip.turn], flip.band, "{}", says(flip.at));
            let first = there.iter().zip(&now).position(|(a, b)| a != b);
            assert_eq!(first, Some(flip.turn), "{}", says(flip.at));
            assert!((flip.at - end.at).abs() <= (2.0 * f64::EPSILON * flip.at).max(f64::EPSILON));
            let words = format!("makes turn {} {}", flip.turn + 1, flip.band.word());
            assert!(flip.words.ends_with(&words), "{}", flip.words);
        }
    }
    (found, flips)
}

fn log(turns: &[Value]) -> Log {
    let mut turns = turns.to_vec();
    for (index, turn) in turns.iter_mut().enumerate() {
        turn["turn_number"] = (index + 1).into();
    }
    read(&Value::from(turns).to_string()).result.expect("valid")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn within_an_interval_no_band_changes_and_beyond_it_the_named_one(
        turns in vec(turn(), 1..8),
        weights in weights(),
        inside in vec(0.0..1.0_f64, 4),
    ) {
        check(&log(&turns), weights, &inside);
    }
}

#[test]
fn the_example_has_flips_on_both_sides() {
    let text = include_str!("../../public/examples/turns.json");
    let log = read(text).result.expect("valid");
    let weights = [1.0, 1.0, 2.0, 1.2, 1.5, 1.0, 1.0];
    let (found, flips) = check(&log, weights, &[0.1, 0.5, 0.9]);
    assert!(flips >= 3, "{found:?}");
    // the nearest is the least change in proportion to its weight
    let ends = found.weights.iter().flat_map(|w| {
        let flips = [&w.low, &w.high]
            .into_iter()
            .filter_map(|end| end.flip.as_ref());
        flips.map(|flip| (flip.at - w.current).abs() / w.current)
    });
    let least = ends.fold(f64::INFINITY, f64::min);
    let nearest = found.nearest.expect("a flip");
    assert_eq!(nearest.relative(), Some(least));
}

#[test]
fn the_closest_turn_is_told() {
    let mark = |score: f64| json!({"constitutional_scores": PerPrinciple::all(score)});
    // 7.2 with 0.2 to spare, 6.9 and 0.1 short, and a perfect one that is at its end
    let log = log(&[mark(7.2 / 8.7), mark(6.9 / 8.7), mark(1.0)]);
    let found = intervals(&score(&log, &Options::default()).result.expect("scored"));
    let closest = found.closest.expect("not all are perfect");
    assert_eq!((closest.turn, closest.scaled, closest.by), (1, 6.9, 0.1));
    assert_eq!(
        (closest.band, closest.other),
        (Band::Concerning, Band::Good)
    );
}

#[test]
fn the_ends_of_a_thousand_turns_are_quick() {
    let turns: Vec<Value> = (0..1000_usize)
        .map(|turn| json!({
            "has_mutations": turn % 3 == 0,
            "turn_result": {"response": "x".repeat(turn * 7 % 40), "tools": vec![1; turn * 5 % 13],
                            "tools_passed": turn % 4 > 0, "context_utilization": (turn * 37 % 101) as f64 / 101.0},
        }))
        .collect();
    let result = score(&log(&turns), &Options::default())
        .result
        .expect("scored");
    let began = std::time::Instant::now();
    for _ in 0..20 {
        std::hint::black_box(intervals(&result));
    }
    let each = began.elapsed() / 20;
    println!("intervals of 1000 turns: {each:?}");
    // a frame is 16 ms; much more than this is not what was written
    assert!(each.as_millis() < 10, "{each:?}");
}
