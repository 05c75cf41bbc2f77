//! Patterns of safety rules: compiled for folded texts, and looked for in the sentences
//! that can hold them.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use assay_patterns::{
    Beside, Expression, Need, Needs, OneOf, Sides, Text, TooManySteps, is_word, part,
};
use rustc_hash::FxHashMap;

use super::signals::{Span, sentences};
use crate::document::{Problems, Reader, Value};
use crate::text::{
    Folded, FreeTree, Scalars, WordTree, each_bit, fold, sort_by, sort_by_key, straighten,
};

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
        let whole = text.folded.text();
        let (mut places, mut scalars) = (Vec::new(), Scalars::new(whole));
        let mut find = |expression: &Expression, [start, end]: Span| {
            let found = expression.find(&whole[start..end], steps)?.into_iter();
            places.extend(found.map(|place| place.map(|byte| scalars.at(start + byte))));
            Ok(())
        };
        let Some(known) = &self.built_in else {
            if let Some(expression) = self.expression() {
                find(expression, [0, whole.len()])?;
            }
            return Ok(places);
        };
        for candidate in text.candidates_of(known.number..known.number + 1) {
            let window = text.windows[candidate.window as usize];
            if some.is_some_and(|some| some.binary_search(&window).is_err()) {
                continue;
            }
            let Some(expression) = self.expression() else {
                break;
            };
            let begins: Option<Vec<usize>> = candidate.begins.map(|last| {
                let places = text.begins(last);
                places.map(|place| place - window[0]).collect()
            });
            // of ours is known that they are small
            if expression.may_match(&whole[window[0]..window[1]], begins.as_deref()) {
                find(expression, window)?;
            }
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
    /// Where they can begin.
    begins: Vec<Begin>,
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
        let (candidates, begins) = anchors
            .map(|anchors| anchors.candidates(folded, &sentences))
            .unwrap_or_default();
        Self {
            folded,
            sentences,
            windows,
            candidates,
            begins,
        }
    }

    /// The numbers of the built-in patterns that can stand in it, in order, some more than once.
    pub fn patterns(&self) -> impl Iterator<Item = usize> {
        self.candidates.iter().map(|one| one.pattern as usize)
    }

    /// The places where a pattern can begin, by the last of them, in bytes of the folded text.
    fn begins(&self, last: Behind) -> impl Iterator<Item = usize> {
        let at = |number: Behind| self.begins[number.get() as usize - 1];
        let places = std::iter::successors(Some(at(last)), move |begin| begin.before.map(at));
        places.map(|begin| self.folded.byte(begin.at as usize))
    }

    /// Those of the patterns of these numbers.
    fn candidates_of(&self, numbers: Range<usize>) -> &[Candidate] {
        let first = self
            .candidates
            .partition_point(|one| (one.pattern as usize) < numbers.start);
        let behind = &self.candidates[first..];
        let count = behind
            .iter()
            .take_while(|one| (one.pattern as usize) < numbers.end);
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
        let built_in =
            numbers.filter_map(move |same| patterns.get(same.first()?.pattern as usize - first?));
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

/// Shorter texts stand everywhere, but for those that begin words and digits; in bytes.
const LEAST: usize = 3;

/// What stands beside a pattern: it stands between the edges of words.
const OUTSIDE: Sides = [Beside::NoWord; 2];

/// How many lists of texts are minded for each pattern.
const MOST_LISTS: usize = 4;

/// The texts that patterns need, to find at once which sentences can hold which pattern.
#[derive(Clone, Debug, Default)]
pub struct Anchors {
    /// Texts that begin where words begin.
    words: WordTree,
    /// Those that may begin anywhere.
    others: FreeTree,
    /// Digits, by their value: their texts.
    digits: [Option<u32>; 10],
    /// The lists that texts stand in, those of a text together.
    known: Vec<InLists>,
    /// By text: where its lists begin; one more tells where those of the last end.
    known_of: Vec<u32>,
    /// The ways in which patterns can match, those of a pattern together.
    ways: Vec<Way>,
    /// By list: the ways of which it is the rarest.
    led: Vec<Vec<u32>>,
    /// The lists that are the rarest of any: a bit for each.
    leading: Vec<u64>,
    /// The lists of which every match of their patterns begins with a text: a bit for each.
    first: Vec<u64>,
    /// The lists in the place of whose texts a character beyond ASCII may stand: a bit for each.
    beyond: Vec<u64>,
    /// The ways without a list.
    free: Vec<u32>,
}

/// A way in which a pattern can match.
#[derive(Clone, Copy, Debug)]
struct Way {
    pattern: u32,
    /// How many of the lists are its own.
    count: u32,
    /// Lists whose texts stand one behind the other. Patterns share those of their blocks.
    lists: [u32; MOST_LISTS],
}

impl Way {
    /// With the numbers of no more than so many lists.
    fn new(pattern: usize, own: &[u32]) -> Self {
        let mut lists = [0; MOST_LISTS];
        lists[..own.len()].copy_from_slice(own);
        Self {
            pattern: pattern as u32,
            count: own.len() as u32,
            lists,
        }
    }

    fn lists(&self) -> &[u32] {
        &self.lists[..self.count as usize]
    }
}

/// That a text stands in lists, in each with the same edges.
#[derive(Clone, Copy, Debug)]
struct InLists {
    /// A bit for each, from 64 times `part` on.
    lists: u64,
    part: u32,
    /// Where it begins and ends a word there.
    edges: Edges,
}

/// What is asked of the sides of a text, or not so there: a bit each.
type Edges = u8;
/// A word begins with it.
const BEFORE: Edges = 1;
/// A word ends with it.
const BEHIND: Edges = 2;
/// A space stands before it, and belongs to it.
const BEHIND_SPACE: Edges = 4;

/// How a text is looked for: in UTF-8, without the space before a word, so that it begins where words begin.
fn as_found(Text { bytes, sides }: Text) -> (Box<[u8]>, Edges) {
    let is_edge = |side: usize, byte: Option<&u8>| {
        sides[side] == Beside::NoWord && byte.is_some_and(|byte| is_word(*byte))
    };
    let mut edges = 0;
    if is_edge(0, bytes.first()) {
        edges |= BEFORE;
    }
    if is_edge(1, bytes.last()) {
        edges |= BEHIND;
    }
    match &*bytes {
        [b' ', word @ ..] if word.first().is_some_and(|byte| may_begin_word(*byte)) => {
            (word.into(), edges | BEHIND_SPACE)
        }
        _ => (bytes, edges),
    }
}

/// Whether a word may begin with a byte that none of a word stands before, as [`Folded::word_starts`] has it.
fn may_begin_word(byte: u8) -> bool {
    is_word(byte) || !byte.is_ascii()
}

thread_local! {
    /// Kept from reply to reply, empty in between: there are many lists.
    static FOUND: RefCell<Found> = RefCell::default();
}

/// Where texts of lists stand in a sentence, in characters.
#[derive(Debug, Default)]
struct Found {
    /// By list.
    places: Vec<Stands>,
    /// Those that have a place.
    lists: Vec<u32>,
    /// The texts that stand there.
    texts: Vec<Place>,
    /// The lists that have a text there: a bit for each, as in the next two.
    present: Vec<u64>,
    /// The lists of the ways all of whose lists have one.
    wanted: Vec<u64>,
    /// The ways that can stand there.
    standing: Vec<u64>,
}

/// Sets the bit of a number.
#[inline]
fn put(bits: &mut [u64], number: u32) {
    bits[number as usize / 64] |= 1 << (number % 64);
}

/// Whether it is set.
#[inline]
fn is_in(bits: &[u64], number: u32) -> bool {
    bits[number as usize / 64] >> (number % 64) & 1 == 1
}

/// Where a text stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    text: u32,
    start: u32,
    end: u32,
    /// What is not so at its sides.
    missing: Edges,
}

