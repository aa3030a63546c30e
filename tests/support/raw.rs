//! A store on a raw socket that answers each connection as its script says, whatever was asked,
//! and remembers the bytes it was sent.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

/// What a store does once it has read a request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Writes these bytes and hangs up.
    Says(Vec<u8>),
    /// Writes these bytes and then zeros until the client hangs up.
    Floods(Vec<u8>),
    /// Waits for the client to hang up.
    Nothing,
}

impl Reply {
    /// A whole response: status line, length, body.
    pub(crate) fn of(status: &str, body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        Self::Says([head.as_bytes(), body].concat())
    }
}

/// What a connection of our own says, behind those of others.
const A_MARK: &str = "a mark\r\n\r\n";

/// What our own last connection says.
const THE_END: &str = "the end\r\n\r\n";

/// Such a store. It ends when it is asked what it received.
pub(crate) struct RawStore {
    address: SocketAddr,
    arrived: mpsc::Receiver<String>,
    serving: JoinHandle<()>,
}

impl RawStore {
    /// One reply for each connection, in order; the last is for all that come later.
    pub(crate) fn replying(script: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (note, arrived) = mpsc::channel();
        let serve = move || {
            for number in 0.. {
                let (mut stream, _) = listener.accept().unwrap();
                let request = request_from(&mut stream);
                if request == THE_END {
                    return;
                }
                note.send(request).unwrap();
                reply(stream, &script[usize::min(number, script.len() - 1)]);
            }
        };
        let serving = thread::Builder::new().name("raw store".to_owned()).spawn(serve).unwrap();
        Self { address, arrived, serving }
    }

    /// One that gives this response to everybody.
    pub(crate) fn saying(status: &str, body: impl AsRef<[u8]>) -> Self {
        Self::replying(vec![Reply::of(status, body)])
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Waits until a whole request is here.
    pub(crate) fn next_request(&self) -> String {
        self.arrived.recv().unwrap()
    }

    /// Every request that came and was not taken yet, of clients that have ended; it goes on.
    pub(crate) fn arrived_so_far(&self) -> Vec<String> {
        TcpStream::connect(self.address).unwrap().write_all(A_MARK.as_bytes()).unwrap();
        self.arrived.iter().take_while(|request| request != A_MARK).collect()
    }

    /// Every request that came and was not taken yet; one entry for each connection.
    ///
    /// A connection of our own comes last, so whatever a client began before is counted.
    pub(crate) fn received(self) -> Vec<String> {
        TcpStream::connect(self.address).unwrap().write_all(THE_END.as_bytes()).unwrap();
        self.serving.join().unwrap();
        self.arrived.into_iter().collect()
    }
}

/// One whole request, or what there is of it when the client hangs up.
fn request_from(stream: &mut TcpStream) -> String {
    let (mut sent, mut buffer) = (Vec::new(), [0; 16 * 1024]);
    while !is_whole(&sent) {
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => sent.extend_from_slice(&buffer[..count]),
            Ok(_) | Err(_) => break,
        }
    }
    String::from_utf8_lossy(&sent).into_owned()
}

/// Whether these bytes are a whole request, with the body that its length promises.
pub(crate) fn is_whole(sent: &[u8]) -> bool {
    let text = String::from_utf8_lossy(sent);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length =
        head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned));
    body.len() >= length.map_or(0, |digits| digits.parse().unwrap())
}

/// Clients may hang up at any time; that is for the test to validate, so errors just end the reply.
fn reply(mut stream: TcpStream, reply: &Reply) {
    match reply {
        Reply::Says(bytes) => {
            let _ = stream.write_all(bytes);
        }
        Reply::Floods(head) => {
            let zeros = vec![b'0'; 64 * 1024];
            let mut going = stream.write_all(head);
            while going.is_ok() {
                going = stream.write_all(&zeros);
            }
        }
        Reply::Nothing => {
            let _ = stream.read(&mut [0]);
        }
    }
}
