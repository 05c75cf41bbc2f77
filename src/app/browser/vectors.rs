//! Vectors kept in IndexedDB, so that a run that is known needs no model. They are
//! found by a hash of the text, the model and the program's version. Where the
//! browser refuses (private mode, a full disk), nothing is found and nothing kept.

use std::rc::Rc;

use js_sys::{Float32Array, Object, Promise, Reflect, Uint8Array};
use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    IdbDatabase, IdbKeyRange, IdbObjectStore, IdbObjectStoreParameters, IdbOpenDbRequest,
    IdbRequest, IdbTransaction, IdbTransactionMode,
};

use crate::embedding::protocol::VERSION;

const DATABASE: &str = "assay";
/// Vectors by their number, which the browser counts up; so the oldest have the smallest.
const STORE: &str = "vectors";
/// The index, and the name of its part of a record.
const KEY: &str = "key";
const VECTOR: &str = "vector";
/// How many are kept at most: 77 MB.
const MOST: f64 = 50_000.0;
/// Texts that are looked up in one go, so that no step takes long.
const CHUNK: usize = 100;

type Outcome<T> = Result<T, JsValue>;

/// The kept vectors of these texts, in their order.
pub async fn read(model: &str, texts: &[String]) -> Vec<Option<Vec<f32>>> {
    let mut found = Vec::with_capacity(texts.len());
    if let Ok(database) = open().await {
        for texts in texts.chunks(CHUNK) {
            match read_chunk(&database, model, texts).await {
                Ok(vectors) => found.extend(vectors),
                Err(_) => break,
            }
        }
        database.close();
    }
    found.resize(texts.len(), None);
    found
}

async fn read_chunk(
    database: &IdbDatabase,
    model: &str,
    texts: &[String],
) -> Outcome<Vec<Option<Vec<f32>>>> {
    let (work, store) = begin(database, IdbTransactionMode::Readonly)?;
    let index = store.index(KEY)?;
    let requests = texts.iter().map(|text| index.get(&key(model, text)));
    let requests: Vec<IdbRequest> = requests.collect::<Outcome<_>>()?;
    done(&work).await?;
    let vector = |request: &IdbRequest| {
        let record = request.result().ok()?;
        let vector = Reflect::get(&record, &VECTOR.into()).ok()?;
        Some(vector.dyn_ref::<Float32Array>()?.to_vec())
    };
    Ok(requests.iter().map(vector).collect())
}

/// Keeps vectors; drops the oldest when there are too many.
pub async fn write(model: &str, entries: &[(String, Rc<[f32]>)]) {
    if let Ok(database) = open().await {
        let _ = write_to(&database, model, entries).await;
        database.close();
    }
}

async fn write_to(
    database: &IdbDatabase,
    model: &str,
    entries: &[(String, Rc<[f32]>)],
) -> Outcome<()> {
    let (work, store) = begin(database, IdbTransactionMode::Readwrite)?;
    let mut last = None;
    for (text, vector) in entries {
        let record = Object::new();
        Reflect::set(&record, &KEY.into(), &key(model, text))?;
        Reflect::set(&record, &VECTOR.into(), &Float32Array::from(&**vector))?;
        last = Some(store.put(&record)?);
    }
    done(&work).await?;
    let last = last.and_then(|last| last.result().ok()?.as_f64());
    if let Some(last) = last.filter(|last| *last > MOST) {
        let (work, store) = begin(database, IdbTransactionMode::Readwrite)?;
        store.delete(IdbKeyRange::upper_bound(&(last - MOST).into())?.as_ref())?;
        done(&work).await?;
    }
    Ok(())
}

fn key(model: &str, text: &str) -> JsValue {
    let hash = [VERSION, model, text]
        .iter()
        .fold(Sha256::new(), |hash, part| {
            hash.chain_update(part).chain_update([0])
        });
    Uint8Array::from(&hash.finalize()[..]).into()
}

fn begin(
    database: &IdbDatabase,
    mode: IdbTransactionMode,
) -> Outcome<(IdbTransaction, IdbObjectStore)> {
    let work = database.transaction_with_str_and_mode(STORE, mode)?;
    let store = work.object_store(STORE)?;
    Ok((work, store))
}

async fn open() -> Outcome<IdbDatabase> {
    let factory = web_sys::window().and_then(|window| window.indexed_db().ok()?);
    let request = factory.ok_or(JsValue::NULL)?.open_with_u32(DATABASE, 1)?;
    let same: IdbOpenDbRequest = request.clone();
    let upgrade = Closure::<dyn FnMut()>::new(move || {
        let _ = create(&same);
    });
    request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    settled(|resolve, reject| {
        request.set_onsuccess(Some(resolve));
        request.set_onerror(Some(reject));
    })
    .await?;
    Ok(request.result()?.unchecked_into())
}

fn create(request: &IdbOpenDbRequest) -> Outcome<()> {
    let database: IdbDatabase = request.result()?.unchecked_into();
    let numbered = IdbObjectStoreParameters::new();
    numbered.set_auto_increment(true);
    let store = database.create_object_store_with_optional_parameters(STORE, &numbered)?;
    store.create_index_with_str(KEY, KEY)?;
    Ok(())
}

async fn done(work: &IdbTransaction) -> Outcome<()> {
    settled(|resolve, reject| {
        work.set_oncomplete(Some(resolve));
        work.set_onabort(Some(reject));
    })
    .await
}

/// Waits for one of two events.
async fn settled(listen: impl Fn(&js_sys::Function, &js_sys::Function)) -> Outcome<()> {
    let promise = Promise::new(&mut |resolve, reject| listen(&resolve, &reject));
    JsFuture::from(promise).await.map(drop)
}
