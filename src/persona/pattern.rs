//! Patterns of safety rules: compiled for folded texts, and looked for in the sentences
//! that can hold them.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use assay_patterns::{Beside, Expression, Need, Needs, Sides, Text, TooManySteps, is_word, part};

use super::signals::{Span, sentences};
use crate::document::{Problems, Reader, Value};
use crate::text::{Folded, Scalars, Tree, fold, sort_by, sort_by_key, straighten};

/// Not a cut through a word: before or after the place stands no word character.
const EDGE: &str = r"(?:\b{start-half}|\b{end-half})";

/// A regular expression, in any case.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As typed.
    pub source: String,
    /// The pattern with the edges of words minded; of a built-in one once a text has what
    /// it needs.
    edged: OnceLock<Option<Expression>>,
    /// What a built-in one is made of.
    built_in: Option<BuiltIn>,
}

/// What is known of a built-in pattern before it is compiled.
#[derive(Clone, Debug)]
struct BuiltIn {
    blocks: Arc<Blocks>,
    needs: Needs,
    /// Its number among the built-in ones.
    number: usize,
}

impl Pattern {
    /// Compiles a pattern, or says why it is none.
    pub fn new(source: &str) -> Result<Self, String> {
        let pattern = fold_pattern(source)?;
        // by itself first: a message about what we put around it would only confuse
        let edged = Expression::new(&pattern)
            .and_then(|_| Expression::new(&with_edges(&pattern)))
            .map_err(|why| format!("not a regular expression: {why}"))?;
        Ok(Self {
            source: source.to_owned(),
            edged: OnceLock::from(Some(edged)),
            built_in: None,
        })
    }

    /// A built-in pattern of such blocks, compiled when it is first looked for.
    pub fn of_blocks(source: &str, blocks: &Arc<Blocks>) -> Result<Self, String> {
        Ok(Self {
            source: source.to_owned(),
            edged: OnceLock::new(),
            built_in: Some(BuiltIn {
                blocks: Arc::clone(blocks),
                needs: blocks.needs(source)?,
                number: usize::MAX,
            }),
        })
    }

    /// The compiled pattern; none of a built-in one that is wrong, which a test rules out.
    pub fn expression(&self) -> Option<&Expression> {
        let compile = |built_in: &BuiltIn| {
            let pattern = fold_pattern(&built_in.blocks.expand(&self.source)).ok()?;
            Expression::new(&with_edges(&pattern)).ok()
        };
        let compiled = self
            .edged
            .get_or_init(|| self.built_in.as_ref().and_then(compile));
        compiled.as_ref()
    }

    /// Bytes of memory that a user's pattern holds.
    pub fn memory_usage(&self) -> usize {
        match self.built_in {
            Some(_) => 0,
            None => self.expression().map_or(0, Expression::memory_usage),
        }
    }

    /// Its places in a text: in the whole text, or, of a built-in one, within sentences that
    /// can hold it, of all or of some.
    pub fn find(
        &self,
        text: &Searched,
        some: Option<&[Span]>,
        steps: &mut u64,
    ) -> Result<Vec<Span>, TooManySteps> {
        let everywhere = [Candidate {
            pattern: 0,
            window: [0, text.folded.text().len()],
            begins: None,
        }];
        let candidates = match &self.built_in {
            Some(known) => text.candidates_of(known.number..known.number + 1),
            None => &everywhere,
        };
        let (mut places, mut scalars) = (Vec::new(), Scalars::new(text.folded.text()));
        for Candidate { window, begins, .. } in candidates {
            if self.built_in.is_some()
                && some.is_some_and(|some| some.binary_search(window).is_err())
            {
                continue;
            }
            let Some(expression) = self.expression() else {
                break;
            };
            let stretch = &text.folded.text()[window[0]..window[1]];
            // of ours is known that they are small
            if self.built_in.is_some() && !expression.may_match(stretch, begins.as_deref()) {
                continue;
            }
            let found = expression.find(stretch, steps)?;
            let found = found.into_iter();
            places.extend(found.map(|place| place.map(|byte| scalars.at(window[0] + byte))));
        }
        Ok(places)
    }
}

fn with_edges(pattern: &str) -> String {
    format!("{EDGE}(?:{pattern}){EDGE}")
}

/// A response in the forms that rules look at; all have the same scalar values by number.
pub struct Searched<'a> {
    /// The folded text, in which patterns are looked for.
    pub folded: &'a Folded,
    pub sentences: Cow<'a, [Span]>,
    /// The sentences in bytes of the folded text.
    pub windows: Vec<Span>,
    /// The built-in patterns that windows can hold, in order.
    candidates: Vec<Candidate>,
}

