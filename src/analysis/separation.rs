//! How well a score tells two classes apart: the area under the ROC curve, what a threshold does,
//! and their bootstrap intervals (SCORING.md section 3, "Voice").

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::bootstrap::{ENDS_95, draw, percentile};

/// The least share of resamples in which a figure must be defined for an interval.
const LEAST_DEFINED: f64 = 0.5;

/// A score with the class that it should tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The score; the higher, the likelier on.
    pub score: f64,
    /// The class.
    pub is_on: bool,
    /// Drawn together in a resample: the replies of one session.
    pub group: usize,
}

/// The chance that one drawn from the on class has a higher score than one of the off class, ties
/// counted half, in [0, 1] (Mann and Whitney); 0.5 is a coin. None without both classes.
pub fn auc(judged: &[Judged]) -> Option<f64> {
    let mut sorted: Vec<&Judged> = judged.iter().collect();
    sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
    let (mut below, mut won, mut on) = (0.0, 0.0, 0.0);
    for same in sorted.chunk_by(|a, b| a.score.total_cmp(&b.score).is_eq()) {
        let here_on = same.iter().filter(|one| one.is_on).count() as f64;
        let here_off = same.len() as f64 - here_on;
        won += here_on * (below + here_off / 2.0);
        below += here_off;
        on += here_on;
    }
    (on > 0.0 && below > 0.0).then(|| won / (on * below))
}

/// The corners of the ROC curve from (0, 0) to (1, 1): the share of off replies and of on replies
/// whose score is at least the threshold.
pub fn roc(judged: &[Judged]) -> Vec<[f64; 2]> {
    let on = judged.iter().filter(|one| one.is_on).count() as f64;
    let off = judged.len() as f64 - on;
    let mut sorted: Vec<&Judged> = judged.iter().collect();
    sorted.sort_by(|a, b| b.score.total_cmp(&a.score));
    let (mut found, mut false_alarms) = (0.0, 0.0);
    let mut corners = vec![[0.0, 0.0]];
    for same in sorted.chunk_by(|a, b| a.score.total_cmp(&b.score).is_eq()) {
        let here_on = same.iter().filter(|one| one.is_on).count() as f64;
        found += here_on;
        false_alarms += same.len() as f64 - here_on;
        corners.push([false_alarms / off.max(1.0), found / on.max(1.0)]);
    }
    corners
}

/// What a threshold makes of the judged: counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// On and called on.
    pub found: usize,
    /// Off and called on.
    pub false_alarms: usize,
    /// On and called off.
    pub missed: usize,
    /// Off and called off.
    pub rejected: usize,
}

impl Confusion {
    /// Counts what is at least the threshold as on.
    pub fn at(judged: &[Judged], threshold: f64) -> Self {
        let mut counts = Self::default();
        for one in judged {
            *match (one.is_on, one.score >= threshold) {
                (true, true) => &mut counts.found,
                (false, true) => &mut counts.false_alarms,
                (true, false) => &mut counts.missed,
                (false, false) => &mut counts.rejected,
            } += 1;
        }
        counts
    }

    fn all(self) -> f64 {
        (self.found + self.false_alarms + self.missed + self.rejected) as f64
    }

    /// The share that is called right, in [0, 1]; none of none.
    pub fn accuracy(self) -> Option<f64> {
        let right = (self.found + self.rejected) as f64;
        (self.all() > 0.0).then(|| right / self.all())
    }

    /// What calling everything the commoner class would get right.
    pub fn majority(self) -> Option<f64> {
        let on = (self.found + self.missed) as f64;
        (self.all() > 0.0).then(|| on.max(self.all() - on) / self.all())
    }

    /// The harmonic mean of precision and recall of the on class, in [0, 1]; none where nothing is
    /// on or called on.
    pub fn f1(self) -> Option<f64> {
        let wrong = (self.false_alarms + self.missed) as f64;
        let twice = 2.0 * self.found as f64;
        (twice + wrong > 0.0).then(|| twice / (twice + wrong))
    }

    /// Cohen's kappa, at most 1; 0 is what chance would agree. None where all are of one class.
    pub fn kappa(self) -> Option<f64> {
        let all = self.all();
        let on = (self.found + self.missed) as f64 / all;
        let called = (self.found + self.false_alarms) as f64 / all;
        let by_chance = on * called + (1.0 - on) * (1.0 - called);
        let observed = self.accuracy()?;
        (by_chance < 1.0).then(|| (observed - by_chance) / (1.0 - by_chance))
    }
}

