//! Baseline and candidate over the same persona: sessions paired by id, replies by session and
//! turn or by what they answer (SCORING.md section 3, "Compare").

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use crate::analysis::bootstrap::{clusters_interval_95, difference_interval_95, mean};
use crate::steps::{Pause, THROUGH, at_once};
use crate::text::sort_by;

use super::metric::Metric;
use super::pairs::{PairedBy, Place, pairs, reply};
use super::result::{Bootstrap, FORMULA, Grade, PersonaResult, SessionResult, TurnResult};
use super::run::JUDGE_LEFT_OUT;
use super::split::Split;

/// A difference of overall below which a session is not called worse: rounding.
const SAME: f64 = 1e-9;

/// What changed from a baseline to a candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// `alignmenter-reference/1`.
    pub formula: &'static str,
    /// Overall of all sessions of the baseline.
    pub baseline_overall: Option<f64>,
    /// Its grade.
    pub baseline_grade: Option<Grade>,
    /// Overall of all sessions of the candidate.
    pub candidate_overall: Option<f64>,
    /// Its grade.
    pub candidate_grade: Option<Grade>,
    /// Each metric over the paired sessions; where no session has a partner, over all of each side.
    pub metrics: Vec<MetricComparison>,
    /// Whether `metrics` are differences within pairs.
    pub is_paired: bool,
    /// By what replies were paired.
    pub paired_by: PairedBy,
    /// Each metric that replies have, over the paired replies.
    pub reply_metrics: Vec<MetricComparison>,
    /// Every paired reply: those that break a rule now and did not, then the one whose
    /// authenticity fell most.
    pub replies: Vec<ReplyComparison>,
    /// Replies without a partner, of the baseline and of the candidate.
    pub unpaired_replies: [usize; 2],
    /// Every paired session, by id.
    pub sessions: Vec<SessionComparison>,
    /// Ids of the sessions whose overall fell, the worst fall first.
    pub worse: Vec<String>,
    /// Sessions that only the baseline has.
    pub only_baseline: Vec<String>,
    /// Sessions that only the candidate has.
    pub only_candidate: Vec<String>,
    /// How the intervals were made.
    pub bootstrap: Bootstrap,
    /// What of the difference comes from the persona, the transcript and the weights, where the
    /// earlier ones are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// What limits the comparison.
    pub notes: Vec<String>,
    /// SHA-256 of the baseline's inputs.
    pub baseline_sha256: String,
    /// SHA-256 of the candidate's inputs.
    pub candidate_sha256: String,
}

/// A metric over the sessions or replies in which both sides measured it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricComparison {
    /// Its name.
    pub metric: &'static str,
    /// Pairs counted; 0 where nothing is paired.
    pub pairs: usize,
    /// Mean over them in the baseline.
    pub baseline: Option<f64>,
    /// Mean over them in the candidate.
    pub candidate: Option<f64>,
    /// Mean of candidate - baseline, in [-1, 1].
    pub difference: Option<f64>,
    /// 95 % bootstrap interval of the difference: over pairs, of replies over the baseline's
    /// sessions, and without pairs over both sides; from two on.
    pub ci95: Option<[f64; 2]>,
}

/// What data can say of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// It was not measured on both sides.
    Unmeasured,
    /// There is no interval: one pair.
    Untold,
    /// The interval holds 0.
    None,
    /// The whole interval is above 0.
    Better,
    /// It is below 0.
    Worse,
}

impl Comparison {
    /// With the difference taken apart, or a note of why it is not.
    #[must_use]
    pub fn with_split(mut self, split: Result<Split, String>) -> Self {
        match split {
            Ok(split) => self.split = Some(split),
            Err(reason) => self.notes.push(reason),
        }
        self
    }
}

impl MetricComparison {
    /// What this data can say of the difference.
    pub fn shift(&self) -> Shift {
        match (self.difference, self.ci95) {
            (None, _) => Shift::Unmeasured,
            (_, None) => Shift::Untold,
            (_, Some([low, _])) if low > SAME => Shift::Better,
            (_, Some([_, high])) if high < -SAME => Shift::Worse,
            _ => Shift::None,
        }
    }

