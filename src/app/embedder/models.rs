//! The models that somebody brought: those that this browser keeps, and the one that is being
//! looked at.

use std::fmt;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::browser::brought::{self, Bundle};
use crate::app::browser::program::{self, Stop};
use crate::app::browser::storage;
use crate::app::browser::worker::{Heard, Weights, Worker};
use crate::app::notice::Notices;
use crate::document::{Reader, parse_json};
use crate::embedding::card::Card;
use crate::embedding::protocol::{FromWorker, Stage, ToWorker};

/// The setting of a work that names its model: its SHA-256, a space and its name.
pub const SETTING: &str = "model";
/// Under which key the cards are kept.
const KEPT: &str = "assay.models";

/// A model that a work names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its SHA-256.
    pub sha256: String,
    /// What it was called.
    pub name: String,
}

impl fmt::Display for Named {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short: String = self.sha256.chars().take(12).collect();
        write!(
            formatter,
            "{} (SHA-256 {short}…)",
            crate::app::format::name(&self.name)
        )
    }
}

/// Which model a work is embedded by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The page's own.
    Own,
    /// One that was brought.
    Brought(Arc<Card>),
    /// One that is not here.
    Absent(Named),
}

/// How the look at files goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// There are none.
    Nothing,
    /// It is under way, in words.
    Going(String),
    /// What was found.
    Found(Arc<Card>),
    /// No model, in words.
    Failed(String),
}

/// What stands behind a look.
#[derive(Default)]
struct Bench {
    /// The files that are looked at, or were last found good: where the browser keeps no copy,
    /// they serve as long as the page is open.
    bundle: Bundle,
    held: Vec<(Arc<Card>, [Weights; 2])>,
    stop: Option<Stop>,
    worker: Option<Worker>,
    /// Counts the looks: what is heard of an earlier one is left.
    look: u32,
}

/// The models that were brought.
#[derive(Clone, Copy)]
pub struct Models {
    /// Those that this browser keeps.
    pub kept: RwSignal<Vec<Arc<Card>>>,
    /// The look at what was given last.
    pub look: RwSignal<Look>,
    bench: StoredValue<Bench, LocalStorage>,
    notices: Notices,
}

impl Models {
    /// Those of earlier visits.
    pub fn new(notices: Notices) -> Self {
        let kept = storage::read(KEPT)
            .as_deref()
            .map(cards)
            .unwrap_or_default();
        Self {
            kept: RwSignal::new(kept),
            look: RwSignal::new(Look::Nothing),
            bench: StoredValue::new_local(Bench::default()),
            notices,
        }
    }

    /// The model of a work's setting. Tracks those that are kept.
    pub fn choice(self, setting: Option<&str>) -> Choice {
        let Some(setting) = setting else {
            return Choice::Own;
        };
        let (sha256, name) = setting.split_once(' ').unwrap_or((setting, ""));
        let found = self.kept.with(|kept| {
            let mut kept = kept.iter();
            kept.find(|card| card.identity().sha256 == sha256).cloned()
        });
        found.map_or_else(
            || {
                let (sha256, name) = (sha256.to_owned(), name.to_owned());
                Choice::Absent(Named { sha256, name })
            },
            Choice::Brought,
        )
    }

    /// Looks at files.
    pub fn look_at(self, bundle: Bundle) {
        self.give_up();
        let Ok(stop) = Stop::new() else {
            return;
        };
        let mut look = 0;
        self.bench.update_value(|bench| {
            look = bench.look;
            bench.bundle = bundle;
            bench.stop = Some(stop.clone());
        });
        self.look.set(Look::Going(
            "Fetching the program that runs such models".into(),
        ));
        spawn_local(async move {
            let report = |_: Stage, received: usize, total: u64, _: Option<String>| {
                let share = received as f64 / total.max(1) as f64 * 100.0;
                self.say(
                    look,
                    format!("Fetching the program that runs such models: {share:.0} %"),
                );
            };
            let program = program::current(None, true, &stop, &report).await;
            let worker = program
                .and_then(|program| Worker::start(&program, move |heard| self.hear(look, heard)));
            if self.is_over(look) {
                return;
            }
            match worker {
                Ok(worker) => self.bench.update_value(|bench| bench.worker = Some(worker)),
                Err(message) => self.fail(look, message),
            }
        });
    }

    /// Looks at the files of a folder beside the page.
    pub fn look_beside(self, folder: String) {
        self.give_up();
        let look = self.bench.with_value(|bench| bench.look);
        self.look.set(Look::Going(format!("Fetching {folder}")));
        spawn_local(async move {
            let found = brought::beside(&folder).await;
            if self.is_over(look) {
                return;
            }
            match found {
                Ok(bundle) => self.look_at(bundle),
                Err(message) => self.fail(look, message),
            }
        });
    }

    /// Ends the look.
    pub fn give_up(self) {
        self.bench.update_value(|bench| {
            bench.look += 1;
            bench.worker = None;
            if let Some(stop) = bench.stop.take() {
                stop.end();
            }
        });
        self.look.set(Look::Nothing);
    }

