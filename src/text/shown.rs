//! Names that somebody typed, as they stand in a sentence.

use std::fmt::{self, Display, Formatter, Write};

/// The most characters of a name in a sentence.
const LONGEST: usize = 80;
/// The most combining marks on a letter.
const MOST_MARKS: usize = 4;

/// A name in a sentence, a heading or on a terminal: of a long one its beginning, what
/// steers a terminal or the direction of writing as its escape, and a name that is
/// written from right to left apart from what stands around it.
///
/// ```
/// use assay::text::Shown;
/// assert_eq!(Shown("Claude – Ünïcode 👩‍💻").to_string(), "Claude – Ünïcode 👩‍💻");
/// assert_eq!(Shown("a\n\u{202e}b").to_string(), r"a\n\u{202e}b");
/// assert_eq!(Shown("שלום").to_string(), "\u{2068}שלום\u{2069}");
/// assert_eq!(format!("{:?}", Shown("a\"b")), r#""a\"b""#);
/// ```
#[derive(Clone, Copy)]
pub struct Shown<'a>(pub &'a str);

impl Shown<'_> {
    /// The characters that are shown, and whether there are more.
    fn characters(&self) -> (impl Iterator<Item = char>, bool) {
        let mut marks = 0;
        let kept = self.0.chars().filter(move |character| {
            marks = if is_mark(*character) { marks + 1 } else { 0 };
            marks <= MOST_MARKS
        });
        let is_long = self.0.chars().nth(LONGEST).is_some();
        (kept.take(LONGEST), is_long)
    }
}

impl Display for Shown<'_> {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        let (characters, is_long) = self.characters();
        let is_apart = self.characters().0.any(is_right_to_left);
        if is_apart {
            out.write_char('\u{2068}')?;
        }
        for character in characters {
            if is_steering(character) {
                write!(out, "{}", character.escape_default())?;
            } else {
                out.write_char(character)?;
            }
        }
        if is_long {
            out.write_char('…')?;
        }
        if is_apart {
            out.write_char('\u{2069}')?;
        }
        Ok(())
    }
}

/// In quotes, with escapes as in JSON and Rust.
impl fmt::Debug for Shown<'_> {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        let (characters, is_long) = self.characters();
        let characters: String = characters.collect();
        let tail = if is_long { "…" } else { "" };
        write!(out, "{characters:?}{tail}")
    }
}

/// A text of any length on one line: what steers a terminal or the direction of writing
/// as its escape.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if is_steering(character) {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// Control characters, ends of lines, and what changes the direction of writing.
pub fn is_steering(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A mark that is drawn over the letter before it, in the blocks of which a flood is made.
fn is_mark(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// A letter of a script that is written from right to left: Hebrew, Arabic, Syriac,
/// Thaana, N'Ko and their neighbours, and their presentation forms.
fn is_right_to_left(character: char) -> bool {
    matches!(character,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_and_floods_of_marks_are_cut() {
        let long = "i".repeat(100_000);
        assert_eq!(Shown(&long).to_string(), format!("{}…", "i".repeat(80)));
        assert_eq!(
            format!("{:?}", Shown(&long)),
            format!("\"{}\"…", "i".repeat(80))
        );
        let flood = format!("a{}b", "\u{301}".repeat(3_000));
        assert_eq!(
            Shown(&flood).to_string(),
            format!("a{}b…", "\u{301}".repeat(4))
        );
    }

    #[test]
    fn nothing_steers_a_terminal_or_the_direction() {
        let shown = Shown("a\u{1b}[31m\r\u{9b}\u{2066}\u{85}").to_string();
        assert_eq!(shown, r"a\u{1b}[31m\r\u{9b}\u{2066}\u{85}");
        assert_eq!(one_line(&"a\n".repeat(50)), r"a\n".repeat(50));
    }
}
