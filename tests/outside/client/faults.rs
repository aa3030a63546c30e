//! Runs the real program against every known kind of misbehaving store, and checks the outcome, exit code and
//! message, that the program ends with bounded memory, and that it sends one request.
//!
//! `PLANTS_TABLE=1 cargo test --test outside faults -- --nocapture` prints the table.

use std::fs;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustls::SupportedProtocolVersion;
use rustls::version::{TLS12, TLS13};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};

use super::server::{Server, Step};
use super::tls::{certified, certified_for_clients, certified_with};
use super::*;
use crate::support::extent::{is_set, step};
use crate::support::{Home, end_of};

/// The memory limit of one run, in KiB: enough for a debug build, and far less than a flood of bytes.
const MEMORY: u64 = 96 * 1024;

/// The number of simultaneous runs.
const AT_ONCE: usize = 3;

/// How the program connects to the store.
#[derive(Clone)]
enum Way {
    /// Over plain HTTP.
    Plain,
    /// Over TLS with a trusted authority: the names of the certificate, and its validity.
    Tls(&'static [&'static str], Time),
    /// Over TLS with an unknown authority.
    Untrusted,
    /// Over TLS that requires a client certificate.
    ClientCertificate(&'static SupportedProtocolVersion),
    /// To a server without TLS, by https.
    NoTls,
    /// Through a proxy of the environment, which plays the script.
    Proxy,
    /// Through a proxy that opens a tunnel to a store with an unknown authority.
    Tunnel,
    /// Through a proxy without a listener.
    ProxyDown,
    /// Over IPv6.
    Six,
    /// By a name with a label that is too long for DNS, so that no name server is needed.
    Unresolvable,
}

/// The validity of a certificate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    Now,
    Expired,
    Future,
}

struct Fault {
    what: &'static str,
    way: Way,
    script: Vec<Step>,
    /// The time limit of the program.
    timeout: &'static str,
    /// `outcome` and `status` of `plants add --json`.
    outcome: &'static str,
    status: Option<u16>,
    /// A part of the `message` or the mismatches.
    says: &'static str,
}

/// For cases that must not depend on time.
const LONG_TIMEOUT: &str = "60s";
/// For cases that end by the time limit.
const SHORT_TIMEOUT: &str = "1s";

fn fault(what: &'static str, script: Vec<Step>, outcome: &'static str, status: u16, says: &'static str) -> Fault {
    let status = (status > 0).then_some(status);
    Fault { what, way: Way::Plain, script, timeout: LONG_TIMEOUT, outcome, status, says }
}

fn late(what: &'static str, script: Vec<Step>, outcome: &'static str, status: u16, says: &'static str) -> Fault {
    Fault { timeout: SHORT_TIMEOUT, ..fault(what, script, outcome, status, says) }
}

fn by(way: Way, fault: Fault) -> Fault {
    Fault { way, ..fault }
}

fn bytes(bytes: impl Into<Vec<u8>>) -> Vec<Step> {
    vec![Step::Read, Step::Write(bytes.into())]
}

fn then(mut script: Vec<Step>, step: Step) -> Vec<Step> {
    script.push(step);
    script
}

const NO_RESPONSE: &str = "the connection ended without a usable response";
const LATE: &str = "no response within";
const NO_WAY: &str = "no connection to the store";