    /// The same as words.
    pub const fn words(shift: Shift) -> &'static str {
        match shift {
            Shift::Unmeasured => "not measured on both sides",
            Shift::Untold => "one pair: what is chance cannot be told",
            Shift::None => "no difference that this data can show",
            Shift::Better => "better",
            Shift::Worse => "worse",
        }
    }
}

/// A paired reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplyComparison {
    /// The candidate's session.
    pub session_id: String,
    /// Its turn there.
    pub turn_index: i64,
    /// What both answer, where the candidate's transcript has that.
    pub prompt: Option<Arc<str>>,
    /// The baseline's reply.
    pub baseline: Arc<str>,
    /// The candidate's.
    pub candidate: Arc<str>,
    /// candidate - baseline per metric, where both measured it.
    pub differences: BTreeMap<&'static str, f64>,
    /// Whether each breaks a rule of safety.
    pub is_in_breach: [bool; 2],
    /// Where both stand in their results.
    #[serde(skip)]
    pub places: [Place; 2],
}

impl ReplyComparison {
    /// Whether it breaks a rule now and did not before.
    pub const fn breaks_anew(&self) -> bool {
        let [before, now] = self.is_in_breach;
        now && !before
    }

    /// Whether it breaks a rule anew, or its authenticity fell.
    pub fn is_worse(&self) -> bool {
        self.breaks_anew() || self.change() < -SAME
    }

    /// How its authenticity changed; 0 where that was not measured on both sides.
    fn change(&self) -> f64 {
        let change = self.differences.get(Metric::Authenticity.name());
        change.copied().unwrap_or_default()
    }
}

/// A paired session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionComparison {
    /// Its id.
    pub session_id: String,
    /// candidate - baseline per metric, where both measured it.
    pub differences: BTreeMap<&'static str, f64>,
}

/// Compares two results. The intervals are drawn with the baseline's samples and seed.
pub fn compare(baseline: &PersonaResult, candidate: &PersonaResult) -> Comparison {
    at_once(compare_in_steps(baseline, candidate, THROUGH))
}

/// The same in steps: a resample of an interval.
pub async fn compare_in_steps(
    baseline: &PersonaResult,
    candidate: &PersonaResult,
    pause: Pause<'_>,
) -> Comparison {
    let candidates: BTreeMap<&str, &SessionResult> = by_id(candidate);
    let sides: Vec<(&SessionResult, &SessionResult)> = baseline
        .sessions
        .iter()
        .filter_map(|session| Some((session, *candidates.get(session.session_id.as_str())?)))
        .collect();
    let sessions: Vec<SessionComparison> =
        sides.iter().map(|(old, new)| session(old, new)).collect();
    let is_paired = !sides.is_empty();
    let mut metrics = Vec::new();
    for metric in Metric::ALL {
        if metric == Metric::Voice && baseline.voice.is_none() {
            continue;
        }
        metrics.push(if is_paired {
            compare_metric(metric, &sides, baseline.bootstrap, pause).await
        } else {
            compare_all(metric, baseline, candidate, pause).await
        });
    }
    let (paired_by, places) = pairs(baseline, candidate);
    let replies = replies(baseline, candidate, &places);
    let count = |result: &PersonaResult| {
        let turns = result.sessions.iter().map(|session| session.turns.len());
        turns.sum::<usize>() - places.len()
    };
    Comparison {
        formula: FORMULA,
        baseline_overall: baseline.overall,
        baseline_grade: baseline.grade,
        candidate_overall: candidate.overall,
        candidate_grade: candidate.grade,
        metrics,
        is_paired,
        paired_by,
        reply_metrics: reply_metrics(baseline, candidate, &places, pause).await,
        replies,
        unpaired_replies: [count(baseline), count(candidate)],
        worse: worse(&sessions),
        sessions,
        only_baseline: only(baseline, candidate),
        only_candidate: only(candidate, baseline),
        bootstrap: baseline.bootstrap,
        split: None,
        notes: notes(baseline, candidate, (is_paired, paired_by)),
        baseline_sha256: baseline.input_sha256.clone(),
        candidate_sha256: candidate.input_sha256.clone(),
    }
}

