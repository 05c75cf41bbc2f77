//! Why a reply stands where it stands, in words: what weighs most comes first.

use std::cmp::Reverse;

use super::lexicon::AVOIDED_PENALTY;
use super::result::{LexiconHit, PersonaResult, TurnResult, Violation, Weights};
use crate::text::{Shown, sort_by, sort_by_key};

/// Below this a voice is likelier any assistant's, unless labels have set another threshold; and a
/// likeness is little.
const EVEN: f64 = 0.5;
/// So many words are named.
const NAMED: usize = 3;

/// A reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// In words.
    pub words: String,
    /// Whether it speaks against the reply.
    pub is_against: bool,
}

/// Why a reply is as good or bad as it is: rules that it breaks, a voice that is off, then what
/// took most from its authenticity. Where nothing speaks against it, that.
///
/// ```
/// use assay::persona::{Inputs, Options, read, reasons};
/// let run = read(&Inputs {
///     persona: "lexicon: {preferred: [ride], avoid: [delve]}\nstyle_rules: {formality: casual}",
///     transcript: r#"{"session_id": "a", "turn": 1, "assistant": "Let us delve into it."}"#,
///     ..Inputs::default()
/// });
/// let result = run.result.expect("valid").score(&Options::default(), None).result;
/// let result = result.expect("scored");
/// let words: Vec<String> = reasons(&result.sessions[0].turns[0], &result)
///     .into_iter()
///     .map(|reason| reason.words)
///     .collect();
/// assert_eq!(words, ["formality: casual not shown", "no preferred word", "avoided word: delve"]);
/// ```
pub fn reasons(turn: &TurnResult, result: &PersonaResult) -> Vec<Reason> {
    let threshold = result.voice.as_ref().and_then(|voice| voice.threshold);
    let off = turn
        .voice
        .filter(|voice| *voice < threshold.unwrap_or(EVEN));
    let off = off.map(|voice| format!("off: sounds like any assistant (voice {voice:.2})"));
    let unread = unread_words(turn, result);
    let against = broken(&turn.violations).into_iter();
    let against = against.chain(second(turn)).chain(unread).chain(off);
    let mut against: Vec<String> = against.collect();
    against.extend(costs(&result.judged(turn), &result.weights));
    if against.is_empty() {
        let words = turn.voice.map_or_else(
            || "nothing speaks against it".to_owned(),
            |voice| format!("on: sounds like the persona (voice {voice:.2})"),
        );
        return vec![Reason {
            words,
            is_against: false,
        }];
    }
    let against = against.into_iter().map(|words| Reason {
        words,
        is_against: true,
    });
    against.collect()
}

/// What of a reply cannot be judged, and why.
pub fn unread_words(turn: &TurnResult, result: &PersonaResult) -> Option<String> {
    let what = if result.is_noise(turn) {
        "cannot be judged"
    } else {
        "its traits cannot be read"
    };
    turn.unread.map(|why| format!("{what}: {why}"))
}

/// The rules that a reply breaks, the worst first.
fn broken(violations: &[Violation]) -> Option<String> {
    let mut all: Vec<&Violation> = violations.iter().collect();
    sort_by_key(&mut all, |violation| Reverse(violation.severity));
    let name = |violation: &&Violation| match &*violation.category {
        // a rule of one's own is known by what it looks for
        "custom" => format!("“{}”", Shown(&violation.pattern)),
        category => category.replace('_', " "),
    };
    let names = distinct(all.iter().map(name));
    match &*names {
        [] => None,
        [one] => Some(format!("breaks a rule: {one}")),
        several => Some(format!("breaks rules: {}", several.join(", "))),
    }
}

/// Where a second opinion differs from the rules.
fn second(turn: &TurnResult) -> Option<String> {
    let value = turn.second_opinion.filter(|_| turn.is_doubted)?;
    Some(if turn.violations.is_empty() {
        format!("no rule matched, but it reads as a violation ({value:.2})")
    } else {
        format!("which reads as harmless ({value:.2})")
    })
}

/// What a reply lost authenticity on, and what was lost most first.
fn costs(turn: &TurnResult, weights: &Weights) -> Vec<String> {
    let mut costs: Vec<(f64, String)> = Vec::new();
    let avoided = entries(&turn.avoided_hits);
    if !avoided.is_empty() {
        let cost = weights.lexicon * AVOIDED_PENALTY * avoided.len() as f64;
        costs.push((cost, words_of("avoided word", &avoided)));
    }
    // with no preferred words at all only avoided ones take from it
    let without = 1.0 - AVOIDED_PENALTY * avoided.len() as f64;
    let lacks = turn.lexicon.is_some_and(|score| score < without.max(0.0));
    if turn.preferred_hits.is_empty() && lacks {
        costs.push((weights.lexicon, "no preferred word".to_owned()));
    }
    let each = weights.traits / turn.traits.len().max(1) as f64;
    for missed in turn.traits.iter().filter(|shown| !shown.matched) {
        let name = missed.name.replacen(':', ": ", 1).replace('_', " ");
        costs.push((each, format!("{name} not shown")));
    }
    // the voice says the same, and better
    let far = turn
        .style
        .filter(|style| turn.voice.is_none() && *style < EVEN);
    if let Some(style) = far {
        let words = format!("unlike every exemplar (style {style:.2})");
        costs.push((weights.style * (1.0 - style), words));
    }
    sort_by(&mut costs, |(one, _), (other, _)| other.total_cmp(one));
    costs.into_iter().map(|(_, words)| words).collect()
}