/// Where texts of a list stand.
#[derive(Clone, Copy, Debug)]
struct Stands {
    /// Where the first ends.
    first_end: u32,
    /// Where the last begins.
    last_start: u32,
    /// The same among all beginnings, of a list that matches begin with.
    begins: Option<Behind>,
}

/// Of a list that has no text there.
const NOWHERE: Stands = Stands {
    first_end: u32::MAX,
    last_start: 0,
    begins: None,
};

impl Found {
    /// Whether texts of lists can stand one behind the other.
    fn can_stand(&self, lists: &[u32]) -> bool {
        let mut end = 0;
        lists.iter().all(|list| {
            let own = self.places[*list as usize];
            let is_behind = own.first_end != NOWHERE.first_end && own.last_start >= end;
            end = end.max(own.first_end);
            is_behind
        })
    }

    /// Notes that a text of a list stands there; `begins` where matches begin with it.
    #[inline]
    fn note(&mut self, list: u32, [start, end]: [u32; 2], begins: Option<&mut Vec<Begin>>) {
        let own = &mut self.places[list as usize];
        if own.first_end == NOWHERE.first_end {
            self.lists.push(list);
        }
        own.first_end = end.min(own.first_end);
        own.last_start = start.max(own.last_start);
        if let Some(begins) = begins {
            begins.push(Begin {
                at: start,
                before: own.begins,
            });
            own.begins = Behind::new(begins.len() as u32);
        }
    }

