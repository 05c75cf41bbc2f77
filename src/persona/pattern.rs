//! Patterns of safety rules: compiled for folded texts, and looked for in the sentences
//! that can hold them.

use std::collections::HashMap;

use assay_patterns::{Expression, TooManySteps};

use super::signals::{Span, sentences};
use crate::document::{Problems, Reader, Value};
use crate::text::{Folded, Scalars, fold, scalar_starts, straighten};

/// Not a cut through a word: before or after the place stands no word character.
const EDGE: &str = r"(?:\b{start-half}|\b{end-half})";

/// A regular expression, in any case.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As typed.
    pub source: String,
    /// The pattern with the edges of words minded.
    pub edged: Expression,
    /// Its number among the built-in ones.
    number: Option<usize>,
}

impl Pattern {
    /// Compiles a pattern, or says why it is none.
    pub fn new(source: &str) -> Result<Self, String> {
        let pattern = fold_pattern(source)?;
        // by itself first: a message about what we put around it would only confuse
        let edged = Expression::new(&pattern)
            .and_then(|_| Expression::new(&format!("{EDGE}(?:{pattern}){EDGE}")))
            .map_err(|why| format!("not a regular expression: {why}"))?;
        Ok(Self {
            source: source.to_owned(),
            edged,
            number: None,
        })
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
        let windows = match self.number {
            Some(number) => text.candidates.get(number).map_or(&[][..], Vec::as_slice),
            None => &everywhere,
        };
        let (mut places, mut scalars) = (Vec::new(), Scalars::new(&text.lower));
        for window in windows {
            if self.number.is_some() && some.is_some_and(|some| some.binary_search(window).is_err())
            {
                continue;
            }
            let found = self.edged.find(&text.lower[window[0]..window[1]], steps)?;
            let found = found.into_iter();
            places.extend(found.map(|place| place.map(|byte| scalars.at(window[0] + byte))));
        }
        Ok(places)
    }
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
            candidates: anchors.map_or_else(Vec::new, |anchors| anchors.windows(&lower, &windows)),
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
pub struct Blocks(Vec<(String, String)>);

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
                _ => vec![reader],
            };
            let mut parts = Vec::new();
            for item in &items {
                match item.as_str() {
                    Some(part) => parts.push(blocks.expand(part)),
                    None => item.expected("a part of a pattern", problems),
                }
            }
            let name = format!("<{}>", entry.key);
            blocks.0.push((name, format!("(?:{})", parts.join("|"))));
        }
        blocks
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A pattern with the blocks in the places of their names.
    pub fn expand(&self, pattern: &str) -> String {
        let named = |pattern: String, (name, part): &(String, String)| pattern.replace(name, part);
        self.0.iter().fold(pattern.to_owned(), named)
    }
}

/// The numbers of the sentences that a span overlaps, from the first to before the last.
pub fn touched(sentences: &[Span], span: Span) -> [usize; 2] {
    let first = sentences.partition_point(|sentence| sentence[1] <= span[0]);
    let end = sentences.partition_point(|sentence| sentence[0] < span[1]);
    [first, end.max(first)]
}

/// Bytes of a text by which the patterns are known that may stand around them.
const KEY: usize = 3;

/// How many lists of texts are minded for each pattern.
const MOST_LISTS: usize = 8;

/// The texts that patterns need, to find in one pass which sentences can hold which pattern.
#[derive(Clone, Debug, Default)]
pub struct Anchors {
    /// By their first bytes: the texts, each with patterns and the bit of the list.
    texts: HashMap<[u8; KEY], Vec<Anchor>>,
    /// By pattern: a bit for each of its lists.
    lists: Vec<u8>,
}

/// A text, and for each pattern that needs it the bit of the list.
type Anchor = (Box<[u8]>, Vec<(usize, u8)>);

impl Anchors {
    /// Adds a pattern and gives it the next number.
    pub fn add(&mut self, pattern: &mut Pattern) {
        let number = self.lists.len();
        pattern.number = Some(number);
        let needs = pattern.edged.needs().iter();
        let long = needs.filter(|texts| texts.iter().all(|text| text.len() >= KEY));
        let mut lists = 0;
        for (texts, bit) in long.zip((0..MOST_LISTS).map(|list| 1_u8 << list)) {
            lists |= bit;
            for text in texts {
                let key = text.first_chunk().copied().unwrap_or_default();
                let known = self.texts.entry(key).or_default();
                match known.iter_mut().find(|(known, _)| known == text) {
                    Some((_, patterns)) => patterns.push((number, bit)),
                    None => known.push((text.clone(), vec![(number, bit)])),
                }
            }
        }
        self.lists.push(lists);
    }

    /// By the number of the pattern: the windows that hold a text of each of its lists.
    fn windows(&self, text: &str, windows: &[Span]) -> Vec<Vec<Span>> {
        let mut candidates = vec![Vec::new(); self.lists.len()];
        let mut found = vec![0_u8; self.lists.len()];
        for window in windows {
            let sentence = &text.as_bytes()[window[0]..window[1]];
            found.fill(0);
            for (at, key) in sentence.windows(KEY).enumerate() {
                let texts = self.texts.get(key).into_iter().flatten();
                let stand_here = texts.filter(|(text, _)| sentence[at..].starts_with(text));
                for (number, bit) in stand_here.flat_map(|(_, patterns)| patterns) {
                    found[*number] |= bit;
                }
            }
            for (number, (found, lists)) in found.iter().zip(&self.lists).enumerate() {
                if found == lists {
                    candidates[number].push(*window);
                }
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