/// Lists the faults without a valid status line.
fn without_a_response() -> Vec<Fault> {
    let none = |what, script| fault(what, script, "unknown", 0, NO_RESPONSE);
    vec![
        none("closes before the request", vec![]),
        none("closes after some of the request", vec![Step::ReadSome]),
        none("closes after the request", vec![Step::Read]),
        none("resets during the request", vec![Step::ReadSome, Step::Reset]),
        none("resets after the request", vec![Step::Read, Step::Reset]),
        late("never reads", vec![Step::Idle], "unknown", 0, LATE),
        late("never responds", vec![Step::Read, Step::Hold], "unknown", 0, LATE),
        late("one byte at a time", vec![Step::Read, Step::Drip(whole("201 Created", GOOD).into())], "unknown", 0, LATE),
        none("half a status line", responses("HTTP/1.1 20")),
        none("half the headers", responses("HTTP/1.1 201 Created\r\nContent-Le")),
        none("a status line that is none", responses("HTTP/1.1 abc Created\r\n\r\n")),
        none("a status below 100", responses("HTTP/1.1 099 Low\r\n\r\n")),
        none("a status of four digits", responses("HTTP/1.1 2010 Created\r\n\r\n")),
        none("HTTP/0.9", responses(GOOD)),
        none("HTTP/9.9", responses("HTTP/9.9 201 Created\r\n\r\n")),
        none("another protocol", responses("SSH-2.0-OpenSSH_9.9\r\n")),
        none("bytes", bytes([0xff, 0x00, 0x1b, 0x16, 0x03])),
        none("HTTP/2 settings", bytes(*b"\0\0\0\x04\0\0\0\0\0")),
        none("HTTP/2 GOAWAY", bytes(*b"\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x01")),
        none("HTTP/2 reset of a stream", bytes(*b"\0\0\x04\x03\0\0\0\0\x01\0\0\0\x08")),
        none("a header of 1 MiB", responses(&format!("HTTP/1.1 201 Created\r\nX: {}\r\n\r\n", "x".repeat(1 << 20)))),
        none("1,000 headers", responses(&format!("HTTP/1.1 201 Created\r\n{}\r\n", "X: y\r\n".repeat(1_000)))),
        none(
            "headers without end",
            vec![
                Step::Read,
                write("HTTP/1.1 201 Created\r\n"),
                Step::Repeat(b"X-Y: zzzzzzzzzzzzzzzzzzzzzzzz\r\n".to_vec()),
            ],
        ),
        none("a status line without end", vec![Step::Read, write("HTTP/1.1 201 "), Step::Flood(usize::MAX)]),
        late(
            "interim responses without end",
            vec![Step::Read, Step::Repeat(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec())],
            "unknown",
            0,
            LATE,
        ),
        none("an interim response and no more", responses("HTTP/1.1 100 Continue\r\n\r\n")),
        none("a length that is none", responses("HTTP/1.1 201 Created\r\nContent-Length: x\r\n\r\n")),
        none("two lengths", responses("HTTP/1.1 201 Created\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")),
        none(
            "a length past 64 bits",
            responses("HTTP/1.1 201 Created\r\nContent-Length: 99999999999999999999\r\n\r\n"),
        ),
        none("a reason that attacks", responses("HTTP/1.1 409 \u{1b}]0;owned\u{7}\r\nContent-Length: 0\r\n\r\n")),
        none("a negative length", responses("HTTP/1.1 201 Created\r\nContent-Length: -1\r\n\r\n")),
        fault(
            "switches protocols",
            responses("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
            "unknown",
            101,
            "which decides nothing",
        ),
    ]
}

/// Lists the faults after the status line, which decides all the same.
fn with_a_bad_body() -> Vec<Fault> {
    let yes = |what, script, says| fault(what, script, "accepted", 201, says);
    let created = "Added Monstera (7): 201 Created";
    let in_time = "not all of it came within the time limit of 1.0 s";
    let length = |digits: &str, body: &str| {
        responses(&format!("HTTP/1.1 201 Created\r\nContent-Length: {digits}\r\n\r\n{body}"))
    };
    let chunks =
        |chunks: &str| responses(&format!("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"));
    let json = |body: &str| responses(&whole("201 Created", body));
    vec![
        yes("a length that is too long", length("1000", GOOD), created),
        yes("a length that is too short", length("3", GOOD), created),
        yes("broken chunks", chunks("zz\r\nnonsense"), created),
        yes("a chunk past 64 bits", chunks("fffffffffffffffff\r\nx"), created),
        yes("half a chunk", chunks("24\r\n{\"name\""), created),
        yes("an early close", length("100", "{\"na"), created),
        late("a body that stops", then(length("100", "{\"na"), Step::Hold), "accepted", 201, in_time),
        late(
            "a body, one byte at a time",
            then(length("100000", ""), Step::Drip(vec![b'x'; 100_000])),
            "accepted",
            201,
            in_time,
        ),
        yes("1 GB of body", then(length("1000000000", ""), Step::Flood(usize::MAX)), created),
        yes(
            "a body without end",
            vec![Step::Read, write("HTTP/1.1 201 Created\r\n\r\n"), Step::Flood(usize::MAX)],
            created,
        ),
        yes("a gzip bomb", bytes(gzip_bomb()), "compressed with gzip, which was not requested, and is not decoded"),
        yes("invalid UTF-8", json("\u{fffd}").into_iter().chain([Step::Write(vec![0xff, 0xfe])]).collect(), created),
        yes("NUL", json("{\"name\":\"\0\"}"), created),
        yes("deep JSON", json(&"[".repeat(100_000)), created),
        yes("wide JSON", json(&format!("[{}1]", "1,".repeat(300_000))), created),
        yes("a number of a million digits", json(&"9".repeat(1_000_000)), created),
        yes("escape sequences", json("\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J"), created),
        fault(
            "204 with a body",
            responses("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok"),
            "accepted",
            204,
            "204",
        ),
        fault(
            "a rejection without end",
            vec![Step::Read, write("HTTP/1.1 400 No\r\n\r\n"), Step::Flood(usize::MAX)],
            "rejected",
            400,
            "400 No",
        ),
        fault("a failure", responses(&whole("503 Busy", "")), "unknown", 503, "which decides nothing"),
        fault(
            "too slow a request",
            responses(&whole("408 Request Timeout", "")),
            "unknown",
            408,
            "which decides nothing",
        ),
        fault("beyond all classes", responses(&whole("999 Beyond", "")), "unknown", 999, "which decides nothing"),
    ]
}

/// Returns a small gzip body that would be huge if it was unpacked.
fn gzip_bomb() -> Vec<u8> {
    let mut body =
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xec\xc1\x01\x01\x00\x00\x00\x80\x90\xfe\xaf\xee\x08".to_vec();
    body.extend(std::iter::repeat_n(0, 40_000));
    let head = format!("HTTP/1.1 201 Created\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.into_bytes(), body].concat()
}

/// Lists the redirects, which are never followed.
fn redirects() -> Vec<Fault> {
    let to = |what, place: &str| {
        let response = format!("HTTP/1.1 307 Temporary Redirect\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n");
        fault(what, responses(&response), "rejected", 307, "redirects are never followed")
    };
    let says_where = |fault: Fault, says| Fault { says, ..fault };
    vec![
        says_where(to("a redirect on the same host", "/v2/plants"), "It points to /v2/plants; redirects are never"),
        says_where(
            to("a redirect to another host", "http://127.0.0.2:9/plants"),
            "It points to http://127.0.0.2:9/plants; redirects are never followed",
        ),
        to("a redirect to itself", "/plants"),
        by(Way::Tls(&["localhost"], Time::Now), to("a redirect from https to http", "http://localhost:9/plants")),
        to("a redirect to nowhere", "\u{1b}[2J"),
    ]
}

/// Lists the faults before there is a connection.
fn without_a_connection() -> Vec<Fault> {
    let not_sent = |what, script| fault(what, script, "not_sent", 0, NO_WAY);
    let yes = || responses(&whole("201 Created", GOOD));
    let tls = |way, what, says| by(way, fault(what, yes(), "not_sent", 0, says));
    vec![
        tls(
            Way::Untrusted,
            "a certificate of an unknown authority",
            "the certificate of the store is signed by no authority known here; --ca-cert or ca_cert can name one",
        ),
        tls(
            Way::Tls(&["elsewhere.example"], Time::Now),
            "a certificate of another host",
            "the certificate of the store is for elsewhere.example, not for localhost",
        ),
        tls(
            Way::Tls(&["localhost"], Time::Expired),
            "an expired certificate",
            "the certificate of the store has expired",
        ),
        tls(
            Way::Tls(&["localhost"], Time::Future),
            "a certificate that is not valid yet",
            "the certificate of the store is not valid yet",
        ),
        tls(Way::ClientCertificate(&TLS12), "a client certificate required, TLS 1.2", CLIENT_CERTIFICATE),
        // The handshake is complete and the request is in flight.
        by(
            Way::ClientCertificate(&TLS13),
            fault("a client certificate required, TLS 1.3", yes(), "unknown", 0, CLIENT_CERTIFICATE),
        ),
        by(
            Way::NoTls,
            fault(
                "a TLS that is too old",
                vec![Step::ReadSome, Step::Write(vec![0x15, 3, 1, 0, 2, 2, 70])],
                "not_sent",
                0,
                "the store speaks no TLS that this program does, which is TLS 1.2 and 1.3: it may be too old",
            ),
        ),
        by(Way::NoTls, not_sent("no TLS at all", vec![Step::ReadSome, write("HTTP/1.1 400 Bad Request\r\n\r\n")])),
        by(
            Way::NoTls,
            not_sent("TLS cut in the middle", vec![Step::ReadSome, Step::Write(vec![0x16, 3, 3, 0, 80, 2, 0])]),
        ),
        by(Way::NoTls, not_sent("TLS reset in the middle", vec![Step::ReadSome, Step::Reset])),
        by(Way::Unresolvable, not_sent("a name that does not resolve", yes())),
        by(Way::NoTls, late("TLS that never responds", vec![Step::ReadSome, Step::Hold], "not_sent", 0, "within")),
    ]
}

const CLIENT_CERTIFICATE: &str =
    "the store asks for a client certificate, and there is none: client_cert in its profile names one";

/// Lists the faults of a proxy.
fn behind_a_proxy() -> Vec<Fault> {
    let not_sent = |way, what, script, says| by(way, fault(what, script, "not_sent", 0, says));
    let response = |status| responses(&whole(status, ""));
    vec![
        not_sent(Way::ProxyDown, "a proxy that is down", vec![], "the proxy 127.0.0.1:{port} cannot be reached"),
        not_sent(
            Way::Proxy,
            "a proxy that asks for a password",
            response("407 Proxy Authentication Required"),
            "the proxy 127.0.0.1:{port} asks for a user name and password (407)",
        ),
        not_sent(
            Way::Proxy,
            "a proxy that does not reach the store",
            response("502 Bad Gateway"),
            "the proxy 127.0.0.1:{port} opened no connection to the store",
        ),
        not_sent(
            Way::Proxy,
            "a proxy that hangs up",
            vec![Step::ReadSome],
            "the proxy 127.0.0.1:{port} opened no connection to the store",
        ),
        not_sent(
            Way::Tunnel,
            "a certificate of an unknown authority, behind a proxy",
            vec![],
            "the certificate of the store is signed by no authority known here; --ca-cert or ca_cert can name one, by way \
             of the proxy 127.0.0.1:{port}",
        ),
    ]
}

/// Lists the responses with a hint in their message.
fn with_a_hint() -> Vec<Fault> {
    let no = |what, status: &'static str, head: &str, says| {
        let response = format!("HTTP/1.1 {status}\r\n{head}Content-Length: 0\r\n\r\n");
        fault(what, responses(&response), "rejected", status.split(' ').next().unwrap().parse().unwrap(), says)
    };
    let basic = "WWW-Authenticate: Basic realm=\"x\"\r\n";
    let created = |head: &str, body: &str| {
        responses(&format!("HTTP/1.1 201 Created\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len()))
    };
    vec![
        no(
            "a gateway that asks for a password",
            "401 Unauthorized",
            basic,
            "A gateway in front of the store asks for a user name and password (Basic)",
        ),
        no("a path that takes no POST", "405 Method Not Allowed", "Allow: GET\r\n", "the base URL may be wrong"),
        no("nothing modified", "304 Not Modified", "", "304 is no valid response to this request"),
        no("too many requests", "429 Too Many Requests", "", "It asks for fewer requests: wait before the next."),
        no(
            "too many requests, and a pause",
            "429 Too Many Requests",
            "Retry-After: 120\r\n",
            "It asks to wait 2 min before the next request (Retry-After: 120).",
        ),
        fault(
            "a reason",
            responses(&whole("409 Conflict", r#"{"error":"id in use"}"#)),
            "rejected",
            409,
            "The store rejected Monstera (7): 409 Conflict, \"id in use\". It may already",
        ),
        fault(
            "a compressed reason",
            bytes(*b"HTTP/1.1 400 No\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b"),
            "rejected",
            400,
            "Its reason cannot be shown: the response is compressed with gzip",
        ),
        fault(
            "plain text",
            created("Content-Type: text/plain\r\n", GOOD),
            "accepted",
            201,
            "the response is text/plain, not application/json",
        ),
        fault("no media type", created("", GOOD), "accepted", 201, "the response has a body and no Content-Type"),
        fault(
            "a location of the plant",
            created("Content-Type: application/json\r\nLocation: /plants/7\r\n", GOOD),
            "accepted",
            201,
            "ms. Location: /plants/7.",
        ),
    ]
}

fn faults() -> Vec<Fault> {
    let sound = fault("nothing wrong", responses(&whole("201 Created", GOOD)), "accepted", 201, "Added Monstera (7)");
    let over_six = by(
        Way::Six,
        fault("nothing wrong, over IPv6", responses(&whole("201 Created", GOOD)), "accepted", 201, "Added"),
    );
    let mut all = vec![sound, over_six];
    all.extend(without_a_response());
    all.extend(with_a_bad_body());
    all.extend(redirects());
    all.extend(without_a_connection());
    all.extend(behind_a_proxy());
    all.extend(with_a_hint());
    all
}

/// Polls the peak memory of a process in KiB until it has ended; 0 if the system does not report it.
fn peak(child: &Child) -> impl FnOnce() -> u64 + use<> {
    let status = format!("/proc/{}/status", child.id());
    let (most, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let (shared, ended) = (Arc::clone(&most), Arc::clone(&over));
    let polling = thread::Builder::new().name("memory poll".to_owned()).spawn(move || {
        while !ended.load(Ordering::SeqCst) {
            let Ok(text) = fs::read_to_string(&status) else { return };
            // Until it has its own name, the process still has the memory of this one.
            let mut lines = text.lines().skip_while(|line| *line != "Name:\tplants");
            let peak = lines.find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
            shared.fetch_max(peak.unwrap_or(0), Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
        }
    });
    let polling = polling.unwrap();
    move || {
        over.store(true, Ordering::SeqCst);
        polling.join().unwrap();
        most.load(Ordering::SeqCst)
    }
}

/// Runs the real program against one fault; returns its line of the table.
async fn run(fault: Fault) -> String {
    let Fault { what, way, script, timeout, outcome, status, says } = fault;
    let trusted = |names: &[&str], time: Time| match time {
        Time::Now => certified(names),
        Time::Expired => certified_with(names, (1975, 1980)),
        Time::Future => certified_with(names, (3000, 3001)),
    };
    let (server, scheme, authority) = match &way {
        Way::Plain | Way::Unresolvable => (Server::playing(script).await, "http://127.0.0.1", None),
        Way::Six => (Server::playing_on("[::1]:0", script).await, "http://[::1]", None),
        Way::NoTls => (Server::playing(script).await, "https://localhost", None),
        Way::ClientCertificate(version) => {
            let (tls, authority, _) = certified_for_clients(&["localhost"], version);
            (Server::playing_encrypted(script, tls).await, "https://localhost", Some(authority))
        }
        Way::Proxy | Way::ProxyDown => (Server::playing(script).await, "https://store.invalid", None),
        Way::Tunnel => {
            let (tls, _) = certified(&["store.invalid"]);
            (Server::playing_in_a_tunnel(script, tls).await, "https://store.invalid", None)
        }
        Way::Tls(names, time) => {
            let (tls, authority) = trusted(names, *time);
            (Server::playing_encrypted(script, tls).await, "https://localhost", Some(authority))
        }
        Way::Untrusted => {
            let (tls, _) = certified(&["localhost"]);
            (Server::playing_encrypted(script, tls).await, "https://localhost", None)
        }
    };
    let is_unreached = matches!(way, Way::Unresolvable | Way::ProxyDown);
    let down = ClosedPort::new();
    let proxy = match way {
        Way::Proxy | Way::Tunnel => Some(server.port()),
        Way::ProxyDown => Some(down.address().port()),
        Way::Plain
        | Way::Tls(..)
        | Way::Untrusted
        | Way::ClientCertificate(_)
        | Way::NoTls
        | Way::Six
        | Way::Unresolvable => None,
    };
    let base = match way {
        Way::Unresolvable => format!("http://{}.invalid:{}", "a".repeat(64), server.port()),
        Way::Proxy | Way::Tunnel | Way::ProxyDown => scheme.to_owned(),
        Way::Plain | Way::Tls(..) | Way::Untrusted | Way::ClientCertificate(_) | Way::NoTls | Way::Six => {
            format!("{scheme}:{}", server.port())
        }
    };
    let (ended, memory) = spawn_blocking(move || {
        let home = Home::new();
        let words = "add --id 7 --name Monstera --tag tropical --json --allow-http --timeout";
        let mut words: Vec<_> = words.split(' ').chain([timeout]).collect();
        let file = authority.map(|pem| home.write("authority.pem", pem).display().to_string());
        words.extend(file.iter().flat_map(|file| ["--ca-cert", file]));
        let mut run = home.plants_at(&base, &words).env("PLANTS_TOKEN", CANARY);
        if let Some(port) = proxy {
            run = run.env("https_proxy", format!("http://me:{CANARY}@127.0.0.1:{port}"));
        }
        let child = run.begun();
        let memory = peak(&child);
        (end_of(child), memory())
    })
    .await
    .unwrap();
    let exit = match outcome {
        "accepted" => 0,
        "rejected" => 1,
        "not_sent" => 3,
        _ => 4,
    };
    for text in [&ended.stdout, &ended.stderr] {
        assert!(!text.contains(CANARY), "{what}: the output contains the token: {text}");
    }
    let ended = ended.orderly(exit);
    let summary = ended.json();
    let message = summary["message"].as_str().unwrap().to_owned();
    assert_eq!(
        (summary["outcome"].as_str(), summary["status"].as_u64()),
        (Some(outcome), status.map(u64::from)),
        "{what}: {message}"
    );
    let mismatches: Vec<_> =
        summary["mismatches"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    let words = format!("{message} {}", mismatches.join("; "));
    let says = says.replace("{port}", &proxy.unwrap_or_default().to_string());
    assert!(words.contains(&says) && message.ends_with('.'), "{what}: {words}");
    assert!(memory < MEMORY, "{what}: {memory} KiB");
    let requests = server.close().await.len();
    assert_eq!(requests, usize::from(!is_unreached), "{what}: the number of requests");
    let elapsed = summary["elapsed_ms"].as_f64().unwrap();
    format!("| {what} | {outcome} | {words} | {elapsed:.0} ms | {} MiB |", memory / 1024)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stdout, reason = "prints the table")]
async fn every_fault_has_its_outcome_and_sentence_and_ends() {
    let (permits, mut running) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
    let all = faults();
    let count = all.len();
    for (at, fault) in all.into_iter().enumerate().step_by(step(3)) {
        let permits = Arc::clone(&permits);
        running.spawn(async move {
            let _permit = permits.acquire().await.unwrap();
            (at, run(fault).await)
        });
    }
    let (mut lines, mut failed) = (Vec::new(), 0);
    while let Some(ended) = running.join_next().await {
        // A failed task has already printed its panic.
        match ended {
            Ok(line) => lines.push(line),
            Err(_) => failed += 1,
        }
    }
    assert_eq!(failed, 0, "failed cases out of {count}");
    lines.sort();
    if is_set("PLANTS_TABLE") {
        println!("| fault | outcome | sentence | time | memory |\n| --- | --- | --- | --- | --- |");
        for (_, line) in lines {
            println!("{line}");
        }
    }
    let document = include_str!("../../../docs/journal.md");
    assert!(
        document.contains(&format!("{count} kinds of store")),
        "docs/journal.md does not say that there are {count}"
    );
}

#[tokio::test]
async fn every_status_from_100_to_999_has_its_outcome() {
    for status in 100..=999_u16 {
        let response = format!("HTTP/1.1 {status} Whatever\r\nContent-Length: 0\r\n\r\n");
        let server = Server::playing(responses(&response)).await;
        let exchange =
            sent(&client(&server.url("http"), within(LONG), Route::default()), monstera(), CancellationToken::new())
                .await;
        let expected = match status {
            200..=299 => Outcome::Accepted,
            408 => Outcome::Unknown,
            300..=499 => Outcome::Rejected,
            _ => Outcome::Unknown,
        };
        assert_eq!(exchange.outcome(), expected, "{status}: {:?}", exchange.ending);
        assert_eq!(server.close().await.len(), 1, "{status}");
    }
}
