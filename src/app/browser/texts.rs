//! Long texts in IndexedDB. What is put there under a key never changes.

use std::sync::Arc;

use wasm_bindgen::JsValue;
use web_sys::{IdbDatabase, IdbObjectStore, IdbRequest, IdbTransactionMode};

use super::Refused;
use super::database::{Outcome, done, open};

pub(super) const DATABASE: &str = "assay-work";
const STORE: &str = "texts";

async fn texts() -> Outcome<IdbDatabase> {
    open(DATABASE, |database| {
        database.create_object_store(STORE)?;
        Ok(())
    })
    .await
}

/// Does something with the store, and gives what it asked for once that is settled.
async fn within<T>(
    database: &IdbDatabase,
    mode: IdbTransactionMode,
    act: impl FnOnce(&IdbObjectStore) -> Outcome<T>,
) -> Outcome<T> {
    let work = database.transaction_with_str_and_mode(STORE, mode)?;
    let asked = act(&work.object_store(STORE)?)?;
    done(&work).await?;
    Ok(asked)
}

/// Puts texts there; fails where the browser refuses or has no room.
pub async fn put(entries: &[(String, Arc<str>)]) -> Result<(), Refused> {
    let database = texts().await.map_err(|_| Refused)?;
    let put = within(&database, IdbTransactionMode::Readwrite, |store| {
        for (key, text) in entries {
            store.put_with_key(&JsValue::from_str(text), &key.into())?;
        }
        Ok(())
    });
    let put = put.await;
    database.close();
    put.map_err(|_| Refused)
}

/// What is there, key by key; fails where the browser refuses.
pub async fn get(keys: &[String]) -> Result<Vec<Option<String>>, Refused> {
    let database = texts().await.map_err(|_| Refused)?;
    let asked = within(&database, IdbTransactionMode::Readonly, |store| {
        keys.iter().map(|key| store.get(&key.into())).collect()
    });
    let asked: Outcome<Vec<IdbRequest>> = asked.await;
    database.close();
    let text = |request: &IdbRequest| request.result().ok()?.as_string();
    let found = asked.map(|requests| requests.iter().map(text).collect());
    found.map_err(|_| Refused)
}

/// Forgets the keys that are due and not needed.
pub async fn tidy(
    is_due: impl Fn(&str) -> bool,
    needed: impl Fn() -> Vec<String>,
) -> Result<(), Refused> {
    let database = texts().await.map_err(|_| Refused)?;
    let tidied = try_tidy(&database, is_due, needed).await;
    database.close();
    tidied.map_err(|_| Refused)
}

async fn try_tidy(
    database: &IdbDatabase,
    is_due: impl Fn(&str) -> bool,
    needed: impl Fn() -> Vec<String>,
) -> Outcome<()> {
    let all = within(database, IdbTransactionMode::Readonly, |store| {
        store.get_all_keys()
    });
    let all = js_sys::Array::from(&all.await?.result()?);
    within(database, IdbTransactionMode::Readwrite, |store| {
        // asked at the last moment: another tab may have come to need one
        let needed = needed();
        for key in all.iter().filter_map(|key| key.as_string()) {
            if is_due(&key) && !needed.contains(&key) {
                store.delete(&key.into())?;
            }
        }
        Ok(())
    })
    .await
}
