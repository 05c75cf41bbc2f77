//! Patterns of safety rules: compiled for folded texts, and looked for in the sentences
//! that can hold them.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use assay_patterns::{Expression, Needs, Texts, TooManySteps, part};

use super::signals::{Span, sentences};
use crate::document::{Problems, Reader, Value};
use crate::text::{Automaton, Folded, Scalars, fold, scalar_starts, straighten};

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
        let everywhere = [[0, text.lower.len()]];
        let windows = match &self.built_in {
            Some(known) => text
                .candidates
                .get(known.number)
                .map_or(&[][..], Vec::as_slice),
            None => &everywhere,
        };
        let (mut places, mut scalars) = (Vec::new(), Scalars::new(&text.lower));
        for window in windows {
            if self.built_in.is_some()
                && some.is_some_and(|some| some.binary_search(window).is_err())
            {
                continue;
            }
            let Some(expression) = self.expression() else {
                break;
            };
            let stretch = &text.lower[window[0]..window[1]];
            // of ours is known that they are small
            if self.built_in.is_some() && !expression.may_match(stretch) {
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
    pub lower: String,
    pub folded: &'a Folded,
    pub sentences: Vec<Span>,
    /// The sentences in bytes of the folded text.
    pub windows: Vec<Span>,
    /// By the number of a built-in pattern: the windows that can hold it.
    candidates: Vec<Vec<Span>>,
}

impl<'a> Searched<'a> {
    /// A response and its folded form.
    pub fn new(text: &str, folded: &'a Folded, anchors: Option<&Anchors>) -> Self {
        let straight: Vec<char> = text.chars().map(straighten).collect();
        let lower: String = folded.characters().iter().collect();
        let sentences = sentences(&straight);
        let starts = scalar_starts(&lower);
        let in_bytes = |sentence: &Span| sentence.map(|scalar| starts[scalar]);
        let windows: Vec<Span> = sentences.iter().map(in_bytes).collect();
        Self {
            candidates: anchors.map_or_else(Vec::new, |anchors| {
                anchors.windows(folded.characters(), &sentences, &windows)
            }),
            windows,
            sentences,
            lower,
            folded,
        }
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

/// Shorter texts stand everywhere, in bytes.
const LEAST: usize = 3;

/// How many lists of texts are minded for each pattern.
const MOST_LISTS: usize = 8;

/// The texts that patterns need, to find in one pass which sentences can hold which pattern.
#[derive(Clone, Debug, Default)]
pub struct Anchors {
    texts: Automaton,
    /// By text: the numbers of its lists.
    lists_of: Vec<Vec<usize>>,
    /// The lists. Patterns share those of their blocks.
    lists: Vec<Texts>,
    /// By pattern: its lists.
    patterns: Vec<Vec<usize>>,
    /// By list: the patterns of which it is the first.
    led: Vec<Vec<usize>>,
    /// The patterns without a list.
    free: Vec<usize>,
}

impl Anchors {
    /// Of built-in patterns, which get their numbers in their order.
    pub fn new<'a>(patterns: impl Iterator<Item = &'a mut Pattern>) -> Self {
        let mut anchors = Self::default();
        // by the address of a list, which is that of one as long as the list is kept: its number
        let mut numbers = HashMap::new();
        for pattern in patterns {
            if let Some(known) = &mut pattern.built_in {
                known.number = anchors.patterns.len();
                anchors.add(std::mem::take(&mut known.needs), &mut numbers);
            }
        }
        anchors.find_texts();
        anchors
    }

    /// Adds the lists of a pattern.
    fn add(&mut self, needs: Needs, numbers: &mut HashMap<usize, usize>) {
        let is_long = |texts: &Texts| texts.iter().all(|text| text.len() >= LEAST);
        let long = needs.into_iter().filter(is_long).take(MOST_LISTS);
        let lists = long.map(|texts| {
            let address = Arc::as_ptr(&texts).cast::<u8>().addr();
            *numbers.entry(address).or_insert_with(|| {
                self.lists.push(texts);
                self.lists.len() - 1
            })
        });
        let lists: Vec<usize> = lists.collect();
        self.led.resize(self.lists.len(), Vec::new());
        match lists.first() {
            Some(first) => self.led[*first].push(self.patterns.len()),
            None => self.free.push(self.patterns.len()),
        }
        self.patterns.push(lists);
    }

    /// Makes the texts of all lists ready to be found.
    fn find_texts(&mut self) {
        let mut known = HashMap::new();
        let mut phrases = Vec::new();
        for (number, list) in self.lists.iter().enumerate() {
            for text in list.iter() {
                let text = String::from_utf8_lossy(text);
                let place = *known.entry(text.clone()).or_insert_with(|| {
                    phrases.push(text.chars().collect());
                    self.lists_of.push(Vec::new());
                    phrases.len() - 1
                });
                self.lists_of[place].push(number);
            }
        }
        self.texts = Automaton::new(&phrases);
    }

    /// By the number of the pattern: the windows, in bytes, of the sentences that hold a text of each of its
    /// lists.
    fn windows(&self, text: &[char], sentences: &[Span], windows: &[Span]) -> Vec<Vec<Span>> {
        let mut candidates = vec![Vec::new(); self.patterns.len()];
        let (mut is_found, mut found) = (vec![false; self.lists.len()], Vec::new());
        for (sentence, window) in sentences.iter().zip(windows) {
            self.texts
                .each(&text[sentence[0]..sentence[1]], |place, _| {
                    for list in &self.lists_of[place] {
                        if !std::mem::replace(&mut is_found[*list], true) {
                            found.push(*list);
                        }
                    }
                });
            let led = found.iter().flat_map(|list| &self.led[*list]);
            for pattern in self.free.iter().chain(led) {
                if self.patterns[*pattern].iter().all(|list| is_found[*list]) {
                    candidates[*pattern].push(*window);
                }
            }
            for list in found.drain(..) {
                is_found[list] = false;
            }
        }
        candidates
    }
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
