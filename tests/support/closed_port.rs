//! An address that refuses connections.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

/// A socket that is bound and does not listen: as long as it exists, its port refuses connections, and no other test
/// gets it.
pub(crate) struct ClosedPort(TcpSocket);

impl ClosedPort {
    pub(crate) fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self(socket)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.0.local_addr().unwrap()
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Accepts connections from now on. Must be called in an async runtime.
    pub(crate) fn open(self) -> TcpListener {
        self.0.listen(1024).unwrap()
    }
}
