//! Fetching the model: streamed with progress, kept by the Cache API under its
//! hash, so that a second visit needs no network.

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Cache, CacheStorage, ReadableStreamDefaultReader, Request, RequestCache, RequestInit, Response,
};

use super::super::EmbedError;
use super::super::manifest::Manifest;
use super::super::protocol::Stage;
use super::scope;

/// Name of the cache; old models in it are dropped when a new one is stored.
const CACHE: &str = "assay-model";

/// Says which model there is now; asks the server, not the browser's cache.
pub async fn manifest(base: &str) -> Result<Manifest, EmbedError> {
    let address = format!("{base}model.json");
    let response = match get(&address, RequestCache::NoCache).await {
        Ok(response) => response,
        // without the network the copy of the last visit will do
        Err(error) => cached(&address).await.ok_or(error)?,
    };
    if let (Some(cache), Ok(copy)) = (open_cache().await, response.clone()) {
        let _ = JsFuture::from(cache.put_with_str(&address, &copy)).await;
    }
    let text = read_all(&response, |_| ()).await?;
    serde_json::from_slice(&text)
        .map_err(|error| EmbedError(format!("{address} is not a model manifest: {error}")))
}

/// The bytes of the model file, from the cache or the server.
pub async fn model(
    base: &str,
    manifest: &Manifest,
    progress: impl Fn(Stage, usize),
) -> Result<Vec<u8>, EmbedError> {
    let address = format!("{base}{}", manifest.file);
    if let Some(response) = cached(&address).await {
        let bytes = read_all(&response, |received| progress(Stage::Cache, received)).await?;
        if bytes.len() as u64 == manifest.bytes {
            return Ok(bytes);
        }
    }
    progress(Stage::Download, 0);
    let response = get(&address, RequestCache::NoStore).await?;
    let bytes = read_all(&response, |received| progress(Stage::Download, received)).await?;
    if bytes.len() as u64 != manifest.bytes {
        return Err(EmbedError(format!(
            "{address} ended after {} of {} bytes; try again",
            bytes.len(),
            manifest.bytes
        )));
    }
    keep(&address, &bytes).await;
    Ok(bytes)
}

/// Drops the kept copy of a model.
pub async fn forget(base: &str, manifest: &Manifest) {
    if let Some(cache) = open_cache().await {
        let _ = JsFuture::from(cache.delete_with_str(&format!("{base}{}", manifest.file))).await;
    }
}

async fn get(address: &str, cache: RequestCache) -> Result<Response, EmbedError> {
    let failed =
        |error: JsValue| EmbedError(format!("{address} cannot be fetched: {}", words(&error)));
    let init = RequestInit::new();
    init.set_cache(cache);
    let request = Request::new_with_str_and_init(address, &init).map_err(failed)?;
    let response: Response = JsFuture::from(scope().fetch_with_request(&request))
        .await
        .map_err(failed)?
        .unchecked_into();
    if response.ok() {
        Ok(response)
    } else {
        Err(EmbedError(format!(
            "{address} cannot be fetched: the server answers {}",
            response.status()
        )))
    }
}

async fn read_all(response: &Response, progress: impl Fn(usize)) -> Result<Vec<u8>, EmbedError> {
    let broken = |error: JsValue| {
        EmbedError(format!(
            "the connection broke: {}; try again",
            words(&error)
        ))
    };
    let Some(body) = response.body() else {
        return Ok(Vec::new());
    };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    loop {
        let chunk = JsFuture::from(reader.read()).await.map_err(broken)?;
        let done = Reflect::get(&chunk, &"done".into()).map_err(broken)?;
        if done.is_truthy() {
            return Ok(bytes);
        }
        let value: Uint8Array = Reflect::get(&chunk, &"value".into())
            .map_err(broken)?
            .unchecked_into();
        let start = bytes.len();
        bytes.resize(start + value.length() as usize, 0);
        value.copy_to(&mut bytes[start..]);
        progress(bytes.len());
    }
}

/// Keeping a copy is a convenience: where the browser refuses (private mode,
/// a full disk, no secure context) the model is fetched again next time.
async fn keep(address: &str, bytes: &[u8]) {
    let Some(cache) = open_cache().await else {
        return;
    };
    if let Ok(keys) = JsFuture::from(cache.keys()).await {
        for key in js_sys::Array::from(&keys) {
            let key: Request = key.unchecked_into();
            if key
                .url()
                .rsplit_once('.')
                .is_some_and(|(_, kind)| kind == "pack")
            {
                let _ = JsFuture::from(cache.delete_with_request(&key)).await;
            }
        }
    }
    let body: JsValue = Uint8Array::from(bytes).into();
    if let Ok(response) = Response::new_with_opt_js_u8_array(Some(body.unchecked_ref())) {
        let _ = JsFuture::from(cache.put_with_str(address, &response)).await;
    }
}

async fn cached(address: &str) -> Option<Response> {
    let found = JsFuture::from(open_cache().await?.match_with_str(address))
        .await
        .ok()?;
    found.dyn_into().ok()
}

async fn open_cache() -> Option<Cache> {
    // absent where the page is not in a secure context
    let caches: CacheStorage = Reflect::get(&scope(), &"caches".into())
        .ok()?
        .dyn_into()
        .ok()?;
    JsFuture::from(caches.open(CACHE))
        .await
        .ok()?
        .dyn_into()
        .ok()
}

fn words(error: &JsValue) -> String {
    Reflect::get(error, &"message".into())
        .ok()
        .and_then(|message| message.as_string())
        .unwrap_or_else(|| "unknown reason".into())
}
