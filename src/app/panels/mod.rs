//! The parts that benches are put together from. Each has one implementation
//! and takes plain snapshots, or a desk to change the work on it; none of them
//! knows a bench. What a part looks like stands beside it in a style sheet of its
//! name, which index.html links.

pub mod anatomy;
pub mod evidence;
pub mod example;
pub mod explain;
pub mod faces;
pub mod field;
pub mod goal;
pub mod grid;
pub mod heat;
pub mod lines;
pub mod losses;
pub mod number;
pub mod problems;
pub mod progress;
pub mod section;
mod strip;
pub mod table;
pub mod text;
pub mod trace;
pub mod unrolled;
pub mod verdict;
pub mod weights;
pub mod windowed;
