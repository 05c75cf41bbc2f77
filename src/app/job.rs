//! Work that may take long, in the page's own thread. What is done within half a
//! frame is done at once, in the event that asked for it. The rest goes on in short
//! tasks; it can be cancelled, and gives way to what is asked for next.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

use super::browser::{events, tasks};
use super::derived::Derived;
use crate::steps::{Progress, go_on};

/// How long it works before the browser may do something else, in milliseconds.
const SLICE: f64 = 8.0;
/// How long it works before it says how far it is, and how often then.
const PATIENCE: f64 = 300.0;
const NEWS: f64 = 100.0;

/// Where the time comes from, and further tasks.
#[derive(Clone, Copy)]
pub struct Clock {
    /// Milliseconds since some moment.
    pub now: fn() -> f64,
    /// Does something in a task of its own.
    pub later: fn(Box<dyn FnOnce()>),
}

impl Clock {
    /// The browser's.
    pub const BROWSER: Self = Self {
        now: events::now,
        later: tasks::later,
    };
}

/// What a person is told of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing: it is done, or has only begun.
    #[default]
    Quiet,
    /// It is so far.
    Running(Progress),
    /// It was cancelled: what is there is not worked out.
    Cancelled,
}

/// One kind of work of a bench.
#[derive(Clone, Copy)]
pub struct Job {
    clock: Clock,
    phase: RwSignal<Phase>,
    /// Names the newest computation. Others are over.
    ticket: StoredValue<u32>,
    /// Changes when one is done, or is to be begun anew.
    news: RwSignal<u32>,
    is_again: StoredValue<bool>,
    /// What is to be done once the newest is done.
    then: StoredValue<Vec<Box<dyn FnOnce()>>, LocalStorage>,
}

/// What a job came to, and whether that is of what is there now.
#[derive(Debug)]
pub struct Outcome<T> {
    /// The last result.
    pub result: Arc<T>,
    /// Whether it is of what is there now, and not of what was there before.
    pub is_current: bool,
}

impl<T> PartialEq for Outcome<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.result, &other.result) && self.is_current == other.is_current
    }
}

/// A computation that rests when its slice of time is over.
pub type Computation<T> = Pin<Box<dyn Future<Output = T>>>;

/// The time that a computation has until its next rest.
pub struct Slice {
    now: fn() -> f64,
    end: Cell<f64>,
    progress: Cell<Progress>,
}

impl Slice {
    /// Takes note how far it is; says whether the slice is over.
    pub fn is_over(&self, progress: Progress) -> bool {
        self.progress.set(progress);
        (self.now)() >= self.end.get()
    }

    fn go_on<T>(&self, computation: &mut Computation<T>) -> Option<T> {
        self.end.set((self.now)() + SLICE);
        go_on(computation.as_mut())
    }
}

/// What is being worked out, and the last result.
struct State<K, T> {
    asked: Option<K>,
    result: Arc<T>,
    is_current: bool,
    computation: Option<Computation<T>>,
}

type Stored<K, T> = StoredValue<State<K, T>, LocalStorage>;

