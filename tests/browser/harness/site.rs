//! A static web server of the plainest kind: files under a sub-path, parts of
//! files. It records what it is asked for, and fails when it is told to.
//!
//! It also hears what is asked of anyone else. Every answer carries a policy that
//! forbids nothing and has each breach reported here, so the engine itself tells what a
//! page or a worker of its own account wants from elsewhere, whether the page's
//! own policy then lets it out or not; and tells nothing of the browser's errands.

use super::{RUNTIME, now};
use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
    HeaderName, IF_RANGE, RANGE,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use std::{fs, io};
use tokio::net::TcpListener;

/// A request as it was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    pub path: String,
    /// The part that was asked for, `bytes=7-`.
    pub range: Option<String>,
    pub status: u16,
}

/// What goes wrong with one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The connection is closed before a word is said.
    Silence,
    /// There is no such file.
    Missing,
    /// The server is not ready for it: 503.
    Refused,
    /// It is sent as a file of an unknown type.
    Untyped,
    /// The connection breaks after so many bytes.
    BreaksAfter(usize),
    /// This byte is another one.
    Flipped(usize),
    /// A script begins with this.
    Begins(&'static str),
}

const REPORTS: &str = "/policy-reports";

/// What a page and its workers may do unreported: ask this server.
const POLICY: &str = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; \
    form-action 'self'; report-uri /policy-reports";

const POLICY_HEADER: HeaderName = HeaderName::from_static("content-security-policy-report-only");

/// What a server remembers.
#[derive(Default)]
struct Record {
    requests: Vec<Request>,
    /// Who was asked instead of this server.
    elsewhere: Vec<String>,
    /// Endings of paths, and what becomes of the next requests for them.
    faults: Vec<(&'static str, VecDeque<Fault>)>,
    /// Files as they are sent where that is allowed to be compressed.
    compressed: HashMap<PathBuf, Bytes>,
}

struct Shared {
    folder: PathBuf,
    base: String,
    compresses: bool,
    record: Mutex<Record>,
    reported: Condvar,
}

/// A running server. It ends with the program.
pub struct Site {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Shared {
    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Site {
    /// Serves `folder` on a free port of this machine, under `base` (`/some/where/`).
    pub fn serve(folder: &Path, base: &str) -> io::Result<Self> {
        Self::start(folder, base, false)
    }

    /// The same, compressed as most hosts do it.
    pub fn serve_compressed(folder: &Path, base: &str) -> io::Result<Self> {
        Self::start(folder, base, true)
    }

    fn start(folder: &Path, base: &str, compresses: bool) -> io::Result<Self> {
        let listener = now(TcpListener::bind(("127.0.0.1", 0)))?;
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            base: base.to_owned(),
            compresses,
            record: Mutex::default(),
            reported: Condvar::new(),
        });
        let address = listener.local_addr()?;
        RUNTIME.spawn(listen(listener, Arc::clone(&shared)));
        Ok(Self { address, shared })
    }

    /// The address of the start page, with `rest` behind it.
    pub fn url(&self, rest: &str) -> String {
        format!("http://{}{}{rest}", self.address, self.shared.base)
    }

    /// Where engines report what is asked of anyone else.
    pub fn reports(&self) -> String {
        format!("http://{}{REPORTS}", self.address)
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.record().requests.clone()
    }

    /// What goes wrong with the next requests for paths that end so (what stands
    /// behind a `?` does not count), one after the other.
    pub fn fail(&self, ending: &'static str, faults: &[Fault]) {
        let faults = faults.iter().copied().collect();
        self.shared.record().faults.push((ending, faults));
    }

    /// What pages and workers have asked of anyone but this server.
    pub fn elsewhere(&self) -> Vec<String> {
        self.shared.record().elsewhere.clone()
    }

