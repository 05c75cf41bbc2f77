//! The worker's side of the [protocol](super::protocol): loads the model when
//! asked to and answers one text at a time. It keeps no queue, so a page that
//! stops asking has cancelled.

mod fetch;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::protocol::{FromWorker, Stage, ToWorker, VERSION};
use super::{EmbedError, Embedder, Model};

type Slot = Rc<RefCell<Option<Model>>>;

/// Listens to the page and says hello.
pub fn start() {
    let slot = Slot::default();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        match serde_wasm_bindgen::from_value(event.data()) {
            Ok(ToWorker::Load { base }) => {
                wasm_bindgen_futures::spawn_local(load(base, slot.clone()));
            }
            Ok(ToWorker::Embed { id, text }) => post(&embed(&slot, id, &text)),
            Err(error) => post(&FromWorker::Failed {
                id: None,
                message: format!("the worker does not understand the page: {error}"),
            }),
        }
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // the listener lives as long as the worker
    on_message.forget();
    post(&FromWorker::Hello {
        version: VERSION.into(),
    });
}

async fn load(base: String, slot: Slot) {
    let started = js_sys::Date::now();
    let answer = match fetch_and_load(&base).await {
        Ok(model) => {
            let identity = model.model().clone();
            slot.replace(Some(model));
            FromWorker::Ready {
                model: identity,
                load_ms: js_sys::Date::now() - started,
            }
        }
        Err(error) => FromWorker::Failed {
            id: None,
            message: error.0,
        },
    };
    post(&answer);
}

async fn fetch_and_load(base: &str) -> Result<Model, EmbedError> {
    let manifest = fetch::manifest(base).await?;
    let bytes = fetch::model(base, &manifest, |stage, received| {
        progress(stage, received as f64, manifest.bytes);
    })
    .await?;
    progress(Stage::Unpack, bytes.len() as f64, manifest.bytes);
    let model = Model::load(&bytes, &manifest.sha256);
    if model.is_err() {
        // a damaged copy must not be found again
        fetch::forget(base, &manifest).await;
    }
    model
}

fn embed(slot: &Slot, id: u32, text: &str) -> FromWorker {
    let vector = match &*slot.borrow() {
        Some(model) => model.embed(text),
        None => Err(EmbedError("the model is not loaded".into())),
    };
    match vector {
        Ok(vector) => FromWorker::Vector { id, vector },
        Err(error) => FromWorker::Failed {
            id: Some(id),
            message: error.0,
        },
    }
}

fn progress(stage: Stage, received: f64, total: u64) {
    post(&FromWorker::Progress {
        received,
        total: Some(total as f64),
        stage,
    });
}

fn post(message: &FromWorker) {
    // numbers, strings and arrays convert; a page that has gone needs no answer
    if let Ok(value) = serde_wasm_bindgen::to_value(message) {
        let _ = scope().post_message(&value);
    }
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