/// The 95 % percentile interval of a figure over `samples` resamples of the groups. None with fewer
/// than two groups, or where it is undefined in more than half of the resamples.
pub fn interval_95(
    judged: &[Judged],
    figure: impl Fn(&[Judged]) -> Option<f64>,
    samples: usize,
    seed: u64,
) -> Option<[f64; 2]> {
    let mut sorted = judged.to_vec();
    sorted.sort_by_key(|one| one.group);
    let groups: Vec<&[Judged]> = sorted.chunk_by(|a, b| a.group == b.group).collect();
    if groups.len() < 2 {
        return None;
    }
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut figures = Vec::with_capacity(samples);
    let mut drawn = Vec::with_capacity(judged.len());
    for _ in 0..samples {
        drawn.clear();
        for _ in 0..groups.len() {
            drawn.extend_from_slice(groups[draw(&mut generator, groups.len())]);
        }
        figures.extend(figure(&drawn));
    }
    if (figures.len() as f64) < LEAST_DEFINED * samples as f64 || figures.is_empty() {
        return None;
    }
    figures.sort_by(f64::total_cmp);
    Some(ENDS_95.map(|share| percentile(&figures, share)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(on: &[f64], off: &[f64]) -> Vec<Judged> {
        let all = on.iter().map(|score| (*score, true));
        let all = all.chain(off.iter().map(|score| (*score, false)));
        let judged = all.enumerate().map(|(group, (score, is_on))| Judged {
            score,
            is_on,
            group,
        });
        judged.collect()
    }

    #[test]
    fn the_area_counts_pairs_and_ties_half() {
        // of 6 pairs 4 are right and one is tied
        let some = judged(&[0.9, 0.5, 0.2], &[0.5, 0.1]);
        assert_eq!(auc(&some), Some(4.5 / 6.0));
        assert_eq!(auc(&judged(&[1.0], &[0.0])), Some(1.0));
        assert_eq!(auc(&judged(&[1.0], &[])), None);
        // the area under the corners is the same
        let area: f64 = roc(&some)
            .windows(2)
            .map(|two| (two[1][0] - two[0][0]) * (two[1][1] + two[0][1]) / 2.0)
            .sum();
        assert!((area - 4.5 / 6.0).abs() < 1e-12);
    }

    /// Worked out by hand: 3 found, 1 false alarm, 1 missed, 5 rejected.
    #[test]
    fn a_threshold_is_counted() {
        let some = judged(&[0.9, 0.8, 0.7, 0.2], &[0.6, 0.4, 0.3, 0.2, 0.1, 0.0]);
        let counts = Confusion::at(&some, 0.5);
        assert_eq!(
            (
                counts.found,
                counts.false_alarms,
                counts.missed,
                counts.rejected
            ),
            (3, 1, 1, 5)
        );
        assert_eq!(counts.accuracy(), Some(0.8));
        assert_eq!(counts.majority(), Some(0.6));
        assert_eq!(counts.f1(), Some(0.75));
        let by_chance = 0.4 * 0.4 + 0.6 * 0.6;
        let kappa = counts.kappa().expect("two classes");
        assert!((kappa - (0.8 - by_chance) / (1.0 - by_chance)).abs() < 1e-12);
        assert_eq!(Confusion::default().accuracy(), None);
    }

    #[test]
    fn an_interval_holds_the_figure_and_is_the_same_again() {
        let on: Vec<f64> = (0..40).map(|n| f64::from(n * 37 % 40) + 10.0).collect();
        let off: Vec<f64> = (0..40).map(|n| f64::from(n * 29 % 40)).collect();
        let some = judged(&on, &off);
        let value = auc(&some).expect("both");
        let [low, high] = interval_95(&some, auc, 500, 42).expect("groups");
        assert!(
            low < value && value < high && high - low < 0.3,
            "{low} {value} {high}"
        );
        assert_eq!(interval_95(&some, auc, 500, 42), Some([low, high]));
        assert_eq!(interval_95(&some[..1], auc, 500, 42), None);
    }
}
