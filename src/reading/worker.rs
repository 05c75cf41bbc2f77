//! The worker's side: files are `Blob`s, of which a stretch at a time is read.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

use super::Reader;
use super::protocol::{FromReader, ToReader};
use crate::sources::Bytes;
use crate::steps::go_on;

/// A file of the page's.
struct Shared {
    blob: Blob,
    reader: FileReaderSync,
}

impl Bytes for Shared {
    fn len(&self) -> u64 {
        self.blob.size() as u64
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>, String> {
        let end = range.end.min(self.len()).max(range.start);
        let (from, to) = (range.start as f64, end as f64);
        let slice = self.blob.slice_with_f64_and_f64(from, to);
        let bytes = slice.and_then(|slice| self.reader.read_as_array_buffer(&slice));
        let bytes = bytes.map_err(|_| {
            "the browser cannot read this file any more: it was moved or changed since it was opened".to_owned()
        })?;
        Ok(Uint8Array::new(&bytes).to_vec())
    }
}

/// What is being done: gone on with in tasks of its own, so that the worker hears the page, and
/// the browser takes back the memory of what was read.
type Doing = Pin<Box<dyn Future<Output = ()>>>;

/// Stretches that are read in a task.
const AT_ONCE: usize = 8;

#[derive(Default)]
struct Desk {
    reader: Rc<Reader>,
    doing: RefCell<VecDeque<Doing>>,
    tick: RefCell<Option<Closure<dyn FnMut()>>>,
}

impl Desk {
    fn hear(self: &Rc<Self>, event: &MessageEvent) {
        let parts = Array::from(&event.data());
        let message = parts.get(0).as_string().unwrap_or_default();
        let blobs = parts.iter().skip(1);
        let files = blobs.filter_map(|blob| shared(blob.dyn_into().ok()?));
        let files: Vec<Box<dyn Bytes>> = files.collect();
        let message = match serde_json::from_str::<ToReader>(&message) {
            Ok(message) => message,
            Err(error) => {
                return post(&FromReader::Failed {
                    file: 0,
                    message: format!("the worker does not understand the page: {error}"),
                });
            }
        };
        let mut doing = self.doing.borrow_mut();
        if matches!(message, ToReader::Open { .. }) {
            // the files of before are no longer asked for
            doing.clear();
        }
        let reader = self.reader.clone();
        doing.push_back(Box::pin(async move {
            let stretches = Cell::new(0_usize);
            let rest = |_| {
                stretches.set(stretches.get() + 1);
                stretches.get().is_multiple_of(AT_ONCE)
            };
            reader
                .hear(message, files, &|answer| post(&answer), &rest)
                .await;
        }));
        drop(doing);
        self.go_on();
    }

    /// Goes on with what is to be done, a task's worth.
    fn go_on(self: &Rc<Self>) {
        let mut doing = self.doing.borrow_mut();
        let Some(first) = doing.front_mut() else {
            return;
        };
        if go_on(first.as_mut()).is_some() {
            doing.pop_front();
        }
        if !doing.is_empty() {
            self.later();
        }
    }

    fn later(self: &Rc<Self>) {
        let mut tick = self.tick.borrow_mut();
        let tick = tick.get_or_insert_with(|| {
            let desk = self.clone();
            Closure::new(move || desk.go_on())
        });
        let _ = scope().set_timeout_with_callback(tick.as_ref().unchecked_ref());
    }
}

/// Listens to the page and says hello.
pub fn start() {
    let desk = Rc::new(Desk::default());
    let on_message =
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| desk.hear(&event));
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // the listener lives as long as the worker
    on_message.forget();
    post(&Reader::hello());
}

fn shared(blob: Blob) -> Option<Box<dyn Bytes>> {
    let reader = FileReaderSync::new().ok()?;
    Some(Box::new(Shared { blob, reader }))
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn post(message: &FromReader) {
    // plain data with text keys can always be written
    let message = serde_json::to_string(message).unwrap_or_default();
    // a page that is gone hears nothing
    let _ = scope().post_message(&message.into());
}
