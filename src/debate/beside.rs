//! What is said beside a result where the input tells how it was made: other readings of its marks,
//! and the strengths of a league.

use serde::Serialize;

use super::league::{League, league};
use super::readings::{Readings, readings};
use super::{DebateResult, Options, Payload, Profiles};

/// What is said beside a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Beside {
    /// Where the input keeps marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readings: Option<Readings>,
    /// Where the input is made of a league.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub league: Option<League>,
}

/// A result with what is said beside it, as one object.
#[derive(Clone, Debug, Serialize)]
pub struct Whole<'a> {
    /// The result.
    #[serde(flatten)]
    pub result: &'a DebateResult,
    /// What is said beside it.
    #[serde(flatten)]
    pub beside: &'a Beside,
}

impl Beside {
    /// Works it out; empty where the input says nothing of how it was made.
    pub fn of(payload: &Payload, profiles: &Profiles, options: &Options) -> Self {
        Self {
            readings: readings(payload, profiles, options),
            league: league(payload),
        }
    }

    /// Each part in sentences, under a heading.
    pub fn parts(&self) -> Vec<(&'static str, Vec<String>)> {
        let readings = self.readings.as_ref().map(Readings::sentences);
        let league = self.league.as_ref().map(League::sentences);
        let readings = readings.map(|sentences| ("Other readings", sentences));
        let league = league.map(|sentences| ("League", sentences));
        readings.into_iter().chain(league).collect()
    }
}
