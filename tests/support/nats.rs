//! Real servers of NATS, which keep streams, as processes.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use data_encoding::BASE64;
use miniz_oxide::inflate::decompress_to_vec_zlib;
use serde_json::Value;

/// How often a cluster is started on other ports.
const PORT_ATTEMPTS: usize = 10;

/// The longest wait for a leader: a port that another program took leaves a server alone.
const ELECTED: Duration = Duration::from_secs(20);

/// What a server logs when its cluster has a leader.
const LEADER: [&str; 2] = ["Self is new JetStream cluster metadata leader", "JetStream cluster new metadata leader"];

/// A running server. It ends when this is dropped.
pub(crate) struct Nats {
    child: Child,
    pub(crate) port: u16,
    /// Receives when the cluster has a leader; fails when the server has ended.
    led: Receiver<()>,
}

impl Nats {
    /// Starts a server that keeps its streams in this folder; `None`, and a word about it, where there is no server.
    pub(crate) fn in_folder(folder: &Path) -> Option<Self> {
        Self::on_port(folder, -1)
    }

    /// The same, with this configuration.
    pub(crate) fn configured(folder: &Path, config: &str) -> Option<Self> {
        let file = folder.join("nats.conf");
        std::fs::write(&file, config).unwrap();
        Self::start(&["--port", "-1", "--config", file.to_str().unwrap(), "--store_dir", folder.to_str().unwrap()])
    }

    /// Starts a server on the port of an earlier one.
    pub(crate) fn again(folder: &Path, port: u16) -> Self {
        Self::on_port(folder, port.into()).unwrap()
    }

    fn on_port(folder: &Path, port: i32) -> Option<Self> {
        Self::start(&["--port", &port.to_string(), "--store_dir", folder.to_str().unwrap()])
    }

    /// Starts a cluster of three servers, and waits until it has a leader.
    pub(crate) fn cluster(folder: &Path) -> Option<[Self; 3]> {
        Self::cluster_with(folder, |number, addresses, folder| {
            let routes = addresses.map(|address| format!("nats://{address}"));
            let (name, all) = (format!("server-{number}"), routes.join(","));
            let words = ["--cluster_name", "team", "--cluster", &routes[number], "--routes", &all, "--name", &name];
            words.into_iter().chain(["--store_dir", folder.to_str().unwrap()]).map(str::to_owned).collect()
        })
    }

    /// The same; `words` returns the arguments of a server, from its number, the addresses at which the servers reach each
    /// other, and its folder.
    pub(crate) fn cluster_with(
        folder: &Path,
        words: impl Fn(usize, &[SocketAddr; 3], &Path) -> Vec<String>,
    ) -> Option<[Self; 3]> {
        for attempt in 0..PORT_ATTEMPTS {
            if let Ok(cluster) = Self::cluster_on_free_ports(&folder.join(attempt.to_string()), &words)? {
                return Some(cluster);
            }
        }
        panic!("other programs took the ports of the cluster {PORT_ATTEMPTS} times");
    }

    /// Fails if another program takes one of the ports first: each server must know the ports of the others at its
    /// start, so they are chosen before.
    fn cluster_on_free_ports(
        folder: &Path,
        words: impl Fn(usize, &[SocketAddr; 3], &Path) -> Vec<String>,
    ) -> Option<Result<[Self; 3], RecvTimeoutError>> {
        let free = [(); 3].map(|()| TcpListener::bind(("127.0.0.1", 0)).unwrap());
        let addresses = free.map(|port| port.local_addr().unwrap());
        let start = |number: usize| {
            let folder = folder.join(number.to_string());
            std::fs::create_dir_all(&folder).unwrap();
            let words = words(number, &addresses, &folder);
            let words: Vec<_> = ["--port", "-1"].into_iter().chain(words.iter().map(String::as_str)).collect();
            Self::start(&words)
        };
        let cluster = [start(0)?, start(1)?, start(2)?];
        let led: Result<Vec<()>, _> = cluster.iter().map(|server| server.led.recv_timeout(ELECTED)).collect();
        Some(led.map(|_| cluster))
    }

    fn start(words: &[&str]) -> Option<Self> {
        let mut command = Command::new("nats-server");
        command.args(["--jetstream", "--addr", "127.0.0.1"]).args(words);
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let Ok(mut child) = spawned else {
            super::leave_out("nats-server is not installed: apt install nats-server, brew install nats-server");
            return None;
        };
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let listening = "Listening for client connections on 127.0.0.1:";
        let mut log = Vec::new();
        let port = lines.by_ref().map(Result::unwrap).find_map(|line| {
            log.push(line);
            Some(log.last()?.split_once(listening)?.1.parse().unwrap())
        });
        let port = port.unwrap_or_else(|| panic!("the server does not listen: {log:?}"));
        let (leads, led) = mpsc::channel();
        // A server whose log is not read would stop.
        let reading = std::thread::Builder::new().name("reads the log of a server".to_owned());
        reading
            .spawn(move || {
                for line in lines.map_while(Result::ok) {
                    if LEADER.iter().any(|part| line.contains(part)) {
                        let _ = leads.send(());
                    }
                }
            })
            .unwrap();
        Some(Self { child, port, led })
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Publishes these bytes on a subject, as any program can; waits until the server has read them.
    pub(crate) fn publish(&self, subject: &str, payload: &[u8]) {
        let (mut server, mut lines) = self.connection();
        write!(server, "PUB {subject} {}\r\n", payload.len()).unwrap();
        server.write_all(payload).unwrap();
        server.write_all(b"\r\nPING\r\n").unwrap();
        assert!(lines.any(|line| line.unwrap() == "PONG"));
    }

    /// Publishes bytes as [`Self::publish`] does, with these bytes as headers.
    pub(crate) fn publish_with_headers(&self, subject: &str, headers: &str, payload: &[u8]) {
        let (mut server, mut lines) = self.connection();
        let (length, all) = (headers.len(), headers.len() + payload.len());
        write!(server, "HPUB {subject} {length} {all}\r\n{headers}").unwrap();
        server.write_all(payload).unwrap();
        server.write_all(b"\r\nPING\r\n").unwrap();
        assert!(lines.any(|line| line.unwrap() == "PONG"));
    }

    /// Sends a request of the API about the stream of the store `staging`, such as `PURGE`; returns the response.
    pub(crate) fn of_stream(&self, what: &str, payload: &str) -> Value {
        let (mut server, lines) = self.connection();
        let subject = format!("$JS.API.STREAM.{what}.PLANTS_staging");
        write!(server, "SUB answer 1\r\nPUB {subject} answer {}\r\n{payload}\r\n", payload.len()).unwrap();
        let mut lines = lines.map(Result::unwrap).skip_while(|line| !line.starts_with("MSG answer"));
        let response: Value = serde_json::from_str(&lines.nth(1).unwrap()).unwrap();
        assert!(response["error"].is_null(), "{response}");
        response
    }

    /// Returns the JSON of a message of the team's stream.
    pub(crate) fn message(&self, number: u64) -> String {
        let found = self.of_stream("MSG.GET", &format!("{{\"seq\":{number}}}"));
        let payload = BASE64.decode(found["message"]["data"].as_str().unwrap().as_bytes()).unwrap();
        String::from_utf8(decompress_to_vec_zlib(&payload).unwrap()).unwrap()
    }

    fn connection(&self) -> (TcpStream, Lines<BufReader<TcpStream>>) {
        let mut server = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let lines = BufReader::new(server.try_clone().unwrap()).lines();
        server.write_all(b"CONNECT {\"verbose\":false,\"headers\":true}\r\n").unwrap();
        (server, lines)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
