//! Phrases that begin with words, looked for where words begin: their first words are found at once by
//! all their letters, and only what stands behind those is read character by character.

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
}

/// A first word.
#[derive(Clone, Copy, Debug)]
struct First {
    letters: u64,
    length: u32,
    /// Where in the tree it leads.
    node: u32,
}

/// No word.
const NONE: First = First {
    letters: 0,
    length: u32::MAX,
    node: 0,
};

impl Default for WordTree {
    fn default() -> Self {
        Self::new([])
    }
}

impl WordTree {
    /// From phrases that are not empty, no two the same, with the numbers by which they are told. Each
    /// begins with a letter, a digit or `_` of ASCII, or with a character beyond it.
    pub fn new<'a>(phrases: impl IntoIterator<Item = (&'a [char], usize)>) -> Self {
        let phrases: Vec<(&[char], usize)> = phrases.into_iter().collect();
        let mut own = Self {
            tree: Tree::new(phrases.iter().copied()),
            // one of sixteen is set
            some: vec![0; phrases.len().div_ceil(4).next_power_of_two()],
            first: vec![NONE; (phrases.len() * 2 + 1).next_power_of_two()],
        };
        for (phrase, _) in phrases {
            let WordStart {
                letters, length, ..
            } = WordStart::of(phrase);
            let [at, bit] = own.bit(letters);
            own.some[at] |= 1 << bit;
            let place = own.place(letters, length);
            own.first[place] = First {
                letters,
                length,
                node: own.tree.node_of(&phrase[..length as usize]),
            };
        }
        own
    }

    /// Tells of every phrase that begins at a word, with the place behind it, the shortest first. One that
    /// ends within the word may be passed over.
    #[inline]
    pub fn each_at(&self, text: &[char], start: &WordStart, found: impl FnMut(usize, usize)) {
        let [at, bit] = self.bit(start.letters);
        if self.some[at] >> bit & 1 == 0 {
            return;
        }
        let first = &self.first[self.place(start.letters, start.length)];
        if first.length != start.length {
            return;
        }
        let at = start.at as usize;
        if (1..=WordStart::EXACT).contains(&start.length) {
            let end = at + start.length as usize;
            self.tree.each_from(first.node, text, end, found);
        } else {
            self.tree.each_at(text, at, found);
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

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::super::word_starts::{is_of_word, word_starts};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn phrases_are_found_where_no_word_goes_on(
            phrases in prop::collection::btree_set("[abé][abé' ]{0,3}|[ab]{9,12}", 0..8),
            text in "[ab' é]{0,16}|[ab]{9,12}",
        ) {
            let phrases: Vec<Vec<char>> =
                phrases.iter().map(|phrase| phrase.chars().collect()).collect();
            let tree = WordTree::new(phrases.iter().map(Vec::as_slice).zip(0..));
            let text: Vec<char> = text.chars().collect();
            for start in &word_starts(&text)[1..] {
                let at = start.at as usize;
                let mut found = Vec::new();
                tree.each_at(&text, start, |phrase, end| found.push((end, phrase)));
                let is_cut = |end: usize| {
                    let is_word = |at: usize| text.get(at).is_some_and(|c| is_of_word(*c) == Some(true));
                    is_word(end - 1) && is_word(end)
                };
                found.retain(|(end, _)| !is_cut(*end));
                let standing = phrases.iter().zip(0..).filter(|(phrase, _)| text[at..].starts_with(phrase));
                let standing = standing.map(|(phrase, number)| (at + phrase.len(), number));
                let mut expected: Vec<(usize, usize)> = standing.filter(|(end, _)| !is_cut(*end)).collect();
                expected.sort_unstable();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
