//! The parts that benches are put together from. Each has one implementation
//! and knows a desk and plain data: no bench, and nothing of the page around it.

pub mod anatomy;
pub mod evidence;
pub mod example;
pub mod faces;
pub mod field;
pub mod grid;
pub mod heat;
pub mod problems;
pub mod section;
pub mod table;
pub mod text;
pub mod trace;
pub mod verdict;
pub mod weights;
pub mod windowed;
