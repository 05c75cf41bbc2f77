//! Parts of a log that are scored apart, and what they make together (SCORING.md section 1, "Parts"): to
//! the last digit what one run over all of it makes.
//!
//! A part is JSON Lines: a head, which says how the turns were scored, a line for each session, and an end. They
//! may come in any order; a session is whole in its part. Together they come in the order of their ids, and every
//! sum over sessions is rounded once, so that no order matters.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::analysis::sum;
use crate::document::{PartEnd, input_sha256, unlike};
use crate::text::Shown;

use super::log::Log;
use super::marks::turn_sha256;
use super::principles::PerPrinciple;
use super::result::{FORMULA, RewardResult};
use super::reward::ScoredTurn;
use super::session::{ScoredSession, Session, Totals};
use super::sessions::SessionTurns;

/// The kind of part, and the version of its lines.
pub const PART: &str = "reward-part/1";

/// A line of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Line {
    /// How the turns were scored.
    #[serde(rename = "reward_part")]
    Part(Head),
    /// A session.
    #[serde(rename = "reward_session")]
    Session(Box<PartSession>),
    /// The last line: without it the job was broken off.
    #[serde(rename = "reward_end")]
    End(PartEnd),
}

/// How turns were scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// [`PART`].
    kind: String,
    /// `constitutional-reward/1`.
    formula: String,
    weights: PerPrinciple,
    /// Below it a turn is rejected; null where there is none.
    ethical_floor: Option<f64>,
    /// The discount of later turns, in [0, 1].
    gamma: f64,
}

/// A scored session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartSession {
    /// SHA-256 of its turns.
    pub input_sha256: String,
    /// Its id; null where it has none.
    pub session_id: Option<Arc<str>>,
    /// What holds of its turns together.
    summary: Session,
    turns: Vec<ScoredTurn>,
}

impl Line {
    /// As JSON on one line, without its end.
    pub fn written(&self) -> String {
        // keys are texts, and numbers finite
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Head {
    /// Of turns scored with these weights.
    pub fn new(weights: PerPrinciple, ethical_floor: Option<f64>, gamma: f64) -> Self {
        Self {
            kind: PART.to_owned(),
            formula: FORMULA.to_owned(),
            weights,
            ethical_floor,
            gamma,
        }
    }
}

impl RewardResult {
    /// The head of its part.
    pub fn part_head(&self) -> Head {
        Head::new(self.weights, self.ethical_floor, self.gamma)
    }

    /// Its sessions as they stand in a part, in the order in which they begin.
    pub fn part_sessions(&self, log: &Log) -> Vec<Line> {
        let sessions = log.sessions.iter().zip(session_sha256s(log)).enumerate();
        let lines = sessions.map(|(number, (session, sha256))| {
            let turns = session.turns.iter();
            let own = self.sessions.get(number).map(|session| &session.summary);
            Line::Session(Box::new(PartSession {
                input_sha256: sha256,
                summary: own.unwrap_or(&self.session).clone(),
                turns: turns
                    .map(|at| ScoredTurn {
                        session_id: None,
                        ..self.turns[*at].clone()
                    })
                    .collect(),
                session_id: own_id(session),
            }))
        });
        lines.collect()
    }
}

/// SHA-256 of the sessions of a log, as their lines in a part have it.
pub fn session_sha256s(log: &Log) -> Vec<String> {
    let sessions = log.sessions.iter().map(|session| {
        let id = own_id(session);
        let said = session.turns.iter().map(|at| {
            let turn = &log.turns[*at];
            let said = turn_sha256(turn, id.as_deref(), &turn.reasoning);
            // scores that were witnessed stand for what was measured
            match &turn.witnessed {
                Some(scores) => format!("{said}{:?}", scores.values()),
                None => said,
            }
        });
        input_sha256(&[("turns", &said.collect::<String>())])
    });
    sessions.collect()
}

/// The id that a session has of its own: a name that was made for it holds among its neighbours alone.
fn own_id(session: &SessionTurns) -> Option<Arc<str>> {
    session.id.clone().filter(|_| session.is_named)
}

/// Parts while they are put together. Of a session what holds of its turns is kept, and the place that was
/// given with its line.
#[derive(Clone, Debug, Default)]
pub struct Merge {
    head: Option<Head>,
    sessions: BTreeMap<Option<Arc<str>>, Kept>,
    totals: Totals,
    /// The places of sessions that were given again, each with that of the first. Their lines are to be the same.
    pub again: Vec<(usize, usize)>,
    /// How many sessions, or lines of them, were left out of the parts.
    pub left_out: usize,
}

#[derive(Clone, Debug)]
struct Kept {
    place: usize,
    sha256: String,
    summary: Session,
}

/// What parts make together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The result, to which the turns are left to be put.
    pub result: RewardResult,
    /// The place of each session's line, in their order.
    pub places: Vec<usize>,
}

impl Merge {
    /// Takes a line; in words what is wrong with it. `place` is what the caller knows it by, and `told`
    /// says in words where a line is that was taken before.
    pub fn add(
        &mut self,
        line: Line,
        place: usize,
        told: impl Fn(usize) -> String,
    ) -> Result<(), String> {
        match line {
            Line::Part(head) => self.add_head(head),
            Line::Session(session) => self.add_session(&session, place, told),
            Line::End(end) => {
                self.left_out += end.left_out;
                Ok(())
            }
        }
    }

