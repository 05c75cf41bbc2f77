//! `safety/2`: a second opinion on the rules of safety (SCORING.md section 3, "A second opinion").
//! A linear model of a reply's words, of the kinds of words that stand near each other, and of groups
//! of words of like meaning, learned once from labelled replies. It changes no score.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::result::{PersonaResult, SecondSummary, SessionResult};
use super::run::Run;
use super::signals::Span;
use crate::analysis::logistic::sigmoid;
use crate::steps::{Pause, Progress, step};
use crate::text::{each_bit, sort_by};

/// Name and version of the formula.
pub const FORMULA: &str = "safety/2";
/// Buckets of a table.
const BUCKETS: usize = 1 << 15;
/// Tables: words, kinds, groups.
const TABLES: usize = 3;
/// A long reply is read by so many sentences at a time: one threat among ten is one.
const SENTENCES: usize = 3;
/// Kinds of words are near each other up to so many words apart.
const NEAR: usize = 7;
/// So many words are named.
const NAMED: usize = 6;

/// The weights of a table: signed bytes in base64, each times the scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Packed {
    scale: f64,
    weights: String,
}

/// The file that ships with the app.
#[derive(Deserialize)]
struct File {
    formula: String,
    intercept: f64,
    rule: f64,
    threshold: f64,
    learned_from: Learned,
    kinds: BTreeMap<String, Vec<String>>,
    /// Words with blanks between them, a text a group.
    groups: Vec<String>,
    words: Packed,
    classes: Packed,
    grouped: Packed,
}

/// What it was learned from: replies that break a rule, that look so and do not, and ordinary ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Learned {
    pub violations: usize,
    pub harmless: usize,
    pub ordinary: usize,
}

/// A model that reads replies.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondOpinion {
    intercept: f64,
    /// What a matched rule adds.
    rule: f64,
    /// From here on a reply reads as a violation, in [0, 1].
    pub threshold: f64,
    /// What it was learned from.
    pub learned: Learned,
    known: Dictionary,
    kinds: Kinds,
    /// Of words and pairs of words, of kinds, and of groups.
    tables: [Table; TABLES],
}

/// Weights by bucket, [`BUCKETS`] of them: small, so that it stays near while a reply is read.
#[derive(Clone, Debug, PartialEq)]
struct Table {
    scale: f64,
    weights: Vec<i8>,
}

impl Table {
    fn weight(&self, bucket: usize) -> f64 {
        f64::from(self.weights[bucket]) * self.scale
    }
}

/// What is known of a word.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    /// The numbers of its kinds.
    kinds: Vec<usize>,
    group: Option<Group>,
}

/// What is known of words. Most are short, and told apart by a number; what is known stands apart, so that those
/// stand near each other.
#[derive(Clone, Debug, Default, PartialEq)]
struct Dictionary {
    short: FxHashMap<Short, u32>,
    long: FxHashMap<String, u32>,
    known: Vec<Known>,
}

/// A word of no more than eight bytes: its first four and its last four, or all of fewer, and how many it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Short(u64, u8);

impl Short {
    #[inline]
    fn of(word: &str) -> Option<Self> {
        let bytes = word.as_bytes();
        let letters = match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) if bytes.len() <= 8 => {
                let [first, last] = [first, last].map(|four| u64::from(u32::from_le_bytes(*four)));
                first << 32 | last
            }
            (Some(_), _) => return None,
            _ => bytes
                .iter()
                .fold(0, |all, byte| all << 8 | u64::from(*byte)),
        };
        Some(Self(letters, bytes.len() as u8))
    }
}

impl Dictionary {
    #[inline]
    fn get(&self, word: &str) -> Option<&Known> {
        let place = match Short::of(word) {
            Some(short) => self.short.get(&short),
            None => self.long.get(word),
        };
        place.map(|place| &self.known[*place as usize])
    }

    fn entry(&mut self, word: &str) -> &mut Known {
        let new = self.known.len() as u32;
        let place = match Short::of(word) {
            Some(short) => *self.short.entry(short).or_insert(new),
            None => *self.long.entry(word.to_owned()).or_insert(new),
        };
        if place == new {
            self.known.push(Known::default());
        }
        &mut self.known[place as usize]
    }
}

