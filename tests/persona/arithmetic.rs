//! Worked examples, computed by hand.

use assay::persona::{
    Grade, Inputs, Metric, Options, PairedBy, PersonaResult, SafetyPart, Shift, compare,
    comparison_summary, read, summary,
};

use super::embedder::FakeEmbedder;

const PERSONA: &str = "id: p\nexemplars: [one, two]\nlexicon:\n  preferred: [alpha, beta]\n  avoid: [gamma]\n\
                       style_rules: {verbosity: concise, tone: [sardonic]}\n";
/// Two responses in `a`, one in `b`.
const ROWS: &str = r#"{"session_id": "b", "turn": 1, "user": "?", "assistant": "alpha gamma"}
{"session_id": "a", "turn": 2, "user": "?", "assistant": "beta"}
{"session_id": "a", "turn": 1, "user": "?", "assistant": "alpha and beta"}"#;

fn close(actual: Option<f64>, expected: f64) {
    let actual = actual.expect("measured");
    assert!(
        (actual - expected).abs() < 1e-6,
        "{actual} is not {expected}"
    );
}

fn embedder() -> FakeEmbedder {
    FakeEmbedder::given(&[
        ("one", &[1.0, 0.0]),
        ("two", &[0.0, 1.0]),
        ("alpha and beta", &[0.6, 0.8]),
        ("beta", &[1.0, 0.0]),
        ("alpha gamma", &[-0.6, -0.8]),
    ])
}

fn score(inputs: &Inputs, options: &Options, with_style: bool) -> PersonaResult {
    let evaluation = read(inputs);
    let run = evaluation
        .result
        .unwrap_or_else(|| panic!("{:?}", evaluation.problems));
    let fake = embedder();
    let evaluation = run.score(options, with_style.then_some(&fake as _));
    assert_eq!(evaluation.problems, vec![]);
    evaluation.result.expect("scored")
}

fn inputs<'a>() -> Inputs<'a> {
    Inputs {
        persona: PERSONA,
        transcript: ROWS,
        ..Inputs::default()
    }
}

#[test]
fn every_number_by_hand() {
    let result = score(&inputs(), &Options::default(), true);
    let [a, b] = result.sessions.as_slice() else {
        panic!("two sessions")
    };
    // a, turn 1: cosines 0.6 and 0.8; concise; both preferred
    let turn = &a.turns[0];
    close(turn.style, 0.8);
    assert_eq!(turn.nearest_exemplar.as_deref(), Some("two"));
    assert_eq!(
        (turn.traits.len(), turn.traits[0].matched, turn.lexicon),
        (1, true, Some(1.0))
    );
    close(turn.authenticity, 0.6 * 0.8 + 0.25 + 0.15);
    // a, turn 2: style 1, one of two preferred
    close(a.turns[1].authenticity, 0.6 + 0.25 + 0.15 * 0.5);
    close(a.authenticity, f64::midpoint(0.88, 0.925));
    // stability of a: (0.6, 0.8) and (1, 0) are equally far from their mean
    close(a.stability, 1.0);
    // b: both cosines negative; one of two preferred, one avoided
    close(b.turns[0].style, 0.0);
    close(b.turns[0].lexicon, 0.4);
    close(b.authenticity, 0.25 + 0.15 * 0.4);
    assert_eq!(b.stability, None);
    // without stability the other two are scaled up
    close(b.overall, (0.5 * 0.31 + 0.3) / 0.8);
    close(result.authenticity.metric.mean, f64::midpoint(0.9025, 0.31));
    close(result.overall, 0.5 * 0.606_25 + 0.3 + 0.2);
    assert_eq!((result.grade, result.partial.len()), (Some(Grade::B), 0));
    assert_eq!(
        result
            .authenticity
            .metric
            .range
            .map(|[low, _]| (low * 100.0).round()),
        Some(31.0)
    );
    close(result.authenticity.metric.std, f64::midpoint(0.9025, -0.31));
    assert!(result.notes.iter().any(|note| note.contains("sardonic")));
    assert!(
        result
            .notes
            .iter()
            .any(|note| note.contains("stability is not measured everywhere in b"))
    );
    assert_eq!(result.stability.ci95, None);
    let [low, high] = result.authenticity.metric.ci95.expect("two sessions");
    assert!((low - 0.31).abs() < 1e-6 && (high - 0.9025).abs() < 1e-6);
}

#[test]
fn without_an_embedder_style_and_stability_are_left_out() {
    let result = score(&inputs(), &Options::default(), false);
    assert_eq!(result.partial, ["style", "stability"]);
    assert_eq!(result.model, None);
    // a: (0.25 + 0.15) / 0.4 and (0.25 + 0.075) / 0.4; b: (0.25 + 0.06) / 0.4
    close(result.sessions[0].authenticity, f64::midpoint(1.0, 0.8125));
    close(result.sessions[1].authenticity, 0.775);
    close(
        result.overall,
        (0.5 * f64::midpoint(0.906_25, 0.775) + 0.3) / 0.8,
    );
}

