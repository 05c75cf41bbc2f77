//! Drift by hand: distances, the stretch that stands out, and many sessions at once.

use std::sync::Arc;

use assay::persona::{Inputs, Options, PersonaResult, read, summary};
use assay::steps::{THROUGH, at_once};

use super::embedder::FakeEmbedder;

/// Sessions of replies that are near to the exemplar (`n`) or far from it (`f`).
fn scored(sessions: &[(&str, &str)]) -> PersonaResult {
    let rows = sessions.iter().flat_map(|(session, ways)| {
        ways.chars().enumerate().map(move |(at, way)| {
            let (turn, text) = (10 * (at + 1), if way == 'n' { "near" } else { "far" });
            format!(r#"{{"session_id": "{session}", "turn": {turn}, "assistant": "{text}"}}"#)
        })
    });
    let run = read(&Inputs {
        persona: "exemplars: [one]",
        transcript: &rows.collect::<Vec<_>>().join("\n"),
        ..Inputs::default()
    });
    let run = run.result.expect("valid");
    let fake = FakeEmbedder::given(&[
        ("one", &[1.0, 0.0]),
        ("near", &[0.8, 0.6]),
        ("far", &[0.28, -0.96]),
    ]);
    let mut known = run.similarities(&fake);
    known.drifts = Arc::new(at_once(run.drifts(&known, THROUGH)));
    let scored = run.score_with(&Options::default(), Some(&known)).result;
    scored.expect("scored")
}

#[test]
fn distances_and_a_departure_by_hand() {
    let result = scored(&[("a", "nnnnffffnnnnnnnn"), ("b", "nf"), ("c", "n")]);
    let [a, b, c] = &result.sessions[..] else {
        panic!("three sessions")
    };
    let drift = a.drift.as_ref().expect("measured");
    assert_eq!(drift.by, "style");
    let near = |value: Option<f64>, expected: f64| {
        let value = value.expect("measured");
        assert!((value - expected).abs() < 1e-6, "{value} is not {expected}");
    };
    // 1 - cosine to the exemplar, and to the first reply
    near(drift.to_persona[0], 0.2);
    near(drift.to_persona[4], 0.72);
    near(drift.to_start[0], 0.0);
    near(drift.to_start[4], 1.0 - (0.8 * 0.28 - 0.6 * 0.96));
    let found = drift.departure().expect("a departure");
    assert_eq!((found.departs_at, found.returns_at), (50, Some(90)));
    near(Some(found.before), 0.2);
    near(Some(found.within), 0.72);
    // too short to tell, and nothing to tell
    assert!(
        b.drift
            .as_ref()
            .is_some_and(|drift| drift.stretch.is_none())
    );
    assert_eq!(c.drift, None);
    let of_all = result.drift.clone().expect("measured");
    assert_eq!((of_all.told, of_all.departed, of_all.returned), (1, 1, 1));
    let text = summary(&result);
    assert!(
        text.contains("a departs from the persona at turn 50, back at turn 90"),
        "{text}"
    );
    assert!(
        text.contains("1 of 1 session long enough to tell departs"),
        "{text}"
    );
}

#[test]
fn a_fall_back_to_the_persona_is_no_departure_and_chance_is_none() {
    let result = scored(&[("a", "ffffffffnnnnnnnn"), ("b", "nfnfnfnfnfnfnfnf")]);
    for session in &result.sessions {
        let drift = session.drift.as_ref().expect("measured");
        assert_eq!(drift.departure(), None, "{}", session.session_id);
    }
    // what would be a departure alone is none among twenty that move by chance
    let weak = ("w", "nnnnnnff");
    let is_told = |sessions: &[(&str, &str)]| {
        let drift = scored(sessions)
            .sessions
            .into_iter()
            .find(|s| s.session_id == "w");
        let stretch = drift.and_then(|session| session.drift.as_ref()?.stretch);
        stretch.expect("a stretch")
    };
    let alone = is_told(&[weak]);
    let ids: Vec<String> = (0..20).map(|at| format!("x{at}")).collect();
    let mut many: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), "nfnfnfnf")).collect();
    many.push(weak);
    let among = is_told(&many);
    assert!((alone.p - among.p).abs() < 1e-12);
    assert!(!among.is_departure, "{among:?}");
}
