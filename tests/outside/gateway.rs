//! Stores behind a gateway: extra headers with secret values, and client certificates.

use std::path::Path;

use rustls::SupportedProtocolVersion;
use rustls::version::{TLS12, TLS13};
use tokio::task::spawn_blocking;

use crate::client::server::{Server, Step};
use crate::client::tls::{ClientFiles, certified_for_clients};
use crate::secrets::{CANARY, SAFE, assert_no_token_below, assert_no_token_in, responses, verbose};
use crate::support::extent::step;
use crate::support::raw::{RawStore, Reply};
use crate::support::{Home, Run};

const ADD: [&str; 8] = ["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--json"];

/// The sources of a header, in a home with its file.
fn sources(home: &Home) -> [(&'static str, String); 3] {
    let file = home.path().join(SAFE).join("key").display().to_string();
    [
        ("file", format!("{{ file = '{file}' }}")),
        ("env", "{ env = 'GATEWAY_KEY' }".to_owned()),
        ("command", format!("{{ command = ['cat', '{file}'] }}")),
    ]
}

/// Returns a home with a profile `gateway` whose store gets the canary as a header from this source.
fn home_of(base: &str, source: impl Fn(&Home) -> String) -> Home {
    let home = Home::new();
    home.write(&format!("{SAFE}/key"), format!("{CANARY}\n"));
    let headers = format!("headers = {{ 'X-Gateway-Key' = {} }}", source(&home));
    home.config(format!("[profile.gateway]\nbase_url = '{base}'\n{headers}\n"));
    home
}

fn run(home: &Home, words: &[&str]) -> Run {
    let run = home.plants(words).env("PLANTS_PROFILE", "gateway").env("GATEWAY_KEY", CANARY);
    // Its file is searched, too.
    let run = run.env("PLANTS_LOG", home.path().join("log"));
    verbose(run.env("PLANTS_TOKEN", "the-token-of-the-store"))
}

#[test]
fn the_value_of_a_header_is_sent_and_appears_in_no_output_or_file() {
    let responses = responses();
    for at in 0..3 {
        let tried: Vec<_> = responses.iter().skip(at % step(3)).step_by(step(3)).collect();
        let store = RawStore::replying(tried.iter().map(|(_, reply)| reply.clone()).collect());
        let home = home_of(&store.url(), |home| sources(home)[at].1.clone());
        let (source, _) = sources(&home)[at];
        for (id, (what, _)) in tried.iter().enumerate() {
            let (about, id) = (format!("{source}, {what}"), id.to_string());
            let ended = run(&home, &["add", "--id", &id, "--name", "Fern", "--tag", "shade", "--json"]).ended();
            assert!(matches!(ended.code, Some(0 | 1 | 4)), "{about}: {ended:?}");
            assert_no_token_in(&ended, &about);
        }
        for words in [
            &["list", "--json"][..],
            &["history", "--json"],
            &["history", "--as", "curl"],
            &["history", "--as", "markdown"],
            &["export", "plants.csv", "--force"],
            &["check", "--yes", "--gentle", "--format", "markdown", "--output", "check.md", "--pace", "0s"],
        ] {
            assert_no_token_in(&run(&home, words).ended(), &format!("{source}, {words:?}"));
        }
        let curl = run(&home, &["history", "--as", "curl"]).ended().stdout;
        assert!(curl.contains("\ntest -n \"$PLANTS_HEADER_X_GATEWAY_KEY\" && curl -q "), "{curl}");
        assert!(curl.contains("'x-gateway-key: '\"$PLANTS_HEADER_X_GATEWAY_KEY\""), "{curl}");
        assert_no_token_below(&home, source);
        let received = store.received();
        let with_it = received.iter().filter(|request| request.contains(&format!("x-gateway-key: {CANARY}\r\n")));
        assert!(with_it.count() >= tried.len(), "{source}: {received:?}");
    }
}

#[test]
fn a_header_goes_to_no_other_base_url_and_to_the_store_with_every_request_of_a_batch() {
    let (store, other) = (RawStore::saying("201 Created", "{}"), RawStore::saying("201 Created", "{}"));
    let home = home_of(&store.url(), |home| sources(home)[0].1.clone());
    run(&home, &[&ADD[..], &["--base-url", &other.url()]].concat()).ended();
    home.write("plants.csv", "id,name,tag\n1,Fern,shade\n2,Moss,shade\n");
    run(&home, &["import", "plants.csv"]).ended();
    assert!(other.received().iter().all(|request| !request.contains("x-gateway-key")));
    let received = store.received();
    assert!(
        received.len() == 2 && received.iter().all(|request| request.contains(&format!("x-gateway-key: {CANARY}\r\n"))),
        "{received:?}"
    );
}

#[test]
fn headers_are_fetched_again_with_the_token() {
    let store = RawStore::replying(vec![Reply::of("401 No", ""), Reply::of("201 Created", "{}")]);
    let home = Home::new();
    let count = home.path().join("count");
    // Each run prints another key: the first has one x, the second two.
    let key = format!("printf x >> '{0}'; echo key-$(cat '{0}')", count.display());
    home.config(format!(
        "[profile.gateway]\nbase_url = '{}'\ntoken_command = ['echo', 'token']\n\
         headers = {{ X-Gateway-Key = {{ command = ['sh', '-c', \"{key}\"] }} }}\n",
        store.url()
    ));
    home.write("plants.csv", "id,name,tag\n1,Fern,shade\n");
    let run = home.plants(&["import", "plants.csv"]).env("PLANTS_PROFILE", "gateway").ended();
    let received = store.received();
    let keys: Vec<_> =
        received.iter().flat_map(|request| request.lines()).filter(|line| line.starts_with("x-gateway")).collect();
    assert_eq!(keys, ["x-gateway-key: key-x", "x-gateway-key: key-xx"], "{run:?}");
}

#[test]
fn every_fault_of_headers_and_certificates_is_listed_before_anything_is_sent() {
    let store = RawStore::saying("201 Created", "{}");
    let home = Home::new();
    home.write(".config/plants/empty.pem", "");
    let path = home.config(format!(
        r#"[profile.gateway]
base_url = "{}"
client_key = "me.key"
[profile.gateway.headers]
Authorization = {{ env = "A" }}
"X Y" = {{ env = "A" }}
X-Plain = "{CANARY}"
X-Two = {{ env = "A", file = "a" }}
X-None = {{}}
X-Odd = {{ fiel = "a" }}
x-two = {{ env = "A" }}
X-Variable = {{ env = "{CANARY}" }}
[profile.other]
base_url = "https://plants.example"
proxy = "https://proxy.example"
client_cert = "empty.pem"
"#,
        store.url()
    ));
    let faults = |profile: &str| {
        let ended = home.plants(&ADD).env("PLANTS_PROFILE", profile).env("PLANTS_TOKEN", "t").ended().orderly(2);
        assert_no_token_in(&ended, "a fault");
        let config = format!("{}:", path.display());
        let faults =
            ended.stderr.lines().filter_map(|line| line.split_once(&config)).map(|(_, fault)| fault.to_owned());
        faults.collect::<Vec<_>>()
    };
    let write = "{ command = [\"pass\", \"show\", \"gateway\"] }, { file = \"…\" } or { env = \"…\" }";
    let of_profiles = [
        "3: profile.gateway.client_key: client_cert is missing: name the certificate that belongs to this key".to_owned(),
        "5: profile.gateway.headers.Authorization: the program sets this header itself: leave it out".to_owned(),
        "6: profile.gateway.headers.\"X Y\": this is no name of a header: letters, digits and -, like X-Api-Key".to_owned(),
        format!("7: profile.gateway.headers.X-Plain: found a text in quotes, wanted the source of its value: {write}"),
        "8: profile.gateway.headers.X-Two.env: a header has one source of its value, and file is in line 8: remove one of the two".to_owned(),
        format!("9: profile.gateway.headers.X-None: the source of its value is missing: write {write}"),
        "10: profile.gateway.headers.X-Odd.fiel: unknown source; there are command, file and env; did you mean file?".to_owned(),
        "11: profile.gateway.headers.x-two: this header is already in line 8: remove one of the two".to_owned(),
        "12: profile.gateway.headers.X-Variable.env: this is no name of an environment variable: letters, digits and _, \
         without $"
            .to_owned(),
    ];
    assert_eq!(faults("gateway"), of_profiles);
    let of_its_certificate = [
        "16: profile.other.client_cert: a client certificate is for the store alone, and an https proxy could ask for \
         it: use an http proxy"
            .to_owned(),
        format!(
            "16: profile.other.client_cert: {}: it contains no certificate: it must be PEM, with -----BEGIN \
             CERTIFICATE-----",
            path.with_file_name("empty.pem").display()
        ),
    ];
    assert_eq!(faults("other"), [&of_profiles[..], &of_its_certificate].concat());
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn a_value_that_is_no_header_value_is_not_sent() {
    let store = RawStore::saying("201 Created", "{}");
    for value in [format!("{CANARY}\nx"), format!("{CANARY}\u{1b}"), format!("{CANARY}é"), String::new()] {
        let home = home_of(&store.url(), |_| "{ env = 'GATEWAY_KEY' }".to_owned());
        let ended = run(&home, &ADD).env("GATEWAY_KEY", &value).ended().orderly(2);
        assert_no_token_in(&ended, "an invalid value");
        assert!(ended.stderr.contains("no header x-gateway-key from $GATEWAY_KEY: "), "{ended:?}");
        assert!(ended.stderr.contains("Nothing was sent."), "{ended:?}");
    }
    assert_eq!(store.received(), [""; 0]);
}

/// Adds a plant at a store that demands a client certificate, with the files that `configured` writes. Returns the exit
/// code, the output, and the number of requests that arrived.
async fn add_at(
    version: &'static SupportedProtocolVersion,
    configured: impl FnOnce(&Home, ClientFiles) -> String + Send + 'static,
) -> (Option<i32>, String, usize) {
    let response = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    let (tls, authority, client) = certified_for_clients(&["localhost"], version);
    let script = vec![Step::Read, Step::Write(response.as_bytes().to_vec())];
    let server = Server::playing_encrypted(script, tls).await;
    let base = format!("https://localhost:{}", server.port());
    let ended = spawn_blocking(move || {
        let home = Home::new();
        home.write(".config/plants/ca.pem", authority);
        let lines = configured(&home, client);
        home.config(format!("[profile.gateway]\nbase_url = '{base}'\nca_cert = 'ca.pem'\n{lines}\n"));
        home.plants(&ADD).env("PLANTS_PROFILE", "gateway").env("PLANTS_TOKEN", "token").ended()
    });
    let ended = ended.await.unwrap();
    let requests = server.close().await.iter().filter(|request| !request.is_empty()).count();
    (ended.code, ended.stdout + &ended.stderr, requests)
}

#[tokio::test]
async fn a_client_certificate_is_presented_to_a_store_that_demands_one() {
    for version in [&TLS12, &TLS13] {
        let two = |home: &Home, client: ClientFiles| {
            home.write(".config/plants/me.pem", client.certificate);
            home.write(".config/plants/me.key", client.key);
            "client_cert = 'me.pem'\nclient_key = 'me.key'".to_owned()
        };
        assert!(matches!(add_at(version, two).await, (Some(0), _, 1)), "{version:?}");
        let one = |home: &Home, client: ClientFiles| {
            home.write(".config/plants/me.pem", format!("{}{}", client.key, client.certificate));
            "client_cert = 'me.pem'".to_owned()
        };
        assert!(matches!(add_at(version, one).await, (Some(0), _, 1)), "{version:?}");
    }
}

#[tokio::test]
async fn a_client_certificate_that_is_missing_or_of_a_stranger_is_the_named_cause() {
    for version in [&TLS12, &TLS13] {
        let (_, said, requests) = add_at(version, |_, _| String::new()).await;
        let cause = "the store asks for a client certificate, and there is none: client_cert in its profile names one";
        assert!(said.contains(cause) && requests == 0, "{said}");
        let stranger = |home: &Home, _| {
            let (_, _, client) = certified_for_clients(&["localhost"], &TLS13);
            home.write(".config/plants/me.pem", client.certificate + &client.key);
            "client_cert = 'me.pem'".to_owned()
        };
        let (code, said, requests) = add_at(version, stranger).await;
        let cause = "the store does not accept the client certificate in client_cert";
        assert!(said.contains(cause) && requests == 0 && code != Some(0), "{said}");
    }
}

#[tokio::test]
async fn a_key_that_cannot_be_used_is_a_fault_of_its_line() {
    fn key(content: &'static str, named: &'static str) -> impl FnOnce(&Home, ClientFiles) -> String + Send + 'static {
        move |home, client| {
            home.write(".config/plants/me.pem", client.certificate);
            home.write(".config/plants/me.key", content);
            named.to_owned()
        }
    }
    let both = "client_cert = 'me.pem'\nclient_key = 'me.key'";
    let (_, _, other) = certified_for_clients(&["localhost"], &TLS13);
    let other: &'static str = other.key.leak();
    for (content, named, at, what) in [
        ("", both, "5: profile.gateway.client_key: ", "it contains no private key"),
        (other, both, "5: profile.gateway.client_key: ", "the private key does not belong to the certificate"),
        (
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
            both,
            "5: profile.gateway.client_key: ",
            "the key is encrypted",
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            both,
            "5: profile.gateway.client_key: ",
            "the private key in it is damaged",
        ),
        ("", "client_cert = 'me.pem'", "4: profile.gateway.client_cert: ", "name its file in client_key"),
        ("", "client_cert = 'gone.pem'", "4: profile.gateway.client_cert: ", "it cannot be read: No such file"),
    ] {
        let (code, said, requests) = add_at(&TLS13, key(content, named)).await;
        assert!(code == Some(2) && said.contains(at) && said.contains(what) && requests == 0, "{said}");
        assert!(said.contains("Nothing was sent."), "{said}");
    }
}

#[test]
fn a_key_or_a_header_file_that_others_can_read_causes_a_warning() {
    use std::os::unix::fs::PermissionsExt as _;
    let store = RawStore::saying("201 Created", "{}");
    let home = home_of(&store.url(), |home| sources(home)[0].1.clone());
    let key = home.path().join(SAFE).join("key");
    let readable = |path: &Path| std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(!run(&home, &ADD).ended().stderr.contains("Warning"));
    readable(&key);
    let ended = run(&home, &ADD).ended();
    assert!(ended.stderr.contains(&format!("Other users can read the header file {}", key.display())), "{ended:?}");

    let (_, _, client) = certified_for_clients(&["localhost"], &TLS13);
    let pem = home.write(".config/plants/me.pem", client.certificate + &client.key);
    readable(&pem);
    home.config("[profile.gateway]\nbase_url = 'https://127.0.0.1:1'\nclient_cert = 'me.pem'\n");
    let ended = run(&home, &ADD).ended();
    assert!(ended.stderr.contains(&format!("Other users can read the key file {}", pem.display())), "{ended:?}");
}
