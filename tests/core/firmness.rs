//! How firm a verdict is: every flip and every change is checked by scoring anew.

use assay::analysis::round4;
use assay::debate::{
    Board, DebateResult, Decision, DomainChoice, Edit, Fact, Options, Payload, Profiles,
    ReviewField, Ruling, Spread, UncertaintyOptions, Weights, firmness, read, score,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// support, evidence, major_risks, critical_fail.
type Review = (u8, u8, u8, u8);

fn review() -> impl Strategy<Value = Review> {
    let flag = prop::bool::weighted(0.15).prop_map(u8::from);
    (0..=2_u8, 0..=2_u8, 0..=2_u8, flag)
}

fn reviews_json(reviews: &[Review]) -> Value {
    let review = |(support, evidence, major_risks, critical_fail): &Review| {
        json!({"support": support, "evidence": evidence,
               "major_risks": major_risks, "critical_fail": critical_fail})
    };
    reviews.iter().map(review).collect()
}

/// A formal score given, claims, or neither.
fn formal() -> impl Strategy<Value = Value> {
    let status = prop::sample::select(vec!["proved", "disproved", "timeout"]);
    prop_oneof![
        Just(json!({})),
        (-100..=100_i32).prop_map(|f| json!({"formal_score": f64::from(f) / 100.0})),
        (-1.0..=1.0_f64).prop_map(|f| json!({"formal_score": f})),
        vec(status, 1..4).prop_map(|list| {
            let claims: Vec<_> = list
                .iter()
                .map(|status| json!({"status": status}))
                .collect();
            json!({"claims": claims})
        }),
    ]
}

/// A payload with wins, or with some outcomes of head-to-heads.
pub(super) fn payload(most: usize) -> impl Strategy<Value = Payload> {
    let candidate = (
        vec(review(), 1..5),
        formal(),
        any::<bool>(),
        any::<prop::sample::Index>(),
    );
    let outcomes = prop::option::of(vec(0..3_u8, most * most));
    (vec(candidate, 2..=most), outcomes).prop_map(|(list, outcomes)| {
        let n = list.len();
        let mut candidates = Vec::new();
        for (index, (reviews, formal, known, wins)) in list.iter().enumerate() {
            let mut candidate = formal.clone();
            candidate["id"] = format!("c{index}").into();
            candidate["model"] = if *known { "opus" } else { "unheard-of" }.into();
            candidate["reviews"] = reviews_json(reviews);
            if outcomes.is_none() {
                candidate["wins"] = wins.index(n).into();
            }
            candidates.push(candidate);
        }
        let mut text = json!({"candidates": candidates});
        if let Some(outcomes) = outcomes {
            let mut pairs = vec![json!({"winner": "c0", "loser": "c1"})];
            for a in 0..n {
                for b in a + 1..n {
                    let (a_id, b_id) = (format!("c{a}"), format!("c{b}"));
                    match outcomes[a * n + b] {
                        _ if b == 1 => {}
                        0 => pairs.push(json!({"winner": a_id, "loser": b_id})),
                        1 => pairs.push(json!({"winner": b_id, "loser": a_id})),
                        _ => {}
                    }
                }
            }
            text["pairwise"] = pairs.into();
        }
        read(&text.to_string()).result.expect("valid")
    })
}

/// Weights as people type them, and any.
pub(super) fn weights() -> impl Strategy<Value = [f64; 5]> {
    let weight = prop_oneof![
        (0..=60_u32).prop_map(|tenths| f64::from(tenths) / 20.0),
        0.0..4.0_f64,
    ];
    prop::array::uniform5(weight)
        .prop_filter("one above 0", |all| all.iter().any(|weight| *weight > 0.0))
}

pub(super) fn options(domain: &str, weights: [f64; 5]) -> Options {
    Options {
        domain: DomainChoice::Named(domain.into()),
        weights: Weights::NAMES
            .map(str::to_owned)
            .into_iter()
            .zip(weights)
            .collect(),
        ..Options::default()
    }
}

fn scored(payload: &Payload, domain: &str, weights: [f64; 5]) -> Option<DebateResult> {
    score(payload, Profiles::built_in(), &options(domain, weights)).result
}

/// Whether a weight hardly moves two scores apart, or one at all: then the search
/// for the first flip may be cut short, and says so. Scores that it moves alike
/// matter where rounding alone decides between them.
fn hardly_apart(payload: &Payload, result: &DebateResult, term: usize) -> bool {
    let rows = result.results.iter().map(|row| {
        let candidate = payload.candidates.iter().find(|c| c.id == row.id);
        let formal = candidate.and_then(|candidate| candidate.formal_score);
        let reliability = row.model_weight.unwrap_or_default();
        let formal = formal.unwrap_or_default();
        let values = [row.base, row.pairwise, row.risk, reliability, formal];
        (values[term], row.score)
    });
    let rows: Vec<_> = rows.collect();
    let is_small = |value: f64| value > 0.0 && value < 2e-3;
    let alike = |(value, score): (f64, f64), (other, other_score): (f64, f64)| {
        let gap = (score - other_score).abs();
        is_small((value - other).abs())
            || value == other && [gap, (gap - 0.4).abs()].iter().any(|gap| *gap < 1e-3)
    };
    rows.iter().enumerate().any(|(index, row)| {
        is_small(row.0.abs()) || rows[..index].iter().any(|other| alike(*row, *other))
    })
}

/// Scores on both sides of every end of every interval, and within.
fn check_intervals(payload: &Payload, domain: &str, weights: [f64; 5], inside: &[f64]) -> usize {
    let options = options(domain, weights);
    let board = Board::new(payload, Profiles::built_in(), &options).expect("weights");
    let intervals = board.intervals();
    let result = scored(payload, domain, weights).expect("scored");
    let current = Ruling::of(&result);
    assert_eq!(intervals.ruling, current);
    let mut flips = 0;
    for (term, interval) in intervals.weights.iter().enumerate() {
        let at = |weight: f64| {
            let mut moved = weights;
            moved[term] = weight;
            // all weights 0 are refused
            scored(payload, domain, moved).map(|result| Ruling::of(&result))
        };
        let (low, high) = (interval.low.at, interval.high.at);
        assert!(
            low <= weights[term] && weights[term] <= high,
            "{interval:?}"
        );
        let top = high.min(weights[term] * 5.0 + 5.0);
        let within = inside.iter().map(|share| low + (top - low) * share);
        for weight in within.chain([low, high]) {
            let found = at(weight);
            assert!(found.is_none_or(|r| r == current), "{weight}: {interval:?}");
        }
        for end in [&interval.low, &interval.high] {
            let Some(flip) = &end.flip else { continue };
            assert_ne!(flip.becomes, current);
            assert!(
                (flip.at - end.at).abs() <= 1e-9_f64.max(flip.at * 1e-15),
                "{end:?}"
            );
            assert!(end.exact || hardly_apart(payload, &result, term), "{end:?}");
            assert!(at(flip.at).is_none_or(|r| r == flip.becomes), "{end:?}");
            flips += 1;
        }
    }
    for nearest in intervals
        .nearest_absolute
        .iter()
        .chain(&intervals.nearest_relative)
    {
        assert_eq!(nearest.change, (nearest.to - nearest.from).abs());
    }
    assert_eq!(intervals.nearest_absolute.is_some(), flips > 0);
    flips
}

/// Applies every change and scores.
fn check_changes(payload: &Payload, domain: &str, weights: [f64; 5]) {
    let options = options(domain, weights);
    let board = Board::new(payload, Profiles::built_in(), &options).expect("weights");
    let result = scored(payload, domain, weights).expect("scored");
    for reach in board.changes() {
        let rank = result
            .results
            .iter()
            .position(|row| row.id == reach.id && !row.eliminated);
        assert_eq!(reach.rank, rank.map(|place| place + 1));
        let won = result.decision == Decision::Winner && result.winner.as_ref() == Some(&reach.id);
        assert_eq!(reach.wins, won);
        assert!(reach.rank != Some(1) || reach.to_first.is_none());
        assert!(!won || reach.to_win.is_none());
        for (change, to_win) in [(&reach.to_first, false), (&reach.to_win, true)] {
            let Some(change) = change else { continue };
            let after = scored(&change.edit.apply(payload), domain, weights).expect("scored");
            let first = &after.results[0];
            assert!(first.id == reach.id && !first.eliminated, "{change:?}");
            assert_eq!(change.becomes, Ruling::of(&after), "{change:?}");
            assert!(change.size > 0.0 && change.size <= 1.0, "{change:?}");
            if to_win {
                let winner = (after.decision, after.winner.as_ref());
                assert_eq!(winner, (Decision::Winner, Some(&reach.id)));
            }
        }
    }
}

/// Every edit of a review, a claim, wins or a match, and formal scores in coarse steps.
pub(super) fn all_edits(payload: &Payload) -> Vec<Edit> {
    use assay::debate::ClaimStatus::{Disproved, Proved, Timeout};
    let mut edits = Vec::new();
    for (candidate, of) in payload.candidates.iter().enumerate() {
        for (review, ratings) in of.reviews.iter().enumerate() {
            for field in ReviewField::ALL {
                let from = field.of(ratings);
                let others = (0..=field.most()).filter(|to| *to != from);
                edits.extend(others.map(|to| Edit::Review {
                    candidate,
                    review,
                    field,
                    from,
                    to,
                }));
            }
        }
        for (claim, given) in of.claims.iter().enumerate() {
            let from = given.status;
            let others = [Proved, Disproved, Timeout]
                .into_iter()
                .filter(|to| *to != from);
            edits.extend(others.map(|to| Edit::Claim {
                candidate,
                claim,
                from,
                to,
            }));
        }
        if of.claims.is_empty() {
            let from = of.formal_score;
            let steps = (-50..=50).map(|step| f64::from(step) / 50.0);
            edits.extend(steps.map(|to| Edit::Formal {
                candidate,
                from,
                to,
            }));
        }
        if payload.pairwise.is_empty() {
            let from = of.wins;
            let possible = [from - 1, from + 1].into_iter();
            let possible = possible.filter(|to| (0..payload.candidates.len() as i64).contains(to));
            edits.extend(possible.map(|to| Edit::Wins {
                candidate,
                from,
                to,
            }));
        }
    }
    for (position, outcome) in payload.pairwise.iter().enumerate() {
        edits.push(Edit::Match {
            position: Some(position),
            winner: outcome.loser,
            loser: outcome.winner,
        });
    }
    edits
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_verdict_stands_within_its_intervals_and_flips_beyond(
        payload in payload(7), weights in weights(), inside in vec(0.0..=1.0_f64, 12),
        domain in prop::sample::select(vec!["coding", "none"]),
    ) {
        check_intervals(&payload, domain, weights, &inside);
    }

    #[test]
    fn a_change_puts_its_candidate_first(
        payload in payload(7), weights in weights(),
        domain in prop::sample::select(vec!["coding", "none"]),
    ) {
        check_changes(&payload, domain, weights);
    }

    #[test]
    fn no_single_change_is_smaller(payload in payload(4), weights in weights()) {
        let options = options("coding", weights);
        let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
        let reaches = board.changes();
        let before = scored(&payload, "coding", weights).expect("scored");
        for edit in all_edits(&payload) {
            let after = scored(&edit.apply(&payload), "coding", weights).expect("scored");
            let first = &after.results[0];
            let Some(reach) = reaches.iter().find(|reach| reach.id == first.id) else { continue };
            if first.eliminated {
                continue;
            }
            let size = edit.size() + 1e-12;
            if before.results[0].id != first.id || before.results[0].eliminated {
                let found = reach.to_first.as_ref().map(|change| change.size);
                prop_assert!(found.is_some_and(|found| found <= size), "{:?} {:?}", edit, reach);
            }
            if after.decision == Decision::Winner && !reach.wins {
                let found = reach.to_win.as_ref().map(|change| change.size);
                prop_assert!(found.is_some_and(|found| found <= size), "{:?} {:?}", edit, reach);
            }
        }
    }

    #[test]
    fn one_flag_does_what_is_said(payload in payload(5), weights in weights()) {
        let options = options("coding", weights);
        let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
        for rule in board.flags() {
            let candidate = payload.candidates.iter().position(|c| c.id == rule.id).expect("known");
            for review in &rule.reviews {
                let (from, to) = if rule.eliminates { (0, 1) } else { (1, 0) };
                let field = ReviewField::CriticalFail;
                let edit = Edit::Review { candidate, review: *review, field, from, to };
                let after = scored(&edit.apply(&payload), "coding", weights).expect("scored");
                let row = after.results.iter().find(|row| row.id == rule.id).expect("a row");
                prop_assert_eq!(row.eliminated, rule.eliminates);
                prop_assert_eq!(&rule.becomes, &Ruling::of(&after));
            }
        }
    }

    #[test]
    fn acceptabilities_sum_to_one(payload in payload(6), weights in weights(), percent in 0.0..100.0_f64) {
        let own = options("coding", weights);
        let board = Board::new(&payload, Profiles::built_in(), &own).expect("weights");
        for spread in [Spread::Simplex, Spread::WithinPercent(percent)] {
            let found = board.uncertainty(&UncertaintyOptions { spread, draws: 200, ..Default::default() });
            let n = found.candidates.len();
            for rank in 0..n {
                let of_candidate: f64 = found.candidates[rank].ranks.iter().sum();
                let of_rank: f64 = found.candidates.iter().map(|c| c.ranks[rank]).sum();
                prop_assert!((of_candidate - 1.0).abs() < 1e-9 && (of_rank - 1.0).abs() < 1e-9);
            }
            let d = found.decisions;
            prop_assert!((d.winner + d.hybrid + d.insufficient + d.all_eliminated - 1.0).abs() < 1e-9);
            for candidate in &found.candidates {
                prop_assert!(candidate.winner <= candidate.ranks[0] + 1e-9);
                prop_assert_eq!(candidate.central_weights.is_some(), candidate.ranks[0] > 0.0);
            }
        }
    }

    #[test]
    fn everything_is_found_of_any_payload_and_serialises(payload in payload(6), weights in weights()) {
        let found = firmness(&payload, Profiles::built_in(), &options("math", weights)).expect("weights");
        let text = serde_json::to_string(&found).expect("serialises");
        prop_assert!(!text.contains("NaN"));
        let last = found.trace.steps.last().map(|step| step.fact.clone());
        let ruling = Ruling::of(&scored(&payload, "math", weights).expect("scored"));
        prop_assert_eq!(last, Some(Fact::Decided { ruling }));
    }
}

fn known(case: &str) -> Payload {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../data/debates.json")).expect("valid data");
    let case = cases
        .iter()
        .find(|known| known["case"] == case)
        .expect("a case");
    read(&case["payload"].to_string()).result.expect("valid")
}

#[test]
fn the_known_debate_is_checked_in_every_domain() {
    let payload = known("five models, no domain");
    let mut flips = 0;
    for domain in Profiles::built_in().names().into_iter().chain(["none"]) {
        let choice = Options {
            domain: DomainChoice::Named(domain.into()),
            ..Options::default()
        };
        let board = Board::new(&payload, Profiles::built_in(), &choice).expect("weights");
        let weights = board.weights().values();
        let inside: Vec<f64> = (0..=40).map(|i| f64::from(i) / 40.0).collect();
        flips += check_intervals(&payload, domain, weights, &inside);
        check_changes(&payload, domain, weights);
    }
    assert!(flips > 8, "{flips}");
}

/// A has base 4, B has the win.
fn base_against_win() -> Payload {
    let text = json!({"candidates": [
        {"id": "A", "wins": 0, "reviews": reviews_json(&[(2, 2, 0, 0)])},
        {"id": "B", "wins": 1, "reviews": reviews_json(&[(0, 0, 0, 0)])},
    ]});
    read(&text.to_string()).result.expect("valid")
}

#[test]
fn crossing_points_are_those_of_the_arithmetic() {
    // 0.5 x 4 = 2 against 1.5: A wins by 0.5 until the win is worth more than 1.6
    let payload = base_against_win();
    let options = options("none", [0.5, 1.5, 0.7, 0.0, 0.0]);
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
    let found = board.intervals();
    assert_eq!(found.ruling.words(), "A wins");
    let [base, pairwise, risk, ..] = found.weights.as_slice() else {
        unreachable!("five weights");
    };
    assert!((pairwise.high.at - 1.600_05).abs() < 1e-9, "{pairwise:?}");
    assert_eq!((pairwise.low.at, pairwise.low.flip.as_ref()), (0.0, None));
    let flip = pairwise.high.flip.as_ref().expect("flips");
    assert_eq!(
        flip.words,
        "pairwise above 1.60 makes it a combination of A and B"
    );
    // 4 w - 1.5 >= 0.4: w >= 0.475, where 4 w rounds to 1.9
    assert!((base.low.at - 0.474_987_5).abs() < 1e-9, "{base:?}");
    assert_eq!(
        (risk.low.flip.as_ref(), risk.high.flip.as_ref()),
        (None, None)
    );
    let nearest = found.nearest_absolute.expect("flips");
    assert_eq!(
        (nearest.weight, nearest.words.as_str()),
        (
            "w_base",
            "base below 0.475 makes it a combination of A and B"
        )
    );
    let nearest = found.nearest_relative.expect("flips");
    assert_eq!(nearest.weight, "w_base");
}

#[test]
fn the_share_of_weight_space_is_the_exact_one() {
    // free are base and pairwise, with the sum 2.5: 4 w_base > w_pairwise in 4/5 of it
    let payload = base_against_win();
    let options = options("none", [0.5, 2.0, 0.7, 0.0, 0.0]);
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
    let found = board.uncertainty(&UncertaintyOptions::default());
    assert_eq!(found.varied, ["w_base", "w_pairwise"]);
    let [a, b] = found.candidates.as_slice() else {
        unreachable!("two survivors");
    };
    assert!((a.ranks[0] - 0.8).abs() < 0.015 && (b.ranks[0] - 0.2).abs() < 0.015);
    // hybrid where |4 a - (2.5 - a)| < 0.4: 0.8 / 5 of 2.5
    assert!(
        (found.decisions.hybrid - 0.064).abs() < 0.01,
        "{:?}",
        found.decisions
    );
    let central = a.central_weights.expect("first somewhere");
    assert!((central.w_base - 1.5).abs() < 0.03 && central.w_risk == 0.7);
    // held, nothing moves: 2 against 2 is a tie that the higher base breaks
    let held = UncertaintyOptions {
        held: [true; 5],
        ..UncertaintyOptions::default()
    };
    assert_eq!(board.uncertainty(&held).candidates[0].ranks, [1.0, 0.0]);
    // each within 50 %: 4 a in [1, 3] against b in [1, 3]
    let spread = Spread::WithinPercent(50.0);
    let found = board.uncertainty(&UncertaintyOptions {
        spread,
        ..UncertaintyOptions::default()
    });
    assert!((found.candidates[0].ranks[0] - 0.5).abs() < 0.02);
}

#[test]
fn candidates_that_move_as_one_never_flip() {
    let same = reviews_json(&[(2, 1, 1, 0), (1, 1, 0, 0), (2, 2, 1, 0)]);
    let candidates: Vec<_> = (0..40)
        .map(|i| json!({"id": format!("c{i}"), "wins": 20, "reviews": same}))
        .collect();
    let payload = read(&json!({"candidates": candidates}).to_string())
        .result
        .expect("valid");
    check_intervals(
        &payload,
        "none",
        [0.5, 2.0, 0.7, 0.0, 0.0],
        &[0.1, 0.5, 0.9],
    );
    // the same score from different terms: 1.1 x 1 against 0.55 x 2, and the same risk
    let text = json!({"candidates": [
        {"id": "A", "wins": 1, "reviews": reviews_json(&[(1, 1, 1, 0)])},
        {"id": "B", "wins": 0, "reviews": reviews_json(&[(2, 2, 1, 0)])},
    ]});
    let payload = read(&text.to_string()).result.expect("valid");
    let found = check_intervals(&payload, "none", [0.55, 1.1, 0.3, 0.0, 0.0], &[0.2, 0.7]);
    assert!(found > 0);
}

#[test]
fn a_lead_just_short_of_or_at_the_gap_settles_on_the_rounded_numbers() {
    for weights in [
        [0.5, 2.4, 0.7, 0.0, 0.0],
        [0.333_33, 1.733_28, 0.7, 0.0, 0.0],
        [0.1, 0.8, 0.0, 0.0, 0.0],
    ] {
        check_intervals(&base_against_win(), "none", weights, &[0.01, 0.3, 0.99]);
    }
}

#[test]
fn weights_of_any_size_and_scores_that_hardly_part_are_settled() {
    let payload = known("five models, no domain");
    for weights in [
        [1e9; 5],
        [1e9, 0.0, 0.0, 0.0, 1e-9],
        [1e-9, 1e-9, 1e-9, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0, 0.0],
    ] {
        check_intervals(&payload, "coding", weights, &[0.5]);
    }
    for apart in [1e-1, 1e-3, 1e-5, 1e-7, 1e-12] {
        let with = |id: &str, formal: f64| {
            json!({"id": id, "wins": 1, "formal_score": formal,
                   "reviews": reviews_json(&[(2, 1, 0, 0)])})
        };
        let text = json!({"candidates": [with("A", 0.5), with("B", 0.5 + apart)]});
        let payload = read(&text.to_string()).result.expect("valid");
        check_intervals(&payload, "coding", [0.5, 2.0, 0.7, 0.5, 0.35], &[0.3, 0.6]);
    }
}

fn by(debater: &str, ratings: Review) -> Value {
    let mut review = reviews_json(&[ratings])[0].clone();
    review["debater"] = debater.into();
    review
}

#[test]
fn the_debaters_are_told_apart() {
    let text = json!({"candidates": [
        {"id": "A", "model": "Opus", "reviews": [by("opus", (2, 2, 0, 0)), by("kimi", (0, 0, 0, 0))]},
        {"id": "B", "model": "kimi-2.5", "reviews": [by("opus", (1, 1, 0, 0)), by("kimi", (2, 2, 0, 0))]},
        {"id": "C", "reviews": [by("opus", (0, 0, 0, 0)), by("kimi", (0, 0, 2, 1))]},
    ], "pairwise": [{"winner": "A", "loser": "B"}, {"winner": "B", "loser": "C"}, {"winner": "C", "loser": "A"}]});
    let payload = read(&text.to_string()).result.expect("valid");
    let options = options("none", [0.5, 2.0, 0.7, 0.0, 0.0]);
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
    let found = board.debaters(200, 42);
    // with both A and B have base 2 and 3; opus alone: 4 and 2; kimi alone: 0 and 4
    let without: Vec<_> = found
        .left_out
        .iter()
        .map(|l| {
            (
                l.name.as_str(),
                l.ruling.clone().expect("a verdict").words(),
                l.changes,
            )
        })
        .collect();
    assert_eq!(
        without,
        [
            ("opus", "B wins".into(), false),
            ("kimi", "A wins".into(), true)
        ]
    );
    assert_eq!(found.cycles[0].words, "A beats B, B beats C, C beats A");
    assert_eq!(found.self_reviews.len(), 1);
    assert_eq!(
        (
            found.self_reviews[0].id.as_str(),
            found.self_reviews[0].review
        ),
        ("A", 0)
    );
    let opus = &found.debaters[0];
    assert_eq!(
        (opus.reviews, opus.support.mean, opus.major_risks.mean),
        (3, 1.0, 0.0)
    );
    // +2 on A, -1 on B, 0 on C
    assert!((opus.support.deviation.expect("others") - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(opus.severity.mean, -2.0);
    let support = &found.agreement[0];
    assert_eq!((support.field, support.units), (ReviewField::Support, 3));
    // pairs 2-0, 1-2, 0-0: n = 3, 1, 2 of 0, 1, 2; d(0,1) = 4, d(0,2) = 12.25, d(1,2) = 2.25;
    // 1 - 5 (12.25 + 2.25) / (3 x 4 + 6 x 12.25 + 2 x 2.25)
    assert!((support.alpha.expect("defined") - (1.0 - 72.5 / 90.0)).abs() < 1e-12);
}

#[test]
fn an_unnamed_debater_is_a_position_and_the_last_cannot_be_left_out() {
    let found = {
        let payload = base_against_win();
        let options = options("none", [0.5, 1.5, 0.7, 0.0, 0.0]);
        Board::new(&payload, Profiles::built_in(), &options)
            .expect("weights")
            .debaters(10, 1)
    };
    assert_eq!(
        (found.debaters[0].name.as_str(), found.debaters[0].named),
        ("review 1", false)
    );
    assert_eq!(found.left_out[0].ruling, None);
    assert_eq!(found.left_out[0].unreviewed, ["A", "B"]);
}

#[test]
fn every_domain_stands_as_it_is_scored() {
    let payload = known("five models, no domain");
    let own = options("math", [1.0, 0.3, 0.7, 0.2, 0.1]);
    let board = Board::new(&payload, Profiles::built_in(), &own).expect("weights");
    let found = board.domains();
    let names: Vec<_> = found
        .iter()
        .map(|standing| standing.name.as_str())
        .collect();
    assert_eq!(names[0], "none");
    assert_eq!((names.len(), names[8]), (9, "yours"));
    for standing in &found {
        let options = if standing.own {
            own.clone()
        } else {
            Options {
                domain: DomainChoice::Named(standing.name.clone()),
                ..Options::default()
            }
        };
        let result = score(&payload, Profiles::built_in(), &options)
            .result
            .expect("scored");
        assert_eq!(standing.ruling, Ruling::of(&result));
        assert_eq!(standing.weights, result.weights);
        for place in &standing.places {
            let rank = result
                .results
                .iter()
                .position(|row| row.id == place.id)
                .expect("a row");
            let row = &result.results[rank];
            assert_eq!(
                (place.rank, place.score),
                ((!row.eliminated).then_some(rank + 1), row.score)
            );
        }
    }
}

fn sentences(payload: &Payload) -> (Vec<String>, assay::debate::Trace) {
    let options = Options {
        domain: DomainChoice::None,
        ..Options::default()
    };
    let board = Board::new(payload, Profiles::built_in(), &options).expect("weights");
    let trace = board.trace().expect("scored");
    (
        trace
            .steps
            .iter()
            .map(|step| step.sentence.clone())
            .collect(),
        trace,
    )
}

#[test]
fn a_decision_is_traced_with_its_numbers() {
    let text = json!({"candidates": [
        {"id": "A", "wins": 1, "reviews": [by("x", (2, 2, 0, 0)), by("y", (1, 1, 0, 0))]},
        {"id": "B", "wins": 1, "reviews": [by("x", (2, 1, 0, 0)), by("y", (2, 1, 1, 0))]},
        {"id": "C", "wins": 0, "reviews": [by("x", (2, 2, 0, 1)), by("y", (1, 1, 0, 1))]},
    ]});
    let (steps, trace) = sentences(&read(&text.to_string()).result.expect("valid"));
    assert_eq!(
        steps,
        [
            "C is eliminated: 2 critical fails, in review 1 (x) and review 2 (y); 2 or more eliminate.",
            "2 of 3 candidates remain.",
            "A has the top score, 2.5: at least 1.20.",
            "It leads B (2.15) by 0.35: less than 0.40.",
            "So the answer is a combination of A and B.",
        ]
    );
    let sides: Vec<_> = trace
        .sides
        .iter()
        .map(|side| (side.about, side.stronger.as_deref()))
        .collect();
    assert_eq!(
        sides,
        [
            ("base", None),
            ("pairwise", None),
            ("risk", Some("A")),
            ("debater", Some("A")),
            ("debater", None)
        ]
    );
    assert_eq!(
        trace.sides[2].sentence,
        "In risk A is stronger than B (0 against -0.35)."
    );
}

#[test]
fn an_insufficient_debate_says_what_to_ask() {
    let text = json!({"candidates": [
        {"id": "A", "wins": 0, "claims": [{"text": "It halts", "status": "timeout"}],
         "reviews": [by("x", (1, 0, 1, 0)), by("y", (1, 1, 0, 0))]},
        {"id": "B", "wins": 0, "reviews": [by("x", (0, 0, 0, 0)), by("y", (0, 0, 1, 0))]},
    ]});
    let payload = read(&text.to_string()).result.expect("valid");
    let options = options("math", [0.4, 0.5, 0.5, 0.0, 0.6]);
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
    let trace = board.trace().expect("scored");
    let asked: Vec<_> = trace
        .follow_ups
        .iter()
        .map(|f| (f.about, f.gain, f.places.clone()))
        .collect();
    assert_eq!(
        asked,
        [
            ("base", Some(1.0), vec![0]),
            ("claim", Some(0.6), vec![0]),
            ("pairwise", Some(0.5), vec![]),
            ("risk", Some(0.25), vec![0]),
        ]
    );
    assert_eq!(
        trace.follow_ups[1].question,
        "Can \"It halts\" be proved? The prover's answer is timeout."
    );
    assert_eq!(
        trace.follow_ups[0].question,
        "What would raise A's evidence? It is lowest in review 1 (x); base is 1.5 of 4."
    );
}

#[test]
fn the_eliminated_say_which_flags_must_go() {
    let (steps, trace) = sentences(&known("nobody survives"));
    assert!(
        steps
            .last()
            .is_some_and(|step| step.contains("all candidates are eliminated"))
    );
    assert!(
        trace
            .follow_ups
            .iter()
            .all(|f| f.about == "critical_fail" && f.gain.is_none())
    );
    assert_eq!(trace.follow_ups.len(), 2);
}

#[test]
fn a_change_of_a_match_takes_the_win_from_the_opponent() {
    let text = json!({"candidates": [
        {"id": "A", "reviews": reviews_json(&[(1, 1, 0, 0)])},
        {"id": "B", "reviews": reviews_json(&[(1, 1, 0, 0)])},
    ], "pairwise": [{"winner": "A", "loser": "B"}]});
    let payload = read(&text.to_string()).result.expect("valid");
    let edit = Edit::Match {
        position: Some(0),
        winner: 1,
        loser: 0,
    };
    let after = edit.apply(&payload);
    assert_eq!((after.candidates[0].wins, after.candidates[1].wins), (0, 1));
    assert_eq!(after.pairwise[0].winner, 1);
    assert_eq!(edit.words(&payload), "B beats A instead of losing");
    assert_eq!(round4(edit.size()), 1.0);
}

#[test]
fn of_equal_changes_the_first_of_the_input_counts() {
    // one step more makes them equal, and B stands first: evidence of its first review comes
    // before support of its second
    let text = json!({"candidates": [
        {"id": "B", "wins": 0, "reviews": reviews_json(&[(2, 1, 0, 0), (1, 2, 0, 0)])},
        {"id": "A", "wins": 0, "reviews": reviews_json(&[(2, 2, 0, 0), (2, 1, 0, 0)])},
    ]});
    let payload = read(&text.to_string()).result.expect("valid");
    let options = options("none", [1.0, 0.0, 0.0, 0.0, 0.0]);
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
    let first = board.changes().remove(0).to_first;
    let beside = board.against("A", "B").expect("two").smallest_change;
    for change in [first, beside] {
        let path = change.map(|change| change.path);
        assert_eq!(path.as_deref(), Some("candidates[0].reviews[0].evidence"));
    }
}
