//! Charts: pure geometry (numbers in, shapes out) with a thin view each, and its
//! style sheet beside it.

pub mod difference;
pub mod drift;
pub mod interval;
pub mod radar;
pub mod roc;
pub mod slope;
pub mod stack;
pub mod timeline;

/// A dot in the path of a box of 1 by 1, however that is stretched: with round ends a line of
/// almost no length is one. Of a line of none at all WebKit stretches the ends with the box, until
/// they cover the page.
const DOT: &str = "h.0001";
