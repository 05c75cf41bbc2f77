//! Order, ties and the decision, all on the rounded numbers that are shown.

use std::cmp::Ordering;

use super::{Decision, Row, TieBreak};
use crate::analysis::{round4, sort_by};

/// Below this top score nobody is good enough.
pub const SUFFICIENT: f64 = 1.20;
/// A smaller gap between the top two means synthesis.
pub const CLEAR_GAP: f64 = 0.40;

/// What a candidate's place depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The score, rounded to 4 decimals.
    pub score: f64,
    /// Reviews with critical_fail = 1.
    pub critical_fails: usize,
    /// The base, rounded to 4 decimals.
    pub base: f64,
    /// Two or more critical fails.
    pub eliminated: bool,
}

impl Standing {
    /// `Less` when this one comes before the other: survivors before eliminated,
    /// then by score, fewer critical fails and higher base. `Equal` is a full tie,
    /// in which the order of the input stays.
    pub fn order(&self, other: &Self) -> Ordering {
        self.eliminated
            .cmp(&other.eliminated)
            .then(descending(self.score, other.score))
            .then(self.tie_order(other))
    }

    /// The order on equal scores.
    pub fn tie_order(&self, other: &Self) -> Ordering {
        self.critical_fails
            .cmp(&other.critical_fails)
            .then(descending(self.base, other.base))
    }
}

impl Row {
    fn standing(&self) -> Standing {
        Standing {
            score: self.score,
            critical_fails: self.critical_fails,
            base: self.base,
            eliminated: self.eliminated,
        }
    }
}

/// Sorts rows by [`Standing::order`].
pub fn rank(rows: &mut [Row]) {
    // stable: full ties keep input order
    sort_by(rows, |a, b| a.standing().order(&b.standing()));
}

/// The decision from the scores of the two best survivors.
pub fn decision(first: Option<f64>, second: Option<f64>) -> Decision {
    match (first, second) {
        (None, _) => Decision::AllEliminated,
        (Some(first), _) if first < SUFFICIENT => Decision::Insufficient,
        (Some(first), Some(second)) if gap(first, second) < CLEAR_GAP => Decision::Hybrid,
        (Some(_), _) => Decision::Winner,
    }
}

/// By how much the first is ahead of the second, rounded to 4 decimals.
pub fn gap(first: f64, second: f64) -> f64 {
    round4(first - second)
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
    let decision = decision(first.map(|row| row.score), second.map(|row| row.score));
    let names = |rows: &[Option<&Row>]| -> Vec<String> {
        rows.iter().flatten().map(|row| row.id.clone()).collect()
    };
    let (winner, hybrid_candidates) = match decision {
        Decision::AllEliminated | Decision::Insufficient => (None, Vec::new()),
        Decision::Hybrid => (names(&[first]).pop(), names(&[first, second])),
        Decision::Winner => (names(&[first]).pop(), Vec::new()),
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
