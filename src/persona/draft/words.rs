//! Words that one sample has and another has not: log-odds with an informative Dirichlet prior
//! (Monroe, Colaresi and Quinn 2008, "Fightin' Words", section 3.3.2).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use serde::Serialize;

use crate::persona::signals::Signals;
use crate::steps::{Pause, Progress, step};
use crate::text::{Folded, sort_by};

/// The longest phrase, in words.
const LONGEST: usize = 3;
/// How much the prior weighs: this share of all texts.
const PRIOR: f64 = 0.2;
/// From this z on one sample says it oftener: what chance alone exceeds once in twenty.
pub const DIFFERS: f64 = 1.645;
/// The least share of the texts of its own sample that have an entry, and the least number.
const LEAST_SHARE: f64 = 0.1;
const LEAST_TEXTS: usize = 3;
/// So many entries of a side are proposed.
const MOST: usize = 12;

static FUNCTION_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../data/function_words.txt").lines().collect());

/// An entry of a lexicon with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// As it is written into the lexicon, in lower case.
    pub entry: String,
    /// How many of the examples have it.
    pub examples: usize,
    /// How many of the others have it, and how many of them there are.
    pub others: usize,
    /// See `others`.
    pub of_others: usize,
    /// Its log-odds over their standard error; above 0 the examples have it more often.
    pub z: f64,
}

/// In how many texts each phrase stands.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// By the length of the phrases, less one.
    phrases: [BTreeMap<String, usize>; LONGEST],
    /// All of a length together.
    totals: [usize; LONGEST],
    /// The number of texts.
    pub texts: usize,
}

impl Counts {
    /// Counts the phrases of some texts. A text is a step.
    pub async fn new<'a>(texts: impl IntoIterator<Item = &'a str>, pause: Pause<'_>) -> Self {
        let mut counts = Self::default();
        for text in texts {
            counts.add(text);
            let done = counts.texts;
            step(pause, Progress::new(done, done, "texts counted")).await;
        }
        counts
    }

    fn add(&mut self, text: &str) {
        self.texts += 1;
        for (at, phrases) in phrases(text).into_iter().enumerate() {
            self.totals[at] += phrases.len();
            for phrase in phrases {
                *self.phrases[at].entry(phrase).or_default() += 1;
            }
        }
    }

    /// Two samples as one.
    pub fn with(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.texts += other.texts;
        for at in 0..LONGEST {
            both.totals[at] += other.totals[at];
            for (phrase, count) in &other.phrases[at] {
                *both.phrases[at].entry(phrase.clone()).or_default() += count;
            }
        }
        both
    }

    fn of(&self, at: usize, phrase: &str) -> usize {
        self.phrases[at].get(phrase).copied().unwrap_or_default()
    }

    /// How much oftener a phrase stands here than in the others, over its standard error; the prior
    /// expects what is usual in all texts.
    fn z(&self, others: &Self, all: &Self, at: usize, phrase: &str) -> f64 {
        let (here, there) = (self.of(at, phrase) as f64, others.of(at, phrase) as f64);
        let (total, of_others_total) = (self.totals[at] as f64, others.totals[at] as f64);
        let prior = PRIOR * all.of(at, phrase) as f64;
        let priors = PRIOR * all.totals[at] as f64;
        let log_odds = |count: f64, all: f64| {
            libm::log((count + prior) / (all + priors - count - prior).max(f64::MIN_POSITIVE))
        };
        let variance = 1.0 / (here + prior) + 1.0 / (there + prior);
        (log_odds(here, total) - log_odds(there, of_others_total)) / variance.sqrt()
    }

    /// What these texts say and the others do not, the clearest first, at most twelve. An entry
    /// stands in a tenth of the texts and in three at least; neither begins nor ends with a function
    /// word; and of phrases that contain each other the clearest stays. `is_absent`: only what the
    /// others never say. The numbers are this side's, then the others'.
    pub fn against(
        &self,
        others: &Self,
        all: &Self,
        is_absent: bool,
    ) -> Vec<(String, usize, usize, f64)> {
        let least = (LEAST_SHARE * self.texts as f64).ceil() as usize;
        let mut found = Vec::new();
        for at in 0..LONGEST {
            for (phrase, count) in &self.phrases[at] {
                let there = others.of(at, phrase);
                if *count < least.max(LEAST_TEXTS)
                    || is_absent && there > 0
                    || !says_something(phrase)
                {
                    continue;
                }
                let z = self.z(others, all, at, phrase);
                if z >= DIFFERS {
                    found.push((phrase.clone(), *count, there, z));
                }
            }
        }
        sort_by(&mut found, |a, b| b.3.total_cmp(&a.3));
        let mut kept: Vec<(String, usize, usize, f64)> = Vec::new();
        for one in found {
            let overlaps = |other: &(String, usize, usize, f64)| {
                contains(&other.0, &one.0) || contains(&one.0, &other.0)
            };
            if kept.len() < MOST && !kept.iter().any(overlaps) {
                kept.push(one);
            }
        }
        kept
    }
}