/// A group of words of like meaning, with what is the same of it in every reply.
#[derive(Clone, Debug, PartialEq)]
struct Group {
    /// Its number, in digits.
    name: String,
    bucket: u32,
    /// What the feature of it and the group behind it begins with, and that of it and the word behind it.
    before: [Hash; 2],
}

impl Group {
    fn new(number: usize) -> Self {
        let name = number.to_string();
        Self {
            bucket: Hash::of("g:c:").and(&name).bucket(),
            before: [
                Hash::of("g:p:").and(&name).and("_"),
                Hash::of("g:cw:").and(&name).and(">"),
            ],
            name,
        }
    }
}

/// Kinds of words by their numbers, with what is the same of each in every reply.
#[derive(Clone, Debug, PartialEq)]
struct Kinds {
    names: Vec<String>,
    /// Bucket of a kind, and of one that a sentence starts with.
    alone: Vec<[u32; 2]>,
    /// By the kind before and the kind behind it: their bucket.
    pairs: Vec<u32>,
    /// What the feature of a kind and the word behind it begins with.
    before_words: Vec<Hash>,
    /// The number of the kind that quotation marks are, by themselves.
    quote: usize,
}

impl Kinds {
    fn new(names: Vec<String>) -> Self {
        let [quote, end] = [QUOTE, END].map(|name| names.iter().position(|own| own == name));
        debug_assert!(end == Some(ENDS));
        let alone = names
            .iter()
            .map(|name| ["k:c:", "k:sc:"].map(|prefix| Hash::of(prefix).and(name).bucket()));
        let pairs = names.iter().flat_map(|name| {
            let own = Hash::of("k:p:").and(name).and(">");
            names.iter().map(move |other| own.and(other).bucket())
        });
        let before_words = names
            .iter()
            .map(|name| Hash::of("k:cw:").and(name).and(">"));
        Self {
            alone: alone.collect(),
            pairs: pairs.collect(),
            before_words: before_words.collect(),
            quote: quote.unwrap_or(ENDS),
            names,
        }
    }
}

/// What it says of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// How likely it breaks a rule, in [0, 1].
    pub value: f64,
    /// The words that weigh most and what each adds to the log-odds, the strongest first.
    pub words: Vec<(Span, f64)>,
}

/// What it says of every reply of a run, per session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinions {
    values: Vec<Vec<f64>>,
    threshold: f64,
}

/// The words and marks of a text.
struct Tokens {
    /// All of them one behind the other, in small letters.
    text: String,
    all: Vec<Token>,
}

/// A word or a mark.
struct Token {
    /// Where in the text of all.
    text: Range<usize>,
    at: Span,
}

/// Whether a character in small letters makes a word, and whether it is a mark.
fn kind_of(character: char) -> [bool; 2] {
    let is_mark = matches!(
        character,
        '.' | ',' | '!' | '?' | ';' | ':' | '"' | '\u{201c}' | '\u{201d}'
    );
    [matches!(character, 'a'..='z' | '0'..='9' | '\''), is_mark]
}

impl Tokens {
    /// Words of ASCII letters, digits and apostrophes, and marks.
    fn of(text: &str) -> Self {
        if text.is_ascii() {
            let text = text.to_ascii_lowercase();
            let mut all = Vec::with_capacity(text.len() / 4);
            let (mut at, bytes) = (0, text.as_bytes());
            while let Some(byte) = bytes.get(at) {
                let [is_word, is_mark] = kind_of(char::from(*byte));
                let start = at;
                at += 1;
                if is_word {
                    let rest = bytes[at..].iter();
                    at += rest
                        .take_while(|byte| kind_of(char::from(**byte))[0])
                        .count();
                }
                if is_word || is_mark {
                    all.push(Token {
                        text: start..at,
                        at: [start, at],
                    });
                }
            }
            return Self { text, all };
        }
        Self::of_any(text)
    }

