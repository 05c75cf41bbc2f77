//! Long texts in IndexedDB. What is put there under a key never changes.

use std::sync::Arc;

use wasm_bindgen::JsValue;
use web_sys::{IdbDatabase, IdbTransactionMode};

use super::Refused;
use super::database::{Outcome, done, open};

const DATABASE: &str = "assay-work";
const STORE: &str = "texts";

async fn texts() -> Outcome<IdbDatabase> {
    open(DATABASE, |database| {
        database.create_object_store(STORE)?;
        Ok(())
    })
    .await
}

/// Puts texts there; fails where the browser refuses or has no room.
pub async fn put(entries: &[(String, Arc<str>)]) -> Result<(), Refused> {
    try_put(entries).await.map_err(|_| Refused)
}

async fn try_put(entries: &[(String, Arc<str>)]) -> Outcome<()> {
    let database = texts().await?;
    let work = database.transaction_with_str_and_mode(STORE, IdbTransactionMode::Readwrite)?;
    let store = work.object_store(STORE)?;
    for (key, text) in entries {
        store.put_with_key(&JsValue::from_str(text), &key.into())?;
    }
    let settled = done(&work).await;
    database.close();
    settled.map(|_| ())
}

/// What is there, key by key; fails where the browser refuses.
pub async fn get(keys: &[String]) -> Result<Vec<Option<String>>, Refused> {
    try_get(keys).await.map_err(|_| Refused)
}

async fn try_get(keys: &[String]) -> Outcome<Vec<Option<String>>> {
    let database = texts().await?;
    let work = database.transaction_with_str(STORE)?;
    let store = work.object_store(STORE)?;
    let mut requests = Vec::new();
    for key in keys {
        requests.push(store.get(&key.into())?);
    }
    let settled = done(&work).await;
    database.close();
    settled?;
    let text = |request: &web_sys::IdbRequest| request.result().ok()?.as_string();
    Ok(requests.iter().map(text).collect())
}

/// Forgets all keys but these that sort before one.
pub async fn tidy(needed: &[String], before: &str) -> Result<(), Refused> {
    try_tidy(needed, before).await.map_err(|_| Refused)
}

async fn try_tidy(needed: &[String], before: &str) -> Outcome<()> {
    let database = texts().await?;
    let work = database.transaction_with_str_and_mode(STORE, IdbTransactionMode::Readwrite)?;
    let store = work.object_store(STORE)?;
    let request = store.get_all_keys()?;
    done(&work).await?;
    let keys = js_sys::Array::from(&request.result()?);
    let work = database.transaction_with_str_and_mode(STORE, IdbTransactionMode::Readwrite)?;
    let store = work.object_store(STORE)?;
    for key in keys.iter().filter_map(|key| key.as_string()) {
        if *key < *before && !needed.contains(&key) {
            store.delete(&key.into())?;
        }
    }
    let settled = done(&work).await;
    database.close();
    settled.map(|_| ())
}