/// Whether one phrase stands in another, by whole words.
fn contains(phrase: &str, part: &str) -> bool {
    format!(" {phrase} ").contains(&format!(" {part} "))
}

/// Whether a phrase neither begins nor ends with a function word or a number.
fn says_something(phrase: &str) -> bool {
    let says = |word: Option<&str>| {
        word.is_some_and(|word| {
            !FUNCTION_WORDS.contains(word)
                && word.chars().all(|c| !c.is_numeric())
                && word.chars().filter(|c| c.is_alphabetic()).count() > 1
        })
    };
    says(phrase.split(' ').next()) && says(phrase.split(' ').next_back())
}

/// The phrases of a text by their length, each once; none goes beyond its sentence.
fn phrases(text: &str) -> [BTreeSet<String>; LONGEST] {
    let folded = Folded::new(text);
    let signals = Signals::measure(text, &folded);
    let characters = folded.characters();
    let word = |span: &[usize; 2]| characters[span[0]..span[1]].iter().collect::<String>();
    let mut found: [BTreeSet<String>; LONGEST] = Default::default();
    // words with nothing but white space between them belong together
    let is_next = |one: &[usize; 2], next: &[usize; 2]| {
        characters[one[1]..next[0]]
            .iter()
            .all(|c| c.is_whitespace())
    };
    for run in signals.words.chunk_by(is_next) {
        let words: Vec<String> = run.iter().map(word).collect();
        for (at, found) in found.iter_mut().enumerate() {
            found.extend(words.windows(at + 1).map(|words| words.join(" ")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{THROUGH, at_once};

    fn counts(texts: &[&str]) -> Counts {
        at_once(Counts::new(texts.iter().copied(), THROUGH))
    }

    /// Worked out by hand for one word of each side.
    #[test]
    fn log_odds_are_those_of_the_paper() {
        let here = counts(&["fam", "fam", "bus"]);
        let there = counts(&["bus", "bus", "bus", "tram"]);
        let all = here.with(&there);
        // of 3 and of 4 words; the prior is a fifth of 2 of 7
        let prior = 0.4;
        let odds = |count: f64, all: f64| ((count + prior) / (all + 1.4 - count - prior)).ln();
        let z = (odds(2.0, 3.0) - odds(0.0, 4.0)) / (1.0 / (2.0 + prior) + 1.0 / prior).sqrt();
        let found = here.z(&there, &all, 0, "fam");
        assert!((found - z).abs() < 1e-12 && z > 0.0);
        assert!((found + there.z(&here, &all, 0, "fam")).abs() < 1e-12);
    }

    #[test]
    fn what_is_said_often_here_and_seldom_there_is_found() {
        let ours: Vec<String> = (0..20)
            .map(|at| format!("Aye captain, the {at} sails are up. Full steam ahead then."))
            .collect();
        let theirs: Vec<String> = (0..200)
            .map(|at| format!("Certainly, the {at} files are there. Let me know then."))
            .collect();
        let texts = |all: &[String]| counts(&all.iter().map(String::as_str).collect::<Vec<_>>());
        let (ours, theirs) = (texts(&ours), texts(&theirs));
        let all = ours.with(&theirs);
        let found = ours.against(&theirs, &all, false);
        let entries: Vec<&str> = found.iter().map(|one| one.0.as_str()).collect();
        assert!(entries.contains(&"sails"), "{entries:?}");
        assert!(entries.iter().any(|entry| entry.contains("captain")));
        assert!(!entries.contains(&"then") && !entries.contains(&"the"));
        assert!(found.iter().all(|one| one.1 == 20 && one.2 == 0));
        // no phrase goes over a full stop or a comma, and none stands in another
        assert!(!entries.iter().any(|entry| entry.contains("up full")));
        let others = theirs.against(&ours, &all, true);
        assert!(others.iter().any(|one| one.0 == "certainly"), "{others:?}");
        // a word that both have alike is of neither
        assert_eq!(ours.against(&ours, &all, false), []);
    }
}
