//! Which domain a question belongs to, from the words in it.

use super::profile::Profiles;
use super::{DomainHit, KeywordHit};

/// The domain of a question that no keyword, or several domains equally, speak for.
pub const GENERAL: &str = "general";

/// The domain with the most keywords in the question (a tie or none is
/// [`GENERAL`]), and all matches, the domain with the most first.
pub fn detect(question: &str, profiles: &Profiles) -> (String, Vec<DomainHit>) {
    let text: Vec<char> = question.chars().collect();
    let mut hits: Vec<DomainHit> = profiles
        .domains
        .iter()
        .map(|domain| DomainHit {
            domain: domain.name.clone(),
            hits: keyword_hits(&domain.keywords, &text),
        })
        .filter(|domain| !domain.hits.is_empty())
        .collect();
    // stable: equal counts keep the order of the profile
    hits.sort_by_key(|domain| std::cmp::Reverse(domain.hits.len()));
    let best = match hits.as_slice() {
        [] => GENERAL,
        [first, second, ..] if first.hits.len() == second.hits.len() => GENERAL,
        [first, ..] => &first.domain,
    };
    (best.to_owned(), hits)
}

fn keyword_hits(keywords: &[String], text: &[char]) -> Vec<KeywordHit> {
    keywords
        .iter()
        .enumerate()
        .filter(|(index, keyword)| !keywords[..*index].contains(keyword))
        .filter_map(|(_, keyword)| {
            let (start, end) = find(keyword, text)?;
            Some(KeywordHit {
                keyword: keyword.clone(),
                start,
                end,
            })
        })
        .collect()
}

/// The first place of a keyword as whole words; white space in it stands for any.
fn find(keyword: &str, text: &[char]) -> Option<(usize, usize)> {
    let pattern: Vec<char> = keyword.chars().collect();
    let exact = is_acronym(keyword);
    (0..text.len()).find_map(|start| {
        let end = start + match_length(&pattern, &text[start..], exact)?;
        let goes_on_left = start > 0 && joined(text[start - 1], text[start]);
        let goes_on_right = end < text.len() && joined(text[end - 1], text[end]);
        (!goes_on_left && !goes_on_right).then_some((start, end))
    })
}

fn match_length(pattern: &[char], text: &[char], exact: bool) -> Option<usize> {
    let (mut at, mut next) = (0, 0);
    while next < pattern.len() {
        if pattern[next].is_whitespace() {
            let run = |chars: &[char]| chars.iter().take_while(|c| c.is_whitespace()).count();
            let gap = run(&text[at..]);
            if gap == 0 {
                return None;
            }
            at += gap;
            next += run(&pattern[next..]);
        } else {
            let (given, wanted) = (*text.get(at)?, pattern[next]);
            let same = given == wanted || !exact && given.to_lowercase().eq(wanted.to_lowercase());
            if !same {
                return None;
            }
            at += 1;
            next += 1;
        }
    }
    Some(at)
}

/// All capitals and at most four letters (`SEC`, `CI/CD`): the same letters in
/// lower case may be another word.
fn is_acronym(keyword: &str) -> bool {
    let mut letters = keyword.chars().filter(|c| c.is_alphabetic());
    let count = letters.clone().count();
    (1..=4).contains(&count) && letters.all(char::is_uppercase)
}

/// Whether two neighbours belong to one word.
fn joined(left: char, right: char) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    in_word(left) && in_word(right)
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
