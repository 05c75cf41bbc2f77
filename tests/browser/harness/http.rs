//! As much of HTTP/1.1 as a browser and its driver need: one message for each
//! connection, with a length.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A request or a response: its first line, its headers, and its body.
pub struct Message {
    pub start: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Message {
    /// What a header says; its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Reads a message; nothing when the other side closed without sending one.
pub fn read(stream: &TcpStream) -> io::Result<Option<Message>> {
    let mut reader = BufReader::new(stream);
    let mut start = String::new();
    if reader.read_line(&mut start)? == 0 {
        return Ok(None);
    }
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut message = Message {
        start: start.trim_end().to_owned(),
        headers,
        body: Vec::new(),
    };
    if let Some(length) = message.header("content-length") {
        message.body = vec![0; length.parse().map_err(io::Error::other)?];
        reader.read_exact(&mut message.body)?;
    }
    Ok(Some(message))
}

/// Answers a request.
pub fn respond(stream: &TcpStream, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    let headers = [("Content-Type", kind)];
    respond_until(stream, status, &headers, body, body.len())
}

/// Answers a request and closes the connection after `end` bytes of the body.
pub fn respond_until(
    mut stream: &TcpStream,
    status: &str,
    headers: &[(&str, &str)],
    body: &[u8],
    end: usize,
) -> io::Result<()> {
    write!(stream, "HTTP/1.1 {status}\r\n")?;
    for (name, value) in headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    let length = body.len();
    write!(
        stream,
        "Content-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body[..end.min(length)])?;
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