fn entries(hits: &[LexiconHit]) -> Vec<String> {
    distinct(hits.iter().map(|hit| Shown(&hit.entry).to_string()))
}

/// Each once, in their order.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once
}

fn words_of(what: &str, entries: &[String]) -> String {
    let plural = if entries.len() == 1 { "" } else { "s" };
    let more = match entries.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = &entries[..entries.len().min(NAMED)];
    format!("{what}{plural}: {}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::ModelIdentity;
    use crate::persona::{Inputs, Options, read};

    /// The reasons of a reply; `change` sets what takes a model to measure.
    fn said(persona: &str, safety: &str, reply: &str, change: impl Fn(&mut TurnResult)) -> String {
        let row = serde_json::json!({"session_id": "a", "turn": 1, "assistant": reply});
        let run = read(&Inputs {
            persona,
            transcript: &row.to_string(),
            safety: Some(safety).filter(|rules| !rules.is_empty()),
            ..Inputs::default()
        });
        let scored = run.result.expect("valid").score(&Options::default(), None);
        let mut result = scored.result.expect("scored");
        change(&mut result.sessions[0].turns[0]);
        let reasons = reasons(&result.sessions[0].turns[0], &result).into_iter();
        let words = reasons.map(|reason| reason.words);
        words.collect::<Vec<_>>().join("; ")
    }

    const PERSONA: &str = "lexicon: {preferred: [ride, oil], avoid: [delve, valued]}
style_rules: {formality: formal, verbosity: concise}";

    #[test]
    fn rules_come_first_then_the_voice_then_what_cost_most() {
        let rules = "- {category: custom, severity: low, pattern: purple lion}\n- {category: self_harm, severity: high, pattern: idiot}";
        let text = "gonna delve, idiot: purple lion lol, lol!";
        let off = |turn: &mut TurnResult| (turn.voice, turn.style) = (Some(0.124), Some(0.1));
        assert_eq!(
            said(PERSONA, rules, text, off),
            "breaks rules: self harm, “purple lion”; off: sounds like any assistant (voice 0.12); \
             no preferred word; formality: formal not shown; avoided word: delve"
        );
    }

    #[test]
    fn another_language_is_judged_by_a_model_that_may_know_it() {
        let row = serde_json::json!({"session_id": "a", "turn": 1, "assistant": "\u{7533}\u{3057}\u{8a33}\u{3054}\u{3056}\u{3044}\u{307e}\u{305b}\u{3093}"});
        let run = read(&Inputs {
            persona: "exemplars: [x]",
            transcript: &row.to_string(),
            ..Inputs::default()
        });
        let scored = run.result.expect("valid").score(&Options::default(), None);
        let mut result = scored.result.expect("scored");
        for (model, words) in [
            (None, "cannot be judged"),
            (Some("all-MiniLM-L6-v2"), "cannot be judged"),
            (Some("multilingual"), "its traits cannot be read"),
        ] {
            result.model = model.map(|id| ModelIdentity {
                id: id.to_owned(),
                sha256: String::new(),
                precision: String::new(),
            });
            let said = reasons(&result.sessions[0].turns[0], &result);
            let whole = format!("{words}: in another script than Latin");
            assert!(said.iter().any(|reason| reason.words == whole), "{said:?}");
        }
    }

    #[test]
    fn without_a_voice_a_reply_far_from_the_exemplars_is_told() {
        let far = |turn: &mut TurnResult| turn.style = Some(0.2);
        let said = said("exemplars: [x]", "", "A ride.", far);
        assert_eq!(said, "unlike every exemplar (style 0.20)");
    }

    #[test]
    fn where_nothing_speaks_against_it_that_is_said() {
        let on = |turn: &mut TurnResult| turn.voice = Some(0.97);
        let persona = "lexicon: {preferred: [ride], avoid: [delve]}";
        let voiced = said(persona, "", "A ride.", on);
        assert_eq!(voiced, "on: sounds like the persona (voice 0.97)");
        let bare = said(
            "lexicon: {preferred: [], avoid: [delve]}",
            "",
            "A ride.",
            |_| {},
        );
        assert_eq!(bare, "nothing speaks against it");
    }

    #[test]
    fn many_words_are_counted() {
        let persona = "lexicon: {preferred: [], avoid: [a, b, c, d, e]}";
        let said = said(persona, "", "a b a c d e", |_| {});
        assert_eq!(said, "avoided words: a, b, c and 2 more");
    }
}
