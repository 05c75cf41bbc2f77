//! Parts of a league that are counted apart, and what they make together (SCORING.md section 2,
//! "Leagues"): a league is made of nothing but who won against whom how often.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::Payload;
use crate::text::Shown;

/// The kind of part, and its version.
pub const PART: &str = "league-part/1";

/// So many battles of two can be counted in a float without rounding.
const MOST_BATTLES: u64 = 1 << 50;

/// A line of parts: each is a part by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Line {
    /// A part.
    #[serde(rename = "league_part")]
    Part(LeaguePart),
}

/// Battles that were counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaguePart {
    /// [`PART`].
    kind: String,
    /// SHA-256 of the debate that the battles were made into.
    input_sha256: String,
    /// How many lines were left out because they could not be read.
    #[serde(default)]
    left_out: usize,
    /// The players, each with its model where it has one.
    players: Vec<(String, Option<String>)>,
    /// Two players by their places, and how often the first won, lost and tied.
    battles: Vec<([usize; 2], [u64; 3])>,
}

impl Line {
    /// As JSON on one line, without its end.
    pub fn written(&self) -> String {
        // keys are texts
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl LeaguePart {
    /// Of a debate that is made of a league, of which so many lines were left out; none of any other.
    pub fn of(payload: &Payload, left_out: usize) -> Option<Self> {
        let met = &payload.origin.as_ref()?.league;
        let players = payload.candidates.iter();
        let places: HashMap<&str, usize> = players
            .clone()
            .enumerate()
            .map(|(at, own)| (own.id.as_str(), at))
            .collect();
        let battles = met.iter().map(|met| {
            let [one, other] = &met.ids;
            let pair = [*places.get(one.as_str())?, *places.get(other.as_str())?];
            Some((pair, met.counts))
        });
        let battles: Vec<_> = battles.collect::<Option<_>>()?;
        (!battles.is_empty()).then(|| Self {
            kind: PART.to_owned(),
            input_sha256: payload.input_sha256.clone(),
            left_out,
            players: players
                .map(|own| (own.id.clone(), own.model.clone()))
                .collect(),
            battles,
        })
    }

    /// The players, each with its model.
    pub fn players(&self) -> &[(String, Option<String>)] {
        &self.players
    }

    /// Who met whom.
    pub fn battles(&self) -> &[([usize; 2], [u64; 3])] {
        &self.battles
    }
}

/// Parts while they are put together.
#[derive(Clone, Debug, Default)]
pub struct Merge {
    players: BTreeMap<String, Option<String>>,
    /// Of two players in the order of their names.
    battles: BTreeMap<[String; 2], [u64; 3]>,
    seen: BTreeSet<String>,
    /// How many parts are the same as one before. They count: battles have no names, and two parts of a
    /// league may well have the same.
    pub again: usize,
    /// How many lines were left out of the parts.
    pub left_out: usize,
}

impl Merge {
    /// Takes a part; in words what is wrong with it.
    pub fn add(&mut self, Line::Part(part): Line) -> Result<(), String> {
        if part.kind != PART {
            return Err(format!("expected a {PART}, got {:?}", Shown(&part.kind)));
        }
        let named = |at: usize| part.players.get(at).map(|(id, _)| id.clone());
        let mut battles = Vec::new();
        for ([one, other], [won, lost, tied]) in &part.battles {
            let (Some(first), Some(second)) = (named(*one), named(*other)) else {
                let last = part.players.len();
                return Err(format!(
                    "expected places of {last} players, got {one} and {other}"
                ));
            };
            let most = won.max(lost).max(tied);
            if *most > MOST_BATTLES {
                return Err(format!(
                    "expected at most {MOST_BATTLES} battles, got {most}"
                ));
            }
            battles.push(if first < second {
                ([first, second], [*won, *lost, *tied])
            } else {
                ([second, first], [*lost, *won, *tied])
            });
        }
        self.left_out += part.left_out;
        self.again += usize::from(!self.seen.insert(part.input_sha256));
        for (id, model) in part.players {
            let own = self.players.entry(id).or_default();
            *own = own.take().or(model);
        }
        for (pair, counts) in battles {
            let own = self.battles.entry(pair).or_default();
            own.iter_mut()
                .zip(counts)
                .for_each(|(own, more)| *own = (*own + more).min(MOST_BATTLES));
        }
        Ok(())
    }

    /// All battles together, as one part.
    pub fn finish(self) -> LeaguePart {
        let places: HashMap<&str, usize> = self
            .players
            .keys()
            .enumerate()
            .map(|(at, id)| (id.as_str(), at))
            .collect();
        // every battle is between two of the players
        let place = |id: &String| places.get(id.as_str()).copied().unwrap_or_default();
        let battles = self.battles.iter();
        let battles = battles.map(|([one, other], counts)| ([place(one), place(other)], *counts));
        LeaguePart {
            kind: PART.to_owned(),
            input_sha256: String::new(),
            left_out: self.left_out,
            battles: battles.collect(),
            players: self.players.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> Line {
        serde_json::from_str(text).expect("a part")
    }

    #[test]
    fn battles_are_counted_whoever_is_named_first() {
        let mut merge = Merge::default();
        let one = r#"{"league_part": {"kind": "league-part/1", "input_sha256": "a", "players": [["b", null], ["a", "m"]], "battles": [[[0, 1], [3, 1, 2]]]}}"#;
        let other = r#"{"league_part": {"kind": "league-part/1", "input_sha256": "b", "players": [["a", null], ["b", "n"], ["c", null]], "battles": [[[0, 1], [5, 0, 1]], [[2, 0], [1, 0, 0]]]}}"#;
        for text in [one, other, one] {
            merge.add(part(text)).expect("it fits");
        }
        // what is the same as another counts, and can be told
        assert_eq!(merge.again, 1);
        let all = merge.finish();
        let players: Vec<_> = all
            .players()
            .iter()
            .map(|(id, model)| (id.as_str(), model.as_deref()))
            .collect();
        assert_eq!(players, [("a", Some("m")), ("b", Some("n")), ("c", None)]);
        assert_eq!(all.battles(), [([0, 1], [7, 6, 5]), ([0, 2], [0, 1, 0])]);
    }

    #[test]
    fn what_is_no_part_is_told() {
        let mut merge = Merge::default();
        let of = |kind: &str, place: usize| {
            part(&format!(
                r#"{{"league_part": {{"kind": "{kind}", "input_sha256": "a", "players": [["b", null]], "battles": [[[0, {place}], [1, 0, 0]]]}}}}"#
            ))
        };
        assert!(merge.add(of("league-part/9", 0)).is_err());
        let said = merge.add(of(PART, 1)).expect_err("a place too far");
        assert_eq!(said, "expected places of 1 players, got 0 and 1");
    }
}
