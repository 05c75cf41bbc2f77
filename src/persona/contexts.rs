//! What excuses a match of a built-in rule by the words around it: refusals, quotations,
//! news, fiction. Each context is written once in `data/safety.yaml`.

use std::cell::OnceCell;

use super::pattern::{Pattern, Searched, touched};
use super::signals::Span;

/// What a context excuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuse {
    /// The sentences that it stands in.
    Sentence,
    /// That before which it stands, with nothing between.
    Following,
    /// The whole reply, before and after it.
    Reply,
    /// What stands in quotation marks, if the context stands outside of them: in their
    /// sentences or in the next.
    Quotation,
}

impl Excuse {
    /// The words of the file.
    pub const WORDS: [&'static str; 4] = ["sentence", "following", "reply", "quotation"];

    /// Of a word of the file.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [
            Self::Sentence,
            Self::Following,
            Self::Reply,
            Self::Quotation,
        ];
        let known = Self::WORDS.into_iter().zip(all);
        known
            .into_iter()
            .find_map(|(known, excuse)| (known == word).then_some(excuse))
    }
}

/// Words that excuse matches of some categories, or of all where none is named.
#[derive(Clone, Debug)]
pub struct Context {
    /// What it is, in words.
    pub name: String,
    pub of: Vec<String>,
    pub excuse: Excuse,
    pub patterns: Vec<Pattern>,
}

impl Context {
    fn is_of(&self, category: &str) -> bool {
        self.of.is_empty() || self.of.iter().any(|of| of == category)
    }

    /// Its places in a text, in their order.
    fn find(&self, text: &Searched) -> Vec<Span> {
        // the built-in patterns are not counted
        let found = |pattern: &Pattern| pattern.find(text, None, &mut u64::MAX.clone());
        let found = self.patterns.iter().filter_map(|one| found(one).ok());
        let mut places: Vec<Span> = found.flatten().collect();
        places.sort_unstable();
        places
    }
}

/// The contexts that stand in a text: each is looked for once, when a match may need it, so that
/// many matches cost no more than one.
pub struct Surroundings<'a> {
    text: &'a Searched<'a>,
    contexts: &'a [Context],
    places: Vec<OnceCell<Places>>,
    quoted: OnceCell<Vec<Span>>,
}

/// Where a context stands.
struct Places {
    spans: Vec<Span>,
    /// The last end of the spans so far.
    ends: Vec<usize>,
    /// By quotation: whether it stands around it and outside of it.
    around: Vec<bool>,
}

impl<'a> Surroundings<'a> {
    /// Those of a text, none of them looked for yet.
    pub fn new(text: &'a Searched<'a>, contexts: &'a [Context]) -> Self {
        Self {
            text,
            contexts,
            places: contexts.iter().map(|_| OnceCell::new()).collect(),
            quoted: OnceCell::new(),
        }
    }

    /// The name of the first context that excuses a match of a category.
    pub fn excuse(&self, category: &str, found: Span) -> Option<&'a str> {
        let contexts = self.contexts.iter().zip(&self.places);
        let mut contexts = contexts.filter(|(context, _)| context.is_of(category));
        let found = contexts.find(|(context, places)| {
            let places = places.get_or_init(|| self.places_of(context));
            self.excuses(context.excuse, places, found)
        });
        found.map(|(context, _)| context.name.as_str())
    }

    fn excuses(&self, excuse: Excuse, places: &Places, found: Span) -> bool {
        match excuse {
            Excuse::Sentence => {
                let [first, end] = touched(&self.text.sentences, found);
                let stretch = self.text.sentences.get(first..end).unwrap_or_default();
                stretch
                    .first()
                    .zip(stretch.last())
                    .is_some_and(|(first, last)| !places.between(first[0], last[1]).is_empty())
            }
            Excuse::Following => {
                let before = places.spans.partition_point(|span| span[0] < found[0]);
                before > 0 && places.ends[before - 1] >= found[0]
            }
            Excuse::Reply => !places.spans.is_empty(),
            Excuse::Quotation => {
                let quoted = self.quoted();
                let at = quoted.partition_point(|quoted| quoted[0] < found[0]);
                at > 0 && found[1] <= quoted[at - 1][1] && places.around[at - 1]
            }
        }
    }

    fn quoted(&self) -> &[Span] {
        self.quoted.get_or_init(|| quotations(self.text))
    }

    fn places_of(&self, context: &Context) -> Places {
        let mut places = Places {
            spans: context.find(self.text),
            ends: Vec::new(),
            around: Vec::new(),
        };
        let ends = places.spans.iter().scan(0, |last, span| {
            *last = span[1].max(*last);
            Some(*last)
        });
        places.ends = ends.collect();
        if context.excuse == Excuse::Quotation {
            let sentences = &self.text.sentences;
            let around = self.quoted().iter().map(|quoted| {
                let [first, end] = touched(sentences, *quoted);
                let near = sentences.get(first..(end + 1).min(sentences.len()));
                let near = near.unwrap_or_default();
                near.first().zip(near.last()).is_some_and(|(first, last)| {
                    let is_outside = |span: &Span| span[1] <= quoted[0] || quoted[1] <= span[0];
                    places.between(first[0], last[1]).iter().any(is_outside)
                })
            });
            places.around = around.collect();
        }
        places
    }
}

