//! The program of the embedding workers: fetched like the model, kept under its
//! hash, and compiled once for all of them.

use std::cell::Cell;

use js_sys::{Promise, Uint8Array, WebAssembly};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use super::{fetch, location, relaxed, storage};
use crate::document::{Reader, parse_json};
use crate::embedding::fetch::{ONNX_PROGRAM, PROGRAM, Source, words};
use crate::embedding::protocol::Stage;

/// The programs of a build, beside the page.
const LISTING: &str = "embedder.json";
/// What it said when this browser last compiled a program: there may be no network.
const LISTED_BEFORE: &str = "assay.embedder";

/// A compiled program.
#[derive(Clone)]
pub struct Program {
    /// Its name: that of its files without the ending.
    pub name: &'static str,
    /// The SHA-256 of its file.
    pub sha256: String,
    /// The `WebAssembly.Module`.
    pub module: JsValue,
}

/// Ends a download.
#[derive(Clone)]
pub struct Stop(AbortController);

impl Stop {
    /// Of a download that is about to begin.
    pub fn new() -> Result<Self, String> {
        AbortController::new()
            .map(Self)
            .map_err(|error| words(&error))
    }

    /// Ends it.
    pub fn end(&self) {
        self.0.abort();
    }

    /// Whether it was ended.
    pub fn is_ended(&self) -> bool {
        self.0.signal().aborted()
    }
}

/// The program for models that somebody brings.
const ONNX: &str = "embedder-onnx";

/// The program that the server has now, the one for models that somebody brings or that of the
/// page's own model, which may be the one that is held.
/// `report` is told the stage, the bytes so far, those in all, and what else there is to say.
pub async fn current(
    held: Option<Program>,
    is_brought: bool,
    stop: &Stop,
    report: &dyn Fn(Stage, usize, u64, Option<String>),
) -> Result<Program, String> {
    let (name, kind) = if is_brought {
        (ONNX, &ONNX_PROGRAM)
    } else {
        (relaxed::program(), &PROGRAM)
    };
    let stop = stop.0.signal();
    let listing = fetch::text(LISTING).await;
    let listing = listing.or_else(|error| storage::read(LISTED_BEFORE).ok_or(error))?;
    let (bytes, sha256) = listed(&listing, name)
        .ok_or_else(|| format!("{LISTING} does not list {name}: {listing}"))?;
    if let Some(held) = held.filter(|held| held.sha256 == sha256) {
        return Ok(held);
    }
    let source = Source {
        kind,
        address: location::beside_the_page(&format!("{name}_bg.wasm?{sha256}")),
        bytes,
        sha256: &sha256,
        stop: Some(&stop),
        report: &|stage, received, remark| {
            let stage = match stage {
                Stage::Download => Stage::Program,
                other => other,
            };
            report(stage, received, bytes, remark);
        },
        last: Cell::default(),
    };
    let module = match from_copy(&source).await {
        Some(module) => module,
        None => from_server(&source).await?,
    };
    let _ = storage::write(LISTED_BEFORE, &listing);
    Ok(Program {
        name,
        sha256,
        module,
    })
}

/// The program as the browser keeps it: one reading is compiled while another is checked.
async fn from_copy(source: &Source<'_>) -> Option<JsValue> {
    let (compiled, checked) = (source.kept().await?, source.kept().await?);
    let compiled: Promise = Promise::resolve(&JsValue::from(compiled));
    let module = JsFuture::from(WebAssembly::compile_streaming(&compiled));
    if !source.is_intact(&checked).await {
        return None;
    }
    module.await.ok()
}

async fn from_server(source: &Source<'_>) -> Result<JsValue, String> {
    let file = source.fetched().await.map_err(|error| error.0)?;
    source.keep(&file).await;
    (source.report)(Stage::Compile, file.len(), None);
    let module = WebAssembly::compile(&Uint8Array::from(&file[..]).into());
    JsFuture::from(module).await.map_err(|error| {
        let reason = words(&error);
        format!("the embedder could not be compiled ({reason}). Close other tabs if memory is short, then try again")
    })
}

/// The size and the hash of a program in a listing.
fn listed(listing: &str, name: &str) -> Option<(u64, String)> {
    let listing = parse_json(listing).ok()?;
    let listing = Reader::new(&listing);
    let program = listing.get(name)?;
    let bytes = program.get("bytes")?.as_f64()?;
    Some((bytes as u64, program.get("sha256")?.as_str()?.to_owned()))
}
