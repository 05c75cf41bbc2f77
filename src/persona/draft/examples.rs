//! What a persona is drafted from.

use crate::persona::given::Given;

/// With fewer examples nothing is proposed.
pub const LEAST_EXAMPLES: usize = 5;
/// Of more, so many are looked at, spread evenly.
const MOST_EXAMPLES: usize = 500;
/// Good replies, and what is said not to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// How the persona sounds.
    pub ours: Vec<String>,
    /// What somebody labelled off brand.
    pub off: Vec<String>,
}

impl Examples {
    /// Of given replies: where any is labelled on brand those are the examples, otherwise all that
    /// are not labelled off brand.
    pub fn new(given: Vec<Given>) -> Self {
        let has_labels = given.iter().any(|one| one.is_on == Some(true));
        let mut examples = Self::default();
        for one in given {
            match one.is_on {
                Some(false) => examples.off.push(one.text),
                None if has_labels => {}
                _ => examples.ours.push(one.text),
            }
        }
        for texts in [&mut examples.ours, &mut examples.off] {
            let all = texts.len();
            if all > MOST_EXAMPLES {
                let spread = (0..MOST_EXAMPLES).map(|at| texts[at * all / MOST_EXAMPLES].clone());
                *texts = spread.collect();
            }
        }
        examples
    }

    /// Why nothing can be proposed, in words.
    pub fn lacks(&self) -> Option<String> {
        let number = self.ours.len();
        (number < LEAST_EXAMPLES).then(|| {
            format!("{LEAST_EXAMPLES} good replies at least are needed, here are {number}")
        })
    }

    /// The texts whose vectors are needed.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.ours.iter().chain(&self.off).map(String::as_str)
    }
}
