//! From samples to a voice: a linear model for each family, their sum, its calibration.

use serde::{Deserialize, Serialize};

use super::calibrate::{best_threshold, enough};
use super::control::ControlSample;
use super::families::{Family, Space, Text, nearest};
use crate::analysis::logistic::{Logistic, Rows, Task, fit as fit_logistic, sigmoid};
use crate::analysis::separation::{Judged, auc};
use crate::steps::{Pause, Progress, step};

/// Each sample is left out once, with others of its fold; with fewer of ours than this, one by one.
const MOST_FOLDS: usize = 20;
/// So many texts that are said not to be ours weigh as much as the whole control.
const OTHERS_AS_CONTROL: f64 = 1.0;
/// With fewer of ours there is nothing to leave out and learn from the rest.
pub const LEAST_OURS: usize = 5;

/// With fewer examples there is nothing to leave out.
pub const LEAST_EXAMPLES: usize = 2;

/// When a fit ends: the length of its gradient over that at the start.
const EXACT: f64 = 1e-8;
/// The same for a fit that only says what is left out of it.
const NEAR: f64 = 1e-3;

/// What a sample is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An exemplar of the persona.
    Exemplar,
    /// A reply that somebody called on brand.
    On,
    /// A reply of the control.
    Control,
    /// What the persona or somebody calls off brand.
    Off,
}

impl Origin {
    /// Whether it is how the persona sounds.
    pub const fn is_ours(self) -> bool {
        matches!(self, Self::Exemplar | Self::On)
    }
}

/// A text to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The text, taken apart.
    pub text: Text,
    /// What it is.
    pub origin: Origin,
    /// Whether somebody has judged it.
    pub is_label: bool,
    /// Samples of one group are left out together: the replies of one session.
    pub group: usize,
}

/// A fitted voice.
#[derive(Clone, Debug, PartialEq)]
pub struct Voice {
    pub(super) space: Space,
    pub(super) parts: [Part; 4],
    /// The vectors of ours and of what is off brand, for the nearest.
    pub(super) ours: Vec<Vec<f64>>,
    pub(super) off: Vec<Vec<f64>>,
    /// Log-odds = intercept + slope times the sum of the parts.
    pub(super) slope: f64,
    pub(super) intercept: f64,
    /// The log-odds of each label by a fit that had not seen its session.
    judged_labels: Vec<Judged>,
    /// What it was learned from.
    pub counts: Counts,
    /// What it was held against.
    pub control: ControlSample,
    /// How well what was left out tells ours from the others: ROC AUC in [0, 1].
    pub separation: Option<f64>,
}

/// How many texts a voice was learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // named by [`Origin`]
pub struct Counts {
    pub exemplars: usize,
    pub labels_on: usize,
    /// Off-brand examples and labels.
    pub off: usize,
    /// Replies that somebody has judged, on brand and off.
    pub labels: usize,
    pub control: usize,
}

/// The linear model of a family, and what it says of the control.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    pub(super) model: Logistic,
    pub(super) mean: f64,
    pub(super) deviation: f64,
}

/// The score of a reply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoiceScore {
    /// In [0, 1]; 0.5 where neither side is likelier.
    pub value: f64,
    /// The same as log-odds: `base` and all `parts` together.
    pub log_odds: f64,
    /// Where every reply starts.
    pub base: f64,
    /// What each family adds, in the order of [`Family::ALL`].
    pub parts: [f64; 4],
    /// Which of ours is the nearest, and its cosine.
    pub nearest: Option<(f64, usize)>,
    /// The same of what is off brand.
    pub nearest_off: Option<(f64, usize)>,
}

/// Fits a voice; none with fewer than [`LEAST_EXAMPLES`] of ours or two of the control. A round of a fit is a step.
pub async fn fit(samples: &[Sample], pause: Pause<'_>) -> Option<Voice> {
    let vectors = |wanted: &dyn Fn(Origin) -> bool| -> Vec<Vec<f64>> {
        let chosen = samples.iter().filter(|sample| wanted(sample.origin));
        chosen.map(|sample| sample.text.vector.clone()).collect()
    };
    let (ours, off) = (
        vectors(&Origin::is_ours),
        vectors(&|origin| origin == Origin::Off),
    );
    let control = samples
        .iter()
        .filter(|sample| sample.origin == Origin::Control);
    let control: Vec<&Text> = control.map(|sample| &sample.text).collect();
    if ours.len() < LEAST_EXAMPLES || control.len() < 2 {
        return None;
    }
    let space = Space::new(&control, samples.iter().map(|sample| &sample.text), pause).await;
    let folds = folds(samples);
    let all = weights(samples, |_| true);
    let mut parts: [Part; 4] = Default::default();
    let mut sums = vec![0.0; samples.len()];
    for (family, part) in Family::ALL.into_iter().zip(&mut parts) {
        let values = if family == Family::Nearest {
            part.model.coefficients = vec![1.0];
            left_out_nearest(samples, &folds)
        } else {
            let rows = rows(&space, family, samples, pause).await;
            part.model = fit_one(family, &rows, samples, &all, (None, EXACT), pause).await;
            left_out(family, &rows, samples, &folds, &part.model, pause).await
        };
        let of_control = samples
            .iter()
            .zip(&values)
            .filter(|(s, _)| s.origin == Origin::Control);
        (part.mean, part.deviation) = spread(of_control.map(|(_, value)| *value));
        for (sum, value) in sums.iter_mut().zip(&values) {
            *sum += family.weight() * (value - part.mean) / part.deviation;
        }
        step(pause, Progress::new(0, 4, "families fitted")).await;
    }
    let (slope, intercept) = calibration(&sums, samples, &all, pause).await;
    let judged = samples.iter().zip(&sums).map(|(sample, sum)| Judged {
        score: intercept + slope * sum,
        is_on: sample.origin.is_ours(),
        group: sample.group,
    });
    let judged: Vec<Judged> = judged.collect();
    Some(Voice {
        counts: counts(samples),
        control: ControlSample::default(),
        separation: auc(&judged),
        judged_labels: judged_labels(samples, judged),
        space,
        parts,
        ours,
        off,
        slope,
        intercept,
    })
}

