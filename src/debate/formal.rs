//! The formal score: what a prover says of a candidate's claims.

use serde::Serialize;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimStatus {
    /// Formally proved.
    Proved,
    /// A counterexample was found.
    Disproved,
    /// The prover could not tell.
    Inconclusive,
    /// The prover ran out of time.
    Timeout,
    /// The prover is still at it.
    Running,
}

impl ClaimStatus {
    /// Reads a status, in any case.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "proved" => Self::Proved,
            "disproved" => Self::Disproved,
            "inconclusive" => Self::Inconclusive,
            "timeout" => Self::Timeout,
            "running" => Self::Running,
            _ => return None,
        })
    }

    /// Its word in a payload.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Disproved => "disproved",
            Self::Inconclusive => "inconclusive",
            Self::Timeout => "timeout",
            Self::Running => "running",
        }
    }

    /// Whether it counts: proved or disproved.
    pub fn is_decided(self) -> bool {
        matches!(self, Self::Proved | Self::Disproved)
    }
}

/// (proved - disproved) / (proved + disproved), in [-1, 1]; 0 if that count is 0.
/// Every other status is neutral.
pub fn formal_score(claims: &[ClaimStatus]) -> f64 {
    let count = |status| claims.iter().filter(|claim| **claim == status).count() as f64;
    let (proved, disproved) = (count(ClaimStatus::Proved), count(ClaimStatus::Disproved));
    if proved + disproved == 0.0 {
        0.0
    } else {
        (proved - disproved) / (proved + disproved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClaimStatus::{Disproved, Inconclusive, Proved, Running, Timeout};

    #[test]
    fn only_decided_claims_count() {
        assert_eq!(formal_score(&[]), 0.0);
        assert_eq!(formal_score(&[Inconclusive, Timeout, Running]), 0.0);
        assert_eq!(formal_score(&[Proved, Timeout]), 1.0);
        assert_eq!(formal_score(&[Proved, Proved, Disproved]), 1.0 / 3.0);
        assert_eq!(formal_score(&[Disproved]), -1.0);
    }

    #[test]
    fn statuses_are_read_in_any_case() {
        assert_eq!(ClaimStatus::parse("INCONCLUSIVE"), Some(Inconclusive));
        assert_eq!(ClaimStatus::parse("proven"), None);
    }
}
