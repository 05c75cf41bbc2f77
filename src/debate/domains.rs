//! The same debate under every set of weights: none, each domain of the profile,
//! and the user's own.

use serde::Serialize;

use super::rules::NO_DOMAIN;
use super::terms::Terms;
use super::verdict::Ruling;
use super::{NO_DOMAIN_NAME, Options, Payload, Profiles, Weights};

/// A debate under one set of weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DomainStanding {
    /// The domain, `none`, or `yours`.
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

/// No domain, then the domains in the order of the profile, then the weights and
/// the domain that `options` give (`yours`; missing if those weights are refused).
/// Each domain brings its own reliability of the models.
pub fn side_by_side(
    payload: &Payload,
    profiles: &Profiles,
    options: &Options,
) -> Vec<DomainStanding> {
    let stand = |name: &str, own: bool, weights: Weights, terms: &Terms| {
        let mut ranks = vec![None; payload.candidates.len()];
        let ranking = terms.ranking(&weights.values());
        for (place, (candidate, _)) in ranking.iter().enumerate() {
            ranks[*candidate] = Some(place + 1);
        }
        let places = payload.candidates.iter().zip(ranks).enumerate();
        DomainStanding {
            name: name.to_owned(),
            own,
            weights,
            ruling: terms.top(&weights.values()).ruling(payload),
            places: places
                .map(|(index, (candidate, rank))| Place {
                    id: candidate.id.clone(),
                    rank,
                    score: terms.score(index, &weights.values()),
                })
                .collect(),
        }
    };
    let none = stand(NO_DOMAIN_NAME, false, NO_DOMAIN, &Terms::new(payload, None));
    let domains = profiles.domains.iter().map(|domain| {
        let terms = Terms::new(payload, Some(domain));
        stand(&domain.name, false, domain.weights, &terms)
    });
    let own = super::setting(payload, profiles, options)
        .map(|(weights, domain)| stand("yours", true, weights, &Terms::new(payload, domain)));
    std::iter::once(none).chain(domains).chain(own).collect()
}
