//! Two logs held against each other: what of each difference comes from the turns and what from
//! the weights (SCORING.md section 0, "Comparing two runs").

use std::collections::HashMap;
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

/// A turn of one log or of both, known by its session and number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TurnDifference {
    /// What tells it from the others: `3`, or `3 of s-1`.
    pub name: String,
    /// Its total before; none where only the later log has it.
    pub before: Option<f64>,
    /// Its total after; none where only the earlier log had it.
    pub after: Option<f64>,
    /// Its total, where both have it.
    pub total: Option<Split>,
}

/// Two logs held against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean total.
    pub mean_total: Split,
    /// The mean of each principle before and after; no weight is in it.
    pub principles: Vec<(&'static str, f64, f64)>,
    /// The turns of the later log, then those that are gone.
    pub turns: Vec<TurnDifference>,
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
        turns: turns(&all),
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

fn turns(all: &[RewardResult; 4]) -> Vec<TurnDifference> {
    let totals = all.each_ref().map(|result| {
        let turns = result.turns.iter();
        turns
            .map(|turn| (key(turn), turn.weighted_total))
            .collect::<HashMap<Key, f64>>()
    });
    let [first, .., last] = all;
    let gone = first
        .turns
        .iter()
        .filter(|turn| !totals[3].contains_key(&key(turn)));
    let turns = last.turns.iter().chain(gone);
    turns
        .map(|turn| {
            let found = totals
                .each_ref()
                .map(|totals| totals.get(&key(turn)).copied());
            let worths = match found {
                [Some(a), Some(b), Some(c), Some(d)] => split(&[a, b, c, d]),
                _ => None,
            };
            TurnDifference {
                name: turn.name(),
                before: found[0],
                after: found[3],
                total: worths,
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
    }
}
