//! What holds of all turns of a session together.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bands::BandCounts;
use super::principles::{PerPrinciple, Principle};
use super::reward::ScoredTurn;
use crate::analysis::{ExactSum, sum, sum_of};

/// A session's summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Number of turns.
    pub turns: usize,
    /// Mean of the totals.
    pub mean_total: f64,
    /// Turns of which nothing was measured; they count in the mean with what stands by default.
    pub unmeasured: usize,
    /// How many of the turns' scores, seven each, stand by default.
    pub by_default: usize,
    /// Mean per principle.
    pub mean_scores: PerPrinciple,
    /// The principle with the lowest mean; the first in order where several have it.
    pub weakest: Principle,
    /// Turns per band.
    pub bands: BandCounts,
    /// Least-squares slope of the total over the turns, per turn; null with fewer than two,
    /// and of several sessions together, which have no order.
    pub trend: Option<f64>,
    /// Sum of gamma^t x total_t, t from 0 in each session.
    pub discounted_value: f64,
}

/// A session among several.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoredSession {
    /// Its id; `session-2` for the second that has none.
    pub session_id: Arc<str>,
    /// What holds of its turns together.
    #[serde(flatten)]
    pub summary: Session,
    /// The positions of its turns among those of the log, in order.
    #[serde(skip)]
    pub positions: Arc<[usize]>,
}

impl Session {
    /// How many scores there are: seven for each turn.
    pub fn scores(&self) -> usize {
        self.turns * Principle::COUNT
    }

    /// The bands of the turns that were measured: of one that was not, all is whole by default, which is
    /// no perfect turn.
    pub fn measured_bands(&self) -> BandCounts {
        BandCounts {
            perfect: self.bands.perfect.saturating_sub(self.unmeasured),
            ..self.bands
        }
    }

    /// "3 of 20 turns not measured"; none where all were.
    pub fn unmeasured_words(&self) -> Option<String> {
        let (none, all) = (self.unmeasured, self.turns);
        let plural = if all == 1 { "" } else { "s" };
        (none > 0).then(|| format!("{none} of {all} turn{plural} not measured"))
    }

    /// The bands of the turns that were measured, and how many were not: "2 perfect, 1 poor, 1 of 4 turns
    /// not measured". Bands with no turn are left out.
    pub fn bands_words(&self) -> String {
        let bands = self.measured_bands().named().into_iter();
        let bands = bands.filter(|(number, _)| *number > 0);
        let bands = bands.map(|(number, band)| format!("{number} {band}"));
        bands
            .chain(self.unmeasured_words())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Whether all of them stand by default: nothing was measured.
    pub fn is_unsaid(&self) -> bool {
        self.by_default == self.scores()
    }
}

/// The turns of several sessions while they are summed up. Each sum is rounded once, at its end, so that
/// the order in which sessions come makes no difference.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    turns: usize,
    total: ExactSum,
    scores: [ExactSum; Principle::COUNT],
    unmeasured: usize,
    by_default: usize,
    bands: BandCounts,
    value: ExactSum,
}

impl Totals {
    /// Adds a turn.
    pub(super) fn add(&mut self, turn: &ScoredTurn) {
        self.turns += 1;
        self.total.add(turn.weighted_total);
        for (sum, score) in self.scores.iter_mut().zip(turn.scores.values()) {
            sum.add(score);
        }
        self.unmeasured += usize::from(turn.is_unsaid());
        self.by_default += turn.by_default.count();
        self.bands.count(turn.band);
    }

    /// Adds the discounted value of a session.
    pub(super) fn add_value(&mut self, value: f64) {
        self.value.add(value);
    }

    /// What holds of all of them; some things only hold within a session.
    pub(super) fn session(&self) -> Session {
        let means = self.scores.each_ref().map(|sum| sum.mean(self.turns));
        let mean_scores = PerPrinciple::from_values(means);
        Session {
            turns: self.turns,
            mean_total: self.total.mean(self.turns),
            unmeasured: self.unmeasured,
            by_default: self.by_default,
            weakest: weakest(&mean_scores),
            mean_scores,
            bands: self.bands,
            trend: None,
            discounted_value: self.value.value(),
        }
    }
}

/// Sums up several sessions: their turns together.
pub(super) fn sum_up_all(turns: &[ScoredTurn], sessions: &[ScoredSession]) -> Session {
    let mut totals = Totals::default();
    for turn in turns {
        totals.add(turn);
    }
    for session in sessions {
        totals.add_value(session.summary.discounted_value);
    }
    totals.session()
}

/// Sums up the scored turns of a session. `gamma` is in [0, 1].
pub(super) fn sum_up<'a, I>(turns: &I, gamma: f64) -> Session
where
    I: ExactSizeIterator<Item = &'a ScoredTurn> + Clone,
{
    let number = turns.len();
    let turns = || turns.clone();
    let totals = || turns().map(|turn| turn.weighted_total);
    let mean = |values: &mut dyn Iterator<Item = f64>| sum_of(values) / number.max(1) as f64;
    let mean_scores = PerPrinciple::from_values(
        Principle::ALL.map(|principle| mean(&mut turns().map(|turn| turn.scores[principle]))),
    );
    let mut discount = 1.0;
    let discounted = totals().map(|total| {
        let value = discount * total;
        discount *= gamma;
        value
    });
    Session {
        turns: number,
        mean_total: mean(&mut totals()),
        unmeasured: turns().filter(|turn| turn.is_unsaid()).count(),
        by_default: turns().map(|turn| turn.by_default.count()).sum(),
        weakest: weakest(&mean_scores),
        mean_scores,
        bands: BandCounts::of(turns().map(|turn| turn.band)),
        trend: slope(&totals().collect::<Vec<_>>()),
        discounted_value: sum_of(discounted),
    }
}

fn weakest(means: &PerPrinciple) -> Principle {
    let [first, others @ ..] = Principle::ALL;
    others.into_iter().fold(first, |weakest, other| {
        if means[other] < means[weakest] {
            other
        } else {
            weakest
        }
    })
}

/// Least-squares slope over the index.
fn slope(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let middle = (values.len() - 1) as f64 / 2.0;
    let level = sum(values) / values.len() as f64;
    let offsets = || (0..values.len()).map(|index| index as f64 - middle);
    let products: Vec<f64> = offsets()
        .zip(values)
        .map(|(x, y)| x * (y - level))
        .collect();
    let squares: Vec<f64> = offsets().map(|x| x * x).collect();
    Some(sum(&products) / sum(&squares))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trend_is_the_slope() {
        assert_eq!(slope(&[1.0]), None);
        assert_eq!(slope(&[1.0, 3.0, 5.0]), Some(2.0));
        assert_eq!(slope(&[4.0, 4.0]), Some(0.0));
    }

    #[test]
    fn the_weakest_is_the_first_of_the_lowest() {
        let mut means = PerPrinciple::all(1.0);
        assert_eq!(weakest(&means), Principle::Tasteful);
        means[Principle::Ethical] = 0.5;
        means[Principle::Composable] = 0.5;
        assert_eq!(weakest(&means), Principle::Ethical);
    }
}