fn counts(samples: &[Sample]) -> Counts {
    let count = |origin| {
        samples
            .iter()
            .filter(|sample| sample.origin == origin)
            .count()
    };
    Counts {
        exemplars: count(Origin::Exemplar),
        labels_on: count(Origin::On),
        off: count(Origin::Off),
        labels: samples.iter().filter(|sample| sample.is_label).count(),
        control: count(Origin::Control),
    }
}

fn judged_labels(samples: &[Sample], judged: Vec<Judged>) -> Vec<Judged> {
    let labelled = samples
        .iter()
        .zip(judged)
        .filter(|(sample, _)| sample.is_label);
    labelled.map(|(_, judged)| judged).collect()
}

impl Voice {
    /// The voice from which on a reply is called on brand: where the labels part best. None with too
    /// few labels.
    pub fn threshold(&self) -> Option<f64> {
        let on = self
            .judged_labels
            .iter()
            .filter(|label| label.is_on)
            .count();
        let off = self.judged_labels.len() - on;
        enough(on, off).then(|| sigmoid(best_threshold(&self.judged_labels)))
    }

    /// The labels, each by a fit that had not seen its session.
    pub(super) fn judged_labels(&self) -> Vec<Judged> {
        self.judged_labels.clone()
    }

    /// What each column of a family adds to the log-odds of a text, by column.
    pub(super) fn shares(&self, family: Family, text: &Text) -> Vec<(u32, f64)> {
        let part = &self.parts[family as usize];
        let scale = self.scale(family);
        let share = |(column, value): (u32, f64)| {
            let coefficient = part.model.coefficients.get(column as usize)?;
            Some((column, scale * coefficient * value))
        };
        self.space
            .row(family, text)
            .into_iter()
            .filter_map(share)
            .collect()
    }

    /// What one of a family's own log-odds comes to in the whole.
    fn scale(&self, family: Family) -> f64 {
        self.slope * family.weight() / self.parts[family as usize].deviation
    }

    /// The score of a text.
    pub fn score(&self, text: &Text) -> VoiceScore {
        let nearest_of = |vectors: &[Vec<f64>]| {
            nearest(&text.vector, vectors.iter().map(Vec::as_slice).enumerate())
        };
        let (nearest, nearest_off) = (nearest_of(&self.ours), nearest_of(&self.off));
        let mut base = self.intercept;
        let mut parts = [0.0; 4];
        for ((family, part), share) in Family::ALL.into_iter().zip(&self.parts).zip(&mut parts) {
            let scale = self.scale(family);
            base += scale * (part.model.intercept - part.mean);
            let row = self.space.row(family, text).into_iter();
            *share = scale
                * match family {
                    Family::Nearest => nearer(nearest, nearest_off),
                    _ => part.model.log_odds(row) - part.model.intercept,
                };
        }
        let log_odds = base + parts.iter().sum::<f64>();
        VoiceScore {
            value: sigmoid(log_odds),
            log_odds,
            base,
            parts,
            nearest,
            nearest_off,
        }
    }
}

/// How much nearer the nearest of ours is than the nearest that is off brand; how near it is, where
/// nothing is.
fn nearer(ours: Option<(f64, usize)>, off: Option<(f64, usize)>) -> f64 {
    let cosine = |found: Option<(f64, usize)>| found.map_or(0.0, |(cosine, _)| cosine);
    cosine(ours) - cosine(off)
}

/// The fold of each sample.
fn folds(samples: &[Sample]) -> Vec<usize> {
    let mut groups: Vec<usize> = Vec::new();
    for sample in samples.iter().filter(|sample| sample.origin.is_ours()) {
        if !groups.contains(&sample.group) {
            groups.push(sample.group);
        }
    }
    let number = groups.len().clamp(2, MOST_FOLDS);
    let of_ours = |group| groups.iter().position(|one| *one == group);
    let fold = |sample: &Sample| of_ours(sample.group).unwrap_or(sample.group) % number;
    samples.iter().map(fold).collect()
}

