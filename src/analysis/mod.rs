//! What is true of any weighted score.

mod contributions;
mod exact;
mod rounding;
mod weights;

pub mod acceptability;
pub mod agreement;
pub mod bootstrap;
pub mod bradley_terry;
pub mod change_point;
pub mod cycles;
pub mod flips;
pub mod logistic;
pub mod rank;
pub mod separation;
pub mod shapley;

pub use contributions::{apportion, apportion_all, sum, sum_of};
pub use exact::ExactSum;
pub use rounding::round4;
pub use weights::{MOST_WEIGHT, check_weights, overlay};
