//! What of a response cannot be judged: it is in another script than Latin, or in another language
//! than English.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer};
use whatlang::Lang;

use super::transcript::Session;
use crate::document::{Code, Place, Problem, Severity};
use crate::text::Folded;

/// Letters of the Latin script, by the blocks that Unicode has for it.
fn is_latin(letter: char) -> bool {
    matches!(u32::from(letter),
        0..=0x24f | 0x1e00..=0x1eff | 0x2c60..=0x2c7f | 0xa720..=0xa7ff | 0xab30..=0xab6f | 0xff21..=0xff5a)
}

/// Whether most letters of a text are of another script than Latin.
pub fn is_other_script(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    let (mut latin, mut other) = (0_usize, 0_usize);
    for letter in text.chars().filter(|c| c.is_alphabetic()) {
        if is_latin(letter) {
            latin += 1;
        } else {
            other += 1;
        }
    }
    other > latin
}

/// From this confidence on a text is called foreign.
const SURE: f64 = 0.9;

/// Words that English is made of and few other languages have.
const ENGLISH: &str = "the and to of you that for it with is are this be have not your from they can would there \
    what about which when our at by if but do i my how why who where just it's you're \
    we they're their them then than these those been being were had did does doing done should could may \
    might must shall cannot can't don't doesn't didn't won't isn't aren't wasn't weren't couldn't wouldn't \
    shouldn't haven't hasn't i'm i've i'll i'd we're we've we'll they'll you've you'll you'd that's there's here's \
    what's let's he's she's who's him his her she mine yours its us ours theirs myself yourself \
    because while until before after again always never often still already here now soon today tomorrow \
    yesterday every any each some another other such own same few many much most both either neither \
    please thank thanks sorry yes yeah hello know think want need make makes made take takes taken took \
    give gives given get gets got goes going gone come comes coming see seen look looks looking use used using \
    find found keep keeps kept try trying tell told ask asked asking feel feels felt seem seems leave left working \
    works call called good better best great little right wrong new old early young important easy hard \
    time year years people way ways thing things something anything nothing everything someone anyone \
    everyone nobody through into onto without within between around against during toward upon off down \
    up back away well even really quite maybe perhaps only too also though although however since first next";
/// From this share of them on a text is English, and needs no closer look.
const PLAIN: f64 = 0.2;

/// Words that other languages of the Latin script are made of and English has not.
const FOREIGN: &str = "und der die das ist nicht ich sie wir ein eine mit für auf zu uns ihre ihnen danke bitte \
    le les et est pas nous vous je une des pour merci el los las y es que una para por gracias il che di non per \
    sono grazie não você uma obrigado het een niet wij och att är nie się jest";
/// Which of them a word is: English or foreign. None is both.
static TELLING: LazyLock<FxHashMap<&str, bool>> = LazyLock::new(|| {
    let [english, foreign] = [ENGLISH, FOREIGN].map(str::split_whitespace);
    let english = english.map(|word| (word, true));
    english.chain(foreign.map(|word| (word, false))).collect()
});
/// No telling word is longer, in bytes, whichever apostrophe it has.
const LONGEST: usize = 14;
/// From this share of them on, and from two on, a text is foreign where it has no English word.
const PLAINLY_FOREIGN: f64 = 0.4;
/// So much of a text is looked at, in Unicode scalar values.
const ENOUGH: usize = 2_000;
/// Fewer letters tell of no language.
const LEAST: usize = 20;

/// Whether a text is English, or foreign, by the words that the languages are made of; none where
/// they do not tell.
fn plainly_english(text: &str) -> Option<bool> {
    let words = || {
        let words = text.split(|c: char| !c.is_alphabetic() && !matches!(c, '\'' | '\u{2019}'));
        words.filter(|word| !word.is_empty())
    };
    let short = words().filter(|word| word.len() <= LONGEST);
    let folded = short.map(|word| word.to_lowercase().replace('\u{2019}', "'"));
    of_words(folded, words().count())
}

/// The same of a text of ASCII in small letters, which most are.
fn plainly_english_ascii(text: &str) -> Option<bool> {
    let is_of_word = |byte: u8| byte.is_ascii_alphabetic() || byte == b'\'';
    let bytes = text.as_bytes();
    let first = bytes.first().is_some_and(|byte| is_of_word(*byte));
    let starts = bytes.windows(2);
    let starts = starts.filter(|pair| !is_of_word(pair[0]) & is_of_word(pair[1]));
    let words = text.split(|c: char| u8::try_from(c).is_ok_and(|byte| !is_of_word(byte)));
    let words = words.filter(|word| (1..=LONGEST).contains(&word.len()));
    of_words(words, usize::from(first) + starts.count())
}

