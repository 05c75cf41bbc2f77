//! RWEA: candidates and reviews to a ranking, a decision and its reasons
//! (`rwea/1`, SCORING.md section 2).
//!
//! [`read`] once, [`score`] as often as a weight changes; [`evaluate`] does both.

mod against;
mod beside;
mod changes;
mod debaters;
mod difference;
mod domain;
mod domains;
mod edit;
mod evaluate;
mod firmness;
pub mod form;
mod formal;
mod intervals;
mod keywords;
mod league;
mod numbers;
mod options;
mod origin;
mod part;
mod payload;
mod profile;
mod prompt;
#[cfg(feature = "cli-core")]
mod quick;
mod readings;
mod result;
pub mod rules;
mod score;
mod series;
mod summary;
mod term;
mod trace;
mod uncertainty;
mod verdict;

pub use against::{Against, DebaterDifference, Need, Out, TermDifference, Turn};
pub use beside::{Beside, Whole};
pub use changes::{Change, FlagRule, Reach, changes};
pub use debaters::{
    Agreement, Debater, DebaterScale, Debaters, LeftOut, SelfReview, VoteCycle, agreement,
    debaters, leave_one_out, self_reviews,
};
pub use difference::{
    CandidateDifference, Cause, Difference, Place as DebatePlace, Weighed, difference,
};
pub use domain::{Detection, detect};
pub use domains::{DomainStanding, Place as DomainPlace, heading as domain_heading, side_by_side};
pub use edit::{Edit, ReviewField};
pub use evaluate::{FORMULA, evaluate, evaluate_from, score};
pub use firmness::{Board, Firmness, firmness, is_firm};
pub use formal::{ClaimStatus, formal_score};
pub use intervals::{End, Flip, Intervals, NearestFlip, WeightInterval, intervals};
pub use league::{League, Player, league};
pub use numbers::Numbers;
pub use options::{AUTO_NAME, DomainChoice, NO_DOMAIN_NAME, Options, Weights};
pub use origin::{Criterion, Mark, Marked, Marks, Met, Origin, Part};
pub use part::{LeaguePart, Line as PartLine, Merge, PART};
pub use payload::{
    Candidate, Claim, DebateId, Outcome, Payload, Review, WhatIf, parse, read, read_at, read_from,
};
pub use profile::{Domain, Profiles, parse_profiles, read_profiles, read_profiles_from};
pub use prompt::notes_prompt;
#[cfg(feature = "cli-core")]
pub use quick::evaluate_quickly;
pub use readings::{First, NearestReading, Readings, readings};
pub use result::{Contributions, DebateResult, Decision, DomainHit, KeywordHit, Row, TieBreak};
pub use rules::{
    CLEAR_GAP, FIRM_CHANGE, FIRM_SHARE, GENERAL, NO_DOMAIN, SUFFICIENT, UNKNOWN_MODEL,
};
pub use series::{DebateLine, ModelTally, tally};
pub use summary::summary;
pub use term::{ByTerm, Term};
pub use trace::{Fact, FollowUp, Side, Step, Trace, trace};
pub use uncertainty::{
    CandidateShares, DecisionShares, Draws, Spread, Uncertainty, UncertaintyOptions, uncertainty,
};
pub use verdict::{ASK, Ruling, best_two, capital, gap, idle_pairwise};
