//! Long computations in steps: between two steps they may rest, and whoever asked
//! for them goes on with them later, or drops them. At once and in steps is the
//! same code, so it comes to the same figures.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// How far a computation is: "200 of 10,000 replies measured".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Steps that are done.
    pub done: usize,
    /// Steps of this kind in all, at least `done`.
    pub total: usize,
    /// What is done, in words that stand behind the two numbers.
    pub what: &'static str,
    /// What was found in it so far: a number, and words that stand behind it.
    pub found: Option<(usize, &'static str)>,
}

impl Progress {
    /// So far, with nothing to tell of.
    pub const fn new(done: usize, total: usize, what: &'static str) -> Self {
        Self {
            done,
            total,
            what,
            found: None,
        }
    }
}

/// Told after each step how far the computation is, it says whether to rest before
/// the next.
pub type Pause<'a> = &'a dyn Fn(Progress) -> bool;

/// Never rests.
pub const THROUGH: Pause<'static> = &|_| false;

/// Ends a step.
pub async fn step(pause: Pause<'_>, progress: Progress) {
    if pause(progress) {
        Rest { is_over: false }.await;
    }
}

/// Over when it is asked for the second time.
struct Rest {
    is_over: bool,
}

impl Future for Rest {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.is_over {
            return Poll::Ready(());
        }
        self.is_over = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Goes on with a computation up to its next rest; its result once there are no more
/// steps.
pub fn go_on<T>(computation: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match computation.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

/// The result of a computation whose only rests are between steps.
pub fn at_once<T>(computation: impl Future<Output = T>) -> T {
    let mut computation = pin!(computation);
    loop {
        if let Some(result) = go_on(computation.as_mut()) {
            return result;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn it_rests_where_it_is_told_and_comes_to_the_same() {
        let sum = async |pause: Pause<'_>| {
            let mut sum = 0;
            for done in 1..=10 {
                sum += done;
                let (total, what) = (10, "numbers");
                step(pause, Progress::new(done, total, what)).await;
            }
            sum
        };
        assert_eq!(at_once(sum(THROUGH)), 55);
        let last = Cell::new(0);
        let pause = |progress: Progress| {
            last.set(progress.done);
            progress.done.is_multiple_of(4)
        };
        let mut slow = pin!(sum(&pause));
        assert_eq!((go_on(slow.as_mut()), last.get()), (None, 4));
        assert_eq!((go_on(slow.as_mut()), last.get()), (None, 8));
        assert_eq!((go_on(slow.as_mut()), last.get()), (Some(55), 10));
    }
}