impl<'a> Searched<'a> {
    /// A response and its folded form.
    pub fn new(text: &str, folded: &'a Folded, anchors: Option<&Anchors>) -> Self {
        let straight: Vec<char> = text.chars().map(straighten).collect();
        Self::with_sentences(sentences(&straight).into(), folded, anchors)
    }

    /// The same of a response whose sentences are known.
    pub fn with_sentences(
        sentences: Cow<'a, [Span]>,
        folded: &'a Folded,
        anchors: Option<&Anchors>,
    ) -> Self {
        let in_bytes = |sentence: &Span| sentence.map(|scalar| folded.byte(scalar));
        let windows: Vec<Span> = sentences.iter().map(in_bytes).collect();
        Self {
            candidates: anchors.map_or_else(Vec::new, |anchors| {
                anchors.candidates(folded, &sentences, &windows)
            }),
            windows,
            sentences,
            folded,
        }
    }

    /// The numbers of the built-in patterns that can stand in it, in order, some more than once.
    pub fn patterns(&self) -> impl Iterator<Item = usize> {
        self.candidates.iter().map(|one| one.pattern)
    }

    /// Those of the patterns of these numbers.
    fn candidates_of(&self, numbers: Range<usize>) -> &[Candidate] {
        let first = self
            .candidates
            .partition_point(|one| one.pattern < numbers.start);
        let behind = &self.candidates[first..];
        let count = behind.iter().take_while(|one| one.pattern < numbers.end);
        &behind[..count.count()]
    }

    /// Those of some patterns that can stand in it: a user's all can. Built-in ones have their numbers one behind
    /// the other.
    pub fn that_can_stand<'p>(&self, patterns: &'p [Pattern]) -> impl Iterator<Item = &'p Pattern> {
        let number = |pattern: &Pattern| pattern.built_in.as_ref().map(|known| known.number);
        let first = patterns.first().and_then(number);
        let candidates = first.map_or(&[][..], |first| {
            self.candidates_of(first..first + patterns.len())
        });
        // several sentences may hold a pattern
        let numbers = candidates.chunk_by(|one, other| one.pattern == other.pattern);
        let built_in = numbers.filter_map(move |same| patterns.get(same.first()?.pattern - first?));
        let own = if first.is_none() { patterns } else { &[] };
        own.iter().chain(built_in.collect::<Vec<_>>())
    }

    /// The windows of the sentences that one of these spans overlaps.
    pub fn windows_of(&self, spans: impl Iterator<Item = Span>) -> Vec<Span> {
        let mut numbers: Vec<usize> = spans
            .flat_map(|span| {
                let [first, end] = touched(&self.sentences, span);
                first..end
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
            .into_iter()
            .map(|number| self.windows[number])
            .collect()
    }
}

/// Parts of patterns by name, written `<name>` in a pattern and in later parts.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// By name: its number.
    numbers: HashMap<String, usize>,
    /// With the parts before them in the places of their names.
    texts: Vec<String>,
    needs: Vec<Needs>,
}

impl Blocks {
    /// Reads an object of patterns or lists of them, of which any may stand there.
    pub fn read(reader: Option<&Reader>, problems: &mut Problems) -> Self {
        let mut blocks = Self::default();
        for (entry, reader) in reader.into_iter().flat_map(|all| {
            let entries = all.entries().iter();
            entries.map(|entry| (entry, all.child(entry)))
        }) {
            let items = match reader.value() {
                Value::List(_) => reader.items().unwrap_or_default(),
                _ => vec![reader.clone()],
            };
            let mut parts = Vec::new();
            for item in &items {
                match item.as_str() {
                    Some(part) => parts.push(part),
                    None => item.expected("a part of a pattern", problems),
                }
            }
            blocks.add(&entry.key, &parts.join("|"), &reader, problems);
        }
        blocks
    }

    fn add(&mut self, name: &str, part: &str, reader: &Reader, problems: &mut Problems) {
        match self.needs(part) {
            Ok(needs) => {
                self.texts.push(format!("(?:{})", self.expand(part)));
                self.needs.push(needs);
                self.numbers.insert(name.to_owned(), self.needs.len() - 1);
            }
            Err(why) => {
                problems.error(reader, why);
            }
        }
    }

    /// A pattern with the blocks in the places of their names.
    fn expand(&self, pattern: &str) -> String {
        self.with(pattern, |number| {
            self.texts.get(number).cloned().unwrap_or_default()
        })
    }

