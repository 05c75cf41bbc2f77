//! The library's runs in IndexedDB: what each is in one store, its texts in another.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbRequest, IdbTransaction, IdbTransactionMode};

use super::Refused;
use super::database::{Outcome, done, open};

pub(super) const DATABASE: &str = "assay-runs";
const HEADS: &str = "heads";
const WORKS: &str = "works";

/// A run that is put there.
pub struct Entry {
    /// Its name.
    pub id: String,
    /// What it is.
    pub head: String,
    /// Its texts, where they are new.
    pub work: Option<String>,
}

/// Does something with the stores, and gives what it asked for once that is settled.
async fn with<T>(
    mode: IdbTransactionMode,
    act: impl FnOnce(&IdbTransaction) -> Outcome<T>,
) -> Result<T, Refused> {
    let furnish = |database: &IdbDatabase| {
        database.create_object_store(HEADS)?;
        database.create_object_store(WORKS)?;
        Ok(())
    };
    let database = open(DATABASE, furnish).await.map_err(|_| Refused)?;
    let stores = js_sys::Array::of2(&HEADS.into(), &WORKS.into());
    let asked = async {
        let transaction = database.transaction_with_str_sequence_and_mode(&stores, mode)?;
        let asked = act(&transaction)?;
        done(&transaction).await?;
        Ok::<T, JsValue>(asked)
    };
    let asked = asked.await;
    database.close();
    asked.map_err(|_| Refused)
}

/// What all runs are; fails where the browser refuses.
pub async fn heads() -> Result<Vec<String>, Refused> {
    let asked = with(IdbTransactionMode::Readonly, |all| {
        all.object_store(HEADS)?.get_all()
    });
    let found = asked.await?.result().map_err(|_| Refused)?;
    let found = js_sys::Array::from(&found);
    Ok(found.iter().filter_map(|head| head.as_string()).collect())
}

/// Puts runs there, all or none; fails where the browser refuses or has no room.
pub async fn put(entries: &[Entry]) -> Result<(), Refused> {
    with(IdbTransactionMode::Readwrite, |all| {
        let (heads, works) = (all.object_store(HEADS)?, all.object_store(WORKS)?);
        for Entry { id, head, work } in entries {
            let id = JsValue::from_str(id);
            heads.put_with_key(&head.into(), &id)?;
            if let Some(work) = work {
                works.put_with_key(&work.into(), &id)?;
            }
        }
        Ok(())
    })
    .await
}

/// The texts of runs, one by one.
pub async fn works(ids: &[String]) -> Result<Vec<Option<String>>, Refused> {
    let asked = with(IdbTransactionMode::Readonly, |all| {
        let works = all.object_store(WORKS)?;
        let asked = ids.iter().map(|id| works.get(&id.into()));
        asked.collect::<Outcome<Vec<IdbRequest>>>()
    });
    let text = |request: &IdbRequest| request.result().ok()?.as_string();
    Ok(asked.await?.iter().map(text).collect())
}

/// Takes a run away.
pub async fn remove(id: &str) -> Result<(), Refused> {
    with(IdbTransactionMode::Readwrite, |all| {
        let id = JsValue::from_str(id);
        all.object_store(HEADS)?.delete(&id)?;
        all.object_store(WORKS)?.delete(&id)?;
        Ok(())
    })
    .await
}

/// Whether the browser keeps what it has until somebody removes it, and does not take it away
/// when room runs short; none where it does not say.
pub async fn is_lasting() -> Option<bool> {
    told(storage()?.persisted().ok()?).await
}

/// Asks the browser for that; says whether it does.
pub async fn ask_to_last() -> Option<bool> {
    told(storage()?.persist().ok()?).await
}

fn storage() -> Option<web_sys::StorageManager> {
    let navigator = web_sys::window()?.navigator();
    // it is there in secure places alone
    let has = js_sys::Reflect::has(&navigator, &"storage".into());
    has.is_ok_and(|has| has).then(|| navigator.storage())
}

async fn told(promise: js_sys::Promise) -> Option<bool> {
    let told = JsFuture::from(promise).await;
    told.ok()?.as_bool()
}
