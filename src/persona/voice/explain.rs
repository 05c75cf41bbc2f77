//! What pulled a reply's voice up and down: every share, and where it stands in the text.

use super::families::{Family, Text};
use super::fit::{Voice, VoiceScore};
use super::ngrams::Grams;
use super::surface::measure;
use crate::analysis::sum;
use crate::persona::lexicon::LexiconMatcher;
use crate::persona::signals::Span;
use crate::text::{is_word, sort_by};

/// A share of the log-odds, and what it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Pull {
    /// The signal, or the words as they stand in the text.
    pub what: String,
    /// Whether the text has it at all: what is not there may speak as loudly.
    pub is_there: bool,
    /// What it adds; below 0 it speaks against the persona.
    pub share: f64,
    /// Where it stands, in Unicode scalar values; nowhere for what the whole text has.
    pub spans: Vec<Span>,
}

/// A score taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The score. Its base and its parts together are its log-odds.
    pub score: VoiceScore,
    /// The signals, the largest share first; together the part of [`Family::Surface`].
    pub signals: Vec<Pull>,
    /// The text word by word, in its order; together the part of [`Family::Ngrams`].
    pub words: Vec<Pull>,
}

impl Voice {
    /// Takes the score of a reply apart.
    pub(in crate::persona) fn explain(
        &self,
        text: &str,
        vector: Vec<f64>,
        lexicon: &LexiconMatcher,
    ) -> Explanation {
        let apart = Text::new(text, vector, lexicon);
        Explanation {
            score: self.score(&apart),
            signals: self.signals(text, &apart, lexicon),
            words: self.words(text, &apart),
        }
    }

    fn signals(&self, text: &str, apart: &Text, lexicon: &LexiconMatcher) -> Vec<Pull> {
        let shares = self.shares(Family::Surface, apart).into_iter();
        let mut pulls: Vec<Pull> = measure(text, lexicon)
            .into_iter()
            .zip(shares)
            .map(|(signal, (_, share))| Pull {
                what: signal.name.to_owned(),
                is_there: signal.value != 0.0,
                share,
                spans: signal.spans,
            })
            .collect();
        sort_by(&mut pulls, |a, b| b.share.abs().total_cmp(&a.share.abs()));
        pulls
    }

    /// Each run's share is split evenly among its characters, and theirs are summed up by word:
    /// a word is what stands from its beginning to that of the next.
    fn words(&self, text: &str, apart: &Text) -> Vec<Pull> {
        let characters: Vec<char> = text.chars().collect();
        let grams = Grams::new(text);
        let counts = grams.counts();
        let shares = self.shares(Family::Ngrams, apart);
        let mut by_character = vec![0.0; characters.len().max(1)];
        for (bucket, [start, end]) in grams.each() {
            let Ok(at) = shares.binary_search_by_key(&bucket, |(column, _)| *column) else {
                continue;
            };
            let (times, places) = (f64::from(counts[&bucket]), start..end.max(start + 1));
            let share = shares[at].1 / times / places.len() as f64;
            for one in by_character.iter_mut().skip(start).take(places.len()) {
                *one += share;
            }
        }
        let begins =
            |at: &usize| is_word(characters[*at]) && (*at == 0 || !is_word(characters[at - 1]));
        let mut starts: Vec<usize> = (0..characters.len()).filter(begins).collect();
        if let Some(first) = starts.first_mut() {
            *first = 0;
        } else {
            starts.push(0);
        }
        let ends = starts.iter().skip(1).copied().chain([by_character.len()]);
        let words = starts.iter().copied().zip(ends);
        words
            .map(|(start, end)| {
                let end_of_text = end.min(characters.len());
                let word: String = characters[start.min(end_of_text)..end_of_text]
                    .iter()
                    .collect();
                let trimmed = word.trim_end().chars().count();
                Pull {
                    what: word.trim().to_owned(),
                    is_there: true,
                    share: sum(&by_character[start..end]),
                    // a text without letters has a share and no place
                    spans: Vec::from_iter((trimmed > 0).then_some([start, start + trimmed])),
                }
            })
            .collect()
    }
}