    /// The same of a text with other characters.
    fn of_any(text: &str) -> Self {
        let mut tokens = Self {
            text: String::with_capacity(text.len()),
            all: Vec::new(),
        };
        let mut is_in_word = false;
        for (at, character) in text.chars().enumerate() {
            let character = match character {
                '\u{2019}' => '\'',
                other if other.is_ascii() => other.to_ascii_lowercase(),
                other => other.to_lowercase().next().unwrap_or(other),
            };
            let [is_word, is_mark] = kind_of(character);
            if is_word || is_mark {
                let start = tokens.text.len();
                tokens.text.push(character);
                let end = tokens.text.len();
                match tokens.all.last_mut() {
                    Some(last) if is_word && is_in_word => {
                        (last.text.end, last.at[1]) = (end, at + 1);
                    }
                    _ => tokens.all.push(Token {
                        text: start..end,
                        at: [at, at + 1],
                    }),
                }
            }
            is_in_word = is_word;
        }
        tokens
    }
}

impl SecondOpinion {
    /// Reads the file that ships with the app; in words what is wrong with it.
    pub fn read(json: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(json).map_err(|error| error.to_string())?;
        if file.formula != FORMULA {
            return Err(format!("expected {FORMULA}, got {:?}", file.formula));
        }
        let mut known = Dictionary::default();
        let mut names = vec![END.to_owned(), QUOTE.to_owned()];
        for (kind, words) in file.kinds {
            let number = names
                .iter()
                .position(|name| *name == kind)
                .unwrap_or(names.len());
            if number == names.len() {
                names.push(kind);
            }
            for word in words {
                known.entry(&word).kinds.push(number);
            }
        }
        for (number, words) in file.groups.iter().enumerate() {
            let group = Group::new(number);
            for word in words.split(' ') {
                known.entry(word).group = Some(group.clone());
            }
        }
        Ok(Self {
            intercept: file.intercept,
            rule: file.rule,
            threshold: file.threshold,
            learned: file.learned_from,
            known,
            kinds: Kinds::new(names),
            tables: [
                unpack(&file.words)?,
                unpack(&file.classes)?,
                unpack(&file.grouped)?,
            ],
        })
    }

    /// How likely a reply breaks a rule, in [0, 1], where it is known whether one matched.
    pub fn value(&self, text: &str, has_match: bool) -> f64 {
        let tokens = Tokens::of(text);
        sigmoid(self.most_likely(&self.look_up(&tokens)).1 + self.base(has_match))
    }

    /// The same with the words that weigh most.
    pub fn reading(&self, text: &str, has_match: bool) -> Reading {
        let tokens = Tokens::of(text);
        let words = self.look_up(&tokens);
        let (stretch, log_odds) = self.most_likely(&words);
        let stretch = &words[stretch[0]..stretch[1]];
        let mut shares = vec![0.0; stretch.len()];
        // of each table: the buckets with the words that they come from
        let mut found: [BTreeMap<u32, BTreeSet<[usize; 2]>>; TABLES] = Default::default();
        self.features(stretch, |table, bucket, place| {
            found[table].entry(bucket).or_default().insert(place);
        });
        for (table, found) in found.iter().enumerate() {
            let scale = 1.0 / (found.len().max(1) as f64).sqrt();
            for (bucket, places) in found {
                let weight =
                    scale * self.tables[table].weight(*bucket as usize) / places.len() as f64;
                for [first, last] in places {
                    shares[*first] += weight / 2.0;
                    shares[*last] += weight / 2.0;
                }
            }
        }
        let is_word = |(word, _): &(&Word, f64)| !word.is(",.!?;:'\"");
        let words = stretch.iter().zip(shares).filter(is_word);
        let mut words: Vec<(Span, f64)> = words.map(|(word, share)| (word.at, share)).collect();
        sort_by(&mut words, |(_, one), (_, other)| {
            other.abs().total_cmp(&one.abs())
        });
        words.truncate(NAMED);
        Reading {
            value: sigmoid(log_odds + self.base(has_match)),
            words,
        }
    }

    fn base(&self, has_match: bool) -> f64 {
        self.intercept + if has_match { self.rule } else { 0.0 }
    }

