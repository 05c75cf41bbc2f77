//! Many phrases, looked for at a place of a text.

use std::collections::VecDeque;

/// Phrases as a tree of their characters.
///
/// Its nodes lie in one another's gaps, so that the child that a character leads to is found without looking
/// for it (Aoe, 1989).
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root, and the others where their parents have them; those nearer to the root stand further up.
    nodes: Vec<Node>,
    /// By character of ASCII: the child of the root that it leads to; 0 is none.
    first: Vec<u32>,
    /// The children whose places others have, by parent and character.
    displaced: Vec<(u32, char, u32)>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// What leads to it.
    character: char,
    /// A bit for each place of a child: most texts leave the tree here.
    leads: u32,
    /// Where the place of children begins.
    children: u32,
    /// The number of the phrase that ends here and 1; 0 is none.
    phrase: u32,
}

/// By character of ASCII: its place among children. Small letters have one each, and so has what stands
/// between words.
const PLACES: [u8; 128] = {
    let (mut all, mut at) = ([0; 128], 0_u8);
    while at < 128 {
        all[at as usize] = match at {
            b'a'..=b'z' => at - b'a',
            b' ' => 26,
            b'\'' => 27,
            b'-' => 28,
            b'0'..=b'9' => 29,
            _ => 30,
        };
        at += 1;
    }
    all
};
/// That of all others.
const BEYOND: u8 = 31;

#[inline]
fn place_of(character: char) -> usize {
    usize::from(*PLACES.get(character as usize).unwrap_or(&BEYOND))
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
        super::sort_by(&mut phrases, |(a, _), (b, _)| a.cmp(b));
        let mut tree = Self {
            nodes: vec![Node::default()],
            first: vec![0; 128],
            displaced: Vec::new(),
        };
        // nodes with the phrases that go through them, and how many characters lead there
        let mut open = VecDeque::from([(0, 0..phrases.len(), 0)]);
        let mut gaps = Gaps::default();
        while let Some((node, range, depth)) = open.pop_front() {
            // one that ends here comes before those that go on
            let own = phrases[range.clone()].first();
            let own = own.filter(|(phrase, _)| phrase.len() == depth);
            let mut start = range.start + usize::from(own.is_some());
            tree.nodes[node].phrase = own.map_or(0, |(_, number)| *number as u32 + 1);
            let going_on =
                phrases[start..range.end].chunk_by(|(a, _), (b, _)| a[depth] == b[depth]);
            let alike: Vec<(char, usize)> = going_on
                .map(|alike| (alike[0].0[depth], alike.len()))
                .collect();
            for (child, (_, count)) in tree
                .add_children(node, &alike, &mut gaps)
                .iter()
                .zip(&alike)
            {
                open.push_back((*child, start..start + count, depth + 1));
                start += count;
            }
        }
        tree.displaced.sort_unstable();
        for character in 0..128_u8 {
            tree.first[usize::from(character)] = tree.child(0, char::from(character)) as u32;
        }
        tree
    }

    /// Adds the children that characters lead to; where they are.
    fn add_children(
        &mut self,
        node: usize,
        characters: &[(char, usize)],
        gaps: &mut Gaps,
    ) -> Vec<usize> {
        // of those that share a place the first has it
        let mut leads = 0_u32;
        let has_place = characters.iter().map(|(character, _)| {
            let before = leads;
            leads |= 1 << place_of(*character);
            leads != before
        });
        let has_place: Vec<bool> = has_place.collect();
        let base = gaps.room_for(leads);
        gaps.take(base, leads);
        (self.nodes[node].leads, self.nodes[node].children) = (leads, base as u32);
        let add = |((character, _), has_place): (&(char, usize), bool)| {
            let child = if has_place {
                base + place_of(*character)
            } else {
                let child = gaps.room_for(1);
                gaps.take(child, 1);
                self.displaced.push((node as u32, *character, child as u32));
                child
            };
            if self.nodes.len() <= child {
                self.nodes.resize(child + 1, Node::default());
            }
            self.nodes[child].character = *character;
            child
        };
        characters.iter().zip(has_place).map(add).collect()
    }

    /// Tells of every phrase that begins at a place of a text, with the place behind it, the shortest
    /// first.
    #[inline]
    pub fn each_at(&self, text: &[char], at: usize, found: impl FnMut(usize, usize)) {
        let Some(first) = text.get(at) else {
            return;
        };
        let near = self.first.get(*first as usize);
        let node = near.map_or_else(|| self.child(0, *first) as u32, |child| *child);
        self.each_from(node, text, at + 1, found);
    }

    /// Where the beginning of a phrase leads.
    pub fn node_of(&self, beginning: &[char]) -> u32 {
        let characters = beginning.iter();
        characters.fold(0, |node, next| self.child(node, *next)) as u32
    }

    /// The same as [`each_at`](Self::each_at), of phrases whose beginning leads to a node and ends at a place.
    #[inline]
    pub fn each_from(
        &self,
        node: u32,
        text: &[char],
        mut at: usize,
        mut found: impl FnMut(usize, usize),
    ) {
        let mut node = node as usize;
        while node != 0 {
            let phrase = self.nodes[node].phrase;
            if phrase != 0 {
                found(phrase as usize - 1, at);
            }
            node = text.get(at).map_or(0, |next| self.child(node, *next));
            at += 1;
        }
    }

    /// The child that a character leads to; 0 is none.
    #[inline]
    fn child(&self, node: usize, character: char) -> usize {
        let Node {
            leads, children, ..
        } = self.nodes[node];
        let place = place_of(character);
        if leads >> place & 1 == 0 {
            return 0;
        }
        let child = children as usize + place;
        if self.nodes[child].character == character {
            return child;
        }
        let key = (node as u32, character);
        let found = self
            .displaced
            .binary_search_by_key(&key, |(node, character, _)| (*node, *character));
        found.map_or(0, |at| self.displaced[at].2 as usize)
    }
}

/// Which places nodes have.
struct Gaps {
    /// A bit for each that is taken.
    taken: Vec<u64>,
    /// None before it is free.
    free: usize,
}

impl Default for Gaps {
    /// The root has the first.
    fn default() -> Self {
        Self {
            taken: vec![1],
            free: 1,
        }
    }
}

impl Gaps {
    /// From which place on those of these bits are free.
    fn room_for(&mut self, bits: u32) -> usize {
        while self.window(self.free) & 1 == 1 {
            self.free += 1;
        }
        let first = bits.trailing_zeros() as usize;
        let mut bases = self.free.saturating_sub(first)..;
        // behind the last that is taken all are free
        let room = bases.find(|base| self.window(*base) & bits == 0);
        room.unwrap_or_default()
    }

    /// Which of the places from one on are taken.
    fn window(&self, from: usize) -> u32 {
        let part = |number: usize| self.taken.get(number).copied().unwrap_or_default();
        let (at, bit) = (from / 64, from % 64);
        let both = u128::from(part(at)) | u128::from(part(at + 1)) << 64;
        (both >> bit) as u32
    }

    fn take(&mut self, base: usize, bits: u32) {
        let end = base / 64 + 2;
        if self.taken.len() < end {
            self.taken.resize(end, 0);
        }
        let bits = u128::from(bits) << (base % 64);
        self.taken[base / 64] |= bits as u64;
        self.taken[base / 64 + 1] |= (bits >> 64) as u64;
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
        Tree::default().each_at(&text, 5, |_, _| panic!("there is no phrase"));
    }
}
