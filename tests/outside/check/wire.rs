//! Sends one request over a raw socket, and returns the bytes of the response.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// How long to wait for a store that must not respond.
const SILENCE: Duration = Duration::from_millis(100);
/// How long to wait for a store that must respond.
const STUCK: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Copy)]
pub(super) struct Sent<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    /// Header lines, except for host and length.
    pub(super) headers: &'a [String],
    pub(super) body: &'a str,
}

impl Sent<'_> {
    /// Returns all bytes until the store at `base` closes the connection.
    pub(super) fn response(self, base: &str) -> String {
        self.send(base, STUCK).unwrap()
    }

    /// Whether the store at `base` does not respond.
    pub(super) fn has_no_response(self, base: &str) -> bool {
        self.send(base, SILENCE).is_none()
    }

    fn send(self, base: &str, timeout: Duration) -> Option<String> {
        let Self { method, path, headers, body } = self;
        let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(timeout)).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: store\r\ncontent-length: {}\r\n", body.len());
        for header in headers {
            request = request + header + "\r\n";
        }
        stream.write_all(format!("{request}connection: close\r\n\r\n{body}").as_bytes()).unwrap();
        let mut bytes = Vec::new();
        let timed_out = |why: &std::io::Error| matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        let ended = stream.read_to_end(&mut bytes);
        if ended.as_ref().is_err_and(timed_out) {
            return None;
        }
        ended.unwrap();
        Some(String::from_utf8(bytes).unwrap())
    }
}
