//! The smallest single change that would put a candidate first, and what one
//! critical_fail flag more or less would do.
//!
//! How large a change is: see [`super::edit`].
//!
//! A change concerns one candidate (a match: two), so its effect follows from
//! the ranking of the others: a few comparisons per change, whatever the number
//! of candidates.

use std::cmp::Ordering;

use serde::Serialize;

use super::edit::{Edit, ReviewField, side_of};
use super::formal::formal_score;
use super::numbers::{Numbers, standing};
use super::rules::{ELIMINATING_FAILS, FAIL_RISKS};
use super::term::{ByTerm, Term};
use super::verdict::{Ruling, Standing, Top, comes_before};
use super::{Candidate, ClaimStatus, Payload, Review, Weights};

/// Steps of a formal score in one.
const FORMAL_STEPS: f64 = 1e4;

/// An edit and what comes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The edit.
    pub edit: Edit,
    /// Share of the item's range, in (0, 1].
    pub size: f64,
    /// Where in the payload.
    pub path: String,
    /// The verdict after it.
    pub becomes: Ruling,
    /// The edit in words.
    pub words: String,
}

/// What would put a candidate first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reach {
    /// The candidate.
    pub id: String,
    /// Its rank among survivors, from 1; none if eliminated.
    pub rank: Option<usize>,
    /// Whether it is the winner.
    pub wins: bool,
    /// The smallest single change that puts it first; none if it is, or if no single change does.
    pub to_first: Option<Change>,
    /// The smallest single change that makes it the winner; none if it is, or if no single change does.
    pub to_win: Option<Change>,
}

/// What one critical_fail flag would do to a candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlagRule {
    /// The candidate.
    pub id: String,
    /// Reviews with critical_fail = 1.
    pub critical_fails: usize,
    /// True: one flag more eliminates it. False: one flag less saves it.
    pub eliminates: bool,
    /// The reviews (positions from 0) where that flag would be set or lifted;
    /// whichever it is, the effect is the same.
    pub reviews: Vec<usize>,
    /// The verdict after it.
    pub becomes: Ruling,
}

/// The smallest single changes for every candidate, in input order.
pub fn changes(payload: &Payload, numbers: &Numbers, weights: &Weights) -> Vec<Reach> {
    let mut search = Search::new(payload, numbers, weights);
    for candidate in 0..payload.candidates.len() {
        search.reviews(candidate);
        search.formal(candidate);
        if payload.pairwise.is_empty() {
            search.wins(candidate);
        }
    }
    search.matches();
    search.into_reaches()
}

/// Every candidate that one flag would eliminate or save, in input order.
pub fn flag_rules(payload: &Payload, numbers: &Numbers, weights: &Weights) -> Vec<FlagRule> {
    let search = Search::new(payload, numbers, weights);
    let candidates = payload.candidates.iter().enumerate();
    candidates
        .filter_map(|(index, candidate)| {
            let critical_fails = numbers.critical_fails[index];
            let eliminates = match critical_fails + 1 {
                ELIMINATING_FAILS => true,
                fails if fails == ELIMINATING_FAILS + 1 => false,
                _ => return None,
            };
            let step = if eliminates { 1 } else { -1 };
            let reviews: Vec<usize> = positions(&candidate.reviews, |review| {
                (review.critical_fail == 0) == eliminates
            });
            (!reviews.is_empty()).then(|| FlagRule {
                id: candidate.id.clone(),
                critical_fails,
                eliminates,
                reviews,
                becomes: search
                    .top_with(&[(
                        index,
                        search.sums[index].stepped(0, FAIL_RISKS * step, step),
                    )])
                    .ruling(payload),
            })
        })
        .collect()
}

fn positions(reviews: &[Review], is: impl Fn(&Review) -> bool) -> Vec<usize> {
    let numbered = reviews.iter().enumerate();
    numbered
        .filter(|(_, review)| is(review))
        .map(|(index, _)| index)
        .collect()
}

/// The integers that a candidate's score is made of, and the rest of it.
#[derive(Clone, Copy)]
struct Sums {
    reviews: f64,
    base: i64,
    risk: i64,
    critical_fails: i64,
    wins: i64,
    reliability: f64,
    formal: f64,
}

