//! The five terms of the score: everything that is made per term is made from
//! [`Term::ALL`], so that a term has one name, one label and one place everywhere.

use std::ops::{Index, IndexMut};

/// A term of the score, in the order of the formula (SCORING.md section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// mean(support + evidence), 0 to 4.
    Base,
    /// wins / (n - 1), 0 to 1.
    Pairwise,
    /// mean(major_risks + 2 critical_fail), 0 to 4; subtracted.
    Risk,
    /// Reliability of the model in the domain, 0 to 1.
    Reliability,
    /// What provers say of the claims, -1 to 1.
    Formal,
}

impl Term {
    /// How many there are.
    pub const COUNT: usize = 5;

    /// All of them, in the order of the formula.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Base,
        Self::Pairwise,
        Self::Risk,
        Self::Reliability,
        Self::Formal,
    ];

    /// Its name in results and sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Pairwise => "pairwise",
            Self::Risk => "risk",
            Self::Reliability => "reliability",
            Self::Formal => "formal",
        }
    }

    /// Its name at the head of a column or field.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Base => "Base",
            Self::Pairwise => "Pairwise",
            Self::Risk => "Risk",
            Self::Reliability => "Reliability",
            Self::Formal => "Formal",
        }
    }

    /// The name of its weight.
    pub const fn weight(self) -> &'static str {
        match self {
            Self::Base => "w_base",
            Self::Pairwise => "w_pairwise",
            Self::Risk => "w_risk",
            Self::Reliability => "w_reliability",
            Self::Formal => "w_formal",
        }
    }

    /// -1 for the term that is subtracted, else 1.
    pub const fn sign(self) -> f64 {
        match self {
            Self::Risk => -1.0,
            _ => 1.0,
        }
    }

    /// What its weight multiplies, in one sentence, with its range.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Base => "Mean of support + evidence over the reviews, 0 to 4.",
            Self::Pairwise => "Share of head-to-head comparisons won, 0 to 1.",
            Self::Risk => "Mean of major risks + 2 × critical fail, 0 to 4. Subtracted.",
            Self::Reliability => "How well the candidate's model does in this domain, 0 to 1.",
            Self::Formal => "Proved minus disproved claims over both, −1 to 1.",
        }
    }
}

/// One of something per term, in the order of [`Term::ALL`]; a number is asked
/// for by its term.
pub type ByTerm<T> = [T; Term::COUNT];

impl Index<Term> for ByTerm<f64> {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self[term as usize]
    }
}

impl IndexMut<Term> for ByTerm<f64> {
    fn index_mut(&mut self, term: Term) -> &mut f64 {
        &mut self[term as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{FAIL_RISKS, MOST_MEAN};
    use super::*;

    #[test]
    fn the_ranges_are_said_as_they_are() {
        let range = format!("0 to {MOST_MEAN}");
        assert!(Term::Base.help().contains(&range));
        assert!(Term::Risk.help().contains(&range));
        let fails = format!("{FAIL_RISKS} × critical fail");
        assert!(Term::Risk.help().contains(&fails));
    }

    #[test]
    fn the_order_and_the_names_are_one() {
        for (place, term) in Term::ALL.into_iter().enumerate() {
            assert_eq!(term as usize, place);
            assert_eq!(term.weight().strip_prefix("w_"), Some(term.name()));
            assert_eq!(term.label().to_lowercase(), term.name());
        }
        let mut numbers = [0.0; Term::COUNT];
        numbers[Term::Risk] = 1.0;
        assert_eq!(numbers, [0.0, 0.0, 1.0, 0.0, 0.0]);
    }
}
