//! Order, ties and the decision, all on the rounded numbers that are shown.

use std::cmp::Ordering;

use super::{Decision, Row, TieBreak};
use crate::analysis::round4;

/// Below this top score nobody is good enough.
pub const SUFFICIENT: f64 = 1.20;
/// A smaller gap between the top two means synthesis.
pub const CLEAR_GAP: f64 = 0.40;

/// Sorts rows: survivors before eliminated, then by score, fewer critical fails,
/// higher base, and input order.
pub fn rank(rows: &mut [Row]) {
    // stable: full ties keep input order
    rows.sort_by(|a, b| {
        a.eliminated
            .cmp(&b.eliminated)
            .then(descending(a.score, b.score))
            .then(a.critical_fails.cmp(&b.critical_fails))
            .then(descending(a.base, b.base))
    });
}

fn descending(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}

/// What comes of ranked rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// The top candidate of a `winner` or `hybrid`.
    pub winner: Option<String>,
    /// The two to synthesise, of a `hybrid`.
    pub hybrid_candidates: Vec<String>,
    /// What put the first before the second survivor on equal scores.
    pub tie_broken_by: Option<TieBreak>,
}

/// Decides on ranked rows.
pub fn decide(ranked: &[Row]) -> Verdict {
    let mut survivors = ranked.iter().filter(|row| !row.eliminated);
    let (first, second) = (survivors.next(), survivors.next());
    let tie_broken_by = first
        .zip(second)
        .and_then(|(first, second)| tie_break(first, second));
    let (decision, winner, hybrid_candidates) = match (first, second) {
        (None, _) => (Decision::AllEliminated, None, Vec::new()),
        (Some(first), _) if first.score < SUFFICIENT => (Decision::Insufficient, None, Vec::new()),
        (Some(first), Some(second)) if round4(first.score - second.score) < CLEAR_GAP => {
            let both = vec![first.id.clone(), second.id.clone()];
            (Decision::Hybrid, Some(first.id.clone()), both)
        }
        (Some(first), _) => (Decision::Winner, Some(first.id.clone()), Vec::new()),
    };
    Verdict {
        decision,
        winner,
        hybrid_candidates,
        tie_broken_by,
    }
}

fn tie_break(first: &Row, second: &Row) -> Option<TieBreak> {
    if first.score != second.score {
        None
    } else if first.critical_fails != second.critical_fails {
        Some(TieBreak::CriticalFails)
    } else if first.base != second.base {
        Some(TieBreak::Base)
    } else {
        Some(TieBreak::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debate::Contributions;

    fn row(id: &str, score: f64, critical_fails: usize, base: f64) -> Row {
        Row {
            id: id.into(),
            model: None,
            wins: 0,
            base,
            risk: 0.0,
            pairwise: 0.0,
            score,
            critical_fails,
            eliminated: critical_fails >= 2,
            model_weight: None,
            reliability_bonus: None,
            formal_score: None,
            formal_bonus: None,
            contributions: Contributions {
                base: 0.0,
                pairwise: 0.0,
                risk: 0.0,
                reliability: 0.0,
                formal: 0.0,
            },
        }
    }

    fn verdict(mut rows: Vec<Row>) -> (Verdict, Vec<String>) {
        rank(&mut rows);
        (decide(&rows), rows.into_iter().map(|row| row.id).collect())
    }

    #[test]
    fn ties_are_broken_in_order_and_said() {
        let (tie, order) = verdict(vec![row("a", 2.0, 1, 3.0), row("b", 2.0, 0, 1.0)]);
        assert_eq!(
            (tie.tie_broken_by, order[0].as_str()),
            (Some(TieBreak::CriticalFails), "b")
        );
        let (tie, order) = verdict(vec![row("a", 2.0, 0, 1.0), row("b", 2.0, 0, 3.0)]);
        assert_eq!(
            (tie.tie_broken_by, order[0].as_str()),
            (Some(TieBreak::Base), "b")
        );
        let (tie, order) = verdict(vec![row("b", 2.0, 0, 1.0), row("a", 2.0, 0, 1.0)]);
        assert_eq!(
            (tie.tie_broken_by, order[0].as_str()),
            (Some(TieBreak::None), "b")
        );
    }

    #[test]
    fn thresholds_are_met_on_shown_numbers() {
        let decision = |scores: &[f64]| {
            verdict(
                scores
                    .iter()
                    .map(|score| row("x", *score, 0, 1.0))
                    .collect(),
            )
            .0
            .decision
        };
        assert_eq!(decision(&[1.2]), Decision::Winner, "one survivor");
        assert_eq!(decision(&[1.1999, 0.0]), Decision::Insufficient);
        assert_eq!(
            decision(&[1.2, 0.8]),
            Decision::Winner,
            "a gap of exactly 0.40"
        );
        assert_eq!(
            decision(&[3.3, 2.9]),
            Decision::Winner,
            "3.3 - 2.9 is 0.3999... in binary"
        );
        assert_eq!(decision(&[1.2, 0.8001]), Decision::Hybrid);
        assert_eq!(decision(&[]), Decision::AllEliminated);
    }

    #[test]
    fn the_eliminated_come_last() {
        let (found, order) = verdict(vec![row("a", 9.0, 2, 4.0), row("b", 1.5, 0, 1.0)]);
        assert_eq!(
            (found.winner.as_deref(), order),
            (Some("b"), vec!["b".into(), "a".into()])
        );
    }
}
