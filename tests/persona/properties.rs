//! What holds of any input.

use assay::persona::{Inputs, Known, Options, PersonaResult, TurnResult, read, read_with};
use proptest::prelude::*;

use super::embedder::FakeEmbedder;

const PERSONA: &str = include_str!("../../public/examples/persona.yaml");
const TRANSCRIPT: &str = include_str!("../../public/examples/transcript.jsonl");
const CONFIG: &str = "scoring:\n  authenticity_weight: 0.4\n  seed: 3\n  bootstrap_samples: 20\n";
const RULES: &str = "- category: custom\n  severity: low\n  pattern: 'a\\w+'\n  exceptions: [b]\n";
const JUDGE: &str = r#"{"late-part": {"score": 3, "reasoning": "no"}}"#;

fn score(transcript: &str, options: &Options) -> PersonaResult {
    let inputs = Inputs {
        persona: PERSONA,
        transcript,
        ..Inputs::default()
    };
    let run = read(&inputs).result.expect("valid");
    run.score(options, Some(&FakeEmbedder::hashing()))
        .result
        .expect("scored")
}

fn shares(values: &[Option<f64>]) {
    assert!(
        values
            .iter()
            .flatten()
            .all(|value| (0.0..=1.0).contains(value)),
        "{values:?}"
    );
}

/// Every span a range of its text, every hit its entry.
fn check_spans(turn: &TurnResult) {
    let characters: Vec<char> = turn.text.chars().collect();
    let plain = |text: &str| text.to_lowercase().replace('\u{2019}', "'");
    for hit in turn.preferred_hits.iter().chain(turn.avoided_hits.iter()) {
        let found: String = characters[hit.start..hit.end].iter().collect();
        let words: Vec<&str> = found.split_whitespace().collect();
        assert_eq!(plain(&words.join(" ")), plain(&hit.entry));
    }
    let spans = turn
        .traits
        .iter()
        .flat_map(|t| &t.evidence)
        .flat_map(|evidence| &evidence.spans);
    let violations = turn.violations.iter().map(|v| [v.start, v.end]);
    for [start, end] in spans.copied().chain(violations) {
        assert!(start < end && end <= characters.len());
    }
}

/// Every measured share in [0, 1], and of every turn what [`check_spans`] says.
fn check(result: &PersonaResult) {
    shares(&[
        result.overall,
        result.authenticity.metric.mean,
        result.safety.metric.mean,
        result.stability.mean,
    ]);
    for metric in [
        &result.authenticity.metric,
        &result.safety.metric,
        &result.stability,
    ] {
        for pair in [metric.range, metric.ci95].into_iter().flatten() {
            shares(&pair.map(Some));
            assert!(pair[0] <= pair[1]);
        }
    }
    for session in &result.sessions {
        shares(&[
            session.overall,
            session.authenticity,
            session.style,
            session.traits,
            session.lexicon,
        ]);
        shares(&[
            session.safety,
            session.violation_rate,
            session.severity_score,
            session.stability,
        ]);
        for turn in &session.turns {
            shares(&[turn.style, turn.lexicon, turn.authenticity]);
            check_spans(turn);
        }
    }
    let json = serde_json::to_string(result).expect("serialises");
    assert!(!json.contains("NaN"));
}

