//! The three servers that docs/team.md shows, with their users and the rights of these.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use async_nats::{Client, ConnectOptions};
use nkeys::KeyPair;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::access::write_certificates;
use super::{Person, stored};
use crate::support::nats::Nats;
use crate::support::served::Served;

/// The longest wait for what a server says.
const SAID: Duration = Duration::from_secs(20);

/// Returns the block of docs/team.md that opens with this line.
fn block(first: &str) -> String {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/team.md")).unwrap();
    let block = document.split("```text\n").find(|block| block.starts_with(first)).unwrap();
    block.split("```").next().unwrap().to_owned()
}

/// Returns the subjects on which a user may do this, `publish` or `subscribe`.
pub(super) fn allowed(user: &str, what: &str) -> impl Iterator<Item = String> {
    let accounts = block("# accounts.conf");
    let after = |text: &str, part: &str| text.split_once(part).unwrap().1.to_owned();
    let list = after(&after(&accounts, &format!("user: {user}")), &format!("{what}: ["));
    let list = list.split(']').next().unwrap().to_owned();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// Replaces parts of a text, all of which it must have.
fn with(mut text: String, parts: &[(&str, &str)]) -> String {
    for (part, by) in parts {
        assert!(text.contains(part), "{part} in {text}");
        text = text.replace(part, by);
    }
    text
}

/// Starts the servers with the public key of Bob, and certificates from `folder`.
fn servers(folder: &Path, bob: &str) -> Option<[Nats; 3]> {
    let accounts = with(block("# accounts.conf"), &[("BOB-PUBLIC-KEY", bob)]);
    let certificates = format!("{}/", folder.display());
    Nats::cluster_with(folder, |number, addresses, place| {
        let [own, next, last] = [0, 1, 2].map(|after| addresses[(number + after) % 3].to_string());
        let parts = [
            ("server_name: one", ["server_name: one", "server_name: two", "server_name: three"][number]),
            ("0.0.0.0:6222", &own),
            ("two.example:6222", &next),
            ("three.example:6222", &last),
            ("/etc/nats/", &certificates),
            ("/var/lib/nats", place.to_str().unwrap()),
        ];
        let file = place.join("server.conf");
        fs::write(&file, with(block("# server.conf"), &parts)).unwrap();
        fs::write(place.join("accounts.conf"), &accounts).unwrap();
        vec!["--config".to_owned(), file.display().to_string()]
    })
}

/// A user of a server, by another program.
struct User {
    client: Client,
    /// What the server says beside its responses.
    said: UnboundedReceiver<String>,
}

impl User {
    async fn connect(options: ConnectOptions, name: &str, server: &Nats, authority: &str) -> Self {
        let (says, said) = unbounded_channel();
        let options = options.custom_inbox_prefix(format!("_INBOX_{name}")).add_root_certificates(authority.into());
        let options = options.event_callback(move |event| {
            let _ = says.send(event.to_string());
            async {}
        });
        let client = options.connect(format!("tls://127.0.0.1:{}", server.port)).await.unwrap();
        Self { client, said }
    }

    /// Waits until the server says that it does not allow this.
    async fn is_not_allowed(&mut self, what: &str) {
        let violation = format!("Permissions Violation for {what}");
        let is_said = async {
            while let Some(line) = self.said.recv().await {
                if line.contains(&violation) {
                    return true;
                }
            }
            false
        };
        assert_eq!(timeout(SAID, is_said).await, Ok(true), "{what} is allowed");
    }

    async fn cannot_publish(&mut self, subject: String) {
        self.client.publish(subject.clone(), "{}".into()).await.unwrap();
        self.is_not_allowed(&format!("Publish to \"{subject}\"")).await;
    }

    async fn cannot_subscribe(&mut self, subject: String) {
        self.client.subscribe(subject.clone()).await.unwrap();
        self.is_not_allowed(&format!("Subscription to \"{subject}\"")).await;
    }
}

/// Does what neither user may do.
async fn does_what_is_not_allowed(user: &mut User, other: &str) {
    let stream = "PLANTS_staging";
    for what in ["PURGE", "DELETE", "UPDATE", "MSG.DELETE", "SNAPSHOT", "RESTORE", "LEADER.STEPDOWN"] {
        user.cannot_publish(format!("$JS.API.STREAM.{what}.{stream}")).await;
    }
    // Their responses could be sent to the subject of another one, and be stored as published there.
    for subject in ["_part", "_snapshot"] {
        user.cannot_publish(format!("plants.staging.{subject}")).await;
    }
    for what in ["DIRECT.GET", "CONSUMER.CREATE", "CONSUMER.MSG.NEXT"] {
        user.cannot_publish(format!("$JS.API.{what}.{stream}")).await;
    }
    for subject in [format!("plants.staging.{other}"), format!("plants.other.{other}"), format!("_INBOX_{other}.1")] {
        user.cannot_publish(subject).await;
    }
    for subject in [&format!("_INBOX_{other}.>"), "_INBOX.>", "plants.other.*", "$JS.>", ">"] {
        user.cannot_subscribe(subject.to_owned()).await;
    }
}

#[test]
fn the_documented_servers_share_plants_and_let_nobody_do_more() {
    let folder = tempfile::tempdir().unwrap();
    let authority = write_certificates(folder.path());
    let key = KeyPair::new_user();
    let seed = key.seed().unwrap();
    let Some(cluster) = servers(folder.path(), &key.public_key()) else { return };
    let all = [0, 1, 2].map(|number: usize| format!("tls://127.0.0.1:{}", cluster[number].port)).join(",");
    let store = Served::calm();
    let person = |name: &'static str, lines: &str| {
        let lines = format!("team = {all:?}\nteam_ca_cert = {authority:?}\n{lines}");
        let person = Person::with_profile(name, &store.base, &all, &lines);
        person.home.write("bob.nk", &seed);
        person
    };
    let by_password = "author = \"ann\"\nteam_user = \"ann\"\nteam_password_command = [\"echo\", \"ANN-PASSWORD\"]\n";
    let ann = person("ann", by_password).first_in_cluster();
    let by_key = "author = \"bob\"\nteam_nkey = \"~/bob.nk\"\n";
    let bob = person("bob", by_key).joined();
    ann.add(1, "Fern");
    assert_eq!(bob.list(), (vec![stored(1, "Fern")], String::new()));
    bob.add(2, "Moss");
    assert_eq!(ann.list(), (vec![stored(1, "Fern"), stored(2, "Moss")], String::new()));

    let exposed = person("eve", by_key);
    fs::set_permissions(exposed.home.path().join("bob.nk"), Permissions::from_mode(0o644)).unwrap();
    assert!(exposed.list().1.contains("Other users can read the team's key file"));
    // Who has Bob's key is not Ann, and who has not her password is nobody.
    for (lines, why) in [
        (by_key.replace("\"bob\"", "\"ann\""), "Permissions Violation for Subscription to \"_INBOX_ann."),
        (by_password.replace("PASSWORD", "canary"), "authorization violation; check team_password_command"),
        (
            by_password.replace("echo", "false"),
            "team_password_command cannot be used: no password from the command false",
        ),
    ] {
        let ended = person("eve", &lines).run(&["team", "join", "--yes"]).ended().orderly(3);
        assert!(ended.stderr.contains(why) && ended.stderr.contains("Nothing was shared."), "{ended:?}");
        assert!(!ended.stderr.contains("canary"), "{ended:?}");
    }

    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let of_ann = ConnectOptions::with_user_and_password("ann".to_owned(), "ANN-PASSWORD".to_owned());
        let mut of_ann = User::connect(of_ann, "ann", &cluster[0], &authority).await;
        let mut of_bob = User::connect(ConnectOptions::with_nkey(seed.clone()), "bob", &cluster[1], &authority).await;
        does_what_is_not_allowed(&mut of_ann, "bob").await;
        does_what_is_not_allowed(&mut of_bob, "ann").await;
        of_bob.cannot_publish("$JS.API.STREAM.CREATE.PLANTS_staging".to_owned()).await;
    });
    let keeper = person("keeper", &by_password.replace("ann", "keeper").replace("ANN", "KEEPER")).joined();
    let compact = ["team", "compact", "--all", "--yes"];
    let refused = bob.run(&compact).ended().orderly(3);
    assert!(refused.stderr.contains("_part") && refused.stderr.contains("Nothing was removed."), "{refused:?}");
    keeper.ended(&compact);
    for person in [&ann, &bob, &keeper] {
        assert_eq!(person.list(), (vec![stored(1, "Fern"), stored(2, "Moss")], String::new()));
    }
}
