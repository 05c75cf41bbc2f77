//! What is true of any weighted score.

mod contributions;
mod rounding;
mod weights;

pub use contributions::{apportion, sum};
pub use rounding::round4;
pub use weights::{MOST_WEIGHT, check_weights, overlay};
pub mod bootstrap;
