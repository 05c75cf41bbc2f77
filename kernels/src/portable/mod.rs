//! What the browser computes, four numbers at once. Compiled for this machine as well, slower than
//! what is made for it: its tests run here.

mod attention;
mod lanes;
mod matrix;
mod norm;

pub use attention::attend;
pub use matrix::Matrix;
pub use norm::normalise;
