//! Where words may begin in a text, and which of them a set of phrases can begin with.

/// By character of ASCII: whether it belongs to a word.
pub const OF_WORD: [bool; 128] = {
    let (mut all, mut at) = ([false; 128], 0_u8);
    while at < 128 {
        all[at as usize] = at.is_ascii_alphanumeric() || at == b'_';
        at += 1;
    }
    all
};

/// Where a word may begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordStart {
    /// The number of its first character.
    pub at: u32,
    /// What stands there up to the end of the word.
    pub run: Run,
}

/// The letters, digits and `_` of ASCII that stand at a place one behind the other, as a number: another
/// for each dozen of small letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run(u64);

impl Run {
    #[inline]
    fn and(self, character: char) -> Self {
        Self(self.0 << 5 ^ u64::from(character))
    }

    /// That at the beginning of a text.
    pub fn of(text: &[char]) -> Self {
        let of_word = text.iter().take_while(|character| is_of_word(**character));
        of_word.fold(Self::default(), |run, character| run.and(*character))
    }
}

#[inline]
fn is_of_word(character: char) -> bool {
    OF_WORD
        .get(character as usize)
        .is_some_and(|is_of_word| *is_of_word)
}

/// At a letter, a digit or `_` of ASCII with none of them before it, and at any character beyond ASCII.
pub fn word_starts(characters: &[char]) -> Vec<WordStart> {
    // written in every round, without a branch: what is known of the last of them; the first is none
    let mut starts = vec![WordStart::default(); characters.len() + 1];
    let (mut count, mut last, mut is_inside) = (0, WordStart::default(), false);
    let mut run = Run::default();
    for (at, character) in characters.iter().enumerate() {
        let is_of_word = is_of_word(*character);
        let is_start = is_of_word && !is_inside || !character.is_ascii();
        run = if is_of_word {
            run.and(*character)
        } else {
            Run::default()
        };
        last.at = if is_start { at as u32 } else { last.at };
        last.run = if is_start || is_of_word {
            run
        } else {
            last.run
        };
        count += usize::from(is_start);
        starts[count] = last;
        is_inside = is_of_word;
    }
    starts.truncate(count + 1);
    starts
}

/// The runs that some phrases begin with, and a few others: a bit for each.
#[derive(Clone, Debug)]
pub struct Runs {
    /// A power of two of them, so never none.
    bits: Vec<u64>,
}

impl Default for Runs {
    fn default() -> Self {
        Self::new([])
    }
}

impl Runs {
    /// Of phrases.
    pub fn new<'a>(phrases: impl IntoIterator<Item = &'a [char]>) -> Self {
        let runs: Vec<Run> = phrases.into_iter().map(Run::of).collect();
        // one of sixteen is set
        let length = runs.len().div_ceil(4).next_power_of_two();
        let mut own = Self {
            bits: vec![0; length],
        };
        for run in runs {
            let [at, bit] = own.place(run);
            own.bits[at] |= 1 << bit;
        }
        own
    }

    /// Whether a phrase may begin with a run; false where none does.
    #[inline]
    pub fn may_hold(&self, run: Run) -> bool {
        let [at, bit] = self.place(run);
        self.bits[at] >> bit & 1 == 1
    }

    #[inline]
    fn place(&self, Run(run): Run) -> [usize; 2] {
        // Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4)
        let number = (run.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize;
        [(number / 64) & (self.bits.len() - 1), number % 64]
    }
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
            fn what_stands_at_a_start_is_its_run(text in "[ab1' é]{0,16}", phrase in "[ab1' é]{1,5}") {
                let [text, phrase] = [text, phrase].map(|one| one.chars().collect::<Vec<char>>());
                let starts = word_starts(&text);
                for start in &starts[1..] {
                    let rest = &text[start.at as usize..];
                    prop_assert_eq!(start.run, Run::of(rest));
                    // a phrase is not passed over where it stands, and no word goes on behind it
                    let is_of_word = |c: Option<&char>| c.is_some_and(|c| is_of_word(*c));
                    let is_cut = is_of_word(phrase.last()) && is_of_word(rest.get(phrase.len()));
                    if rest.starts_with(&phrase) && !is_cut {
                        prop_assert!(Runs::new([&*phrase]).may_hold(start.run));
                    }
                }
            }
        }
    }
}
