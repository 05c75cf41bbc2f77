//! In what script a response is written: all that can be told of its language soundly
//! and cheaply.

use super::transcript::Session;
use crate::document::{Code, Place, Problem, Severity};

/// Letters of the Latin script, by the blocks that Unicode has for it.
fn is_latin(letter: char) -> bool {
    matches!(u32::from(letter),
        0..=0x24f | 0x1e00..=0x1eff | 0x2c60..=0x2c7f | 0xa720..=0xa7ff | 0xab30..=0xab6f | 0xff21..=0xff5a)
}

/// Whether most letters of a text are of another script than Latin.
pub fn is_other_script(text: &str) -> bool {
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

/// A warning where responses are in another script: the detectors do not read them.
pub fn warning(sessions: &[Session]) -> Option<Problem> {
    let all = || sessions.iter().flat_map(|session| &session.responses);
    let mut foreign = all().filter(|response| is_other_script(&response.text));
    let first = foreign.next()?;
    let number = 1 + foreign.count();
    let message = format!(
        "{number} of {} responses are not English: most of their letters are not Latin. The detectors of traits read English alone, and the model that comes with Assay was made for it: traits say little here, and style and stability as much as the model in use knows of the language",
        all().count()
    );
    let place = Place {
        line: first.line,
        column: 1,
    };
    Some(Problem::new(Severity::Warning, place, "", message).with_code(Code::OtherScript))
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
}
