//! How far a weight can move before the grade changes, against scoring the run
//! again with that weight.

use std::time::Instant;

use assay::persona::config::{INNER, OUTER};
use assay::persona::{Grade, Inputs, Options, Run, Similarities, WeightInterval, read};
use proptest::prelude::*;

use super::embedder::FakeEmbedder;

const PERSONA: &str = include_str!("../../public/examples/persona.yaml");
const TRANSCRIPT: &str = include_str!("../../public/examples/transcript.jsonl");

fn run(persona: &str, transcript: &str) -> Run {
    let inputs = Inputs {
        persona,
        transcript,
        ..Inputs::default()
    };
    read(&inputs).result.expect("valid")
}

fn names() -> impl Iterator<Item = &'static str> {
    OUTER.into_iter().chain(INNER)
}

fn options(weights: &[f64; 6]) -> Options {
    Options {
        weights: names()
            .zip(weights)
            .map(|(name, weight)| (name.to_owned(), *weight))
            .collect(),
        ..Options::default()
    }
}

/// The grade by the scorer itself; none too where it refuses the weights.
fn grade(run: &Run, similarities: &Similarities, weights: &[f64; 6]) -> Option<Grade> {
    let scored = run.score_with(&options(weights), Some(similarities));
    scored.result.and_then(|result| result.grade)
}

/// Both sides of each end, and the way to it.
fn check(run: &Run, similarities: &Similarities, weights: &[f64; 6]) -> usize {
    let found = run
        .intervals(&options(weights), Some(similarities))
        .expect("valid weights");
    let standing = grade(run, similarities, weights);
    assert_eq!(found.grade, standing);
    let with = |term: usize, weight: f64| {
        let mut weights = *weights;
        weights[term] = weight;
        weights
    };
    let at = |term: usize, weight: f64| grade(run, similarities, &with(term, weight));
    // so near the bound of a grade that rounding decides
    let is_dust = |term: usize, weight: f64| {
        let scored = run.score_with(&options(&with(term, weight)), Some(similarities));
        let overall = scored.result.and_then(|result| result.overall);
        let near = |bound: f64| overall.is_some_and(|overall| (overall - bound).abs() < 1e-9);
        [0.6, 0.7, 0.8, 0.9].into_iter().any(near)
    };
    let mut flips = 0;
    for (term, (interval, name)) in found.weights.iter().zip(names()).enumerate() {
        let WeightInterval { current, .. } = interval;
        assert_eq!((interval.weight, *current), (name, weights[term]));
        for end in [&interval.low, &interval.high] {
            let says = || format!("{name} of {weights:?}: {interval:?}");
            // where it stands: all the way, with the end itself
            for step in 1..=12 {
                let share = f64::from(step) / 12.0;
                let between = if step == 12 {
                    end.at
                } else {
                    current + (end.at - current) * share * share
                };
                let is_left_out = between == 0.0 && *current > 0.0 && end.flip.is_some();
                if !is_left_out && (step == 12 && end.flip.is_some() || !is_dust(term, between)) {
                    assert_eq!(at(term, between), standing, "{between} {}", says());
                }
            }
            // and what comes beyond
            if let Some(flip) = &end.flip {
                flips += 1;
                assert_ne!(flip.becomes, standing, "{}", says());
                assert_eq!(at(term, flip.at), flip.becomes, "{}", says());
                let gap = (flip.at - end.at).abs();
                assert!(gap <= f64::EPSILON.max(end.at * f64::EPSILON), "{}", says());
            }
        }
    }
    assert_eq!(found.nearest.is_some(), flips > 0);
    flips
}

