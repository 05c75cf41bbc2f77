//! Many phrases, looked for at places of a text.
//!
//! Most phrases begin with a word, and few characters of a text begin one: reading on from each of
//! those takes less than one pass over all characters that minds every phrase (Aho and Corasick, 1975),
//! as long as the phrases are short.

use std::ops::Range;

/// Phrases as a tree of their characters.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root, and behind it those nearer to it first, so that the children of a node stand
    /// together, in the order of their bits; one more tells where the children of the last end.
    nodes: Vec<Node>,
    /// By character of ASCII: the child of the root that it leads to; 0 is none.
    first: Vec<u32>,
    /// A bit for each beginning of a phrase, by [`Beginning`]: of one that is shorter for all that it may go on to.
    begins: Vec<u64>,
    /// Whether one is shorter.
    has_short: bool,
}

#[derive(Clone, Debug)]
struct Node {
    /// What leads to it.
    character: char,
    /// A bit for each character that leads on: most texts leave the tree here.
    leads: u32,
    /// The first child. They end where those of the next node begin.
    children: u32,
    /// The number of the phrase that ends here and 1; 0 is none.
    phrase: u32,
}

/// The bit of a character: its number mod 32, another for each small letter.
const fn place_of(character: char) -> u32 {
    character as u32 % 32
}

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
struct Beginning(usize);

impl Beginning {
    /// In characters.
    const LENGTH: usize = 3;
    /// Bits for each.
    const EACH: usize = 5;

    #[inline]
    fn read(&mut self, character: char) {
        let own = usize::from(*NUMBERS.get(character as usize).unwrap_or(&BEYOND));
        self.0 = (self.0 << Self::EACH | own) % (1 << (Self::EACH * Self::LENGTH));
    }

    /// Of the first characters of a text; behind its end stand none.
    #[inline]
    fn of(text: &[char]) -> Self {
        let mut beginning = Self::default();
        for place in 0..Self::LENGTH {
            beginning.read(text.get(place).copied().unwrap_or_default());
        }
        beginning
    }

    /// All beginnings of some phrases.
    fn of_all(phrases: &[(&[char], usize)]) -> Vec<u64> {
        let mut all = vec![0; (1 << (Self::EACH * Self::LENGTH)) / 64];
        for (phrase, _) in phrases {
            let Self(number) = Self::of(phrase);
            // what stands behind a phrase tells nothing
            let open = Self::LENGTH.saturating_sub(phrase.len()) * Self::EACH;
            for rest in 0..1 << open {
                let number = number | rest;
                all[number / 64] |= 1 << (number % 64);
            }
        }
        all
    }

    #[inline]
    fn is_in(self, all: &[u64]) -> bool {
        all[self.0 / 64] >> (self.0 % 64) & 1 == 1
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new([])
    }
}

