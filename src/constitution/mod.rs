//! Constitutional reward: every turn on seven principles, weighted, witnessed
//! (`constitutional-reward/1`, SCORING.md section 1).
//!
//! [`read`] once, [`score`] as often as a weight changes; [`evaluate`] does both.

mod bands;
pub mod form;
mod intervals;
mod marks;
mod options;
mod principles;
mod read;
mod result;
mod reward;
mod score;
mod session;
mod turn;

pub use bands::{Band, BandCounts};
pub use intervals::{Closest, End, Flip, Intervals, Nearest, WeightInterval, intervals};
pub use marks::{Mark, marks};
pub use options::{DEFAULT_ETHICAL_FLOOR, DEFAULT_GAMMA, Options, weights};
pub use principles::{
    CLEAN_TOOLS, DEFAULT_WEIGHTS, FULL_LENGTH, PRIOR, PerPrinciple, Principle, Principles,
    ROOMY_CONTEXT, SCALE, composable, ethical, generative, joy_inducing,
};
pub use read::{Log, parse, read, read_from, read_in_steps};
pub use result::{FORMULA, RewardResult};
pub use reward::ScoredTurn;
pub use score::{evaluate, score};
pub use session::Session;
pub use turn::{Override, Turn, TurnResult};
