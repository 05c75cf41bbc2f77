//! A witness record, scored again: whether every turn comes out as it was recorded, and
//! what differs where it does not (SCORING.md section 1, "Witness record").
//!
//! Nothing here depends on the weights in hand: a mark is weighed with its own.

use super::bands::Band;
use super::finding::{Check, Finding};
use super::log::Log;
use super::marks::turn_sha256;
use super::principles::{PerPrinciple, Principle};
use super::result::FORMULA;
use super::reward::{Measured, weigh};
use super::turn::{Record, Turn, Walk};
use crate::analysis::sum;
use crate::document::{Code, Problem, Problems, Severity};
use crate::steps::{Pause, Progress, step};
use crate::text::Shown;

/// Says what differs, at its place.
pub(super) fn report(check: &Check, log: &Log, problems: &mut Problems) {
    for (turn, finding) in log.turns.iter().zip(&check.turns) {
        let (Finding::Different(differences), Some(record)) = (finding, &turn.record) else {
            continue;
        };
        for difference in differences {
            let message = format!("not as recorded: {difference}");
            let problem = Problem::new(Severity::Warning, record.place, &*record.path, message);
            problems.push(problem.with_code(Code::Contradiction));
        }
    }
}

/// Scores a witness record again; none where no turn is of one.
pub(super) async fn check(log: &Log, pause: Pause<'_>) -> Option<Check> {
    let records = || log.turns.iter().filter_map(|turn| turn.record.as_ref());
    records().next()?;
    let mut check = Check {
        ethical_floor: records().find_map(|record| record.ethical_floor),
        missing: missing(log),
        ..Check::default()
    };
    let total = log.turns.len();
    let mut totals = Vec::with_capacity(total);
    for (index, (turn, measured)) in log.turns.iter().zip(&log.measured).enumerate() {
        let (finding, again) = look(log, turn, measured);
        match finding {
            Finding::Exact => check.exact += 1,
            Finding::Different(_) => check.different += 1,
            Finding::Unchecked => {}
        }
        check.turns.push(finding);
        totals.push(again);
        let (done, what) = (index + 1, "turns checked");
        step(pause, Progress::new(done, total, what)).await;
    }
    for walk in &log.walks {
        walk_through(walk, log, &totals, &mut check);
    }
    Some(check)
}

/// How many turns a record says there were, beyond those that are there.
fn missing(log: &Log) -> usize {
    let mut known: Vec<(Option<&str>, usize, Vec<usize>)> = Vec::new();
    for record in log.turns.iter().filter_map(|turn| turn.record.as_ref()) {
        let (Some(position), Some(of)) = (record.position, record.of) else {
            continue;
        };
        let text = record.input_sha256.as_deref();
        match known.iter_mut().find(|(other, ..)| *other == text) {
            Some((_, most, positions)) => {
                *most = of.max(*most);
                positions.push(position);
            }
            None => known.push((text, of, vec![position])),
        }
    }
    let missing = known.into_iter().map(|(_, of, mut positions)| {
        positions.sort_unstable();
        positions.dedup();
        of.saturating_sub(positions.len())
    });
    missing.sum()
}

/// What differs in a turn, and its total as it comes out.
fn look(log: &Log, turn: &Turn, measured: &Measured) -> (Finding, Option<f64>) {
    let Some(record) = &turn.record else {
        return (Finding::Unchecked, None);
    };
    let mut differences = Vec::new();
    if let Some(formula) = record.formula.as_deref().filter(|f| *f != FORMULA) {
        differences.push(format!(
            "it was scored with {}, and again with {FORMULA}",
            Shown(formula)
        ));
    }
    let session = log.sessions.get(turn.session);
    let id = session.and_then(|session| session.id.as_deref());
    if record
        .turn_sha256
        .as_ref()
        .is_some_and(|recorded| *recorded != turn_sha256(turn, id, &turn.reasoning))
    {
        differences.push(
            "what was said or measured is not what was scored: its SHA-256 is another".to_owned(),
        );
    }
    let scores = measured.scores();
    for principle in Principle::ALL {
        let recorded = record.scores[principle as usize];
        differs(
            principle.word(),
            recorded,
            scores[principle],
            &mut differences,
        );
    }
    let again = record.weights.map(|weights| {
        let (_, total, normalised) = weigh(&weights, scores);
        compare_totals(record, scores, (total, normalised), &mut differences);
        total
    });
    let finding = if differences.is_empty() {
        Finding::Exact
    } else {
        Finding::Different(differences)
    };
    (finding, again)
}

fn compare_totals(
    record: &Record,
    scores: &PerPrinciple,
    (total, normalised): (f64, f64),
    differences: &mut Vec<String>,
) {
    differs("total", record.weighted_total, total, differences);
    differs("reward", record.reward, total, differences);
    let band = Band::of(normalised).word();
    if let Some(recorded) = record.band.as_deref().filter(|recorded| *recorded != band) {
        differences.push(format!(
            "band: {} recorded, {band} recomputed",
            Shown(recorded)
        ));
    }
    let floor = record.ethical_floor;
    let is_rejected = floor.is_some_and(|floor| scores[Principle::Ethical] < floor);
    let says = |is_rejected| {
        if is_rejected {
            "rejected"
        } else {
            "not rejected"
        }
    };
    if let Some(recorded) = record.rejected.filter(|recorded| *recorded != is_rejected) {
        let (recorded, again) = (says(recorded), says(is_rejected));
        differences.push(format!("{recorded} in the record, {again} recomputed"));
    }
}

fn differs(what: &str, recorded: Option<f64>, again: f64, differences: &mut Vec<String>) {
    if let Some(recorded) = recorded.filter(|recorded| *recorded != again) {
        // to as many digits as tell the two apart
        let by = format!("{:+.4}", again - recorded);
        let by = if by.ends_with("0.0000") {
            format!("{:+e}", again - recorded)
        } else {
            by
        };
        differences.push(format!(
            "{what}: {recorded} recorded, {again} recomputed ({by})"
        ));
    }
}

/// Adds up the rewards of a walk again.
fn walk_through(walk: &Walk, log: &Log, totals: &[Option<f64>], check: &mut Check) {
    let Some(gamma) = walk.gamma else {
        return;
    };
    let mut discount = 1.0;
    let mut values = Vec::new();
    for at in walk.turns.clone() {
        let (Some(Some(total)), Some(turn)) = (totals.get(at), log.turns.get(at)) else {
            return;
        };
        let value = discount * total;
        values.push(value);
        discount *= gamma;
        let mut differences = Vec::new();
        let recorded = turn.record.as_ref().and_then(|record| record.value);
        differs("discounted value", recorded, value, &mut differences);
        if differences.is_empty() {
            continue;
        }
        match &mut check.turns[at] {
            Finding::Different(known) => known.extend(differences),
            exact => {
                *exact = Finding::Different(differences);
                check.exact -= 1;
                check.different += 1;
            }
        }
    }
    differs(
        "value of the walk",
        walk.value,
        sum(&values),
        &mut check.walks,
    );
    if let Some(count) = walk.count.filter(|count| *count != values.len()) {
        check
            .walks
            .push(format!("a walk of {count} turns has {} here", values.len()));
    }
}
