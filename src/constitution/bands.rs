//! The bands of a turn's total: their names and bounds, written once
//! (SCORING.md section 1, "Total, normalised, band").

use serde::{Deserialize, Serialize};

use super::principles::SCALE;
use crate::analysis::round4;

/// Bands of the total, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // named by the method
pub enum Band {
    Perfect,
    Good,
    Concerning,
    Poor,
}

/// Each band, the best first, with its name, its title and the least total that is
/// in it, on the scale of [`SCALE`].
const BANDS: [(Band, &str, &str, f64); 4] = [
    (Band::Perfect, "perfect", "Perfect", SCALE),
    (Band::Good, "good", "Good", 7.0),
    (Band::Concerning, "concerning", "Concerning", 5.0),
    (Band::Poor, "poor", "Poor", 0.0),
];

impl Band {
    /// Its name.
    pub const fn word(self) -> &'static str {
        BANDS[self as usize].1
    }

    /// Its name with a capital.
    pub const fn title(self) -> &'static str {
        BANDS[self as usize].2
    }

    /// The least total that is in it, on the scale of [`SCALE`].
    pub const fn least(self) -> f64 {
        BANDS[self as usize].3
    }

    /// The next band above or below, and the total that parts the two; none at the ends.
    pub(super) fn next(self, above: bool) -> Option<(Self, f64)> {
        let own = self as usize;
        let other = if above { own.checked_sub(1)? } else { own + 1 };
        let other = BANDS.get(other)?.0;
        Some((other, self.min(other).least()))
    }

    /// The band of a normalised total in [0, 1], compared on the scale of [`SCALE`]
    /// and rounded to 4 decimals.
    pub fn of(normalised: f64) -> Self {
        let scaled = round4(normalised * SCALE);
        let found = BANDS.iter().find(|(.., least)| scaled >= *least);
        found.map_or(Self::Poor, |(band, ..)| *band)
    }
}

/// How many turns fall in each band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // named by the method
pub struct BandCounts {
    pub perfect: usize,
    pub good: usize,
    pub concerning: usize,
    pub poor: usize,
}

impl BandCounts {
    pub(super) fn of(bands: impl Iterator<Item = Band>) -> Self {
        let mut counts = Self::default();
        bands.for_each(|band| counts.count(band));
        counts
    }

    /// Counts a turn.
    pub(super) fn count(&mut self, band: Band) {
        *match band {
            Band::Perfect => &mut self.perfect,
            Band::Good => &mut self.good,
            Band::Concerning => &mut self.concerning,
            Band::Poor => &mut self.poor,
        } += 1;
    }

    /// "1 perfect", "0 good", ...: each band with its count, the best first.
    pub fn named(&self) -> [(usize, &'static str); 4] {
        let counts = [self.perfect, self.good, self.concerning, self.poor];
        std::array::from_fn(|place| (counts[place], BANDS[place].1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_bands() {
        for (place, (band, word, title, least)) in BANDS.iter().enumerate() {
            assert_eq!(*band as usize, place);
            assert_eq!(serde_json::json!(band), *word);
            assert_eq!(title.to_lowercase(), *word);
            assert_eq!(Band::of(least / SCALE), *band);
        }
        let counts = BandCounts::of([Band::Poor, Band::Good, Band::Poor].into_iter());
        let named = counts
            .named()
            .map(|(number, word)| format!("{number} {word}"));
        assert_eq!(named, ["0 perfect", "1 good", "0 concerning", "2 poor"]);
    }

    #[test]
    fn bands_compare_the_rounded_total() {
        assert_eq!(Band::of(1.0), Band::Perfect);
        assert_eq!(Band::of(8.699_96 / 8.7), Band::Perfect);
        assert_eq!(Band::of(8.699 / 8.7), Band::Good);
        assert_eq!(Band::of(7.0 / 8.7), Band::Good);
        assert_eq!(Band::of(6.9999 / 8.7), Band::Concerning);
        assert_eq!(Band::of(5.0 / 8.7), Band::Concerning);
        assert_eq!(Band::of(4.9999 / 8.7), Band::Poor);
        assert_eq!(Band::of(0.0), Band::Poor);
    }
}