/// Cuts, repeats or replaces a part of a text at scalar boundaries.
fn mutate(text: &str, at: usize, length: usize, with: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let start = at % (characters.len() + 1);
    let end = (start + length).min(characters.len());
    let (before, after) = (&characters[..start], &characters[end..]);
    before
        .iter()
        .copied()
        .chain(with.chars())
        .chain(after.iter().copied())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_rows_changes_nothing(order in Just(TRANSCRIPT.lines().collect::<Vec<_>>()).prop_shuffle()) {
        let (mut given, mut shuffled) =
            (score(TRANSCRIPT, &Options::default()), score(&order.join("\n"), &Options::default()));
        prop_assert_ne!(&given.input_sha256, "");
        given.input_sha256.clear();
        shuffled.input_sha256.clear();
        prop_assert_eq!(given, shuffled);
    }

    #[test]
    fn scaling_all_weights_changes_nothing(factor in 0.001f64..1000.0) {
        let named = [("authenticity_weight", 0.5), ("safety_weight", 0.3), ("stability_weight", 0.2),
                     ("style_weight", 0.6), ("traits_weight", 0.25), ("lexicon_weight", 0.15)];
        let options = Options {
            weights: named.iter().map(|(name, weight)| ((*name).to_owned(), weight * factor)).collect(),
            ..Options::default()
        };
        let (given, scaled) = (score(TRANSCRIPT, &Options::default()), score(TRANSCRIPT, &options));
        for (a, b) in given.sessions.iter().zip(&scaled.sessions) {
            let (a, b) = (a.overall.expect("measured"), b.overall.expect("measured"));
            prop_assert!((a - b).abs() < 1e-12);
        }
        prop_assert!((given.overall.expect("measured") - scaled.overall.expect("measured")).abs() < 1e-12);
    }

    #[test]
    fn any_weights_keep_every_value_in_range(weights in prop::array::uniform6(0.0f64..1e300)) {
        let names = ["authenticity_weight", "safety_weight", "stability_weight",
                     "style_weight", "traits_weight", "lexicon_weight"];
        let options = Options {
            weights: names.iter().zip(weights).map(|(name, weight)| ((*name).to_owned(), weight)).collect(),
            ..Options::default()
        };
        check(&score(TRANSCRIPT, &options));
    }

    #[test]
    fn any_reply_is_scored(text in "[ -~’…éß\\u{300}猫👩🏽\u{200d}`!\n]{1,80}", words in "(let's|ride|lol| |\\.|!){1,20}") {
        let rows = serde_json::json!([
            {"session_id": "a", "turn": 1, "assistant": format!("{text}x")},
            {"session_id": "a", "turn": 2, "assistant": format!("{words}{text} kill yourself x")},
        ]);
        check(&score(&rows.to_string(), &Options::default()));
    }

    #[test]
    fn damaged_inputs_never_panic(
        which in 0usize..5,
        at in 0usize..20_000,
        length in 0usize..40,
        with in "(\\PC{0,6}|[\\[\\]{}:,\"'\n\\\\&*#|>-]{0,8}|-1e999|null|true)",
    ) {
        let mut texts = [PERSONA, TRANSCRIPT, CONFIG, RULES, JUDGE].map(str::to_owned);
        texts[which] = mutate(&texts[which], at, length, &with);
        let evaluation = read(&Inputs {
            persona: &texts[0],
            transcript: &texts[1],
            config: Some(&texts[2]),
            safety: Some(&texts[3]),
            judge: Some(&texts[4]),
            labels: None,
            control: None,
        });
        prop_assert!(evaluation.problems.iter().all(|problem| problem.line >= 1 && problem.column >= 1 && problem.input.is_some()));
        prop_assert_eq!(evaluation.result.is_none(), evaluation.errors().count() > 0);
        if let Some(result) = evaluation.result.and_then(|run| run.score(&Options::default(), Some(&FakeEmbedder::hashing())).result) {
            check(&result);
        }
    }

    #[test]
    fn random_inputs_never_panic(texts in prop::array::uniform5("\\PC{0,60}")) {
        let evaluation = read(&Inputs {
            persona: &texts[0],
            transcript: &texts[1],
            config: Some(&texts[2]),
            safety: Some(&texts[3]),
            judge: Some(&texts[4]),
            labels: None,
            control: None,
        });
        prop_assert_eq!(evaluation.result.is_none(), evaluation.errors().count() > 0);
    }

    #[test]
    fn what_is_known_changes_no_reading(edits in prop::collection::vec((0usize..5, 0usize..20_000, 0usize..20, "(\\PC{0,4}|[a-z\n]{0,8})"), 1..6)) {
        let mut texts = [PERSONA, TRANSCRIPT, CONFIG, RULES, JUDGE].map(str::to_owned);
        let mut known = Known::default();
        for (which, at, length, with) in edits {
            // some changes damage an input: the next reading starts from there
            texts[which] = mutate(&texts[which], at, length, &with);
            let inputs = Inputs {
                persona: &texts[0],
                transcript: &texts[1],
                config: Some(&texts[2]),
                safety: Some(&texts[3]),
                judge: Some(&texts[4]),
                labels: None,
                control: None,
            };
            prop_assert_eq!(read_with(&inputs, &mut known), read(&inputs));
        }
    }
}
