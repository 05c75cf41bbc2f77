//! The worker that reads files: started, told and heard.

use js_sys::Array;
use wasm_bindgen::prelude::{Closure, JsCast, JsValue};
use web_sys::{Blob, Event, MessageEvent, Worker};

use super::{Refused, location};
use crate::reading::protocol::{FromReader, ToReader};

/// The worker's start script, beside the page.
const SCRIPT: &str = "reader_start.js";

/// The bytes of a file, which need not be in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Held(pub(super) Blob);

impl Held {
    /// Those of a file.
    pub(super) fn of(blob: Blob) -> Self {
        Self(blob)
    }

    /// Those of a text.
    pub fn of_text(text: &str) -> Result<Self, Refused> {
        let parts = Array::of1(&text.into());
        Blob::new_with_str_sequence(&parts)
            .map(Self)
            .map_err(|_| Refused)
    }

    /// How many they are.
    pub fn size(&self) -> f64 {
        self.0.size()
    }
}

/// A running worker; it ends when this is dropped.
pub struct Reading {
    running: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.running.set_onmessage(None);
        self.running.set_onerror(None);
        self.running.terminate();
    }
}

impl Reading {
    /// Starts it. What it says is heard, and that it broke, in words.
    pub fn start(
        hear: impl Fn(Result<FromReader, String>) + Copy + 'static,
    ) -> Result<Self, String> {
        let worker = Worker::new(&location::beside_the_page(SCRIPT));
        let worker = worker.map_err(|_| "this browser starts no Web Worker")?;
        let on_message = Closure::new(move |event: MessageEvent| {
            let text = event.data().as_string().unwrap_or_default();
            hear(serde_json::from_str(&text).map_err(|_| "a message was damaged".to_owned()));
        });
        let on_error = Closure::new(move |event: Event| {
            let message = js_sys::Reflect::get(&event, &"message".into());
            let message = message.ok().and_then(|message| message.as_string());
            let message = message.filter(|message| !message.is_empty());
            hear(Err(
                message.unwrap_or_else(|| "its program could not be loaded".into())
            ));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self {
            running: worker,
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    /// Tells it something, with the bytes of files.
    pub fn send(&self, message: &ToReader, files: &[Held]) -> Result<(), Refused> {
        // plain data with text keys can always be written
        let text = serde_json::to_string(message).unwrap_or_default();
        let all = Array::of1(&text.into());
        for file in files {
            all.push(&file.0);
        }
        let all: &JsValue = all.as_ref();
        self.running.post_message(all).map_err(|_| Refused)
    }
}