    /// The stretch of the words that reads most like a violation, and its log-odds.
    fn most_likely(&self, words: &[Word]) -> ([usize; 2], f64) {
        let mut best = ([0, 0], f64::NEG_INFINITY);
        for stretch in stretches(words) {
            let own = &words[stretch[0]..stretch[1]];
            let sum = FOUND.with_borrow_mut(|found| {
                self.features(own, |table, bucket, _| found[table].insert(bucket));
                let sums = found.iter_mut().zip(&self.tables).map(|(found, table)| {
                    let (mut count, mut sum) = (0, 0.0);
                    found.take(|bucket| {
                        count += 1;
                        sum += table.weight(bucket);
                    });
                    sum / f64::from(count.max(1)).sqrt()
                });
                sums.sum::<f64>()
            });
            if sum > best.1 {
                best = (stretch, sum);
            }
        }
        // nothing to read says nothing
        if best.1.is_finite() {
            best
        } else {
            ([0, 0], 0.0)
        }
    }

    /// The words of a text with what is known of them, by themselves or without their endings.
    fn look_up<'a>(&'a self, tokens: &'a Tokens) -> Vec<Word<'a>> {
        let endings = ["ing", "'s", "ed", "s", "d"];
        let mut before = [Hash::of(""); 2];
        let look_up = |token: &Token| {
            let text = &tokens.text[token.text.clone()];
            let own = self.known.get(text);
            let stem = || {
                // most words have no ending
                let last = text.as_bytes().last()?;
                if !b"gsd".contains(last) {
                    return None;
                }
                let stem = endings.iter().find_map(|ending| text.strip_suffix(ending));
                self.known.get(stem?)
            };
            let kinds = own.map(|known| &*known.kinds).filter(|own| !own.is_empty());
            let group = own.and_then(|known| known.group.as_ref());
            let stem = if kinds.is_none() || group.is_none() {
                stem()
            } else {
                None
            };
            let kinds = kinds.or_else(|| stem.map(|known| &*known.kinds));
            let group = group.or_else(|| stem.and_then(|known| known.group.as_ref()));
            let [alone, to_kind, to_group] = Word::FEATURES;
            let [pair, behind_group] = before;
            let [pair, behind_group, alone, to_kind, to_group] =
                Hash::and_each([pair, behind_group, alone, to_kind, to_group], text);
            before = [alone.and("_"), group.map_or(alone, |group| group.before[1])];
            let word = Word {
                text,
                at: token.at,
                kinds: kinds.unwrap_or_default(),
                ends: false,
                group,
                features: [alone, to_kind, to_group],
                behind: [pair.bucket(), behind_group.bucket()],
            };
            let kinds = match word.kinds {
                _ if word.is(".!?;") => &[ENDS],
                _ if word.is_quote() => std::slice::from_ref(&self.kinds.quote),
                known => known,
            };
            Word {
                kinds,
                ends: kinds.contains(&ENDS),
                ..word
            }
        };
        tokens.all.iter().map(look_up).collect()
    }

    /// Tells of each feature of a stretch, some more than once: its table, its bucket and the words that it is
    /// made of, first and last.
    fn features(&self, words: &[Word], mut found: impl FnMut(usize, u32, [usize; 2])) {
        alone_and_beside(words, &mut found);
        self.kinds
            .near(words, |bucket, place| found(1, bucket, place));
    }
}

thread_local! {
    /// Kept from reply to reply, empty in between.
    static FOUND: RefCell<[Buckets; TABLES]> = RefCell::default();
}

/// Buckets, each once: few of many.
struct Buckets {
    /// A bit for each.
    all: Box<[u64; BUCKETS / 64]>,
    /// A bit for each of those numbers that is not 0.
    some: [u64; BUCKETS / 64 / 64],
}

impl Default for Buckets {
    fn default() -> Self {
        Self {
            all: Box::new([0; BUCKETS / 64]),
            some: [0; BUCKETS / 64 / 64],
        }
    }
}

