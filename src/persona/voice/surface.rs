//! What a text looks like, in some thirty numbers: how long it is, how it begins and ends its
//! sentences, what it counts.

use crate::persona::lexicon::LexiconMatcher;
use crate::persona::signals::{Signals, Span};
use crate::text::Folded;

/// How many signals there are.
pub const SIGNALS: usize = 36;

/// A number that is measured in a text, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// What it is, as it is shown.
    pub name: &'static str,
    /// What enters the model.
    pub value: f64,
    /// Where it was found; nowhere for what the whole text has.
    pub spans: Vec<Span>,
}

/// Words by person, folded, without what an apostrophe adds.
const PERSONS: [(&str, &[&str]); 4] = [
    ("I, me, my", &["i", "me", "my", "mine", "myself"]),
    ("we, us, our", &["we", "us", "our", "ours", "ourselves"]),
    ("you, your", &["you", "your", "yours", "yourself"]),
    (
        "he, she, they",
        &["he", "she", "him", "her", "his", "they", "them", "their"],
    ),
];
/// From so many letters on a word is long.
const LONG_WORD: usize = 8;

/// All signals of a text, the lexicon's among them, always the same in the same order. Counts are per word or per sentence,
/// as square roots, so that the first few count most.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn measure(text: &str, lexicon: &LexiconMatcher) -> Vec<Signal> {
    let folded = Folded::new(text);
    let found = Signals::measure(text, &folded);
    let characters: Vec<char> = text.chars().collect();
    let (words, sentences) = (found.words.len() as f64, found.sentences.len() as f64);
    let (by_word, by_sentence) = (words.max(1.0), sentences.max(1.0));
    let whole = |name, value| Signal {
        name,
        value,
        spans: Vec::new(),
    };
    let counted = |name, spans: Vec<Span>, base: f64| Signal {
        name,
        value: (spans.len() as f64 / base).sqrt(),
        spans,
    };
    let one = |wanted: &str| single(&characters, |c| wanted.contains(c));
    let mut signals = vec![
        whole("length", libm::log1p(words)),
        whole("words a sentence", libm::log1p(words / by_sentence)),
        whole("letters a word", found.mean_word_length),
        counted(
            "sentences that start small",
            found.lower_case_starts.clone(),
            by_sentence,
        ),
        counted(
            "words in capitals",
            capitals(&characters, &found.words),
            by_word,
        ),
        whole(
            "share of capital letters",
            capital_share(&characters).sqrt(),
        ),
        counted("exclamation marks", found.exclamations, by_sentence),
        counted("question marks", found.questions, by_sentence),
        counted("commas", one(",،、，"), by_word),
        counted("ellipses", ellipses(&characters), by_sentence),
        counted("dashes and semicolons", one("—–;"), by_sentence),
        counted("colons", one(":："), by_sentence),
        counted("quotation marks", one("\"“”«»„"), by_sentence),
        counted("emoji", found.emoji, by_sentence),
        counted("contractions", found.contractions, by_word),
        counted("slang", found.slang, by_word),
        counted("formal phrases", found.formal, by_word),
        counted("hedges", found.hedges, by_word),
        counted("courtesies", found.courtesies, by_word),
        counted("warm phrases", found.warm, by_word),
        counted("markers of talk", found.talk, by_word),
        counted(
            "technical words",
            [found.technical_terms, found.technical_tokens].concat(),
            by_word,
        ),
        counted("numbers", found.numbers, by_word),
        counted("code", found.code, by_sentence),
        counted("passives", found.passives, by_sentence),
        counted("nouns made of verbs", found.nominals, by_word),
        counted("long words", long_words(&characters, &found.words), by_word),
        counted("drawn out letters", drawn_out(&characters), by_word),
        counted("new lines", single(&characters, |c| c == '\n'), by_sentence),
        whole("no mark at the end", open_end(&characters)),
    ];
    let hosts = hosts(folded.characters(), &found.words);
    for (name, forms) in PERSONS {
        let spans = hosts
            .iter()
            .filter(|(host, _)| forms.contains(&host.as_str()));
        signals.push(counted(
            name,
            spans.map(|(_, span)| *span).collect(),
            by_word,
        ));
    }
    let [preferred, avoided] = lexicon.places(&folded);
    signals.push(counted("preferred words", preferred, by_word));
    signals.push(counted("avoided words", avoided, by_word));
    debug_assert_eq!(signals.len(), SIGNALS);
    signals
}

/// Each character that is wanted.
fn single(characters: &[char], wanted: impl Fn(char) -> bool) -> Vec<Span> {
    let places = characters.iter().enumerate();
    let places = places.filter(|(_, character)| wanted(**character));
    places.map(|(at, _)| [at, at + 1]).collect()
}

