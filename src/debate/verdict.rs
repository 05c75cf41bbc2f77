//! The one place that decides: order, ties, the decision, who it names, and how
//! that is said (SCORING.md section 2). All of it is on the rounded numbers that
//! are shown, by the numbers of [`super::rules`].

use std::cmp::Ordering;

use serde::Serialize;

use super::rules::{CLEAR_GAP, SUFFICIENT};
use super::{DebateResult, Decision, Payload, Row, TieBreak};
use crate::analysis::round4;
use crate::text::{Shown, sort_by};

/// What a candidate's place depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The score, rounded to 4 decimals.
    pub score: f64,
    /// Reviews with critical_fail = 1.
    pub critical_fails: usize,
    /// The base, rounded to 4 decimals.
    pub base: f64,
    /// Too many critical fails.
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

    /// What decides between equal scores, and the order with it.
    fn tie(&self, other: &Self) -> (TieBreak, Ordering) {
        let rules = [
            (
                TieBreak::CriticalFails,
                self.critical_fails.cmp(&other.critical_fails),
            ),
            (TieBreak::Base, descending(self.base, other.base)),
        ];
        let decisive = rules.into_iter().find(|(_, order)| order.is_ne());
        decisive.unwrap_or((TieBreak::None, Ordering::Equal))
    }

    /// The order on equal scores.
    pub fn tie_order(&self, other: &Self) -> Ordering {
        self.tie(other).1
    }

    /// What puts this one before the next on equal scores.
    fn tie_break(&self, next: &Self) -> Option<TieBreak> {
        (self.score == next.score).then(|| self.tie(next).0)
    }
}