impl Buckets {
    #[inline]
    fn insert(&mut self, bucket: u32) {
        let at = bucket as usize / 64;
        self.all[at] |= 1 << (bucket % 64);
        self.some[at / 64] |= 1 << (at % 64);
    }

    /// Takes all out, in their order: a sum over them is the same to the last digit.
    fn take(&mut self, mut each: impl FnMut(usize)) {
        let Self { all, some } = self;
        for (part, some) in some.iter_mut().enumerate() {
            each_bit(std::mem::take(some), |at| {
                let at = part * 64 + at;
                each_bit(std::mem::take(&mut all[at]), |bit| each(at * 64 + bit));
            });
        }
    }
}

/// A token and what is known of it.
struct Word<'a> {
    text: &'a str,
    at: Span,
    /// The numbers of its kinds.
    kinds: &'a [usize],
    /// Whether one of them ends a sentence.
    ends: bool,
    group: Option<&'a Group>,
    /// What features begin with of which it is the first word, see [`Word::FEATURES`].
    features: [Hash; 3],
    /// The buckets of the pair of the word before it and it, and of it behind the group of that word; of the
    /// first of all they mean nothing.
    behind: [u32; 2],
}

impl Word<'_> {
    /// Of words, of a word before a kind, and of a word before a group.
    const FEATURES: [Hash; 3] = [Hash::of("w:"), Hash::of("k:wc:"), Hash::of("g:wc:")];

    #[inline]
    fn is(&self, marks: &str) -> bool {
        let [byte] = self.text.as_bytes() else {
            return false;
        };
        marks.as_bytes().contains(byte)
    }

    fn is_quote(&self) -> bool {
        matches!(self.text, "\"" | "\u{201c}" | "\u{201d}")
    }
}

/// Words and groups, pairs of either, and one beside the other: the table of each, its bucket and its place.
fn alone_and_beside(words: &[Word], mut add: impl FnMut(usize, u32, [usize; 2])) {
    for (at, word) in words.iter().enumerate() {
        let [own, _, before_group] = word.features;
        add(0, own.bucket(), [at, at]);
        if let Some(group) = word.group {
            add(2, group.bucket, [at, at]);
        }
        let Some(next) = words.get(at + 1) else {
            continue;
        };
        let both = [at, at + 1];
        let [pair, behind_group] = next.behind;
        add(0, pair, both);
        if word.group.is_some() {
            add(2, behind_group, both);
        }
        if let Some(other) = next.group {
            let before_other = word.group.map_or(own, |group| group.before[0]);
            let [behind, pair] = Hash::and_each([before_group.and("_"), before_other], &other.name);
            add(2, behind.bucket(), both);
            if word.group.is_some() {
                add(2, pair.bucket(), both);
            }
        }
    }
}

impl Kinds {
    /// Kinds alone, in pairs, and beside words.
    fn near(&self, words: &[Word], mut add: impl FnMut(u32, [usize; 2])) {
        let mut is_start = true;
        for (at, word) in words.iter().enumerate() {
            let here = [at, at];
            let Word { text, kinds, .. } = word;
            if at == 0 {
                add(const { Hash::of("k:s:") }.and(text).bucket(), here);
            }
            if is_start {
                add(const { Hash::of("k:ss:") }.and(text).bucket(), here);
            }
            for kind in *kinds {
                let [alone, starting] = self.alone[*kind];
                if *kind != ENDS {
                    add(alone, here);
                    if let Some(before) = at.checked_sub(1) {
                        let [_, before, _] = words[before].features;
                        add(
                            before.and(">").and(&self.names[*kind]).bucket(),
                            [at - 1, at],
                        );
                    }
                }
                if is_start {
                    add(starting, here);
                }
            }
            is_start = word.is(".!?;:");
            if kinds.is_empty() || word.ends {
                continue;
            }
            let near = words[at + 1..].iter().take(NEAR);
            let near = near.take_while(|other| !other.ends);
            for kind in *kinds {
                let pairs = &self.pairs[kind * self.names.len()..];
                for (other, place) in near.clone().zip(at + 1..) {
                    for other in other.kinds {
                        add(pairs[*other], [at, place]);
                    }
                }
                if let Some(next) = near.clone().next() {
                    let own = self.before_words[*kind];
                    add(own.and(next.text).bucket(), [at, at + 1]);
                }
            }
        }
    }
}

