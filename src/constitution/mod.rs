//! Constitutional reward: every turn on seven principles, weighted, witnessed
//! (`constitutional-reward/1`, SCORING.md section 1).
//!
//! [`read`] once, [`score`] as often as a weight changes; [`evaluate`] does both.

mod bands;
mod check;
mod difference;
mod fields;
mod finding;
pub mod form;
mod intervals;
mod log;
mod marks;
mod options;
mod part;
mod principles;
mod quick;
mod read;
mod reasons;
mod record;
mod result;
mod reward;
mod score;
mod session;
mod sessions;
mod turn;
mod written;

pub use bands::{Band, BandCounts};
pub use difference::{Difference, NamedDifference, Split, difference};
pub use finding::{Check, Finding};
pub use intervals::{Closest, End, Flip, Intervals, Nearest, WeightInterval, intervals};
pub use log::Log;
pub use marks::{
    Evidence, Mark, Measures, Overridden, PolicyTrace, TraceHead, TraceStep, Witness, marks,
    policy_traces,
};
pub use options::{DEFAULT_ETHICAL_FLOOR, DEFAULT_GAMMA, Options, own_weights, weights};
pub use part::{
    Head as PartHead, Line as PartLine, Merge, Merged, PART, PartSession, session_sha256s,
};
pub use principles::{
    CLEAN_TOOLS, DEFAULT_WEIGHTS, FULL_LENGTH, PRIOR, PerPrinciple, Principle, Principles,
    ROOMY_CONTEXT, SCALE, composable, ethical, generative, joy_inducing,
};
pub use quick::QuickTurns;
pub use read::{parse, read, read_from, read_in_steps};
pub use reasons::Reason;
pub use result::{FORMULA, RewardResult};
pub use reward::{NOT_MEASURED, ScoredTurn, numbered};
pub use score::{evaluate, score};
pub use session::{ScoredSession, Session};
pub use sessions::SessionTurns;
pub use turn::{Override, Record, Turn, TurnResult, Walk};
