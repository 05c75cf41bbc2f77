//! Which reply of a candidate answers the same as which of a baseline (SCORING.md section 3,
//! "Compare").

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::result::{PersonaResult, TurnResult};

/// By what replies were paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairedBy {
    /// Session id and turn index.
    SessionAndTurn,
    /// The text they answer; of several that answer the same, the first with the first.
    Prompt,
    /// Nothing: no reply of one has a partner in the other.
    Nothing,
}

/// A reply of a result: the session's place, and the reply's in it.
pub type Place = (usize, usize);

/// The replies that have a partner, in the order of the baseline, and what they were paired by.
///
/// Session and turn, unless most of the replies paired so answer different texts and the texts
/// find partners: ids that a tool counted out mean nothing.
pub fn pairs(baseline: &PersonaResult, candidate: &PersonaResult) -> (PairedBy, Vec<[Place; 2]>) {
    let by_turn = joined(&turns(baseline), &turns(candidate));
    let is_other = |[old, new]: &&[Place; 2]| {
        let prompts = (prompt(baseline, *old), prompt(candidate, *new));
        matches!(prompts, (Some(old), Some(new)) if old != new)
    };
    let others = by_turn.iter().filter(is_other).count();
    if 2 * others >= by_turn.len() {
        let by_prompt = joined(&prompts(baseline), &prompts(candidate));
        if !by_prompt.is_empty() {
            return (PairedBy::Prompt, by_prompt);
        }
    }
    if by_turn.is_empty() {
        (PairedBy::Nothing, by_turn)
    } else {
        (PairedBy::SessionAndTurn, by_turn)
    }
}

/// The reply at a place; none where there is none.
pub fn reply(result: &PersonaResult, (session, turn): Place) -> Option<&TurnResult> {
    result.sessions.get(session)?.turns.get(turn)
}

/// What a reply answers, white space folded.
fn prompt(result: &PersonaResult, place: Place) -> Option<String> {
    let prompt = reply(result, place)?.prompt.as_deref()?;
    let folded = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    (!folded.is_empty()).then_some(folded)
}

fn places(result: &PersonaResult) -> impl Iterator<Item = Place> {
    let sessions = result.sessions.iter().enumerate();
    sessions.flat_map(|(at, session)| (0..session.turns.len()).map(move |turn| (at, turn)))
}

/// Keys that stand once on a side, with their places.
type Keyed<K> = Vec<(K, Place)>;

fn turns(result: &PersonaResult) -> Keyed<(&str, i64, usize)> {
    let mut keyed = Vec::new();
    for (at, session) in result.sessions.iter().enumerate() {
        // a turn number may stand twice: alternatives, in their order
        let mut count = BTreeMap::new();
        for (turn, reply) in session.turns.iter().enumerate() {
            let nth = count.entry(reply.turn_index).or_insert(0);
            let key = (session.session_id.as_str(), reply.turn_index, *nth);
            keyed.push((key, (at, turn)));
            *nth += 1;
        }
    }
    keyed
}

fn prompts(result: &PersonaResult) -> Keyed<(String, usize)> {
    let mut count = HashMap::new();
    let answered = places(result).filter_map(|place| Some((prompt(result, place)?, place)));
    let keyed = answered.map(|(prompt, place)| {
        let nth = count.entry(prompt.clone()).or_insert(0);
        *nth += 1;
        ((prompt, *nth), place)
    });
    keyed.collect()
}

fn joined<K: Eq + std::hash::Hash>(old: &Keyed<K>, new: &Keyed<K>) -> Vec<[Place; 2]> {
    let new: HashMap<&K, Place> = new.iter().map(|(key, place)| (key, *place)).collect();
    let pairs = old.iter();
    let pairs = pairs.filter_map(|(key, place)| Some([*place, *new.get(key)?]));
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persona::{Inputs, Options, read};

    fn scored(rows: &[(&str, i64, &str)]) -> PersonaResult {
        let rows = rows.iter().map(|(session, turn, user)| {
            serde_json::json!({ "session_id": session, "turn": turn, "user": user, "assistant": "Yes." })
                .to_string()
        });
        let run = read(&Inputs {
            persona: "lexicon: {preferred: [yes]}",
            transcript: &rows.collect::<Vec<_>>().join("\n"),
            ..Inputs::default()
        });
        let run = run.result.expect("valid");
        let scored = run.score(&Options::default(), None).result;
        scored.expect("scored")
    }

    #[test]
    fn session_and_turn_come_first() {
        let old = scored(&[("a", 1, "x"), ("a", 2, "y"), ("b", 1, "z")]);
        let new = scored(&[("a", 1, "x"), ("a", 2, "other"), ("c", 1, "z")]);
        // one of two answers another text: half, and the texts find as many
        let (by, found) = pairs(
            &old,
            &scored(&[("a", 1, "x"), ("a", 2, "y"), ("b", 9, "z")]),
        );
        assert_eq!((by, found.len()), (PairedBy::SessionAndTurn, 2));
        let (by, found) = pairs(&old, &new);
        assert_eq!(by, PairedBy::Prompt);
        assert_eq!(found, [[(0, 0), (0, 0)], [(1, 0), (1, 0)]]);
    }

    #[test]
    fn ids_that_were_counted_give_way_to_what_is_answered() {
        let old = scored(&[("1", 1, "x"), ("2", 1, "y"), ("3", 1, "x")]);
        let new = scored(&[("1", 1, "y"), ("2", 1, " x\n"), ("4", 1, "x")]);
        let (by, found) = pairs(&old, &new);
        assert_eq!(by, PairedBy::Prompt);
        assert_eq!(
            found,
            [[(0, 0), (1, 0)], [(1, 0), (0, 0)], [(2, 0), (2, 0)]]
        );
    }

    #[test]
    fn nothing_in_common_is_said() {
        let old = scored(&[("a", 1, "x")]);
        let new = scored(&[("b", 1, "y")]);
        assert_eq!(pairs(&old, &new), (PairedBy::Nothing, Vec::new()));
        // without ids in common and without prompts, too
        let new = scored(&[("b", 1, "")]);
        assert_eq!(pairs(&old, &new).0, PairedBy::Nothing);
    }
}
