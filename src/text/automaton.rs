//! Many phrases in one pass over a text (Aho and Corasick, 1975).
//!
//! The crate of that name serves bytes, prefilters and dense tables; it would be 19 kB of
//! the page's first verdict for what stands here.

/// Phrases as a tree of their characters; where a text leaves it, it goes on at the
/// longest end of what was read that is a beginning of another phrase.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    nodes: Vec<Node>,
    /// Where the first node goes with a character of ASCII: most of a text is read there.
    first: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// By character, in order.
    next: Vec<(char, u32)>,
    /// Where to go on when no character fits.
    otherwise: u32,
    /// The phrase that ends here.
    phrase: Option<u32>,
    /// The first node from here on [otherwise](Self::otherwise) at which one ends; 0 is none.
    ends: u32,
}

impl Automaton {
    /// From phrases that are not empty, no two the same.
    pub fn new(phrases: &[Vec<char>]) -> Self {
        let mut order: Vec<usize> = (0..phrases.len()).collect();
        // in order, so that the nodes' lists are in order without sorting them
        super::sort_by(&mut order, |a, b| phrases[*a].cmp(&phrases[*b]));
        let mut nodes = vec![Node::default()];
        for phrase in order {
            let mut at = 0;
            for character in &phrases[phrase] {
                at = match nodes[at].next.last() {
                    Some((last, next)) if last == character => *next as usize,
                    _ => {
                        let new = nodes.len();
                        nodes[at].next.push((*character, new as u32));
                        nodes.push(Node::default());
                        new
                    }
                };
            }
            nodes[at].phrase = Some(phrase as u32);
        }
        let first = Vec::new();
        let mut automaton = Self { nodes, first };
        let ascii = (0..=127_u8).map(|byte| automaton.step(0, char::from(byte)));
        automaton.first = ascii.collect();
        automaton.connect();
        automaton
    }

    /// Says of every node where to go on; those near the root come first.
    fn connect(&mut self) {
        let mut open = vec![0];
        let mut at = 0;
        while at < open.len() {
            let node: u32 = open[at];
            at += 1;
            for (character, next) in self.nodes[node as usize].next.clone() {
                let otherwise = match node {
                    0 => 0,
                    _ => self.step(self.nodes[node as usize].otherwise, character),
                };
                let ends = match self.nodes[next as usize].phrase {
                    Some(_) => next,
                    None => self.nodes[otherwise as usize].ends,
                };
                let found = &mut self.nodes[next as usize];
                (found.otherwise, found.ends) = (otherwise, ends);
                open.push(next);
            }
        }
    }

    fn step(&self, mut node: u32, character: char) -> u32 {
        loop {
            if node == 0
                && let Some(first) = self.first.get(character as usize)
            {
                return *first;
            }
            let Node {
                next, otherwise, ..
            } = &self.nodes[node as usize];
            if let Ok(found) = next.binary_search_by_key(&character, |(character, _)| *character) {
                return next[found].1;
            }
            if node == 0 {
                return 0;
            }
            node = *otherwise;
        }
    }

    /// Tells of every phrase that ends in a text, with the place behind it; of those that
    /// end at one place the longest first.
    pub fn each(&self, text: &[char], mut found: impl FnMut(usize, usize)) {
        if self.nodes.is_empty() {
            return;
        }
        let mut node = 0;
        for (at, character) in text.iter().enumerate() {
            node = self.step(node, *character);
            let mut end = self.nodes[node as usize].ends;
            while end != 0 {
                let Node {
                    phrase, otherwise, ..
                } = &self.nodes[end as usize];
                if let Some(phrase) = phrase {
                    found(*phrase as usize, at + 1);
                }
                end = self.nodes[*otherwise as usize].ends;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_in_phrases_are_found() {
        let phrases = ["he", "she", "his", "hers", "r"].map(|phrase| phrase.chars().collect());
        let text: Vec<char> = "ushers".chars().collect();
        let mut found = Vec::new();
        Automaton::new(&phrases).each(&text, |phrase, end| found.push((phrase, end)));
        assert_eq!(found, [(1, 4), (0, 4), (4, 5), (3, 6)]);
        Automaton::default().each(&text, |_, _| panic!("there is no phrase"));
    }
}
