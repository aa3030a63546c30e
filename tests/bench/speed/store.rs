//! A store that accepts every plant so fast that only its client is measured.
//!
//! Runs in a process of its own, this program again, so that all clients have the same store.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Ipv4Addr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// The argument that starts the store.
pub(crate) const WORD: &str = "store";

/// A running store; dropping it ends the process.
pub(crate) struct Store {
    child: Child,
    /// Without a slash at its end.
    pub(crate) base_url: String,
}

impl Store {
    pub(crate) fn start() -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let mut child = command.arg(WORD).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        Self { child, base_url: line.trim().to_owned() }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Prints the base URL and serves until the process is killed.
pub(crate) fn serve() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        println!("http://{}", listener.local_addr().unwrap());
        std::io::stdout().flush().unwrap();
        let mut connections = JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            connections.spawn(connection(stream));
            while connections.try_join_next().is_some() {}
        }
    });
}

/// Answers the requests of a connection until the client closes it.
async fn connection(mut stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let (mut input, mut output) = (Vec::with_capacity(1 << 14), Vec::new());
    let (mut second, mut date) = (Duration::ZERO, String::new());
    while stream.read_buf(&mut input).await.is_ok_and(|count| count > 0) {
        let now = SystemTime::now();
        let since = now.duration_since(UNIX_EPOCH).unwrap();
        if since.as_secs() != second.as_secs() {
            (date, second) = (httpdate::fmt_http_date(now), since);
        }
        let mut used = 0;
        while let Some((body, end)) = request(&input[used..]) {
            let Some((name, tag)) = documented(body) else { return };
            let length = name.len() + tag.len();
            let _ = write!(
                output,
                "HTTP/1.1 201 Created\r\ndate: {date}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
            );
            output.extend_from_slice(name);
            output.extend_from_slice(tag);
            used += end;
        }
        input.drain(..used);
        if stream.write_all(&output).await.is_err() {
            return;
        }
        output.clear();
    }
}

/// Returns the body of the first request and the length of that request; `None` if it is not complete.
fn request(input: &[u8]) -> Option<(&[u8], usize)> {
    const LENGTH: &[u8] = b"content-length:";
    let body = find(input, b"\r\n\r\n")? + 4;
    let length = input[..body].split(|byte| *byte == b'\n').find_map(|line| {
        let (name, value) = line.split_at_checked(LENGTH.len())?;
        name.eq_ignore_ascii_case(LENGTH).then(|| std::str::from_utf8(value).ok()?.trim().parse::<usize>().ok())?
    });
    let end = body + length.unwrap_or(0);
    Some((input.get(body..end)?, end))
}

/// Returns the two parts of the body that the document has in a response: the request's without the id.
fn documented(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let id = find(body, b",\"id\":")?;
    let tag = id + find(&body[id..], b",\"tag\":")?;
    Some((&body[..id], &body[tag..]))
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
