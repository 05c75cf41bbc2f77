//! Whole words and phrases in a text, with places in Unicode scalar values: the
//! lexicon, the safety rules, the word lists of the trait detectors and the
//! keywords of a domain are all found here.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::automaton::Automaton;
use super::sort_by_key;

/// When two characters are the same, and which of them make a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// As speech is written (SCORING.md section 3): in any case, with apostrophes and
    /// hyphens of all shapes; a contraction is one word, and a script without spaces
    /// ends a word anywhere.
    #[default]
    Speech,
    /// In any case; letters, digits and `_` make a word (SCORING.md section 2).
    AnyCase,
    /// The same, as the letters are.
    Exact,
}

impl Reading {
    fn fold(self, character: char) -> char {
        match self {
            Self::Speech => fold(character),
            Self::AnyCase => single(character, char::to_lowercase),
            Self::Exact => character,
        }
    }

    fn is_word(self, character: char) -> bool {
        match self {
            Self::Speech => is_word(character),
            Self::AnyCase | Self::Exact => character.is_alphanumeric() || character == '_',
        }
    }
}

/// A text folded one scalar value to one, so that places in it are places in the text.
#[derive(Clone, Debug)]
pub struct Folded {
    characters: Vec<char>,
    /// The same in UTF-8.
    text: String,
    /// By character: where it begins there, and behind them its end; nothing where each has one byte.
    starts: Vec<u32>,
    reading: Reading,
    /// With every run of white space as one space, where that is another text.
    collapsed: Option<Collapsed>,
}

/// Characters with every run of white space as one space.
#[derive(Clone, Debug)]
struct Collapsed {
    characters: Vec<char>,
    /// Which character each of them is (of a run the first); the last is the end.
    places: Vec<u32>,
}

impl Collapsed {
    fn new(all: &[char]) -> Self {
        let (mut characters, mut places) = (Vec::with_capacity(all.len()), Vec::new());
        let mut is_in_run = false;
        for (place, character) in all.iter().enumerate() {
            let is_space = character.is_whitespace();
            if !(is_space && is_in_run) {
                characters.push(if is_space { ' ' } else { *character });
                places.push(place as u32);
            }
            is_in_run = is_space;
        }
        places.push(all.len() as u32);
        Self { characters, places }
    }
}

impl Folded {
    /// Folds a text as speech.
    pub fn new(text: &str) -> Self {
        Self::read_as(Reading::Speech, text)
    }

    /// Folds a text.
    pub fn read_as(reading: Reading, text: &str) -> Self {
        let characters: Vec<char> = if text.is_ascii() && reading != Reading::Exact {
            let folded = text.bytes().map(|byte| byte.to_ascii_lowercase());
            folded.map(char::from).collect()
        } else {
            text.chars()
                .map(|character| reading.fold(character))
                .collect()
        };
        let mut text = String::with_capacity(text.len());
        text.extend(&characters);
        let mut starts = Vec::new();
        if text.len() > characters.len() {
            let each = text.char_indices().map(|(at, _)| at as u32);
            starts.extend(each.chain([text.len() as u32]));
        }
        let is_other =
            |pair: &[char]| pair[0].is_whitespace() && (pair[0] != ' ' || pair[1].is_whitespace());
        let ends_in_other = characters
            .last()
            .is_some_and(|last| last.is_whitespace() && *last != ' ');
        let is_collapsed = !ends_in_other && !characters.windows(2).any(is_other);
        Self {
            collapsed: (!is_collapsed).then(|| Collapsed::new(&characters)),
            characters,
            text,
            starts,
            reading,
        }
    }

    /// The folded scalar values.
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// The folded text in UTF-8.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where a scalar value begins there, or the end behind the last.
    pub fn byte(&self, scalar: usize) -> usize {
        self.starts
            .get(scalar)
            .map_or(scalar, |start| *start as usize)
    }

    /// A stretch of it, by scalar values.
    pub fn stretch(&self, [start, end]: [usize; 2]) -> &str {
        &self.text[self.byte(start)..self.byte(end)]
    }

