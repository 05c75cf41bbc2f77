//! A text by its letters: every run of one to four characters, hashed. They hold endings, spelling,
//! punctuation and pet words of any script without a dictionary.

use std::collections::BTreeMap;

use crate::persona::signals::Span;

/// The longest run.
pub const LONGEST: usize = 4;
/// How many buckets there are.
pub const BUCKETS: usize = 1 << 15;

/// The runs of a text: every white space counts as one space, and one stands at either end.
#[derive(Clone, Debug)]
pub struct Grams {
    /// The characters with the place of each in the text; none of what was put at the ends.
    characters: Vec<(char, Option<usize>)>,
}

impl Grams {
    /// Takes a text apart.
    pub fn new(text: &str) -> Self {
        let mut characters = vec![(' ', None)];
        for (at, character) in text.trim().chars().enumerate() {
            if !character.is_whitespace() {
                characters.push((character, Some(at)));
            } else if characters.last().is_some_and(|(last, _)| *last != ' ') {
                characters.push((' ', Some(at)));
            }
        }
        characters.push((' ', None));
        let skipped = text.chars().take_while(|c| c.is_whitespace()).count();
        for place in characters
            .iter_mut()
            .filter_map(|(_, place)| place.as_mut())
        {
            *place += skipped;
        }
        Self { characters }
    }

    /// Each run's bucket and where it stands in the text.
    pub fn each(&self) -> impl Iterator<Item = (u32, Span)> + '_ {
        (1..=LONGEST).flat_map(move |length| {
            self.characters.windows(length).map(|run| {
                let places = || run.iter().filter_map(|(_, place)| *place);
                let first = places().next().unwrap_or_default();
                let end = places().next_back().map_or(first, |last| last + 1);
                (bucket(run), [first, end])
            })
        })
    }

    /// How often each bucket is met, by bucket.
    pub fn counts(&self) -> BTreeMap<u32, u32> {
        let mut counts = BTreeMap::new();
        for (bucket, _) in self.each() {
            *counts.entry(bucket).or_insert(0) += 1;
        }
        counts
    }
}

/// FNV-1a over the scalar values of a run.
fn bucket(run: &[(char, Option<usize>)]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for (character, _) in run {
        for byte in u32::from(*character).to_le_bytes() {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    // the high bits of FNV are the better mixed ones
    (hash >> 17) ^ (hash & (BUCKETS as u32 - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_know_their_places() {
        let grams = Grams::new(" hé\n\n  o");
        // " hé o " is six characters: 6 + 5 + 4 + 3 runs
        assert_eq!(grams.each().count(), 18);
        let spans: Vec<Span> = grams.each().map(|(_, span)| span).collect();
        assert_eq!(spans[1..5], [[1, 2], [2, 3], [3, 4], [7, 8]]);
        assert!(grams.each().all(|(bucket, _)| (bucket as usize) < BUCKETS));
        let counts: u32 = grams.counts().values().sum();
        assert_eq!(counts, 18);
    }

    #[test]
    fn white_space_is_one_space() {
        let buckets = |text| Grams::new(text).counts();
        assert_eq!(buckets("a b"), buckets("  a \n b\t"));
        assert_ne!(buckets("a b"), buckets("A b"));
    }
}
