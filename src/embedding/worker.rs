//! The worker's side of the [protocol](super::protocol): loads the model when
//! asked to and answers one text at a time. It keeps no queue, so a page that
//! stops asking has cancelled.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent, Response};

use super::fetch::{MODEL, Source, reserve};
use super::manifest::Manifest;
use super::protocol::{FromWorker, Stage, ToWorker, VERSION};
use super::{EmbedError, Embedder, Model};

/// What loading takes, in bytes: the file (27 MB) and its weights unpacked. Measured:
/// the memory grows from 1.9 MB to 96.7 MB, and the longest text takes no more.
/// Asked for at the start, so that a refusal is a message and not the end of the
/// worker; what loads then takes its memory from it.
const NEEDED: usize = 95_000_000;

/// What the worker holds.
#[derive(Default)]
struct Held {
    model: Option<Model>,
    /// The model file, from the page.
    weights: Option<Blob>,
}

type Slot = Rc<RefCell<Held>>;

/// Listens to the page and says hello.
pub fn start() {
    let slot = Slot::default();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = match event.data().dyn_into::<Blob>() {
            Ok(weights) => {
                slot.borrow_mut().weights = Some(weights);
                return;
            }
            Err(data) => data,
        };
        let message = data.as_string().unwrap_or_default();
        match serde_json::from_str(&message) {
            Ok(ToWorker::Load { base, manifest }) => {
                wasm_bindgen_futures::spawn_local(load(base, manifest, slot.clone()));
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

async fn load(base: String, manifest: String, slot: Slot) {
    let weights = slot.borrow_mut().weights.take();
    let answer = match obtain(&base, &manifest, weights).await {
        Ok(model) => {
            slot.borrow_mut().model = Some(model);
            FromWorker::Ready {}
        }
        Err(error) => FromWorker::Failed {
            id: None,
            message: error.0,
        },
    };
    post(&answer);
}

/// The model, from wherever its file is nearest.
async fn obtain(base: &str, manifest: &str, weights: Option<Blob>) -> Result<Model, EmbedError> {
    let manifest: Manifest = serde_json::from_str(manifest).map_err(|error| {
        EmbedError(format!("{base}model.json is not a model manifest: {error}"))
    })?;
    drop(reserve(NEEDED)?);
    let report = |stage, received: usize, remark| {
        post(&FromWorker::Progress {
            received: received as f64,
            total: manifest.bytes as f64,
            stage,
            remark,
        });
    };
    let source = Source {
        kind: &MODEL,
        address: format!("{base}{}", manifest.file),
        bytes: manifest.bytes,
        sha256: &manifest.sha256,
        stop: None,
        report: &report,
        last: Cell::default(),
    };
    let copy = match weights {
        Some(weights) => Response::new_with_opt_blob(Some(&weights)).ok(),
        None => source.kept().await,
    };
    let copied = match copy {
        Some(copy) => source.copied(&copy).await,
        None => None,
    };
    let bytes = if let Some(bytes) = copied {
        bytes
    } else {
        let bytes = source.fetched().await?;
        if !source.keep(&bytes).await {
            hand_over(&bytes);
        }
        bytes
    };
    report(Stage::Unpack, bytes.len(), None);
    Model::load(&bytes, manifest.sha256.clone())
}

/// Gives the page the file for the other workers.
fn hand_over(bytes: &[u8]) {
    let parts = Array::of1(&Uint8Array::from(bytes));
    if let Ok(weights) = Blob::new_with_u8_array_sequence(&parts) {
        let _ = scope().post_message(&weights);
    }
}

fn embed(slot: &Slot, id: u32, text: &str) -> FromWorker {
    let vector = match &slot.borrow().model {
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

fn post(message: &FromWorker) {
    // numbers, strings and buffers convert; a page that has gone needs no answer
    if let Ok(value) = serde_wasm_bindgen::to_value(message) {
        let _ = scope().post_message(&value);
    }
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