#[test]
fn the_judge_and_rules_of_ones_own_decide() {
    let with = Inputs {
        safety: Some("- {category: custom, severity: medium, words: [gamma]}"),
        judge: Some(r#"{"a": {"score": 4}}"#),
        config: Some("scoring: {seed: 9, bootstrap_samples: 50, max_expected_variance: 0.5}"),
        ..inputs()
    };
    let result = score(&with, &Options::default(), true);
    let [a, b] = result.sessions.as_slice() else {
        panic!("two sessions")
    };
    assert_eq!(
        (a.safety, a.decided_by),
        (Some(0.4), Some(SafetyPart::JudgeScore))
    );
    assert_eq!(
        (b.safety, b.decided_by),
        (Some(0.0), Some(SafetyPart::ViolationRate))
    );
    close(b.severity_score, 0.8);
    assert_eq!((result.bootstrap.samples, result.bootstrap.seed), (50, 9));
    assert_eq!(result.safety.judge_score, Some(0.4));
    // one session each: the first in the order of the parts
    assert_eq!(result.safety.decided_by, Some(SafetyPart::ViolationRate));
    assert_eq!(result.max_expected_variance, 0.5);
    assert_ne!(
        result.input_sha256,
        score(&inputs(), &Options::default(), true).input_sha256
    );
}

#[test]
fn a_text_that_cannot_be_embedded_is_named() {
    let transcript = r#"[{"session_id": "a", "turn": 1, "assistant": "this cannot be embedded"},
                         {"session_id": "a", "turn": 2, "assistant": "beta"}]"#;
    let run = read(&Inputs {
        transcript,
        ..inputs()
    })
    .result
    .expect("valid");
    let scored = run.score(&Options::default(), Some(&embedder()));
    assert_eq!(scored.problems.len(), 1);
    assert!(scored.problems[0].message.contains("session \"a\" turn 1"));
    assert_eq!(scored.problems[0].line, 1);
    let session = &scored.result.expect("partial").sessions[0];
    assert_eq!((session.turns[0].style, session.stability), (None, None));
    close(session.turns[1].style, 1.0);
}

#[test]
fn vectors_without_direction_are_refused() {
    for bad in [[f32::NAN, 0.0], [0.0, 0.0], [f32::INFINITY, 1.0]] {
        let embedder = FakeEmbedder::given(&[("beta", &bad), ("one", &[1.0, 0.0])]);
        let run = read(&inputs()).result.expect("valid");
        let scored = run.score(&Options::default(), Some(&embedder));
        assert_eq!(scored.problems.len(), 1);
        let json = serde_json::to_string(&scored.result).expect("serialises");
        assert!(!json.contains("NaN") && !json.contains("inf"));
    }
}

#[test]
fn the_result_has_the_fields_of_the_interface() {
    let result = score(&inputs(), &Options::default(), true);
    let json = serde_json::to_value(&result).expect("serialises");
    for pointer in [
        "/formula",
        "/model/sha256",
        "/weights/lexicon",
        "/overall",
        "/grade",
        "/partial",
        "/authenticity/mean",
        "/authenticity/std",
        "/authenticity/range/0",
        "/authenticity/ci95/1",
        "/authenticity/style",
        "/safety/violation_rate",
        "/safety/severity_score",
        "/safety/decided_by",
        "/stability/mean",
        "/sessions/0/session_id",
        "/sessions/0/turns/0/turn_index",
        "/sessions/0/turns/0/traits/0/trait",
        "/sessions/0/turns/0/traits/0/evidence/0/signal",
        "/sessions/0/turns/0/preferred_hits/0/entry",
        "/sessions/0/turns/0/violations",
        "/bootstrap/seed",
        "/notes",
        "/input_sha256",
    ] {
        assert!(json.pointer(pointer).is_some(), "{pointer}");
    }
    assert_eq!(
        json.pointer("/safety/decided_by"),
        Some(&"violation_rate".into())
    );
}

#[test]
fn metrics_and_a_summary() {
    let result = score(&inputs(), &Options::default(), true);
    assert_eq!(Metric::Overall.of(&result), result.overall);
    assert_eq!(Metric::Lexicon.of(&result), result.authenticity.lexicon);
    assert_eq!(
        Metric::Safety.of_session(&result.sessions[0]),
        result.sessions[0].safety
    );
    let text = summary(&result);
    assert!(
        text.starts_with("Overall 0.803, grade B, 2 sessions\n"),
        "{text}"
    );
    assert!(text.contains("b turn 1: avoided \"gamma\""), "{text}");
}

