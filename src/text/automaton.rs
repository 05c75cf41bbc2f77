//! Many phrases in one pass over a text (Aho and Corasick, 1975).
//!
//! The crate of that name serves bytes, prefilters and dense tables; it would be 19 kB of
//! the page's first verdict for what stands here.

/// Phrases as a tree of their characters; where a text leaves it, it goes on at the
/// longest end of what was read that is a beginning of another phrase.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// Those near the root first.
    nodes: Vec<Node>,
    /// By node: the first one from here on [otherwise](Node::otherwise) at which a phrase ends; 0 is none.
    ends: Vec<u32>,
    /// By character of ASCII: its column in the table; the first is of those that no phrase has.
    columns: Vec<u8>,
    /// How many columns there are.
    count: usize,
    /// Where the nodes near the root go by columns, node by node: most of a text is read there.
    near: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// By character, in order.
    next: Vec<(char, u32)>,
    /// Where to go on when no character fits.
    otherwise: u32,
    /// The phrase that ends here.
    phrase: Option<u32>,
}

/// So many nodes are near the root.
const NEAR: usize = 4096;

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
        let mut automaton = Self {
            nodes: from_the_root(nodes),
            columns: vec![0; 128],
            count: 1,
            ..Self::default()
        };
        for character in phrases.iter().flatten().filter(|c| c.is_ascii()) {
            let column = &mut automaton.columns[*character as usize];
            if *column == 0 {
                *column = automaton.count as u8;
                automaton.count += 1;
            }
        }
        automaton.connect();
        automaton
    }

    /// Says of every node where to go on, those near the root first.
    fn connect(&mut self) {
        self.ends = vec![0; self.nodes.len()];
        for node in 0..self.nodes.len() {
            let next = std::mem::take(&mut self.nodes[node].next);
            let behind = self.nodes[node].otherwise;
            for (character, child) in &next {
                let otherwise = match node {
                    0 => 0,
                    _ => self.step(behind, *character),
                };
                self.ends[*child as usize] = match self.nodes[*child as usize].phrase {
                    Some(_) => *child,
                    None => self.ends[otherwise as usize],
                };
                self.nodes[*child as usize].otherwise = otherwise;
            }
            if node < NEAR {
                // as from the node behind it, which comes before it, but for its own characters
                let row = self.near.len();
                if node == 0 {
                    self.near.resize(self.count, 0);
                } else {
                    let behind = behind as usize * self.count;
                    self.near.extend_from_within(behind..behind + self.count);
                }
                for (character, child) in &next {
                    if let Some(column) = self.columns.get(*character as usize) {
                        self.near[row + usize::from(*column)] = *child;
                    }
                }
            }
            self.nodes[node].next = next;
        }
    }

    fn step(&self, node: u32, character: char) -> u32 {
        if let Some(column) = self.columns.get(character as usize)
            && let Some(next) = self
                .near
                .get(node as usize * self.count + usize::from(*column))
        {
            return *next;
        }
        self.far_step(node, character)
    }

    /// The same from a node that is not near the root, or by a character beyond ASCII.
    #[cold]
    fn far_step(&self, mut node: u32, character: char) -> u32 {
        let column = self.columns.get(character as usize);
        if column == Some(&0) {
            return 0;
        }
        loop {
            if let Some(column) = column
                && let Some(next) = self
                    .near
                    .get(node as usize * self.count + usize::from(*column))
            {
                return *next;
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
        if self.nodes.len() < 2 {
            return;
        }
        let (near, columns, ends) = (&*self.near, &*self.columns, &*self.ends);
        let mut node = 0;
        for (at, character) in text.iter().enumerate() {
            // as `step`, with nothing looked up again
            let column = columns.get(*character as usize);
            let next = column
                .and_then(|column| near.get(node as usize * self.count + usize::from(*column)));
            node = match next {
                Some(next) => *next,
                None => self.far_step(node, *character),
            };
            let mut end = ends[node as usize];
            while end != 0 {
                let Node {
                    phrase, otherwise, ..
                } = &self.nodes[end as usize];
                if let Some(phrase) = phrase {
                    found(*phrase as usize, at + 1);
                }
                end = ends[*otherwise as usize];
            }
        }
    }
}

/// The nodes of a tree in another order: those near the root first.
fn from_the_root(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut ordered: Vec<Node> = vec![std::mem::take(&mut nodes[0])];
    let mut at = 0;
    while at < ordered.len() {
        for child in 0..ordered[at].next.len() {
            let new = ordered.len() as u32;
            let old = std::mem::replace(&mut ordered[at].next[child].1, new);
            ordered.push(std::mem::take(&mut nodes[old as usize]));
        }
        at += 1;
    }
    ordered
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

    #[test]
    fn many_phrases_are_found_far_from_the_root() {
        let letters = ['a', 'b', 'é', 'ω'];
        let phrase = |number: usize| (0..7).map(|at| letters[number >> (2 * at) & 3]).collect();
        let phrases: Vec<Vec<char>> = (0..4_000).map(|number| phrase(number * 4 + 1)).collect();
        let automaton = Automaton::new(&phrases);
        assert!(automaton.nodes.len() > NEAR + 1_000);
        let text: Vec<char> = (0..4_000)
            .flat_map(|at| phrase(at * 7_919 % 16_384))
            .collect();
        let mut found = Vec::new();
        automaton.each(&text, |phrase, end| found.push((phrase, end)));
        let number = |letter: &char| letters.iter().position(|one| one == letter);
        let expected = text.windows(7).zip(7..).filter_map(|(stretch, end)| {
            let digits = stretch.iter().rev().filter_map(number);
            let number = digits.fold(0, |sum, digit| 4 * sum + digit);
            (number % 4 == 1 && number / 4 < 4_000).then_some((number / 4, end))
        });
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}
