//! A static web server of the plainest kind: files under a sub-path, no special
//! headers, parts of files. It records what it is asked for, and fails when it is told to.

use super::http;
use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io, thread};

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
    /// The connection breaks after so many bytes.
    BreaksAfter(usize),
    /// This byte is another one.
    Flipped(usize),
    /// A script begins with this.
    Begins(&'static str),
}

/// What a server remembers.
#[derive(Default)]
struct Record {
    requests: Vec<Request>,
    /// Endings of paths, and what becomes of the next requests for them.
    faults: Vec<(&'static str, VecDeque<Fault>)>,
}

/// A running server. It ends with the program.
pub struct Site {
    address: SocketAddr,
    base: String,
    record: Arc<Mutex<Record>>,
}

fn locked(record: &Mutex<Record>) -> MutexGuard<'_, Record> {
    record.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Site {
    /// Serves `folder` on a free port of this machine, under `base` (`/some/where/`).
    pub fn serve(folder: &Path, base: &str) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let site = Self {
            address: listener.local_addr()?,
            base: base.to_owned(),
            record: Arc::default(),
        };
        let (folder, base, record) = (folder.to_owned(), base.to_owned(), Arc::clone(&site.record));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, base, record) = (folder.clone(), base.clone(), Arc::clone(&record));
                // a browser that leaves early is no error of the server's
                thread::spawn(move || drop(answer(&stream, &folder, &base, &record)));
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
        locked(&self.record).requests.clone()
    }

    /// What goes wrong with the next requests for paths that end so (what stands
    /// behind a `?` does not count), one after the other.
    pub fn fail(&self, ending: &'static str, faults: &[Fault]) {
        let faults = faults.iter().copied().collect();
        locked(&self.record).faults.push((ending, faults));
    }
}

fn answer(stream: &TcpStream, folder: &Path, base: &str, record: &Mutex<Record>) -> io::Result<()> {
    let Some(message) = http::read(stream)? else {
        return Ok(());
    };
    let mut words = message.start.split(' ');
    let method = words.next().unwrap_or_default().to_owned();
    let path = words.next().unwrap_or_default().to_owned();
    let fault = fault_of(&path, record);
    let file = file_of(folder, base, &path).filter(|_| method == "GET");
    let content = file.as_ref().and_then(|file| fs::read(file).ok());
    let content = content.filter(|_| !matches!(fault, Fault::Missing | Fault::Silence));
    // a part is asked for to its end; of another version there is no part
    let tag = content
        .as_ref()
        .map(|content| format!("\"{}\"", content.len()));
    let is_same = message
        .header("if-range")
        .is_none_or(|version| Some(version) == tag.as_deref());
    let range = message.header("range").filter(|_| is_same);
    let begin = range.and_then(|range| {
        range
            .strip_prefix("bytes=")?
            .strip_suffix('-')?
            .parse()
            .ok()
    });
    let status = match (&content, begin) {
        (None, _) => 404,
        (Some(_), None) => 200,
        (Some(_), Some(_)) => 206,
    };
    locked(record).requests.push(Request {
        method,
        path,
        range: message.header("range").map(str::to_owned),
        status,
    });
    let (Some(file), Some(mut content), Some(tag)) = (file, content, tag) else {
        return match fault {
            Fault::Silence => Ok(()),
            _ => http::respond(stream, "404 Not Found", "text/plain", b"not found"),
        };
    };
    match fault {
        Fault::Flipped(place) => content[place] ^= 1,
        Fault::Begins(script) => content.splice(..0, script.bytes()).for_each(drop),
        _ => {}
    }
    let end = match fault {
        Fault::BreaksAfter(bytes) => bytes,
        _ => content.len(),
    };
    let begin: usize = begin.unwrap_or(0);
    let part = format!("bytes {begin}-{}/{}", content.len() - 1, content.len());
    let mut headers = vec![("Content-Type", kind_of(&file)), ("ETag", &tag)];
    if status == 206 {
        headers.push(("Content-Range", &part));
    }
    let line = if status == 206 {
        "206 Partial Content"
    } else {
        "200 OK"
    };
    http::respond_until(stream, line, &headers, &content[begin..], end)
}

fn fault_of(path: &str, record: &Mutex<Record>) -> Fault {
    let path = path.split('?').next().unwrap_or_default();
    let mut record = locked(record);
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
