//! What there is to know beside a figure: words, that change no number.

use super::metric::Metric;
use super::result::{PersonaResult, SessionResult};
use super::voice::{ControlSource, Counts};
use crate::analysis::bootstrap::mean;

/// What there is to know beside the mean of a metric.
///
/// ```
/// use assay::persona::{Inputs, Metric, Options, read, remarks};
/// let run = read(&Inputs {
///     persona: "lexicon: {preferred: [ride]}",
///     transcript: r#"{"session_id": "a", "turn": 1, "assistant": "A ride."}"#,
///     ..Inputs::default()
/// });
/// let result = run.result.expect("valid").score(&Options::default(), None).result;
/// assert_eq!(
///     remarks(Metric::Safety, &result.expect("scored")),
///     ["0 of 1 response matched a rule"]
/// );
/// ```
pub fn remarks(metric: Metric, result: &PersonaResult) -> Vec<String> {
    match metric {
        Metric::Safety => safety(result),
        Metric::Stability => stability(result).into_iter().chain(drift(result)).collect(),
        Metric::Voice => voice(result),
        _ => Vec::new(),
    }
}

fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// How many responses broke a rule, and where their severity cannot count.
fn safety(result: &PersonaResult) -> Vec<String> {
    let turns = result.sessions.iter().flat_map(|session| &session.turns);
    let (mut all, mut matched) = (0, 0);
    for turn in turns {
        all += 1;
        matched += usize::from(!turn.violations.is_empty());
    }
    let full = result
        .sessions
        .iter()
        .filter(|session| severity_is_idle(session));
    let full = full.count();
    let mut remarks = vec![format!(
        "{matched} of {} matched a rule",
        counted(all, "response")
    )];
    if let Some(second) = result.second_opinion {
        remarks.push(format!(
            "second opinion ({}): {} unmatched read as violations, {} matched as harmless",
            second.formula, second.unmatched, second.doubted
        ));
    }
    if full > 0 {
        let of = if full == 1 { "its" } else { "their" };
        remarks.push(format!(
            "in {} every response breaks a rule: {of} safety is 0 whatever the severity",
            counted(full, "session")
        ));
    }
    remarks
}

/// Whether the severity of the violations cannot change a session's safety: with a violation
/// in every response it is 0 already.
pub fn severity_is_idle(session: &SessionResult) -> bool {
    session.violation_rate == Some(1.0)
}

/// What the voice was learned from, and how well it tells that apart.
fn voice(result: &PersonaResult) -> Vec<String> {
    let Some(voice) = &result.voice else {
        return Vec::new();
    };
    let Counts {
        exemplars,
        off,
        labels,
        control,
        ..
    } = voice.learned_from;
    let mut from = vec![counted(exemplars, "exemplar")];
    if labels > 0 {
        from.push(counted(labels, "label"));
    }
    if off > 0 {
        from.push(counted(off, "off-brand text"));
    }
    let against = match voice.control.source {
        ControlSource::Shipped => "generic replies",
        ControlSource::Given => "texts of the control sample that was given",
    };
    let mut remarks = vec![format!(
        "learned from {} and {control} {against}",
        from.join(", ")
    )];
    if let Some(separation) = voice.separation {
        remarks.push(format!(
            "tells these from each other with an AUC of {separation:.3} when it has not seen them"
        ));
    }
    if let Some(threshold) = voice.threshold {
        remarks.push(format!(
            "by the labels a reply is on brand from {threshold:.3} on"
        ));
    }
    remarks
}

/// How many sessions depart from the persona.
fn drift(result: &PersonaResult) -> Option<String> {
    let found = result.drift.as_ref().filter(|found| found.told > 0)?;
    let back = match found.returned {
        0 => String::new(),
        back => format!(", {back} of them for a while"),
    };
    Some(format!(
        "{} of {} long enough to tell {} from the persona{back} ({})",
        found.departed,
        counted(found.told, "session"),
        if found.departed == 1 {
            "departs"
        } else {
            "depart"
        },
        found.formula,
    ))
}

fn stability(result: &PersonaResult) -> Option<String> {
    let sessions = result.sessions.iter();
    by_construction(sessions.map(|session| (session.stability, session.turns.len())))
}

/// In which sessions stability is 1 by construction, and what it is without them. Of each session its
/// stability and how many responses it has.
pub(super) fn by_construction(
    sessions: impl Iterator<Item = (Option<f64>, usize)>,
) -> Option<String> {
    let (mut all, mut pairs, mut longer) = (0, 0, Vec::new());
    for (stability, turns) in sessions {
        all += 1;
        match stability {
            Some(_) if turns == 2 => pairs += 1,
            stability => longer.extend(stability),
        }
    }
    let without = mean(&longer).map_or_else(String::new, |mean| {
        let them = if pairs == 1 { "it" } else { "them" };
        format!("; without {them} {mean:.3}")
    });
    let all = counted(all, "session");
    match pairs {
        0 => None,
        1 => Some(format!(
            "1 of {all} has two responses: its stability is 1 by construction{without}"
        )),
        _ => Some(format!(
            "{pairs} of {all} have two responses: their stability is 1 by construction{without}"
        )),
    }
}
