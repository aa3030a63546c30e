//! A store that accepts every plant so fast that only its client is measured.
//!
//! Runs in a process of its own, this program again, so that all clients have the same store.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Ipv4Addr;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::cores::{Core, command};

/// The argument that starts the store.
pub(crate) const WORD: &str = "store";

/// The headers of every response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// Date, media type and length.
    Short,
    /// About 2 KB in 20 headers.
    Long,
    /// The long head, with another id in each response.
    LongWithId,
}

impl Head {
    const ALL: [Self; 3] = [Self::Short, Self::Long, Self::LongWithId];

    fn word(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::LongWithId => "long-with-id",
        }
    }

    /// Returns the headers, all but the length, which comes last.
    fn lines(self, date: &str) -> String {
        static RESPONSES: AtomicU64 = AtomicU64::new(0);
        let id = match self {
            Self::Short => None,
            Self::Long => Some(0),
            Self::LongWithId => Some(RESPONSES.fetch_add(1, Ordering::Relaxed)),
        };
        let mut lines = vec![format!("date: {date}\r\ncontent-type: application/json\r\n")];
        if let Some(id) = id {
            let policy = |number| format!("x-policy-{number:02}: {}\r\n", "max-age=31536000; ".repeat(6));
            lines.extend((1..=16).map(policy));
            lines.push(format!("x-request-id: {id:016x}\r\n"));
        }
        lines.concat()
    }

    /// Returns the bytes of the status line and all headers of a response to [`crate::rows`].
    pub(crate) fn bytes(self) -> f64 {
        let head = self.lines("Tue, 14 Nov 2023 22:13:20 GMT") + "HTTP/1.1 201 Created\r\ncontent-length: 40\r\n\r\n";
        f64::from(u32::try_from(head.len()).unwrap())
    }
}

/// A running store; dropping it ends the process.
pub(crate) struct Store {
    child: Child,
    /// Without a slash at its end.
    pub(crate) base_url: String,
}

impl Store {
    pub(crate) fn start(core: Core, head: Head) -> Self {
        let mut command = command(core, std::env::current_exe().unwrap());
        command.args([WORD, head.word()]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
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
pub(crate) fn serve(words: &[String]) {
    let head = Head::ALL.into_iter().find(|head| words == [head.word()]).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        println!("http://{}", listener.local_addr().unwrap());
        std::io::stdout().flush().unwrap();
        let mut connections = JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            connections.spawn(connection(stream, head));
            while connections.try_join_next().is_some() {}
        }
    });
}

/// Answers the requests of a connection until the client closes it.
async fn connection(mut stream: TcpStream, head: Head) {
    let _ = stream.set_nodelay(true);
    let (mut input, mut output) = (Vec::with_capacity(1 << 14), Vec::new());
    let (mut second, mut lines) = (Duration::ZERO, String::new());
    while stream.read_buf(&mut input).await.is_ok_and(|count| count > 0) {
        let now = SystemTime::now();
        let since = now.duration_since(UNIX_EPOCH).unwrap();
        if head == Head::LongWithId || since.as_secs() != second.as_secs() {
            lines = head.lines(&httpdate::fmt_http_date(now));
            second = since;
        }
        let mut used = 0;
        while let Some((body, end)) = request(&input[used..]) {
            let Some((name, tag)) = documented(body) else { return };
            let length = name.len() + tag.len();
            let _ = write!(output, "HTTP/1.1 201 Created\r\n{lines}content-length: {length}\r\n\r\n");
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
