//! How the worker of the page's own model comes to it.

use std::cell::Cell;

use js_sys::{Array, Uint8Array};
use web_sys::{Blob, Response};

use super::fetch::{MODEL, Source, reserve};
use super::manifest::Manifest;
use super::protocol::{FromWorker, Stage};
use super::worker::{Wanted, post, scope};
use super::{EmbedError, Model};

/// What loading takes, in bytes: the file (27 MB) and its weights unpacked. Measured:
/// the memory grows from 1.9 MB to 96.7 MB, and the longest text takes no more.
/// Asked for at the start, so that a refusal is a message and not the end of the
/// worker; what loads then takes its memory from it.
const NEEDED: usize = 95_000_000;

/// The model, from wherever its file is nearest.
pub async fn obtain(wanted: Wanted) -> Result<Model, EmbedError> {
    let Wanted {
        base,
        manifest,
        mut files,
    } = wanted;
    let weights = files.pop();
    let manifest: Manifest = serde_json::from_str(&manifest).map_err(|error| {
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
