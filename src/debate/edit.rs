//! One edit of a payload, and its size.
//!
//! The size of a change is the share of the edited item's own range, in (0, 1]:
//!
//! | item | range | size |
//! |---|---|---|
//! | support, evidence, major_risks | 0 to 2 | steps / 2 |
//! | a claim | disproved, undecided, proved | steps / 2 |
//! | a given formal_score | -1 to 1, in steps of 0.0001 | change / 2 |
//! | a win | a match is lost or won | 1 |
//! | critical_fail | 0 or 1 | 1 |
//!
//! Equal sizes: in the order of the table, then a change of the candidate's own
//! before one of a rival's, then the order of the input. An undecided claim is
//! one that is neither proved nor disproved. Where the head-to-heads are given,
//! a win is the outcome of a match turned over (the opponent loses a win) or an
//! outcome given for a pair that has none; where wins are given, one win more or less.

use serde::Serialize;

use super::formal::ClaimStatus;
use super::payload::{Outcome, Payload, Review, WhatIf, score_of};
use super::rules::MOST_RATING;
use crate::text::Shown;

/// A field of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the fields of a review
pub enum ReviewField {
    Support,
    Evidence,
    MajorRisks,
    CriticalFail,
}

impl ReviewField {
    /// All fields, in the order of a review.
    pub const ALL: [Self; 4] = [
        Self::Support,
        Self::Evidence,
        Self::MajorRisks,
        Self::CriticalFail,
    ];

    /// Its name in a payload.
    pub fn name(self) -> &'static str {
        match self {
            Self::Support => "support",
            Self::Evidence => "evidence",
            Self::MajorRisks => "major_risks",
            Self::CriticalFail => "critical_fail",
        }
    }

    /// Its name in a sentence: "major risks".
    pub fn words(self) -> &'static str {
        match self {
            Self::MajorRisks => "major risks",
            Self::CriticalFail => "critical fail",
            Self::Support | Self::Evidence => self.name(),
        }
    }

    /// Its greatest value.
    pub fn most(self) -> i64 {
        if self == Self::CriticalFail {
            1
        } else {
            MOST_RATING
        }
    }

    /// Its value in a review.
    pub fn of(self, review: &Review) -> i64 {
        match self {
            Self::Support => review.support,
            Self::Evidence => review.evidence,
            Self::MajorRisks => review.major_risks,
            Self::CriticalFail => review.critical_fail,
        }
    }

    fn slot(self, review: &mut Review) -> &mut i64 {
        match self {
            Self::Support => &mut review.support,
            Self::Evidence => &mut review.evidence,
            Self::MajorRisks => &mut review.major_risks,
            Self::CriticalFail => &mut review.critical_fail,
        }
    }
}

/// One edit of a payload. Candidates, reviews, claims and matches are positions from 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs)] // positions, and the value before and after
pub enum Edit {
    /// A field of a review.
    Review {
        candidate: usize,
        review: usize,
        field: ReviewField,
        from: i64,
        to: i64,
    },
    /// The status of a claim.
    Claim {
        candidate: usize,
        claim: usize,
        from: ClaimStatus,
        to: ClaimStatus,
    },
    /// A formal score that is given (or missing, which counts as 0).
    Formal {
        candidate: usize,
        from: Option<f64>,
        to: f64,
    },
    /// Wins that are given.
    Wins {
        candidate: usize,
        from: i64,
        to: i64,
    },
    /// A match that `winner` would win: turned over, or new where `position` is none.
    Match {
        position: Option<usize>,
        winner: usize,
        loser: usize,
    },
}

impl Edit {
    /// The payload after the edit; unchanged where a position does not exist.
    pub fn apply(&self, payload: &Payload) -> Payload {
        let mut payload = payload.clone();
        let candidates = &mut payload.candidates;
        match *self {
            Self::Review {
                candidate,
                review,
                field,
                to,
                ..
            } => {
                let reviews = candidates.get_mut(candidate).map(|c| &mut c.reviews);
                if let Some(review) = reviews.and_then(|reviews| reviews.get_mut(review)) {
                    *field.slot(review) = to;
                }
            }
            Self::Claim {
                candidate,
                claim,
                to,
                ..
            } => {
                if let Some(candidate) = candidates.get_mut(candidate) {
                    if let Some(claim) = candidate.claims.get_mut(claim) {
                        claim.status = to;
                    }
                    candidate.formal_score = Some(score_of(&candidate.claims));
                }
            }
            Self::Formal { candidate, to, .. } => {
                if let Some(candidate) = candidates.get_mut(candidate) {
                    candidate.formal_score = Some(to);
                }
            }
            Self::Wins { candidate, to, .. } => {
                if let Some(candidate) = candidates.get_mut(candidate) {
                    candidate.wins = to;
                }
            }
            Self::Match {
                position,
                winner,
                loser,
            } => play(&mut payload, position, Outcome { winner, loser }),
        }
        payload
    }