fn descending(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
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

    /// What puts this survivor before the next on equal scores.
    pub(super) fn tie_break(&self, next: &Self) -> Option<TieBreak> {
        let survive = !self.eliminated && !next.eliminated;
        survive.then(|| self.standing().tie_break(&next.standing()))?
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

/// The best two of ranked rows that are not eliminated.
pub fn best_two(ranked: &[Row]) -> [Option<&Row>; 2] {
    let mut survivors = ranked.iter().filter(|row| !row.eliminated);
    [survivors.next(), survivors.next()]
}

/// Decides on ranked rows; and what broke a tie for the first place.
pub fn decide(ranked: &[Row]) -> (Ruling, Option<TieBreak>) {
    let [first, second] = best_two(ranked);
    let tie = first
        .zip(second)
        .and_then(|(first, second)| first.standing().tie_break(&second.standing()));
    let decision = decision(first.map(|row| row.score), second.map(|row| row.score));
    let name = |row: Option<&Row>| row.map(|row| row.id.clone());
    (Ruling::new(decision, name(first), name(second)), tie)
}

/// What a verdict comes to: decision and who it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ruling {
    /// The decision.
    pub decision: Decision,
    /// As in [`super::DebateResult::winner`].
    pub winner: Option<String>,
    /// As in [`super::DebateResult::hybrid_candidates`].
    pub hybrid_candidates: Vec<String>,
}

impl Ruling {
    /// A decision about the best two: whom it names.
    fn new(decision: Decision, first: Option<String>, second: Option<String>) -> Self {
        let (winner, hybrid_candidates) = match decision {
            Decision::Winner => (first, Vec::new()),
            Decision::Hybrid => (first.clone(), first.into_iter().chain(second).collect()),
            Decision::Insufficient | Decision::AllEliminated => (None, Vec::new()),
        };
        Self {
            decision,
            winner,
            hybrid_candidates,
        }
    }

    /// What a scored debate comes to.
    pub fn of(result: &DebateResult) -> Self {
        Self {
            decision: result.decision,
            winner: result.winner.clone(),
            hybrid_candidates: result.hybrid_candidates.clone(),
        }
    }

    /// What it makes of the debate: "E wins", "a combination of A and B", ...
    pub fn words(&self) -> String {
        match (
            self.decision,
            &self.winner,
            self.hybrid_candidates.as_slice(),
        ) {
            (Decision::Winner, Some(winner), _) => format!("{} wins", Shown(winner)),
            (Decision::Hybrid, _, [first, second]) => {
                format!("a combination of {} and {}", Shown(first), Shown(second))
            }
            (Decision::AllEliminated, ..) => ALL_OUT.into(),
            _ => NONE_ENOUGH.into(),
        }
    }

    /// The verdict as a heading: "E wins", "No clear winner: combine A and B", ...
    pub fn headline(&self) -> String {
        match (self.decision, self.hybrid_candidates.as_slice()) {
            (Decision::Winner, _) => self.words(),
            (Decision::Hybrid, names) => {
                let names: Vec<String> = names.iter().map(|name| Shown(name).to_string()).collect();
                format!("No clear winner: combine {}", names.join(" and "))
            }
            (Decision::Insufficient, _) => "Not enough to decide".into(),
            (Decision::AllEliminated, _) => "Nobody is left".into(),
        }
    }

    /// Completes "... makes": "E win", "it a combination of A and B", ...
    pub fn made(&self) -> String {
        match (self.decision, &self.winner) {
            (Decision::Winner, Some(winner)) => format!("{} win", Shown(winner)),
            (Decision::Hybrid, _) => format!("it {}", self.words()),
            (Decision::AllEliminated, _) => "everyone eliminated".into(),
            _ => "the top score insufficient".into(),
        }
    }

    /// The verdict as the last step of its reasons.
    pub fn conclusion(&self) -> String {
        match self.decision {
            Decision::Winner => format!("So {}.", self.words()),
            Decision::Hybrid => format!("So the answer is {}.", self.words()),
            Decision::Insufficient | Decision::AllEliminated => {
                format!("So {}: {ASK}.", self.words())
            }
        }
    }

    /// The verdict as a sentence of Markdown; `name` makes a name safe to show.
    pub fn markdown(&self, name: impl Fn(&str) -> String) -> String {
        let names = |ids: &[String]| {
            let names: Vec<String> = ids.iter().map(|id| name(id)).collect();
            names.join(" and ")
        };
        match self.decision {
            Decision::Winner => format!("**{}** wins.", names(self.winner.as_slice())),
            Decision::Hybrid => format!(
                "No clear winner: combine **{}**.",
                names(&self.hybrid_candidates)
            ),
            Decision::Insufficient | Decision::AllEliminated => {
                format!("{}: {ASK}.", capital(&self.words()))
            }
        }
    }

    /// The verdict as the last lines of the original scorer's text.
    pub fn summary(&self) -> String {
        let name = self.decision.name();
        match self.decision {
            Decision::Winner => name.to_owned(),
            Decision::Hybrid => {
                let names = self.hybrid_candidates.iter();
                let names: Vec<String> = names.map(|name| Shown(name).to_string()).collect();
                format!("{name}\nHybrid from: {}", names.join(", "))
            }
            Decision::Insufficient => {
                format!("{name}\nTop score below threshold \u{2014} {ASK}.")
            }
            Decision::AllEliminated => {
                format!("{name}\nAll candidates eliminated \u{2014} {ASK}.")
            }
        }
    }
}

const ALL_OUT: &str = "all candidates are eliminated";
const NONE_ENOUGH: &str = "no candidate is good enough";
/// What to do where nobody is good enough.
pub const ASK: &str = "ask follow-up questions";

/// What is said where pairwise has a weight and nobody has won a head-to-head.
pub fn idle_pairwise(weight: f64) -> String {
    format!("nobody has won a head-to-head: pairwise, with weight {weight}, adds 0 to every score")
}

/// A phrase of our own as the beginning of a sentence; ASCII is enough.
pub fn capital(words: &str) -> String {
    let mut words = words.to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

impl Decision {
    /// Its name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Winner => "winner",
            Self::Hybrid => "hybrid",
            Self::Insufficient => "insufficient",
            Self::AllEliminated => "all_eliminated",
        }
    }

    /// What it is, in a list of what comes out how often.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Winner => "a winner",
            Self::Hybrid => "a combination",
            Self::Insufficient => "not enough",
            Self::AllEliminated => "nobody left",
        }
    }
}

