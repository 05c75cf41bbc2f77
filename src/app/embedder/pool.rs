//! The pool of embedding workers: carries out the commands of the [`Job`] state
//! machine and keeps the vectors.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::job::{Command, Event, Job, Phase, pool_for, pool_size};
use super::models::{Choice, Models};
use crate::app::browser::program::{self, Program, Stop};
use crate::app::browser::worker::{Heard, Weights, Worker, machine};
use crate::app::browser::{events, fetch, location, storage, tasks, vectors};
use crate::app::notice::{Act, Notices};
use crate::document::{Reader, parse_json};
use crate::embedding::card::Card;
use crate::embedding::protocol::{FromWorker, ToWorker};
use crate::embedding::{EmbedError, Embedder, ModelIdentity, VectorTable};

/// Where the model is, beside the page.
const MODEL: &str = "model/";
/// Which model this browser has loaded, as `model.json` said it: loading it
/// again is quick, and needs no network.
const LOADED_BEFORE: &str = "assay.model";
/// How long the server and the browser's store have for an answer, in milliseconds.
const PATIENCE: u32 = 20_000;
/// Vectors that are kept in one go.
const BATCH: usize = 32;

/// A long run shows what it has in so many strides, and none shorter than this.
const STRIDES: usize = 10;
const LEAST_STRIDE: usize = 200;

/// What stands behind the job.
#[derive(Default)]
struct Plant {
    /// Workers that wait for their program, and what ends the wait.
    starting: Vec<(u32, Stop)>,
    workers: Vec<(u32, Worker)>,
    program: Option<Program>,
    /// Which model there is: `model.json`.
    manifest: Option<String>,
    /// The model file, where the browser keeps no copy of it.
    weights: Option<Weights>,
    /// Vectors that are not yet kept in the browser.
    unkept: Vec<(String, Rc<[f32]>)>,
    /// Whether somebody looks, every second, whether a worker is silent.
    is_watched: bool,
    /// Whether there are vectors of which nobody has heard.
    has_news: bool,
    /// Vectors that were found or made, and how many of them make a stride.
    added: usize,
    stride: usize,
    /// Counts the models: what comes of one that is not the present one any more is left.
    epoch: u32,
}

/// The embedding workers and the vectors they have made.
#[derive(Clone, Copy)]
pub struct Embedding {
    /// The job. Written by [`Self::dispatch`] only.
    pub job: RwSignal<Job>,
    /// The vectors made so far. A text's vector never changes; a vector is only
    /// ever added, unless there is another model. Whoever tracks them hears of them
    /// when a batch has come to its end: results need all of them.
    table: RwSignal<Option<VectorTable>, LocalStorage>,
    plant: StoredValue<Plant, LocalStorage>,
    notices: Notices,
    /// How many vectors came before the last, in strides: a long run shows what it has meanwhile.
    pub so_far: RwSignal<usize>,
    /// The models that were brought.
    pub models: Models,
    /// Which model it is. Written by [`Self::choose`] only.
    pub choice: RwSignal<Choice>,
}

/// The vectors made so far, as an embedder that knows no other texts.
pub struct Made {
    model: ModelIdentity,
    table: RwSignal<Option<VectorTable>, LocalStorage>,
}

impl Embedder for Made {
    fn model(&self) -> &ModelIdentity {
        &self.model
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.table.with_untracked(|table| match table {
            Some(table) => table.embed(text),
            None => Err(EmbedError("there are no vectors".into())),
        })
    }
}

impl Embedding {
    /// No worker yet; one is started when the first unknown text is wanted.
    pub fn new(notices: Notices) -> Self {
        Self {
            job: RwSignal::new(Job::default()),
            table: RwSignal::new_local(None),
            so_far: RwSignal::new(0),
            plant: StoredValue::new_local(Plant::default()),
            notices,
            models: Models::new(notices),
            choice: RwSignal::new(Choice::Own),
        }
    }

    /// Whether this browser has loaded the model before, or was given it. Tracks which model it is.
    pub fn loaded_before(self) -> bool {
        match self.choice.get() {
            Choice::Own => storage::read(LOADED_BEFORE).is_some(),
            Choice::Brought(_) => true,
            Choice::Absent(_) => false,
        }
    }