/// The paired replies, the worst change first.
fn replies(
    baseline: &PersonaResult,
    candidate: &PersonaResult,
    places: &[[Place; 2]],
) -> Vec<ReplyComparison> {
    let of = |both: &[Place; 2]| {
        let [old_at, new_at] = *both;
        let (old, new) = (reply(baseline, old_at)?, reply(candidate, new_at)?);
        let differences = Metric::OF_REPLIES.into_iter().filter_map(|metric| {
            let (old, new) = metric.of_reply(old).zip(metric.of_reply(new))?;
            Some((metric.name(), new - old))
        });
        Some(ReplyComparison {
            session_id: candidate.sessions.get(new_at.0)?.session_id.clone(),
            turn_index: new.turn_index,
            prompt: new.prompt.clone(),
            baseline: old.text.clone(),
            candidate: new.text.clone(),
            differences: differences.collect(),
            is_in_breach: [old, new].map(|turn: &TurnResult| !turn.violations.is_empty()),
            places: *both,
        })
    };
    let mut replies: Vec<ReplyComparison> = places.iter().filter_map(of).collect();
    sort_by(&mut replies, |a, b| {
        let by_breach = b.breaks_anew().cmp(&a.breaks_anew());
        by_breach.then(a.change().total_cmp(&b.change()))
    });
    replies
}

/// Samples and seed.
fn drawn_by(bootstrap: Bootstrap) -> (usize, u64) {
    (bootstrap.samples, bootstrap.seed)
}

/// Each metric over the paired replies. Replies of a session are alike: sessions are drawn.
async fn reply_metrics(
    baseline: &PersonaResult,
    candidate: &PersonaResult,
    places: &[[Place; 2]],
    pause: Pause<'_>,
) -> Vec<MetricComparison> {
    let mut metrics = Vec::new();
    for metric in Metric::OF_REPLIES {
        let mut sessions: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let (mut all_old, mut all_new) = (Vec::new(), Vec::new());
        for [old_at, new_at] in places {
            let value = |result, at| metric.of_reply(reply(result, at)?);
            let both = value(baseline, *old_at).zip(value(candidate, *new_at));
            if let Some((old, new)) = both {
                all_old.push(old);
                all_new.push(new);
                sessions.entry(old_at.0).or_default().push(new - old);
            }
        }
        if all_old.is_empty() {
            continue;
        }
        let mut differences: Vec<Vec<f64>> = sessions.into_values().collect();
        let difference = mean(&differences.concat());
        // in one session, its replies are all there is to draw from
        if let [only] = &differences[..] {
            differences = only.iter().map(|one| vec![*one]).collect();
        }
        metrics.push(MetricComparison {
            metric: metric.name(),
            pairs: all_old.len(),
            baseline: mean(&all_old),
            candidate: mean(&all_new),
            difference,
            ci95: clusters_interval_95(&differences, drawn_by(baseline.bootstrap), pause).await,
        });
    }
    metrics
}

/// A metric over all sessions of each side: none has a partner.
async fn compare_all(
    metric: Metric,
    baseline: &PersonaResult,
    candidate: &PersonaResult,
    pause: Pause<'_>,
) -> MetricComparison {
    let values = |result: &PersonaResult| -> Vec<f64> {
        let sessions = result.sessions.iter();
        sessions
            .filter_map(|session| metric.of_session(session))
            .collect()
    };
    let (old, new) = (values(baseline), values(candidate));
    let means = (mean(&old), mean(&new));
    MetricComparison {
        metric: metric.name(),
        pairs: 0,
        baseline: means.0,
        candidate: means.1,
        difference: means.0.zip(means.1).map(|(old, new)| new - old),
        ci95: difference_interval_95(&old, &new, drawn_by(baseline.bootstrap), pause).await,
    }
}

