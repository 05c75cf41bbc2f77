//! `safety/2`: a second opinion on the rules of safety (SCORING.md section 3, "A second opinion").
//! A linear model of a reply's words, of the kinds of words that stand near each other, and of groups
//! of words of like meaning, learned once from labelled replies. It changes no score.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::result::{PersonaResult, SecondSummary, SessionResult};
use super::run::Run;
use super::signals::Span;
use crate::analysis::logistic::sigmoid;
use crate::steps::{Pause, Progress, step};
use crate::text::sort_by;

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
    kinds: HashMap<String, Vec<String>>,
    /// A word's group, by its number.
    groups: HashMap<String, String>,
    /// Of words and pairs of words, of kinds, and of groups; [`BUCKETS`] each.
    tables: [Vec<f64>; TABLES],
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

/// A word or a mark, in small letters.
struct Token {
    text: String,
    at: Span,
}

impl Token {
    fn is(&self, marks: &str) -> bool {
        self.text.len() == 1 && marks.contains(&self.text)
    }

    fn is_quote(&self) -> bool {
        matches!(&*self.text, "\"" | "\u{201c}" | "\u{201d}")
    }
}

/// A feature: its table, its bucket and the words that it is made of, first and last.
type Feature = (usize, u32, [usize; 2]);

impl SecondOpinion {
    /// Reads the file that ships with the app; in words what is wrong with it.
    pub fn read(json: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(json).map_err(|error| error.to_string())?;
        if file.formula != FORMULA {
            return Err(format!("expected {FORMULA}, got {:?}", file.formula));
        }
        let mut kinds: HashMap<String, Vec<String>> = HashMap::new();
        for (kind, words) in file.kinds {
            for word in words {
                kinds.entry(word).or_default().push(kind.clone());
            }
        }
        let mut groups = HashMap::new();
        for (number, words) in file.groups.iter().enumerate() {
            let own = words
                .split(' ')
                .map(|word| (word.to_owned(), number.to_string()));
            groups.extend(own);
        }
        Ok(Self {
            intercept: file.intercept,
            rule: file.rule,
            threshold: file.threshold,
            learned: file.learned_from,
            kinds,
            groups,
            tables: [
                unpack(&file.words)?,
                unpack(&file.classes)?,
                unpack(&file.grouped)?,
            ],
        })
    }

    /// How likely a reply breaks a rule, in [0, 1], where it is known whether one matched.
    pub fn value(&self, text: &str, has_match: bool) -> f64 {
        sigmoid(self.most_likely(&tokens(text)).1 + self.base(has_match))
    }

