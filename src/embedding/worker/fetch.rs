//! Getting the model file: from the page, from the browser's own copy, or from the
//! server. It is kept by the Cache API under its name, which is its hash, so that
//! neither a second visit nor a second worker needs the network.

use std::cell::Cell;

use js_sys::{ArrayBuffer, Date, Promise, Reflect, Uint8Array};
use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, Cache, CacheStorage, Headers, ReadableStreamDefaultReader, Request, RequestCache,
    RequestInit, Response,
};

use super::super::EmbedError;
use super::super::manifest::Manifest;
use super::super::protocol::Stage;
use super::super::transfer::{Answer, Tries, answer};
use super::scope;
use crate::document::hex;

/// Name of the cache; old models in it are dropped when a new one is stored.
const CACHE: &str = "assay-model";
/// Milliseconds between two reports of how far it is.
const REPORTS: f64 = 100.0;

/// A model file that is wanted, and whom to tell how far it is.
pub struct Source<'a> {
    /// Which file.
    pub manifest: &'a Manifest,
    /// Its address.
    pub address: String,
    /// Is told the stage, the bytes so far and what else there is to say.
    pub report: &'a dyn Fn(Stage, usize, Option<String>),
    /// When the last report was.
    last: Cell<f64>,
}

/// Why a try ended before the file did.
struct Broken(String);

impl<'a> Source<'a> {
    /// The file that a manifest in the folder `base` names.
    pub fn new(
        base: &str,
        manifest: &'a Manifest,
        report: &'a dyn Fn(Stage, usize, Option<String>),
    ) -> Self {
        Self {
            manifest,
            address: format!("{base}{}", manifest.file),
            report,
            last: Cell::new(0.0),
        }
    }

    fn report_now_and_then(&self, stage: Stage, bytes: usize) {
        let now = Date::now();
        if now - self.last.get() >= REPORTS {
            self.last.set(now);
            (self.report)(stage, bytes, None);
        }
    }

    /// The browser's copy, unchecked; none when it has none.
    pub async fn kept(&self) -> Option<Vec<u8>> {
        let found = JsFuture::from(open_cache().await?.match_with_str(&self.address)).await;
        let response: Response = found.ok()?.dyn_into().ok()?;
        (self.report)(Stage::Cache, 0, None);
        let buffer = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
        self.copy(&buffer)
    }

    /// The bytes that the page handed over, unchecked.
    pub async fn handed(&self, blob: &Blob) -> Option<Vec<u8>> {
        (self.report)(Stage::Cache, 0, None);
        let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
        self.copy(&buffer)
    }

    fn copy(&self, buffer: &JsValue) -> Option<Vec<u8>> {
        let view = Uint8Array::new(buffer.dyn_ref::<ArrayBuffer>()?);
        let mut bytes = self.room().ok()?;
        (view.length() as usize == bytes.capacity()).then(|| {
            bytes.resize(bytes.capacity(), 0);
            view.copy_to(&mut bytes);
            bytes
        })
    }

    /// Memory for the file.
    fn room(&self) -> Result<Vec<u8>, EmbedError> {
        reserve(self.manifest.bytes as usize)
    }

    /// The file from the server, with the hash that the manifest gives. A file
    /// with another hash is fetched once more: a byte can go wrong on the way.
    pub async fn fetched(&self) -> Result<Vec<u8>, EmbedError> {
        let mut bytes = self.room()?;
        let mut found = String::new();
        for _ in 0..2 {
            bytes.clear();
            self.download(&mut bytes).await?;
            found = hex(&Sha256::digest(&bytes));
            if found == self.manifest.sha256 {
                return Ok(bytes);
            }
            let remark = "the file was damaged on the way; it is fetched once more";
            (self.report)(Stage::Download, 0, Some(remark.into()));
        }
        Err(EmbedError(format!(
            "the model file on the server is damaged: {} came twice with the SHA-256 {found}, expected {}. Whoever runs this page has to put the file there again (make model)",
            self.address, self.manifest.sha256
        )))
    }

    /// Fills `bytes`; goes on where a connection broke.
    async fn download(&self, bytes: &mut Vec<u8>) -> Result<(), EmbedError> {
        let mut tries = Tries::default();
        let mut validator = None;
        (self.report)(Stage::Download, 0, None);
        loop {
            let Err(Broken(reason)) = self.once(bytes, &mut validator).await? else {
                return Ok(());
            };
            let Some(seconds) = tries.pause(bytes.len()) else {
                return Err(EmbedError(format!(
                    "the model could not be downloaded: {reason}, after {} of {} bytes, and further tries did not help. Check the connection, then try again",
                    bytes.len(),
                    self.manifest.bytes
                )));
            };
            let remark = format!("{reason}; it goes on in {seconds} s ({})", tries.next());
            (self.report)(Stage::Download, bytes.len(), Some(remark));
            pause(seconds).await;
        }
    }

