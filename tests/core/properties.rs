//! What holds of every input.

use assay::analysis::round4;
use assay::analysis::shapley::shares;
use assay::constitution;
use assay::debate::{self, DomainChoice, Profiles, Weighed, Weights};
use assay::document::detect;
use assay::persona::{self, Inputs, Similarities};
use assay::share::{Document, Kind, decode, encode};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

type Review = (u8, u8, u8, u8);

fn candidate() -> impl Strategy<Value = (Vec<Review>, Option<i8>, bool)> {
    let review = (
        0..=2_u8,
        0..=2_u8,
        0..=2_u8,
        prop::bool::weighted(0.2).prop_map(u8::from),
    );
    (
        vec(review, 1..6),
        prop::option::of(-100..=100_i8),
        any::<bool>(),
    )
}

/// Candidates of a payload, with wins that are possible for each.
fn candidates() -> impl Strategy<Value = Vec<Value>> {
    vec((candidate(), any::<prop::sample::Index>()), 2..7).prop_map(|list| {
        let n = list.len();
        list.into_iter()
            .enumerate()
            .map(|(index, ((reviews, formal, known), wins))| {
                json!({
                    "id": format!("c{index}"),
                    "model": if known { "opus" } else { "unheard-of" },
                    "wins": wins.index(n),
                    "formal_score": formal.map(|f| f64::from(f) / 100.0),
                    "reviews": reviews.iter().map(|(support, evidence, major_risks, critical_fail)| json!({
                        "support": support, "evidence": evidence,
                        "major_risks": major_risks, "critical_fail": critical_fail,
                    })).collect::<Vec<_>>(),
                })
            })
            .collect()
    })
}

fn weights() -> impl Strategy<Value = Vec<(String, f64)>> {
    prop::array::uniform5(0.01..10.0_f64).prop_map(|values| {
        Weights::NAMES
            .map(str::to_owned)
            .into_iter()
            .zip(values)
            .collect()
    })
}

fn score(candidates: &[Value], weights: &[(String, f64)]) -> debate::DebateResult {
    let options = debate::Options {
        domain: DomainChoice::Named("coding".into()),
        weights: weights.to_vec(),
        ..debate::Options::default()
    };
    let text = json!({ "candidates": candidates }).to_string();
    debate::evaluate(&text, &options).result.expect("valid")
}

