//! Computations that rest between their steps, for the tests of several binaries.

use std::cell::RefCell;
use std::pin::pin;

use assay::steps::{Pause, Progress, go_on};

/// A computation with a rest after every `every` steps, and what was told on the way;
/// without a result if it was given up at the rest `most`.
pub fn rested<T>(
    every: usize,
    most: usize,
    computation: impl AsyncFnOnce(Pause<'_>) -> T,
) -> (Option<T>, Vec<Progress>) {
    let told = RefCell::new(Vec::new());
    let pause = |progress| {
        told.borrow_mut().push(progress);
        told.borrow().len().is_multiple_of(every)
    };
    let result = {
        let mut computation = pin!(computation(&pause));
        (0..most).find_map(|_| go_on(computation.as_mut()))
    };
    (result, told.take())
}
