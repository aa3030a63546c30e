//! Sockets between programs of one machine: there are none under a path.

use std::io::{self, ErrorKind};
use std::path::Path;

pub use std::net::{TcpListener as Listener, TcpStream as Connection};
pub use tokio::net::{TcpListener as AsyncListener, TcpStream as AsyncConnection};

/// # Errors
///
/// Always.
pub fn listen(_path: &Path) -> io::Result<Listener> {
    Err(ErrorKind::Unsupported.into())
}

/// # Errors
///
/// Always.
pub fn connect(_path: &Path) -> io::Result<Connection> {
    Err(ErrorKind::Unsupported.into())
}
