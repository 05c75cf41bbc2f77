//! What excuses a match of a built-in rule by the words around it: refusals, quotations,
//! news, fiction. Each context is written once in `data/safety.yaml`.

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
    pub of: Vec<String>,
    pub excuse: Excuse,
    pub patterns: Vec<Pattern>,
}

impl Context {
    /// Whether it excuses a match of a category.
    pub fn excuses(&self, category: &str, found: Span, text: &Searched) -> bool {
        if !self.of.is_empty() && !self.of.iter().any(|of| of == category) {
            return false;
        }
        match self.excuse {
            Excuse::Sentence => !self.find(text, found, 0).is_empty(),
            Excuse::Following => {
                let before = |context: &Span| context[0] < found[0] && found[0] <= context[1];
                self.find(text, found, 0).iter().any(before)
            }
            Excuse::Reply => {
                let whole = [0, text.folded.characters().len()];
                !self.find(text, whole, 0).is_empty()
            }
            Excuse::Quotation => quotations(text).into_iter().any(|quoted| {
                let is_outside =
                    |context: &Span| context[1] <= quoted[0] || quoted[1] <= context[0];
                quoted[0] < found[0]
                    && found[1] <= quoted[1]
                    && self.find(text, quoted, 1).iter().any(is_outside)
            }),
        }
    }

    /// Its places in the sentences that a span overlaps, and in so many after them.
    fn find(&self, text: &Searched, span: Span, more: usize) -> Vec<Span> {
        let [first, end] = touched(&text.sentences, span);
        let windows = &text.windows[first..(end + more).min(text.windows.len())];
        // the built-in patterns are not counted
        let found = |pattern: &Pattern| pattern.find(text, Some(windows), &mut u64::MAX.clone());
        let found = self
            .patterns
            .iter()
            .filter_map(|pattern| found(pattern).ok());
        found.flatten().collect()
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
            of: vec!["custom".into()],
            excuse,
            patterns: vec![Pattern::new(pattern).expect("a pattern")],
        };
        // the places of the four fools
        let places = [[10, 18], [31, 39], [41, 49], [51, 59]];
        let excused = |context: &Context, category: &str| {
            places.map(|place| context.excuses(category, place, &searched))
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