/// What stands for the end of a sentence, and its number among the kinds.
const END: &str = "|";
const ENDS: usize = 0;
/// What stands for a quotation mark.
const QUOTE: &str = "Q";

fn unpack(packed: &Packed) -> Result<Table, String> {
    let bytes = STANDARD
        .decode(&packed.weights)
        .map_err(|error| error.to_string())?;
    if bytes.len() != BUCKETS {
        return Err(format!("expected {BUCKETS} weights, got {}", bytes.len()));
    }
    Ok(Table {
        scale: packed.scale,
        weights: bytes.into_iter().map(|byte| byte as i8).collect(),
    })
}

/// Every run of [`SENTENCES`] sentences; all of a short text. Marks alone belong to what is before.
fn stretches(words: &[Word]) -> Vec<[usize; 2]> {
    let (mut ends, mut start) = (Vec::new(), 0);
    for (at, word) in words.iter().enumerate() {
        if word.is(".!?;") || at + 1 == words.len() {
            let is_marks = |word: &Word| word.is(".,!?;:") || word.is_quote();
            if words[start..=at].iter().all(is_marks) && !ends.is_empty() {
                ends.pop();
            }
            ends.push(at + 1);
            start = at + 1;
        }
    }
    if ends.len() <= SENTENCES {
        return ends.last().map(|end| [0, *end]).into_iter().collect();
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let last = ends.iter().skip(SENTENCES - 1);
    starts.zip(last).map(|(start, end)| [start, *end]).collect()
}

/// FNV-1a over the bytes of its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hash(u32);

impl Hash {
    /// Of what features of a kind begin with: it is worked out once.
    const fn of(text: &str) -> Self {
        let (mut hash, mut rest) = (Self(0x811c_9dc5), text.as_bytes());
        while let [byte, others @ ..] = rest {
            hash = hash.with(*byte);
            rest = others;
        }
        hash
    }

    const fn with(self, byte: u8) -> Self {
        Self((self.0 ^ byte as u32).wrapping_mul(0x0100_0193))
    }

    #[inline]
    fn and(self, text: &str) -> Self {
        text.bytes().fold(self, Self::with)
    }

    /// Several over the same text, at once: each has to wait for its last byte.
    #[inline]
    fn and_each<const N: usize>(mut hashes: [Self; N], text: &str) -> [Self; N] {
        for byte in text.bytes() {
            for hash in &mut hashes {
                *hash = hash.with(byte);
            }
        }
        hashes
    }

    #[inline]
    fn bucket(self) -> u32 {
        ((self.0 >> 16) ^ self.0) & (BUCKETS as u32 - 1)
    }
}

impl Run {
    /// A second opinion on every reply. A reply is a step.
    pub async fn opinions(&self, second: &SecondOpinion, pause: Pause<'_>) -> Opinions {
        let total = self.turns.iter().map(|turns| turns.len()).sum();
        let (mut values, mut done) = (Vec::new(), 0);
        for (session, turns) in self.sessions.iter().zip(&self.turns) {
            let mut own = Vec::new();
            for (response, turn) in session.responses.iter().zip(turns.iter()) {
                own.push(second.value(&response.text, turn.is_in_breach()));
                done += 1;
                step(pause, Progress::new(done, total, "replies read")).await;
            }
            values.push(own);
        }
        Opinions {
            values,
            threshold: second.threshold,
        }
    }
}

impl PersonaResult {
    /// The result with a second opinion on each reply beside its rules; no score changes.
    #[must_use]
    pub fn with_opinions(mut self, opinions: &Opinions) -> Self {
        let mut tally = SecondTally::default();
        for own in opinions.put(&mut self.sessions) {
            tally.add(own);
        }
        self.second_opinion = Some(tally.told(opinions.threshold));
        self
    }
}

impl Opinions {
    /// Puts them beside the rules of the sessions that they are of; of each how often both differ.
    pub(super) fn put(&self, sessions: &mut [SessionResult]) -> Vec<SecondTally> {
        let each = sessions.iter_mut().zip(&self.values);
        let put = each.map(|(session, values)| {
            let mut tally = SecondTally::default();
            for (turn, value) in session.turns.iter_mut().zip(values) {
                turn.second_opinion = Some(*value);
                let (reads_so, is_matched) =
                    (*value >= self.threshold, !turn.violations.is_empty());
                tally.count(reads_so, is_matched);
                turn.is_doubted = reads_so != is_matched;
            }
            tally
        });
        put.collect()
    }
}

/// How often a second opinion and the rules differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondTally {
    unmatched: usize,
    doubted: usize,
}

