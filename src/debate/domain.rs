//! Which domain a question belongs to, from the words in it.

use std::collections::HashSet;

use super::profile::Profiles;
use super::rules::GENERAL;
use super::{DomainHit, KeywordHit};
use crate::text::{Hit, sort_by_key};

/// The domain with the most keywords in the question (a tie or none is
/// [`GENERAL`]), and all matches, the domain with the most first.
pub fn detect(question: &str, profiles: &Profiles) -> (String, Vec<DomainHit>) {
    let keywords = || {
        let domains = profiles.domains().iter();
        domains.flat_map(|own| own.keywords.iter().map(String::as_str))
    };
    let mut places = profiles.keywords.first_places(question, keywords);
    let mut hits: Vec<DomainHit> = profiles
        .domains()
        .iter()
        .map(|domain| DomainHit {
            domain: domain.name.clone(),
            hits: keyword_hits(&domain.keywords, &mut places),
        })
        .filter(|domain| !domain.hits.is_empty())
        .collect();
    // stable: equal counts keep the order of the profile
    sort_by_key(&mut hits, |domain| std::cmp::Reverse(domain.hits.len()));
    let best = match (Detection::of(&hits), hits.first()) {
        (Detection::Chosen, Some(first)) => &first.domain,
        _ => GENERAL,
    };
    (best.to_owned(), hits)
}

/// What the keywords of a question say about its domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// One domain has the most.
    Chosen,
    /// No domain has any.
    NoKeyword,
    /// Several have as many.
    Tied,
}

impl Detection {
    /// From the domains that have keywords in the question, those with the most first.
    pub fn of(hits: &[DomainHit]) -> Self {
        match hits {
            [] => Self::NoKeyword,
            [first, second, ..] if first.hits.len() == second.hits.len() => Self::Tied,
            _ => Self::Chosen,
        }
    }

    /// The domain and the word, where one keyword alone chose it.
    pub fn by_one_keyword(self, hits: &[DomainHit]) -> Option<(&str, &str)> {
        match (self, hits) {
            (Self::Chosen, [DomainHit { domain, hits }, ..]) if hits.len() == 1 => {
                Some((domain, &hits[0].keyword))
            }
            _ => None,
        }
    }

    /// Why no domain was chosen, in a sentence.
    pub fn sentence(self) -> Option<String> {
        let why = match self {
            Self::Chosen => return None,
            Self::NoKeyword => "No keyword of any domain is in the question",
            Self::Tied => "Two domains have as many keywords in the question",
        };
        Some(format!("{why}, so it is {GENERAL}."))
    }
}

/// The keywords that have a place, each once.
fn keyword_hits(keywords: &[String], places: impl Iterator<Item = Option<Hit>>) -> Vec<KeywordHit> {
    let mut seen = HashSet::new();
    let found = keywords.iter().zip(places);
    found
        .filter(|(keyword, _)| seen.insert(keyword.as_str()))
        .filter_map(|(keyword, hit)| {
            let hit = hit?;
            Some(KeywordHit {
                keyword: keyword.clone(),
                start: hit.start,
                end: hit.end,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(question: &str) -> String {
        detect(question, Profiles::built_in()).0
    }

    #[test]
    fn whole_words_only() {
        for (question, domain) in [
            ("Is this syntax right?", "general"),
            ("Does GDPR apply?", "legal"),
            ("How does tax work?", "finance"),
            ("Debugging is hard", "general"),
            ("", "general"),
            ("DEBUG the Algorithm!", "coding"),
        ] {
            assert_eq!(detected(question), domain, "{question}");
        }
    }

    #[test]
    fn acronyms_want_capitals() {
        assert_eq!(detected("wait a sec"), "general");
        assert_eq!(detected("a letter of the SEC"), "finance");
        assert_eq!(detected("our api"), "general");
        assert_eq!(detected("our API"), "coding");
        assert_eq!(detected("set up CI/CD"), "coding");
    }

    #[test]
    fn phrases_match_over_any_white_space_and_hits_know_their_place() {
        let (domain, hits) = detect("é peer\n review, Peer review", Profiles::built_in());
        assert_eq!(domain, "academic");
        let hit = &hits[0].hits[0];
        assert_eq!(
            (hit.keyword.as_str(), hit.start, hit.end),
            ("peer review", 2, 14)
        );
        assert_eq!(hits[0].hits.len(), 1, "each keyword counts once");
    }

    #[test]
    fn a_tie_is_general() {
        let (domain, hits) = detect("a proof in code", Profiles::built_in());
        assert_eq!(domain, "general");
        assert_eq!(hits.len(), 2);
    }
}