    /// Waits until a request to an address elsewhere was reported, and forgets that one.
    /// Whether it was, in time.
    pub fn hears_of(&self, url: &str, patience: Duration) -> bool {
        let place = |record: &Record| {
            record
                .elsewhere
                .iter()
                .position(|line| line.starts_with(url))
        };
        let waited =
            self.shared
                .reported
                .wait_timeout_while(self.shared.record(), patience, |record| {
                    place(record).is_none()
                });
        let (mut record, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let found = place(&record);
        found.map(|place| record.elsewhere.remove(place)).is_some()
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        let service = service_fn(move |request| answer(request, Arc::clone(&shared)));
        let mut server = http1::Builder::new();
        // a fault is that of one request: no other may have the same connection
        let connection = server
            .keep_alive(false)
            .serve_connection(TokioIo::new(stream), service);
        // a browser that leaves early is no error of the server's
        tokio::spawn(async move { drop(connection.await) });
    }
}

/// The connection is to be closed.
#[derive(Debug)]
struct Closed;

impl std::fmt::Display for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the connection is to break here")
    }
}

impl std::error::Error for Closed {}

/// A file on its way, in pieces; the connection breaks where it ends too soon.
struct Content {
    bytes: Bytes,
    breaks: bool,
}

impl Body for Content {
    type Data = Bytes;
    type Error = Closed;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Closed>>> {
        const PIECE: usize = 1 << 16;
        let length = self.bytes.len().min(PIECE);
        Poll::Ready(match (length, self.breaks) {
            (0, true) => Some(Err(Closed)),
            (0, false) => None,
            _ => Some(Ok(Frame::data(self.bytes.split_to(length)))),
        })
    }

    fn size_hint(&self) -> SizeHint {
        if self.breaks {
            SizeHint::default()
        } else {
            SizeHint::with_exact(self.bytes.len() as u64)
        }
    }
}

fn plain(status: StatusCode) -> Response<Content> {
    let mut response = Response::new(Content {
        bytes: Bytes::new(),
        breaks: false,
    });
    *response.status_mut() = status;
    response
}

async fn answer(
    request: hyper::Request<Incoming>,
    shared: Arc<Shared>,
) -> Result<Response<Content>, Closed> {
    if request.uri().path() == REPORTS {
        let report = request.into_body().collect().await.map_err(|_| Closed)?;
        shared.record().elsewhere.push(breach(&report.to_bytes()));
        shared.reported.notify_all();
        return Ok(plain(StatusCode::NO_CONTENT));
    }
    let path = request.uri().path();
    let fault = fault_of(path, &mut shared.record());
    let file = file_of(&shared.folder, &shared.base, path);
    let file = file.filter(|_| request.method() == Method::GET);
    let found = file.and_then(|file| Some((fs::read(&file).ok()?, file)));
    let found =
        found.filter(|_| !matches!(fault, Fault::Missing | Fault::Refused | Fault::Silence));
    let begin = found
        .as_ref()
        .and_then(|(content, _)| part(&request, content));
    let status = match (&found, begin) {
        (None, _) if fault == Fault::Refused => StatusCode::SERVICE_UNAVAILABLE,
        (None, _) => StatusCode::NOT_FOUND,
        (Some(_), None) => StatusCode::OK,
        (Some(_), Some(_)) => StatusCode::PARTIAL_CONTENT,
    };
    shared.record().requests.push(Request {
        method: request.method().to_string(),
        path: request.uri().to_string(),
        range: header(&request, RANGE).map(str::to_owned),
        status: status.as_u16(),
    });
    match (found, fault) {
        (None, Fault::Silence) => Err(Closed),
        (None, _) => Ok(plain(status)),
        (Some((content, file)), _) if shared.compresses && begin.is_none() && is_text(&file) => {
            let accepts = header(&request, ACCEPT_ENCODING).unwrap_or_default();
            if accepts.contains("deflate") {
                return Ok(compressed(&file, &content, &shared));
            }
            Ok(sent(&file, content, begin, fault))
        }
        (Some((content, file)), fault) => Ok(sent(&file, content, begin, fault)),
    }
}