    /// What every match of a pattern holds.
    fn needs(&self, pattern: &str) -> Result<Needs, String> {
        let pattern = fold_pattern(&self.with(pattern, part))?;
        assay_patterns::needs(&pattern, &self.needs)
    }

    /// A pattern with texts in the places of the blocks.
    fn with(&self, pattern: &str, text: impl Fn(usize) -> String) -> String {
        let (mut whole, mut rest) = (String::new(), pattern);
        while let Some((before, name)) = rest.split_once('<') {
            whole.push_str(before);
            let known = name.split_once('>');
            let known = known.and_then(|(name, rest)| Some((*self.numbers.get(name)?, rest)));
            if let Some((number, after)) = known {
                whole.push_str(&text(number));
                rest = after;
            } else {
                whole.push('<');
                rest = name;
            }
        }
        whole + rest
    }
}

/// The numbers of the sentences that a span overlaps, from the first to before the last.
pub fn touched(sentences: &[Span], span: Span) -> [usize; 2] {
    let first = sentences.partition_point(|sentence| sentence[1] <= span[0]);
    let end = sentences.partition_point(|sentence| sentence[0] < span[1]);
    [first, end.max(first)]
}

/// Shorter texts stand everywhere, but for those that begin words; in bytes.
const LEAST: usize = 3;

/// What stands beside a pattern: it stands between the edges of words.
const OUTSIDE: Sides = [Beside::NoWord; 2];

/// How many lists of texts are minded for each pattern.
const MOST_LISTS: usize = 4;

/// The texts that patterns need, to find at once which sentences can hold which pattern.
#[derive(Clone, Debug, Default)]
pub struct Anchors {
    /// Texts that begin where words begin.
    words: Tree,
    /// Those that may begin anywhere.
    others: Tree,
    /// By text.
    known: Vec<Anchor>,
    /// By pattern: its lists, whose texts stand one behind the other. Patterns share those of their blocks.
    patterns: Vec<Vec<usize>>,
    /// By list: the patterns of which it is the rarest.
    led: Vec<Vec<usize>>,
    /// By list: whether every match of its patterns begins with one of its texts.
    is_first: Vec<bool>,
    /// The patterns without a list.
    free: Vec<usize>,
}

/// A text that patterns need.
#[derive(Clone, Debug)]
struct Anchor {
    in_lists: Vec<InList>,
}

/// That a text stands in a list.
#[derive(Clone, Copy, Debug)]
struct InList {
    list: u32,
    /// Whether it begins and ends a word there.
    is_edge: [bool; 2],
    /// Whether every match of the list's patterns begins with one of its texts.
    is_first: bool,
}

impl InList {
    /// Whether a place is one of the list, where it is known whether it cuts a word before and behind.
    fn is_at(self, cuts_word: [bool; 2]) -> bool {
        !(0..2).any(|side| self.is_edge[side] && cuts_word[side])
    }
}

thread_local! {
    /// Kept from reply to reply, empty in between: there are many lists.
    static FOUND: RefCell<Found> = RefCell::default();
}

/// Where texts of lists stand in a sentence, in characters.
#[derive(Debug, Default)]
struct Found {
    /// By list: where the first text ends, and where the last one begins.
    places: Vec<[u32; 2]>,
    /// The lists that have a text there.
    lists: Vec<u32>,
    /// The lists that matches begin with, and where.
    begins: Vec<(u32, u32)>,
}

/// The places of a list that has no text there.
const NOWHERE: [u32; 2] = [u32::MAX, 0];

impl Found {
    /// Whether texts of lists can stand one behind the other.
    fn can_stand(&self, lists: &[usize]) -> bool {
        let mut end = 0;
        lists.iter().all(|list| {
            let [first_end, last_start] = self.places[*list];
            let is_behind = first_end != NOWHERE[0] && last_start >= end;
            end = end.max(first_end);
            is_behind
        })
    }

    fn forget(&mut self) {
        for list in self.lists.drain(..) {
            self.places[list as usize] = NOWHERE;
        }
        self.begins.clear();
    }
}

/// Where in a text a built-in pattern can stand.
#[derive(Debug)]
struct Candidate {
    /// Its number.
    pattern: usize,
    /// A sentence, in bytes.
    window: Span,
    /// Where it can begin in the window, in bytes, where that is known.
    begins: Option<Vec<usize>>,
}

