//! Connections to the other programs that have the journal open: each notices the writes and the end
//! of the others at once, without polling.
//!
//! Each program listens on a socket in the folder of lock files, and connects to the sockets that it
//! finds there, so that every two programs are connected. A program that has written sends a byte to
//! each of the others; the system closes the connections of a program that ends, however it ends.
//!
//! Programs join inside a write transaction of the journal, one after another; so no two miss each
//! other, and no program misses a commit after its own. A watch of the folder would serve as well,
//! but Linux takes some 15 ms to end one, which would delay the end of each program.
//!
//! On Windows, and in a file system without sockets, programs are not connected: each polls the journal
//! ([`super::watch`]).

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::os::sockets::{AsyncConnection, AsyncListener, Connection, Listener, connect, listen};

/// The ending of a socket's name. The name is short: the path of a socket has at most some 100 bytes.
const ENDING: &str = "sock";

/// The system closes the files of a program that ends one after another: the connection perhaps a
/// moment before it releases the lock.
const UNTIL_UNLOCKED: Duration = Duration::from_millis(10);

/// The pause after the notifications of a program have been read. An import commits a thousand times
/// a second: to wake up for each takes the processor that draws the next key.
const PAUSE: Duration = Duration::from_millis(50);

/// The pause after a connection that could not be accepted.
const RETRY: Duration = Duration::from_millis(50);

/// This program among those that have the journal open; `None` where programs cannot be connected.
pub(super) type Joined = Option<Arc<Peers>>;

/// What another program did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    Written,
    Ended,
}

/// This program among those that have the journal open.
#[derive(Debug)]
pub(super) struct Peers {
    listener: Listener,
    socket: PathBuf,
    connected: Mutex<Connected>,
}

#[derive(Debug, Default)]
struct Connected {
    connections: Vec<Arc<Connection>>,
    /// Receives further connections, to read from them.
    watch: Option<UnboundedSender<Arc<Connection>>>,
}

impl Peers {
    /// Connects to the programs with sockets in this folder, and listens for those that follow. Must
    /// be called inside a write transaction.
    ///
    /// # Errors
    ///
    /// The system, or the file system, has no sockets.
    pub(super) fn join(folder: &Path) -> io::Result<Self> {
        let mut connected = Connected::default();
        for entry in fs::read_dir(folder)?.flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                match connect(&path) {
                    Ok(connection) => connected.add(connection)?,
                    // The socket of a program that was killed.
                    Err(error) if error.kind() == ErrorKind::ConnectionRefused => drop(fs::remove_file(&path)),
                    Err(_) => {}
                }
            }
        }
        let socket = folder.join(format!("{:08x}.{ENDING}", fastrand::u32(..)));
        let listener = listen(&socket)?;
        Ok(Self { listener, socket, connected: Mutex::new(connected) })
    }

    fn connected(&self) -> MutexGuard<'_, Connected> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notifies the others of a committed write. Never blocks: a program that does not read has
    /// unread notifications.
    pub(super) fn notify(&self) {
        let mut connected = self.connected();
        connected.accept(&self.listener);
        let is_there = |connection: &Arc<Connection>| match (&**connection).write(&[0]) {
            Ok(_) => true,
            Err(error) => error.kind() == ErrorKind::WouldBlock,
        };
        connected.connections.retain(is_there);
    }

    /// Lets no more programs connect. A program that ends without it leaves the socket, which the next
    /// one removes.
    pub(super) fn leave(&self) {
        let _ = fs::remove_file(&self.socket);
    }

    /// Calls `receive` for each signal, also for those since this program has joined, until the
    /// result is dropped.
    ///
    /// # Errors
    ///
    /// The system lacks file descriptors.
    pub(super) fn watch(
        self: &Arc<Self>,
        receive: impl Fn(Signal) + Clone + Send + Sync + 'static,
    ) -> io::Result<JoinSet<()>> {
        let (watch, mut added) = unbounded_channel();
        let listener = AsyncListener::from_std(self.listener.try_clone()?)?;
        {
            let mut connected = self.connected();
            for connection in &connected.connections {
                let _ = watch.send(Arc::clone(connection));
            }
            connected.watch = Some(watch);
        }
        let (peers, mut watching) = (Arc::clone(self), JoinSet::new());
        let accepting = async move {
            let mut readers = JoinSet::new();
            loop {
                tokio::select! {
                    biased;
                    Some(connection) = added.recv() => {
                        let (peers, receive) = (Arc::clone(&peers), receive.clone());
                        readers.spawn(async move { peers.read(connection, receive).await }.boxed());
                    }
                    Some(_) = readers.join_next() => {}
                    accepted = listener.accept() => match accepted {
                        Ok((connection, _)) => {
                            let _ = connection.into_std().and_then(|connection| peers.connected().add(connection));
                        }
                        Err(_) => tokio::time::sleep(RETRY).await,
                    },
                }
            }
        };
        watching.spawn(accepting.boxed());
        Ok(watching)
    }

    /// Reads from a connection until it ends.
    async fn read(&self, connection: Arc<Connection>, receive: impl Fn(Signal)) {
        // The runtime watches the connection again only after each pause: meanwhile no byte wakes it.
        while let Ok(readable) = connection.try_clone().and_then(AsyncConnection::from_std) {
            if readable.readable().await.is_err() {
                break;
            }
            match readable.try_read(&mut [0; 1024]) {
                Ok(0) => break,
                Ok(_) => receive(Signal::Written),
                Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
                Err(_) => break,
            }
            drop(readable);
            tokio::time::sleep(PAUSE).await;
        }
        self.connected().connections.retain(|other| !Arc::ptr_eq(other, &connection));
        tokio::time::sleep(UNTIL_UNLOCKED).await;
        receive(Signal::Ended);
    }
}

