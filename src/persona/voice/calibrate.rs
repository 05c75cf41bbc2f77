//! What labels say of a voice (SCORING.md section 3, "Calibration"): every figure is out of fold, by
//! voices that had seen no label of the session, with a threshold chosen without it.

use serde::Serialize;

use super::control::{Control, ControlSample};
use super::families::{FORMULA, Text};
use super::labels::Labels;
use super::learn::{Label, Lesson, vector};
use crate::analysis::logistic::sigmoid;
use crate::analysis::separation::{Confusion, Judged, auc, interval_95, roc};
use crate::embedding::Embedder;
use crate::persona::lexicon::LexiconMatcher;
use crate::steps::{Pause, Progress, step};

/// With fewer labels, or fewer of a class, nothing can be said.
pub const LEAST_LABELS: usize = 10;
const LEAST_OF_A_CLASS: usize = 3;
/// How many parts the sessions are dealt into.
const FOLDS: usize = 5;
/// What "narrow" means: an interval of the AUC that ends so far from it on either side.
pub const NARROW: f64 = 0.05;

/// A figure with its 95 % bootstrap interval over sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figure {
    /// The figure; none where it is not defined.
    pub value: Option<f64>,
    /// Its interval.
    pub ci95: Option<[f64; 2]>,
}

/// A labelled reply with what a voice says of it that had not seen its session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Held {
    /// Its session.
    pub session_id: String,
    /// The reply.
    pub text: String,
    /// 1 on brand, 0 off brand.
    pub label: u8,
    /// In [0, 1].
    pub voice: f64,
    /// Whether the voice says the same, by a threshold chosen without it.
    pub agrees: bool,
}

/// What the labels say of the voice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// `voice/1`.
    pub formula: &'static str,
    /// What the voice was held against.
    pub control: ControlSample,
    /// Labels on brand and off brand that were used.
    pub on: usize,
    /// See `on`.
    pub off: usize,
    /// Replies that labellers do not agree on; they are not used.
    pub disputed: usize,
    /// From this voice on a reply is called on brand; chosen on all labels.
    pub threshold: f64,
    /// The area under the ROC curve: 0.5 is a coin.
    pub auc: Figure,
    /// The same without any label: by exemplars alone.
    pub auc_without_labels: Figure,
    /// The harmonic mean of precision and recall at thresholds chosen without the reply.
    pub f1: Figure,
    /// Cohen's kappa, in the same way.
    pub kappa: Figure,
    /// The share called right, in the same way.
    pub accuracy: Figure,
    /// What calling all of them the commoner class would get right.
    pub majority: f64,
    /// Agreement of each two labellers: their names, replies that both judged, Cohen's kappa.
    pub labellers: Vec<(String, String, usize, Option<f64>)>,
    /// About how many more labels would narrow the interval of the AUC to ±0.05.
    pub more_labels: Option<usize>,
    /// The corners of the ROC curve: share of off brand called on, share of on brand called on.
    pub roc: Vec<[f64; 2]>,
    /// Each labelled reply, out of fold; the worst disagreement first. What reads labels reads them.
    pub labels: Vec<Held>,
}

/// Why there is no calibration yet, in words.
pub fn lacks(labels: &[Label]) -> Option<String> {
    let on = labels.iter().filter(|label| label.is_on).count();
    let off = labels.len() - on;
    if enough(on, off) {
        return None;
    }
    Some(format!(
        "{on} on brand and {off} off brand are labelled: at least {LEAST_LABELS} labels are needed, and {LEAST_OF_A_CLASS} of each"
    ))
}

/// Whether so many labels of either class say something.
pub(super) const fn enough(on: usize, off: usize) -> bool {
    on + off >= LEAST_LABELS && on >= LEAST_OF_A_CLASS && off >= LEAST_OF_A_CLASS
}

