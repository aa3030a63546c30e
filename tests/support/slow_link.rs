//! A slow connection to a server: passes bytes on between loopback ports, so many a second.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// The bytes that are passed on at once.
const CHUNK: usize = 8 * 1024;

/// Passes connections on until the test ends.
pub(crate) struct SlowLink {
    port: u16,
    /// Receives when a connection has come.
    pub(crate) connected: Receiver<()>,
}

impl SlowLink {
    /// Passes on this many bytes a second that the server of a port sends; none at all for 0. What it is sent, it gets
    /// at once.
    pub(crate) fn to(port: u16, per_second: u32) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let own = listener.local_addr().unwrap().port();
        let (comes, connected) = mpsc::channel();
        spawn(move || {
            for client in listener.incoming() {
                let (Ok(client), Ok(server)) = (client, TcpStream::connect(("127.0.0.1", port))) else { continue };
                let (to_client, to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                spawn(move || pass(client, to_server, Duration::ZERO));
                if per_second > 0 {
                    let pause = Duration::from_secs(1) * u32::try_from(CHUNK).unwrap() / per_second;
                    spawn(move || pass(server, to_client, pause));
                } else {
                    // Stays open.
                    std::mem::forget((server, to_client));
                }
                let _ = comes.send(());
            }
        });
        Self { port: own, connected }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().name("passes bytes on".to_owned()).spawn(work).unwrap();
}

/// Passes bytes on until one side ends; pauses after each full chunk.
fn pass(mut from: TcpStream, mut to: TcpStream, pause: Duration) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(length @ 1..) = from.read(&mut chunk) {
        if to.write_all(&chunk[..length]).is_err() {
            break;
        }
        thread::sleep(pause * u32::try_from(length).unwrap() / u32::try_from(CHUNK).unwrap());
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}