    /// The payload as it would be after the edit, marked as what was only tried.
    pub fn try_on(&self, payload: &Payload) -> Payload {
        Payload {
            what_if: Some(WhatIf {
                path: self.path(),
                words: self.words(payload),
            }),
            ..self.apply(payload)
        }
    }

    /// The share of the edited item's range, in (0, 1].
    pub fn size(&self) -> f64 {
        match self {
            Self::Review {
                field, from, to, ..
            } => (to - from).abs() as f64 / field.most() as f64,
            Self::Claim { from, to, .. } => (side_of(*to) - side_of(*from)).abs() / 2.0,
            Self::Formal { from, to, .. } => (to - from.unwrap_or(0.0)).abs() / 2.0,
            Self::Wins { .. } | Self::Match { .. } => 1.0,
        }
    }

    /// The candidate whose item it is; of a match, who wins it.
    pub fn candidate(&self) -> usize {
        match *self {
            Self::Review { candidate, .. }
            | Self::Claim { candidate, .. }
            | Self::Formal { candidate, .. }
            | Self::Wins { candidate, .. } => candidate,
            Self::Match { winner, .. } => winner,
        }
    }

    /// Place in the order of the table of sizes.
    pub(super) fn kind(&self) -> u8 {
        match self {
            Self::Review {
                field: ReviewField::CriticalFail,
                ..
            } => 4,
            Self::Review { .. } => 0,
            Self::Claim { .. } => 1,
            Self::Formal { .. } => 2,
            Self::Wins { .. } | Self::Match { .. } => 3,
        }
    }

    /// Where it would be made in the payload (`candidates[0].reviews[1].support`).
    pub fn path(&self) -> String {
        match *self {
            Self::Review {
                candidate,
                review,
                field,
                ..
            } => {
                format!("candidates[{candidate}].reviews[{review}].{}", field.name())
            }
            Self::Claim {
                candidate, claim, ..
            } => {
                format!("candidates[{candidate}].claims[{claim}].status")
            }
            Self::Formal { candidate, .. } => format!("candidates[{candidate}].formal_score"),
            Self::Wins { candidate, .. } => format!("candidates[{candidate}].wins"),
            Self::Match {
                position: Some(position),
                ..
            } => format!("pairwise[{position}]"),
            Self::Match { position: None, .. } => "pairwise".into(),
        }
    }

    /// "C's review 2 (by opus): support 2 instead of 1", ...
    pub fn words(&self, payload: &Payload) -> String {
        let whose = |index: usize| format!("{}'s", Shown(id(payload, index)));
        match *self {
            Self::Review {
                candidate,
                review,
                field,
                from,
                to,
            } => {
                let by = by(payload, candidate, review);
                let (whose, number, field) = (whose(candidate), review + 1, field.words());
                format!("{whose} review {number}{by}: {field} {to} instead of {from}")
            }
            Self::Claim {
                candidate,
                claim,
                from,
                to,
            } => {
                let (whose, number) = (whose(candidate), claim + 1);
                let (to, from) = (to.word(), from.word());
                format!("{whose} claim {number} {to} instead of {from}")
            }
            Self::Formal {
                candidate,
                from,
                to,
            } => {
                let from = from.map_or("none".into(), |from| from.to_string());
                format!("{} formal score {to} instead of {from}", whose(candidate))
            }
            Self::Wins {
                candidate,
                from,
                to,
            } => format!("{} wins {to} instead of {from}", whose(candidate)),
            Self::Match {
                position,
                winner,
                loser,
            } => {
                let tail = if position.is_some() {
                    "instead of losing"
                } else {
                    "(not given yet)"
                };
                let (winner, loser) = (Shown(id(payload, winner)), Shown(id(payload, loser)));
                format!("{winner} beats {loser} {tail}")
            }
        }
    }
}

/// A match that is turned over, or given where there was none; wins follow it.
fn play(payload: &mut Payload, position: Option<usize>, outcome: Outcome) {
    let turned = position.and_then(|position| payload.pairwise.get_mut(position));
    let is_turned = turned.is_some();
    match turned {
        Some(old) => *old = outcome,
        None => payload.pairwise.push(outcome),
    }
    if let Some(winner) = payload.candidates.get_mut(outcome.winner) {
        winner.wins += 1;
    }
    let loser = payload.candidates.get_mut(outcome.loser);
    if let Some(loser) = loser.filter(|_| is_turned) {
        loser.wins -= 1;
    }
}

fn id(payload: &Payload, candidate: usize) -> &str {
    payload.candidates.get(candidate).map_or("?", |c| &c.id)
}

/// Who wrote a review, where it says so: ` (by opus)`.
fn by(payload: &Payload, candidate: usize, review: usize) -> String {
    let candidate = payload.candidates.get(candidate);
    candidate
        .and_then(|candidate| candidate.reviews.get(review)?.debater.as_ref())
        .map_or(String::new(), |debater| format!(" (by {})", Shown(debater)))
}

pub(super) fn side_of(status: ClaimStatus) -> f64 {
    match status {
        ClaimStatus::Proved => 1.0,
        ClaimStatus::Disproved => -1.0,
        _ => 0.0,
    }
}