/// Calibrates a lesson by its labels; in words why that cannot be done. A round of a fit is a step.
#[expect(clippy::too_many_lines, reason = "a figure after the other")]
pub async fn calibrate(
    lesson: &Lesson,
    labels: &Labels,
    control: &Control,
    embedder: &dyn Embedder,
    seed: (usize, u64),
    pause: Pause<'_>,
) -> Result<Calibration, String> {
    let all = labels.agreed();
    if let Some(reason) = lacks(&all) {
        return Err(reason);
    }
    let lexicon = LexiconMatcher::new(&lesson.lexicon);
    let mut texts = Vec::with_capacity(all.len());
    for (done, label) in all.iter().enumerate() {
        let vector = vector(&label.text, embedder).map_err(|error| error.0)?;
        texts.push(Text::new(&label.text, vector, &lexicon));
        step(pause, Progress::new(done, all.len(), "labels taken apart")).await;
    }
    let groups = groups(&all);
    let learn = async |labels: Vec<Label>| {
        let lesson = Lesson {
            labels,
            ..lesson.clone()
        };
        lesson.learn(control, embedder, pause).await
    };
    let unlabelled = learn(Vec::new()).await.ok();
    let mut scores = vec![(0.0, 0.5); all.len()];
    for fold in 0..FOLDS {
        let is_out = |at: usize| groups[at] % FOLDS == fold;
        let kept: Vec<usize> = (0..all.len()).filter(|at| !is_out(*at)).collect();
        let voice = learn(kept.iter().map(|at| all[*at].clone()).collect()).await?;
        let threshold = best_threshold(&voice.judged_labels());
        for at in (0..all.len()).filter(|at| is_out(*at)) {
            scores[at] = (voice.score(&texts[at]).log_odds, threshold);
        }
        step(
            pause,
            Progress::new(fold + 1, FOLDS, "parts of the labels left out"),
        )
        .await;
    }
    let judged = |score: &dyn Fn(usize) -> f64| -> Vec<Judged> {
        let all = all.iter().enumerate();
        all.map(|(at, label)| Judged {
            score: score(at),
            is_on: label.is_on,
            group: groups[at],
        })
        .collect()
    };
    let by_voice = judged(&|at| scores[at].0);
    // above 0 it is called on brand
    let called = judged(&|at| scores[at].0 - scores[at].1);
    let figure = |of: &[Judged], value: fn(&[Judged]) -> Option<f64>| Figure {
        value: value(of),
        ci95: interval_95(of, value, seed.0, seed.1),
    };
    let without = unlabelled.map(|voice| judged(&|at| voice.score(&texts[at]).log_odds));
    let everything = learn(all.clone()).await?;
    let on = all.iter().filter(|label| label.is_on).count();
    let area = figure(&by_voice, auc);
    Ok(Calibration {
        formula: FORMULA,
        control: everything.control.clone(),
        on,
        off: all.len() - on,
        disputed: labels.disputed().len(),
        threshold: sigmoid(best_threshold(&everything.judged_labels())),
        auc: area,
        auc_without_labels: without
            .map(|judged| figure(&judged, auc))
            .unwrap_or_default(),
        f1: figure(&called, |judged| Confusion::at(judged, 0.0).f1()),
        kappa: figure(&called, |judged| Confusion::at(judged, 0.0).kappa()),
        accuracy: figure(&called, |judged| Confusion::at(judged, 0.0).accuracy()),
        majority: Confusion::at(&called, 0.0).majority().unwrap_or_default(),
        labellers: agreement(labels),
        more_labels: more_labels(area, all.len()),
        roc: roc(&by_voice),
        labels: held(&all, &scores),
    })
}

/// The number of each label's session, in the order of the first.
pub fn groups(labels: &[Label]) -> Vec<usize> {
    let mut sessions: Vec<&str> = Vec::new();
    let mut number = |session| {
        let known = sessions.iter().position(|one| *one == session);
        known.unwrap_or_else(|| {
            sessions.push(session);
            sessions.len() - 1
        })
    };
    labels
        .iter()
        .map(|label| number(label.session.as_str()))
        .collect()
}

/// The log-odds that tell the classes best: the largest found minus false alarms (Youden), in the
/// middle between two scores; 0 without both classes.
pub(super) fn best_threshold(judged: &[Judged]) -> f64 {
    let mut scores: Vec<f64> = judged.iter().map(|one| one.score).collect();
    scores.sort_by(f64::total_cmp);
    let on = judged.iter().filter(|one| one.is_on).count() as f64;
    let off = judged.len() as f64 - on;
    if on == 0.0 || off == 0.0 {
        return 0.0;
    }
    let mut best = (f64::NEG_INFINITY, 0.0);
    for two in scores.windows(2) {
        let threshold = f64::midpoint(two[0], two[1]);
        let counts = Confusion::at(judged, threshold);
        let gain = counts.found as f64 / on - counts.false_alarms as f64 / off;
        if gain > best.0 {
            best = (gain, threshold);
        }
    }
    best.1
}

