//! Two debates held against each other: what of each difference comes from the input, from the
//! reviews and from the weights (SCORING.md section 0, "Comparing two runs").

use std::collections::HashMap;

use serde::Serialize;

use super::evaluate::setting;
use super::options::{Options, Weights};
use super::payload::{Candidate, Payload};
use super::profile::{Domain, Profiles};
use super::result::Row;
use super::score::rows;
use super::verdict::{Ruling, decide, rank};
use crate::analysis::shapley::shares;

/// What changes between two debates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Candidates, models, head-to-heads and claims.
    Input,
    /// What the debaters say of the candidates.
    Reviews,
    /// The weights, and the domain's reliabilities.
    Weights,
}

impl Cause {
    /// All, in the order of the shares.
    pub const ALL: [Self; 3] = [Self::Input, Self::Reviews, Self::Weights];

    /// With the article.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Input => "the input",
            Self::Reviews => "the reviews",
            Self::Weights => "the weights",
        }
    }
}

/// A debate with what it is weighed by.
#[derive(Clone, Copy)]
#[allow(missing_docs)] // named by their types
pub struct Weighed<'a> {
    pub payload: &'a Payload,
    pub profiles: &'a Profiles,
    pub options: &'a Options,
}

/// Where a candidate stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Place {
    /// From 1.
    pub rank: usize,
    /// As in a result.
    pub score: f64,
    /// Whether too many reviews have a critical_fail.
    pub eliminated: bool,
}

/// A candidate of one debate or of both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateDifference {
    /// Its name.
    pub id: String,
    /// Where it stood; none where only the later debate has it.
    pub before: Option<Place>,
    /// Where it stands; none where only the earlier debate had it.
    pub after: Option<Place>,
    /// After less before, where both have it.
    pub difference: Option<f64>,
    /// The share of each of [`Cause::ALL`] in the difference.
    pub shares: Option<[f64; 3]>,
}

/// Two debates held against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// What was decided before and after.
    pub rulings: [Ruling; 2],
    /// The fewest causes that bring the later decision by themselves, each set of them that does;
    /// empty where the decision is the same.
    pub decided_by: Vec<Vec<Cause>>,
    /// The fewest that bring the later order of the candidates of both; empty where that is the
    /// same.
    pub ordered_by: Vec<Vec<Cause>>,
    /// The weights before and after.
    pub weights: [Weights; 2],
    /// The candidates in their later order, then those that are gone.
    pub candidates: Vec<CandidateDifference>,
}

/// The debate whose parts are as after where the bit of their cause is set.
struct Mixture<'a> {
    payloads: [&'a Payload; 2],
    settings: [(Weights, Option<&'a Domain>); 2],
}

impl Mixture<'_> {
    fn ranked(&self, set: usize) -> Vec<Row> {
        let [input, reviews, weights] = [0, 1, 2].map(|cause| usize::from(set >> cause & 1 == 1));
        let mut payload = self.payloads[input].clone();
        if reviews != input {
            let said = by_id(&self.payloads[reviews].candidates);
            for candidate in &mut payload.candidates {
                // of whom the other debate says nothing keeps what is said here
                if let Some(other) = said.get(candidate.id.as_str()) {
                    candidate.reviews.clone_from(&other.reviews);
                }
            }
        }
        let (weights, domain) = self.settings[weights];
        let mut rows = rows(&payload, &weights, domain);
        rank(&mut rows);
        rows
    }
}

/// Holds a debate against an earlier one. None where the weights of one are refused.
pub fn difference(before: Weighed<'_>, after: Weighed<'_>) -> Option<Difference> {
    let mixture = Mixture {
        payloads: [before.payload, after.payload],
        settings: [
            setting(before.payload, before.profiles, before.options)?,
            setting(after.payload, after.profiles, after.options)?,
        ],
    };
    let ranked: Vec<Vec<Row>> = (0..8).map(|set| mixture.ranked(set)).collect();
    let rulings: Vec<Ruling> = ranked.iter().map(|rows| decide(rows).0).collect();
    let known = mixture.payloads.map(|payload| by_id(&payload.candidates));
    let both = |row: &&Row| {
        known
            .iter()
            .all(|known| known.contains_key(row.id.as_str()))
    };
    let order = |rows: &Vec<Row>| -> Vec<String> {
        rows.iter().filter(both).map(|row| row.id.clone()).collect()
    };
    let orders: Vec<Vec<String>> = ranked.iter().map(order).collect();
    Some(Difference {
        rulings: [rulings[0].clone(), rulings[7].clone()],
        decided_by: fewest(&rulings),
        ordered_by: fewest(&orders),
        weights: mixture.settings.map(|(weights, _)| weights),
        candidates: candidates(&ranked),
    })
}

/// The fewest causes that make of the first what the last is; each set of them that does.
fn fewest<T: PartialEq>(all: &[T]) -> Vec<Vec<Cause>> {
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return Vec::new();
    };
    if first == last {
        return Vec::new();
    }
    let sets = |size: u32| {
        let sets = (1..all.len()).filter(move |set| set.count_ones() == size);
        let enough = sets.filter(|set| all[*set] == *last);
        let causes = |set: usize| {
            let own = Cause::ALL.into_iter().enumerate();
            own.filter(|(at, _)| set >> at & 1 == 1)
                .map(|(_, cause)| cause)
                .collect()
        };
        enough.map(causes).collect::<Vec<Vec<Cause>>>()
    };
    let found = (1..=3).map(sets).find(|found| !found.is_empty());
    found.unwrap_or_default()
}

