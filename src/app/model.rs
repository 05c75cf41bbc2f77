//! What the models of the benches are made of: memos from the texts on a desk to
//! what they read as, and on to results.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use leptos::prelude::*;

use super::derived::{Derived, effect};
use super::desk::{Desk, Face, Work};
use super::problems::problems_of;
use crate::document::{Evaluation, Problem};

/// The rank, where there is one, and the score of each row by its id.
pub type Standings = HashMap<String, (Option<usize>, f64)>;

/// An evaluation that is cheap to hand around.
pub type Shared<T> = Derived<Evaluation<T>>;

/// What was read last without an error.
#[derive(Clone, Copy)]
pub struct Good<T> {
    /// It, or what is read now where there is no such thing.
    pub read: Shared<T>,
    /// Whether it is of what was there before: what is there now has an error.
    pub is_old: Memo<bool>,
}

/// A mistake on the way leaves what was there before it in its place, until other work is
/// put on the desk, or another of its documents, or none.
pub fn last_good<T: PartialEq + Send + Sync + 'static>(desk: Desk, read: Shared<T>) -> Good<T> {
    let (item, is_blank) = (desk.item(), desk.is_blank());
    let last = Mutex::new(((0, 0), None::<Arc<Evaluation<T>>>));
    let good = Derived::shared(move || {
        let now = read.get();
        let of = (desk.opened.get(), item.get());
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != of || is_blank.get() {
            *last = (of, None);
        }
        if now.result.is_some() {
            last.1 = Some(now.clone());
        }
        last.1.clone().unwrap_or(now)
    });
    Good {
        read: good,
        is_old: Memo::new(move |_| {
            read.with(|now| now.result.is_none()) && good.with(|good| good.result.is_some())
        }),
    }
}

/// What is scored after reading, with the problems of both.
pub fn scoring<R, T>(
    read: Shared<R>,
    work: Memo<Work>,
    score: impl Fn(&R, &Work) -> Evaluation<T> + Send + Sync + 'static,
) -> Shared<T>
where
    R: Send + Sync + PartialEq + 'static,
    T: Send + Sync + PartialEq + 'static,
{
    Derived::new(move || {
        read.with(|read| {
            let mut problems = read.problems.clone();
            let result = read.result.as_ref().and_then(|read| {
                let scored = work.with(|work| score(read, work));
                problems.extend(scored.problems);
                scored.result
            });
            Evaluation { result, problems }
        })
    })
}

/// The problems of the main text of a bench; none as long as there is no text. A
/// weight that is dragged leaves them as they are.
pub fn problems_in(
    desk: Desk,
    found: impl Fn() -> Vec<Problem> + Send + Sync + 'static,
    input: &'static str,
) -> Signal<Vec<Problem>> {
    let problems = Memo::new(move |_| {
        if desk.work.with(Work::is_blank) {
            return Vec::new();
        }
        problems_of(&found(), input, input)
    });
    problems.into()
}

/// The face of an input to begin with: its form where there is one, once it is read;
/// `reading` says whether it is, where that may take a while.
pub fn choose_face<T: PartialEq + Send + Sync + 'static>(
    desk: Desk,
    form: Derived<Option<T>>,
    reading: Option<Signal<bool>>,
) -> Callback<()> {
    let is_due = RwSignal::new(true);
    let choose = move || {
        let is_read = reading.is_none_or(|is_current| is_current.get_untracked());
        if is_due.get_untracked() && is_read {
            // a form that is to begin with nothing is wanted though nothing can be read
            let is_readable =
                form.with_untracked(Option::is_some) || desk.is_starting.get_untracked();
            desk.face
                .set(if is_readable { Face::Form } else { Face::Text });
            is_due.set(false);
        }
    };
    choose();
    if let Some(is_current) = reading {
        effect(move || {
            is_current.track();
            choose();
        });
    }
    Callback::new(move |()| {
        is_due.set(true);
        choose();
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_good_reading_is_of_the_same_work() {
        let owner = Owner::new();
        owner.set();
        let desk = Desk::new(Work::of("debate", "1"));
        let text = desk.text("debate");
        let read = Derived::new(move || Evaluation {
            result: text.with(|text| text.parse::<i32>().ok()),
            problems: Vec::new(),
        });
        let good = last_good(desk, read);
        let stands = || {
            let result = good.read.with_untracked(|good| good.result);
            (result, good.is_old.get_untracked())
        };
        assert_eq!(stands(), (Some(1), false));
        desk.type_text("debate", "1x".into());
        assert_eq!(stands(), (Some(1), true));
        desk.type_text("debate", "12".into());
        assert_eq!(stands(), (Some(12), false));
        // other work, or none, is not compared with it
        desk.replace(Work::of("debate", "y"));
        assert_eq!(stands(), (None, false));
        desk.type_text("debate", "3".into());
        assert_eq!(stands(), (Some(3), false));
        desk.type_text("debate", String::new());
        assert_eq!(stands(), (None, false));
    }
}