/// What a policy report tells: who was to be asked, and by whom.
fn breach(report: &[u8]) -> String {
    let report: Value = serde_json::from_slice(report).unwrap_or_default();
    let told = |name: &str| {
        report["csp-report"][name]
            .as_str()
            .unwrap_or("?")
            .to_owned()
    };
    let (blocked, by) = (told("blocked-uri"), told("document-uri"));
    format!("{blocked} ({}) by {by}", told("effective-directive"))
}

fn header(request: &hyper::Request<Incoming>, name: HeaderName) -> Option<&str> {
    request.headers().get(name)?.to_str().ok()
}

/// Two files of one length are one version to this server.
fn version(content: &[u8]) -> String {
    format!("\"{}\"", content.len())
}

/// Where the part begins that is asked for, `bytes=7-`; of another version there is no part.
fn part(request: &hyper::Request<Incoming>, content: &[u8]) -> Option<usize> {
    let wanted = header(request, IF_RANGE);
    if wanted.is_some_and(|wanted| wanted != version(content)) {
        return None;
    }
    let range = header(request, RANGE)?.strip_prefix("bytes=")?;
    range.strip_suffix('-')?.parse().ok()
}

fn is_text(file: &Path) -> bool {
    !matches!(kind_of(file), UNTYPED | "image/png")
}

/// A file, or the rest of it, with its fault.
fn sent(
    file: &Path,
    mut content: Vec<u8>,
    begin: Option<usize>,
    fault: Fault,
) -> Response<Content> {
    let version = version(&content);
    match fault {
        Fault::Flipped(place) => content[place] ^= 1,
        Fault::Begins(script) => content.splice(..0, script.bytes()).for_each(drop),
        _ => {}
    }
    let whole = content.len();
    let bytes = Bytes::from(content).slice(begin.unwrap_or(0)..);
    let length = bytes.len();
    let end = match fault {
        Fault::BreaksAfter(bytes) => bytes.min(length),
        _ => length,
    };
    let mut response = Response::new(Content {
        bytes: bytes.slice(..end),
        breaks: end < length,
    });
    let headers = response.headers_mut();
    let mut set = |name, value: &str| {
        if let Ok(value) = value.parse() {
            headers.insert(name, value);
        }
    };
    let kind = match fault {
        Fault::Untyped => UNTYPED,
        _ => kind_of(file),
    };
    set(CONTENT_TYPE, kind);
    set(CONTENT_LENGTH, &length.to_string());
    set(ETAG, &version);
    set(POLICY_HEADER, POLICY);
    if let Some(begin) = begin {
        set(
            CONTENT_RANGE,
            &format!("bytes {begin}-{}/{whole}", whole - 1),
        );
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    response
}

/// A file as most hosts send it: deflate is gzip with another frame around it.
fn compressed(file: &Path, content: &[u8], shared: &Shared) -> Response<Content> {
    let kept = shared.record().compressed.get(file).cloned();
    let bytes = kept.unwrap_or_else(|| {
        let bytes = Bytes::from(miniz_oxide::deflate::compress_to_vec_zlib(content, 9));
        let mut record = shared.record();
        record.compressed.insert(file.to_owned(), bytes.clone());
        bytes
    });
    let mut response = sent(file, bytes.to_vec(), None, Fault::None);
    let encoding = hyper::header::HeaderValue::from_static("deflate");
    response.headers_mut().insert(CONTENT_ENCODING, encoding);
    response
}

fn fault_of(path: &str, record: &mut Record) -> Fault {
    let mut meant = record
        .faults
        .iter_mut()
        .filter(|(ending, _)| path.ends_with(ending));
    meant
        .find_map(|(_, faults)| faults.pop_front())
        .unwrap_or(Fault::None)
}

/// The file that a request path means, inside the folder.
fn file_of(folder: &Path, base: &str, path: &str) -> Option<PathBuf> {
    let path = path.strip_prefix(base)?;
    let relative = Path::new(if path.is_empty() { "index.html" } else { path });
    let inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    inside.then(|| folder.join(relative))
}

/// What is said of a file whose type is not known.
const UNTYPED: &str = "application/octet-stream";

fn kind_of(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => UNTYPED,
    }
}
