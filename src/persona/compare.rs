//! Baseline and candidate over the same persona: sessions paired by id
//! (SCORING.md section 3).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::analysis::bootstrap::{mean, mean_interval_95};
use crate::text::sort_by;

use super::metric::Metric;
use super::result::{Bootstrap, FORMULA, Grade, PersonaResult, SessionResult};

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
    /// Each metric over the paired sessions.
    pub metrics: Vec<MetricComparison>,
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
    /// What limits the comparison.
    pub notes: Vec<String>,
    /// SHA-256 of the baseline's inputs.
    pub baseline_sha256: String,
    /// SHA-256 of the candidate's inputs.
    pub candidate_sha256: String,
}

/// A metric over the sessions in which both sides measured it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricComparison {
    /// Its name.
    pub metric: &'static str,
    /// Sessions counted.
    pub pairs: usize,
    /// Mean over them in the baseline.
    pub baseline: Option<f64>,
    /// Mean over them in the candidate.
    pub candidate: Option<f64>,
    /// Mean of candidate - baseline, in [-1, 1].
    pub difference: Option<f64>,
    /// 95 % bootstrap interval of the difference, over pairs; from two pairs on.
    pub ci95: Option<[f64; 2]>,
}

/// A paired session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionComparison {
    /// Its id.
    pub session_id: String,
    /// candidate - baseline per metric, where both measured it.
    pub differences: BTreeMap<&'static str, f64>,
}

/// Compares two results. The interval is drawn with the baseline's samples and seed.
pub fn compare(baseline: &PersonaResult, candidate: &PersonaResult) -> Comparison {
    let candidates: BTreeMap<&str, &SessionResult> = by_id(candidate);
    let pairs: Vec<(&SessionResult, &SessionResult)> = baseline
        .sessions
        .iter()
        .filter_map(|session| Some((session, *candidates.get(session.session_id.as_str())?)))
        .collect();
    let sessions: Vec<SessionComparison> =
        pairs.iter().map(|(old, new)| session(old, new)).collect();
    Comparison {
        formula: FORMULA,
        baseline_overall: baseline.overall,
        baseline_grade: baseline.grade,
        candidate_overall: candidate.overall,
        candidate_grade: candidate.grade,
        metrics: Metric::ALL
            .into_iter()
            .filter(|metric| *metric != Metric::Voice || baseline.voice.is_some())
            .map(|metric| compare_metric(metric, &pairs, baseline.bootstrap))
            .collect(),
        worse: worse(&sessions),
        sessions,
        only_baseline: only(baseline, candidate),
        only_candidate: only(candidate, baseline),
        bootstrap: baseline.bootstrap,
        notes: notes(baseline, candidate, pairs.len()),
        baseline_sha256: baseline.input_sha256.clone(),
        candidate_sha256: candidate.input_sha256.clone(),
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

fn compare_metric(
    metric: Metric,
    pairs: &[(&SessionResult, &SessionResult)],
    bootstrap: Bootstrap,
) -> MetricComparison {
    let both: Vec<(f64, f64)> = pairs
        .iter()
        .filter_map(|(old, new)| values(metric, old, new))
        .collect();
    let old: Vec<f64> = both.iter().map(|(old, _)| *old).collect();
    let new: Vec<f64> = both.iter().map(|(_, new)| *new).collect();
    let differences: Vec<f64> = both.iter().map(|(old, new)| new - old).collect();
    MetricComparison {
        metric: metric.name(),
        pairs: both.len(),
        baseline: mean(&old),
        candidate: mean(&new),
        difference: mean(&differences),
        ci95: mean_interval_95(&differences, bootstrap.samples, bootstrap.seed),
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

fn notes(baseline: &PersonaResult, candidate: &PersonaResult, pairs: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if pairs == 0 {
        notes.push("no session id is in both transcripts: nothing can be paired".to_owned());
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
