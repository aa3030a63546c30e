//! A server on a raw socket that plays a script and records the bytes that it receives. Must not know the
//! product.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::support::raw::is_whole;

/// One step of a script. After the last one the server closes the connection.
#[derive(Clone)]
pub(crate) enum Step {
    /// Reads one whole request.
    Read,
    /// Reads any bytes once.
    ReadSome,
    Write(Vec<u8>),
    /// Writes back the request that was read.
    Echo,
    /// Writes zeros until the client closes; signals after so many bytes.
    Flood(usize),
    /// Writes the bytes repeatedly until the client closes.
    Repeat(Vec<u8>),
    /// Writes the bytes slowly, one at a time, until the client closes.
    Drip(Vec<u8>),
    /// Reads until the client closes.
    Hold,
    /// Waits without reading until the server is closed.
    Idle,
    /// Wakes [`Server::signalled`].
    Signal,
    /// Ends the connection with a reset.
    Reset,
}

/// The received bytes of each connection.
type Received = Arc<Mutex<Vec<Vec<u8>>>>;

/// What a server does before its script.
#[derive(Clone)]
enum Preface {
    Nothing,
    Encrypt(TlsAcceptor),
    /// Opens a tunnel as a proxy, and is itself the store behind it.
    TunnelAndEncrypt(TlsAcceptor),
}

pub(crate) struct Server {
    address: SocketAddr,
    received: Received,
    last: Arc<OnceLock<SocketAddr>>,
    call: Arc<Notify>,
    over: CancellationToken,
    accepting: JoinSet<()>,
}

/// The time between two bytes of [`Step::Drip`].
const DRIP: Duration = Duration::from_millis(50);

impl Server {
    /// Plays `script` on every connection.
    pub(crate) async fn playing(script: Vec<Step>) -> Self {
        Self::start("127.0.0.1:0", script, Preface::Nothing).await
    }

    /// Plays `script` at another address.
    pub(crate) async fn playing_on(address: &str, script: Vec<Step>) -> Self {
        Self::start(address, script, Preface::Nothing).await
    }

    /// Plays `script` inside TLS.
    pub(crate) async fn playing_encrypted(script: Vec<Step>, tls: TlsAcceptor) -> Self {
        Self::start("127.0.0.1:0", script, Preface::Encrypt(tls)).await
    }

    /// Plays `script` inside TLS, behind a tunnel that the server opens as a proxy.
    pub(crate) async fn playing_in_a_tunnel(script: Vec<Step>, tls: TlsAcceptor) -> Self {
        Self::start("127.0.0.1:0", script, Preface::TunnelAndEncrypt(tls)).await
    }

    async fn start(address: &str, script: Vec<Step>, preface: Preface) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (received, last, call) = (Received::default(), Arc::new(OnceLock::new()), Arc::new(Notify::new()));
        let mut accepting = JoinSet::new();
        let over = CancellationToken::new();
        let shared = (Arc::clone(&received), Arc::clone(&last), Arc::clone(&call), over.clone());
        accepting.spawn(async move {
            let (received, last, call, over) = shared;
            let mut connections = JoinSet::new();
            loop {
                let (socket, peer) = listener.accept().await.unwrap();
                if last.get() == Some(&peer) {
                    break;
                }
                let number = {
                    let mut all = received.lock().unwrap();
                    all.push(Vec::new());
                    all.len() - 1
                };
                let sent = Sent { received: Arc::clone(&received), number, over: over.clone() };
                connections.spawn(converse(socket, preface.clone(), script.clone(), sent, Arc::clone(&call)));
            }
            while let Some(ended) = connections.join_next().await {
                ended.unwrap();
            }
        });
        Self { address, received, last, call, over, accepting }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn url(&self, scheme: &str) -> String {
        format!("{scheme}://{}", self.address)
    }

    /// Waits for [`Step::Signal`].
    pub(crate) async fn signalled(&self) {
        self.call.notified().await;
    }