/// What each sample counts for: ours half of all, the others half. Control and what is said not to
/// be ours share their half, and the more there is of the second the more it counts.
fn weights(samples: &[Sample], is_in: impl Fn(usize) -> bool) -> Vec<f64> {
    let count = |wanted: &dyn Fn(Origin) -> bool| {
        let chosen = samples
            .iter()
            .enumerate()
            .filter(|(at, s)| is_in(*at) && wanted(s.origin));
        chosen.count() as f64
    };
    let ours = count(&Origin::is_ours);
    let (control, off) = (
        count(&|o| o == Origin::Control),
        count(&|o| o == Origin::Off),
    );
    let share = match (control > 0.0, off > 0.0) {
        (true, true) => off / (off + OTHERS_AS_CONTROL),
        (_, has_off) => f64::from(has_off),
    };
    let weight = |(at, sample): (usize, &Sample)| match sample.origin {
        _ if !is_in(at) => 0.0,
        Origin::Exemplar | Origin::On => 0.5 / ours.max(1.0),
        Origin::Control => 0.5 * (1.0 - share) / control.max(1.0),
        Origin::Off => 0.5 * share / off.max(1.0),
    };
    samples.iter().enumerate().map(weight).collect()
}

async fn rows(space: &Space, family: Family, samples: &[Sample], pause: Pause<'_>) -> Rows {
    let mut rows = Rows::new(space.width(family));
    for (done, sample) in samples.iter().enumerate() {
        rows.push(space.row(family, &sample.text));
        step(pause, Progress::new(done, samples.len(), "rows made")).await;
    }
    rows
}

async fn fit_one(
    family: Family,
    rows: &Rows,
    samples: &[Sample],
    weights: &[f64],
    (start, enough): (Option<&Logistic>, f64),
    pause: Pause<'_>,
) -> Logistic {
    let targets = samples
        .iter()
        .map(|sample| f64::from(sample.origin.is_ours()));
    let targets: Vec<f64> = targets.collect();
    let task = Task {
        rows,
        targets: &targets,
        weights,
        strength: family.strength(),
        enough,
    };
    fit_logistic(task, start, pause).await
}

/// What a family says of each sample by fits that had not seen its fold.
async fn left_out(
    family: Family,
    rows: &Rows,
    samples: &[Sample],
    folds: &[usize],
    start: &Logistic,
    pause: Pause<'_>,
) -> Vec<f64> {
    let mut values = vec![0.0; samples.len()];
    for fold in 0..=folds.iter().copied().max().unwrap_or_default() {
        let weights = weights(samples, |at| folds[at] != fold);
        let model = fit_one(family, rows, samples, &weights, (Some(start), NEAR), pause).await;
        for at in (0..samples.len()).filter(|at| folds[*at] == fold) {
            values[at] = model.log_odds(rows.row(at));
        }
    }
    values
}

/// How much nearer each sample is to ours than to what is off brand, both of other folds.
fn left_out_nearest(samples: &[Sample], folds: &[usize]) -> Vec<f64> {
    let value = |(at, sample): (usize, &Sample)| {
        let nearest_of = |wanted: &dyn Fn(Origin) -> bool| {
            let others = samples
                .iter()
                .enumerate()
                .filter(|(other, one)| wanted(one.origin) && folds[*other] != folds[at]);
            nearest(
                &sample.text.vector,
                others.map(|(number, one)| (number, one.text.vector.as_slice())),
            )
        };
        nearer(
            nearest_of(&Origin::is_ours),
            nearest_of(&|origin| origin == Origin::Off),
        )
    };
    samples.iter().enumerate().map(value).collect()
}

/// Mean and population standard deviation; the second above 0.
fn spread(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let number = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / number).sqrt().max(1e-9))
}

/// Slope and intercept by Platt's method: a logistic fit of what was left out, its targets drawn in
/// a little so that sides that do not overlap keep a slope that ends.
async fn calibration(
    sums: &[f64],
    samples: &[Sample],
    weights: &[f64],
    pause: Pause<'_>,
) -> (f64, f64) {
    let mut rows = Rows::new(1);
    for sum in sums {
        rows.push([(0, *sum)]);
    }
    let ours = samples
        .iter()
        .filter(|sample| sample.origin.is_ours())
        .count();
    let drawn_in = 1.0 / (ours as f64 + 2.0);
    let target = |sample: &Sample| {
        if sample.origin.is_ours() {
            1.0 - drawn_in
        } else {
            drawn_in
        }
    };
    let targets: Vec<f64> = samples.iter().map(target).collect();
    let task = Task {
        rows: &rows,
        targets: &targets,
        weights,
        strength: 1e-6,
        enough: EXACT,
    };
    let fitted = fit_logistic(task, None, pause).await;
    // a voice that cannot be told from the control says nothing, and never the contrary
    (fitted.coefficients[0].max(0.0), fitted.intercept)
}
