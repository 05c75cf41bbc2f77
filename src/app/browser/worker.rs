//! A Web Worker that embeds texts: started with its program, told and heard.

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::{Closure, JsCast, JsValue};
use web_sys::{Blob, Event as DomEvent, MessageEvent, Worker as WebWorker};

use super::program::Program;
use super::{Refused, location};
use crate::embedding::protocol::{FromWorker, Parts, ToWorker};

/// The worker's start script, beside the page.
const SCRIPT: &str = "embedder_start.js";

/// A file of a model. That of the page's own, where the browser keeps no copy of it: one worker
/// hands it to the others.
#[derive(Clone)]
pub struct Weights(pub(super) Blob);

/// What is heard of a worker.
pub enum Heard {
    /// What it said.
    Message(FromWorker),
    /// The model file that it fetched.
    Weights(Weights),
    /// It broke; in words.
    Died(String),
}

/// A running worker; it ends when this is dropped. Its closures live as long as it does.
pub struct Worker {
    running: WebWorker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(DomEvent)>,
    _on_message_error: Closure<dyn FnMut(DomEvent)>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.running.set_onmessage(None);
        self.running.set_onerror(None);
        self.running.set_onmessageerror(None);
        self.running.terminate();
    }
}

impl Worker {
    /// Starts a worker with its program.
    pub fn start(program: &Program, hear: impl Fn(Heard) + Copy + 'static) -> Result<Self, String> {
        let script = format!("{SCRIPT}?{}&{}", program.name, program.sha256);
        let worker = WebWorker::new(&location::beside_the_page(&script));
        let worker = worker.map_err(|_| "this browser starts no Web Worker")?;
        let on_message = Closure::new(move |event: MessageEvent| hear(heard(event.data())));
        let on_error = Closure::new(move |event: DomEvent| {
            // a script that does not load makes a plain event, without a message
            let message = event.part("message").and_then(|message| message.text());
            let message = message.filter(|message| !message.is_empty());
            let message = message.unwrap_or_else(|| "its program could not be loaded".into());
            hear(Heard::Died(message));
        });
        let on_message_error = Closure::new(move |_: DomEvent| hear(damaged()));
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_message_error.as_ref().unchecked_ref()));
        let started = Self {
            running: worker,
            _on_message: on_message,
            _on_error: on_error,
            _on_message_error: on_message_error,
        };
        let is_sent = started.post(&program.module);
        is_sent.map_err(|_| "this browser does not share a compiled program")?;
        Ok(started)
    }

    /// Tells it something.
    pub fn send(&self, message: &ToWorker) -> Result<(), Refused> {
        // plain data cannot fail to serialise
        let message = serde_json::to_string(message).unwrap_or_default();
        self.post(&message.into())
    }

    /// Hands it a file of a model.
    pub fn give(&self, weights: &Weights) -> Result<(), Refused> {
        self.post(&weights.0)
    }

    fn post(&self, value: &JsValue) -> Result<(), Refused> {
        self.running.post_message(value).map_err(|_| Refused)
    }
}

fn heard(data: JsValue) -> Heard {
    match data.dyn_into::<Blob>() {
        Ok(weights) => Heard::Weights(Weights(weights)),
        Err(data) => FromWorker::read(&data).map_or_else(damaged, Heard::Message),
    }
}

fn damaged() -> Heard {
    Heard::Died("a message was damaged".into())
}

impl Parts for JsValue {
    fn part(&self, name: &str) -> Option<Self> {
        let part = Reflect::get(self, &name.into()).ok()?;
        (!part.is_undefined()).then_some(part)
    }

    fn number(&self) -> Option<f64> {
        self.as_f64()
    }

    fn text(&self) -> Option<String> {
        self.as_string()
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        Some(self.dyn_ref::<Uint8Array>()?.to_vec())
    }
}

/// The machine's cores, and its memory in GB where the browser tells it.
pub fn machine() -> (f64, Option<f64>) {
    let navigator = web_sys::window().map(|window| window.navigator());
    navigator.map_or((1.0, None), |navigator| {
        let memory = navigator.part("deviceMemory");
        let memory = memory.and_then(|memory| memory.number());
        (navigator.hardware_concurrency(), memory)
    })
}