impl Job {
    /// A job with nothing to do.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            phase: RwSignal::default(),
            ticket: StoredValue::new(0),
            news: RwSignal::new(0),
            is_again: StoredValue::new(false),
            then: StoredValue::new_local(Vec::new()),
        }
    }

    /// What there is to say of it.
    pub fn phase(self) -> Phase {
        self.phase.get()
    }

    /// Leaves what it is at.
    pub fn cancel(self) {
        self.ticket.update_value(|ticket| *ticket += 1);
        self.then.update_value(Vec::clear);
        self.phase.set(Phase::Cancelled);
    }

    /// Does something once the newest is done; never if that is cancelled. Asked for while
    /// something is on its way.
    pub fn when_done(self, then: impl FnOnce() + 'static) {
        self.then.update_value(|all| all.push(Box::new(then)));
    }

    /// Begins anew what was cancelled.
    pub fn again(self) {
        self.is_again.set_value(true);
        self.phase.set(Phase::Quiet);
        self.news.update(|news| *news += 1);
    }

    /// What `make` makes of what `ask` asks for, tracked; `nothing` until there is a
    /// first result. A job works out one thing.
    pub fn outcome<K, T>(
        self,
        nothing: T,
        ask: impl Fn() -> K + Send + Sync + 'static,
        make: impl Fn(&K, Rc<Slice>) -> Computation<T> + Send + Sync + 'static,
    ) -> Derived<Outcome<T>>
    where
        K: PartialEq + 'static,
        T: Send + Sync + 'static,
    {
        let state = StoredValue::new_local(State {
            asked: None,
            result: Arc::new(nothing),
            is_current: false,
            computation: None,
        });
        Derived::new(move || {
            let asked = ask();
            self.news.track();
            let is_again = self.is_again.get_value();
            if is_again || state.with_value(|state| state.asked.as_ref() != Some(&asked)) {
                self.is_again.set_value(false);
                self.begin(state, asked, &make);
            }
            state.with_value(|state| Outcome {
                result: state.result.clone(),
                is_current: state.is_current,
            })
        })
    }

    fn begin<K: 'static, T: 'static>(
        self,
        state: Stored<K, T>,
        asked: K,
        make: &dyn Fn(&K, Rc<Slice>) -> Computation<T>,
    ) {
        // what is dropped first gives back what it borrowed
        state.update_value(|state| state.computation = None);
        self.ticket.update_value(|ticket| *ticket += 1);
        let slice = Rc::new(Slice {
            now: self.clock.now,
            end: Cell::new(0.0),
            progress: Cell::new(Progress::new(0, 0, "")),
        });
        let began = (self.clock.now)();
        let mut computation = make(&asked, slice.clone());
        let result = slice.go_on(&mut computation);
        let is_current = result.is_some();
        state.update_value(|state| {
            state.asked = Some(asked);
            state.is_current = is_current;
            match result {
                Some(result) => state.result = Arc::new(result),
                None => state.computation = Some(computation),
            }
        });
        let task = Task {
            job: self,
            ticket: self.ticket.get_value(),
            state,
            slice,
            next_news: began + PATIENCE,
        };
        if is_current {
            // what was said of the one before it holds no more; a memo says nothing itself
            let is_waited_for = self.then.with_value(|then| !then.is_empty());
            if is_waited_for || self.phase.get_untracked() != Phase::Quiet {
                (self.clock.later)(Box::new(move || task.end()));
            }
        } else {
            task.go_on_later();
        }
    }
}

/// A computation on its way.
struct Task<K: 'static, T: 'static> {
    job: Job,
    ticket: u32,
    state: Stored<K, T>,
    slice: Rc<Slice>,
    next_news: f64,
}

impl<K, T> Task<K, T> {
    fn go_on_later(self) {
        (self.job.clock.later)(Box::new(move || self.go_on()));
    }

    fn is_newest(&self) -> bool {
        self.job.ticket.try_get_value() == Some(self.ticket)
    }

    fn say(&self, phase: Phase) {
        if self.is_newest() && self.job.phase.get_untracked() != phase {
            self.job.phase.set(phase);
        }
    }

    /// Says that it is done, and does what waited for it.
    fn end(&self) {
        self.say(Phase::Quiet);
        if self.is_newest() {
            let then = self.job.then.try_update_value(std::mem::take);
            then.into_iter().flatten().for_each(|then| then());
        }
    }

