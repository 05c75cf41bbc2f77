//! Places: where something stands, as people count lines and columns.

/// A place in a text: line and column from 1, the column in Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Place {
    /// Where every text begins.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// Turns byte offsets of a text into places. Offsets mostly grow, so it goes on
/// from the last one, and starts again only when it is asked to go back.
///
/// ```
/// use assay::text::{Place, Places};
/// let mut places = Places::new("é\n{}");
/// assert_eq!(places.at(4), Place { line: 2, column: 2 });
/// assert_eq!(places.at(2), Place { line: 1, column: 2 });
/// ```
#[derive(Debug)]
pub struct Places<'a> {
    text: &'a str,
    start: Place,
    last: (usize, Place),
}

impl<'a> Places<'a> {
    /// The places of a text.
    pub fn new(text: &'a str) -> Self {
        Self::within(text, Place::START)
    }

    /// The places of a text that starts at a place of a larger one.
    pub fn within(text: &'a str, start: Place) -> Self {
        Self {
            text,
            start,
            last: (0, start),
        }
    }

    /// The place of an offset; beyond the end, the end.
    pub fn at(&mut self, offset: usize) -> Place {
        let offset = offset.min(self.text.len());
        if offset < self.last.0 {
            self.last = (0, self.start);
        }
        let (from, mut place) = self.last;
        let between = &self.text[from..offset];
        let line = match between.rfind('\n') {
            None => between,
            Some(end) => {
                let ends = between.bytes().filter(|byte| *byte == b'\n').count();
                place.line += ends as u32;
                place.column = 1;
                &between[end + 1..]
            }
        };
        place.column += line.chars().count() as u32;
        self.last = (offset, place);
        place
    }
}