    /// Takes another model: the vectors of the one before stay in the browser's store, and nothing
    /// here is left of them.
    pub fn choose(self, choice: Choice) {
        if self.choice.with_untracked(|now| *now == choice) {
            return;
        }
        self.plant.update_value(|plant| {
            plant.epoch += 1;
            plant.manifest = None;
            plant.weights = None;
            plant.program = None;
            plant.unkept.clear();
            plant.has_news = false;
            plant.added = 0;
        });
        self.so_far.set(0);
        self.dispatch(Event::Reset);
        self.choice.set(choice);
        self.table.set(None);
    }

    /// The SHA-256 of the model that made the vectors. Tracks them.
    pub fn model_sha256(self) -> Option<String> {
        let model = |table: &Option<VectorTable>| Some(table.as_ref()?.model.sha256.clone());
        self.table.with(model)
    }

    fn epoch(self) -> u32 {
        self.plant.with_value(|plant| plant.epoch)
    }

    /// Whether it does nothing and nothing went wrong. Untracked.
    pub fn is_idle(self) -> bool {
        let phase = |job: &Job| !job.is_busy() && matches!(job.phase(), Phase::Idle);
        self.job.with_untracked(phase)
    }

    /// Those of the texts that have no vector yet. Tracks the vectors.
    pub fn missing(self, texts: &[&str]) -> Vec<String> {
        self.table.with(|table| {
            let has = |text: &str| {
                table
                    .as_ref()
                    .is_some_and(|table| table.vectors.contains_key(text))
            };
            texts
                .iter()
                .filter(|text| !has(text))
                .map(|&text| text.to_owned())
                .collect()
        })
    }

    /// The vectors, untracked: whoever needs them has asked [`Self::missing`] before.
    pub fn made(self) -> Option<Made> {
        let model = |table: &Option<VectorTable>| Some(table.as_ref()?.model.clone());
        Some(Made {
            model: self.table.with_untracked(model)?,
            table: self.table,
        })
    }

    /// Makes vectors of these texts.
    pub fn want(self, texts: Vec<String>) {
        self.plant.update_value(|plant| {
            plant.stride = LEAST_STRIDE.max(texts.len() / STRIDES);
        });
        let (cores, gigabytes) = machine();
        let pool = pool_size(cores, gigabytes);
        let pool = match self.choice.get_untracked() {
            Choice::Brought(card) => pool_for(pool, card.bytes),
            Choice::Own | Choice::Absent(_) => pool,
        };
        self.dispatch(Event::Want { texts, pool });
    }

    /// Gives up what is not done.
    pub fn cancel(self) {
        self.dispatch(Event::Cancel);
    }

    fn dispatch(self, event: Event) {
        let now = events::now();
        let commands = self
            .job
            .try_update(|job| job.step(event, now))
            .unwrap_or_default();
        for command in commands {
            self.carry_out(command);
        }
        let (is_busy, has_failed, is_outdated) = self.job.with_untracked(|job| {
            let phase = job.phase();
            let has_failed = matches!(phase, Phase::Failed(_));
            (
                job.is_busy(),
                has_failed,
                matches!(phase, Phase::Outdated(_)),
            )
        });
        self.watch();
        if has_failed {
            // the next try asks the server again
            self.plant.update_value(|plant| plant.manifest = None);
        }
        let (unkept, has_news) = self
            .plant
            .with_value(|plant| (plant.unkept.len(), plant.has_news));
        if unkept >= BATCH || unkept > 0 && !is_busy {
            spawn_local(self.write_down());
        }
        self.tell_so_far();
        if has_news && !is_busy {
            self.plant.update_value(|plant| plant.has_news = false);
            self.table.notify();
        }
        if is_outdated {
            self.notices.insist(
                "The page was updated on the server. Reload it to go on; your text is kept.",
                vec![Act::new("Reload", location::reload)],
            );
        }
    }

    /// Says that there are more vectors, where a stride of them has come since that was said.
    fn tell_so_far(self) {
        let (added, stride) = self.plant.with_value(|plant| (plant.added, plant.stride));
        if stride > 0 && added >= self.so_far.get_untracked() + stride {
            self.so_far.set(added);
        }
    }