    /// Whether a phrase that starts or ends at `at` would not cut a word in two.
    pub fn is_boundary(&self, at: usize) -> bool {
        let (Some(before), Some(&after)) = (
            at.checked_sub(1)
                .and_then(|index| self.characters.get(index)),
            self.characters.get(at),
        ) else {
            return true;
        };
        let is_inside = self.reading.is_word(*before) && self.reading.is_word(after);
        if self.reading != Reading::Speech {
            return !is_inside;
        }
        if is_inside {
            return is_unsegmented(*before) || is_unsegmented(after);
        }
        // `can` is not a word of `can't`: no boundary on either side of the apostrophe
        let joined_here = after == '\'' && self.is_contraction_at(at);
        let joined_before = *before == '\'' && self.is_contraction_at(at - 1);
        !joined_here && !joined_before
    }

    /// Whether the apostrophe at `at` joins a contraction: `can't`, `we're`,
    /// `I'll`. The possessive `'s` does not, so `team` is found in `team's`.
    fn is_contraction_at(&self, at: usize) -> bool {
        let has_host = at > 0 && is_word(self.characters[at - 1]);
        let tail: String = self.characters[at + 1..]
            .iter()
            .take(3)
            .take_while(|character| is_word(**character))
            .collect();
        has_host && matches!(tail.as_str(), "t" | "d" | "m" | "re" | "ve" | "ll")
    }
}

/// Simple case folding; apostrophes and hyphens in all their shapes become the ASCII ones.
pub fn fold(character: char) -> char {
    match character {
        'A'..='Z' => character.to_ascii_lowercase(),
        // the dotless i is a letter of its own and not a small I
        'a'..='z' | ' ' | '\u{131}' => character,
        _ => straighten(single(
            single(character, char::to_uppercase),
            char::to_lowercase,
        )),
    }
}

/// The ASCII apostrophe or hyphen for their typographic shapes; anything else as it is.
pub fn straighten(character: char) -> char {
    match character {
        '\u{2018}' | '\u{2019}' | '\u{02bc}' | '\u{201b}' | '\u{ff07}' => '\'',
        '\u{2010}' | '\u{2011}' => '-',
        _ => character,
    }
}

/// A case mapping that stays one scalar value; the character itself where it would not.
fn single<I: Iterator<Item = char>>(character: char, map: impl Fn(char) -> I) -> char {
    let mut mapped = map(character);
    match (mapped.next(), mapped.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

/// Whether a character belongs to a word: Unicode's `\w`.
pub fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    character.is_alphanumeric() || regex_syntax::is_word_character(character)
}

/// Scripts that write without spaces between words, where every place is a boundary.
fn is_unsegmented(character: char) -> bool {
    matches!(character,
        '\u{0e00}'..='\u{0eff}'     // Thai, Lao
        | '\u{1000}'..='\u{109f}'   // Myanmar
        | '\u{1780}'..='\u{17ff}'   // Khmer
        | '\u{3040}'..='\u{309f}'   // Hiragana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}') // Han
}

/// A place of an entry in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Start, in Unicode scalar values.
    pub start: usize,
    /// End, exclusive.
    pub end: usize,
    /// Which entry, by its number.
    pub entry: usize,
}

/// Entries prepared once and looked for in many texts, all of them in one pass.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    reading: Reading,
    /// How many entries were given, blank ones with them.
    count: usize,
    /// Those that differ, folded, without white space at the ends, a run of it inside as
    /// one space.
    distinct: Vec<Entry>,
    automaton: Automaton,
}

#[derive(Clone, Debug)]
struct Entry {
    /// The numbers of the entries that are this one.
    numbers: Vec<usize>,
    /// In characters.
    length: usize,
    starts_in_word: bool,
    ends_in_word: bool,
}

