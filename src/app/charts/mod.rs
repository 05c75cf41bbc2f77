//! Charts: pure geometry (numbers in, shapes out) with a thin view each, and its
//! style sheet beside it.

pub mod difference;
mod dot;
pub mod drift;
pub mod interval;
pub mod radar;
pub mod roc;
pub mod slope;
pub mod stack;
pub mod timeline;
