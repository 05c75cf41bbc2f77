//! One candidate against another: the differences add up, and whatever is said to turn
//! two round is scored anew.

use assay::analysis::round4;
use assay::debate::{Against, Board, DebateResult, Options, Payload, Profiles, read, score};
use proptest::prelude::*;

use super::firmness::{all_edits, options, payload, weights};

/// Whether one comes before another, by position.
fn is_before(result: &DebateResult, [one, other]: [&str; 2]) -> bool {
    let place = |id: &str| result.results.iter().position(|row| row.id == id);
    place(one) < place(other)
}

fn result_of(payload: &Payload, options: &Options) -> DebateResult {
    let scored = score(payload, Profiles::built_in(), options);
    scored.result.expect("valid weights")
}

fn each_pair(payload: &Payload, options: &Options, check: impl Fn(&Against, &Board)) {
    let board = Board::new(payload, Profiles::built_in(), options).expect("weights");
    for one in &payload.candidates {
        for other in &payload.candidates {
            match board.against(&one.id, &other.id) {
                None => assert_eq!(one.id, other.id),
                Some(found) => check(&found, &board),
            }
        }
    }
}

fn adds_up(payload: &Payload, options: &Options) {
    let result = result_of(payload, options);
    let row = |id: &str| result.results.iter().find(|row| row.id == id).expect("row");
    each_pair(payload, options, |found, _| {
        let (ahead, behind) = (row(&found.ahead), row(&found.behind));
        assert!(is_before(&result, [&found.ahead, &found.behind]));
        assert_eq!(found.gap, round4(ahead.score - behind.score));
        let terms: f64 = found.terms.iter().map(|term| term.difference).sum();
        assert_eq!(round4(terms), found.gap, "{found:?}");
        for term in &found.terms {
            let sign = if term.term == "risk" { -1.0 } else { 1.0 };
            let exact = sign * term.weight * (term.values[0] - term.values[1]);
            // two terms rounded to 0.0001 each, of values rounded to 0.00005
            assert!(
                (term.difference - exact).abs() < 2.1e-4 + 1.1e-4 * term.weight,
                "{term:?}"
            );
        }
        let of = |name: &str| {
            found
                .terms
                .iter()
                .find(|term| term.term == name)
                .expect("term")
        };
        let base: f64 = found.debaters.iter().map(|debater| debater.base).sum();
        let risk: f64 = found.debaters.iter().map(|debater| debater.risk).sum();
        assert_eq!(round4(base), of("base").difference, "{found:?}");
        assert_eq!(round4(risk), of("risk").difference, "{found:?}");
    });
}

/// The weights of some options with one of them changed.
fn with_weight(all: &Options, name: &str, value: f64) -> Options {
    let mut options = all.clone();
    for (weight, slot) in &mut options.weights {
        if weight == name {
            *slot = value;
        }
    }
    options
}

fn turns_round(payload: &Payload, options: &Options) {
    each_pair(payload, options, |found, board| {
        let pair = [found.behind.as_str(), found.ahead.as_str()];
        if let Some(change) = &found.smallest_change {
            let changed = change.edit.apply(payload);
            assert!(is_before(&result_of(&changed, options), pair), "{change:?}");
            assert!(change.size > 0.0 && change.size <= 1.0);
        }
        for turn in &found.weights {
            let other = with_weight(options, turn.weight, turn.at);
            let same_way = is_before(&result_of(payload, &other), pair);
            assert!(same_way, "{turn:?} {found:?}");
            // halfway to it nothing has turned yet
            let middle = f64::midpoint(turn.from, turn.at);
            let other = with_weight(options, turn.weight, middle);
            let gap_is_wide = found.gap > 2e-3;
            assert!(
                !gap_is_wide || !is_before(&result_of(payload, &other), pair),
                "{turn:?}"
            );
        }
        needs_hold(payload, found, board);
    });
}

