//! How firm a debate's verdict is. The intervals of the weights follow every
//! input event; what takes longer is worked out when the input rests, from what
//! it was then, one section of the result after the other with a frame for each.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use crate::app::derived::{Derived, effect};

use super::model::Model;
use super::options;
use crate::app::browser::events::now;
use crate::app::desk::Work;
use crate::app::locks::is_locked;
use crate::debate::{
    Board, Draws, Intervals, LeftOut, Payload, Profiles, Spread, Uncertainty, UncertaintyOptions,
    Weights,
};
use crate::document::Evaluation;

/// How long the input rests before the longer questions are asked.
const REST: Duration = Duration::from_millis(120);
/// For how many milliseconds a piece of the sampling holds the page.
const SLICE: f64 = 6.0;
/// With more candidates than these the sampling waits until it is looked at.
const MANY: usize = 40;

/// The sections of the result, in the order in which they come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What each score is made of.
    Ranking,
    /// How it was decided.
    Trace,
    /// The smallest changes.
    Changes,
    /// The domains side by side.
    Domains,
    /// The debaters.
    Debaters,
    /// The ranking under uncertain weights.
    Shares,
}

const PARTS: usize = Part::Shares as usize + 1;

/// A section that follows the input when it rests.
#[derive(Clone, Copy)]
pub struct Resting {
    /// The debate as it was then; none before the first rest.
    pub rested: RwSignal<Option<Arc<Rested>>>,
    /// Whether nothing has changed since.
    pub is_current: RwSignal<bool>,
}

/// A debate as it was when the input came to rest.
pub struct Rested {
    work: Work,
    entered: Arc<Evaluation<Payload>>,
    payload: Arc<Evaluation<Payload>>,
    profiles: Arc<Evaluation<Profiles>>,
}

impl Rested {
    fn now(model: Model) -> Self {
        Self {
            work: model.desk.work.get_untracked(),
            entered: model.entered.get_untracked(),
            payload: model.payload.get_untracked(),
            profiles: model.profiles.get_untracked(),
        }
    }

    /// Asks the debate; nothing is said where it cannot be scored.
    pub fn ask<T>(&self, ask: impl FnOnce(&Payload, &Board) -> T) -> Option<T> {
        on_board(&self.work, &self.payload, &self.profiles, ask)
    }

    /// Asks the debate as it was entered, whatever is tried on it.
    pub fn ask_entered<T>(&self, ask: impl FnOnce(&Payload, &Board) -> T) -> Option<T> {
        on_board(&self.work, &self.entered, &self.profiles, ask)
    }
}

/// Asks the debate as it is now, tracked.
pub fn ask_now<T>(model: Model, ask: impl FnOnce(&Payload, &Board) -> T) -> Option<T> {
    let (payload, profiles) = (model.payload.get(), model.profiles.get());
    let work = model.desk.work.read();
    on_board(&work, &payload, &profiles, ask)
}

fn on_board<T>(
    work: &Work,
    payload: &Evaluation<Payload>,
    profiles: &Evaluation<Profiles>,
    ask: impl FnOnce(&Payload, &Board) -> T,
) -> Option<T> {
    let (payload, profiles) = (payload.result.as_ref()?, profiles.result.as_ref()?);
    let options = options::options(work, true);
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
    parts: [Resting; PARTS],
    /// What sampling found for the debate at rest; while it goes on, what the
    /// last one found.
    pub sampled: RwSignal<Option<Sampled>>,
    /// Whether it goes on.
    pub is_sampling: RwSignal<bool>,
    /// Whether the shares are looked at.
    pub is_open: RwSignal<bool>,
    /// How the weights are uncertain.
    pub spread: RwSignal<Spread>,
    /// The verdict without each debater, of the debate at rest; none of a large one.
    pub left_out: Derived<Vec<LeftOut>>,
}

impl DebateFirmness {
    /// The signals, for as long as the bench is shown.
    pub fn new(model: Model) -> Self {
        let desk = model.desk;
        let intervals = Derived::new(move || {
            let work = desk.work.get();
            model.payload.with(|payload| {
                model.profiles.with(|profiles| {
                    on_board(&work, payload, profiles, |_, board| {
                        Arc::new(board.intervals())
                    })
                })
            })
        });
        let parts = [(); PARTS].map(|()| Resting {
            rested: RwSignal::new(None),
            is_current: RwSignal::new(false),
        });
        let new = Self {
            intervals,
            parts,
            sampled: RwSignal::new(None),
            is_sampling: RwSignal::new(false),
            is_open: RwSignal::new(true),
            spread: RwSignal::new(Spread::Simplex),
            left_out: Derived::new(move || {
                let rested = parts[Part::Trace as usize].rested.get();
                let found = model.later.get().zip(rested);
                let found = found.and_then(|(later, rested)| rested.ask(later.left_out));
                found.unwrap_or_default()
            }),
        };
        // time passes outside the signals: these two act on it
        let (change, run) = (StoredValue::new(0_u32), StoredValue::new(0_u32));
        let mut rest = debounce(REST, move |()| {
            if let Some(mine) = change.try_get_value() {
                new.come_to_rest(Arc::new(Rested::now(model)), 0, change, mine);
            }
        });
        effect(move || {
            desk.work.track();
            model.profiles.track();
            model.tried.track();
            // whatever is still being worked out is out of date
            change.update_value(|change| *change += 1);
            run.update_value(|run| *run += 1);
            for part in parts {
                part.is_current.maybe_update(std::mem::take);
            }
            rest(());
        });
        let shares = new.part(Part::Shares).rested;
        effect(move || {
            let draws = shares.with(|rested| new.draws(rested.as_ref()?));
            run.update_value(|run| *run += 1);
            new.is_sampling.set(draws.is_some());
            match draws {
                Some(draws) => new.sample_on(draws, run, run.get_value(), (0.0, 0.0)),
                None => new.sampled.set(None),
            }
        });
        new
    }

    /// A section.
    pub fn part(self, part: Part) -> Resting {
        self.parts[part as usize]
    }

    /// Brings one section after the other to rest, unless something changes: in
    /// one frame it says what there is to say, in the next it is drawn even where
    /// it is not seen.
    fn come_to_rest(self, rested: Arc<Rested>, part: usize, change: StoredValue<u32>, mine: u32) {
        let holds = move || change.try_get_value() == Some(mine);
        let Some(section) = self.parts.get(part).copied().filter(|_| holds()) else {
            return;
        };
        section.rested.set(Some(rested.clone()));
        request_animation_frame(move || {
            if holds() {
                section.is_current.set(true);
                request_animation_frame(move || {
                    self.come_to_rest(rested, part + 1, change, mine);
                });
            }
        });
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
            request_animation_frame(move || {
                if run.try_get_value() == Some(mine) {
                    self.is_sampling.set(false);
                }
            });
        } else {
            self.sample_on(draws, run, mine, cost);
        }
    }

    fn sample_on(self, draws: Draws, run: StoredValue<u32>, mine: u32, cost: (f64, f64)) {
        request_animation_frame(move || self.sample(draws, run, mine, cost));
    }

    /// Whether the shares are those of what is there now.
    pub fn is_sampled(self) -> bool {
        self.part(Part::Shares).is_current.get() && !self.is_sampling.get()
    }
}
