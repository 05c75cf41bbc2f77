//! A dot in a path.

/// A dot in the path of a box of 1 by 1, however that is stretched: with round ends a line of
/// almost no length is one. Of a line of none at all WebKit stretches the ends with the box, until
/// they cover the page.
pub const DOT: &str = "h.0001";
