//! A proxy that lets nothing through and remembers who tried. The browser sends
//! it everything that is not for this machine, from workers too.

use super::http;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

/// What a browser asks for on its own account, whatever its flags: whether it is
/// up to date, signed in, on time, has the dictionary of a field that is typed
/// in. None of these serves anything to a page.
const ERRANDS: [&str; 6] = [
    "accounts.google.com",
    "clients2.google.com",
    "content-autofill.googleapis.com",
    "optimizationguide-pa.googleapis.com",
    "redirector.gvt1.com",
    "update.googleapis.com",
];

/// A running proxy. It ends with the program.
pub struct Proxy {
    address: SocketAddr,
    attempts: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let proxy = Self {
            address: listener.local_addr()?,
            attempts: Arc::default(),
        };
        let attempts = Arc::clone(&proxy.attempts);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Ok(Some(message)) = http::read(&stream) else {
                    continue;
                };
                if !is_errand(&message.start) {
                    attempts
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(message.start);
                }
                drop(http::respond(
                    &stream,
                    "502 Bad Gateway",
                    "text/plain",
                    b"nothing leaves",
                ));
            }
        });
        Ok(proxy)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The first line of every request that wanted to leave.
    pub fn attempts(&self) -> Vec<String> {
        self.attempts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Is this a request, `GET http://host/...` or `CONNECT host:443`, of the
/// browser's own?
fn is_errand(request: &str) -> bool {
    let target = request.split(' ').nth(1).unwrap_or_default();
    let target = target.strip_prefix("http://").unwrap_or(target);
    let host = target.split(['/', ':']).next().unwrap_or_default();
    ERRANDS.contains(&host)
}
