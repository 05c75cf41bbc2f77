//! The arithmetic that takes the time when a text is embedded: products with
//! constant matrices, attention, normalisation, gelu. It knows nothing of the
//! model or its runtime: numbers in, numbers out, in safe Rust.
//!
//! A package of its own, so that it can be optimised fully where the rest of
//! the code is compiled often.
//!
//! - [`portable`]: for the browser, of registers with four numbers
//! - [`native`]: for what the processor has, chosen when the program runs
//!
//! Both have the same parts, and what stands here is that of the machine it is compiled for. A row of
//! a result depends on the rows that it is made of and on nothing else: not on how many stand
//! beside it.

#[cfg(not(target_arch = "wasm32"))]
pub mod native;
pub mod portable;

#[cfg(not(target_arch = "wasm32"))]
pub use native::{Matrix, attend, normalise};
#[cfg(target_arch = "wasm32")]
pub use portable::{Matrix, attend, normalise};

/// The numbers of outputs of a matrix, and of values in a head, are multiples of this.
pub const COLUMNS: usize = 8;