impl Sums {
    fn new(candidate: &Candidate, values: &ByTerm<f64>) -> Self {
        let sum = |field: ReviewField| candidate.reviews.iter().map(|r| field.of(r)).sum::<i64>();
        let critical_fails = sum(ReviewField::CriticalFail);
        Self {
            reviews: candidate.reviews.len().max(1) as f64,
            base: sum(ReviewField::Support) + sum(ReviewField::Evidence),
            risk: sum(ReviewField::MajorRisks) + FAIL_RISKS * critical_fails,
            critical_fails,
            wins: candidate.wins,
            reliability: values[Term::Reliability],
            formal: values[Term::Formal],
        }
    }

    fn stepped(mut self, base: i64, risk: i64, critical_fails: i64) -> Self {
        self.base += base;
        self.risk += risk;
        self.critical_fails += critical_fails;
        self
    }

    fn with_wins(mut self, by: i64) -> Self {
        self.wins += by;
        self
    }

    fn with_formal(mut self, formal: f64) -> Self {
        self.formal = formal;
        self
    }
}

/// The smallest single change that puts one candidate before another; none where no
/// single change does. Both are positions among the candidates.
pub(super) fn to_pass(
    payload: &Payload,
    numbers: &Numbers,
    weights: &Weights,
    [behind, ahead]: [usize; 2],
) -> Option<Change> {
    let mut search = Search::new(payload, numbers, weights);
    search.pair = Some([behind, ahead]);
    for candidate in [behind.min(ahead), behind.max(ahead)] {
        search.reviews(candidate);
        search.formal(candidate);
        if payload.pairwise.is_empty() {
            search.wins(candidate);
        }
    }
    search.matches();
    search.to_pass.map(|best| best.change(payload))
}

/// The best change so far, and the verdict after it.
type Best = Option<Found>;

#[derive(Clone, Copy)]
struct Found {
    edit: Edit,
    top: Top,
}

impl Found {
    fn change(self, payload: &Payload) -> Change {
        let Self { edit, top } = self;
        Change {
            size: edit.size(),
            path: edit.path(),
            becomes: top.ruling(payload),
            words: edit.words(payload),
            edit,
        }
    }
}

struct Search<'a> {
    payload: &'a Payload,
    weights: ByTerm<f64>,
    opponents: f64,
    sums: Vec<Sums>,
    ranking: Vec<(usize, Standing)>,
    top: Top,
    to_first: Vec<Best>,
    to_win: Vec<Best>,
    /// Where only two are asked about: who is to come before whom.
    pair: Option<[usize; 2]>,
    to_pass: Best,
}

impl<'a> Search<'a> {
    fn new(payload: &'a Payload, numbers: &Numbers, weights: &Weights) -> Self {
        let weights = weights.values();
        let candidates = payload.candidates.iter().zip(&numbers.values);
        let ranking = numbers.ranking(&weights);
        Self {
            payload,
            weights,
            opponents: super::score::opponents(payload),
            sums: candidates.map(|(c, values)| Sums::new(c, values)).collect(),
            top: Top::of(ranking.iter().copied().take(2)),
            ranking,
            to_first: vec![None; payload.candidates.len()],
            to_win: vec![None; payload.candidates.len()],
            pair: None,
            to_pass: None,
        }
    }

    fn standing(&self, sums: &Sums) -> Standing {
        let values = Term::ALL.map(|term| {
            let value = match term {
                Term::Base => sums.base as f64 / sums.reviews,
                Term::Pairwise => sums.wins as f64 / self.opponents,
                Term::Risk => sums.risk as f64 / sums.reviews,
                Term::Reliability => sums.reliability,
                Term::Formal => sums.formal,
            };
            term.sign() * value
        });
        standing(
            &values,
            usize::try_from(sums.critical_fails).unwrap_or(0),
            &self.weights,
        )
    }

    /// The top if these candidates had such sums.
    fn top_with(&self, changed: &[(usize, Sums)]) -> Top {
        let kept = self
            .ranking
            .iter()
            .filter(|(index, _)| changed.iter().all(|(other, _)| other != index));
        let new = changed
            .iter()
            .map(|(index, sums)| (*index, self.standing(sums)));
        Top::of(kept.copied().take(2).chain(new))
    }