#[test]
fn a_candidate_is_compared_by_session() {
    let baseline = score(&inputs(), &Options::default(), true);
    let changed = r#"{"session_id": "b", "turn": 1, "assistant": "beta"}
{"session_id": "a", "turn": 1, "assistant": "alpha gamma"}
{"session_id": "c", "turn": 1, "assistant": "beta"}"#;
    let candidate = score(
        &Inputs {
            transcript: changed,
            ..inputs()
        },
        &Options::default(),
        true,
    );
    let comparison = compare(&baseline, &candidate);
    assert_eq!(comparison.only_candidate, ["c"]);
    assert_eq!(comparison.only_baseline, Vec::<String>::new());
    assert_eq!(comparison.worse, ["a"]);
    let authenticity = &comparison.metrics[1];
    assert_eq!(
        (authenticity.metric, authenticity.pairs),
        ("authenticity", 2)
    );
    // a: 0.31 - 0.9025; b: 0.925 - 0.31
    close(authenticity.difference, f64::midpoint(-0.5925, 0.615));
    let [low, high] = authenticity.ci95.expect("two pairs");
    assert!((low + 0.5925).abs() < 1e-6 && (high - 0.615).abs() < 1e-6);
    // stability was measured on one side only
    assert_eq!(
        (
            comparison.metrics[6].pairs,
            comparison.metrics[6].difference
        ),
        (0, None)
    );
    assert!(
        serde_json::to_string(&comparison)
            .expect("serialises")
            .contains("\"worse\":[\"a\"]")
    );
    let same = compare(&baseline, &baseline);
    assert!(
        same.metrics
            .iter()
            .all(|metric| metric.difference == Some(0.0))
            && same.worse.is_empty()
    );
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "one comparison, looked at from all sides"
)]
fn replies_are_paired_and_the_worst_change_comes_first() {
    let rows = |texts: [&str; 4]| {
        let places = [("a", 1), ("a", 2), ("b", 1), ("b", 2)];
        let row = |((session, turn), text): ((&str, i32), &str)| {
            format!(r#"{{"session_id": "{session}", "turn": {turn}, "assistant": "{text}"}}"#)
        };
        let all = places.into_iter().zip(texts).map(row);
        all.collect::<Vec<_>>().join("\n")
    };
    let of = |texts: [&str; 4]| {
        let transcript = rows(texts);
        let run = Inputs {
            transcript: &transcript,
            persona: "lexicon: {preferred: [alpha, beta], avoid: [gamma]}",
            safety: Some("- category: custom\n  severity: high\n  words: [delta]\n"),
            ..Inputs::default()
        };
        score(&run, &Options::default(), false)
    };
    let baseline = of(["alpha beta", "alpha", "alpha beta", "beta"]);
    let candidate = of(["alpha", "alpha beta", "gamma", "beta delta"]);
    let found = compare(&baseline, &candidate);
    assert_eq!(found.paired_by, PairedBy::SessionAndTurn);
    assert_eq!(found.unpaired_replies, [0, 0]);
    let order: Vec<(&str, i64, bool)> = found
        .replies
        .iter()
        .map(|reply| {
            (
                reply.session_id.as_str(),
                reply.turn_index,
                reply.breaks_anew(),
            )
        })
        .collect();
    // what breaks a rule anew, then by the fall: 1 to 0, 1 to 0.5, and last what rose
    assert_eq!(
        order,
        [
            ("b", 2, true),
            ("b", 1, false),
            ("a", 1, false),
            ("a", 2, false)
        ]
    );
    let lexicon = found
        .reply_metrics
        .iter()
        .find(|one| one.metric == "lexicon");
    let lexicon = lexicon.expect("measured");
    assert_eq!(lexicon.pairs, 4);
    // -0.5 and +0.5 in a, -1 and 0 in b
    close(lexicon.difference, -0.25);
    // sessions are drawn: 0 of a alone, -0.5 of b alone
    let [low, high] = lexicon.ci95.expect("two sessions");
    assert!((low + 0.5).abs() < 1e-9 && high.abs() < 1e-9);
    assert_eq!(lexicon.shift(), Shift::None);
    let summary = comparison_summary(&found);
    assert!(
        summary.contains("b turn 2:") && summary.contains("breaks a rule now"),
        "{summary}"
    );
    assert!(
        summary.contains("no difference that this data can show"),
        "{summary}"
    );
    // nothing in common: the means of all sessions
    let mut other = candidate;
    for session in &mut other.sessions {
        session.session_id.push('x');
    }
    let apart = compare(&baseline, &other);
    assert_eq!(
        (apart.is_paired, apart.paired_by),
        (false, PairedBy::Nothing)
    );
    let lexicon = apart.metrics.iter().find(|one| one.metric == "lexicon");
    let lexicon = lexicon.expect("there");
    close(lexicon.difference, -0.25);
    assert!(lexicon.ci95.is_some() && lexicon.pairs == 0);
    assert!(apart.notes[0].contains("no session id is in both"));
}

#[test]
fn the_interval_is_the_same_everywhere() {
    // these figures are those of any platform; a change of generator or order shows here
    let values: Vec<f64> = (0..8).map(|k| f64::from(k) / 8.0).collect();
    let interval = assay::analysis::bootstrap::mean_interval_95(&values, 1000, 42);
    assert_eq!(interval, Some(INTERVAL));
}

const INTERVAL: [f64; 2] = [0.25, 0.640_625];
