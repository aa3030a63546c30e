//! A slow connection to the team: what arrives counts, what is missing is said, and publishing does not wait for it. These
//! tests take longest, and tests begin in the order of their names.

use crate::support::nats::Nats;
use crate::support::served::Served;
use crate::support::slow_link::SlowLink;
use crate::team::{Person, ann_and_bob};

/// Rows of an import that a slow connection needs several seconds for.
const ROWS: usize = 1_500;

const SLOW: u32 = 100_000;

fn table() -> String {
    // Names that cannot be compressed much.
    let mut random = fastrand::Rng::with_seed(1);
    let rows = (1..=ROWS).map(|id| {
        let name: String = std::iter::repeat_with(|| random.alphanumeric()).take(400).collect();
        format!("{name},{id},t\n")
    });
    format!("name,id,tag\n{}", rows.collect::<String>())
}

/// Ann has published an import that Bob, whose connection is slow, has not read.
fn behind<'a>(store: &'a Served, server: &Nats, per_second: u32) -> (Person<'a>, Person<'a>, SlowLink) {
    let [ann, bob] = ann_and_bob(store, server);
    let file = ann.home.write("plants.csv", table());
    ann.ended(&["import", file.to_str().unwrap()]);
    ann.ended(&["team", "sync"]);
    let link = SlowLink::to(server.port, per_second);
    (ann, bob.over(link.url()), link)
}

#[test]
fn a_slow_connection_reads_everything_in_the_end() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let (_ann, bob, _link) = behind(&store, &server, SLOW);
    let (first, said) = bob.list();
    assert!(first.len() < ROWS, "{} rows", first.len());
    assert!(said.contains("Without the latest entries of the team: ") && said.contains("not read yet"), "{said}");
    assert!(!said.contains("did not respond"), "{said}");
    // What arrived is kept.
    let (second, _) = bob.list();
    assert!(second.len() > first.len(), "{} after {}", second.len(), first.len());
    let all = bob.ended(&["list", "--complete", "--json"]);
    assert_eq!((all.json().as_array().unwrap().len(), all.stderr.as_str()), (ROWS, ""));
}

#[test]
fn a_member_that_is_behind_publishes_at_once() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let (ann, bob, _link) = behind(&store, &server, SLOW);
    let added = bob.ended(&["add", "--id", "10000", "--name", "Fern", "--tag", "t"]);
    assert!(!added.stderr.contains("not published"), "{added:?}");
    assert_eq!(ann.list().0.last().map(|(id, name, _)| (*id, name.as_str())), Some((10_000, "Fern")));
}

#[test]
fn an_import_says_what_it_could_not_publish() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    let link = SlowLink::to(server.port, 0);
    let silent = bob.over(link.url());
    let file = silent.home.write("plants.csv", "name,id,tag\nFern,1,t\nMoss,2,t\n");
    let imported = silent.ended(&["import", file.to_str().unwrap()]);
    let said = "4 entries are not published to the team yet. plants team sync publishes the rest.";
    assert!(imported.stderr.contains(said), "{imported:?}");
    let bob = silent.over(server.url());
    assert_eq!(bob.ended(&["team", "sync", "--json"]).json()["published"], 4);
    assert_eq!(ann.list().0.len(), 2);
}

#[test]
fn sync_can_be_interrupted() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [_ann, bob] = ann_and_bob(&store, &server);
    let link = SlowLink::to(server.port, 0);
    let bob = bob.over(link.url());
    let syncing = bob.run(&["team", "sync"]).begun();
    link.connected.recv().unwrap();
    let process = rustix::process::Pid::from_child(&syncing);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let ended = crate::support::end_of(syncing).orderly(130);
    assert!(ended.stderr.contains("interrupted: not in sync with the team"), "{ended:?}");
}