/// Candidates by their ids, the first of an id.
fn by_id(candidates: &[Candidate]) -> HashMap<&str, &Candidate> {
    let candidates = candidates.iter().rev();
    candidates.map(|one| (one.id.as_str(), one)).collect()
}

fn candidates(ranked: &[Vec<Row>]) -> Vec<CandidateDifference> {
    let places = |rows: &Vec<Row>| -> HashMap<String, Place> {
        let places = rows.iter().enumerate().map(|(at, row)| {
            let place = Place {
                rank: at + 1,
                score: row.score,
                eliminated: row.eliminated,
            };
            (row.id.clone(), place)
        });
        places.collect()
    };
    let (Some(before), Some(after)) = (ranked.first(), ranked.last()) else {
        return Vec::new();
    };
    let places: Vec<HashMap<String, Place>> = ranked.iter().map(places).collect();
    let stays = |row: &&Row| {
        places
            .last()
            .is_some_and(|places| places.contains_key(&row.id))
    };
    let gone = before.iter().filter(|row| !stays(row));
    let rows = after.iter().chain(gone);
    rows.map(|row| {
        let found: Vec<Option<Place>> = places
            .iter()
            .map(|places| places.get(&row.id).copied())
            .collect();
        let scores: Option<Vec<f64>> = found
            .iter()
            .map(|place| place.map(|place| place.score))
            .collect();
        let [before, after] = [found.first(), found.last()].map(|place| place.copied().flatten());
        let both = before.zip(after);
        CandidateDifference {
            id: row.id.clone(),
            before,
            after,
            difference: both.map(|(before, after)| after.score - before.score),
            shares: scores.as_deref().and_then(shares::<3>),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::payload::read;
    use super::*;

    /// A debate of two, each with the support of its only review.
    fn debate(a: i64, b: i64) -> Payload {
        let one = |id: &str, wins: i64, support: i64| {
            format!(
                r#"{{"id": "{id}", "wins": {wins}, "reviews": [{{"support": {support}, "evidence": 0, "major_risks": 0, "critical_fail": 0}}]}}"#
            )
        };
        let text = format!(
            r#"{{"candidates": [{}, {}]}}"#,
            one("A", 1, a),
            one("B", 0, b)
        );
        read(&text).result.expect("a debate")
    }

    fn held(
        [before, after]: [&Payload; 2],
        [weights_before, weights_after]: [&[(&str, f64)]; 2],
    ) -> Difference {
        let options = |weights: &[(&str, f64)]| Options {
            weights: weights
                .iter()
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
            ..Options::default()
        };
        let (one, other) = (options(weights_before), options(weights_after));
        let weighed = |payload, options| Weighed {
            payload,
            profiles: Profiles::built_in(),
            options,
        };
        difference(weighed(before, &one), weighed(after, &other)).expect("weights")
    }

    #[test]
    fn nothing_has_changed_between_a_debate_and_itself() {
        let debate = debate(2, 1);
        let found = held([&debate, &debate], [&[], &[]]);
        assert_eq!(found.rulings[0], found.rulings[1]);
        assert!(found.decided_by.is_empty() && found.ordered_by.is_empty());
        for candidate in &found.candidates {
            assert_eq!(candidate.difference, Some(0.0));
            assert_eq!(candidate.shares, Some([0.0; 3]));
        }
    }

    #[test]
    fn shares_by_hand() {
        // A had 0.5 x 2 + 2 x 1, and has 1 x 1 + 2 x 1: the review takes 0.5 before the weight
        // and 1 after it, the weight brings 1 before the review and 0.5 after it
        let found = held(
            [&debate(2, 0), &debate(1, 0)],
            [&[("w_base", 0.5)], &[("w_base", 1.0)]],
        );
        let a = &found.candidates[0];
        assert_eq!((a.id.as_str(), a.difference), ("A", Some(0.0)));
        assert_eq!(a.shares, Some([0.0, -0.75, 0.75]));
    }

    #[test]
    fn the_cause_of_another_decision_is_named() {
        // with 2 for a win A is first whoever is supported; without it the reviews decide
        let [before, after] = [debate(0, 0), debate(0, 2)];
        let found = held(
            [&before, &after],
            [&[], &[("w_pairwise", 0.0), ("w_base", 2.0)]],
        );
        let [one, other] = &found.rulings;
        assert_eq!(
            (one.winner.as_deref(), other.winner.as_deref()),
            (Some("A"), Some("B"))
        );
        assert_eq!(found.decided_by, [[Cause::Reviews, Cause::Weights]]);
        assert_eq!(found.ordered_by, [[Cause::Reviews, Cause::Weights]]);
    }

    #[test]
    fn who_is_new_or_gone_has_no_difference() {
        let before = debate(2, 1);
        let mut after = before.clone();
        after.candidates[1].id = "C".into();
        let found = held([&before, &after], [&[], &[]]);
        let ids: Vec<&str> = found.candidates.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["A", "C", "B"]);
        assert!(found.candidates[1].before.is_none() && found.candidates[2].after.is_none());
        assert!(found.candidates[1].shares.is_none());
    }
}
