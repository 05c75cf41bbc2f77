//! For this machine: AVX-512, AVX2 with FMA or NEON, whichever it has when the program runs.
//! The vectors of numbers are those of the crate pulp, which is where the choice is made.
//!
//! A product is made of tiles: so many rows by so many registers of columns, whose sums stay in
//! registers. Of the shapes that were measured these were the fastest, and faster than gemm
//! and matrixmultiply, which know nothing of a matrix that stays (README, "How fast").

mod attention;
mod curves;
mod matrix;
mod norm;
mod tile;

pub use attention::attend;
pub use matrix::Matrix;
pub use norm::normalise;
