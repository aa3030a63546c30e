//! TLS, tokens and credentials between a person and the team's servers.

use std::path::Path;

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer};
use serde_json::{Value, json};

use super::documented::allowed;
use super::{Person, stored};
use crate::support::nats::Nats;
use crate::support::served::Served;

/// Writes the certificate of a server on this machine, `cert.pem` and `key.pem`, and of its authority, `ca.pem`. Returns
/// the path of the last.
pub(super) fn write_certificates(folder: &Path) -> String {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = rcgen::KeyPair::generate().unwrap();
    std::fs::write(folder.join("ca.pem"), authority.self_signed(&authority_key).unwrap().pem()).unwrap();
    let key = rcgen::KeyPair::generate().unwrap();
    let server = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = server.signed_by(&key, &Issuer::new(authority, authority_key)).unwrap().pem();
    std::fs::write(folder.join("cert.pem"), certificate).unwrap();
    std::fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
    folder.join("ca.pem").to_str().unwrap().to_owned()
}

/// A server with TLS and these lines in its configuration, and the path of its authority.
fn with_tls(folder: &Path, lines: &str) -> Option<(Nats, String)> {
    let authority = write_certificates(folder);
    let tls = json!({ "cert_file": folder.join("cert.pem"), "key_file": folder.join("key.pem") });
    Some((Nats::configured(folder, &format!("tls: {tls}\n{lines}"))?, authority))
}

/// A person who reaches the team by a profile with these lines.
fn at<'a>(store: &'a Served, name: &'static str, server: &Nats, lines: &str) -> Person<'a> {
    let servers = format!("tls://127.0.0.1:{}", server.port);
    Person::with_profile(name, &store.base, &servers, &format!("team = {servers:?}\n{lines}"))
}

#[test]
fn a_server_is_trusted_by_its_authority_and_gets_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, authority)) = with_tls(folder.path(), "authorization { token: open }") else { return };
    let store = Served::calm();
    let lines = |token: &str| format!("team_ca_cert = {authority:?}\nteam_token_command = [\"echo\", {token:?}]\n");
    let ann = at(&store, "ann", &server, &lines("open")).joined();
    ann.add(1, "Fern");
    let bob = at(&store, "bob", &server, &lines("open")).joined();
    assert_eq!(bob.list(), (vec![stored(1, "Fern")], String::new()));
    for (lines, why) in [
        (lines("closed"), "authorization violation"),
        ("team_token_command = [\"echo\", \"open\"]\n".to_owned(), "certificate"),
    ] {
        let ended = at(&store, "eve", &server, &lines).run(&["team", "join", "--yes"]).ended().orderly(3);
        assert!(ended.stderr.contains(why) && ended.stderr.contains("Nothing was shared."), "{ended:?}");
    }
}

/// Returns a JWT of this subject, as NATS signs it.
fn signed(by: &KeyPair, subject: &KeyPair, of_nats: &Value) -> String {
    let claims = json!({
        "jti": "1", "iat": 0, "iss": by.public_key(), "name": "test", "sub": subject.public_key(), "nats": of_nats,
    });
    let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let text = format!("{}.{}", part(&json!({ "typ": "JWT", "alg": "ed25519-nkey" })), part(&claims));
    let signature = BASE64URL_NOPAD.encode(&by.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

#[test]
fn the_server_decides_who_writes_as_whom_by_credentials() {
    let folder = tempfile::tempdir().unwrap();
    let (operator, account, system) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
    let of_account = |storage: i64| {
        json!({
            "type": "account", "version": 2,
            "limits": { "subs": -1, "conn": -1, "leaf": -1, "imports": -1, "exports": -1, "data": -1, "payload": -1,
                "wildcards": true, "mem_storage": storage, "disk_storage": storage, "streams": -1, "consumer": -1 },
        })
    };
    let operator_jwt = signed(&operator, &operator, &json!({ "type": "operator", "version": 2 }));
    let accounts = [(&account, -1), (&system, 0)];
    let accounts =
        accounts.map(|(key, storage)| (key.public_key(), signed(&operator, key, &of_account(storage)).into()));
    let accounts = Value::Object(accounts.into_iter().collect());
    let lines = format!(
        "operator: {operator_jwt}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {accounts}\n",
        system.public_key()
    );
    let Some((server, authority)) = with_tls(folder.path(), &lines) else { return };
    // Each may publish as one author, beside requests about the stream.
    let credentials = |author: &str| {
        let user = KeyPair::new_user();
        let publish = json!({ "allow": allowed("ann", "publish").map(|subject| subject.replace("ann", author)).collect::<Vec<_>>() });
        let of_user = json!({ "type": "user", "version": 2, "pub": publish, "sub": {}, "subs": -1, "data": -1,
            "payload": -1 });
        let jwt = signed(&account, &user, &of_user);
        let seed = user.seed().unwrap();
        format!(
            "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        )
    };
    let store = Served::calm();
    let person = |name: &'static str, author: &str| {
        let lines = format!("team_ca_cert = {authority:?}\nteam_credentials = \"~/my.creds\"\nauthor = {author:?}\n");
        let person = at(&store, name, &server, &lines);
        person.home.write("my.creds", credentials(name));
        person
    };
    let ann = person("ann", "ann").joined();
    ann.add(1, "Fern");
    let bob = person("bob", "bob").joined();
    assert_eq!(bob.list(), (vec![stored(1, "Fern")], String::new()));
    // Eve says that she is ann. Her entries stay on her disk.
    let eve = person("eve", "ann");
    eve.add(2, "Moss");
    let ended = eve.run(&["team", "join", "--yes"]).ended().orderly(3);
    assert!(ended.stderr.contains("Permissions Violation for Publish"), "{ended:?}");
    assert_eq!(eve.list().0, [stored(1, "Fern"), stored(2, "Moss")]);
    assert_eq!(bob.list().0, [stored(1, "Fern")]);
}
