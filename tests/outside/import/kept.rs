//! Stores that send a response too many on a connection that an import keeps: no row gets the outcome of another.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use super::{Output, import};
use crate::support::Home;
use crate::support::raw::is_whole;

/// The id of each row that was received, and the number of its connection, from 0.
type Row = (i64, usize);

/// Returns what to write after a request: given the number of the connection, and the ids on it so far.
type Script = fn(usize, &[i64]) -> String;

/// A store with kept connections that plays a script on each.
struct Store {
    address: SocketAddr,
    rows: Receiver<Row>,
}

impl Store {
    fn playing(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (note, rows) = mpsc::channel();
        let serve = move || {
            for (number, stream) in listener.incoming().enumerate() {
                let (stream, note) = (stream.unwrap(), note.clone());
                let play = move || play(stream, number, script, &note);
                thread::Builder::new().name(format!("connection {number}")).spawn(play).unwrap();
            }
        };
        thread::Builder::new().name("store".to_owned()).spawn(serve).unwrap();
        Self { address, rows }
    }

    /// Returns the ids of the rows on each connection, in order.
    fn by_connection(&self) -> Vec<Vec<i64>> {
        let mut connections = Vec::new();
        for (id, connection) in self.rows.try_iter() {
            connections.resize(connections.len().max(connection + 1), Vec::new());
            connections[connection].push(id);
        }
        connections
    }
}

fn play(mut stream: TcpStream, number: usize, script: Script, note: &Sender<Row>) {
    stream.set_nodelay(true).unwrap();
    let (mut ids, mut request, mut buffer) = (Vec::new(), Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        request.extend_from_slice(&buffer[..count]);
        if !is_whole(&request) {
            continue;
        }
        let text = String::from_utf8(std::mem::take(&mut request)).unwrap();
        let (_, rest) = text.split_once("\"id\":").unwrap();
        let id = rest.split(',').next().unwrap().parse().unwrap();
        ids.push(id);
        // The test may be over.
        let _ = note.send((id, number));
        if stream.write_all(script(number, &ids).as_bytes()).is_err() {
            return;
        }
    }
}

fn response(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

fn named(name: &str, tag: &str) -> String {
    response("201 Created", &format!(r#"{{"tag":"{tag}","name":"{name}"}}"#))
}

/// Accepts a row, except the second.
fn own(id: i64) -> String {
    if id == 2 { conflict() } else { named(&format!("plant {id}"), &format!("t{id}")) }
}

fn conflict() -> String {
    response("409 Conflict", r#"{"error":"id in use"}"#)
}

/// Imports these rows one after another; returns the outcome of each, and the rows on each connection.
fn outcomes(script: Script, rows: &str) -> (Vec<String>, Vec<Vec<i64>>, String) {
    let (home, store) = (Home::new(), Store::playing(script));
    home.write("a.csv", format!("id,name,tag\n{rows}"));
    let base = format!("http://{}", store.address);
    let ended = import(&home, &base, &["a.csv", "--concurrency", "1"]).ended();
    let mut outcomes = Output::of(&ended).rows;
    outcomes.sort_by_key(|row| row["line"].as_u64());
    let outcome = |row: &serde_json::Value| row["outcome"].as_str().unwrap().to_owned();
    (outcomes.iter().map(outcome).collect(), store.by_connection(), ended.stderr)
}

const ROWS: &str = "1,plant 1,t1\n2,plant 2,t2\n3,plant 3,t3\n4,plant 4,t4\n";

#[test]
fn a_late_response_to_another_row_is_not_the_rows_own() {
    // On the first connection, each response after the first one is that to the row before.
    let script = |connection, ids: &[i64]| match (connection, ids) {
        (0, [.., before, _]) => own(*before),
        (_, ids) => own(ids[ids.len() - 1]),
    };
    let (outcomes, connections, stderr) = outcomes(script, ROWS);
    assert_eq!(outcomes, ["accepted", "unknown", "accepted", "accepted"], "{stderr}");
    assert_eq!(connections, [vec![1, 2], vec![3], vec![4]]);
    let why = r#"201 Created with the name "plant 1" and the tag "t1", which are those of another row"#;
    assert!(stderr.contains("line 3: ") && stderr.contains(why), "{stderr}");
}

#[test]
fn a_response_that_nobody_can_tell_apart_makes_the_next_one_unknown() {
    // A rejection has no name. The response after it is that to the row that it was taken for.
    let script = |connection, ids: &[i64]| match (connection, ids) {
        (0, [3, 4]) => conflict(),
        (0, [3, 4, 5]) => own(4),
        (_, ids) => own(ids[ids.len() - 1]),
    };
    let rows = "3,plant 3,t3\n4,plant 4,t4\n5,plant 5,t5\n6,plant 6,t6\n";
    let (outcomes, connections, stderr) = outcomes(script, rows);
    assert_eq!(outcomes, ["accepted", "rejected", "unknown", "accepted"], "{stderr}");
    assert_eq!(connections, [vec![3, 4, 5], vec![6]]);
}

#[test]
fn after_bytes_that_come_before_their_request_each_row_has_a_connection() {
    let too_many: Script = |connection, ids| match (connection, own(ids[ids.len() - 1])) {
        (0, own) => own + &conflict(),
        (_, own) => own,
    };
    let empty_line: Script = |connection, ids| match (connection, own(ids[ids.len() - 1])) {
        (0, own) => own + "\r\n",
        (_, own) => own,
    };
    for script in [too_many, empty_line] {
        let (outcomes, connections, stderr) = outcomes(script, ROWS);
        assert_eq!(outcomes, ["accepted", "rejected", "accepted", "accepted"], "{stderr}");
        assert_eq!(connections, [[1], [2], [3], [4]]);
    }
}

#[test]
fn a_store_that_changes_names_keeps_its_connection() {
    let trims: Script = |_, ids| named(&format!("Plant{}", ids[ids.len() - 1]), "t");
    let same: Script = |_, _| named("plant", "t");
    let nothing: Script = |_, _| response("201 Created", "");
    for (script, rows) in [(trims, ROWS), (same, "1,plant,t\n2,plant,t\n3,plant,t\n4,plant,t\n"), (nothing, ROWS)] {
        let (outcomes, connections, stderr) = outcomes(script, rows);
        assert_eq!(outcomes, ["accepted"; 4], "{stderr}");
        assert!(connections.len() < 4, "{connections:?}");
    }
}