fn turn() -> impl Strategy<Value = Value> {
    (
        any::<bool>(),
        any::<Option<bool>>(),
        "\\PC{0,30}",
        0..15_usize,
        any::<bool>(),
        prop::option::of(0.0..=1.0_f64),
        prop::option::of(0.0..=1.0_f64),
    )
        .prop_map(
            |(mutations, acknowledged, response, tools, passed, context, curated)| {
                json!({
                    "has_mutations": mutations, "acknowledged": acknowledged,
                    "turn_result": {"response": response, "tools": vec![json!({}); tools],
                        "tools_passed": passed, "context_utilization": context},
                    "overrides": {"curated": curated},
                })
            },
        )
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn evaluate_everything(text: &str) {
    let _ = detect(text, &|root| root.get("candidates").map(|_| ()));
    let options = debate::Options {
        domain: DomainChoice::Auto,
        ..debate::Options::default()
    };
    let found = debate::evaluate(text, &options);
    assert_eq!(found.result.is_none(), found.errors().next().is_some());
    let found = constitution::evaluate(text, &constitution::Options::default());
    assert_eq!(found.result.is_none(), found.errors().next().is_some());
    let _ = debate::read_profiles(text);
    let _ = decode(text);
}

/// Replaces, removes or doubles something somewhere in a document.
fn mutate(value: &mut Value, path: &[prop::sample::Index], with: &Value) {
    let Some((step, rest)) = path.split_first() else {
        *value = with.clone();
        return;
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            let index = step.index(items.len());
            mutate(&mut items[index], rest, with);
        }
        Value::Object(map) if !map.is_empty() => {
            let key = map
                .keys()
                .nth(step.index(map.len()))
                .cloned()
                .expect("a key");
            mutate(map.get_mut(&key).expect("its value"), rest, with);
        }
        other => *other = with.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_candidates_changes_only_the_order_of_full_ties(
        candidates in candidates(), weights in weights(), seed in any::<u64>(),
    ) {
        let mut shuffled = candidates.clone();
        shuffled.sort_by_key(|c| {
            let id = c["id"].as_str().unwrap_or_default().bytes().map(u64::from).sum::<u64>();
            (id.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed).wrapping_mul(0xff51_afd7_ed55_8ccd)
        });
        let (a, b) = (score(&candidates, &weights), score(&shuffled, &weights));
        prop_assert_eq!(a.decision, b.decision);
        for row in &a.results {
            prop_assert_eq!(b.results.iter().find(|other| other.id == row.id), Some(row));
        }
        let places = |result: &debate::DebateResult| -> Vec<_> {
            result.results.iter()
                .map(|r| (r.eliminated, r.score.to_bits(), r.critical_fails, r.base.to_bits()))
                .collect()
        };
        prop_assert_eq!(places(&a), places(&b));
    }

    #[test]
    fn contributions_of_a_candidate_add_up_to_its_shown_score(
        candidates in candidates(), weights in weights(),
    ) {
        for row in score(&candidates, &weights).results {
            let c = row.contributions;
            let total = c.base + c.pairwise + c.risk + c.reliability + c.formal;
            prop_assert!((total - row.score).abs() < 1e-9, "{:?}", row);
            for (part, exact) in [
                (c.pairwise, weights[1].1 * row.wins as f64 / (candidates.len() - 1) as f64),
                (c.formal, weights[4].1 * row.formal_score.unwrap_or(0.0)),
            ] {
                prop_assert!((part - exact).abs() <= 1.000_001e-4);
                prop_assert_eq!(part, round4(part));
            }
        }
    }

    #[test]
    fn scaling_all_weights_keeps_the_order(
        candidates in candidates(), weights in weights(), scale in 0.1..50.0_f64,
    ) {
        let scaled: Vec<_> = weights.iter().map(|(n, w)| (n.clone(), w * scale)).collect();
        let (before, after) = (score(&candidates, &weights), score(&candidates, &scaled));
        let place = |id: &str| after.results.iter().position(|row| row.id == id);
        // Two scores that rounding brings together, or parts, may change places:
        // they differ by less than a rounding step on either scale.
        let step = 1.5e-4_f64.max(1.5e-4 / scale);
        for pair in before.results.windows(2) {
            let clear = pair[0].eliminated != pair[1].eliminated
                || pair[0].score - pair[1].score > step;
            prop_assert!(!clear || place(&pair[0].id) < place(&pair[1].id));
        }
    }

    #[test]
    fn contributions_of_a_turn_add_up_and_order_does_not_matter(
        turns in vec(turn(), 1..6), values in prop::array::uniform7(0.0..10.0_f64),
    ) {
        prop_assume!(values.iter().any(|value| *value > 0.0));
        let mut named: Vec<(String, f64)> = constitution::PerPrinciple::NAMES
            .map(str::to_owned).into_iter().zip(values).collect();
        let text = Value::from(turns).to_string();
        let options = |weights: &[(String, f64)]| constitution::Options {
            weights: weights.to_vec(), ..constitution::Options::default()
        };
        let a = constitution::evaluate(&text, &options(&named)).result.expect("valid");
        named.reverse();
        let b = constitution::evaluate(&text, &options(&named)).result.expect("valid");
        prop_assert_eq!(&a, &b);
        for turn in &a.turns {
            let total: f64 = turn.contributions.values().iter().sum();
            prop_assert!((total - turn.weighted_total).abs() < 1e-9);
            prop_assert!((0.0..=1.0).contains(&turn.normalised));
        }
    }

    #[test]
    fn scaling_all_weights_keeps_normalised_totals(turn in turn(), scale in 0.001..1000.0_f64) {
        let text = turn.to_string();
        let scaled = constitution::DEFAULT_WEIGHTS.named()
            .map(|(name, weight)| (name.to_owned(), weight * scale)).to_vec();
        let options = constitution::Options { weights: scaled, ..constitution::Options::default() };
        let a = constitution::evaluate(&text, &constitution::Options::default()).result.expect("valid");
        let b = constitution::evaluate(&text, &options).result.expect("valid");
        prop_assert!((a.turns[0].normalised - b.turns[0].normalised).abs() < 1e-12);
    }

    #[test]
    fn encode_then_decode_is_the_identity(
        text in any::<String>(), weights in btree_map("[a-z_]{1,9}", any::<f64>(), 0..4),
        options in btree_map(any::<String>(), json_value(), 0..4),
        other in btree_map("x_[a-z]{1,5}", json_value(), 0..3),
    ) {
        let weights: Vec<_> = weights.into_iter().collect();
        let mut document = Document::new(Kind::Reward, "f/1", Value::from(text)).with_weights(&weights);
        document.options = options.into_iter().collect();
        document.other = other.into_iter().collect();
        let link = encode(&document).expect("encodes");
        prop_assert_eq!(decode(&link), Ok(document));
    }

    #[test]
    fn decoding_never_panics(bytes in vec(any::<u8>(), 0..200), text in "\\PC{0,60}", cut in any::<prop::sample::Index>()) {
        use base64::Engine;
        let packed = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&bytes);
        let _ = decode(&format!("#v1.{packed}"));
        let _ = decode(&text);
        let _ = decode(&format!("#v1.{text}"));
        let link = encode(&Document::new(Kind::Rwea, "rwea/1", Value::from(text))).expect("encodes");
        let mut damaged = link.into_bytes();
        let at = cut.index(damaged.len());
        damaged[at] = b'A' + bytes.first().copied().unwrap_or(0) % 26;
        let _ = decode(&String::from_utf8_lossy(&damaged));
    }

    #[test]
    fn random_text_never_panics(text in any::<String>(), json in json_value()) {
        evaluate_everything(&text);
        evaluate_everything(&json.to_string());
        evaluate_everything(&format!("{{\"candidates\": {json}, \"pairwise\": {json}}}"));
        evaluate_everything(&format!("{{\"turns\": [{{\"turn_result\": {json}}}, {json}], \"weights\": {json}}}"));
    }

    #[test]
    fn mutated_documents_never_panic(
        candidates in candidates(), turns in vec(turn(), 1..4),
        path in vec(any::<prop::sample::Index>(), 1..6), with in json_value(), cut in any::<prop::sample::Index>(),
    ) {
        for mut document in [
            json!({"question": "code", "candidates": candidates, "pairwise": [{"winner": "c0", "loser": "c1"}]}),
            json!({"session_id": "s", "turns": turns, "weights": {"ethical": 2}}),
        ] {
            mutate(&mut document, &path, &with);
            let text = document.to_string();
            evaluate_everything(&text);
            let end = (0..=cut.index(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            evaluate_everything(&text[..end]);
        }
    }
}

/// A run of a persona by words alone: its replies, preferred words and weights.
fn worded(words: &[&str], replies: &[String], [manner, safety]: [f64; 2]) -> persona::Run {
    let row = |(at, reply): (usize, &String)| {
        let id = format!("s{}", at / 2);
        json!({"session_id": id, "turn": at, "assistant": reply}).to_string() + "\n"
    };
    let rows: Vec<String> = replies.iter().enumerate().map(row).collect();
    let config = format!(
        "scoring: {{authenticity_weight: {manner}, safety_weight: {safety}, stability_weight: 0.1}}"
    );
    let read = persona::read(&Inputs {
        persona: &json!({"lexicon": {"preferred": words}}).to_string(),
        transcript: &rows.concat(),
        config: Some(&config),
        ..Inputs::default()
    });
    read.result.expect("valid")
}

proptest! {
    /// Shares of three parts add up to the difference, and a part that changes nothing has none.
    #[test]
    fn shares_add_up(worths in vec(-10.0..10.0_f64, 8)) {
        let found = shares::<3>(&worths).expect("finite");
        prop_assert!((found.iter().sum::<f64>() - (worths[7] - worths[0])).abs() < 1e-9);
        // the first part changes nothing where each set is worth what it is without it
        let idle: Vec<f64> = (0..8_usize).map(|set| worths[set & !1]).collect();
        prop_assert!(shares::<3>(&idle).expect("finite")[0].abs() < 1e-12);
    }

    #[test]
    fn shares_of_two_debates_add_up(
        before in candidates(), after in candidates(), weights_before in weights(), weights_after in weights(),
    ) {
        let read = |candidates: &[Value]| {
            debate::read(&json!({ "candidates": candidates }).to_string()).result.expect("valid")
        };
        let options = |weights: &[(String, f64)]| debate::Options {
            weights: weights.to_vec(),
            ..debate::Options::default()
        };
        let payloads = [read(&before), read(&after)];
        let options = [options(&weights_before), options(&weights_after)];
        let weighed = |at: usize| Weighed {
            payload: &payloads[at],
            profiles: Profiles::built_in(),
            options: &options[at],
        };
        let found = debate::difference(weighed(0), weighed(1)).expect("weights");
        prop_assert_eq!(found.candidates.len(), before.len().max(after.len()));
        for candidate in &found.candidates {
            prop_assert_eq!(candidate.difference.is_some(), candidate.shares.is_some());
            if let Some((difference, shares)) = candidate.difference.zip(candidate.shares) {
                prop_assert!((shares.iter().sum::<f64>() - difference).abs() < 1e-9, "{candidate:?}");
            }
        }
    }

    #[test]
    fn shares_of_two_runs_of_a_persona_add_up(
        words in prop::array::uniform2(vec(prop::sample::select(vec!["oil", "ride", "chain", "kill you"]), 1..4)),
        replies in prop::array::uniform2(vec("(oil|ride|chain|and|I will kill you)( (oil|ride|chain|now)){0,3}", 2..6)),
        weights in prop::array::uniform2(prop::array::uniform2(0.1..2.0_f64)),
    ) {
        let none = Similarities::default();
        let runs: Vec<persona::Run> = (0..4_usize)
            .map(|set| worded(&words[set % 2], &replies[set / 2], weights[0]))
            .collect();
        let sides = [0, 1, 2, 3].map(|at: usize| (&runs[at], &none));
        let later = worded(&words[1], &replies[1], weights[1]);
        let found = persona::split(sides, [runs[0].given(), later.given()]).expect("no voice");
        prop_assert_eq!(&found.metrics[0].name, "overall");
        for one in found.metrics.iter().chain(&found.sessions) {
            let sum = one.persona + one.transcript + one.weights;
            prop_assert!((sum - one.difference).abs() < 1e-9, "{one:?}");
        }
        // both ends are what the runs say by themselves
        let overall = |run: &persona::Run| {
            let scored = run.score(&persona::Options::default(), None).result.expect("scored");
            scored.overall.expect("measured")
        };
        prop_assert!((found.metrics[0].before - overall(&runs[0])).abs() < 1e-12);
        prop_assert!((found.metrics[0].after - overall(&later)).abs() < 1e-12);
    }
}