    fn add_head(&mut self, head: Head) -> Result<(), String> {
        if head.kind != PART {
            return Err(format!("expected a {PART}, got {:?}", Shown(&head.kind)));
        }
        if let Some(first) = self.head.as_ref().filter(|first| **first != head) {
            return Err(format!(
                "this part was scored with other settings than the first: {}; parts of one job have the same",
                unlike(first, &head)
            ));
        }
        self.head = Some(head);
        Ok(())
    }

    fn add_session(
        &mut self,
        session: &PartSession,
        place: usize,
        told: impl Fn(usize) -> String,
    ) -> Result<(), String> {
        let id = &session.session_id;
        let turns = session.turns.len();
        if turns == 0 || session.summary.turns != turns {
            let said = session.summary.turns;
            return Err(format!(
                "this session says that it has {said} turns and has {turns}: this part was changed"
            ));
        }
        match self.sessions.get(id) {
            Some(known) if id.is_some() && known.sha256 == session.input_sha256 => {
                self.again.push((place, known.place));
                Ok(())
            }
            Some(known) => Err(format!(
                "{} stands at {} already{}: a session is to be whole in one part, and of several each needs a session_id of its own",
                id.as_ref().map_or_else(
                    || "a session without an id".to_owned(),
                    |id| format!("session {:?}", Shown(id))
                ),
                told(known.place),
                id.as_ref().map_or("", |_| ", with other turns"),
            )),
            None => {
                let kept = Kept {
                    place,
                    sha256: session.input_sha256.clone(),
                    summary: session.summary.clone(),
                };
                for turn in &session.turns {
                    self.totals.add(turn);
                }
                self.totals.add_value(session.summary.discounted_value);
                self.sessions.insert(id.clone(), kept);
                Ok(())
            }
        }
    }

    /// The whole; in words what is missing to it. `told` says where a line is.
    pub fn finish(self, told: impl Fn(usize) -> String) -> Result<Merged, String> {
        let head = self.head.ok_or_else(|| {
            "no line says how the turns were scored: the head of a part is missing".to_owned()
        })?;
        let is_several = self.sessions.len() > 1;
        if let Some(nameless) = self.sessions.get(&None).filter(|_| is_several) {
            return Err(format!(
                "the session at {} has no id and stands beside others: give it a session_id",
                told(nameless.place)
            ));
        }
        let Some(first) = self.sessions.first_key_value() else {
            return Err("the parts have no session".to_owned());
        };
        let session_id = first.0.clone().filter(|_| !is_several);
        let session = if is_several {
            self.totals.session()
        } else {
            first.1.summary.clone()
        };
        let (mut sessions, mut places) = (Vec::new(), Vec::new());
        let (mut hashes, mut position) = (String::new(), 0);
        for (id, kept) in self.sessions {
            let end = position + kept.summary.turns;
            hashes.push_str(&kept.sha256);
            places.push(kept.place);
            if is_several {
                sessions.push(ScoredSession {
                    session_id: id.unwrap_or_default(),
                    summary: kept.summary,
                    positions: (position..end).collect(),
                });
            }
            position = end;
        }
        let result = RewardResult {
            formula: FORMULA,
            weights: head.weights,
            weights_sum: sum(&head.weights.values()),
            ethical_floor: head.ethical_floor,
            gamma: head.gamma,
            session_id,
            turns: Vec::new(),
            session,
            sessions,
            input_sha256: input_sha256(&[("sessions", &hashes)]),
        };
        Ok(Merged { result, places })
    }
}

impl Merged {
    /// The turns of a session as they stand in the whole, from the line at its place; of several sessions
    /// each turn names its own.
    pub fn turns(line: Line, is_several: bool) -> Option<Vec<ScoredTurn>> {
        let Line::Session(session) = line else {
            return None;
        };
        let session = *session;
        let id = session.session_id.filter(|_| is_several);
        let mut times = HashMap::<i64, usize>::new();
        let turns = session.turns.into_iter().map(|turn| {
            let times = times.entry(turn.turn_number).or_default();
            *times += 1;
            ScoredTurn {
                session_id: id.clone(),
                occurrence: *times,
                ..turn
            }
        });
        Some(turns.collect())
    }
}