/// Every value of a term that the one behind could have is tried.
fn needs_hold(payload: &Payload, found: &Against, board: &Board) {
    let place = |id: &str| {
        payload
            .candidates
            .iter()
            .position(|c| c.id == id)
            .expect("there")
    };
    let (ahead, behind) = (place(&found.ahead), place(&found.behind));
    let weights = board.weights().values();
    let numbers = board.numbers();
    let names = ["base", "pairwise", "risk", "reliability", "formal"];
    for need in &found.needs {
        let term = names
            .iter()
            .position(|name| *name == need.term)
            .expect("a term");
        let sign = if need.term == "risk" { -1.0 } else { 1.0 };
        let passes = |value: f64| {
            let mut numbers = numbers.clone();
            numbers.values[behind][term] = sign * value;
            let key = |candidate: usize| {
                (
                    -numbers.score(candidate, &weights),
                    numbers.critical_fails[candidate] as f64,
                    -round4(numbers.values[candidate][0]),
                    candidate as f64,
                )
            };
            key(behind) < key(ahead)
        };
        let reviews = payload.candidates[behind].reviews.len() as f64;
        let steps = match need.term {
            "base" | "risk" => reviews,
            "pairwise" => found.opponents as f64,
            _ => 200.0,
        };
        let now = sign * numbers.values[behind][term];
        let worth = (0..=(4.0 * steps) as usize).map(|step| step as f64 / steps);
        let better = worth.filter(|value| {
            (value - now) * sign > 0.0
                && *value <= need.best.max(4.0 * f64::from(need.term == "risk"))
        });
        for value in better {
            let reached = need.to.is_some_and(|to| (value - to) * sign >= -6e-5);
            assert_eq!(passes(value), reached, "{value} {need:?} {found:?}");
        }
        if need.to.is_none() && (need.best - now) * sign > 0.0 {
            assert!(need.gap_at_best >= 0.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn differences_add_up_to_what_is_shown(payload in payload(5), weights in weights()) {
        adds_up(&payload, &options("coding", weights));
    }

    #[test]
    fn what_is_said_to_turn_two_round_does(payload in payload(4), weights in weights()) {
        turns_round(&payload, &options("coding", weights));
    }

    #[test]
    fn no_smaller_edit_turns_two_round(payload in payload(3), weights in weights()) {
        let options = options("none", weights);
        each_pair(&payload, &options, |found, _| {
            let smallest = found.smallest_change.as_ref().map(|change| change.size);
            let pair = [found.behind.as_str(), found.ahead.as_str()];
            for edit in all_edits(&payload) {
                let turns = is_before(&result_of(&edit.apply(&payload), &options), pair);
                assert!(!turns || smallest.is_some_and(|size| size <= edit.size()), "{edit:?} {found:?}");
            }
        });
    }
}

const FIVE: &str = include_str!("../../public/examples/debate.json");

#[test]
fn the_example_is_explained_in_words() {
    let payload = read(FIVE).result.expect("valid");
    let options = Options::default();
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
    let told = |one: &str, other: &str| board.against(one, other).expect("two").text();
    assert_eq!(
        told("Split", "Ladder"),
        "Split is 1.65 behind Ladder (2.9125 against 4.5625).\n\
         For Ladder: pairwise 0.475 (4 wins against 3 wins), formal 0.45 (1 against 0), \
         base 0.4125 (3.5 against 2.75), risk 0.2125 (0.25 against 0.5) and reliability 0.1 (1 against 0.8).\n\
         Of the debaters, the ratings of Fact checker add most to the difference: 0.35 in favour of Ladder.\n\
         None of these alone is enough for Split: base 4 (0.9625 short), all wins (1.175 short), \
         no risk at all (1.225 short), reliability 1 (1.55 short) or every claim proved (1.2 short).\n\
         No single rating, win or claim turns them round.\n\
         No single weight turns them round."
    );
    let close = told("Linkers", "Options");
    assert!(
        close.contains("Options is ") && close.contains("Enough alone: "),
        "{close}"
    );
    let out = told("Ladder", "Wait");
    let reason = "Wait is eliminated by two critical fails or more: review 2 (Sceptic) and review 3 (Fact checker). By its score alone it would be 5th of 5";
    assert!(out.starts_with(reason), "{out}");
    assert!(
        out.ends_with("No single change brings it before Ladder."),
        "{out}"
    );
    assert_eq!(board.against("Ladder", "Ladder"), None);
    assert_eq!(board.against("Ladder", "nobody"), None);
}
