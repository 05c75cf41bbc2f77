//! Which domain a question belongs to, from the words in it.

use std::collections::HashMap;

use super::profile::Profiles;
use super::rules::GENERAL;
use super::{DomainHit, KeywordHit};
use crate::analysis::sort_by_key;

/// The domain with the most keywords in the question (a tie or none is
/// [`GENERAL`]), and all matches, the domain with the most first.
pub fn detect(question: &str, profiles: &Profiles) -> (String, Vec<DomainHit>) {
    let text = Text::new(question);
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
    sort_by_key(&mut hits, |domain| std::cmp::Reverse(domain.hits.len()));
    let best = match hits.as_slice() {
        [] => GENERAL,
        [first, second, ..] if first.hits.len() == second.hits.len() => GENERAL,
        [first, ..] => &first.domain,
    };
    (best.to_owned(), hits)
}

fn keyword_hits(keywords: &[String], text: &Text) -> Vec<KeywordHit> {
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

/// A question, made ready to be asked for many keywords.
struct Text {
    chars: Vec<char>,
    lowered: Vec<char>,
    /// Where words (and signs between them) start, by their first character.
    starts: HashMap<char, Vec<usize>>,
}

impl Text {
    fn new(question: &str) -> Self {
        let chars: Vec<char> = question.chars().collect();
        let lowered: Vec<char> = chars.iter().copied().map(lower).collect();
        let mut starts: HashMap<char, Vec<usize>> = HashMap::new();
        for (index, first) in lowered.iter().enumerate() {
            if index == 0 || !joined(chars[index - 1], chars[index]) {
                starts.entry(*first).or_default().push(index);
            }
        }
        Self {
            chars,
            lowered,
            starts,
        }
    }
}

/// The first place of a keyword as whole words; white space in it stands for any.
fn find(keyword: &str, text: &Text) -> Option<(usize, usize)> {
    let exact = is_acronym(keyword);
    let pattern: Vec<char> = if exact {
        keyword.chars().collect()
    } else {
        keyword.chars().map(lower).collect()
    };
    let within = if exact { &text.chars } else { &text.lowered };
    let starts = text.starts.get(&lower(*pattern.first()?))?;
    starts.iter().find_map(|&start| {
        let end = start + match_length(&pattern, &within[start..])?;
        let goes_on = end < within.len() && joined(text.chars[end - 1], text.chars[end]);
        (!goes_on).then_some((start, end))
    })
}

fn match_length(pattern: &[char], text: &[char]) -> Option<usize> {
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
            if *text.get(at)? != pattern[next] {
                return None;
            }
            at += 1;
            next += 1;
        }
    }
    Some(at)
}

/// Lower case, one character for one, so that places stay those of the question.
fn lower(character: char) -> char {
    let mut lowered = character.to_lowercase();
    match (lowered.next(), lowered.next()) {
        (Some(single), None) => single,
        _ => character,
    }
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
