//! Which domain a question belongs to, from the words in it.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::profile::Profiles;
use super::rules::GENERAL;
use super::{DomainHit, KeywordHit};
use crate::text::{Folded, Hit, Phrases, Reading, sort_by_key};

/// The domain with the most keywords in the question (a tie or none is
/// [`GENERAL`]), and all matches, the domain with the most first.
pub fn detect(question: &str, profiles: &Profiles) -> (String, Vec<DomainHit>) {
    let mut places = profiles.keywords.first_places(question, profiles);
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

/// The keywords of all domains, made ready where a domain is first detected: a job has a million questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Keywords(OnceLock<[(Reading, Phrases); 2]>);

/// They are made of the domains.
impl PartialEq for Keywords {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Keywords {
    /// The first place of each keyword in a question.
    fn first_places(
        &self,
        question: &str,
        profiles: &Profiles,
    ) -> impl Iterator<Item = Option<Hit>> {
        let readings = self.0.get_or_init(|| {
            [Reading::AnyCase, Reading::Exact].map(|reading| {
                let is_read = |keyword: &str| is_acronym(keyword) == (reading == Reading::Exact);
                let keywords = profiles.domains().iter().flat_map(|own| &own.keywords);
                // a blank entry never matches, and keeps the others in their places
                let entries = keywords.map(|k| if is_read(k) { k.as_str() } else { "" });
                (reading, Phrases::read_as(reading, entries))
            })
        });
        let found = readings
            .each_ref()
            .map(|(reading, phrases)| phrases.first(&Folded::read_as(*reading, question)));
        let [any_case, exact] = found;
        any_case
            .into_iter()
            .zip(exact)
            .map(|(any_case, exact)| any_case.or(exact))
    }
}

/// All capitals and at most four letters (`SEC`, `CI/CD`): the same letters in
/// lower case may be another word.
fn is_acronym(keyword: &str) -> bool {
    let mut letters = keyword.chars().filter(|c| c.is_alphabetic());
    let count = letters.clone().count();
    (1..=4).contains(&count) && letters.all(char::is_uppercase)
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
