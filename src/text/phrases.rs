//! Whole words and phrases in a text, with places in Unicode scalar values: the
//! lexicon, the safety rules, the word lists of the trait detectors and the
//! keywords of a domain are all found here.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::automaton::Automaton;
use super::free_tree::FreeTree;
use super::sort_by_key;
use super::word_starts::{WordStart, is_of_word, word_starts};
use super::word_tree::WordTree;

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

    #[inline]
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
    word_starts: Vec<WordStart>,
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
    /// By these characters.
    word_starts: Vec<WordStart>,
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
        Self {
            word_starts: word_starts(&characters),
            characters,
            places,
        }
    }
}

impl Folded {
    /// Folds a text as speech.
    pub fn new(text: &str) -> Self {
        Self::read_as(Reading::Speech, text)
    }

    /// Folds a text.
    pub fn read_as(reading: Reading, text: &str) -> Self {
        let (characters, text): (Vec<char>, String) = if text.is_ascii() {
            let text = match reading {
                Reading::Exact => text.to_owned(),
                Reading::Speech | Reading::AnyCase => text.to_ascii_lowercase(),
            };
            (text.bytes().map(char::from).collect(), text)
        } else {
            let folded = text.chars().map(|character| reading.fold(character));
            let characters: Vec<char> = folded.collect();
            let text = characters.iter().collect();
            (characters, text)
        };
        let mut starts = Vec::new();
        if text.len() > characters.len() {
            let each = text.char_indices().map(|(at, _)| at as u32);
            starts.extend(each.chain([text.len() as u32]));
        }
        Self {
            collapsed: (!is_collapsed(&characters)).then(|| Collapsed::new(&characters)),
            word_starts: word_starts(&characters),
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

    /// Where words may begin: at a letter, a digit or `_` of ASCII with none of them before it, and at
    /// any character beyond ASCII.
    pub fn word_starts(&self) -> &[WordStart] {
        &self.word_starts[1..]
    }

    /// The folded text in UTF-8.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where a scalar value begins there, or the end behind the last.
    #[inline]
    pub fn byte(&self, scalar: usize) -> usize {
        self.starts
            .get(scalar)
            .map_or(scalar, |start| *start as usize)
    }

    /// A stretch of it, by scalar values.
    #[inline]
    pub fn stretch(&self, [start, end]: [usize; 2]) -> &str {
        &self.text[self.byte(start)..self.byte(end)]
    }

    /// Whether a phrase that starts or ends at `at` would not cut a word in two.
    #[inline]
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

/// Whether every run of white space is one space.
fn is_collapsed(characters: &[char]) -> bool {
    let mut is_behind_space = false;
    characters.iter().all(|character| {
        let is_space = *character == ' ';
        // no other white space of ASCII stands behind `\r`
        let is_plain = *character > '\r' && character.is_ascii();
        let is_other = !is_plain && character.is_whitespace() || is_space && is_behind_space;
        is_behind_space = is_space;
        !is_other
    })
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
#[inline]
pub fn is_word(character: char) -> bool {
    let is_other = || character.is_alphanumeric() || regex_syntax::is_word_character(character);
    is_of_word(character).unwrap_or_else(is_other)
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

/// Entries prepared once and looked for in many texts, all of them at once.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    reading: Reading,
    /// How many entries were given, blank ones with them.
    count: usize,
    /// Those that differ, folded, without white space at the ends, a run of it inside as
    /// one space.
    distinct: Vec<Entry>,
    /// Those that begin with a word.
    words: WordTree,
    /// Those that do not.
    others: FreeTree,
    /// Long ones, of either kind, and their numbers: read on from every word, they would take as many
    /// times a text as they have characters.
    long: Automaton,
    of_long: Vec<usize>,
}

/// Phrases of more characters are long.
const LONG: usize = if cfg!(test) { 2 } else { 64 };

#[derive(Clone, Debug)]
struct Entry {
    /// The numbers of the entries that are this one.
    numbers: Vec<usize>,
    /// In characters.
    length: usize,
    starts_in_word: bool,
    ends_in_word: bool,
    /// Whether places of it may overlap.
    may_overlap: bool,
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
                may_overlap: begins_as_it_ends(&folded),
            });
            known.insert(folded.clone(), phrases.len());
            phrases.push(folded);
        }
        let numbers = 0..phrases.len();
        let (of_long, short): (Vec<usize>, Vec<usize>) =
            numbers.partition(|number| phrases[*number].len() > LONG);
        let (words, others): (Vec<usize>, Vec<usize>) = short
            .into_iter()
            .partition(|number| distinct[*number].starts_in_word);
        let phrase = |number: &usize| (&*phrases[*number], *number);
        let long: Vec<Vec<char>> = of_long
            .iter()
            .map(|number| phrases[*number].clone())
            .collect();
        Self {
            reading,
            count,
            distinct,
            words: WordTree::new(words.iter().map(phrase).collect(), Vec::new()),
            others: FreeTree::new(others.iter().map(phrase)),
            long: Automaton::new(&long),
            of_long,
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
        let collapsed = text.collapsed.as_ref();
        let (characters, word_starts) = collapsed.map_or_else(
            || (&text.characters, &text.word_starts),
            |own| (&own.characters, &own.word_starts),
        );
        let place = |at: usize| collapsed.map_or(at, |own| own.places[at] as usize);
        // where the last place of each entry that was found ended, if it may overlap the next
        let mut ended = FxHashMap::default();
        let mut tell = |number: usize, start: usize, end: usize| {
            let entry = &self.distinct[number];
            let [start, end] = [start, end].map(place);
            let overlaps =
                entry.may_overlap && ended.get(&number).is_some_and(|ended| start < *ended);
            if !overlaps
                && (!entry.starts_in_word || text.is_boundary(start))
                && (!entry.ends_in_word || text.is_boundary(end))
            {
                if entry.may_overlap {
                    ended.insert(number, end);
                }
                found(entry, start, end);
            }
        };
        for start in &word_starts[1..] {
            let tell = |number, end| tell(number, start.at as usize, end);
            self.words.each_at(characters, start, tell);
        }
        self.others.each(characters, 0..characters.len(), &mut tell);
        self.long.each(characters, |long, end| {
            let number = self.of_long[long];
            tell(number, end - self.distinct[number].length, end);
        });
    }
}

/// Whether a text begins with less than all of it that it ends with (Knuth, Morris and Pratt, 1977).
fn begins_as_it_ends(text: &[char]) -> bool {
    // by character: of how many that end with it the text begins with the same
    let mut same = vec![0; text.len()];
    let mut length = 0;
    for at in 1..text.len() {
        while length > 0 && text[at] != text[length] {
            length = same[length - 1];
        }
        length += usize::from(text[at] == text[length]);
        same[at] = length;
    }
    length > 0
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
    fn texts_that_may_overlap_themselves_begin_as_they_end() {
        for (text, may_overlap) in [
            ("a", false),
            ("aa", true),
            ("aab", false),
            ("very, very", true),
            ("abcab", true),
            ("aabaac", false),
        ] {
            let text: Vec<char> = text.chars().collect();
            assert_eq!(begins_as_it_ends(&text), may_overlap, "{text:?}");
        }
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
    fn no_entries_are_not_found() {
        assert_eq!(Phrases::default().find(&Folded::new("a b")), []);
        assert_eq!(found(&[], "a b"), Vec::<String>::new());
    }

    #[test]
    fn blank_entries_never_match() {
        assert_eq!(found(&["", "  "], "a  b"), Vec::<String>::new());
    }
}
