//! The worker's side of the [protocol](super::protocol): loads the model when
//! asked to and answers one text at a time. It keeps no queue, so a page that
//! stops asking has cancelled.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

use super::protocol::{FromWorker, ToWorker, VERSION};
use super::{EmbedError, Embedder};

/// What the page asks to be loaded.
pub struct Wanted {
    /// Where the model's folder is, or what a model is called that is brought.
    pub base: String,
    /// Which model there is.
    pub manifest: String,
    /// The files that the page has handed over.
    pub files: Vec<Blob>,
}

/// What the worker holds.
struct Held<M> {
    model: Option<M>,
    /// Files from the page, for what is loaded next.
    files: Vec<Blob>,
}

/// Listens to the page and says hello.
pub fn start<M, L>(obtain: fn(Wanted) -> L)
where
    M: Embedder + 'static,
    L: Future<Output = Result<M, EmbedError>> + 'static,
{
    let (model, files) = (None, Vec::new());
    let slot = Rc::new(RefCell::new(Held { model, files }));
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = match event.data().dyn_into::<Blob>() {
            Ok(file) => {
                slot.borrow_mut().files.push(file);
                return;
            }
            Err(data) => data,
        };
        let message = data.as_string().unwrap_or_default();
        match serde_json::from_str(&message) {
            Ok(ToWorker::Load { base, manifest }) => {
                let files = std::mem::take(&mut slot.borrow_mut().files);
                let loading = obtain(Wanted {
                    base,
                    manifest,
                    files,
                });
                wasm_bindgen_futures::spawn_local(load(loading, slot.clone()));
            }
            Ok(ToWorker::Embed { id, text }) => {
                post(&embed(slot.borrow().model.as_ref(), id, &text));
            }
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

async fn load<M>(loading: impl Future<Output = Result<M, EmbedError>>, slot: Rc<RefCell<Held<M>>>) {
    let answer = match loading.await {
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

fn embed(model: Option<&impl Embedder>, id: u32, text: &str) -> FromWorker {
    let vector = match model {
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

/// Tells the page.
pub fn post(message: &FromWorker) {
    // numbers, strings and buffers convert; a page that has gone needs no answer
    if let Ok(value) = serde_wasm_bindgen::to_value(message) {
        let _ = scope().post_message(&value);
    }
}

/// What a worker has of the browser.
pub fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