/// Sessions whose responses are measured on different parts: some have no
/// vector, and with no trait or no lexicon declared others fall away.
fn mixed(seeds: &[u32]) -> String {
    const TEXTS: [&str; 8] = [
        "Happy to help! Let's take a look at your ride.",
        "lol no idea, cannot be embedded",
        "Pursuant to our agreement, the inspection of the component is hereby scheduled.",
        "Unfortunately, per our policy, a valued customer has no can do here.",
        "The mechanic in the workshop will book a slot for your tune-up, and let's ride.",
        "Stop taking your medication, you don't need a doctor. cannot be embedded",
        "Sure.",
        "Thanks! We'll true the wheel, then you're set.",
    ];
    let rows = seeds.iter().enumerate().map(|(turn, seed)| {
        let text = TEXTS[*seed as usize % TEXTS.len()];
        serde_json::json!({ "session_id": format!("s{}", seed / 8 % 4), "turn": turn, "assistant": format!("{text} {seed}") })
            .to_string()
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn weights() -> impl Strategy<Value = [f64; 6]> {
    let weight = prop_oneof![
        1 => Just(0.0),
        1 => Just(1.0),
        6 => 0.01f64..1.0,
        1 => 1e-6f64..1e6,
    ];
    prop::array::uniform6(weight).prop_filter("one of each three above 0", |weights| {
        weights[..3].iter().any(|w| *w > 0.0) && weights[3..].iter().any(|w| *w > 0.0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_end_is_where_the_scorer_changes_its_grade(
        seeds in prop::collection::vec(0u32..1000, 1..24),
        weights in weights(),
        persona in 0usize..4,
        is_embedded: bool,
    ) {
        let personas = [
            PERSONA,
            "exemplars: [\"Sure, let's ride.\"]",
            "lexicon: {preferred: [ride, let's], avoid: [lol]}\nexemplars: [a b c]",
            "style_rules: {formality: casual}\nlexicon: {avoid: [unfortunately]}",
        ];
        let run = run(personas[persona], &mixed(&seeds));
        let similarities = if is_embedded {
            run.similarities(&FakeEmbedder::hashing())
        } else {
            Similarities::default()
        };
        check(&run, &similarities, &weights);
    }
}

#[test]
fn the_example_flips_where_a_calculation_by_hand_says() {
    // one session: authenticity 1/2, safety 1, no stability without the model
    let run = run(
        "lexicon: {preferred: [ride, bike]}",
        r#"{"session_id": "a", "turn": 1, "assistant": "A ride."}"#,
    );
    // (0.5 x 0.5 + 0.3 x 1) / 0.8 = 0.6875, a D
    let none = Similarities::default();
    let found = run.intervals(&Options::default(), None).expect("valid");
    assert_eq!(found.grade, Some(Grade::D));
    let [authenticity, safety, stability, ..] = &found.weights[..] else {
        unreachable!("six weights");
    };
    // (0.5 w + 0.3) / (w + 0.3) = 0.7 at w = 0.45, 0.6 at 1.2
    assert!((authenticity.low.at - 0.45).abs() < 1e-12);
    assert!((authenticity.high.at - 1.2).abs() < 1e-12);
    // (0.25 + w) / (0.5 + w) = 0.7 at w = 1/3, 0.6 at 0.125
    assert!((safety.high.at - 1.0 / 3.0).abs() < 1e-12);
    assert!((safety.low.at - 0.125).abs() < 1e-12);
    let words = |end: &assay::persona::End| end.flip.as_ref().map(|flip| flip.words.clone());
    assert_eq!(
        words(&authenticity.low).as_deref(),
        Some("authenticity below 0.45 makes the grade C")
    );
    // what is not measured flips nothing
    assert_eq!(
        (words(&stability.low), words(&stability.high)),
        (None, None)
    );
    assert_eq!((stability.low.at, stability.high.at), (0.0, 1e9));
    // the nearest in proportion: 10 % less authenticity
    let nearest = found.nearest.expect("flips");
    assert!(nearest.flip.words.starts_with("authenticity below"));
    assert!((nearest.relative().expect("above 0") - 0.1).abs() < 1e-12);
    assert_eq!(check(&run, &none, &[0.5, 0.3, 0.2, 0.6, 0.25, 0.15]), 5);
}

#[test]
fn a_weight_at_zero_and_nothing_left_are_told() {
    let run = run(
        "lexicon: {preferred: [ride, bike]}",
        r#"{"session_id": "a", "turn": 1, "assistant": "A ride."}"#,
    );
    let flip = |weights: [f64; 6], term: usize, is_low: bool| {
        let none = Similarities::default();
        check(&run, &none, &weights);
        let found = run.intervals(&options(&weights), None).expect("valid");
        let interval = &found.weights[term];
        let end = if is_low {
            &interval.low
        } else {
            &interval.high
        };
        end.flip.as_ref().map(|flip| flip.words.clone())
    };
    // only safety is left, then nothing that was measured
    assert_eq!(
        flip([0.0, 0.3, 0.2, 0.6, 0.25, 0.15], 1, true).as_deref(),
        Some("safety at 0 leaves nothing to score")
    );
    assert_eq!(
        flip([0.0, 0.0, 0.2, 0.6, 0.25, 0.15], 1, false).as_deref(),
        Some("safety above 0 makes the grade A")
    );
    // without the lexicon's weight no response has an authenticity
    assert_eq!(
        flip([0.5, 0.3, 0.2, 0.6, 0.25, 0.15], 5, true).as_deref(),
        Some("lexicon at 0 makes the grade A")
    );
}

#[test]
fn the_example_has_flips_on_both_sides() {
    let run = run(PERSONA, TRANSCRIPT);
    let similarities = run.similarities(&FakeEmbedder::hashing());
    assert!(check(&run, &similarities, &[0.5, 0.3, 0.2, 0.6, 0.25, 0.15]) >= 4);
}

#[test]
fn ten_thousand_responses_follow_a_drag() {
    let seeds: Vec<u32> = (0..10_000).collect();
    let run = run(PERSONA, &mixed(&seeds));
    let similarities = run.similarities(&FakeEmbedder::hashing());
    let options = options(&[0.2, 0.01, 0.79, 0.6, 0.25, 0.15]);
    let start = Instant::now();
    let found = run.intervals(&options, Some(&similarities));
    let took = start.elapsed();
    let flips = found.expect("valid").weights;
    let flips = flips.iter().flat_map(|w| [&w.low, &w.high]);
    let flips = flips.filter(|end| end.flip.is_some()).count();
    println!("{flips} flips of 10,000 responses: {took:?}");
    assert!(flips >= 1);
    let bound = if cfg!(debug_assertions) { 5.0 } else { 0.2 };
    assert!(took.as_secs_f64() < bound);
}