impl Phrases {
    /// Prepares entries to be found as speech. A blank entry never matches.
    pub fn new<'a>(entries: impl IntoIterator<Item = &'a str>) -> Self {
        Self::read_as(Reading::Speech, entries)
    }

    /// Prepares entries to be found in texts of the same reading.
    ///
    /// ```
    /// use assay::text::{Folded, Phrases, Reading};
    /// let phrases = Phrases::read_as(Reading::AnyCase, ["peer review", "tax"]);
    /// let hits = phrases.find(&Folded::read_as(Reading::AnyCase, "é Peer\n review, taxes"));
    /// assert_eq!((hits.len(), hits[0].start, hits[0].end), (1, 2, 14));
    /// ```
    pub fn read_as<'a>(reading: Reading, entries: impl IntoIterator<Item = &'a str>) -> Self {
        let mut distinct = Vec::<Entry>::new();
        let mut known: HashMap<Vec<char>, usize> = HashMap::new();
        let mut phrases = Vec::new();
        let mut count = 0;
        for entry in entries {
            let folded = folded(reading, entry);
            count += 1;
            let (Some(first), Some(last)) = (folded.first(), folded.last()) else {
                continue;
            };
            if let Some(same) = known.get(&folded) {
                distinct[*same].numbers.push(count - 1);
                continue;
            }
            distinct.push(Entry {
                numbers: vec![count - 1],
                length: folded.len(),
                starts_in_word: reading.is_word(*first),
                ends_in_word: reading.is_word(*last),
            });
            known.insert(folded.clone(), phrases.len());
            phrases.push(folded);
        }
        Self {
            reading,
            count,
            distinct,
            automaton: Automaton::new(&phrases),
        }
    }

    /// Every place of every entry, by place and then by entry. Places of one
    /// entry do not overlap; those of different entries may.
    pub fn find(&self, text: &Folded) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        self.each(text, |entry, start, end| {
            let numbers = entry.numbers.iter();
            hits.extend(numbers.map(|&entry| Hit { start, end, entry }));
        });
        sort_by_key(&mut hits, |hit| (hit.start, hit.entry));
        hits
    }

    /// The first place of each entry.
    pub fn first(&self, text: &Folded) -> Vec<Option<Hit>> {
        let mut first = vec![None; self.count];
        self.each(text, |entry, start, end| {
            if first[entry.numbers[0]].is_none() {
                for &entry in &entry.numbers {
                    first[entry] = Some(Hit { start, end, entry });
                }
            }
        });
        first
    }

    /// Tells of each entry that differs its places from the left.
    fn each(&self, text: &Folded, mut found: impl FnMut(&Entry, usize, usize)) {
        debug_assert_eq!(self.reading, text.reading);
        // where the last place of each entry that was found ended
        let mut ended = FxHashMap::default();
        let collapsed = text.collapsed.as_ref();
        let characters = collapsed.map_or(&text.characters, |own| &own.characters);
        self.automaton.each(characters, |number, end| {
            let entry = &self.distinct[number];
            let place = |at| collapsed.map_or(at, |own| own.places[at] as usize);
            let [start, end] = [end - entry.length, end].map(place);
            if ended.get(&number).is_none_or(|ended| start >= *ended)
                && (!entry.starts_in_word || text.is_boundary(start))
                && (!entry.ends_in_word || text.is_boundary(end))
            {
                ended.insert(number, end);
                found(entry, start, end);
            }
        });
    }
}

/// An entry as it is compared in speech: folded, white space at the ends off and
/// inside as one space.
pub fn canonical(entry: &str) -> Vec<char> {
    folded(Reading::Speech, entry)
}

