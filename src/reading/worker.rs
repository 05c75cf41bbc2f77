//! The worker's side: files are `Blob`s, of which a stretch at a time is read.

use std::cell::RefCell;
use std::ops::Range;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

use super::Reader;
use super::protocol::{FromReader, ToReader};
use crate::sources::Bytes;

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

/// Listens to the page and says hello.
pub fn start() {
    let held = RefCell::new(Reader::default());
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let parts = Array::from(&event.data());
        let message = parts.get(0).as_string().unwrap_or_default();
        let blobs = parts.iter().skip(1);
        let files = blobs.filter_map(|blob| shared(blob.dyn_into().ok()?));
        let files: Vec<Box<dyn Bytes>> = files.collect();
        match serde_json::from_str::<ToReader>(&message) {
            Ok(message) => held
                .borrow_mut()
                .hear(message, files, &mut |answer| post(&answer)),
            Err(error) => post(&FromReader::Failed {
                file: 0,
                message: format!("the worker does not understand the page: {error}"),
            }),
        }
    });
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
