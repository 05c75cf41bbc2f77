//! A scored debate, as interfaces give it.

use serde::Serialize;

use super::options::Weights;
use super::payload::{DebateId, WhatIf};
use super::term::{ByTerm, Term};

/// What to do with the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// One candidate wins.
    Winner,
    /// Synthesise the top two.
    Hybrid,
    /// Ask follow-up questions.
    Insufficient,
    /// Every candidate was eliminated.
    AllEliminated,
}

/// A scored debate, as interfaces give it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DebateResult {
    /// `rwea/1`.
    pub formula: &'static str,
    /// What the debate is called, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<DebateId>,
    /// The edit that was only tried, where the input is not as it was given: the figures are
    /// no evidence then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what_if: Option<WhatIf>,
    /// The question, for exports that people read.
    #[serde(skip)]
    pub question: Option<String>,
    /// The domain; `none` when there is none.
    pub domain: String,
    /// Whether there is none; a domain may be named `none` too.
    #[serde(skip)]
    pub without_domain: bool,
    /// Whether the profiles have a domain of that name; without it the weights are those
    /// without a domain.
    #[serde(skip)]
    pub is_domain_known: bool,
    /// Where the question's words matched, when the domain was detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain_hits: Option<Vec<DomainHit>>,
    /// The weights used.
    pub weights: Weights,
    /// What they would be without the caller's own: those of the domain, or of none.
    #[serde(skip)]
    pub original_weights: Weights,
    /// The decision.
    pub decision: Decision,
    /// The candidate with the top score among survivors unless the decision is
    /// `insufficient` or `all_eliminated` (the original names one for `hybrid` too).
    pub winner: Option<String>,
    /// The two candidates to synthesise, when the decision is `hybrid`.
    pub hybrid_candidates: Vec<String>,
    /// What broke a tie for the first place: `critical_fails`, `base` or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie_broken_by: Option<TieBreak>,
    /// The candidates: survivors by rank, then the eliminated.
    pub results: Vec<Row>,
    /// Warnings and notes in words.
    pub notes: Vec<String>,
    /// SHA-256 of the input.
    pub input_sha256: String,
}

/// What broke a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Fewer critical_fail flags.
    CriticalFails,
    /// Higher base.
    Base,
    /// Nothing did: synthesise, and consider one more debate pass.
    None,
}

/// A domain and the words of the question that speak for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainHit {
    /// The domain.
    pub domain: String,
    /// Each keyword once, at its first place.
    pub hits: Vec<KeywordHit>,
}

/// A keyword found in the question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeywordHit {
    /// The keyword as the profile spells it.
    pub keyword: String,
    /// Start in the question, in Unicode scalar values.
    pub start: usize,
    /// End, exclusive.
    pub end: usize,
}

/// A candidate's row. Numbers are rounded to 4 decimals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The candidate.
    pub id: String,
    /// Its model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Head-to-head wins.
    pub wins: i64,
    /// mean(support + evidence), in [0, 4].
    pub base: f64,
    /// mean(major_risks + 2 critical_fail), in [0, 4].
    pub risk: f64,
    /// wins / (n - 1), in [0, 1].
    pub pairwise: f64,
    /// The weighted sum.
    pub score: f64,
    /// Reviews with critical_fail = 1.
    pub critical_fails: usize,
    /// Two or more critical fails.
    pub eliminated: bool,
    /// Reliability of the model in the domain, in [0, 1]; only with a domain
    /// or a weight for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_weight: Option<f64>,
    /// w_reliability x model_weight; where `model_weight` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reliability_bonus: Option<f64>,
    /// Formal score in [-1, 1], where given; only with a domain or a weight for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formal_score: Option<f64>,
    /// w_formal x formal_score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formal_bonus: Option<f64>,
    /// Weight x value per term; they add up to the score.
    pub contributions: Contributions,
}

/// Weight x value of each term, rounded to 4 decimals such that they add up to
/// the score (see [`crate::analysis::apportion`]); risk is negative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // named by the method
pub struct Contributions {
    pub base: f64,
    pub pairwise: f64,
    pub risk: f64,
    pub reliability: f64,
    pub formal: f64,
}

impl Contributions {
    /// By term.
    pub fn values(&self) -> ByTerm<f64> {
        let Self {
            base,
            pairwise,
            risk,
            reliability,
            formal,
        } = *self;
        [base, pairwise, risk, reliability, formal]
    }

    /// The contributions of such a list.
    pub fn from_values(values: ByTerm<f64>) -> Self {
        let [base, pairwise, risk, reliability, formal] = values;
        Self {
            base,
            pairwise,
            risk,
            reliability,
            formal,
        }
    }
}

impl DebateResult {
    /// The weight of pairwise where it multiplies nothing: nobody has won a head-to-head.
    pub fn idle_pairwise(&self) -> Option<f64> {
        let weight = self.weights.w_pairwise;
        let is_idle = weight > 0.0 && self.results.iter().all(|row| row.wins == 0);
        is_idle.then_some(weight)
    }
}

impl Row {
    /// What each weight multiplies, risk as it is shown: not negative. 0 where
    /// reliability or the formal score is not shown.
    pub fn value(&self, term: Term) -> f64 {
        match term {
            Term::Base => self.base,
            Term::Pairwise => self.pairwise,
            Term::Risk => self.risk,
            Term::Reliability => self.model_weight.unwrap_or_default(),
            Term::Formal => self.formal_score.unwrap_or_default(),
        }
    }
}
