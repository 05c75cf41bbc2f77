//! Two logs held against each other: what of each difference comes from the turns and what from
//! the weights (SCORING.md section 0, "Comparing two runs").

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use serde::Serialize;

use super::log::Log;
use super::options::Options;
use super::result::RewardResult;
use super::reward::ScoredTurn;
use super::score::score;
use crate::analysis::shapley::shares;

/// A figure before and after, and what of its difference comes from the turns and from the weights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Split {
    /// As it was.
    pub before: f64,
    /// As it is.
    pub after: f64,
    /// After less before.
    pub difference: f64,
    /// The shares of the turns and of the weights, which add up to the difference.
    pub shares: [f64; 2],
}

/// A turn of one log or of both, known by its session and number, or a session, known by its id.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedDifference {
    /// What tells it from the others: `3`, or `3 of s-1`.
    pub name: String,
    /// Its total before, of a session the mean; none where only the later log has it.
    pub before: Option<f64>,
    /// The same after; none where only the earlier log had it.
    pub after: Option<f64>,
    /// Both, where both logs have it.
    pub total: Option<Split>,
}

/// Two logs held against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean total.
    pub mean_total: Split,
    /// The mean of each principle before and after; no weight is in it.
    pub principles: Vec<(&'static str, f64, f64)>,
    /// The sessions of the later log, then those that are gone; empty where neither has several.
    pub sessions: Vec<NamedDifference>,
    /// The turns of the later log, then those that are gone.
    pub turns: Vec<NamedDifference>,
}

/// Which turn it is: its session, its number, and which of that number.
type Key = (Option<Arc<str>>, i64, usize);

fn key(turn: &ScoredTurn) -> Key {
    (turn.session_id.clone(), turn.turn_number, turn.occurrence)
}

/// Holds a log against an earlier one. None where the options of one are refused.
pub fn difference(before: (&Log, &Options), after: (&Log, &Options)) -> Option<Difference> {
    let scored = |log, options| score(log, options).result;
    // bit 0: the turns are as after; bit 1: the weights
    let all: [RewardResult; 4] = [
        scored(before.0, before.1)?,
        scored(after.0, before.1)?,
        scored(before.0, after.1)?,
        scored(after.0, after.1)?,
    ];
    let mean_total = split(&all.each_ref().map(|result| result.session.mean_total))?;
    let [first, last] = [&all[0], &all[3]];
    let means = |result: &RewardResult| result.session.mean_scores;
    let principles = super::Principle::ALL.map(|principle| {
        let [before, after] = [means(first)[principle], means(last)[principle]];
        (principle.name(), before, after)
    });
    Some(Difference {
        mean_total,
        principles: principles.to_vec(),
        sessions: named(&all.each_ref().map(sessions)),
        turns: named(&all.each_ref().map(turns)),
    })
}

fn split(worths: &[f64; 4]) -> Option<Split> {
    let [before, .., after] = *worths;
    Some(Split {
        before,
        after,
        difference: after - before,
        shares: shares::<2>(worths)?,
    })
}

/// What a turn or a session is known by, what it is called, and its total.
type Named<K> = (K, String, f64);

fn turns(result: &RewardResult) -> Vec<Named<Key>> {
    let turns = result.turns.iter();
    turns
        .map(|turn| (key(turn), turn.name(), turn.weighted_total))
        .collect()
}

fn sessions(result: &RewardResult) -> Vec<Named<Arc<str>>> {
    let sessions = result.sessions.iter();
    sessions
        .map(|session| {
            let id = session.session_id.clone();
            (id.clone(), id.to_string(), session.summary.mean_total)
        })
        .collect()
}

