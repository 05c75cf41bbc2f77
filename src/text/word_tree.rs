//! Phrases that begin with words, looked for where words begin. A word that one of them begins with is found at
//! once by all its letters, as long as it has no more than [`WordStart::EXACT`] of ASCII, and only what stands behind
//! it is read character by character. Within other words are looked for those that may end there.

use std::ops::Range;

use super::free_tree::FreeTree;
use super::tree::Tree;
use super::word_starts::WordStart;

/// Phrases by their first words.
#[derive(Clone, Debug)]
pub struct WordTree {
    tree: Tree,
    /// A bit for each first word, and a few others: most words of a text begin no phrase. A power of
    /// two of them, so never none.
    some: Vec<u64>,
    /// First words where their letters lead, or behind that; a power of two, more than there are.
    first: Vec<First>,
    /// The phrases that may end within a word.
    stems: FreeTree,
    /// Those that end within first words, with their lengths.
    inside: Vec<(u32, u32)>,
}

/// A first word.
#[derive(Clone, Debug)]
struct First {
    letters: u64,
    length: u32,
    /// Where in the tree it leads.
    node: u32,
    /// Which phrases end within it.
    inside: Range<u32>,
}

/// No word.
const NONE: First = First {
    letters: 0,
    length: u32::MAX,
    node: 0,
    inside: 0..0,
};

impl Default for WordTree {
    fn default() -> Self {
        Self::new(Vec::new(), Vec::new())
    }
}

impl WordTree {
    /// From phrases that are not empty, no two the same, with the numbers by which they are told: those that
    /// end where a word does, if they end with a word, and those that may end within one. Each
    /// begins with a letter, a digit or `_` of ASCII, or with a character beyond it.
    pub fn new(whole: Vec<(&[char], usize)>, stems: Vec<(&[char], usize)>) -> Self {
        let mut phrases = whole;
        phrases.extend_from_slice(&stems);
        let mut own = Self {
            tree: Tree::new(phrases.iter().copied()),
            // one of sixteen is set
            some: vec![0; phrases.len().div_ceil(4).next_power_of_two()],
            first: vec![NONE; (phrases.len() * 2 + 1).next_power_of_two()],
            stems: FreeTree::new(stems),
            inside: Vec::new(),
        };
        for (phrase, _) in phrases {
            own.add(phrase);
        }
        own
    }

    /// Adds the first word of a phrase.
    fn add(&mut self, phrase: &[char]) {
        let WordStart {
            letters, length, ..
        } = WordStart::of(phrase);
        let place = self.place(letters, length);
        if self.first[place].length == length {
            return;
        }
        let [at, bit] = self.bit(letters);
        self.some[at] |= 1 << bit;
        let word = &phrase[..length as usize];
        let start = self.inside.len() as u32;
        let inside = &mut self.inside;
        self.stems.each_at(word, 0, |stem, end| {
            if end < word.len() {
                inside.push((stem as u32, end as u32));
            }
        });
        self.first[place] = First {
            letters,
            length,
            node: self.tree.node_of(word),
            inside: start..self.inside.len() as u32,
        };
    }

    /// Tells of every phrase that begins at a word, with the place behind it, the shortest first. One that
    /// may not end within a word may be told there all the same.
    #[inline]
    pub fn each_at(&self, text: &[char], start: &WordStart, mut found: impl FnMut(usize, usize)) {
        let at = start.at as usize;
        let [place, bit] = self.bit(start.letters);
        let may_be_first = self.some[place] >> bit & 1 == 1;
        let first = may_be_first
            .then(|| &self.first[self.place(start.letters, start.length)])
            .filter(|first| first.length == start.length);
        match first {
            None => self.stems.each_at(text, at, found),
            Some(first) if (1..=WordStart::EXACT).contains(&start.length) => {
                let inside = first.inside.start as usize..first.inside.end as usize;
                for (stem, length) in &self.inside[inside] {
                    found(*stem as usize, at + *length as usize);
                }
                let end = at + start.length as usize;
                self.tree.each_from(first.node, text, end, found);
            }
            Some(_) => self.tree.each_at(text, at, found),
        }
    }

    /// Where a first word stands, or nothing does.
    #[inline]
    fn place(&self, letters: u64, length: u32) -> usize {
        let mut place = mixed(letters);
        loop {
            place &= self.first.len() - 1;
            let first = &self.first[place];
            let is_it = first.letters == letters && first.length == length;
            // fewer stand there than there are places
            if is_it || first.length == NONE.length {
                return place;
            }
            place += 1;
        }
    }

    #[inline]
    fn bit(&self, letters: u64) -> [usize; 2] {
        let number = mixed(letters);
        [(number / 64) & (self.some.len() - 1), number % 64]
    }
}

/// Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
#[inline]
fn mixed(letters: u64) -> usize {
    (letters.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

#[cfg(test)]
mod tests {
    #[cfg(not(target_arch = "wasm32"))]
    mod as_the_rule_says {
        use super::super::super::word_starts::{is_of_word, word_starts};
        use super::super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn phrases_are_found(
                phrases in prop::collection::btree_map("[abé][abé' ]{0,3}|[ab]{9,12}", any::<bool>(), 0..8),
                text in "[ab' é]{0,16}|[ab]{9,14}",
            ) {
                let phrases: Vec<(Vec<char>, bool)> =
                    phrases.into_iter().map(|(phrase, is_stem)| (phrase.chars().collect(), is_stem)).collect();
                let those = |stems: bool| {
                    let all = phrases.iter().zip(0..).filter(|((_, is_stem), _)| *is_stem == stems);
                    all.map(|((phrase, _), number)| (phrase.as_slice(), number)).collect()
                };
                let tree = WordTree::new(those(false), those(true));
                let text: Vec<char> = text.chars().collect();
                for start in &word_starts(&text)[1..] {
                    let at = start.at as usize;
                    let mut found = Vec::new();
                    tree.each_at(&text, start, |phrase, end| found.push((end, phrase)));
                    let is_cut = |end: usize| {
                        let is_word = |at: usize| text.get(at).is_some_and(|c| is_of_word(*c) == Some(true));
                        is_word(end - 1) && is_word(end)
                    };
                    let counts = |(end, number): &(usize, usize)| phrases[*number].1 || !is_cut(*end);
                    found.retain(counts);
                    let standing = phrases.iter().zip(0..).filter(|((phrase, _), _)| text[at..].starts_with(phrase));
                    let standing = standing.map(|((phrase, _), number)| (at + phrase.len(), number));
                    let mut expected: Vec<(usize, usize)> = standing.filter(counts).collect();
                    expected.sort_unstable();
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }
}