    /// Waits until every client has closed; returns the bytes received on each connection.
    ///
    /// A last connection from here ensures that all earlier connections are accepted.
    pub(crate) async fn close(mut self) -> Vec<String> {
        self.over.cancel();
        let probe = if self.address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }.unwrap();
        probe.bind(SocketAddr::new(self.address.ip(), 0)).unwrap();
        self.last.set(probe.local_addr().unwrap()).unwrap();
        probe.connect(self.address).await.unwrap();
        while let Some(ended) = self.accepting.join_next().await {
            ended.unwrap();
        }
        let received = self.received.lock().unwrap();
        received.iter().map(|bytes| String::from_utf8(bytes.clone()).unwrap()).collect()
    }
}

/// Records the bytes of one connection.
struct Sent {
    received: Received,
    number: usize,
    /// Cancelled when the server is to close.
    over: CancellationToken,
}

impl Sent {
    fn add(&self, bytes: &[u8]) {
        self.received.lock().unwrap()[self.number].extend_from_slice(bytes);
    }

    fn all(&self) -> Vec<u8> {
        self.received.lock().unwrap()[self.number].clone()
    }
}

async fn converse(mut socket: TcpStream, preface: Preface, script: Vec<Step>, sent: Sent, call: Arc<Notify>) {
    if script.iter().any(|step| matches!(step, Step::Reset)) {
        socket.set_zero_linger().unwrap();
    }
    let tls = match preface {
        Preface::Nothing => return play(socket, script, &sent, &call).await,
        Preface::Encrypt(tls) => tls,
        Preface::TunnelAndEncrypt(tls) => {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(socket.read_u8().await.unwrap());
            }
            assert!(head.starts_with(b"CONNECT "), "{}", String::from_utf8_lossy(&head));
            socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
            tls
        }
    };
    // A client that does not trust the certificate closes here.
    if let Ok(stream) = tls.accept(socket).await {
        play(stream, script, &sent, &call).await;
    }
}

/// A client may close at any step, which the test checks itself, so errors only end the script.
async fn play(mut stream: impl AsyncRead + AsyncWrite + Unpin, script: Vec<Step>, sent: &Sent, call: &Notify) {
    let mut buffer = vec![0; 16 * 1024];
    for step in script {
        match step {
            Step::Read => {
                while !is_whole(&sent.all()) {
                    match stream.read(&mut buffer).await {
                        Ok(count) if count > 0 => sent.add(&buffer[..count]),
                        Ok(_) | Err(_) => return,
                    }
                }
            }
            Step::ReadSome => match stream.read(&mut buffer).await {
                Ok(count) if count > 0 => {}
                Ok(_) | Err(_) => return,
            },
            Step::Write(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Step::Echo => {
                if stream.write_all(&sent.all()).await.is_err() {
                    return;
                }
            }
            Step::Flood(signal_after) => {
                let (zeros, mut written) = (vec![b'0'; 64 * 1024], 0);
                while stream.write_all(&zeros).await.is_ok() {
                    written += zeros.len();
                    if written >= signal_after {
                        call.notify_one();
                    }
                }
                return;
            }
            Step::Hold => {
                while let Ok(count) = stream.read(&mut buffer).await {
                    if count == 0 {
                        return;
                    }
                    sent.add(&buffer[..count]);
                }
                return;
            }
            Step::Repeat(bytes) => {
                let many = bytes.repeat(1 + 16 * 1024 / bytes.len());
                while stream.write_all(&many).await.is_ok() {}
                return;
            }
            Step::Drip(bytes) => {
                for byte in bytes {
                    if stream.write_all(&[byte]).await.is_err() || stream.flush().await.is_err() {
                        return;
                    }
                    tokio::time::sleep(DRIP).await;
                }
            }
            Step::Idle => return sent.over.cancelled().await,
            Step::Signal => call.notify_one(),
            Step::Reset => return,
        }
    }
    let _ = stream.shutdown().await;
}
