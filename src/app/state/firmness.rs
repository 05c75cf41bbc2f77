//! How firm a debate's verdict is. The intervals of the weights follow every
//! input event; what takes longer is worked out when the input rests, from what
//! it was then.

use std::sync::Arc;
use std::time::Duration;

use leptos::leptos_dom::helpers::set_timeout;
use leptos::prelude::*;

use crate::app::state::derived::{Derived, effect};

use super::benches;
use super::locks::is_locked;
use super::store::Store;
use super::work::Work;
use crate::app::browser::events::now;
use crate::debate::{
    Board, Draws, Intervals, Payload, Profiles, Spread, Uncertainty, UncertaintyOptions, Weights,
};
use crate::document::Evaluation;

/// How long the input rests before the longer questions are asked.
const REST: Duration = Duration::from_millis(120);
/// For how many milliseconds a piece of the sampling holds the page.
const SLICE: f64 = 6.0;
/// With more candidates than these the sampling waits until it is looked at.
const MANY: usize = 40;

/// A debate as it was when the input came to rest.
#[derive(Clone, PartialEq)]
pub struct Rested {
    work: Work,
    payload: Arc<Evaluation<Payload>>,
    profiles: Arc<Evaluation<Profiles>>,
}

impl Rested {
    fn now(store: Store) -> Self {
        Self {
            work: store.debate_desk.work.get_untracked(),
            payload: store.debate_payload.get_untracked(),
            profiles: store.profiles.get_untracked(),
        }
    }

    /// Asks the debate; nothing is said where it cannot be scored.
    pub fn ask<T>(&self, ask: impl FnOnce(&Payload, &Board) -> T) -> Option<T> {
        on_board(&self.work, &self.payload, &self.profiles, ask)
    }
}

fn on_board<T>(
    work: &Work,
    payload: &Evaluation<Payload>,
    profiles: &Evaluation<Profiles>,
    ask: impl FnOnce(&Payload, &Board) -> T,
) -> Option<T> {
    let (payload, profiles) = (payload.result.as_ref()?, profiles.result.as_ref()?);
    let options = benches::debate_options(work, true);
    Board::new(payload, profiles, &options).map(|board| ask(payload, &board))
}

/// What sampling found, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// The shares.
    pub found: Uncertainty,
    /// Milliseconds of work, and the longest piece of it.
    pub cost: (f64, f64),
}

/// The signals.
#[derive(Clone, Copy)]
pub struct DebateFirmness {
    /// Where each weight flips, now.
    pub intervals: Derived<Option<Arc<Intervals>>>,
    /// The debate at rest; none before the first rest.
    pub rested: RwSignal<Option<Rested>>,
    /// Whether what was said at rest still holds.
    pub is_current: Memo<bool>,
    /// What sampling found for the debate at rest; none while it goes on.
    pub sampled: RwSignal<Option<Sampled>>,
    /// Whether the shares are looked at.
    pub is_open: RwSignal<bool>,
    /// How the weights are uncertain.
    pub spread: RwSignal<Spread>,
}

impl DebateFirmness {
    /// The signals, for as long as the bench is shown.
    pub fn new(store: Store) -> Self {
        let desk = store.debate_desk;
        let rested = RwSignal::new(None::<Rested>);
        let intervals = Derived::new(move || {
            let work = desk.work.get();
            store.debate_payload.with(|payload| {
                store.profiles.with(|profiles| {
                    on_board(&work, payload, profiles, |_, board| {
                        Arc::new(board.intervals())
                    })
                })
            })
        });
        let is_current = Memo::new(move |_| {
            desk.work
                .with(|work| rested.with(|r| r.as_ref().is_some_and(|r| r.work == *work)))
        });
        let new = Self {
            intervals,
            rested,
            is_current,
            sampled: RwSignal::new(None),
            is_open: RwSignal::new(true),
            spread: RwSignal::new(Spread::Simplex),
        };
        // time passes outside the signals: these two act on it
        let run = StoredValue::new(0_u32);
        let mut rest = debounce(REST, move |()| {
            let _ = rested.try_set(Some(Rested::now(store)));
        });
        effect(move || {
            desk.work.track();
            store.profiles.track();
            // whatever is still being sampled is out of date
            run.update_value(|run| *run += 1);
            rest(());
        });
        effect(move || {
            let draws = rested.with(|rested| new.draws(rested.as_ref()?));
            new.sampled.set(None);
            run.update_value(|run| *run += 1);
            if let Some(draws) = draws {
                new.sample(draws, run, run.get_value(), (0.0, 0.0));
            }
        });
        new
    }

    fn draws(self, rested: &Rested) -> Option<Draws> {
        let is_open = self.is_open.get();
        let options = UncertaintyOptions {
            spread: self.spread.get(),
            held: Weights::NAMES.map(|name| is_locked(&rested.work, name)),
            ..UncertaintyOptions::default()
        };
        rested.ask(|payload, board| {
            let is_wanted = is_open || payload.candidates.len() <= MANY;
            is_wanted.then(|| board.draws(&options))
        })?
    }

    /// One piece after the other, with room for the page between them, unless
    /// another run has begun.
    fn sample(self, mut draws: Draws, run: StoredValue<u32>, mine: u32, cost: (f64, f64)) {
        if run.try_get_value() != Some(mine) {
            return;
        }
        let began = now();
        let few = (2000 / draws.rows().max(1)).clamp(1, 200);
        while draws.left() > 0 && now() - began < SLICE {
            draws.advance(few);
        }
        let took = now() - began;
        let cost = (cost.0 + took, cost.1.max(took));
        if draws.left() == 0 {
            let found = draws.found();
            self.sampled.set(Some(Sampled { found, cost }));
        } else {
            set_timeout(move || self.sample(draws, run, mine, cost), Duration::ZERO);
        }
    }
}