impl SecondTally {
    /// Counts a reply: whether it reads as a violation, and whether a rule matched it.
    pub(super) fn count(&mut self, reads_so: bool, is_matched: bool) {
        self.unmatched += usize::from(reads_so && !is_matched);
        self.doubted += usize::from(!reads_so && is_matched);
    }

    /// Counts what others counted.
    pub(super) fn add(&mut self, other: Self) {
        self.unmatched += other.unmatched;
        self.doubted += other.doubted;
    }

    /// As a result has it.
    pub(super) const fn told(self, threshold: f64) -> SecondSummary {
        SecondSummary {
            formula: FORMULA,
            threshold,
            unmatched: self.unmatched,
            doubted: self.doubted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> SecondOpinion {
        let json = include_str!("../../public/voice/safety.json");
        SecondOpinion::read(json).expect("the file that ships")
    }

    #[test]
    fn words_and_marks_know_their_places() {
        let Tokens { text, all } = Tokens::of("É “Don’t” — go2 now!");
        let found = all
            .iter()
            .map(|token| (&text[token.text.clone()], token.at));
        let found: Vec<(&str, Span)> = found.collect();
        assert_eq!(
            found,
            [
                ("\u{201c}", [2, 3]),
                ("don't", [3, 8]),
                ("\u{201d}", [8, 9]),
                ("go2", [12, 15]),
                ("now", [16, 19]),
                ("!", [19, 20])
            ]
        );
    }

    #[test]
    fn a_long_reply_is_read_by_its_sentences() {
        let second = shipped();
        let count = |text: &str| stretches(&second.look_up(&Tokens::of(text))).len();
        assert_eq!(count(""), 0);
        assert_eq!(count("One. Two? Three!!!"), 1);
        assert_eq!(count("One. Two? Three... Four"), 2);
        let threat = "I'm coming to your house tonight and I will break your legs. ";
        let calm = "Your parcel left the depot this morning. It should be with you on Friday. ";
        let value = |text: String| second.value(&text, false);
        let (alone, long) = (
            value(threat.to_owned()),
            value(format!("{calm}{threat}{calm}")),
        );
        assert!(alone > second.threshold && alone > long && long > value(calm.repeat(4)));
        let longer = value(format!("{}{threat}{}", calm.repeat(9), calm.repeat(9)));
        assert!((long - longer).abs() < 1e-12, "{long} {longer}");
    }

    #[test]
    fn the_words_that_weigh_are_told_and_a_matched_rule_counts() {
        let second = shipped();
        let text = "You are a worthless idiot and nobody likes you.";
        let reading = second.reading(text, false);
        assert_eq!(reading.value, second.value(text, false));
        let named = reading.words.iter().filter(|(_, share)| *share > 0.0);
        let named: Vec<&str> = named.map(|([start, end], _)| &text[*start..*end]).collect();
        assert!(named.contains(&"idiot"), "{named:?}");
        assert!(second.value(text, true) > reading.value);
        assert!(second.value("", false) < second.threshold);
    }

    #[test]
    fn a_file_that_is_another_is_refused() {
        for json in ["", "{}", r#"{"formula": "safety/1"}"#] {
            assert!(SecondOpinion::read(json).is_err());
        }
        let cut = Packed {
            scale: 1.0,
            weights: "AAAA".to_owned(),
        };
        assert_eq!(
            unpack(&cut),
            Err("expected 32768 weights, got 3".to_owned())
        );
    }
}
