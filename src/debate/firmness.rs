//! How firm a verdict is (SCORING.md section 2): everything at once, or part by
//! part from a [`Board`].
//!
//! [`Board::intervals`] is meant for every input event; the others are worked out
//! when they are looked at.

use serde::Serialize;

use super::against::{Against, against};
use super::changes::{FlagRule, Reach, changes, flag_rules};
use super::debaters::{
    Debaters, LeftOut, agreement, debaters, leave_one_out, self_reviews, vote_cycles,
};
use super::domains::{DomainStanding, side_by_side};
use super::evaluate::{score, setting};
use super::intervals::{Intervals, intervals};
use super::numbers::Numbers;
use super::rules::{FIRM_CHANGE, FIRM_SHARE};
use super::trace::{Trace, trace};
use super::uncertainty::{Draws, Uncertainty, UncertaintyOptions, uncertainty};
use super::verdict::best_two;
use super::{Decision, Domain, Options, Payload, Profiles, Weights};
use crate::analysis::bootstrap::{DEFAULT_SAMPLES, DEFAULT_SEED};

/// Whether a verdict is called firm, by the bounds of the weights and, once they
/// are known, the shares of weight space. Only a winner can be.
pub fn is_firm(intervals: &Intervals, shares: Option<&Uncertainty>) -> bool {
    let ruling = &intervals.ruling;
    let Some(winner) = ruling
        .winner
        .as_ref()
        .filter(|_| ruling.decision == Decision::Winner)
    else {
        return false;
    };
    let flip = intervals.nearest_relative.as_ref();
    let is_near = flip.is_some_and(|flip| flip.relative.is_some_and(|r| r < FIRM_CHANGE));
    !is_near && shares.is_none_or(|shares| shares.first(winner) >= FIRM_SHARE)
}

/// How firm a verdict is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Firmness {
    /// The bounds of each weight within which the verdict stands.
    pub intervals: Intervals,
    /// Per candidate, the smallest single change that puts it first.
    pub changes: Vec<Reach>,
    /// The candidates that one flag would eliminate or save.
    pub flags: Vec<FlagRule>,
    /// The ranking under uncertain weights.
    pub uncertainty: Uncertainty,
    /// The debaters.
    pub debaters: Debaters,
    /// The debate in every domain.
    pub domains: Vec<DomainStanding>,
    /// The decision step by step.
    pub trace: Trace,
}

/// All of it, with default options of sampling. None if the weights are refused.
pub fn firmness(payload: &Payload, profiles: &Profiles, options: &Options) -> Option<Firmness> {
    let board = Board::new(payload, profiles, options)?;
    Some(Firmness {
        intervals: board.intervals(),
        changes: board.changes(),
        flags: board.flags(),
        uncertainty: board.uncertainty(&UncertaintyOptions::default()),
        debaters: board.debaters(DEFAULT_SAMPLES, DEFAULT_SEED),
        domains: board.domains(),
        trace: board.trace()?,
    })
}

/// A debate made ready to be asked how firm it is.
#[derive(Clone, Debug)]
pub struct Board<'a> {
    payload: &'a Payload,
    profiles: &'a Profiles,
    options: &'a Options,
    domain: Option<&'a Domain>,
    weights: Weights,
    numbers: Numbers,
}

impl<'a> Board<'a> {
    /// None if the weights are refused (as [`super::score`] does).
    pub fn new(payload: &'a Payload, profiles: &'a Profiles, options: &'a Options) -> Option<Self> {
        let (weights, domain) = setting(payload, profiles, options)?;
        Some(Self {
            payload,
            profiles,
            options,
            domain,
            weights,
            numbers: Numbers::new(payload, domain),
        })
    }

    /// The weights in use.
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// The candidates' numbers.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// See [`intervals`].
    pub fn intervals(&self) -> Intervals {
        intervals(self.payload, &self.numbers, &self.weights)
    }

    /// See [`changes`].
    pub fn changes(&self) -> Vec<Reach> {
        changes(self.payload, &self.numbers, &self.weights)
    }

    /// See [`flag_rules`].
    pub fn flags(&self) -> Vec<FlagRule> {
        flag_rules(self.payload, &self.numbers, &self.weights)
    }

    /// See [`uncertainty`].
    pub fn uncertainty(&self, options: &UncertaintyOptions) -> Uncertainty {
        uncertainty(self.payload, &self.numbers, &self.weights, options)
    }

    /// The same in pieces; it does not borrow the board.
    pub fn draws(&self, options: &UncertaintyOptions) -> Draws {
        Draws::new(self.payload, &self.numbers, &self.weights, options)
    }

    /// See [`leave_one_out`].
    pub fn leave_one_out(&self) -> Vec<LeftOut> {
        leave_one_out(self.payload, self.domain, &self.weights)
    }

    /// Everything about the debaters; agreement with `samples` resamples.
    pub fn debaters(&self, samples: usize, seed: u64) -> Debaters {
        Debaters {
            debaters: debaters(self.payload),
            agreement: agreement(self.payload, samples, seed),
            left_out: self.leave_one_out(),
            cycles: vote_cycles(self.payload),
            self_reviews: self_reviews(self.payload),
        }
    }

    /// See [`side_by_side`].
    pub fn domains(&self) -> Vec<DomainStanding> {
        side_by_side(self.payload, self.profiles, self.options)
    }

    /// Two candidates beside each other, named in either order; none if one is not
    /// there, or both are the same.
    pub fn against(&self, one: &str, other: &str) -> Option<Against> {
        let scored = score(self.payload, self.profiles, self.options);
        against(self.payload, &scored.result?, &self.numbers, [one, other])
    }

    /// The second beside the first; none where fewer than two survive.
    pub fn second_against_first(&self) -> Option<Against> {
        let scored = score(self.payload, self.profiles, self.options).result?;
        let [first, second] = best_two(&scored.results);
        let ids = [first?.id.as_str(), second?.id.as_str()];
        against(self.payload, &scored, &self.numbers, ids)
    }

    /// See [`trace`].
    pub fn trace(&self) -> Option<Trace> {
        let scored = score(self.payload, self.profiles, self.options);
        Some(trace(self.payload, &scored.result?))
    }
}