/// An interval narrows with the square root of the number.
fn more_labels(area: Figure, labels: usize) -> Option<usize> {
    let [low, high] = area.ci95?;
    let times = ((high - low) / 2.0 / NARROW).powi(2);
    let needed = (times * labels as f64).ceil() as usize;
    Some(needed.saturating_sub(labels))
}

fn agreement(labels: &Labels) -> Vec<(String, String, usize, Option<f64>)> {
    let names = labels.labellers();
    let pairs = names.iter().enumerate();
    let pairs = pairs.flat_map(|(at, one)| names[at + 1..].iter().map(move |other| (*one, *other)));
    let agreed = pairs.map(|(one, other)| {
        let both = labels.both(one, other);
        let judged = both
            .iter()
            .enumerate()
            .map(|(group, (first, second))| Judged {
                score: f64::from(*second),
                is_on: *first,
                group,
            });
        let counts = Confusion::at(&judged.collect::<Vec<_>>(), 0.5);
        (one.to_owned(), other.to_owned(), both.len(), counts.kappa())
    });
    agreed.filter(|(_, _, both, _)| *both > 0).collect()
}

/// Each label with what was said of it, the worst disagreement first.
fn held(labels: &[Label], scores: &[(f64, f64)]) -> Vec<Held> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    // how far on the right side of the threshold
    let right = |at: usize| {
        let (score, threshold) = scores[at];
        if labels[at].is_on {
            score - threshold
        } else {
            threshold - score
        }
    };
    crate::text::sort_by(&mut order, |a, b| right(*a).total_cmp(&right(*b)));
    let held = order.into_iter().map(|at| Held {
        session_id: labels[at].session.clone(),
        text: labels[at].text.clone(),
        label: u8::from(labels[at].is_on),
        voice: sigmoid(scores[at].0),
        agrees: (scores[at].0 >= scores[at].1) == labels[at].is_on,
    });
    held.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(on: &[f64], off: &[f64]) -> Vec<Judged> {
        let all = on
            .iter()
            .map(|score| (*score, true))
            .chain(off.iter().map(|score| (*score, false)));
        all.enumerate()
            .map(|(group, (score, is_on))| Judged {
                score,
                is_on,
                group,
            })
            .collect()
    }

    #[test]
    fn the_threshold_stands_where_the_classes_part() {
        assert!((best_threshold(&judged(&[3.0, 2.0], &[-1.0, 0.0])) - 1.0).abs() < 1e-12);
        // one on brand lies among the others: giving it up costs a half, no false alarm is won
        assert!((best_threshold(&judged(&[3.0, -2.0], &[-1.0, 0.0])) - 1.5).abs() < 1e-12);
        assert!(best_threshold(&judged(&[3.0], &[])).abs() < 1e-12);
    }

    #[test]
    fn twice_as_narrow_takes_four_times_the_labels() {
        let area = |half: f64| Figure {
            value: Some(0.9),
            ci95: Some([0.9 - half, 0.9 + half]),
        };
        assert_eq!(more_labels(area(0.1), 20), Some(60));
        assert_eq!(more_labels(area(0.03), 20), Some(0));
        assert_eq!(more_labels(Figure::default(), 20), None);
    }

    #[test]
    fn what_is_missing_is_said() {
        let label = |is_on| Label {
            text: "t".into(),
            is_on,
            session: "s".into(),
        };
        let few = [label(true), label(false)];
        assert!(lacks(&few).is_some_and(|words| words.contains("1 on brand and 1 off brand")));
        let one_class: Vec<Label> = (0..20).map(|_| label(true)).collect();
        assert!(lacks(&one_class).is_some());
        let enough: Vec<Label> = (0..10).map(|at| label(at % 3 == 0)).collect();
        assert_eq!(lacks(&enough), None);
    }
}
