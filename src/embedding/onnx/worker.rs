//! The worker's way to a model that somebody brings: the page hands over its files. What the
//! page knows already of the model is its card; without one, the worker finds out and tells it.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File as BrowserFile};

use super::files::{File, MODEL_MOST};
use super::{OnnxModel, Wishes};
use crate::embedding::EmbedError;
use crate::embedding::card::Card;
use crate::embedding::fetch::{reserve, words};
use crate::embedding::protocol::{FromWorker, Stage};
use crate::embedding::worker::{Wanted, post};

/// Bytes of a file that are copied at a time.
const STRETCH: usize = 16 << 20;
/// Memory beside the file, in bytes: the program, the tokenizer.
const BESIDE: usize = 100_000_000;

/// Loads the model of the files.
pub async fn obtain(wanted: Wanted) -> Result<OnnxModel, EmbedError> {
    std::panic::set_hook(Box::new(|panic| {
        let message = format!("tract stopped at something in this model: {panic}");
        post(&FromWorker::Failed { id: None, message });
    }));
    let bytes: f64 = wanted.files.iter().map(Blob::size).sum();
    if bytes > MODEL_MOST as f64 + BESIDE as f64 {
        return Err(EmbedError(format!(
            "the files have {:.0} MB; the most is {} MB",
            bytes / 1e6,
            (MODEL_MOST as usize + BESIDE) / 1_000_000
        )));
    }
    // the weights stand twice in the memory while they are read: a refusal is a message then
    drop(reserve(2 * bytes as usize + BESIDE)?);
    let mut files = Vec::new();
    let mut received = 0;
    for blob in &wanted.files {
        let file = read(blob, received, bytes).await?;
        received += file.bytes.len();
        files.push(file);
    }
    let progress = FromWorker::Progress {
        received: bytes,
        total: bytes,
        stage: Stage::Unpack,
        remark: None,
    };
    post(&progress);
    if wanted.manifest.is_empty() {
        let model = OnnxModel::bring(files, &wanted.base, &Wishes::default())?;
        let card = model.card().json();
        post(&FromWorker::Card { card });
        return Ok(model);
    }
    let card = Card::read(&wanted.manifest);
    let card =
        card.ok_or_else(|| EmbedError("what the page knows of the model is damaged".into()))?;
    let [model, tokenizer] = <[File; 2]>::try_from(files).map_err(|files| {
        EmbedError(format!(
            "the page gave {} files, expected the model and its tokenizer",
            files.len()
        ))
    })?;
    OnnxModel::load(card, model.bytes, &tokenizer.bytes)
}

async fn read(blob: &Blob, before: usize, total: f64) -> Result<File, EmbedError> {
    let name = blob.dyn_ref::<BrowserFile>().map(BrowserFile::name);
    let name = name.unwrap_or_else(|| "a file".into());
    let failed = |error: &JsValue| EmbedError(format!("{name} cannot be read: {}", words(error)));
    let size = blob.size() as usize;
    let mut bytes = reserve(size)?;
    while bytes.len() < size {
        let (from, to) = (bytes.len(), (bytes.len() + STRETCH).min(size));
        let part = blob.slice_with_f64_and_f64(from as f64, to as f64);
        let buffer = JsFuture::from(part.map_err(|error| failed(&error))?.array_buffer());
        let part = Uint8Array::new(&buffer.await.map_err(|error| failed(&error))?);
        if part.length() == 0 {
            return Err(EmbedError(format!(
                "{name} became shorter while it was read"
            )));
        }
        bytes.resize(from + part.length() as usize, 0);
        part.copy_to(&mut bytes[from..]);
        post(&FromWorker::Progress {
            received: (before + bytes.len()) as f64,
            total,
            stage: Stage::Cache,
            remark: None,
        });
    }
    Ok(File { name, bytes })
}