fn by_id(result: &PersonaResult) -> BTreeMap<&str, &SessionResult> {
    result
        .sessions
        .iter()
        .map(|session| (session.session_id.as_str(), session))
        .collect()
}

fn only(left: &PersonaResult, right: &PersonaResult) -> Vec<String> {
    let ids: BTreeSet<&str> = by_id(right).into_keys().collect();
    let own = by_id(left).into_keys();
    own.filter(|id| !ids.contains(id))
        .map(str::to_owned)
        .collect()
}

/// The metric in both sessions, where both measured it.
fn values(metric: Metric, old: &SessionResult, new: &SessionResult) -> Option<(f64, f64)> {
    metric.of_session(old).zip(metric.of_session(new))
}

async fn compare_metric(
    metric: Metric,
    pairs: &[(&SessionResult, &SessionResult)],
    bootstrap: Bootstrap,
    pause: Pause<'_>,
) -> MetricComparison {
    let both: Vec<(f64, f64)> = pairs
        .iter()
        .filter_map(|(old, new)| values(metric, old, new))
        .collect();
    let old: Vec<f64> = both.iter().map(|(old, _)| *old).collect();
    let new: Vec<f64> = both.iter().map(|(_, new)| *new).collect();
    let differences: Vec<Vec<f64>> = both.iter().map(|(old, new)| vec![new - old]).collect();
    MetricComparison {
        metric: metric.name(),
        pairs: both.len(),
        baseline: mean(&old),
        candidate: mean(&new),
        difference: mean(&differences.concat()),
        ci95: clusters_interval_95(&differences, drawn_by(bootstrap), pause).await,
    }
}

fn session(old: &SessionResult, new: &SessionResult) -> SessionComparison {
    let differences = Metric::ALL.into_iter().filter_map(|metric| {
        let (old, new) = values(metric, old, new)?;
        Some((metric.name(), new - old))
    });
    SessionComparison {
        session_id: old.session_id.clone(),
        differences: differences.collect(),
    }
}

fn worse(sessions: &[SessionComparison]) -> Vec<String> {
    let mut fallen: Vec<(f64, &str)> = sessions
        .iter()
        .filter_map(|session| {
            Some((
                *session.differences.get(Metric::Overall.name())?,
                session.session_id.as_str(),
            ))
        })
        .filter(|(difference, _)| *difference < -SAME)
        .collect();
    sort_by(&mut fallen, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    fallen.into_iter().map(|(_, id)| id.to_owned()).collect()
}

fn notes(
    baseline: &PersonaResult,
    candidate: &PersonaResult,
    (is_paired, paired_by): (bool, PairedBy),
) -> Vec<String> {
    let mut notes = Vec::new();
    if !is_paired {
        let message = "no session id is in both transcripts: the means of all sessions are compared, which takes a larger difference to show";
        notes.push(message.to_owned());
    }
    match paired_by {
        PairedBy::SessionAndTurn => {}
        PairedBy::Prompt => {
            notes.push("replies are paired by the text they answer".to_owned());
        }
        PairedBy::Nothing => {
            let message = "no reply has a partner: neither session and turn nor the text it answers is in both transcripts";
            notes.push(message.to_owned());
        }
    }
    let all = baseline.notes.iter().chain(&candidate.notes);
    if all.into_iter().any(|note| note == JUDGE_LEFT_OUT) {
        notes.push(JUDGE_LEFT_OUT.to_owned());
    }
    if baseline.weights != candidate.weights {
        notes.push("the two results were scored with different weights".to_owned());
    }
    if baseline.max_expected_variance != candidate.max_expected_variance {
        notes.push("the two results were scored with different max_expected_variance".to_owned());
    }
    if baseline.model != candidate.model {
        notes.push("the two results were embedded by different models".to_owned());
    }
    if baseline.partial != candidate.partial {
        notes.push(
            "the two results lack different parts; their overall scores are not alike".to_owned(),
        );
    }
    notes
}