    /// Notes of lists that a text of theirs may stand anywhere.
    fn stand_anywhere(&mut self, lists: &[u64]) {
        for (part, bits) in lists.iter().enumerate() {
            each_bit(*bits & self.wanted[part], |bit| {
                let list = part * 64 + bit;
                if self.places[list].first_end == NOWHERE.first_end {
                    self.lists.push(list as u32);
                }
                (self.places[list].first_end, self.places[list].last_start) = (0, u32::MAX);
            });
        }
    }

    fn forget(&mut self) {
        self.texts.clear();
        for list in self.lists.drain(..) {
            self.places[list as usize] = NOWHERE;
        }
    }
}

/// Where in a text a built-in pattern can stand.
#[derive(Debug)]
struct Candidate {
    /// Its number.
    pattern: u32,
    /// The number of a sentence.
    window: u32,
    /// The last place where it can begin there, where those are known.
    begins: Option<Behind>,
}

/// Where a match can begin.
#[derive(Clone, Copy, Debug)]
struct Begin {
    /// In characters of the text.
    at: u32,
    /// The place before it where patterns of the same list can begin.
    before: Option<Behind>,
}

/// The number of a place where matches can begin, from 1 on: so that none takes no more room.
type Behind = NonZeroU32;

/// A list of texts as it is looked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct List {
    texts: Vec<(Box<[u8]>, Edges)>,
    /// Whether every match of the list's patterns begins with one of its texts.
    is_first: bool,
    /// Whether a character beyond ASCII may stand in the place of its texts.
    or_beyond: bool,
}

/// A text with the lists that it stands in, and its edges there.
struct Listed {
    phrase: Vec<char>,
    lists: Vec<(u32, Edges)>,
}

/// Lists while they get their numbers.
#[derive(Default)]
struct Lists {
    /// By number, with how often a text of each stands somewhere.
    all: Vec<(List, f64)>,
    /// By what is shared, which is told by its address as long as it is kept.
    shared: FxHashMap<(usize, Sides), (Arc<OneOf>, u32)>,
    numbers: FxHashMap<List, u32>,
}

impl Lists {
    /// The number of a list; the same for the same texts.
    fn number(&mut self, need: &Need) -> u32 {
        let key = (Arc::as_ptr(&need.list).addr(), need.sides);
        if let Some((_, number)) = self.shared.get(&key) {
            return *number;
        }
        let list = List {
            texts: need.texts(OUTSIDE).map(as_found).collect(),
            is_first: need.is_first(),
            or_beyond: need.list.or_beyond,
        };
        let number = self.all.len() as u32;
        let number = *self.numbers.entry(list).or_insert_with_key(|list| {
            self.all.push((list.clone(), need.list.frequency));
            number
        });
        self.shared.insert(key, (Arc::clone(&need.list), number));
        number
    }

    /// The texts of all.
    fn texts(&self) -> Vec<Listed> {
        let mut known = FxHashMap::default();
        let mut texts = Vec::<Listed>::new();
        for (number, (list, _)) in (0..).zip(&self.all) {
            for (bytes, edges) in &list.texts {
                let text = *known.entry(bytes).or_insert_with(|| {
                    let phrase = String::from_utf8_lossy(bytes).chars().collect();
                    texts.push(Listed {
                        phrase,
                        lists: Vec::new(),
                    });
                    texts.len() - 1
                });
                texts[text].lists.push((number, *edges));
            }
        }
        texts
    }

    /// Gives them new numbers, so that those of a text are near each other: first of those that stand in most.
    fn put_together(&mut self, texts: &mut [Listed], ways: &mut [Way]) {
        let mut crowded: Vec<&Listed> = texts.iter().collect();
        sort_by_key(&mut crowded, |text| std::cmp::Reverse(text.lists.len()));
        let mut numbers = vec![None; self.all.len()];
        let mut order = Vec::with_capacity(self.all.len());
        for (list, _) in crowded.iter().flat_map(|text| &text.lists) {
            numbers[*list as usize].get_or_insert_with(|| {
                order.push(*list);
                order.len() as u32 - 1
            });
        }
        // every list has a text
        let number = |list: &mut u32| *list = numbers[*list as usize].unwrap_or_default();
        let in_lists = texts.iter_mut().flat_map(|text| &mut text.lists);
        in_lists.for_each(|(list, _)| number(list));
        for way in ways {
            way.lists[..way.count as usize].iter_mut().for_each(number);
        }
        let all = order.iter().map(|list| self.all[*list as usize].clone());
        self.all = all.collect();
    }
}

