//! Weights of style, traits and lexicon that tell labelled replies apart best, `weights/1`
//! (SCORING.md section 3, "Labels and calibration").

use std::collections::HashMap;

use serde::Serialize;

use super::metric::Metric;
use super::result::{PersonaResult, TurnResult};
use super::voice::{Label, groups, lacks};
use crate::analysis::separation::{Judged, auc};
use crate::steps::{Pause, Progress, step};

/// Name and version of the way they are chosen.
pub const FORMULA: &str = "weights/1";
/// Weights are looked for in steps of 1 over this.
const STEPS: usize = 20;
/// How many parts the sessions are dealt into.
const FOLDS: usize = 5;
/// A difference of AUC below which two weightings tell apart equally well.
const SAME: f64 = 1e-9;

/// Weights that labels have chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reweighed {
    /// `weights/1`.
    pub formula: &'static str,
    /// Of style, traits and lexicon: they sum to 1.
    pub weights: [f64; 3],
    /// Labelled replies that are in the transcript.
    pub replies: usize,
    /// AUC of authenticity with weights that were chosen without the reply's session.
    pub auc: Option<f64>,
    /// AUC with the weights as they are.
    pub auc_now: Option<f64>,
}

type Parts = [Option<f64>; 3];

/// A labelled reply.
struct Labelled {
    parts: Parts,
    is_on: bool,
    group: usize,
}

/// The weights of style, traits and lexicon, in steps of 0.05, whose authenticity tells the labelled
/// replies of a result apart best by AUC; of equals the nearest to those of the result. None with too few
/// labels among its replies. A weighting is a step.
pub async fn reweigh(
    labels: &[Label],
    result: &PersonaResult,
    pause: Pause<'_>,
) -> Option<Reweighed> {
    let turns = result.sessions.iter().flat_map(|session| &session.turns);
    let turns: HashMap<&str, &TurnResult> = turns.map(|turn| (&*turn.text, turn)).collect();
    let found: Vec<Label> = labels
        .iter()
        .filter(|label| turns.contains_key(label.text.as_str()))
        .cloned()
        .collect();
    if lacks(&found).is_some() {
        return None;
    }
    let of = |(label, group): (&Label, usize)| Labelled {
        parts: Metric::INNER.map(|metric| metric.of_reply(turns.get(label.text.as_str())?)),
        is_on: label.is_on,
        group,
    };
    let all: Vec<Labelled> = found.iter().zip(groups(&found)).map(of).collect();
    let now = Metric::INNER.map(|metric| metric.weight_of(&result.weights));
    let everything: Vec<&Labelled> = all.iter().collect();
    let weights = best(&everything, now, pause).await;
    let mut judged = Vec::new();
    for fold in 0..FOLDS {
        let is_out = |one: &&Labelled| one.group % FOLDS == fold;
        let (out, kept): (Vec<&Labelled>, Vec<&Labelled>) = all.iter().partition(is_out);
        if !out.is_empty() && !kept.is_empty() {
            let chosen = best(&kept, now, pause).await;
            judged.extend(out.into_iter().map(|one| judge(one, chosen)));
        }
    }
    Some(Reweighed {
        formula: FORMULA,
        weights,
        replies: all.len(),
        auc: auc(&judged),
        auc_now: auc(&everything
            .iter()
            .map(|one| judge(one, now))
            .collect::<Vec<_>>()),
    })
}

async fn best(all: &[&Labelled], now: [f64; 3], pause: Pause<'_>) -> [f64; 3] {
    let away = |weights: [f64; 3]| -> f64 {
        let both = weights.iter().zip(now);
        both.map(|(one, other)| (one - other).abs()).sum()
    };
    let (mut most, mut chosen) = (f64::NEG_INFINITY, now);
    let total = (STEPS + 1) * (STEPS + 2) / 2;
    let mut done = 0;
    for style in 0..=STEPS {
        for traits in 0..=STEPS - style {
            let weights = [style, traits, STEPS - style - traits];
            let weights = weights.map(|steps| steps as f64 / STEPS as f64);
            let judged: Vec<Judged> = all.iter().map(|one| judge(one, weights)).collect();
            let area = auc(&judged).unwrap_or(0.5);
            if area > most + SAME || (area > most - SAME && away(weights) < away(chosen)) {
                (most, chosen) = (area.max(most), weights);
            }
            done += 1;
            step(pause, Progress::new(done, total, "weightings tried")).await;
        }
    }
    chosen
}

/// The authenticity of a reply with these weights; 0 of nothing measured.
fn judge(one: &Labelled, weights: [f64; 3]) -> Judged {
    let measured = one.parts.iter().zip(weights);
    let measured = measured.filter_map(|(part, weight)| Some(((*part)?, weight)));
    let (sum, whole) = measured.fold((0.0, 0.0), |(sum, whole), (part, weight)| {
        (sum + part * weight, whole + weight)
    });
    Judged {
        score: if whole > 0.0 { sum / whole } else { 0.0 },
        is_on: one.is_on,
        group: one.group,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persona::{Inputs, Options, read};
    use crate::steps::{THROUGH, at_once};

    #[test]
    fn labels_that_follow_the_words_choose_the_words() {
        // the lexicon tells on from off, verbosity does not
        let on = [
            "alpha one",
            "alpha two. It is so. It is.",
            "alpha three",
            "alpha four",
            "alpha five",
            "alpha six",
        ];
        let off = [
            "one",
            "two. It is so. It is.",
            "three",
            "four",
            "five",
            "six",
        ];
        let labels: Vec<Label> = on
            .iter()
            .map(|text| (text, true))
            .chain(off.iter().map(|text| (text, false)))
            .enumerate()
            .map(|(at, (text, is_on))| Label {
                text: (*text).to_owned(),
                is_on,
                session: at.to_string(),
            })
            .collect();
        let rows = labels.iter().map(|label| {
            serde_json::json!({ "session_id": label.session, "turn": 1, "assistant": label.text })
                .to_string()
        });
        let run = read(&Inputs {
            persona: "lexicon: {preferred: [alpha]}\nstyle_rules: {verbosity: detailed}",
            transcript: &rows.collect::<Vec<_>>().join("\n"),
            ..Inputs::default()
        });
        let scored = run.result.expect("valid").score(&Options::default(), None);
        let result = scored.result.expect("scored");
        let found = at_once(reweigh(&labels, &result, THROUGH)).expect("enough");
        assert_eq!((found.replies, found.auc), (12, Some(1.0)));
        assert!(found.weights[2] > 0.0 && (found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(at_once(reweigh(&labels[..9], &result, THROUGH)), None);
    }
}
