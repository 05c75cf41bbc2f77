//! Vectors kept in IndexedDB, so that a run that is known needs no model. They are
//! found by a hash of the text, the model and the program's version. Where the
//! browser refuses (private mode, a full disk), nothing is found and nothing kept.

use std::rc::Rc;

use js_sys::{Object, Reflect, Uint8Array};
use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::*;
use web_sys::{
    IdbDatabase, IdbKeyRange, IdbObjectStoreParameters, IdbRequest, IdbTransaction,
    IdbTransactionMode,
};

use super::database::{self, Outcome, done};
use crate::embedding::protocol::{Parts, VERSION, raw};

pub(super) const DATABASE: &str = "assay";
/// Vectors by their number, which the browser counts up; so the oldest have the smallest.
const STORE: &str = "vectors";
/// The index, and the name of its part of a record.
const KEY: &str = "key";
const VECTOR: &str = "vector";
/// How many are kept at most: 77 MB.
const MOST: f64 = 50_000.0;
/// Texts that are looked up in one go, so that no step takes long.
const CHUNK: usize = 100;

/// The kept vectors of these texts, in their order; shorter when the browser refuses.
pub async fn read(model: &str, texts: &[String]) -> Vec<Option<Vec<f32>>> {
    let mut found = Vec::new();
    let Ok(database) = open().await else {
        return found;
    };
    for texts in texts.chunks(CHUNK) {
        let Ok((work, requests)) = look_up(&database, model, texts) else {
            break;
        };
        if done(&work).await.is_err() {
            break;
        }
        found.extend(requests.iter().map(vector));
    }
    database.close();
    found
}

fn look_up(
    database: &IdbDatabase,
    model: &str,
    texts: &[String],
) -> Outcome<(IdbTransaction, Vec<IdbRequest>)> {
    let work = database.transaction_with_str(STORE)?;
    let index = work.object_store(STORE)?.index(KEY)?;
    let mut requests = Vec::new();
    for text in texts {
        requests.push(index.get(&key(model, text))?);
    }
    Ok((work, requests))
}

fn vector(request: &IdbRequest) -> Option<Vec<f32>> {
    let vector = request.result().ok()?.part(VECTOR)?;
    Some(raw::floats(&vector.bytes()?))
}

/// Keeps vectors; drops the oldest when there are too many.
pub async fn write(model: &str, entries: &[(String, Rc<[f32]>)]) {
    let Ok(database) = open().await else {
        return;
    };
    if let Ok((work, last)) = put(&database, model, entries)
        && done(&work).await.is_ok()
    {
        let _ = drop_oldest(&database, last.as_ref());
    }
    // what has begun comes to its end first
    database.close();
}

/// Gives the request for the last of the entries too.
fn put(
    database: &IdbDatabase,
    model: &str,
    entries: &[(String, Rc<[f32]>)],
) -> Outcome<(IdbTransaction, Option<IdbRequest>)> {
    let work = database.transaction_with_str_and_mode(STORE, IdbTransactionMode::Readwrite)?;
    let store = work.object_store(STORE)?;
    let mut last = None;
    for (text, vector) in entries {
        let record = Object::new();
        Reflect::set(&record, &KEY.into(), &key(model, text))?;
        Reflect::set(&record, &VECTOR.into(), &buffer(&raw::bytes(vector)))?;
        last = Some(store.put(&record)?);
    }
    Ok((work, last))
}

fn drop_oldest(database: &IdbDatabase, last: Option<&IdbRequest>) -> Outcome<()> {
    let last = last.and_then(|last| last.result().ok()?.as_f64());
    if let Some(last) = last.filter(|last| *last > MOST) {
        let too_old = IdbKeyRange::upper_bound(&(last - MOST).into())?;
        let work = database.transaction_with_str_and_mode(STORE, IdbTransactionMode::Readwrite)?;
        work.object_store(STORE)?.delete(&too_old)?;
    }
    Ok(())
}

fn key(model: &str, text: &str) -> JsValue {
    let mut hash = Sha256::new();
    for part in [VERSION, model, text] {
        hash.update(part);
        hash.update([0]);
    }
    buffer(&hash.finalize())
}

fn buffer(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

async fn open() -> Outcome<IdbDatabase> {
    database::open(DATABASE, |database| {
        let numbered = IdbObjectStoreParameters::new();
        numbered.set_auto_increment(true);
        let store = database.create_object_store_with_optional_parameters(STORE, &numbered)?;
        store.create_index_with_str(KEY, KEY)?;
        Ok(())
    })
    .await
}