impl Anchors {
    /// Of built-in patterns, which get their numbers in their order.
    pub fn new<'a>(patterns: impl Iterator<Item = &'a mut Pattern>) -> Self {
        let mut anchors = Self::default();
        // lists are told by their addresses, which are those of one as long as they are kept
        let (mut lists, mut numbers) = (Vec::new(), HashMap::new());
        for pattern in patterns {
            if let Some(known) = &mut pattern.built_in {
                known.number = anchors.patterns.len();
                let number = |need: Need| {
                    let key = (Arc::as_ptr(&need.list).addr(), need.sides);
                    *numbers.entry(key).or_insert_with(|| {
                        lists.push(need);
                        lists.len() - 1
                    })
                };
                let own = wanted(std::mem::take(&mut known.needs));
                let own: Vec<usize> = own.into_iter().map(number).collect();
                anchors.add(own, &lists);
            }
        }
        anchors.is_first = lists.iter().map(Need::is_first).collect();
        anchors.find_texts(&lists);
        anchors
    }

    /// Adds a pattern with the numbers of its lists.
    fn add(&mut self, own: Vec<usize>, lists: &[Need]) {
        self.led.resize(lists.len(), Vec::new());
        let frequency = |list: &usize| lists[*list].list.frequency;
        let rarest = own
            .iter()
            .min_by(|one, other| frequency(one).total_cmp(&frequency(other)));
        match rarest {
            Some(rarest) => self.led[*rarest].push(self.patterns.len()),
            None => self.free.push(self.patterns.len()),
        }
        self.patterns.push(own);
    }

    /// Makes the texts of all lists ready to be found.
    fn find_texts(&mut self, lists: &[Need]) {
        let mut known = HashMap::new();
        let mut phrases: Vec<Vec<char>> = Vec::new();
        for (list, need) in lists.iter().enumerate() {
            for text in need.texts(OUTSIDE) {
                let borders = [text.bytes.first(), text.bytes.last()];
                let is_edge = std::array::from_fn(|side| {
                    text.sides[side] == Beside::NoWord
                        && borders[side].is_some_and(|byte| is_word(*byte))
                });
                let place = *known.entry(text.bytes).or_insert_with_key(|bytes| {
                    let phrase: Vec<char> = String::from_utf8_lossy(bytes).chars().collect();
                    self.known.push(Anchor {
                        in_lists: Vec::new(),
                    });
                    phrases.push(phrase);
                    phrases.len() - 1
                });
                self.known[place].in_lists.push(InList {
                    list: list as u32,
                    is_edge,
                    is_first: self.is_first[list],
                });
            }
        }
        let begins_word = |text: &usize| {
            let mut in_lists = self.known[*text].in_lists.iter();
            in_lists.all(|one| one.is_edge[0])
        };
        let numbered = phrases.iter().map(Vec::as_slice).zip(0..);
        let (words, others): (Vec<_>, Vec<_>) = numbered.partition(|(_, text)| begins_word(text));
        self.words = Tree::new(words);
        self.others = Tree::new(others);
    }

    /// Where patterns can stand in sentences, those of a pattern together, in order: where their texts stand one
    /// behind the other.
    fn candidates(&self, folded: &Folded, sentences: &[Span], windows: &[Span]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let mut found = FOUND.take();
        found.places.resize(self.led.len(), NOWHERE);
        for (sentence, window) in sentences.iter().zip(windows) {
            self.look(folded, *sentence, &mut found);
            let led = found
                .lists
                .iter()
                .flat_map(|list| &self.led[*list as usize]);
            // in their order, so that those of one sentence need no sorting
            let mut standing = vec![0_u64; self.patterns.len().div_ceil(64)];
            for pattern in self.free.iter().chain(led) {
                if found.can_stand(&self.patterns[*pattern]) {
                    standing[pattern / 64] |= 1 << (pattern % 64);
                }
            }
            for (part, mut bits) in standing.into_iter().enumerate() {
                while bits != 0 {
                    let pattern = part * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let lists = &self.patterns[pattern];
                    let first = lists.first().filter(|first| self.is_first[**first]);
                    let begins = first.map(|first| {
                        let own = found
                            .begins
                            .iter()
                            .filter(|(list, _)| *list as usize == *first);
                        own.map(|(_, at)| folded.byte(*at as usize) - window[0])
                            .collect()
                    });
                    candidates.push(Candidate {
                        pattern,
                        window: *window,
                        begins,
                    });
                }
            }
            found.forget();
        }
        FOUND.set(found);
        sort_by_key(&mut candidates, |one| (one.pattern, one.window));
        candidates
    }

    /// Finds where the texts stand in a sentence.
    fn look(&self, folded: &Folded, [from, to]: Span, found: &mut Found) {
        let characters = &folded.characters()[..to];
        let mut tell = |text: usize, start: usize, end: usize| {
            let is_inside = |at: usize| {
                let character = characters.get(at);
                character.is_some_and(|c| u8::try_from(*c).is_ok_and(is_word))
            };
            let cuts_word = [start > from && is_inside(start - 1), is_inside(end)];
            for in_list in &self.known[text].in_lists {
                if !in_list.is_at(cuts_word) {
                    continue;
                }
                let [first_end, last_start] = &mut found.places[in_list.list as usize];
                if *first_end == NOWHERE[0] {
                    found.lists.push(in_list.list);
                }
                *first_end = (end as u32).min(*first_end);
                *last_start = (start as u32).max(*last_start);
                if in_list.is_first {
                    found.begins.push((in_list.list, start as u32));
                }
            }
        };
        let starts = folded.word_starts();
        let [first, end] =
            [from, to].map(|place| starts.partition_point(|start| (*start as usize) < place));
        for at in starts[first..end].iter().map(|at| *at as usize) {
            self.words
                .each_at(characters, at, |text, end| tell(text, at, end));
        }
        self.others.each(characters, from..to, tell);
    }
}