impl TieBreak {
    /// What is noted of a tie for the first place.
    pub const fn note(self) -> &'static str {
        match self {
            Self::CriticalFails => "tie for the first place, broken by fewer critical_fail flags",
            Self::Base => "tie for the first place, broken by the higher base",
            Self::None => {
                "tie for the first place that nothing breaks: combine them, and consider one more debate pass"
            }
        }
    }

    /// The same in a sentence beside a verdict.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::CriticalFails => "Tied at the top; fewer critical fails decided.",
            Self::Base => "Tied at the top; the higher base decided.",
            Self::None => {
                "Tied at the top and nothing breaks the tie: combine them, and consider one more pass."
            }
        }
    }

    /// The same about two candidates, with their numbers.
    pub(super) fn between(self, first: &Row, second: &Row) -> String {
        match self {
            Self::CriticalFails => format!(
                "{} comes first with fewer critical fails ({} against {})",
                Shown(&first.id),
                first.critical_fails,
                second.critical_fails
            ),
            Self::Base => format!(
                "{} comes first with the higher base ({} against {})",
                Shown(&first.id),
                first.base,
                second.base
            ),
            Self::None => "nothing breaks the tie, and the order of the input stays".into(),
        }
    }
}

/// The best two and the decision, by position among the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Top {
    pub decision: Decision,
    pub first: Option<usize>,
    pub second: Option<usize>,
}

impl Top {
    /// From survivors in any order; positions break full ties.
    pub fn of(standings: impl IntoIterator<Item = (usize, Standing)>) -> Self {
        let mut best: [Option<(usize, Standing)>; 2] = [None, None];
        for new in standings {
            if new.1.eliminated {
                continue;
            }
            let before =
                |old: Option<(usize, Standing)>| old.is_none_or(|old| comes_before(&new, &old));
            if before(best[0]) {
                best = [Some(new), best[0]];
            } else if before(best[1]) {
                best[1] = Some(new);
            }
        }
        let [first, second] = best;
        Self {
            decision: decision(first.map(|(_, s)| s.score), second.map(|(_, s)| s.score)),
            first: first.map(|(index, _)| index),
            second: second.map(|(index, _)| index),
        }
    }

    /// The verdict in names.
    pub fn ruling(&self, payload: &Payload) -> Ruling {
        let name = |index: Option<usize>| {
            let candidate = payload.candidates.get(index?)?;
            Some(candidate.id.clone())
        };
        Ruling::new(self.decision, name(self.first), name(self.second))
    }

    /// Whether this candidate is the winner.
    pub fn is_won_by(&self, index: usize) -> bool {
        self.decision == Decision::Winner && self.first == Some(index)
    }
}

/// Whether one comes before the other; positions break full ties.
pub fn comes_before(a: &(usize, Standing), b: &(usize, Standing)) -> bool {
    a.1.order(&b.1).then(a.0.cmp(&b.0)) == Ordering::Less
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
            eliminated: super::super::rules::eliminates(critical_fails),
            model_weight: None,
            reliability_bonus: None,
            formal_score: None,
            formal_bonus: None,
            contributions: Contributions::from_values([0.0; 5]),
        }
    }

    fn verdict(mut rows: Vec<Row>) -> (Ruling, Option<TieBreak>, Vec<String>) {
        rank(&mut rows);
        let (ruling, tie) = decide(&rows);
        (ruling, tie, rows.into_iter().map(|row| row.id).collect())
    }

    #[test]
    fn ties_are_broken_in_order_and_said() {
        let (_, tie, order) = verdict(vec![row("a", 2.0, 1, 3.0), row("b", 2.0, 0, 1.0)]);
        assert_eq!(
            (tie, order[0].as_str()),
            (Some(TieBreak::CriticalFails), "b")
        );
        let (_, tie, order) = verdict(vec![row("a", 2.0, 0, 1.0), row("b", 2.0, 0, 3.0)]);
        assert_eq!((tie, order[0].as_str()), (Some(TieBreak::Base), "b"));
        let (_, tie, order) = verdict(vec![row("b", 2.0, 0, 1.0), row("a", 2.0, 0, 1.0)]);
        assert_eq!((tie, order[0].as_str()), (Some(TieBreak::None), "b"));
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
        let (found, _, order) = verdict(vec![row("a", 9.0, 2, 4.0), row("b", 1.5, 0, 1.0)]);
        assert_eq!(
            (found.winner.as_deref(), order),
            (Some("b"), vec!["b".into(), "a".into()])
        );
    }
}