fn folded(reading: Reading, entry: &str) -> Vec<char> {
    let words: Vec<&str> = entry.split_whitespace().collect();
    let words = words.join(" ");
    words
        .chars()
        .map(|character| reading.fold(character))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(entries: &[&str], text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        Phrases::new(entries.iter().copied())
            .find(&Folded::new(text))
            .into_iter()
            .map(|hit| characters[hit.start..hit.end].iter().collect())
            .collect()
    }

    #[test]
    fn entries_match_whole_words_in_any_case() {
        assert_eq!(
            found(&["set"], "Set the SET, reset; settle. set"),
            ["Set", "SET", "set"]
        );
        assert_eq!(
            found(&["straße", "ΣΊΣΥΦΟΣ"], "STRASSE Straße σίσυφος"),
            ["Straße", "σίσυφος"]
        );
        assert_eq!(found(&["naïve"], "Très NAÏVE"), ["NAÏVE"]);
        assert_eq!(found(&["budget"], "judge_budget"), Vec::<String>::new());
        assert_eq!(found(&["İ", "ı"], "I i ı İ"), ["ı", "İ"]);
    }

    #[test]
    fn white_space_inside_is_flexible() {
        assert_eq!(
            found(&["sounds  good "], "Sounds\n  good; soundsgood"),
            ["Sounds\n  good"]
        );
    }

    #[test]
    fn punctuation_at_the_ends_is_literal() {
        assert_eq!(
            found(&["awesome!!!"], "awesome! awesome!!!x awesome"),
            ["awesome!!!"]
        );
        assert_eq!(found(&["c++"], "C++11 and c++"), ["C++", "c++"]);
        assert_eq!(found(&["--flag"], "run --flag now, --flags"), ["--flag"]);
    }

    #[test]
    fn apostrophes_in_all_shapes_are_one() {
        assert_eq!(
            found(&["don't"], "Don\u{2019}t, don't"),
            ["Don\u{2019}t", "don't"]
        );
        assert_eq!(
            found(&["can", "t", "re", "we"], "can't we're"),
            Vec::<String>::new()
        );
        assert_eq!(
            found(&["team", "analyse"], "the team's l'analyse"),
            ["team", "analyse"]
        );
    }

    #[test]
    fn overlapping_entries_are_both_found() {
        assert_eq!(
            found(&["super", "super hyped"], "super hyped"),
            ["super", "super hyped"]
        );
        assert_eq!(found(&["a a"], "a a a a"), ["a a", "a a"]);
    }

    #[test]
    fn scripts_without_spaces_match_inside() {
        assert_eq!(found(&["猫"], "黒猫が"), ["猫"]);
        assert_eq!(found(&["е"], "\u{435}\u{301}х"), Vec::<String>::new());
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod as_the_rule_says {
        use super::super::*;
        use proptest::prelude::*;

        /// Where an entry ends if it stands at `start`, character by character.
        fn end_of(entry: &[char], text: &Folded, start: usize) -> Option<usize> {
            let mut at = start;
            for wanted in entry {
                let rest = &text.characters[at..];
                at += if *wanted == ' ' {
                    let run = rest.iter().take_while(|c| c.is_whitespace()).count();
                    (run > 0).then_some(run)?
                } else {
                    (rest.first() == Some(wanted)).then_some(1)?
                };
            }
            let is_word =
                |character: Option<&char>| character.is_some_and(|c| text.reading.is_word(*c));
            let starts = !is_word(entry.first()) || text.is_boundary(start);
            let ends = !is_word(entry.last()) || text.is_boundary(at);
            (!entry.is_empty() && starts && ends).then_some(at)
        }

        proptest! {
            #[test]
            fn entries_are_found(
                entries in prop::collection::vec("[abA'é ]{0,4}", 0..5),
                text in "[abA'é \n]{0,24}",
                speech in any::<bool>(),
            ) {
                let reading = if speech { Reading::Speech } else { Reading::Exact };
                let text = Folded::read_as(reading, &text);
                let phrases = Phrases::read_as(reading, entries.iter().map(String::as_str));
                let mut expected = Vec::new();
                for (number, entry) in entries.iter().enumerate() {
                    let (entry, mut ended) = (folded(reading, entry), 0);
                    for start in 0..text.characters.len() {
                        if start >= ended && let Some(end) = end_of(&entry, &text, start) {
                            expected.push(Hit { start, end, entry: number });
                            ended = end;
                        }
                    }
                }
                expected.sort();
                let mut found = phrases.find(&text);
                for (number, first) in phrases.first(&text).into_iter().enumerate() {
                    prop_assert_eq!(first.as_ref(), found.iter().find(|hit| hit.entry == number));
                }
                found.sort();
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn blank_entries_never_match() {
        assert_eq!(found(&["", "  "], "a  b"), Vec::<String>::new());
    }
}
