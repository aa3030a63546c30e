//! One request on a raw socket, and the bytes that came back.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// After this long there is no response to be expected. Only stores that never respond take it.
const SILENCE: Duration = Duration::from_millis(100);
/// After this long a store is stuck, and its test has failed.
const STUCK: Duration = Duration::from_secs(60);

/// A request as a test has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    /// The lines of its head but for host and length.
    pub(super) headers: &'a [String],
    pub(super) body: &'a str,
}

impl Sent<'_> {
    /// Everything that came until the store at `base` hung up.
    pub(super) fn response(self, base: &str) -> String {
        self.heard(base, STUCK).unwrap()
    }

    /// Whether the store at `base` leaves this without a word.
    pub(super) fn meets_silence(self, base: &str) -> bool {
        self.heard(base, SILENCE).is_none()
    }

    fn heard(self, base: &str, patience: Duration) -> Option<String> {
        let Self { method, path, headers, body } = self;
        let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(patience)).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: store\r\ncontent-length: {}\r\n", body.len());
        for header in headers {
            request = request + header + "\r\n";
        }
        stream.write_all(format!("{request}connection: close\r\n\r\n{body}").as_bytes()).unwrap();
        let mut bytes = Vec::new();
        let silent = |why: &std::io::Error| matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        let ended = stream.read_to_end(&mut bytes);
        if ended.as_ref().is_err_and(silent) {
            return None;
        }
        ended.unwrap();
        Some(String::from_utf8(bytes).unwrap())
    }
}
