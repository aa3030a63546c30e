//! An address that refuses connections.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// A socket that is bound and does not listen: as long as it exists, its port refuses connections, and no other test
/// gets it.
pub(crate) struct ClosedPort(TcpSocket);

impl ClosedPort {
    pub(crate) fn new() -> Self {
        Self(bound_to("127.0.0.1:0".parse().unwrap()))
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.0.local_addr().unwrap()
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Accepts connections until the listener is dropped. Must be called in an async runtime.
    pub(crate) fn listen(&self) -> TcpListener {
        bound_to(self.address()).listen(1024).unwrap()
    }

    /// Waits until a dropped listener is closed: the child of another test has every socket until it runs its program.
    pub(crate) async fn until_refused(&self) {
        let refused = async { while TcpStream::connect(self.address()).await.is_ok() {} };
        tokio::time::timeout(Duration::from_secs(60), refused).await.expect("nothing listens any more");
    }
}

fn bound_to(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().unwrap();
    // The listener has the same port. A test that asks for any free port does not get it.
    #[cfg(unix)]
    socket.set_reuseport(true).unwrap();
    #[cfg(windows)]
    socket.set_reuseaddr(true).unwrap();
    socket.bind(address).unwrap();
    socket
}