impl Anchors {
    /// Of built-in patterns, which get their numbers in their order.
    pub fn new<'a>(patterns: impl Iterator<Item = &'a mut Pattern>) -> Self {
        let (mut lists, mut all_ways) = (Lists::default(), Vec::new());
        let built_in = patterns.filter_map(|pattern| pattern.built_in.as_mut());
        for (pattern, known) in built_in.enumerate() {
            known.number = pattern;
            for way in ways(std::mem::take(&mut known.needs)) {
                let own: Vec<u32> = way.iter().map(|need| lists.number(need)).collect();
                all_ways.push(Way::new(pattern, &own));
            }
        }
        let mut texts = lists.texts();
        lists.put_together(&mut texts, &mut all_ways);
        let mut anchors = Self::default();
        anchors.led.resize(lists.all.len(), Vec::new());
        for (number, way) in (0..).zip(&all_ways) {
            let frequency = |list: &u32| lists.all[*list as usize].1;
            let own = way.lists().iter();
            let rarest = own.min_by(|one, other| frequency(one).total_cmp(&frequency(other)));
            match rarest {
                Some(rarest) => anchors.led[*rarest as usize].push(number),
                None => anchors.free.push(number),
            }
        }
        anchors.ways = all_ways;
        anchors.mark(&lists);
        anchors.find_texts(&texts);
        anchors
    }

    /// Notes of what kind lists are.
    fn mark(&mut self, lists: &Lists) {
        for bits in [&mut self.leading, &mut self.beyond, &mut self.first] {
            bits.resize(lists.all.len().div_ceil(64), 0);
        }
        for (number, (list, _)) in (0..).zip(&lists.all) {
            if !self.led[number as usize].is_empty() {
                put(&mut self.leading, number);
            }
            if list.or_beyond {
                put(&mut self.beyond, number);
            }
            if list.is_first {
                put(&mut self.first, number);
            }
        }
    }

    /// Makes texts ready to be found.
    fn find_texts(&mut self, texts: &[Listed]) {
        let are_all = |text: usize, edges: Edges| {
            let mut all = texts[text].lists.iter();
            all.all(|(_, own)| own & edges != 0)
        };
        let phrases = texts.iter().map(|text| text.phrase.as_slice());
        let mut numbered: Vec<(&[char], usize)> = phrases.zip(0..).collect();
        numbered.retain(|(phrase, text)| match phrase {
            [digit] if digit.is_ascii_digit() => {
                self.digits[value_of(*digit)] = Some(*text as u32);
                false
            }
            _ => true,
        });
        let (begin_words, others): (Vec<_>, Vec<_>) = numbered
            .into_iter()
            .partition(|(_, text)| are_all(*text, BEFORE | BEHIND_SPACE));
        let ends_anywhere = |phrase: &[char]| {
            let last = phrase.last();
            last.is_some_and(|last| u8::try_from(*last).is_ok_and(is_word))
        };
        let (stems, words): (Vec<_>, Vec<_>) = begin_words
            .into_iter()
            .partition(|(phrase, text)| ends_anywhere(phrase) && !are_all(*text, BEHIND));
        self.words = WordTree::new(words, stems);
        self.others = FreeTree::new(others);
        for text in texts {
            self.known_of.push(self.known.len() as u32);
            let mut own = BTreeMap::<(u32, Edges), u64>::new();
            for (list, edges) in &text.lists {
                *own.entry((list / 64, *edges)).or_default() |= 1 << (list % 64);
            }
            let own = own.into_iter();
            self.known
                .extend(own.map(|((part, edges), lists)| InLists { lists, part, edges }));
        }
        self.known_of.push(self.known.len() as u32);
    }

    /// The lists that a text stands in.
    #[inline]
    fn lists_of(&self, text: u32) -> &[InLists] {
        let text = text as usize;
        &self.known[self.known_of[text] as usize..self.known_of[text + 1] as usize]
    }

    /// Where patterns can stand in sentences, those of a pattern together, in order: where their texts stand one
    /// behind the other.
    fn candidates(&self, folded: &Folded, sentences: &[Span]) -> (Vec<Candidate>, Vec<Begin>) {
        let (mut candidates, mut begins) = (Vec::new(), Vec::new());
        let mut found = FOUND.take();
        found.places.resize(self.led.len(), NOWHERE);
        for lists in [&mut found.present, &mut found.wanted] {
            lists.resize(self.leading.len(), 0);
        }
        found.standing.resize(self.ways.len().div_ceil(64), 0);
        for (window, sentence) in sentences.iter().enumerate() {
            self.look(folded, *sentence, &mut found.texts);
            let [from, to] = *sentence;
            let is_beyond = folded.byte(to) - folded.byte(from) > to - from;
            self.tell(is_beyond, &mut found, &mut begins);
            self.stand(window, &mut found, &mut candidates);
            found.forget();
        }
        FOUND.set(found);
        if sentences.len() > 1 {
            sort_by_key(&mut candidates, |one| (one.pattern, one.window));
        }
        (candidates, begins)
    }

    /// Adds the patterns that can stand in a sentence, in their order.
    fn stand(&self, window: usize, found: &mut Found, candidates: &mut Vec<Candidate>) {
        let lists = found.lists.iter();
        let led = lists.flat_map(|list| &self.led[*list as usize]);
        for way in self.free.iter().chain(led) {
            if found.can_stand(self.ways[*way as usize].lists()) {
                put(&mut found.standing, *way);
            }
        }
        let window = window as u32;
        for (part, bits) in found.standing.iter_mut().enumerate() {
            each_bit(std::mem::take(bits), |bit| {
                let way = &self.ways[part * 64 + bit];
                let first = way.lists().first();
                let begins = first.and_then(|first| found.places[*first as usize].begins);
                match candidates.last_mut() {
                    // in several ways: it is looked for from everywhere
                    Some(last) if (last.pattern, last.window) == (way.pattern, window) => {
                        last.begins = None;
                    }
                    _ => candidates.push(Candidate {
                        pattern: way.pattern,
                        window,
                        begins,
                    }),
                }
            });
        }
    }

    /// Tells where texts stand in a sentence, of the lists of ways all of whose lists have one there.
    fn tell(&self, is_beyond: bool, found: &mut Found, begins: &mut Vec<Begin>) {
        let texts = std::mem::take(&mut found.texts);
        found.present.fill(0);
        if is_beyond {
            found.present.copy_from_slice(&self.beyond);
        }
        for place in &texts {
            for own in self.lists_of(place.text) {
                // without a branch: it could as well be either
                let is_there = u64::from(own.edges & place.missing == 0);
                found.present[own.part as usize] |= own.lists * is_there;
            }
        }
        let Found {
            present, wanted, ..
        } = found;
        wanted.fill(0);
        for (part, leading) in self.leading.iter().enumerate() {
            each_bit(present[part] & leading, |bit| {
                for way in &self.led[part * 64 + bit] {
                    let lists = self.ways[*way as usize].lists();
                    let are_present = lists.iter().all(|list| is_in(present, *list));
                    if are_present {
                        for list in lists {
                            put(wanted, *list);
                        }
                    }
                }
            });
        }
        for place in &texts {
            for own in self.lists_of(place.text) {
                let wanted = found.wanted[own.part as usize] & own.lists;
                if wanted == 0 || own.edges & place.missing != 0 {
                    continue;
                }
                let start = place.start - u32::from(own.edges & BEHIND_SPACE != 0);
                each_bit(wanted, |bit| {
                    let list = own.part * 64 + bit as u32;
                    let begins = is_in(&self.first, list).then_some(&mut *begins);
                    found.note(list, [start, place.end], begins);
                });
            }
        }
        if is_beyond {
            found.stand_anywhere(&self.beyond);
        }
        found.texts = texts;
    }

    /// Finds where the texts stand in a sentence.
    fn look(&self, folded: &Folded, [from, to]: Span, texts: &mut Vec<Place>) {
        let characters = &folded.characters()[..to];
        let mut tell = |text: usize, start: usize, end: usize| {
            let is_of_word = |c: &char| u8::try_from(*c).is_ok_and(is_word);
            let before = (start > from).then(|| characters[start - 1]);
            let mut missing = 0;
            if before.is_some_and(|c| is_of_word(&c)) {
                missing |= BEFORE;
            }
            if characters.get(end).is_some_and(is_of_word) {
                missing |= BEHIND;
            }
            if before != Some(' ') {
                missing |= BEHIND_SPACE;
            }
            texts.push(Place {
                text: text as u32,
                start: start as u32,
                end: end as u32,
                missing,
            });
        };
        let starts = folded.word_starts();
        let [first, end] =
            [from, to].map(|place| starts.partition_point(|start| (start.at as usize) < place));
        for start in &starts[first..end] {
            let at = start.at as usize;
            let words = &self.words;
            words.each_at(characters, start, |text, end| tell(text, at, end));
        }
        // most texts have none
        let bytes = &folded.text().as_bytes()[folded.byte(from)..folded.byte(to)];
        let has_digit = |found: bool, byte: &u8| found | byte.is_ascii_digit();
        if bytes.iter().fold(false, has_digit) {
            for (at, digit) in (from..).zip(&characters[from..]) {
                if digit.is_ascii_digit()
                    && let Some(text) = self.digits[value_of(*digit)]
                {
                    tell(text as usize, at, at + 1);
                }
            }
        }
        self.others.each(characters, from..to, tell);
    }
}