    /// The same with the words that weigh most.
    pub fn reading(&self, text: &str, has_match: bool) -> Reading {
        let tokens = tokens(text);
        let (stretch, log_odds) = self.most_likely(&tokens);
        let stretch = &tokens[stretch[0]..stretch[1]];
        let mut shares = vec![0.0; stretch.len()];
        for (table, found) in self.features(stretch).iter().enumerate() {
            let scale = 1.0 / (found.len().max(1) as f64).sqrt();
            for (bucket, places) in found {
                let weight = scale * self.tables[table][*bucket as usize] / places.len() as f64;
                for [first, last] in places {
                    shares[*first] += weight / 2.0;
                    shares[*last] += weight / 2.0;
                }
            }
        }
        let is_word = |(token, _): &(&Token, f64)| token.text.len() > 1 || !token.is(",.!?;:'\"");
        let words = stretch.iter().zip(shares).filter(is_word);
        let mut words: Vec<(Span, f64)> = words.map(|(token, share)| (token.at, share)).collect();
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

    /// The stretch of the tokens that reads most like a violation, and its log-odds.
    fn most_likely(&self, tokens: &[Token]) -> ([usize; 2], f64) {
        let mut best = ([0, 0], f64::NEG_INFINITY);
        for stretch in stretches(tokens) {
            let features = self.features(&tokens[stretch[0]..stretch[1]]);
            let sums = features.iter().zip(&self.tables).map(|(found, table)| {
                let sum: f64 = found.keys().map(|bucket| table[*bucket as usize]).sum();
                sum / (found.len().max(1) as f64).sqrt()
            });
            let sum = sums.sum();
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

    /// The buckets of each table that a stretch has, with the words that they come from.
    fn features(&self, tokens: &[Token]) -> [BTreeMap<u32, BTreeSet<[usize; 2]>>; TABLES] {
        let mut found: [BTreeMap<u32, BTreeSet<[usize; 2]>>; TABLES] = Default::default();
        let near = self.kinds_near(tokens).chain(self.groups_near(tokens));
        for (table, bucket, place) in words(tokens).chain(near) {
            found[table].entry(bucket).or_default().insert(place);
        }
        found
    }

    fn kinds_near(&self, tokens: &[Token]) -> impl Iterator<Item = Feature> + use<> {
        let kinds: Vec<Vec<&str>> = tokens.iter().map(|token| self.kinds_of(token)).collect();
        let mut all: Vec<Feature> = Vec::new();
        let mut add = |parts: &[&str], place| all.push((1, bucket(parts), place));
        let mut is_start = true;
        for (at, (token, own)) in tokens.iter().zip(&kinds).enumerate() {
            let here = [at, at];
            if at == 0 {
                add(&["k:s:", &token.text], here);
            }
            if is_start {
                add(&["k:ss:", &token.text], here);
            }
            for kind in own {
                if *kind != END {
                    add(&["k:c:", kind], here);
                    if let Some(before) = at.checked_sub(1) {
                        add(&["k:wc:", &tokens[before].text, ">", kind], [before, at]);
                    }
                }
                if is_start {
                    add(&["k:sc:", kind], here);
                }
            }
            is_start = token.is(".!?;:");
            if own.contains(&END) {
                continue;
            }
            let after = tokens.iter().zip(&kinds).enumerate().skip(at + 1);
            for (near, (other, others)) in after.take(NEAR) {
                if others.contains(&END) {
                    break;
                }
                for kind in own {
                    for other in others {
                        add(&["k:p:", kind, ">", other], [at, near]);
                    }
                    if near == at + 1 {
                        add(&["k:cw:", kind, ">", &other.text], [at, near]);
                    }
                }
            }
        }
        all.into_iter()
    }

    /// Groups, pairs of groups, and a group with the word beside it.
    fn groups_near(&self, tokens: &[Token]) -> impl Iterator<Item = Feature> + use<> {
        let groups: Vec<Option<&str>> = tokens.iter().map(|token| self.group_of(token)).collect();
        let mut all: Vec<Feature> = Vec::new();
        let mut add = |parts: &[&str], place| all.push((2, bucket(parts), place));
        for (at, own) in groups.iter().enumerate() {
            if let Some(own) = own {
                add(&["g:c:", own], [at, at]);
            }
            let Some(other) = groups.get(at + 1) else {
                continue;
            };
            let both = [at, at + 1];
            if let (Some(own), Some(other)) = (own, other) {
                add(&["g:p:", own, "_", other], both);
            }
            if let Some(other) = other {
                add(&["g:wc:", &tokens[at].text, "_", other], both);
            }
            if let Some(own) = own {
                add(&["g:cw:", own, ">", &tokens[at + 1].text], both);
            }
        }
        all.into_iter()
    }

    fn group_of(&self, token: &Token) -> Option<&str> {
        known(&self.groups, &token.text).map(String::as_str)
    }

    /// The kinds of a word, by itself or without its ending.
    fn kinds_of(&self, token: &Token) -> Vec<&str> {
        if token.is(".!?;") {
            return vec![END];
        }
        if token.is_quote() {
            return vec!["Q"];
        }
        let known = known(&self.kinds, &token.text);
        let known = known.map(|kinds| kinds.iter().map(String::as_str).collect());
        known.unwrap_or_default()
    }
}

/// What stands for the end of a sentence.
const END: &str = "|";

/// What is known of a word, by itself or without its ending.
fn known<'a, T>(of: &'a HashMap<String, T>, word: &str) -> Option<&'a T> {
    of.get(word).or_else(|| {
        let endings = ["ing", "'s", "ed", "s", "d"];
        let stem = endings.iter().find_map(|ending| word.strip_suffix(ending));
        of.get(stem?)
    })
}

fn unpack(packed: &Packed) -> Result<Vec<f64>, String> {
    let bytes = STANDARD
        .decode(&packed.weights)
        .map_err(|error| error.to_string())?;
    if bytes.len() != BUCKETS {
        return Err(format!("expected {BUCKETS} weights, got {}", bytes.len()));
    }
    let weights = bytes.iter().map(|byte| f64::from(*byte as i8));
    Ok(weights.map(|weight| weight * packed.scale).collect())
}

/// Words of ASCII letters, digits and apostrophes, and marks.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut is_in_word = false;
    for (at, character) in text.chars().enumerate() {
        let character = match character {
            '\u{2019}' => '\'',
            other => other.to_lowercase().next().unwrap_or(other),
        };
        let is_word = matches!(character, 'a'..='z' | '0'..='9' | '\'');
        let is_mark = matches!(
            character,
            '.' | ',' | '!' | '?' | ';' | ':' | '"' | '\u{201c}' | '\u{201d}'
        );
        match tokens.last_mut() {
            Some(last) if is_word && is_in_word => {
                last.text.push(character);
                last.at[1] = at + 1;
            }
            _ if is_word || is_mark => tokens.push(Token {
                text: character.into(),
                at: [at, at + 1],
            }),
            _ => {}
        }
        is_in_word = is_word;
    }
    tokens
}

/// Every run of [`SENTENCES`] sentences; all of a short text. Marks alone belong to what is before.
fn stretches(tokens: &[Token]) -> Vec<[usize; 2]> {
    let (mut ends, mut start) = (Vec::new(), 0);
    for (at, token) in tokens.iter().enumerate() {
        if token.is(".!?;") || at + 1 == tokens.len() {
            let is_marks = |token: &Token| token.is(".,!?;:") || token.is_quote();
            if tokens[start..=at].iter().all(is_marks) && !ends.is_empty() {
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

fn words(tokens: &[Token]) -> impl Iterator<Item = Feature> + '_ {
    let one = tokens
        .iter()
        .enumerate()
        .map(|(at, token)| (0, bucket(&["w:", &token.text]), [at, at]));
    let two = tokens.windows(2).enumerate().map(|(at, pair)| {
        let parts = ["w:", &pair[0].text, "_", &pair[1].text];
        (0, bucket(&parts), [at, at + 1])
    });
    one.chain(two)
}

/// FNV-1a over the bytes of all parts.
fn bucket(parts: &[&str]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for byte in parts.iter().flat_map(|part| part.bytes()) {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    ((hash >> 16) ^ hash) & (BUCKETS as u32 - 1)
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
        let tokens = tokens("É “Don’t” — go2 now!");
        let found: Vec<(&str, Span)> = tokens.iter().map(|t| (&*t.text, t.at)).collect();
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
        let count = |text: &str| stretches(&tokens(text)).len();
        assert_eq!(count(""), 0);
        assert_eq!(count("One. Two? Three!!!"), 1);
        assert_eq!(count("One. Two? Three... Four"), 2);
        let second = shipped();
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