impl Tree {
    /// From phrases that are not empty, no two the same, with the numbers by which they are told.
    pub fn new<'a>(phrases: impl IntoIterator<Item = (&'a [char], usize)>) -> Self {
        let mut phrases: Vec<(&[char], usize)> = phrases.into_iter().collect();
        // in order, so that those that begin alike stand together
        let key = |character: &char| (place_of(*character), *character);
        super::sort_by(&mut phrases, |(a, _), (b, _)| {
            a.iter().map(key).cmp(b.iter().map(key))
        });
        let mut tree = Self {
            nodes: Vec::new(),
            first: vec![0; 128],
            begins: Beginning::of_all(&phrases),
            has_short: phrases
                .iter()
                .any(|(phrase, _)| phrase.len() < Beginning::LENGTH),
        };
        // by node: what leads to it, the phrases that go through it, and how many characters lead there
        let mut through = vec![('\0', 0..phrases.len(), 0)];
        while let Some((character, range, depth)) = through.get(tree.nodes.len()).cloned() {
            let children = through.len() as u32;
            // one that ends here comes before those that go on
            let own = phrases[range.clone()].first();
            let own = own.filter(|(phrase, _)| phrase.len() == depth);
            let mut start = range.start + usize::from(own.is_some());
            let (mut leads, phrase) = (0, own.map_or(0, |(_, number)| *number as u32 + 1));
            let going_on = &phrases[start..range.end];
            for alike in going_on.chunk_by(|(a, _), (b, _)| a[depth] == b[depth]) {
                let character = alike[0].0[depth];
                leads |= 1 << place_of(character);
                if tree.nodes.is_empty() && character.is_ascii() {
                    tree.first[character as usize] = through.len() as u32;
                }
                through.push((character, start..start + alike.len(), depth + 1));
                start += alike.len();
            }
            tree.nodes.push(Node {
                character,
                leads,
                children,
                phrase,
            });
        }
        tree.nodes.push(Node {
            character: '\0',
            leads: 0,
            children: through.len() as u32,
            phrase: 0,
        });
        tree
    }

    /// Whether it has no phrase.
    pub fn is_empty(&self) -> bool {
        self.nodes[0].leads == 0
    }

    /// Tells of every phrase that begins in a stretch of a text, with its start and its end: by their
    /// starts, and the shortest first.
    pub fn each(
        &self,
        text: &[char],
        stretch: Range<usize>,
        mut found: impl FnMut(usize, usize, usize),
    ) {
        if self.is_empty() {
            return;
        }
        let mut each_at = |at| self.each_at(text, at, |phrase, end| found(phrase, at, end));
        if self.has_short {
            return stretch.for_each(each_at);
        }
        let mut beginning = Beginning::default();
        for (at, character) in text.iter().enumerate().skip(stretch.start) {
            if at + 1 >= stretch.end + Beginning::LENGTH {
                break;
            }
            beginning.read(*character);
            if beginning.is_in(&self.begins) && at + 1 >= stretch.start + Beginning::LENGTH {
                each_at(at + 1 - Beginning::LENGTH);
            }
        }
    }

    /// Whether a phrase may begin at a place of a text: false where none does, for most places.
    #[inline]
    pub fn may_begin_at(&self, text: &[char], at: usize) -> bool {
        Beginning::of(&text[at..]).is_in(&self.begins)
    }

    /// Tells of every phrase that begins at a place of a text, with the place behind it, the shortest
    /// first.
    #[inline]
    pub fn each_at(&self, text: &[char], mut at: usize, mut found: impl FnMut(usize, usize)) {
        let Some(first) = text.get(at) else {
            return;
        };
        let near = self.first.get(*first as usize);
        let mut node = near.map_or_else(|| self.child(0, *first), |child| *child as usize);
        while node != 0 {
            at += 1;
            let phrase = self.nodes[node].phrase;
            if phrase != 0 {
                found(phrase as usize - 1, at);
            }
            node = text.get(at).map_or(0, |next| self.child(node, *next));
        }
    }

    /// The child that a character leads to; 0 is none.
    #[inline]
    fn child(&self, node: usize, character: char) -> usize {
        let Node {
            leads, children, ..
        } = self.nodes[node];
        let bit = 1_u32 << place_of(character);
        if leads & bit == 0 {
            return 0;
        }
        // as many as have bits below stand before it, or more where some share one
        let below = leads & (bit - 1);
        let start = children as usize
            + if below == 0 {
                0
            } else {
                below.count_ones() as usize
            };
        if self.nodes[start].character == character {
            return start;
        }
        let end = self.nodes[node + 1].children as usize;
        let mut rest = self.nodes[start..end].iter();
        let found = rest.position(|one| one.character == character);
        found.map_or(0, |place| start + place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_that_begin_alike_are_all_told() {
        let phrases = ["he", "hers", "her", "é", "éa", "x"].map(|one| one.chars().collect());
        let phrases: Vec<Vec<char>> = phrases.into();
        let tree = Tree::new(phrases.iter().map(Vec::as_slice).zip(10..));
        let text: Vec<char> = "hershéa".chars().collect();
        let found = |at| {
            let mut found = Vec::new();
            tree.each_at(&text, at, |phrase, end| found.push((phrase, end)));
            found
        };
        assert_eq!(found(0), [(10, 2), (12, 3), (11, 4)]);
        assert_eq!(found(4), []);
        assert_eq!(found(5), [(13, 6), (14, 7)]);
        assert_eq!(found(7), []);
        assert!(Tree::default().is_empty() && !tree.is_empty());
        Tree::default().each_at(&text, 5, |_, _| panic!("there is no phrase"));
    }

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
                    prop::collection::btree_set("[a!éi]{3,5}", 0..8),
                ],
                text in "[a!éi]{0,12}",
            ) {
                let phrases: Vec<Vec<char>> =
                    phrases.iter().map(|phrase| phrase.chars().collect()).collect();
                let tree = Tree::new(phrases.iter().map(Vec::as_slice).zip(0..));
                let text: Vec<char> = text.chars().collect();
                let mut all = Vec::new();
                for at in 0..=text.len() {
                    let mut found = Vec::new();
                    tree.each_at(&text, at, |phrase, end| found.push((end, phrase)));
                    prop_assert!(found.is_empty() || tree.may_begin_at(&text, at));
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