/// The value of a digit.
fn value_of(digit: char) -> usize {
    digit as usize - '0' as usize
}

/// The lists that tell most of where a pattern can stand, of each of its ways where each has some.
fn ways(needs: Needs) -> Vec<Vec<Need>> {
    let ways: Vec<Vec<Need>> = needs.ways.into_iter().map(wanted).collect();
    if ways.is_empty() || ways.iter().any(Vec::is_empty) {
        return vec![wanted(needs.lists)];
    }
    ways
}

/// The lists that tell most, in their order.
fn wanted(lists: Vec<Need>) -> Vec<Need> {
    let is_rare = |text: &Text| {
        let begins_word = text.sides[0] == Beside::NoWord
            && text.bytes.first().is_some_and(|byte| is_word(*byte));
        let is_digit = matches!(*text.bytes, [b'0'..=b'9']);
        text.bytes.len() >= LEAST || begins_word || is_digit
    };
    let are_rare = |need: &Need| need.texts(OUTSIDE).all(|text| is_rare(&text));
    let rare = lists.into_iter().filter(are_rare);
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

    #[cfg(not(target_arch = "wasm32"))]
    mod as_the_rule_says {
        use super::super::*;
        use proptest::prelude::*;

        /// With what they need at edges of words, behind spaces and inside words, alone and one behind the other.
        const PATTERNS: [&str; 14] = [
            "a good|you \\w+ kill",
            "(?:a good|you \\w+ kill) \\d",
            "(?:buy \\w+ you|)good",
            "(?:a|(buy (?:good|you)|kill \\d)) you",
            "you (?:kill|[é1])",
            "(?:you|\\d+) ?good",
            "(?:buy|sell) good \\w+",
            "a good|buying",
            "(?:kill|é)(?:ing)? you",
            "\\w+ing (?:good|you)",
            "(?:a|you) (?:.* )?kill",
            "buy.*buy",
            "a\\b.*é",
            "\\w+",
        ];

        proptest! {
            #[test]
            fn where_texts_stand_leaves_out_no_match(
                words in prop::collection::vec(
                    prop::sample::select(&["a", "good", "goods", "buy", "buying", "kill", "you", "é", "éing", "'", "1", "x2"][..]),
                    1..9,
                ),
                end in prop::sample::select(&["", ".", ". Buy good a", "! A buy buy"][..]),
            ) {
                let text = words.join(" ") + end;
                let folded = Folded::new(&text);
                let blocks = Arc::default();
                let mut patterns = PATTERNS.map(|one| Pattern::of_blocks(one, &blocks).expect(one));
                let anchors = Anchors::new(patterns.iter_mut());
                let searched = Searched::new(&text, &folded, Some(&anchors));
                for pattern in &patterns {
                    let own = Pattern::new(&pattern.source).expect("a pattern");
                    let mut expected = Vec::new();
                    for sentence in &*searched.sentences {
                        let alone = Folded::new(folded.stretch(*sentence));
                        let alone = Searched::new(folded.stretch(*sentence), &alone, None);
                        let found = own.find(&alone, None, &mut u64::MAX.clone());
                        let found = found.expect("few steps").into_iter();
                        expected.extend(found.map(|span| span.map(|at| at + sentence[0])));
                    }
                    prop_assert_eq!(pattern.find(&searched, None, &mut u64::MAX.clone()), Ok(expected), "{}", pattern.source);
                }
            }
        }
    }
}