    fn is_over(self, look: u32) -> bool {
        self.bench.with_value(|bench| bench.look != look)
    }

    fn say(self, look: u32, words: String) {
        if !self.is_over(look) {
            self.look.set(Look::Going(words));
        }
    }

    fn fail(self, look: u32, message: String) {
        if !self.is_over(look) {
            self.give_up();
            self.look.set(Look::Failed(message));
        }
    }

    fn hear(self, look: u32, heard: Heard) {
        if self.is_over(look) {
            return;
        }
        match heard {
            Heard::Died(message) | Heard::Message(FromWorker::Failed { message, .. }) => {
                self.fail(look, message);
            }
            Heard::Message(FromWorker::Hello { .. }) => self.ask(look),
            Heard::Message(FromWorker::Progress {
                received,
                total,
                stage,
                ..
            }) => {
                let words = match stage {
                    Stage::Unpack => "Preparing the graph and trying it".to_owned(),
                    _ => format!(
                        "Reading the files: {:.0} %",
                        received / total.max(1.0) * 100.0
                    ),
                };
                self.say(look, words);
            }
            Heard::Message(FromWorker::Card { card }) => match Card::read(&card) {
                Some(card) => {
                    self.give_up();
                    self.look.set(Look::Found(Arc::new(card)));
                }
                None => self.fail(look, "a message was damaged".into()),
            },
            Heard::Message(_) | Heard::Weights(_) => {}
        }
    }

    /// Hands the files to the worker.
    fn ask(self, look: u32) {
        let is_sent = self.bench.with_value(|bench| {
            let worker = bench.worker.as_ref()?;
            for file in bench.bundle.hand_over() {
                worker.give(&file).ok()?;
            }
            let base = bench.bundle.name.clone();
            let manifest = String::new();
            worker.send(&ToWorker::Load { base, manifest }).ok()
        });
        if is_sent.is_none() {
            self.fail(
                look,
                "the program that runs such models takes no messages".into(),
            );
        }
    }

    /// Keeps a model that was found, or that is kept and is to be used otherwise; gives the
    /// setting that names it.
    pub fn take(self, card: Card) -> String {
        let card = Arc::new(card);
        let identity = card.identity();
        let bundle = self.bench.with_value(|bench| bench.bundle.of_card(&card));
        let is_looked_at = matches!(
            self.look.get_untracked(),
            Look::Found(found) if found.model_sha256 == card.model_sha256
        );
        if let Some(files) = bundle.filter(|_| is_looked_at) {
            self.bench.update_value(|bench| {
                bench.held.push((card.clone(), files.clone()));
            });
            let keeping = card.clone();
            spawn_local(async move {
                if !brought::keep(&keeping, &files).await {
                    self.notices.warn("This browser keeps no copy of the model (private mode, a full disk, or a page without https). It has to be brought again after a reload.");
                }
            });
            self.look.set(Look::Nothing);
        }
        self.change(|kept| {
            kept.retain(|other| other.identity().sha256 != identity.sha256);
            kept.push(card);
        });
        format!("{} {}", identity.sha256, identity.id)
    }

    /// Forgets a model and, where no other has them, its files.
    pub fn forget(self, card: &Arc<Card>) {
        self.change(|kept| kept.retain(|other| other != card));
        let is_shared = |other: &Arc<Card>| other.model_sha256 == card.model_sha256;
        if self.kept.with_untracked(|kept| !kept.iter().any(is_shared)) {
            self.bench
                .update_value(|bench| bench.held.retain(|(other, _)| !is_shared(other)));
            let card = card.clone();
            spawn_local(async move { brought::forget(&card).await });
        }
    }

    fn change(self, change: impl FnOnce(&mut Vec<Arc<Card>>)) {
        // another tab may have brought one meanwhile
        let now = storage::read(KEPT).as_deref().map(cards);
        self.kept.update(|kept| {
            for card in now.unwrap_or_default() {
                if !kept.contains(&card) {
                    kept.push(card);
                }
            }
            change(kept);
        });
        let all = self.kept.with_untracked(|kept| {
            let cards: Vec<&Card> = kept.iter().map(|card| &**card).collect();
            serde_json::to_string(&cards).unwrap_or_default()
        });
        let _ = storage::write(KEPT, &all);
    }

    /// The two files of a model.
    pub async fn files(self, card: &Card) -> Option<[Weights; 2]> {
        let held = self.bench.with_value(|bench| {
            let mut held = bench.held.iter();
            let found = held.find(|(other, _)| other.model_sha256 == card.model_sha256);
            found.map(|(_, files)| files.clone())
        });
        match held {
            Some(files) => Some(files),
            None => brought::kept(card).await,
        }
    }
}

fn cards(json: &str) -> Vec<Arc<Card>> {
    let Ok(cards) = parse_json(json) else {
        return Vec::new();
    };
    let cards = Reader::new(&cards).items().unwrap_or_default();
    cards
        .iter()
        .filter_map(|card| Card::of(card).map(Arc::new))
        .collect()
}
