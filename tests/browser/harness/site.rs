//! A static web server of the plainest kind: files under a sub-path, no special
//! headers. It records what it is asked for.

use super::http;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, io, thread};

/// A request as it was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub status: u16,
}

/// A running server. It ends with the program.
pub struct Site {
    address: SocketAddr,
    base: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Site {
    /// Serves `folder` on a free port of this machine, under `base` (`/some/where/`).
    pub fn serve(folder: &Path, base: &str) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let site = Self {
            address: listener.local_addr()?,
            base: base.to_owned(),
            requests: Arc::default(),
        };
        let (folder, base, requests) = (
            folder.to_owned(),
            base.to_owned(),
            Arc::clone(&site.requests),
        );
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, base, requests) =
                    (folder.clone(), base.clone(), Arc::clone(&requests));
                // a browser that leaves early is no error of the server's
                thread::spawn(move || drop(answer(&stream, &folder, &base, &requests)));
            }
        });
        Ok(site)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the start page, with `rest` behind it.
    pub fn url(&self, rest: &str) -> String {
        format!("http://{}{}{rest}", self.address, self.base)
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn answer(
    stream: &TcpStream,
    folder: &Path,
    base: &str,
    requests: &Mutex<Vec<Request>>,
) -> io::Result<()> {
    let Some(message) = http::read(stream)? else {
        return Ok(());
    };
    let mut words = message.start.split(' ');
    let method = words.next().unwrap_or_default().to_owned();
    let path = words.next().unwrap_or_default().to_owned();
    let file = file_of(folder, base, &path).filter(|_| method == "GET");
    let content = file.as_ref().and_then(|file| fs::read(file).ok());
    requests
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(Request {
            method,
            path,
            status: if content.is_some() { 200 } else { 404 },
        });
    match (file, content) {
        (Some(file), Some(content)) => http::respond(stream, "200 OK", kind_of(&file), &content),
        _ => http::respond(stream, "404 Not Found", "text/plain", b"not found"),
    }
}

/// The file that a request path means, inside the folder.
fn file_of(folder: &Path, base: &str, path: &str) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?.strip_prefix(base)?;
    let relative = Path::new(if path.is_empty() { "index.html" } else { path });
    let inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    inside.then(|| folder.join(relative))
}

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
        _ => "application/octet-stream",
    }
}