    fn go_on(mut self) {
        if !self.is_newest() {
            // cancelled; a newer one would have dropped it
            return;
        }
        let computation = self
            .state
            .try_update_value(|state| state.computation.take());
        let Some(mut computation) = computation.flatten() else {
            return;
        };
        if let Some(result) = self.slice.go_on(&mut computation) {
            self.state.update_value(|state| {
                state.result = Arc::new(result);
                state.is_current = true;
            });
            // what follows from the result is a task of its own
            (self.job.clock.later)(Box::new(move || {
                self.job.news.update(|news| *news += 1);
                self.end();
            }));
            return;
        }
        self.state
            .update_value(|state| state.computation = Some(computation));
        let now = (self.job.clock.now)();
        if now >= self.next_news {
            self.next_news = now + NEWS;
            self.say(Phase::Running(self.slice.progress.get()));
        } else if self.job.phase.get_untracked() == Phase::Cancelled {
            self.say(Phase::Quiet);
        }
        self.go_on_later();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::step;
    use std::cell::RefCell;

    thread_local! {
        static TIME: Cell<f64> = const { Cell::new(0.0) };
        static TASKS: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
        static STEPS: Cell<usize> = const { Cell::new(0) };
    }

    const CLOCK: Clock = Clock {
        now: || TIME.get(),
        later: |task| TASKS.with_borrow_mut(|tasks| tasks.push(task)),
    };

    /// Runs the tasks that wait now; says whether there were any.
    fn tick() -> bool {
        let tasks = TASKS.take();
        let any = !tasks.is_empty();
        tasks.into_iter().for_each(|task| task());
        any
    }

    /// Counts to a number, a millisecond for each step.
    fn count_to(number: usize, slice: Rc<Slice>) -> Computation<usize> {
        Box::pin(async move {
            for done in 1..=number {
                TIME.set(TIME.get() + 1.0);
                STEPS.set(STEPS.get() + 1);
                let (total, what) = (number, "steps done");
                step(
                    &|progress| slice.is_over(progress),
                    Progress::new(done, total, what),
                )
                .await;
            }
            number
        })
    }

    fn counting(to: usize) -> (Owner, RwSignal<usize>, Job, Derived<Outcome<usize>>) {
        let owner = Owner::new();
        owner.set();
        let asked = RwSignal::new(to);
        let job = Job::new(CLOCK);
        let make = |number: &usize, slice| count_to(*number, slice);
        let outcome = job.outcome(0, move || asked.get(), make);
        (owner, asked, job, outcome)
    }

    fn seen(outcome: Derived<Outcome<usize>>) -> (usize, bool) {
        outcome.with_untracked(|outcome| (*outcome.result, outcome.is_current))
    }

    #[test]
    fn what_is_short_is_done_at_once() {
        let (_owner, asked, job, outcome) = counting(3);
        assert_eq!(seen(outcome), (3, true));
        asked.set(5);
        assert_eq!(seen(outcome), (5, true));
        assert!(!tick());
        assert_eq!(job.phase.get_untracked(), Phase::Quiet);
    }

    #[test]
    fn what_is_long_goes_on_in_tasks_and_says_how_far_it_is() {
        let (_owner, asked, job, outcome) = counting(3);
        assert_eq!(seen(outcome), (3, true));
        asked.set(1000);
        assert_eq!(seen(outcome), (3, false));
        let began = TIME.get();
        let mut told = Vec::new();
        loop {
            let before = TIME.get();
            if !tick() {
                break;
            }
            assert!(TIME.get() - before <= SLICE);
            if let Phase::Running(progress) = job.phase.get_untracked() {
                assert!(TIME.get() - began >= PATIENCE - SLICE);
                told.push(progress.done);
            }
        }
        told.dedup();
        assert!((5..=8).contains(&told.len()), "{told:?}");
        assert_eq!(seen(outcome), (1000, true));
        assert_eq!(job.phase.get_untracked(), Phase::Quiet);
    }

    #[test]
    fn the_newest_wins_and_what_is_older_takes_no_more_steps() {
        let (_owner, asked, _job, outcome) = counting(1000);
        assert_eq!(seen(outcome), (0, false));
        tick();
        asked.set(100);
        assert_eq!(seen(outcome), (0, false));
        let steps = STEPS.get();
        while tick() {}
        assert_eq!(seen(outcome), (100, true));
        assert!(STEPS.get() - steps <= 100);
    }

    #[test]
    fn what_waits_for_a_result_is_done_once_the_newest_is_there() {
        let (_owner, asked, job, outcome) = counting(1000);
        let done = Rc::new(Cell::new(0));
        let wait = || {
            let done = done.clone();
            job.when_done(move || done.set(seen(outcome).0));
        };
        assert_eq!(seen(outcome), (0, false));
        // another is asked for, in tasks or at once: it is the newest that counts
        for newest in [2000, 3] {
            wait();
            tick();
            asked.set(newest);
            let _ = seen(outcome);
            assert_eq!(done.replace(0), 0);
            while tick() {}
            assert_eq!(done.replace(0), newest);
            asked.set(1000);
            let _ = seen(outcome);
        }
        wait();
        job.cancel();
        asked.set(2000);
        let _ = seen(outcome);
        while tick() {}
        assert_eq!(done.get(), 0);
    }

    #[test]
    fn what_is_cancelled_stops_and_is_begun_anew_when_asked_for() {
        let (_owner, asked, job, outcome) = counting(1000);
        assert_eq!(seen(outcome), (0, false));
        tick();
        job.cancel();
        let steps = STEPS.get();
        while tick() {}
        assert_eq!((seen(outcome), STEPS.get()), ((0, false), steps));
        assert_eq!(job.phase.get_untracked(), Phase::Cancelled);
        job.again();
        assert_eq!(seen(outcome), (0, false));
        while tick() {}
        assert_eq!(seen(outcome), (1000, true));
        // what is asked for after a cancel is worked out, and no word of it is left
        asked.set(2000);
        assert_eq!(seen(outcome), (1000, false));
        job.cancel();
        asked.set(4);
        assert_eq!(seen(outcome), (4, true));
        while tick() {}
        assert_eq!(job.phase.get_untracked(), Phase::Quiet);
    }
}
