//! What was seen of a result before the last change. It is kept and not computed
//! again: a long text takes long to read.

use std::sync::{Mutex, PoisonError};

use leptos::prelude::*;

use super::derived::Derived;
use super::desk::{Desk, Work};

/// Figures now, and before the last gesture, undo or redo; nothing where that changed
/// no work that was seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen<T> {
    /// The figures of the work as it is, or of the last that was read.
    pub now: T,
    /// The figures before.
    pub before: T,
    work: Work,
    previous: Option<Work>,
}

/// Follows the figures `now`. It has to be read at every change.
pub fn seen<T>(
    desk: Desk,
    is_current: Signal<bool>,
    now: impl Fn() -> T + Send + Sync + 'static,
) -> Derived<Seen<T>>
where
    T: Clone + Default + PartialEq + Send + Sync + 'static,
{
    let seen = Mutex::new(Seen::default());
    Derived::new(move || {
        let (work, previous) = (desk.work.get(), desk.previous.get());
        let now = now();
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_current.get() {
            // the figures are of texts that were there before
            return seen.clone();
        }
        if previous != seen.previous {
            seen.before = if previous.as_ref() == Some(&seen.work) {
                std::mem::take(&mut seen.now)
            } else {
                T::default()
            };
        }
        seen.work = work;
        seen.previous = previous;
        seen.now = now;
        seen.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_before_a_gesture_stay_until_the_next() {
        let owner = Owner::new();
        owner.set();
        let desk = Desk::new(Work::of("debate", "{}"));
        let is_current = RwSignal::new(true);
        let weight = move || {
            let weight = desk.work.with(|work| work.setting("a").map(str::to_owned));
            weight.unwrap_or_default()
        };
        let seen = seen(desk, is_current.into(), weight);
        let figures = || seen.with_untracked(|seen| (seen.before.clone(), seen.now.clone()));
        let are = |before: &str, now: &str| assert_eq!(figures(), (before.into(), now.into()));
        are("", "");
        for value in ["1", "2"] {
            desk.set("a", Some(value.into()));
            are("", value);
        }
        desk.settle();
        desk.set("a", Some("3".into()));
        are("2", "3");
        // nothing is said of what is not read yet
        is_current.set(false);
        desk.settle();
        desk.set("a", Some("4".into()));
        are("2", "3");
        is_current.set(true);
        are("3", "4");
        desk.undo();
        are("4", "3");
    }
}
