//! Where words may begin in a text, and what they begin with.

/// By character of ASCII: its number among those that make a word, from 1 on; 0 is none of them.
const NUMBERS: [u8; 128] = {
    let (mut all, mut at, mut number) = ([0; 128], 0_u8, 0);
    while at < 128 {
        if at.is_ascii_alphanumeric() || at == b'_' {
            number += 1;
            all[at as usize] = number;
        }
        at += 1;
    }
    all
};
/// Bits for each number.
const EACH: u32 = 6;

/// Where a word may begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordStart {
    /// The number of its first character.
    pub at: u32,
    /// How many letters, digits and `_` of ASCII stand there one behind the other.
    pub length: u32,
    /// Those as a number: of no more than [`EXACT`](Self::EXACT) another for each text.
    pub letters: u64,
}

impl WordStart {
    /// So many letters are told apart.
    pub const EXACT: u32 = u64::BITS / EACH;

    /// The beginning of a text.
    pub fn of(text: &[char]) -> Self {
        let mut start = Self::default();
        for number in text.iter().map(|character| number_of(*character)) {
            if number == 0 {
                break;
            }
            start.length += 1;
            start.letters = start.letters << EACH | number;
        }
        start
    }
}

#[inline]
fn number_of(character: char) -> u64 {
    NUMBERS
        .get(character as usize)
        .copied()
        .map_or(0, u64::from)
}

/// Whether a character of ASCII belongs to a word; none of another.
#[inline]
pub fn is_of_word(character: char) -> Option<bool> {
    NUMBERS.get(character as usize).map(|number| *number > 0)
}

/// At a letter, a digit or `_` of ASCII with none of them before it, and at any character beyond ASCII.
pub fn word_starts(characters: &[char]) -> Vec<WordStart> {
    // between two of ASCII stands another character
    let most = if characters.iter().all(char::is_ascii) {
        characters.len().div_ceil(2)
    } else {
        characters.len()
    };
    // written in every round, without a branch: what is known of the last of them; the first is none
    let mut starts = vec![WordStart::default(); most + 1];
    let (mut count, mut last, mut is_inside) = (0, WordStart::default(), false);
    for (at, character) in (0..).zip(characters) {
        let number = number_of(*character);
        let is_of_word = number > 0;
        let is_start = is_of_word && !is_inside || !character.is_ascii();
        let before = if is_start {
            WordStart {
                at,
                ..WordStart::default()
            }
        } else {
            last
        };
        let with = before.letters << EACH | number;
        last = WordStart {
            at: before.at,
            length: before.length + u32::from(is_of_word),
            letters: if is_of_word { with } else { before.letters },
        };
        count += usize::from(is_start);
        starts[count] = last;
        is_inside = is_of_word;
    }
    starts.truncate(count + 1);
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn characters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn words_begin_at_letters_with_none_before_and_beyond_ascii() {
        let text = characters("don't, naïve x_1");
        let starts = word_starts(&text);
        let starts: Vec<u32> = starts[1..].iter().map(|start| start.at).collect();
        assert_eq!(starts, [0, 4, 7, 9, 10, 13]);
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod as_the_rule_says {
        use super::super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn what_stands_at_a_start_is_told_apart(text in "[abzZ19_' é]{0,16}", other in "[abzZ19_]{1,12}") {
                let [text, other] = [text, other].map(|one| one.chars().collect::<Vec<char>>());
                let other = WordStart::of(&other);
                for start in &word_starts(&text)[1..] {
                    let rest = &text[start.at as usize..];
                    prop_assert_eq!(*start, WordStart { at: start.at, ..WordStart::of(rest) });
                    let is_same = (start.length, start.letters) == (other.length, other.letters);
                    if is_same && other.length <= WordStart::EXACT {
                        let own = &rest[..start.length as usize];
                        prop_assert_eq!(WordStart::of(own), other);
                    }
                }
            }
        }
    }
}