/// Words of two letters or more, all of them capital.
fn capitals(characters: &[char], words: &[Span]) -> Vec<Span> {
    let loud = |span: &&Span| {
        let word = &characters[span[0]..span[1]];
        word.iter().filter(|c| c.is_alphabetic()).count() > 1
            && word.iter().all(|c| !c.is_lowercase())
            && word.iter().any(|c| c.is_uppercase())
    };
    words.iter().filter(loud).copied().collect()
}

fn capital_share(characters: &[char]) -> f64 {
    let letters = characters.iter().filter(|c| c.is_alphabetic()).count();
    let capitals = characters.iter().filter(|c| c.is_uppercase()).count();
    capitals as f64 / letters.max(1) as f64
}

/// `…`, and two full stops or more.
fn ellipses(characters: &[char]) -> Vec<Span> {
    let mut spans: Vec<Span> = single(characters, |c| c == '…' || c == '.');
    spans.dedup_by(|next, before| {
        let joined = before[1] == next[0];
        if joined {
            before[1] = next[1];
        }
        joined
    });
    spans.retain(|span| span[1] - span[0] > 1 || characters[span[0]] == '…');
    spans
}

fn long_words(characters: &[char], words: &[Span]) -> Vec<Span> {
    let letters = |span: &Span| {
        characters[span[0]..span[1]]
            .iter()
            .filter(|c| c.is_alphabetic())
            .count()
    };
    words
        .iter()
        .filter(|span| letters(span) >= LONG_WORD)
        .copied()
        .collect()
}

/// A letter three times or more in a row.
fn drawn_out(characters: &[char]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    for at in 1..=characters.len() {
        if characters.get(at) != Some(&characters[start]) {
            if at - start > 2 && characters[start].is_alphabetic() {
                spans.push([start, at]);
            }
            start = at;
        }
    }
    spans
}

/// 1 where the text ends in a letter, a number or an emoji.
fn open_end(characters: &[char]) -> f64 {
    let last = characters.iter().rev().find(|c| !c.is_whitespace());
    f64::from(last.is_some_and(|c| !".!?…。！？:)\"”»`]".contains(*c)))
}

/// Each word up to its apostrophe.
fn hosts(folded: &[char], words: &[Span]) -> Vec<(String, Span)> {
    let host = |span: &Span| {
        folded[span[0]..span[1]]
            .iter()
            .take_while(|c| **c != '\'')
            .collect()
    };
    words.iter().map(|span| (host(span), *span)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persona::lexicon::Lexicon;

    fn measure(text: &str) -> Vec<Signal> {
        let lexicon = Lexicon {
            preferred: vec!["bestie".into()],
            avoided: vec!["dear customer".into()],
        };
        super::measure(text, &LexiconMatcher::new(&lexicon))
    }

    fn value(text: &str, name: &str) -> f64 {
        let signals = measure(text);
        signals
            .iter()
            .find(|signal| signal.name == name)
            .expect(name)
            .value
    }

    fn found(text: &str, name: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        let signals = measure(text);
        let signal = signals
            .iter()
            .find(|signal| signal.name == name)
            .expect(name);
        signal
            .spans
            .iter()
            .map(|span| characters[span[0]..span[1]].iter().collect())
            .collect()
    }

    #[test]
    fn every_text_has_the_same_signals() {
        for text in ["", " ", "ok", "日本語です。", "A\n\nB!!! 👀", "\u{301}"] {
            let signals = measure(text);
            assert_eq!(signals.len(), SIGNALS, "{text:?}");
            assert!(
                signals.iter().all(|signal| signal.value.is_finite()),
                "{text:?}"
            );
        }
        let mut names: Vec<&str> = measure("").iter().map(|signal| signal.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SIGNALS);
    }

    #[test]
    fn signals_are_found_in_their_places() {
        assert_eq!(
            found("OK, THIS is so NOT it... I'm done…", "words in capitals"),
            ["OK", "THIS", "NOT"]
        );
        assert_eq!(found("so NOT it... I'm done…", "ellipses"), ["...", "…"]);
        assert_eq!(
            found("soooo goood, gooood", "drawn out letters"),
            ["oooo", "ooo", "oooo"]
        );
        assert_eq!(
            found("We're sure you'll like our fries", "we, us, our"),
            ["We're", "our"]
        );
        assert_eq!(
            found("Bestie, dear  customer", "preferred words"),
            ["Bestie"]
        );
        assert_eq!(
            found("Bestie, dear  customer", "avoided words"),
            ["dear  customer"]
        );
        assert_eq!(
            found("an extraordinary day", "long words"),
            ["extraordinary"]
        );
        assert!((value("a b c, d", "commas") - 0.5).abs() < 1e-12);
        assert!((value("no mark", "no mark at the end") - 1.0).abs() < 1e-12);
        assert!((value("a mark.", "no mark at the end")).abs() < 1e-12);
    }
}
