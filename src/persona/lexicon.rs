//! Lexicon compliance: preferred entries used, avoided entries used (SCORING.md section 3).

use std::sync::Arc;

use super::result::LexiconHit;
use super::signals::Span;
use crate::text::{Folded, Hit, Phrases, sort_by_key};

/// What one distinct avoided entry costs.
pub const AVOIDED_PENALTY: f64 = 0.1;

/// The persona's words, as it spells them; no entry stands twice in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lexicon {
    /// Entries that the voice uses.
    pub preferred: Vec<String>,
    /// Entries that it does not use.
    pub avoided: Vec<String>,
}

impl Lexicon {
    /// Whether there is nothing to measure.
    pub fn is_empty(&self) -> bool {
        self.preferred.is_empty() && self.avoided.is_empty()
    }
}

/// A lexicon prepared once for many responses.
#[derive(Clone, Debug)]
pub struct LexiconMatcher<'a> {
    lexicon: &'a Lexicon,
    preferred: Phrases,
    avoided: Phrases,
}

/// The lexicon score of a response with its evidence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LexiconScore {
    /// In [0, 1]; none without entries.
    pub score: Option<f64>,
    /// Every place of a preferred entry.
    pub preferred: Arc<[LexiconHit]>,
    /// Every place of an avoided entry.
    pub avoided: Arc<[LexiconHit]>,
}

impl<'a> LexiconMatcher<'a> {
    /// Prepares a lexicon.
    pub fn new(lexicon: &'a Lexicon) -> Self {
        Self {
            lexicon,
            preferred: Phrases::new(lexicon.preferred.iter().map(String::as_str)),
            avoided: Phrases::new(lexicon.avoided.iter().map(String::as_str)),
        }
    }

    /// Where preferred and where avoided entries stand.
    pub fn places(&self, text: &Folded) -> [Vec<Span>; 2] {
        [&self.preferred, &self.avoided].map(|phrases| {
            let hits = phrases.find(text).into_iter();
            hits.map(|hit| [hit.start, hit.end]).collect()
        })
    }

    /// clamp(distinct preferred used / preferred - 0.1 x distinct avoided used, 0, 1);
    /// without preferred entries the first term is 1.
    pub fn score(&self, text: &Folded) -> LexiconScore {
        if self.lexicon.is_empty() {
            return LexiconScore::default();
        }
        let (preferred, avoided) = (self.preferred.find(text), self.avoided.find(text));
        let share = match self.lexicon.preferred.len() {
            0 => 1.0,
            total => distinct(&preferred) / total as f64,
        };
        let score = share - AVOIDED_PENALTY * distinct(&avoided);
        LexiconScore {
            score: Some(score.clamp(0.0, 1.0)),
            preferred: spelled(&preferred, &self.lexicon.preferred),
            avoided: spelled(&avoided, &self.lexicon.avoided),
        }
    }
}

fn distinct(hits: &[Hit]) -> f64 {
    let mut entries: Vec<usize> = hits.iter().map(|hit| hit.entry).collect();
    sort_by_key(&mut entries, |entry| *entry);
    entries.dedup();
    entries.len() as f64
}

fn spelled(hits: &[Hit], entries: &[String]) -> Arc<[LexiconHit]> {
    hits.iter()
        .map(|hit| LexiconHit {
            entry: entries[hit.entry].clone(),
            start: hit.start,
            end: hit.end,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(preferred: &[&str], avoided: &[&str], text: &str) -> LexiconScore {
        let own = |entries: &[&str]| entries.iter().map(ToString::to_string).collect();
        let lexicon = Lexicon {
            preferred: own(preferred),
            avoided: own(avoided),
        };
        LexiconMatcher::new(&lexicon).score(&Folded::new(text))
    }

    #[test]
    fn the_three_preferred_words_of_the_documents_example_all_occur() {
        let result = score(
            &["baseline", "signal", "analysis"],
            &["lol", "hype", "crushing it"],
            "Our baseline analysis shows strong signal",
        );
        assert_eq!(result.score, Some(1.0));
        assert_eq!(result.preferred.len(), 3);
    }

    #[test]
    fn distinct_entries_are_counted_and_the_score_stays_in_range() {
        let half = score(
            &["blend", "roast"],
            &["lol", "hype"],
            "Roast, roast, lol lol LOL",
        );
        assert_eq!(half.score, Some(0.4));
        assert_eq!((half.preferred.len(), half.avoided.len()), (2, 3));
        assert_eq!(score(&["blend"], &["lol"], "lol").score, Some(0.0));
        assert_eq!(score(&[], &["lol"], "fine").score, Some(1.0));
        assert_eq!(score(&[], &["lol"], "lol").score, Some(0.9));
        assert_eq!(score(&[], &[], "lol").score, None);
    }
}
