//! Many phrases that may begin anywhere in a text.
//!
//! Few places of a text begin one: to ask each by its first characters and to read on from those that are
//! left takes less than one pass over all characters that minds every phrase (Aho and Corasick, 1975), as
//! long as the phrases are short.

use std::ops::Range;

use super::tree::Tree;

/// Phrases, and what they begin with.
#[derive(Clone, Debug, Default)]
pub struct FreeTree {
    tree: Tree,
    /// By [`Triple`]: a bit for each of the first [`TRIPLES`] places of a phrase where it may stand. Nothing
    /// where there are [`FEW`] phrases.
    stands: Vec<u8>,
}

/// So many phrases and fewer are looked for without a table.
const FEW: usize = if cfg!(test) { 2 } else { 16 };

/// So many triples of a phrase are asked for, one behind the other (as Shift-And does with characters:
/// Baeza-Yates and Gonnet, 1992).
const TRIPLES: usize = 3;

/// By character of ASCII: a number for each small letter, one for digits, and one for all else.
const NUMBERS: [u8; 128] = {
    let (mut all, mut at) = ([0; 128], 0_u8);
    while at < 128 {
        all[at as usize] = match at {
            b'a'..=b'z' => at - b'a' + 1,
            b'0'..=b'9' => 27,
            b'\'' | b'-' => 28,
            _ => 0,
        };
        at += 1;
    }
    all
};
/// That of all others.
const BEYOND: u8 = 29;

/// The last three characters of a text as a number: another for each three small letters.
#[derive(Clone, Copy, Default)]
struct Triple(usize);

impl Triple {
    /// In characters.
    const LENGTH: usize = 3;
    /// Bits for each.
    const EACH: usize = 5;
    /// So many there are.
    const COUNT: usize = 1 << (Self::EACH * Self::LENGTH);

    /// Reads the character of a text at a place; behind its end stands none.
    #[inline]
    fn read(&mut self, text: &[char], at: usize) {
        let character = text.get(at).copied().unwrap_or_default();
        let own = usize::from(*NUMBERS.get(character as usize).unwrap_or(&BEYOND));
        self.0 = (self.0 << Self::EACH | own) % Self::COUNT;
    }
}

/// By triple: a bit for each place of a phrase where it may stand. What is behind a phrase may be anything.
fn all_that_stand(phrases: &[(&[char], usize)]) -> Vec<u8> {
    // where some phrase has ended all may stand
    let shortest = phrases.iter().map(|(phrase, _)| phrase.len()).min();
    let ended = (shortest.unwrap_or_default()..TRIPLES).fold(0, |ended, place| ended | 1 << place);
    let mut stands = vec![ended; Triple::COUNT];
    for (phrase, _) in phrases {
        for place in 0..TRIPLES.min(phrase.len()) {
            let own = &phrase[place..];
            let open = Triple::LENGTH.saturating_sub(own.len()) * Triple::EACH;
            let mut triple = Triple::default();
            (0..Triple::LENGTH).for_each(|at| triple.read(own, at));
            for stands in &mut stands[triple.0..triple.0 + (1 << open)] {
                *stands |= 1 << place;
            }
        }
    }
    stands
}

impl FreeTree {
    /// From phrases that are not empty, no two the same, with the numbers by which they are told.
    pub fn new<'a>(phrases: impl IntoIterator<Item = (&'a [char], usize)>) -> Self {
        let phrases: Vec<(&[char], usize)> = phrases.into_iter().collect();
        let stands = if phrases.len() > FEW {
            all_that_stand(&phrases)
        } else {
            Vec::new()
        };
        Self {
            stands,
            tree: Tree::new(phrases),
        }
    }

    /// Tells of every phrase that begins in a stretch of a text, with its start and its end: by their
    /// starts, and the shortest first.
    pub fn each(
        &self,
        text: &[char],
        stretch: Range<usize>,
        mut found: impl FnMut(usize, usize, usize),
    ) {
        if self.tree.is_empty() {
            return;
        }
        let mut each_at = |at| {
            self.tree
                .each_at(text, at, |phrase, end| found(phrase, at, end));
        };
        let Ok(stands) = <&[u8; Triple::COUNT]>::try_from(&*self.stands) else {
            return stretch.for_each(each_at);
        };
        let mut triple = Triple::default();
        (0..Triple::LENGTH - 1).for_each(|at| triple.read(text, stretch.start + at));
        // a bit for each of the last places where a phrase may begin: the longest known is the highest
        let (behind, mut open) = (Triple::LENGTH - 1, 0_u8);
        for start in stretch.start..stretch.end + TRIPLES - 1 {
            triple.read(text, start + behind);
            open = (open << 1 | u8::from(start < stretch.end)) & stands[triple.0];
            if open >> (TRIPLES - 1) & 1 == 1 {
                each_at(start + 1 - TRIPLES);
            }
        }
    }

    /// Tells of every phrase that begins at a place of a text, with the place behind it, the shortest
    /// first.
    #[inline]
    pub fn each_at(&self, text: &[char], at: usize, found: impl FnMut(usize, usize)) {
        if self.may_begin_at(text, at) {
            self.tree.each_at(text, at, found);
        }
    }

    /// Whether a phrase may begin at a place of a text: false where none does, for most places.
    #[inline]
    fn may_begin_at(&self, text: &[char], at: usize) -> bool {
        let Ok(stands) = <&[u8; Triple::COUNT]>::try_from(&*self.stands) else {
            return true;
        };
        let mut triple = Triple::default();
        (0..Triple::LENGTH - 1).for_each(|place| triple.read(text, at + place));
        let may = (0..TRIPLES).fold(u8::MAX, |may, place| {
            triple.read(text, at + Triple::LENGTH - 1 + place);
            may & stands[triple.0] >> place
        });
        may & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    #[cfg(not(target_arch = "wasm32"))]
    mod as_the_rule_says {
        use super::super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn phrases_are_found(
                // `a` and `!` have the same bit, and so have `é` and `i`
                phrases in prop_oneof![
                    prop::collection::btree_set("[a!éi]{1,4}", 0..8),
                    prop::collection::btree_set("[a!éi]{3,7}", 0..8),
                ],
                text in "[a!éi]{0,12}",
            ) {
                let phrases: Vec<Vec<char>> =
                    phrases.iter().map(|phrase| phrase.chars().collect()).collect();
                let tree = FreeTree::new(phrases.iter().map(Vec::as_slice).zip(0..));
                let text: Vec<char> = text.chars().collect();
                let mut all = Vec::new();
                for at in 0..=text.len() {
                    let mut found = Vec::new();
                    tree.each_at(&text, at, |phrase, end| found.push((end, phrase)));
                    let standing = (0..phrases.len()).filter(|one| text[at..].starts_with(&phrases[*one]));
                    let mut expected: Vec<_> =
                        standing.map(|one| (at + phrases[one].len(), one)).collect();
                    expected.sort_unstable();
                    prop_assert_eq!(&found, &expected);
                    all.extend(found.into_iter().map(|(end, phrase)| (phrase, at, end)));
                }
                for from in 0..=text.len() {
                    for to in from..=text.len() {
                        let mut found = Vec::new();
                        tree.each(&text, from..to, |phrase, at, end| found.push((phrase, at, end)));
                        let expected = all.iter().copied().filter(|(_, at, _)| (from..to).contains(at));
                        prop_assert_eq!(found, expected.collect::<Vec<_>>());
                    }
                }
            }
        }
    }
}
