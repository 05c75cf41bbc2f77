//! The arithmetic that takes the time when a text is embedded: products with
//! constant matrices, attention, normalisation, gelu. It knows nothing of the
//! model or its runtime: numbers in, numbers out, in safe Rust.
//!
//! A package of its own, so that it can be optimised fully where the rest of
//! the code is compiled often.

mod attention;
mod lanes;
mod matrix;
mod norm;

pub use attention::attend;
pub use matrix::{COLUMNS, Matrix};
pub use norm::normalise;
