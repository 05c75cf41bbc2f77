//! Getting a large file: the model in a worker, the embedder's program in the page.
//! From the page, from the browser's own copy, or from the server. It is kept by the
//! Cache API under an address that its hash is part of, so that neither a second
//! visit nor a second worker needs the network.

use std::cell::Cell;

use js_sys::{ArrayBuffer, Date, Promise, Reflect, Uint8Array};
use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortSignal, Cache, CacheStorage, Headers, ReadableStreamDefaultReader, Request, RequestCache,
    RequestInit, Response, ResponseInit, WorkerGlobalScope,
};

use super::EmbedError;
use super::protocol::Stage;
use super::transfer::{Answer, Tries, answer};
use crate::document::hex;

/// Milliseconds between two reports of how far it is.
const REPORTS: f64 = 100.0;

/// What is fetched, as people are told of it.
pub struct Kind {
    /// `the model`.
    name: &'static str,
    /// The file that gives its size and its hash.
    listing: &'static str,
    /// What brings it back when it is missing.
    remedy: &'static str,
    /// What makes it.
    command: &'static str,
    /// Its media type.
    media: &'static str,
    /// Name of its cache; old files in it are dropped when a new one is stored.
    cache: &'static str,
}

/// The model file.
pub const MODEL: Kind = Kind {
    name: "the model",
    listing: "model.json",
    remedy: "put the folder model/ beside it",
    command: "make model",
    media: "application/octet-stream",
    cache: "assay-model",
};

/// The program of the embedding workers.
pub const PROGRAM: Kind = Kind {
    name: "the embedder",
    listing: "embedder.json",
    remedy: "put all files of the build there",
    command: "make build",
    media: "application/wasm",
    cache: "assay-embedder",
};

/// The program that runs a model that somebody brings; kept beside the other.
pub const ONNX_PROGRAM: Kind = Kind {
    cache: "assay-embedder-onnx",
    ..PROGRAM
};

/// A file that is wanted, and whom to tell how far it is.
pub struct Source<'a> {
    /// What it is.
    pub kind: &'static Kind,
    /// Its address, of which its hash is a part.
    pub address: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256, 64 hex digits.
    pub sha256: &'a str,
    /// Ends a download when it is no longer wanted; a worker is ended as a whole.
    pub stop: Option<&'a AbortSignal>,
    /// Is told the stage, the bytes so far and what else there is to say.
    pub report: &'a dyn Fn(Stage, usize, Option<String>),
    /// When the last report was; 0 at first.
    pub last: Cell<f64>,
}

/// What has come of a file, and its hash so far: to hash all of it at once would
/// hold up the page.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    hash: Sha256,
}

impl Part {
    fn add(&mut self, chunk: &Uint8Array) {
        let start = self.bytes.len();
        self.bytes.resize(start + chunk.length() as usize, 0);
        chunk.copy_to(&mut self.bytes[start..]);
        self.hash.update(&self.bytes[start..]);
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.hash = Sha256::new();
    }

    /// The hash of what has come since the last time it was asked for.
    fn sha256(&mut self) -> String {
        hex(&std::mem::take(&mut self.hash).finalize())
    }
}

/// Why a try ended before the file did.
struct Broken(String);

