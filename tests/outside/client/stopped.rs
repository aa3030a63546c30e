//! A program that is stopped, as by SIGSTOP, until after its time limit: a response that has arrived meanwhile counts.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::whole;
use crate::support::raw::is_whole;
use crate::support::{Ended, Home, end_of};

/// Runs a command that sends one plant, stops it once the request is there, and lets it go on after its time limit.
fn stopped(arguments: &[&str], response: Option<&str>) -> Ended {
    let (home, listener) = (Home::new(), TcpListener::bind("127.0.0.1:0").unwrap());
    home.write("a.csv", "id,name,tag\n7,Fern,shade\n");
    let base = format!("http://{}", listener.local_addr().unwrap());
    let child = home.plants_at(&base, &[arguments, &["--timeout", "1s", "--json"]].concat()).begun();
    let (mut stream, _) = listener.accept().unwrap();
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    while !is_whole(&request) {
        let count = stream.read(&mut buffer).unwrap();
        request.extend_from_slice(&buffer[..count]);
    }
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::STOP).unwrap();
    let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap();
    assert!(status.stopped());
    if let Some(response) = response {
        stream.write_all(response.as_bytes()).unwrap();
    }
    // Not for something that happens, but to be past the time limit.
    thread::sleep(Duration::from_millis(1500));
    kill_process(pid, Signal::CONT).unwrap();
    end_of(child)
}

#[test]
fn a_response_that_arrived_while_the_program_was_stopped_counts() {
    let space = " ".repeat(60_000);
    let response = whole("201 Created", &format!(r#"{{"name":"Fern","tag":"shade"{space}}}"#));
    for command in [&["add", "--name", "Fern", "--tag", "shade", "--id", "7"][..], &["import", "a.csv"]] {
        let ended = stopped(command, Some(&response)).orderly(0);
        assert!(!ended.stdout.contains("cut off"), "{ended:?}");
        let ended = stopped(command, None).orderly(4);
        assert!(ended.stdout.contains("no response within"), "{ended:?}");
    }
}
