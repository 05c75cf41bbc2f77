//! Many phrases, looked for at a place of a text.

/// Phrases as a tree of their characters.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root, and behind it those nearer to it first, so that the children of a node stand
    /// together, in the order of their bits; one more tells where the children of the last end.
    nodes: Vec<Node>,
    /// By character of ASCII: the child of the root that it leads to; 0 is none.
    first: Vec<u32>,
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
    #[allow(
        clippy::inline_always,
        reason = "asked for most characters of a text: a call takes as long as what is done in it"
    )]
    #[inline(always)]
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
}