    /// Whether the pair stands the other way round if these candidates had such sums.
    fn passes(&self, [behind, ahead]: [usize; 2], changed: &[(usize, Sums)]) -> bool {
        let stands = |candidate: usize| {
            let new = changed.iter().find(|(index, _)| *index == candidate);
            let sums = new.map_or(self.sums[candidate], |(_, sums)| *sums);
            (candidate, self.standing(&sums))
        };
        comes_before(&stands(behind), &stands(ahead))
    }

    fn offer(&mut self, edit: Edit, changed: &[(usize, Sums)]) {
        if let Some(pair) = self.pair {
            let concerns = changed.iter().any(|(index, _)| pair.contains(index));
            if concerns && self.passes(pair, changed) {
                let top = self.top_with(changed);
                keep_smaller(&mut self.to_pass, edit, top, pair[0]);
            }
            return;
        }
        let top = self.top_with(changed);
        let Some(first) = top.first else { return };
        if self.top.first != Some(first) {
            keep_smaller(&mut self.to_first[first], edit, top, first);
        }
        if top.is_won_by(first) && !self.top.is_won_by(first) {
            keep_smaller(&mut self.to_win[first], edit, top, first);
        }
    }

    /// Of the edits with the same effect on the sums, the first.
    fn reviews(&mut self, candidate: usize) {
        let payload = self.payload;
        let mut tried: Vec<(i64, i64, i64)> = Vec::new();
        for (review, of) in payload.candidates[candidate].reviews.iter().enumerate() {
            for field in ReviewField::ALL {
                let from = field.of(of);
                for to in (0..=field.most()).filter(|to| *to != from) {
                    let step = to - from;
                    let effect = match field {
                        ReviewField::Support | ReviewField::Evidence => (step, 0, 0),
                        ReviewField::MajorRisks => (0, step, 0),
                        ReviewField::CriticalFail => (0, FAIL_RISKS * step, step),
                    };
                    if tried.contains(&effect) {
                        continue;
                    }
                    tried.push(effect);
                    let sums = self.sums[candidate].stepped(effect.0, effect.1, effect.2);
                    let edit = Edit::Review {
                        candidate,
                        review,
                        field,
                        from,
                        to,
                    };
                    self.offer(edit, &[(candidate, sums)]);
                }
            }
        }
    }

    fn formal(&mut self, candidate: usize) {
        if self.weights[Term::Formal] == 0.0 {
            return;
        }
        if !self.payload.candidates[candidate].claims.is_empty() {
            self.claims(candidate);
            return;
        }
        if let Some([behind, ahead]) = self.pair {
            let towards = if candidate == behind {
                FORMAL_STEPS
            } else {
                -FORMAL_STEPS
            };
            self.formal_steps(candidate, towards, |search, changed| {
                search.passes([behind, ahead], changed)
            });
            return;
        }
        let leads = self.top.first == Some(candidate);
        // raised, it may pass the others; lowered, it lets another pass
        for (towards, wanted) in [
            (FORMAL_STEPS, Some(candidate)),
            (-FORMAL_STEPS, self.best_but(candidate)),
        ] {
            let Some(wanted) = wanted else { continue };
            if (towards > 0.0) != leads {
                self.formal_steps(candidate, towards, |search, changed| {
                    search.top_with(changed).first == Some(wanted)
                });
            }
            self.formal_steps(candidate, towards, |search, changed| {
                search.top_with(changed).is_won_by(wanted)
            });
        }
    }

    /// The best of the others.
    fn best_but(&self, candidate: usize) -> Option<usize> {
        let mut others = self.ranking.iter().map(|(index, _)| *index);
        others.find(|index| *index != candidate)
    }

    /// Offers the nearest step of a formal score that has an effect which, once
    /// there, stays on the way to `towards`.
    fn formal_steps(
        &mut self,
        candidate: usize,
        towards: f64,
        has: impl Fn(&Self, &[(usize, Sums)]) -> bool,
    ) {
        let from = self.sums[candidate].formal * FORMAL_STEPS;
        let up = towards > from;
        let at = |search: &Self, step: f64| {
            let sums = search.sums[candidate].with_formal(step / FORMAL_STEPS);
            has(search, &[(candidate, sums)])
        };
        if from == towards || has(self, &[]) || !at(self, towards) {
            return;
        }
        // grid steps beyond the current score, counted outwards
        let origin = if up { from.floor() } else { from.ceil() };
        let (mut without, mut with) = (0.0, (towards - origin).abs());
        let place = |count: f64| origin + if up { count } else { -count };
        while with - without > 1.0 {
            let middle = f64::midpoint(without, with).floor();
            if at(self, place(middle)) {
                with = middle;
            } else {
                without = middle;
            }
        }
        let to = place(with) / FORMAL_STEPS + 0.0;
        let sums = self.sums[candidate].with_formal(to);
        let from = self.payload.candidates[candidate].formal_score;
        self.offer(
            Edit::Formal {
                candidate,
                from,
                to,
            },
            &[(candidate, sums)],
        );
    }

