//! As much of HTTP/1.1 as a browser and its driver need: one message for each
//! connection, with a length.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A request or a response: its first line, and its body.
pub struct Message {
    pub start: String,
    pub body: Vec<u8>,
}

/// Reads a message; nothing when the other side closed without sending one.
pub fn read(stream: &TcpStream) -> io::Result<Option<Message>> {
    let mut reader = BufReader::new(stream);
    let mut start = String::new();
    if reader.read_line(&mut start)? == 0 {
        return Ok(None);
    }
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Message {
        start: start.trim_end().to_owned(),
        body,
    }))
}

/// Answers a request.
pub fn respond(mut stream: &TcpStream, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(body)?;
    stream.flush()
}

/// Sends a request with a JSON body and waits for the answer.
pub fn ask(
    to: SocketAddr,
    method: &str,
    path: &str,
    body: &str,
    patience: Duration,
) -> io::Result<Message> {
    let mut stream = TcpStream::connect(to)?;
    stream.set_read_timeout(Some(patience))?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {to}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )?;
    stream.flush()?;
    read(&stream)?.ok_or_else(|| io::Error::other("the connection was closed without an answer"))
}
