//! The bridge to the embedding worker: carries out the commands of the
//! [`Job`] state machine and keeps the vectors.

use std::collections::HashMap;
use std::rc::Rc;

use leptos::prelude::*;
use serde::Serialize;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event as DomEvent, MessageEvent, Worker};

use super::{events, location, relaxed, storage};
use crate::app::state::embedding::{Command, Event, Job, Phase};
use crate::app::state::store::Notice;
use crate::embedding::protocol::{FromWorker, ToWorker, VERSION};
use crate::embedding::{ModelIdentity, VectorTable};

/// Where the model is, beside the page.
const MODEL: &str = "model/";
/// Kept once the model has been loaded in this browser: loading it again is quick.
const LOADED_BEFORE: &str = "assay.model-loaded";

/// A running worker. Its closures live as long as it does.
struct Live {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(DomEvent)>,
    _on_message_error: Closure<dyn FnMut(DomEvent)>,
}

impl Drop for Live {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        self.worker.terminate();
    }
}

/// The embedding worker and the vectors it has made.
#[derive(Clone, Copy)]
pub struct Embedding {
    /// The job. Written by [`Self::dispatch`] only.
    pub job: RwSignal<Job>,
    /// The vectors made so far. A text's vector never changes; a vector is only
    /// ever added, unless the worker brings another model.
    table: RwSignal<Option<VectorTable>, LocalStorage>,
    worker: StoredValue<Option<Live>, LocalStorage>,
    notice: RwSignal<Option<Notice>>,
}

impl Embedding {
    /// No worker yet; it is started when the first text is wanted.
    pub fn new(notice: RwSignal<Option<Notice>>) -> Self {
        Self {
            job: RwSignal::new(Job::default()),
            table: RwSignal::new_local(None),
            worker: StoredValue::new_local(None),
            notice,
        }
    }

    /// Whether this browser has loaded the model before.
    pub fn loaded_before() -> bool {
        storage::read(LOADED_BEFORE).as_deref() == Some(VERSION)
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
    pub fn with_table<T>(self, read: impl FnOnce(Option<&VectorTable>) -> T) -> T {
        self.table.with_untracked(|table| read(table.as_ref()))
    }

    /// Makes vectors of these texts.
    pub fn want(self, texts: Vec<String>) {
        self.dispatch(Event::Want(texts));
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
        if let Phase::Outdated(_) = self.job.with_untracked(|job| job.phase().clone()) {
            self.notice.set(Some(Notice {
                is_error: true,
                text: "The page was updated on the server. Reload it to go on; your text is kept."
                    .into(),
                offer_reload: true,
            }));
        }
    }

    fn carry_out(self, command: Command) {
        match command {
            Command::Start => match self.start() {
                Ok(live) => self.worker.set_value(Some(live)),
                Err(message) => self.dispatch(Event::Died(message)),
            },
            Command::Stop => self.worker.set_value(None),
            Command::Load => self.send(&ToWorker::Load {
                base: location::beside_the_page(MODEL),
            }),
            Command::Send(message) => self.send(&message),
            Command::Model(model) => self.use_model(model),
            Command::Keep { text, vector } => self.table.update(|table| {
                if let Some(table) = table {
                    table.vectors.insert(text, Rc::from(vector));
                }
            }),
            Command::Say(text) => self.notice.set(Some(Notice {
                is_error: true,
                text,
                offer_reload: false,
            })),
        }
    }

    fn use_model(self, model: ModelIdentity) {
        let _ = storage::write(LOADED_BEFORE, VERSION);
        self.table.update(|table| {
            if table.as_ref().is_none_or(|table| table.model != model) {
                *table = Some(VectorTable {
                    model,
                    vectors: HashMap::new(),
                });
            }
        });
    }

    fn start(self) -> Result<Live, String> {
        let script = location::beside_the_page(&format!("{}?{VERSION}", relaxed::script()));
        let worker = Worker::new(&script).map_err(|_| "this browser starts no Web Worker")?;
        let on_message = Closure::new(move |event: MessageEvent| {
            let message = serde_wasm_bindgen::from_value::<FromWorker>(event.data());
            self.dispatch(match message {
                Ok(message) => Event::Message(message),
                Err(error) => Event::Died(format!("unreadable message: {error}")),
            });
        });
        let on_error = Closure::new(move |event: DomEvent| {
            // a script that does not load makes a plain event, without a message
            let message = js_sys::Reflect::get(&event, &"message".into()).ok();
            let message = message.and_then(|message| message.as_string());
            let message = message.filter(|message| !message.is_empty());
            let message = message.unwrap_or_else(|| "its program could not be loaded".into());
            self.dispatch(Event::Died(message));
        });
        let on_message_error = Closure::new(move |_: DomEvent| {
            self.dispatch(Event::Died("a message was damaged".into()));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_message_error.as_ref().unchecked_ref()));
        Ok(Live {
            worker,
            _on_message: on_message,
            _on_error: on_error,
            _on_message_error: on_message_error,
        })
    }

    fn send(self, message: &ToWorker) {
        let sent = message
            .serialize(&serde_wasm_bindgen::Serializer::json_compatible())
            .map_err(|error| error.to_string())
            .and_then(|value| {
                self.worker.with_value(|live| match live {
                    Some(live) => live
                        .worker
                        .post_message(&value)
                        .map_err(|_| "it takes no messages".to_owned()),
                    None => Err("it is not running".to_owned()),
                })
            });
        if let Err(message) = sent {
            self.dispatch(Event::Died(message));
        }
    }
}
