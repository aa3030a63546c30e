//! Sockets between programs of one machine, under a path.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, connect as connect_socket, socket};

pub use std::os::unix::net::{UnixListener as Listener, UnixStream as Connection};
pub use tokio::net::{UnixListener as AsyncListener, UnixStream as AsyncConnection};

/// Listens at a path, for this user alone; never blocks.
///
/// # Errors
///
/// The file system has no sockets.
pub fn listen(path: &Path) -> io::Result<Listener> {
    let listener = with_short_path(path, |path: &Path| Listener::bind(path))?;
    listener.set_nonblocking(true)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Connects without waiting: a program that is stopped accepts only so many. The connection never blocks.
///
/// # Errors
///
/// `ConnectionRefused` if no program listens there any more.
pub fn connect(path: &Path) -> io::Result<Connection> {
    with_short_path(path, |path: &Path| {
        let connection = Connection::from(socket(AddressFamily::UNIX, SocketType::STREAM, None)?);
        fcntl_setfd(&connection, FdFlags::CLOEXEC)?;
        connection.set_nonblocking(true)?;
        connect_socket(&connection, &SocketAddrUnix::new(path)?)?;
        Ok(connection)
    })
}

/// Calls a function with the path of a socket, or where that is too long, with one through its open folder, which Linux
/// has.
fn with_short_path<T>(path: &Path, call: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
    let is_too_long = |error: &io::Error| {
        error.kind() == ErrorKind::InvalidInput || Errno::from_io_error(error) == Some(Errno::NAMETOOLONG)
    };
    match (call(path), path.parent(), path.file_name()) {
        (Err(error), Some(folder), Some(name)) if is_too_long(&error) => {
            let folder = File::open(folder)?;
            call(&Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(name))
        }
        (called, _, _) => called,
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! What a program leaves that is killed.

    use super::*;

    pub(crate) fn leave(path: &Path) {
        drop(Listener::bind(path).unwrap());
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_a_long_path_has_sockets() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("x".repeat(150));
        fs::create_dir(&deep).unwrap();
        let path = deep.join("one.sock");
        let _listener = listen(&path).unwrap();
        connect(&path).unwrap();
    }
}
