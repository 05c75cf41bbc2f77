//! The parts that benches are put together from. Each has one implementation
//! and takes plain snapshots; none of them knows a bench.

pub mod anatomy;
pub mod embedding;
pub mod evidence;
pub mod faces;
pub mod field;
pub mod frame;
pub mod grid;
pub mod heat;
pub mod problems;
pub mod section;
pub mod shell;
pub mod table;
pub mod text;
pub mod trace;
pub mod verdict;
pub mod weights;
pub mod windowed;
