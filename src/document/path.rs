//! Paths: the way from a document to one of its values.

use std::fmt::Write;

use crate::text::Shown;

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list, from 0.
    Item(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for Step {
    fn from(item: usize) -> Self {
        Self::Item(item)
    }
}

/// A path as a list of steps: `path!["candidates", 0, "wins"]`.
#[macro_export]
macro_rules! path {
    ($($step:expr),* $(,)?) => {
        &[$($crate::document::Step::from($step)),*]
    };
}

/// A path that goes on from another, as problems name it: `candidates[0].wins`.
pub fn path_from(start: &str, steps: &[Step]) -> String {
    let mut path = start.to_owned();
    for step in steps {
        match step {
            Step::Key(key) => push_key(&mut path, key),
            Step::Item(item) => push_item(&mut path, *item),
        }
    }
    path
}

/// One key further; of a long one its beginning, as a path stands in every problem below it.
pub(super) fn push_key(path: &mut String, key: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    // writing to a String cannot fail
    let _ = write!(path, "{}", Shown(key));
}

/// One item further.
pub(super) fn push_item(path: &mut String, item: usize) {
    // writing to a String cannot fail
    let _ = write!(path, "[{item}]");
}
