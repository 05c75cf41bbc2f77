//! Offsets: what the libraries count in bytes is shown in Unicode scalar values.

/// Turns byte offsets of a text, which must not shrink, into offsets in scalar values.
///
/// ```
/// let mut scalars = assay::text::Scalars::new("é = ü");
/// assert_eq!([0, 2, 5].map(|byte| scalars.at(byte)), [0, 1, 4]);
/// ```
#[derive(Debug)]
pub struct Scalars<'a> {
    text: &'a str,
    byte: usize,
    scalar: usize,
}

impl<'a> Scalars<'a> {
    /// The offsets of a text.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            byte: 0,
            scalar: 0,
        }
    }

    /// How many scalar values stand before a byte.
    pub fn at(&mut self, byte: usize) -> usize {
        self.scalar += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.scalar
    }
}

/// The byte at which each scalar value begins, and the length of the text behind them.
pub fn scalar_starts(text: &str) -> Vec<usize> {
    let starts = text.char_indices().map(|(at, _)| at);
    starts.chain([text.len()]).collect()
}