    fn claims(&mut self, candidate: usize) {
        use ClaimStatus::{Disproved, Inconclusive, Proved};
        let payload = self.payload;
        let claims = &payload.candidates[candidate].claims;
        let mut statuses: Vec<ClaimStatus> = claims.iter().map(|claim| claim.status).collect();
        for side in [-1.0, 0.0, 1.0] {
            let Some(claim) = claims.iter().position(|c| side_of(c.status) == side) else {
                continue;
            };
            let from = statuses[claim];
            for to in [Disproved, Inconclusive, Proved] {
                if side_of(to) == side {
                    continue;
                }
                statuses[claim] = to;
                let sums = self.sums[candidate].with_formal(formal_score(&statuses));
                let edit = Edit::Claim {
                    candidate,
                    claim,
                    from,
                    to,
                };
                self.offer(edit, &[(candidate, sums)]);
            }
            statuses[claim] = from;
        }
    }

    fn wins(&mut self, candidate: usize) {
        let from = self.sums[candidate].wins;
        for to in [from + 1, from - 1] {
            if (0..=self.opponents as i64).contains(&to) {
                let sums = self.sums[candidate].with_wins(to - from);
                self.offer(
                    Edit::Wins {
                        candidate,
                        from,
                        to,
                    },
                    &[(candidate, sums)],
                );
            }
        }
    }

    fn matches(&mut self) {
        let payload = self.payload;
        let n = payload.candidates.len();
        let mut met = vec![false; n * n];
        for (position, outcome) in payload.pairwise.iter().enumerate() {
            let (winner, loser) = (outcome.loser, outcome.winner);
            met[winner * n + loser] = true;
            met[loser * n + winner] = true;
            let changed = [
                (winner, self.sums[winner].with_wins(1)),
                (loser, self.sums[loser].with_wins(-1)),
            ];
            let edit = Edit::Match {
                position: Some(position),
                winner,
                loser,
            };
            self.offer(edit, &changed);
        }
        if payload.pairwise.is_empty() {
            return;
        }
        for winner in 0..n {
            // whoever loses a new match loses nothing by it: any opponent will do
            let loser = (0..n).find(|loser| *loser != winner && !met[winner * n + loser]);
            if let Some(loser) = loser {
                let edit = Edit::Match {
                    position: None,
                    winner,
                    loser,
                };
                self.offer(edit, &[(winner, self.sums[winner].with_wins(1))]);
            }
        }
    }

    fn into_reaches(self) -> Vec<Reach> {
        let Self {
            payload,
            ranking,
            top,
            to_first,
            to_win,
            ..
        } = self;
        let change = |best: Best| best.map(|best| best.change(payload));
        let mut ranks = vec![None; payload.candidates.len()];
        for (place, (candidate, _)) in ranking.iter().enumerate() {
            ranks[*candidate] = Some(place + 1);
        }
        let candidates = payload.candidates.iter().enumerate();
        candidates
            .zip(to_first.into_iter().zip(to_win))
            .map(|((index, candidate), (to_first, to_win))| Reach {
                id: candidate.id.clone(),
                rank: ranks[index],
                wins: top.is_won_by(index),
                to_first: change(to_first),
                to_win: change(to_win),
            })
            .collect()
    }
}

fn keep_smaller(best: &mut Best, edit: Edit, top: Top, first: usize) {
    let smaller = best.is_none_or(|Found { edit: old, .. }| {
        let key = |edit: &Edit| (edit.kind(), edit.candidate() != first);
        let order = edit
            .size()
            .total_cmp(&old.size())
            .then(key(&edit).cmp(&key(&old)));
        order == Ordering::Less
    });
    if smaller {
        *best = Some(Found { edit, top });
    }
}