impl Places {
    /// Those that begin in a stretch of the text.
    fn between(&self, start: usize, end: usize) -> &[Span] {
        let first = self.spans.partition_point(|span| span[0] < start);
        let after = self.spans.partition_point(|span| span[0] < end);
        &self.spans[first..after.max(first)]
    }
}

/// What stands in quotation marks, with them; none reaches over the end of a line.
fn quotations(text: &Searched) -> Vec<Span> {
    let characters = text.folded.characters();
    let is_word = |at: Option<usize>| {
        let character = at.and_then(|at| characters.get(at));
        character.is_some_and(|character| character.is_alphanumeric())
    };
    let (mut quoted, mut open) = (Vec::new(), None);
    for (at, character) in characters.iter().enumerate() {
        let is_mark = match character {
            '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => true,
            // an apostrophe stands before a letter and behind one, or opens nothing
            '\'' if open.is_none() => !is_word(at.checked_sub(1)) && is_word(Some(at + 1)),
            '\'' => !is_word(Some(at + 1)),
            _ => false,
        };
        match open {
            _ if *character == '\n' => open = None,
            None if is_mark => open = Some((at, *character)),
            Some((start, mark)) if is_mark && (mark == '\'') == (*character == '\'') => {
                quoted.push([start, at + 1]);
                open = None;
            }
            _ => {}
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Folded;

    #[test]
    fn quotations_end_with_their_line_and_are_no_apostrophes() {
        for (text, count) in [
            ("He said \"go\" and “stay”.", 2),
            ("The troll's line 'go away' isn't kind.", 1),
            ("It's the dogs' bowl, isn't it?", 0),
            ("\"not closed\non its line", 0),
        ] {
            let folded = Folded::new(text);
            let found = quotations(&Searched::new(text, &folded, None));
            assert_eq!(found.len(), count, "{text}: {found:?}");
        }
    }

    #[test]
    fn a_context_excuses_what_it_says() {
        let text = "He wrote \"you fool\". Never say you fool, you fool. You fool.";
        let folded = Folded::new(text);
        let searched = Searched::new(text, &folded, None);
        let context = |excuse, pattern| Context {
            name: "a test".into(),
            of: vec!["custom".into()],
            excuse,
            patterns: vec![Pattern::new(pattern).expect("a pattern")],
        };
        // the places of the four fools
        let places = [[10, 18], [31, 39], [41, 49], [51, 59]];
        let excused = |context: &Context, category: &str| {
            let surroundings = Surroundings::new(&searched, std::slice::from_ref(context));
            places.map(|place| surroundings.excuse(category, place).is_some())
        };
        let never = "never( say)? ";
        for (context, expected) in [
            (
                context(Excuse::Quotation, "wrote"),
                [true, false, false, false],
            ),
            (
                context(Excuse::Following, never),
                [false, true, false, false],
            ),
            (context(Excuse::Reply, "wrote"), [true; 4]),
        ] {
            assert_eq!(excused(&context, "custom"), expected, "{context:?}");
            assert_eq!(excused(&context, "violence"), [false; 4]);
        }
    }
}