    /// One request. What it brings is added to `bytes`; the inner error is one
    /// that may pass.
    async fn once(
        &self,
        bytes: &mut Vec<u8>,
        validator: &mut Option<String>,
    ) -> Result<Result<(), Broken>, EmbedError> {
        let response = match self.ask(bytes.len(), validator.as_deref()).await {
            Ok(response) => response,
            Err(error) => {
                let reason = format!("no connection to the server ({})", words(&error));
                return Ok(Err(Broken(reason)));
            }
        };
        let header = |name| response.headers().get(name).ok().flatten();
        let status = response.status();
        match answer(status, header("content-range").as_deref(), bytes.len()) {
            Answer::GoesOn => {}
            Answer::FromStart => {
                bytes.clear();
                // a weak tag does not say that the bytes are the same
                let tag = header("etag").filter(|tag| !tag.starts_with("W/"));
                *validator = tag.or_else(|| header("last-modified"));
            }
            Answer::Refused if matches!(status, 404 | 410) => {
                return Err(EmbedError(format!(
                    "the model is not on the server: {} was answered with {status}. Whoever runs this page has to put the folder model/ beside it (make model)",
                    self.address
                )));
            }
            Answer::Refused => {
                // a range that makes no sense: from the start then
                bytes.clear();
                return Ok(Err(Broken(format!("the server answered {status}"))));
            }
        }
        if let Err(error) = self.read(&response, bytes).await {
            return Ok(Err(Broken(format!(
                "the connection broke ({})",
                words(&error)
            ))));
        }
        let (held, whole) = (bytes.len() as u64, self.manifest.bytes);
        Ok(match held.cmp(&whole) {
            std::cmp::Ordering::Less => Err(Broken("the connection ended early".into())),
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Greater => {
                return Err(EmbedError(format!(
                    "{} is longer than the {whole} bytes that model.json says; whoever runs this page has to put both there again (make model)",
                    self.address
                )));
            }
        })
    }

    async fn ask(&self, held: usize, validator: Option<&str>) -> Result<Response, JsValue> {
        let init = RequestInit::new();
        init.set_cache(RequestCache::NoStore);
        if held > 0 {
            let headers = Headers::new()?;
            headers.set("range", &format!("bytes={held}-"))?;
            if let Some(validator) = validator {
                headers.set("if-range", validator)?;
            }
            init.set_headers(&headers);
        }
        let request = Request::new_with_str_and_init(&self.address, &init)?;
        JsFuture::from(scope().fetch_with_request(&request))
            .await?
            .dyn_into()
    }

    async fn read(&self, response: &Response, bytes: &mut Vec<u8>) -> Result<(), JsValue> {
        let Some(body) = response.body() else {
            return Ok(());
        };
        let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
        loop {
            let chunk = JsFuture::from(reader.read()).await?;
            if Reflect::get(&chunk, &"done".into())?.is_truthy() {
                return Ok(());
            }
            let value: Uint8Array = Reflect::get(&chunk, &"value".into())?.unchecked_into();
            let start = bytes.len();
            bytes.resize(start + value.length() as usize, 0);
            value.copy_to(&mut bytes[start..]);
            self.report_now_and_then(Stage::Download, bytes.len());
            if bytes.len() as u64 > self.manifest.bytes {
                return Ok(()); // longer than it can be; the caller says so
            }
        }
    }

    /// Keeps a copy; says whether the browser has it. It may refuse (private mode, a
    /// full disk, no secure context); then the file is fetched again next time.
    pub async fn keep(&self, bytes: &[u8]) -> bool {
        let Some(cache) = open_cache().await else {
            return false;
        };
        if let Ok(keys) = JsFuture::from(cache.keys()).await {
            for key in js_sys::Array::from(&keys) {
                let _ = JsFuture::from(cache.delete_with_request(key.unchecked_ref())).await;
            }
        }
        let body: JsValue = Uint8Array::from(bytes).into();
        let Ok(response) = Response::new_with_opt_js_u8_array(Some(body.unchecked_ref())) else {
            return false;
        };
        JsFuture::from(cache.put_with_str(&self.address, &response))
            .await
            .is_ok()
    }

    /// Drops the browser's copy.
    pub async fn forget(&self) {
        if let Some(cache) = open_cache().await {
            let _ = JsFuture::from(cache.delete_with_str(&self.address)).await;
        }
    }
}

/// Memory that the browser may refuse: a value then, and not the end of the worker.
pub fn reserve(bytes: usize) -> Result<Vec<u8>, EmbedError> {
    let mut room = Vec::new();
    room.try_reserve_exact(bytes).map_err(|_| {
        EmbedError(format!(
            "the browser gave no memory ({} MB were needed). Close other tabs, then try again",
            bytes / 1_000_000
        ))
    })?;
    Ok(room)
}

async fn pause(seconds: u32) {
    let timer = Promise::new(&mut |resolve, _| {
        // without a timer there is no pause
        let milliseconds = (seconds * 1000) as i32;
        if scope()
            .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds)
            .is_err()
        {
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    let _ = JsFuture::from(timer).await;
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