impl Source<'_> {
    fn report_now_and_then(&self, bytes: usize) {
        let now = Date::now();
        if now - self.last.get() >= REPORTS {
            self.last.set(now);
            (self.report)(Stage::Download, bytes, None);
        }
    }

    /// The browser's copy, unchecked; none when it has none.
    pub async fn kept(&self) -> Option<Response> {
        let found = JsFuture::from(self.cache().await?.match_with_str(&self.address)).await;
        found.ok()?.dyn_into().ok()
    }

    /// The bytes of a copy; none when they are damaged.
    pub async fn copied(&self, response: &Response) -> Option<Vec<u8>> {
        (self.report)(Stage::Cache, 0, None);
        let buffer = body(response).await?;
        let view = Uint8Array::new(&buffer);
        let mut bytes = self.room().ok()?.bytes;
        if view.length() as usize != bytes.capacity() {
            return None;
        }
        bytes.resize(bytes.capacity(), 0);
        view.copy_to(&mut bytes);
        let found = digest(&buffer).await;
        let found = found.unwrap_or_else(|| hex(&Sha256::digest(&bytes)));
        (found == self.sha256).then_some(bytes)
    }

    /// Whether a copy is as it should be.
    pub async fn is_intact(&self, response: &Response) -> bool {
        let Some(buffer) = body(response).await else {
            return false;
        };
        digest(&buffer).await.as_deref() == Some(self.sha256)
    }

    /// Memory for the file.
    fn room(&self) -> Result<Part, EmbedError> {
        Ok(Part {
            bytes: reserve(self.bytes as usize)?,
            ..Part::default()
        })
    }

    /// The file from the server, with the hash that was given. A file with
    /// another hash is fetched once more: a byte can go wrong on the way.
    pub async fn fetched(&self) -> Result<Vec<u8>, EmbedError> {
        let mut part = self.room()?;
        let mut found = String::new();
        for _ in 0..2 {
            part.clear();
            self.download(&mut part).await?;
            found = part.sha256();
            if found == self.sha256 {
                return Ok(part.bytes);
            }
            let remark = "the file was damaged on the way; it is fetched once more";
            (self.report)(Stage::Download, 0, Some(remark.into()));
        }
        Err(EmbedError(format!(
            "{} file on the server is damaged: {} came twice with the SHA-256 {found}, expected {}. Whoever runs this page has to put the file there again ({})",
            self.kind.name, self.address, self.sha256, self.kind.command
        )))
    }

    /// Fills `part`; goes on where a connection broke.
    async fn download(&self, part: &mut Part) -> Result<(), EmbedError> {
        let name = self.kind.name;
        let mut tries = Tries::default();
        let mut validator = None;
        (self.report)(Stage::Download, 0, None);
        loop {
            let Err(Broken(reason)) = self.once(part, &mut validator).await? else {
                return Ok(());
            };
            if self.stop.is_some_and(AbortSignal::aborted) {
                return Err(EmbedError(format!("{name} is no longer wanted")));
            }
            let held = part.bytes.len();
            let Some(seconds) = tries.pause(held) else {
                return Err(EmbedError(format!(
                    "{name} could not be downloaded: {reason}, after {held} of {} bytes, and further tries did not help. Check the connection, then try again",
                    self.bytes
                )));
            };
            let remark = format!("{reason}; it goes on in {seconds} s ({})", tries.next());
            (self.report)(Stage::Download, held, Some(remark));
            pause(seconds).await;
        }
    }

    /// One request. What it brings is added to `part`; the inner error is one
    /// that may pass.
    async fn once(
        &self,
        part: &mut Part,
        validator: &mut Option<String>,
    ) -> Result<Result<(), Broken>, EmbedError> {
        let response = match self.ask(part.bytes.len(), validator.as_deref()).await {
            Ok(response) => response,
            Err(error) => {
                let reason = format!("no connection to the server ({})", words(&error));
                return Ok(Err(Broken(reason)));
            }
        };
        let header = |name| response.headers().get(name).ok().flatten();
        let status = response.status();
        let range = header("content-range");
        match answer(status, range.as_deref(), part.bytes.len()) {
            Answer::GoesOn => {}
            Answer::FromStart => {
                part.clear();
                // a weak tag does not say that the bytes are the same
                let tag = header("etag").filter(|tag| !tag.starts_with("W/"));
                *validator = tag.or_else(|| header("last-modified"));
            }
            Answer::Refused if matches!(status, 404 | 410) => {
                return Err(EmbedError(format!(
                    "{} is not on the server: {} was answered with {status}. Whoever runs this page has to {} ({})",
                    self.kind.name, self.address, self.kind.remedy, self.kind.command
                )));
            }
            Answer::Refused => {
                // a range that makes no sense: from the start then
                part.clear();
                return Ok(Err(Broken(format!("the server answered {status}"))));
            }
        }
        if let Err(error) = self.read(&response, part).await {
            return Ok(Err(Broken(format!(
                "the connection broke ({})",
                words(&error)
            ))));
        }
        let (held, whole) = (part.bytes.len() as u64, self.bytes);
        Ok(match held.cmp(&whole) {
            std::cmp::Ordering::Less => Err(Broken("the connection ended early".into())),
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Greater => {
                return Err(EmbedError(format!(
                    "{} is longer than the {whole} bytes that {} says; whoever runs this page has to put both there again ({})",
                    self.address, self.kind.listing, self.kind.command
                )));
            }
        })
    }

    async fn ask(&self, held: usize, validator: Option<&str>) -> Result<Response, JsValue> {
        let init = RequestInit::new();
        init.set_cache(RequestCache::NoStore);
        init.set_signal(self.stop);
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

    async fn read(&self, response: &Response, part: &mut Part) -> Result<(), JsValue> {
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
            part.add(&value);
            let held = part.bytes.len();
            self.report_now_and_then(held);
            if held as u64 > self.bytes {
                return Ok(()); // longer than it can be; the caller says so
            }
        }
    }

    /// Keeps a copy; says whether the browser has it. It may refuse (private mode, a
    /// full disk, no secure context); then the file is fetched again next time.
    pub async fn keep(&self, bytes: &[u8]) -> bool {
        let Some(cache) = self.cache().await else {
            return false;
        };
        if let Ok(keys) = JsFuture::from(cache.keys()).await {
            for key in js_sys::Array::from(&keys) {
                let _ = JsFuture::from(cache.delete_with_request(key.unchecked_ref())).await;
            }
        }
        let Ok(response) = self.response(bytes) else {
            return false;
        };
        JsFuture::from(cache.put_with_str(&self.address, &response))
            .await
            .is_ok()
    }

    fn response(&self, bytes: &[u8]) -> Result<Response, JsValue> {
        let headers = Headers::new()?;
        headers.set("content-type", self.kind.media)?;
        let init = ResponseInit::new();
        init.set_headers(&headers);
        let body: JsValue = Uint8Array::from(bytes).into();
        Response::new_with_opt_js_u8_array_and_init(Some(body.unchecked_ref()), &init)
    }

    async fn cache(&self) -> Option<Cache> {
        // absent where the page is not in a secure context
        let caches: CacheStorage = Reflect::get(&scope(), &"caches".into())
            .ok()?
            .dyn_into()
            .ok()?;
        JsFuture::from(caches.open(self.kind.cache))
            .await
            .ok()?
            .dyn_into()
            .ok()
    }
}

async fn body(response: &Response) -> Option<ArrayBuffer> {
    let buffer = JsFuture::from(response.array_buffer().ok()?).await;
    buffer.ok()?.dyn_into().ok()
}

/// A SHA-256 that the browser computes, faster and beside the other work; only in a
/// secure context, which is where it keeps copies too.
async fn digest(buffer: &ArrayBuffer) -> Option<String> {
    let subtle = scope().crypto().ok()?.subtle();
    let digest = subtle.digest_with_str_and_buffer_source("SHA-256", buffer);
    let digest = JsFuture::from(digest.ok()?).await.ok()?;
    Some(hex(&Uint8Array::new(&digest).to_vec()))
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

/// What a page and a worker have in common goes by the same names in both, and the
/// bindings go by names: here the page passes for a worker.
fn scope() -> WorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// What an error of the browser says.
pub fn words(error: &JsValue) -> String {
    Reflect::get(error, &"message".into())
        .ok()
        .and_then(|message| message.as_string())
        .unwrap_or_else(|| "unknown reason".into())
}