impl Connected {
    fn add(&mut self, connection: Connection) -> io::Result<()> {
        connection.set_nonblocking(true)?;
        let connection = Arc::new(connection);
        if let Some(watch) = &self.watch {
            // Fails once the watch has ended.
            let _ = watch.send(Arc::clone(&connection));
        }
        self.connections.push(connection);
        Ok(())
    }

    /// Accepts the connections that wait.
    fn accept(&mut self, listener: &Listener) {
        while let Ok((connection, _)) = listener.accept() {
            let _ = self.add(connection);
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod on_unix {
    use super::*;

    /// Watches for the signals that a program receives.
    fn watch(peers: &Arc<Peers>) -> (JoinSet<()>, tokio::sync::mpsc::UnboundedReceiver<Signal>) {
        let (signals, received) = unbounded_channel();
        let receive = move |signal| {
            let _ = signals.send(signal);
        };
        (peers.watch(receive).unwrap(), received)
    }

    fn join(folder: &Path) -> Arc<Peers> {
        Arc::new(Peers::join(folder).unwrap())
    }

    #[tokio::test]
    async fn writes_and_ends_reach_every_other_program() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (join(folder.path()), join(folder.path()));
        let (_watched, mut of_one) = watch(&one);
        let three = join(folder.path());
        // Before the watch, and from a program that has not yet accepted the connection of the third.
        two.notify();
        three.notify();
        assert_eq!([of_one.recv().await, of_one.recv().await], [Some(Signal::Written); 2]);
        let (_watched, mut of_three) = watch(&three);
        assert_eq!(of_three.recv().await, Some(Signal::Written));
        one.notify();
        assert_eq!(of_three.recv().await, Some(Signal::Written));
        drop(two);
        assert_eq!([of_one.recv().await, of_three.recv().await], [Some(Signal::Ended); 2]);
        assert_eq!([&one, &three].map(|peers| peers.connected().connections.len()), [1, 1]);
        assert!(of_one.try_recv().is_err(), "a program does not signal to itself");
    }

    #[test]
    fn a_program_that_reads_nothing_blocks_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (join(folder.path()), join(folder.path()));
        for _ in 0..10_000 {
            two.notify();
        }
        assert_eq!(two.connected().connections.len(), 1);
        drop(one);
        two.notify();
        assert_eq!(two.connected().connections.len(), 0);
    }

    #[test]
    fn the_socket_of_a_killed_program_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let killed = folder.path().join("00000001.sock");
        crate::os::sockets::testing::leave(&killed);
        let one = join(folder.path());
        assert!(!killed.exists() && one.connected().connections.is_empty());
        assert!(one.socket.exists());
        one.leave();
        assert!(!one.socket.exists());
    }
}
