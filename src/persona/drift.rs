//! Drift, `drift/1`: how far each reply of a session lies from the persona and from the session's
//! start, and the stretch in which the session departs from the persona (SCORING.md section 3,
//! "Drift"). Beside the document's stability, and no part of any score.

use serde::{Deserialize, Deserializer, Serialize};

use super::voice;

/// Name and version of the formula.
pub const FORMULA: &str = "drift/1";
/// What tells the distance where there is no voice.
pub(super) const STYLE: &str = "style";

/// A name that is known; by itself it is no reference that could be borrowed from a text.
pub(super) type Name = &'static str;

/// How a session moves. Each list has a place for each reply, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// What tells the distance to the persona: `voice/1`, or `style` where there is no voice.
    #[serde(deserialize_with = "by")]
    pub by: Name,
    /// 1 - voice, or 1 - style, in [0, 1].
    pub to_persona: Vec<Option<f64>>,
    /// 1 - the cosine to the first reply, in [0, 2].
    pub to_start: Vec<Option<f64>>,
    /// The stretch that lies farthest from the persona beside the rest; null where no such is, or
    /// with fewer than 8 replies.
    pub stretch: Option<Stretch>,
}

/// What told the distance, of what can.
fn by<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    Ok(match String::deserialize(deserializer)?.as_str() {
        voice::FORMULA => voice::FORMULA,
        _ => STYLE,
    })
}

/// A stretch of a session that lies farther from the persona than the rest of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Place of its first reply in the session, from 0.
    #[serde(skip)]
    pub from: usize,
    /// Place behind its last.
    #[serde(skip)]
    pub to: usize,
    /// Index of the turn at which it begins.
    pub departs_at: i64,
    /// Index of the turn at which the session is back; null where it does not come back.
    pub returns_at: Option<i64>,
    /// Mean distance outside of it.
    pub before: f64,
    /// Mean distance within.
    pub within: f64,
    /// How often chance alone makes a stretch that stands out as much, in (0, 1].
    pub p: f64,
    /// Whether that is held to be no chance: the false discovery rate over all sessions is 5 %.
    pub is_departure: bool,
}

/// Over all sessions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DriftSummary {
    /// `drift/1`.
    pub formula: &'static str,
    /// Sessions long enough to tell.
    pub told: usize,
    /// Those that depart from the persona.
    pub departed: usize,
    /// Those of them that come back.
    pub returned: usize,
}

impl DriftSummary {
    /// What the drifts of all sessions come to, of each the stretch in which it departs; none where there
    /// are none.
    pub(super) fn of(all: impl Iterator<Item = Option<Stretch>>) -> Option<Self> {
        let all: Vec<Option<Stretch>> = all.collect();
        let told: Vec<&Stretch> = all.iter().flatten().collect();
        let departed: Vec<_> = told.iter().filter(|stretch| stretch.is_departure).collect();
        (!all.is_empty()).then(|| Self {
            formula: FORMULA,
            told: told.len(),
            departed: departed.len(),
            returned: departed.iter().filter(|s| s.returns_at.is_some()).count(),
        })
    }
}

impl Drift {
    /// The stretch in which it departs, where that is no chance.
    pub fn departure(&self) -> Option<&Stretch> {
        self.stretch.as_ref().filter(|stretch| stretch.is_departure)
    }
}
