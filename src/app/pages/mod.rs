//! The pages. A bench's page is its form and its anatomy; the rest is panels.

pub mod constitution;
pub mod debate;
pub mod persona;
pub mod start;
