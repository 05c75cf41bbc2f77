//! The same debate under every set of weights: none, each domain of the profile,
//! and the user's own.

use serde::Serialize;

use super::evaluate::setting;
use super::numbers::Numbers;
use super::rules::NO_DOMAIN;
use super::verdict::Ruling;
use super::{NO_DOMAIN_NAME, Options, Payload, Profiles, Weights};
use crate::text::Shown;

/// A debate under one set of weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DomainStanding {
    /// See [`heading`].
    pub name: String,
    /// Whether these are the weights in use.
    pub own: bool,
    /// Its weights.
    pub weights: Weights,
    /// The verdict.
    pub ruling: Ruling,
    /// One per candidate, in input order.
    pub places: Vec<Place>,
}

/// Where a candidate stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The candidate.
    pub id: String,
    /// Its rank among survivors, from 1; none if eliminated.
    pub rank: Option<usize>,
    /// Its score, rounded to 4 decimals.
    pub score: f64,
}

/// What the user's own weights are called.
const YOURS: &str = "yours";

/// A domain's name where it stands beside `none` and `yours`: in quotes if it is one of them.
pub fn heading(domain: &str) -> String {
    match domain {
        NO_DOMAIN_NAME | YOURS => format!("“{}”", Shown(domain)),
        _ => domain.to_owned(),
    }
}

/// No domain, then the domains in the order of the profile, then the weights and
/// the domain that `options` give (`yours`; missing if those weights are refused).
/// Each domain brings its own reliability of the models.
pub fn side_by_side(
    payload: &Payload,
    profiles: &Profiles,
    options: &Options,
) -> Vec<DomainStanding> {
    let stand = |name: &str, own: bool, weights: Weights, numbers: &Numbers| {
        let mut ranks = vec![None; payload.candidates.len()];
        let ranking = numbers.ranking(&weights.values());
        for (place, (candidate, _)) in ranking.iter().enumerate() {
            ranks[*candidate] = Some(place + 1);
        }
        let places = payload.candidates.iter().zip(ranks).enumerate();
        DomainStanding {
            name: name.to_owned(),
            own,
            weights,
            ruling: numbers.top(&weights.values()).ruling(payload),
            places: places
                .map(|(index, (candidate, rank))| Place {
                    id: candidate.id.clone(),
                    rank,
                    score: numbers.score(index, &weights.values()),
                })
                .collect(),
        }
    };
    let none = stand(
        NO_DOMAIN_NAME,
        false,
        NO_DOMAIN,
        &Numbers::new(payload, None),
    );
    let domains = profiles.domains().iter().map(|domain| {
        let numbers = Numbers::new(payload, Some(domain));
        stand(&heading(&domain.name), false, domain.weights, &numbers)
    });
    let own = setting(payload, profiles, options)
        .map(|(weights, domain)| stand(YOURS, true, weights, &Numbers::new(payload, domain)));
    std::iter::once(none).chain(domains).chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debate::{read, read_profiles};

    #[test]
    fn domains_named_as_what_is_no_domain_are_told_from_it() {
        let weights =
            r#"{"w_base": 1, "w_pairwise": 1, "w_risk": 1, "w_reliability": 0, "w_formal": 0}"#;
        let domain = format!(r#"{{"weights": {weights}, "keywords": [], "models": {{}}}}"#);
        let text =
            format!(r#"{{"domains": {{"none": {domain}, "yours": {domain}, "legal": {domain}}}}}"#);
        let profiles = read_profiles(&text);
        let profiles = profiles.result.expect("valid profiles");
        let payload = read(
            r#"{"candidates": [
            {"id": "A", "wins": 1, "reviews": [{"support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0}]},
            {"id": "B", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#,
        );
        let payload = payload.result.expect("a valid debate");
        let standings = side_by_side(&payload, &profiles, &Options::default());
        let names: Vec<&str> = standings.iter().map(|standing| &*standing.name).collect();
        assert_eq!(names, ["none", "“none”", "“yours”", "legal", "yours"]);
    }
}