    /// Looks after the workers for as long as something is to be heard of one.
    fn watch(self) {
        let is_waiting = self.job.with_untracked(Job::is_waiting);
        let mut begins = false;
        self.plant.update_value(|plant| {
            begins = is_waiting && !plant.is_watched;
            plant.is_watched |= is_waiting;
        });
        if begins {
            tasks::after(1_000, move || {
                self.plant.update_value(|plant| plant.is_watched = false);
                self.dispatch(Event::Tick);
            });
        }
    }

    fn carry_out(self, command: Command) {
        match command {
            Command::Recall { ticket, texts } => spawn_local(async move {
                let missing = self.recall(texts).await;
                self.dispatch(Event::Recalled { ticket, missing });
            }),
            Command::Start(number) => match Stop::new() {
                Ok(stop) => {
                    self.plant
                        .update_value(|plant| plant.starting.push((number, stop.clone())));
                    spawn_local(self.start(number, stop));
                }
                Err(message) => self.dispatch(Event::Died(number, message)),
            },
            Command::Stop(number) => self.plant.update_value(|plant| {
                plant.workers.retain(|(other, _)| *other != number);
                plant.starting.retain(|(other, stop)| {
                    let stays = *other != number;
                    if !stays {
                        stop.end();
                    }
                    stays
                });
            }),
            Command::Load(number) => self.load(number),
            Command::Send(number, message) => self.send(number, &message),
            Command::Keep { text, vector } => {
                let vector: Rc<[f32]> = vector.into();
                self.add(text.clone(), vector.clone());
                self.plant
                    .update_value(|plant| plant.unkept.push((text, vector)));
            }
            Command::Say(text) => self.notices.warn(text),
        }
    }

    fn add(self, text: String, vector: Rc<[f32]>) {
        self.plant.update_value(|plant| {
            plant.has_news = true;
            plant.added += 1;
        });
        self.table.update_untracked(|table| {
            if let Some(table) = table {
                table.vectors.insert(text, vector);
            }
        });
    }

    /// Finds out which model there is and looks the texts up; gives those
    /// without a vector.
    async fn recall(self, texts: Vec<String>) -> Result<Vec<String>, String> {
        let epoch = self.epoch();
        let (text, model) = match self.choice.get_untracked() {
            Choice::Own => {
                let text = self.manifest().await?;
                let model = identity(&text);
                let model = model.ok_or_else(|| format!("{MODEL}model.json names no model"))?;
                (text, model)
            }
            Choice::Brought(card) => (card.json(), card.identity()),
            Choice::Absent(named) => return Err(format!("{named} is not in this browser")),
        };
        let is_stale = move || epoch != self.epoch();
        if is_stale() {
            return Err("there is another model now".to_owned());
        }
        let hash = model.sha256.clone();
        self.plant.update_value(|plant| plant.manifest = Some(text));
        self.table.update_untracked(|table| {
            if table.as_ref().is_none_or(|table| table.model != model) {
                let vectors = HashMap::new();
                *table = Some(VectorTable { model, vectors });
            }
        });
        // a store that does not answer is one that has nothing
        let found = tasks::within(PATIENCE, vectors::read(&hash, &texts)).await;
        if is_stale() {
            return Err("there is another model now".to_owned());
        }
        let mut found = found.unwrap_or_default().into_iter();
        let mut missing = Vec::new();
        for text in texts {
            match found.next().flatten() {
                Some(vector) => self.add(text, vector.into()),
                None => missing.push(text),
            }
        }
        Ok(missing)
    }

    /// `model.json` as the server has it; without a server, as it was when this
    /// browser last loaded the model.
    async fn manifest(self) -> Result<String, String> {
        if let Some(known) = self.plant.with_value(|plant| plant.manifest.clone()) {
            return Ok(known);
        }
        let text = tasks::within(PATIENCE, fetch::text(&format!("{MODEL}model.json"))).await;
        let text = text.unwrap_or_else(|| Err("the server does not answer".into()));
        text.or_else(|error| storage::read(LOADED_BEFORE).ok_or(error))
    }

    /// Keeps new vectors in the browser.
    async fn write_down(self) {
        let unkept = self
            .plant
            .try_update_value(|plant| std::mem::take(&mut plant.unkept));
        let model = self.made().map(|made| made.model.sha256);
        if let (Some(unkept), Some(model)) = (unkept, model) {
            vectors::write(&model, &unkept).await;
        }
    }