/// The same by its words in small letters, but for long ones, and how many there are with those.
fn of_words(words: impl Iterator<Item = impl AsRef<str>>, all: usize) -> Option<bool> {
    let (mut english, mut foreign) = (0_usize, 0_usize);
    for word in words {
        match TELLING.get(word.as_ref()) {
            Some(true) => {
                english += 1;
                // whatever comes behind them
                if english as f64 >= PLAIN * all as f64 {
                    return Some(true);
                }
            }
            Some(false) => foreign += 1,
            None => {}
        }
    }
    let is_foreign = english == 0 && foreign >= 2 && foreign as f64 >= PLAINLY_FOREIGN * all as f64;
    is_foreign.then_some(false)
}

const IN_ANOTHER: &str = "in another language than English";
const OTHER_SCRIPT: &str = "in another script than Latin";

/// What is written of a response that cannot be read.
pub fn written<'de, D: Deserializer<'de>>(of: D) -> Result<Option<&'static str>, D::Error> {
    let written = Option::<String>::deserialize(of)?;
    Ok(written.map(|words| {
        if words == OTHER_SCRIPT {
            OTHER_SCRIPT
        } else {
            IN_ANOTHER
        }
    }))
}

/// What a response is written in where its traits cannot be read, in words; none where it is English,
/// or too short to tell. `folded` is the same text folded.
pub fn unread(text: &str, folded: &Folded) -> Option<&'static str> {
    if is_other_script(text) {
        return Some(OTHER_SCRIPT);
    }
    let is_long = text.len() > ENOUGH;
    let end = is_long.then(|| text.char_indices().nth(ENOUGH)).flatten();
    let beginning = &text[..end.map_or(text.len(), |(end, _)| end)];
    // most replies are English, and a closer look takes long
    let plainly = if text.is_ascii() {
        plainly_english_ascii(&folded.text()[..beginning.len()])
    } else {
        plainly_english(beginning)
    };
    if let Some(is_english) = plainly {
        return (!is_english).then_some(IN_ANOTHER);
    }
    let letters = beginning.chars().filter(|c| c.is_alphabetic()).count();
    if letters < LEAST {
        return None;
    }
    let found = whatlang::detect(beginning)?;
    let is_foreign = found.lang() != Lang::Eng && found.confidence() >= SURE;
    is_foreign.then_some(IN_ANOTHER)
}

/// A warning where responses are not English, of what each response is in: the detectors do not
/// read them.
pub fn warning(sessions: &[Session], unread: impl Iterator<Item = bool>) -> Option<Problem> {
    let all = || sessions.iter().flat_map(|session| &session.responses);
    let mut foreign = all().zip(unread).filter(|(_, is_unread)| *is_unread);
    let (first, _) = foreign.next()?;
    let message = words(1 + foreign.count(), all().count());
    let place = Place {
        line: first.line,
        column: 1,
    };
    Some(Problem::new(Severity::Warning, place, "", message).with_code(Code::OtherScript))
}

/// The same in words, of so many responses that are not English among all.
pub fn words(foreign: usize, all: usize) -> String {
    format!(
        "{foreign} of {all} responses are not English. The detectors of traits read English alone, and the model that comes with Assay was made for it: traits say little here, and style and stability as much as the model in use knows of the language"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_most_letters_counts() {
        for (text, other) in [
            ("Happy to help! 👋 42 %", false),
            ("Où est la gare? Straße, Łódź, Tiếng Việt", false),
            ("申し訳ございません。", true),
            ("Извините, заказ OK", true),
            ("We call it ラーメン", false),
            ("مرحبا", true),
            ("… 42!", false),
            ("", false),
        ] {
            assert_eq!(is_other_script(text), other, "{text}");
        }
    }

    #[test]
    fn no_word_tells_of_both() {
        let words = || ENGLISH.split_whitespace().chain(FOREIGN.split_whitespace());
        assert_eq!(TELLING.len(), words().count());
        // a typographic apostrophe has two bytes more
        assert!(words().all(|word| word.len() + 2 <= LONGEST));
    }

    #[test]
    fn languages_are_told_where_there_is_enough_of_them() {
        for (text, is_foreign) in [
            (
                "Vielen Dank für Ihre Nachricht, wir kümmern uns so schnell wie möglich darum.",
                true,
            ),
            (
                "Merci beaucoup pour votre message, nous allons nous en occuper dans les plus brefs délais.",
                true,
            ),
            ("Danke, wir melden uns.", true),
            ("Bitte warten Sie.", true),
            ("Merci, nous arrivons.", true),
            ("Gracias por esperar.", true),
            ("Die Hard, please", false),
            ("申し訳ございません。", true),
            ("Thanks for your message, we are on it.", false),
            (
                "Budget draft, due Friday; venue quotes, due Monday; guest count, still open",
                false,
            ),
            ("ok", false),
            ("lol", false),
            ("¿x x lol", false),
            ("👀", false),
            ("", false),
        ] {
            assert_eq!(
                unread(text, &Folded::new(text)).is_some(),
                is_foreign,
                "{text}"
            );
        }
    }
}