/// The lists that tell most of where a pattern can stand, in their order.
fn wanted(needs: Needs) -> Vec<Need> {
    let is_rare = |text: &Text| {
        let begins_word = text.sides[0] == Beside::NoWord
            && text.bytes.first().is_some_and(|byte| is_word(*byte));
        text.bytes.len() >= LEAST || begins_word
    };
    let are_rare = |need: &Need| need.texts(OUTSIDE).all(|text| is_rare(&text));
    let rare = needs.lists.into_iter().filter(are_rare);
    let mut wanted: Vec<(usize, Need)> = rare.enumerate().collect();
    // what stands in most texts tells little, but for where a match begins
    if wanted.iter().any(|(_, need)| !need.list.is_common) {
        wanted.retain(|(_, need)| !need.list.is_common || need.is_first());
    }
    sort_by(&mut wanted, |(_, one), (_, other)| {
        one.list.frequency.total_cmp(&other.list.frequency)
    });
    wanted.truncate(MOST_LISTS);
    sort_by_key(&mut wanted, |(at, _)| *at);
    wanted.into_iter().map(|(_, need)| need).collect()
}

/// A pattern that finds in a folded text what the given one finds in any case.
/// Letters are folded; escapes stay as they are; the flag `i` is dropped, because
/// without the Unicode tables for it (a twentieth of the page) the library refuses it.
fn fold_pattern(pattern: &str) -> Result<String, &'static str> {
    let mut folded = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(character) = rest.next() {
        match (character, rest.peek()) {
            ('\\', Some('p' | 'P')) => {
                return Err(
                    r"Unicode classes (\p) are not supported; \w matches the letters of every script",
                );
            }
            ('\\', _) => {
                folded.push(character);
                folded.extend(rest.next());
            }
            ('(', Some('?')) => {
                let head: String = std::iter::from_fn(|| {
                    rest.next_if(|c| *c == '?' || *c == '-' || c.is_ascii_alphabetic())
                })
                .collect();
                folded.push('(');
                // `(?<name>` and `(?P<name>` are no flags
                if matches!(rest.peek(), Some(':' | ')')) {
                    let flags = head.replace('i', "");
                    folded.push_str(flags.strip_suffix('-').unwrap_or(&flags));
                } else {
                    folded.push_str(&head);
                }
                if folded.ends_with("(?") && rest.peek() == Some(&')') {
                    folded.truncate(folded.len() - 2);
                    rest.next();
                }
            }
            _ => folded.push(fold(character)),
        }
    }
    Ok(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_their_text_in_any_case() {
        for (pattern, text, found) in [
            ("Straße|ÉTÉ", "STRAßE", true),
            ("Straße|ÉTÉ", "l'été", true),
            ("(?i)Stop(?-i: It)", "STOP IT", true),
            ("(?i)", "anything", false),
            (r"[A-F]{2}\W", "ab!", true),
            ("(?P<Word>Buy) NOW", "buy now", true),
            (r"\S+ Now", "buy now", true),
            ("страх", "Страх и ужас", true),
        ] {
            let folded = fold_pattern(pattern).expect("supported");
            let text: String = text.chars().map(fold).collect();
            let expression = Expression::new(&folded).expect(pattern);
            assert_eq!(
                expression.find(&text, &mut 100_000) != Ok(Vec::new()),
                found,
                "{pattern} as {folded} in {text}"
            );
        }
        assert!(fold_pattern(r"\p{L}+").is_err());
    }
}
