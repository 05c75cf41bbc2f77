//! What the method fixes (SCORING.md section 2), each number once: the scorer
//! decides by these, and every sentence about them is made from them.

use super::Weights;

/// Below this top score nobody is good enough ("Decision").
pub const SUFFICIENT: f64 = 1.20;
/// A smaller gap between the top two means synthesis ("Decision").
pub const CLEAR_GAP: f64 = 0.40;
/// This many reviews with critical_fail = 1 eliminate a candidate ("Elimination and order").
pub const ELIMINATING_FAILS: usize = 2;

/// The same in words.
pub const ELIMINATION: &str = "two critical fails or more";

/// How the eliminated are headed.
pub const ELIMINATED: &str = "Eliminated: two critical fails or more";
/// How the reviews whose flag alone decides are headed.
pub const FLAG_RULE: &str = "The rule of two flags";

/// The most that support, evidence or major_risks can be; each is a whole number from 0 ("The score").
pub const MOST_RATING: i64 = 2;
/// How many risks a critical_fail counts for ("The score").
pub const FAIL_RISKS: i64 = 2;
/// The most that base or risk can be: two ratings, or a rating and a fail ("The score").
pub const MOST_MEAN: f64 = 4.0;

/// The weights without a domain: reliability and formal proof do not count
/// ("Weights and domains").
pub const NO_DOMAIN: Weights = Weights {
    w_base: 0.5,
    w_pairwise: 2.0,
    w_risk: 0.7,
    w_reliability: 0.0,
    w_formal: 0.0,
};
/// The reliability of a model that the domain's profile does not know
/// ("Weights and domains").
pub const UNKNOWN_MODEL: f64 = 0.5;
/// The domain of a question that no keyword, or several domains equally, speak for
/// ("Domain detection").
pub const GENERAL: &str = "general";

/// A verdict that a smaller change of one weight, as a share of its value, would
/// change is not called firm ("How firm a verdict is").
pub const FIRM_CHANGE: f64 = 0.05;
/// Nor is a winner that is first in less than this share of the weight space
/// ("How firm a verdict is").
pub const FIRM_SHARE: f64 = 0.5;

/// Whether so many critical fails eliminate a candidate.
pub const fn eliminates(critical_fails: usize) -> bool {
    critical_fails >= ELIMINATING_FAILS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_of_elimination_is_said_as_it_is() {
        let number = ["no", "one", "two", "three"][ELIMINATING_FAILS];
        assert_eq!(ELIMINATION, format!("{number} critical fails or more"));
        assert_eq!(ELIMINATED, format!("Eliminated: {ELIMINATION}"));
        assert_eq!(FLAG_RULE, format!("The rule of {number} flags"));
        assert!(eliminates(ELIMINATING_FAILS) && !eliminates(ELIMINATING_FAILS - 1));
    }

    #[test]
    fn base_and_risk_have_one_range() {
        assert_eq!((2 * MOST_RATING) as f64, MOST_MEAN);
        assert_eq!((MOST_RATING + FAIL_RISKS) as f64, MOST_MEAN);
    }
}