    /// Has a worker load the model.
    fn load(self, number: u32) {
        if let Choice::Brought(card) = self.choice.get_untracked() {
            return self.load_brought(number, card);
        }
        let (manifest, weights) = self
            .plant
            .with_value(|plant| (plant.manifest.clone(), plant.weights.clone()));
        if let Some(weights) = weights {
            self.post(number, &|worker| worker.give(&weights).is_ok());
        }
        self.send(
            number,
            &ToWorker::Load {
                base: location::beside_the_page(MODEL),
                manifest: manifest.unwrap_or_default(),
            },
        );
    }

    fn load_brought(self, number: u32, card: Arc<Card>) {
        spawn_local(async move {
            let Some(files) = self.models.files(&card).await else {
                let message = format!(
                    "the files of {} are not in this browser any more; bring the model again",
                    card.name
                );
                let failed = FromWorker::Failed { id: None, message };
                return self.dispatch(Event::Message(number, failed));
            };
            for file in &files {
                self.post(number, &|worker| worker.give(file).is_ok());
            }
            let (base, manifest) = (card.name.clone(), card.json());
            self.send(number, &ToWorker::Load { base, manifest });
        });
    }

    /// Starts a worker, once there is its program.
    async fn start(self, number: u32, stop: Stop) {
        let report = |stage, received: usize, total: u64, remark| {
            let progress = FromWorker::Progress {
                received: received as f64,
                total: total as f64,
                stage,
                remark,
            };
            self.dispatch(Event::Message(number, progress));
        };
        let held = self.plant.with_value(|plant| plant.program.clone());
        let is_brought = matches!(self.choice.get_untracked(), Choice::Brought(_));
        let program = program::current(held, is_brought, &stop, &report).await;
        if stop.is_ended() {
            return;
        }
        let live = program.and_then(|program| {
            let live = Worker::start(&program, move |heard| self.hear(number, heard))?;
            self.plant
                .update_value(|plant| plant.program = Some(program));
            Ok(live)
        });
        match live {
            Ok(live) => self.plant.update_value(|plant| {
                plant.starting.retain(|(other, _)| *other != number);
                plant.workers.push((number, live));
            }),
            Err(message) => {
                let failed = FromWorker::Failed { id: None, message };
                self.dispatch(Event::Message(number, failed));
            }
        }
    }

    fn hear(self, number: u32, heard: Heard) {
        match heard {
            Heard::Weights(weights) => self
                .plant
                .update_value(|plant| plant.weights = Some(weights)),
            Heard::Died(message) => self.dispatch(Event::Died(number, message)),
            Heard::Message(message) => {
                if matches!(message, FromWorker::Ready {}) {
                    self.remember();
                }
                self.dispatch(Event::Message(number, message));
            }
        }
    }

    /// Notes which model this browser has loaded.
    fn remember(self) {
        if self.choice.with_untracked(|choice| *choice != Choice::Own) {
            return;
        }
        self.plant.with_value(|plant| {
            if let Some(manifest) = &plant.manifest {
                let _ = storage::write(LOADED_BEFORE, manifest);
            }
        });
    }

    fn send(self, number: u32, message: &ToWorker) {
        self.post(number, &|worker| worker.send(message).is_ok());
    }

    fn post(self, number: u32, post: &dyn Fn(&Worker) -> bool) {
        let is_sent = self.plant.with_value(|plant| {
            let mut workers = plant.workers.iter();
            let worker = workers.find(|(other, _)| *other == number);
            worker.is_some_and(|(_, worker)| post(worker))
        });
        if !is_sent {
            self.dispatch(Event::Died(number, "it takes no messages".into()));
        }
    }
}

/// Which model a `model.json` names.
fn identity(manifest: &str) -> Option<ModelIdentity> {
    let manifest = parse_json(manifest).ok()?;
    let manifest = Reader::new(&manifest);
    let part = |name| Some(manifest.get(name)?.as_str()?.to_owned());
    Some(ModelIdentity {
        id: part("id")?,
        sha256: part("sha256")?,
        precision: part("precision")?,
    })
}