/// Each by its key: those of the later log, then those that are gone.
fn named<K: Eq + Hash>(all: &[Vec<Named<K>>; 4]) -> Vec<NamedDifference> {
    let totals = all.each_ref().map(|named| {
        let named = named.iter();
        named
            .map(|(key, _, total)| (key, *total))
            .collect::<HashMap<&K, f64>>()
    });
    let [first, .., last] = all;
    let gone = first
        .iter()
        .filter(|(key, ..)| !totals[3].contains_key(key));
    let named = last.iter().chain(gone);
    named
        .map(|(key, name, _)| {
            let found = totals.each_ref().map(|totals| totals.get(key).copied());
            NamedDifference {
                name: name.clone(),
                before: found[0],
                after: found[3],
                total: match found {
                    [Some(a), Some(b), Some(c), Some(d)] => split(&[a, b, c, d]),
                    _ => None,
                },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn log(ethical: [f64; 2]) -> Log {
        let [one, two] = ethical;
        let text = format!(
            r#"[{{"action": "x", "overrides": {{"ethical": {one}}}}}, {{"action": "x", "overrides": {{"ethical": {two}}}}}]"#
        );
        read(&text).result.expect("turns")
    }

    fn weighing(ethical: f64) -> Options {
        Options {
            weights: vec![("ethical".to_owned(), ethical)],
            ..Options::default()
        }
    }

    #[test]
    fn shares_of_turns_and_weights_by_hand() {
        // the first turn loses half of its ethics under 2 or 1, and the weight takes 1 of 1 or of 0.5
        let (two, one) = (weighing(2.0), weighing(1.0));
        let (before, after) = (log([1.0, 1.0]), log([0.5, 1.0]));
        let found = difference((&before, &two), (&after, &one)).expect("a difference");
        let first = found.turns[0].total.expect("both have it");
        assert!((first.difference - -1.5).abs() < 1e-9, "{first:?}");
        // turns: -1 under 2, -0.5 under 1; weights: -1 of a whole, -0.5 of a half
        assert!((first.shares[0] - -0.75).abs() < 1e-9 && (first.shares[1] - -0.75).abs() < 1e-9);
        let second = found.turns[1].total.expect("both have it");
        assert!(second.shares[0].abs() < 1e-9 && (second.shares[1] - -1.0).abs() < 1e-9);
        assert!((found.mean_total.difference - -1.25).abs() < 1e-9);
    }

    #[test]
    fn a_turn_that_is_new_or_gone_is_listed_without_a_difference() {
        let read = |numbers: &str| {
            let turns: Vec<String> = numbers
                .split(' ')
                .map(|number| {
                    format!(r#"{{"turn_number": {number}, "action": "x", "response": "ok"}}"#)
                })
                .collect();
            read(&format!("[{}]", turns.join(",")))
                .result
                .expect("turns")
        };
        let options = Options::default();
        let found = difference((&read("1 2"), &options), (&read("2 3"), &options));
        let found = found.expect("a difference");
        let names: Vec<&str> = found.turns.iter().map(|turn| turn.name.as_str()).collect();
        assert_eq!(names, ["2", "3", "1"]);
        assert!(found.turns[0].total.is_some() && found.turns[1].before.is_none());
        assert!(found.turns[2].after.is_none());
        assert!(found.sessions.is_empty());
    }

    #[test]
    fn the_mean_of_each_session_is_split_as_its_turns_are() {
        let logs = |ethical: f64| {
            let session = |id: &str, ethical: f64| {
                format!(
                    r#"{{"session_id": "{id}", "turns": [{{"action": "x", "overrides": {{"ethical": {ethical}}}}}]}}"#
                )
            };
            let text = [session("a", 1.0), session("b", ethical)].join("\n");
            read(&text).result.expect("sessions")
        };
        let options = Options::default();
        let found = difference((&logs(1.0), &options), (&logs(0.5), &options));
        let found = found.expect("a difference").sessions;
        let names: Vec<&str> = found.iter().map(|session| session.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        let [first, second] = [0, 1].map(|at: usize| found[at].total.expect("both have it"));
        assert!(first.difference.abs() < 1e-9, "{first:?}");
        // half of the ethics under a weight of 2, by the turns alone
        assert!((second.shares[0] - -1.0).abs() < 1e-9 && second.shares[1].abs() < 1e-9);
    }
}
