//! Several debates side by side: a line for each, and how each model did over all of them
//! (SCORING.md section 2, "Several debates"). Nothing here changes a score or a decision.

use std::collections::HashMap;

use serde::Serialize;

use super::verdict::{Ruling, best_two, gap};
use super::{DebateResult, Decision, Row};
use crate::analysis::round4;
use crate::text::sort_by;

/// A debate in a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DebateLine {
    /// Its position in the text, from 1.
    pub number: usize,
    /// What was asked.
    pub question: Option<String>,
    /// How many candidates it has.
    pub candidates: usize,
    /// The domain; `none` when there is none.
    pub domain: String,
    /// The verdict.
    pub ruling: Ruling,
    /// The best score; none where everyone is eliminated.
    pub score: Option<f64>,
    /// By how much the best is ahead of the second; none where fewer than two survive.
    pub gap: Option<f64>,
    /// How each candidate's model did, in the order of the result.
    #[serde(skip)]
    entries: Vec<Entry>,
}

/// A candidate of a debate, as its model's tally counts it.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    model: String,
    rank: usize,
    wins: bool,
    shares: bool,
    eliminated: bool,
}

/// How a model did over several debates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelTally {
    /// The model, or the id of candidates that name none.
    pub model: String,
    /// How many candidates it brought.
    pub candidates: usize,
    /// In how many debates it is the winner.
    pub wins: usize,
    /// How often it is one of two to be combined.
    pub combined: usize,
    /// How many of its candidates were eliminated.
    pub eliminated: usize,
    /// The mean of its places in the results, in which the eliminated come last; from 1.
    pub mean_rank: f64,
}

impl DebateLine {
    /// The line of a scored debate that is the `number`th of its text.
    pub fn of(number: usize, result: &DebateResult) -> Self {
        let ruling = Ruling::of(result);
        let [first, second] = best_two(&result.results);
        let entry = |(place, row): (usize, &Row)| Entry {
            model: row.model.clone().unwrap_or_else(|| row.id.clone()),
            rank: place + 1,
            wins: ruling.decision == Decision::Winner && ruling.winner.as_ref() == Some(&row.id),
            shares: ruling.hybrid_candidates.contains(&row.id),
            eliminated: row.eliminated,
        };
        Self {
            number,
            question: result.question.clone(),
            candidates: result.results.len(),
            domain: result.domain.clone(),
            score: first.map(|row| row.score),
            gap: first
                .zip(second)
                .map(|(first, second)| gap(first.score, second.score)),
            entries: result.results.iter().enumerate().map(entry).collect(),
            ruling,
        }
    }
}

/// How each model did: the one with the most wins first, then the lowest mean rank.
///
/// ```
/// use assay::debate::{DebateLine, Options, evaluate, tally};
///
/// let text = r#"{"candidates": [
///     {"id": "A", "model": "x", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
///     {"id": "B", "model": "y", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#;
/// let result = evaluate(text, &Options::default()).result.expect("a valid debate");
/// let models = tally(&[DebateLine::of(1, &result), DebateLine::of(2, &result)]);
/// assert_eq!((models[0].model.as_str(), models[0].wins, models[0].mean_rank), ("x", 2, 1.0));
/// ```
pub fn tally(lines: &[DebateLine]) -> Vec<ModelTally> {
    let mut tallies: Vec<ModelTally> = Vec::new();
    let mut places = HashMap::new();
    for entry in lines.iter().flat_map(|line| &line.entries) {
        let next = tallies.len();
        let at = *places.entry(entry.model.as_str()).or_insert(next);
        if at == next {
            tallies.push(ModelTally {
                model: entry.model.clone(),
                candidates: 0,
                wins: 0,
                combined: 0,
                eliminated: 0,
                mean_rank: 0.0,
            });
        }
        let tally = &mut tallies[at];
        tally.candidates += 1;
        tally.wins += usize::from(entry.wins);
        tally.combined += usize::from(entry.shares);
        tally.eliminated += usize::from(entry.eliminated);
        // the sum, until all are counted
        tally.mean_rank += entry.rank as f64;
    }
    for tally in &mut tallies {
        tally.mean_rank = round4(tally.mean_rank / tally.candidates as f64);
    }
    // stable: equals stay in the order in which they appear
    sort_by(&mut tallies, |a, b| {
        b.wins
            .cmp(&a.wins)
            .then(a.mean_rank.total_cmp(&b.mean_rank))
    });
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debate::{Options, evaluate};

    fn line(number: usize, a: [u8; 2], b: [u8; 2]) -> DebateLine {
        let candidate = |id: &str, model: &str, [support, fails]: [u8; 2]| {
            let review = format!(
                r#"{{"support": {support}, "evidence": 2, "major_risks": 0, "critical_fail": {fails}}}"#
            );
            format!(r#"{{"id": "{id}", {model} "wins": 0, "reviews": [{review}, {review}]}}"#)
        };
        let text = format!(
            r#"{{"question": "Q{number}", "candidates": [{}, {}]}}"#,
            candidate("A", r#""model": "x","#, a),
            candidate("B", "", b)
        );
        let result = evaluate(&text, &Options::default()).result;
        DebateLine::of(number, &result.expect("valid"))
    }

    #[test]
    fn a_model_is_counted_over_all_debates() {
        let lines = [
            line(1, [2, 0], [1, 0]),
            line(2, [1, 0], [1, 0]),
            line(3, [2, 1], [2, 0]),
        ];
        assert_eq!((lines[0].score, lines[0].gap), (Some(2.0), Some(0.5)));
        assert_eq!(lines[2].gap, None);
        let models = tally(&lines);
        let of = |index: usize| {
            let ModelTally {
                model,
                candidates,
                wins,
                combined,
                eliminated,
                mean_rank,
            } = &models[index];
            (
                model.as_str(),
                *candidates,
                *wins,
                *combined,
                *eliminated,
                *mean_rank,
            )
        };
        // x wins the first, shares the second, is out in the third
        assert_eq!(of(0), ("x", 3, 1, 1, 1, 1.3333));
        assert_eq!(of(1), ("B", 3, 1, 1, 0, 1.6667));
        assert_eq!(tally(&[]), []);
    }
}
