//! Places where the journal cannot be written: nothing is sent, nothing is destroyed, and the messages name
//! the path and the next step.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use plants::domain::{
    Exchange, FailureKind, Operation, OperationId, OperationKind, Plant, PlantId, StoreUrl, Timestamp,
};
use plants::journal::{Journal, Place};
use serde_json::{Value, json};

use crate::support::raw::RawStore;
use crate::support::{Ended, Home, Run, leave_out};

fn add(id: &str) -> [&str; 8] {
    ["add", "--id", id, "--name", "Fern", "--tag", "shade", "--json"]
}

fn store() -> RawStore {
    RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#)
}

/// The ids of the adds that a store received.
fn received(store: RawStore) -> Vec<i64> {
    let body = |request: String| serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
    store.received().into_iter().map(body).map(|sent: Value| sent["id"].as_i64().unwrap()).collect()
}

/// The ids in the output of `plants list`.
fn listed(home: &Home, base: &str) -> Vec<i64> {
    let listed: Value = serde_json::from_str(&home.listed(base)).unwrap();
    listed.as_array().unwrap().iter().map(|plant| plant["id"].as_i64().unwrap()).collect()
}

/// Asserts that a run could not write the journal: exit code 3, nothing sent, and these parts of a message.
fn not_sent(run: Run, expected: &[&str]) -> Ended {
    let ended = run.ended().orderly(3);
    let result = ended.json();
    assert_eq!((&result["outcome"], &result["status"]), (&json!("not_sent"), &Value::Null), "{ended:?}");
    for expected in expected {
        assert!(ended.stderr.contains(expected), "{expected:?} in {ended:?}");
    }
    ended
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Sets base URL and token for a run of another program that starts `plants`.
fn with_store(store: &RawStore, run: Run) -> Run {
    run.env("PLANTS_BASE_URL", store.url()).env("PLANTS_TOKEN", "demo")
}

/// Runs the program as a user without root's exemption from permissions.
struct Unprivileged {
    home: Home,
    program: PathBuf,
    user: Option<u32>,
}

impl Unprivileged {
    fn new() -> Self {
        /// A user id without an account.
        const USER: u32 = 54_987;
        let (home, built) = (Home::new(), PathBuf::from(env!("CARGO_BIN_EXE_plants")));
        if !rustix::process::geteuid().is_root() {
            return Self { home, program: built, user: None };
        }
        // Copied, because only root may reach the build folder; by another process, because a child
        // process of another test would inherit the file opened for writing, and the system does not
        // execute such a file.
        let program = home.path().join("plants");
        assert!(Command::new("cp").args([&built, &program]).status().unwrap().success());
        chown(home.path(), Some(USER), Some(USER)).unwrap();
        Self { home, program, user: Some(USER) }
    }

    fn plants_at(&self, store: &RawStore, arguments: &[&str]) -> Run {
        let mut run = with_store(store, self.home.program(&self.program, arguments));
        if let Some(user) = self.user {
            run.command.uid(user).gid(user);
        }
        run
    }
}

#[test]
fn a_missing_data_folder_is_created_with_its_parents() {
    let (home, store) = (Home::new(), store());
    let folder = home.path().join("a/b c/é");
    let run = home.plants_at(&store.url(), &add("7")).env("PLANTS_DATA_DIR", &folder);
    assert_eq!(run.ended().orderly(0).json()["outcome"], json!("accepted"));
    assert!(folder.join("journal.db").is_file());
    assert_eq!(received(store), [7]);
}

#[test]
fn a_data_folder_without_permission_is_named() {
    let (unprivileged, store) = (Unprivileged::new(), store());
    let home = &unprivileged.home;
    let closed = home.path().join("closed");
    home.write("closed/held/file", "");
    for (closed_mode, place, named) in [
        // A journal, a folder, a folder further down, and a folder in one that cannot be entered.
        (0o555, closed.clone(), closed.join("journal.db")),
        (0o555, closed.join("new"), closed.join("new")),
        (0o555, closed.join("new/er"), closed.join("new/er")),
        (0o000, closed.join("held"), closed.join("held")),
    ] {
        set_mode(&closed, closed_mode);
        let run = unprivileged.plants_at(&store, &add("7")).env("PLANTS_DATA_DIR", &place);
        let named = format!("access to {} is denied: ", named.display());
        not_sent(run, &[&named, "permissions", "--data-dir", "Nothing was sent."]);
        if closed_mode == 0o000 {
            let run = |words| unprivileged.plants_at(&store, words).env("PLANTS_DATA_DIR", &place).ended();
            let ended = run(&["journal", "backup", "copy.db"]).orderly(3);
            assert!(ended.stderr.contains("copy.db was not written: access to "), "{ended:?}");
            let ended = run(&["paths"]).orderly(0);
            assert!(ended.stdout.contains("journal.db (Permission denied"), "{ended:?}");
        }
        set_mode(&closed, 0o755);
        assert_eq!(fs::read_dir(&closed).unwrap().count(), 1, "no file was created");
    }
    assert_eq!(received(store), [0; 0]);
}

#[test]
fn a_journal_that_cannot_be_written_is_unchanged_and_readable() {
    let (unprivileged, store) = (Unprivileged::new(), store());
    unprivileged.plants_at(&store, &add("1")).ended().orderly(0);
    // Moves the log of the add into the journal.
    unprivileged.plants_at(&store, &["list"]).ended().orderly(0);
    let data = unprivileged.home.data();
    let journal = data.join("journal.db");
    let before = fs::read(&journal).unwrap();
    for (path, closed, expected) in [
        (journal.clone(), 0o444, "cannot be written: make it, "),
        (journal.clone(), 0o400, "cannot be written: make it, "),
        (journal.clone(), 0o000, "is denied: change its permissions or those of its folder"),
        (data.clone(), 0o500, "make it, its folder and the files beside it writable"),
        (data.join("instances"), 0o500, "is denied: change its permissions or those of its folder"),
    ] {
        let open = fs::metadata(&path).unwrap().permissions();
        set_mode(&path, closed);
        for command in [&add("2")[..], &["delete", "1", "--yes", "--json"]] {
            let run = unprivileged.plants_at(&store, command);
            not_sent(run, &[path.to_str().unwrap(), expected, "--data-dir", "Nothing was sent."]);
        }
        // Commands that only read still work.
        let code = if closed == 0 { 3 } else { 0 };
        for command in ["list", "history", "export"] {
            let ended = unprivileged.plants_at(&store, &[command, "--json"]).ended().orderly(code);
            let result =
                format!("The journal {} cannot be written: this is its last readable state", journal.display());
            assert_eq!(ended.stderr.contains(&result), code == 0, "{ended:?}");
            assert_eq!(ended.stdout.contains("Fern"), code == 0, "{ended:?}");
        }
        let saved = unprivileged
            .plants_at(&store, &["journal", "backup", "copy.db", "--force", "--json"])
            .ended()
            .orderly(code);
        assert_eq!(saved.stdout.contains(r#""plants":1"#), code == 0, "{saved:?}");
        assert!(!data.join("journal.db-wal").exists() && !data.join("journal.db-shm").exists());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, closed);
        fs::set_permissions(&path, open).unwrap();
        assert_eq!(fs::read(&journal).unwrap(), before);
    }
    assert_eq!(listed(&unprivileged.home, &store.url()), [1]);
    assert_eq!(received(store), [1]);
}

/// Keeps the log beside the journal, as after a kill.
#[test]
fn a_read_only_journal_is_read_with_its_log_or_a_notice_says_that_entries_may_be_missing() {
    let (unprivileged, store) = (Unprivileged::new(), store());
    unprivileged.plants_at(&store, &add("1")).ended().orderly(0);
    let data = unprivileged.home.data();
    // An open connection prevents the checkpoint of the log.
    let open = rusqlite::Connection::open(data.join("journal.db")).unwrap();
    open.query_row("SELECT count(*) FROM plant", [], |found| found.get::<_, i64>(0)).unwrap();
    unprivileged.plants_at(&store, &add("2")).ended().orderly(0);
    let copy = unprivileged.home.path().join("copy");
    assert!(Command::new("cp").arg("-Rp").args([&data, &copy]).status().unwrap().success());
    let ids = |ended: &Ended| {
        let listed: Value = serde_json::from_str(&ended.stdout).unwrap();
        listed.as_array().unwrap().iter().map(|plant| plant["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    set_mode(&copy.join("journal.db"), 0o400);
    set_mode(&copy, 0o500);
    let list = || unprivileged.plants_at(&store, &["list", "--json"]).env("PLANTS_DATA_DIR", &copy).ended().orderly(0);
    let whole = list();
    assert_eq!(ids(&whole), [1, 2], "{whole:?}");
    assert!(whole.stderr.contains("cannot be written") && !whole.stderr.contains("-wal"), "{whole:?}");
    set_mode(&copy, 0o700);
    fs::remove_file(copy.join("journal.db-shm")).unwrap();
    set_mode(&copy, 0o500);
    let part = list();
    assert_eq!(ids(&part), [1], "{part:?}");
    let result = format!("{} beside it cannot be read", copy.join("journal.db-wal").display());
    assert!(part.stderr.contains(&result) && part.stderr.contains("may be missing"), "{part:?}");
    set_mode(&copy, 0o700);
    drop(open);
    assert_eq!(received(store), [1, 2]);
}

#[test]
fn an_import_without_a_journal_prints_the_reason_in_its_summary() {
    let (unprivileged, store) = (Unprivileged::new(), store());
    let closed = unprivileged.home.path().join("closed");
    fs::create_dir(&closed).unwrap();
    let rows = unprivileged.home.write("rows.csv", "id,name,tag\n1,Fern,shade\n2,Fern,shade\n");
    set_mode(&rows, 0o644);
    set_mode(&closed, 0o555);
    for arguments in [&["import", "rows.csv", "--json"][..], &["import", "rows.csv", "--json", "--dry-run"]] {
        let ended = unprivileged.plants_at(&store, arguments).env("PLANTS_DATA_DIR", &closed).ended().orderly(3);
        let summary = ended.json()["summary"].take();
        assert_eq!((&summary["rows"], &summary["left"], &summary["accepted"]), (&json!(2), &json!(2), &json!(0)));
        let why = summary["halted"].as_str().unwrap();
        assert!(why.contains("is denied") && why.contains("Nothing was sent."), "{ended:?}");
    }
    set_mode(&closed, 0o755);
    assert_eq!(received(store), [0; 0]);
}

#[test]
fn a_locked_journal_is_awaited_and_the_locking_process_is_named() {
    let (home, store) = (Home::new(), store());
    home.plants_at(&store.url(), &add("1")).ended().orderly(0);
    let journal = home.data().join("journal.db");
    let holder = rusqlite::Connection::open(&journal).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut child = home.plants_at(&store.url(), &add("2")).begun();
    let mut stderr = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut stderr).unwrap();
    let result = format!("process {} keeps the journal {} locked: waiting", std::process::id(), journal.display());
    assert!(stderr.starts_with(&result), "{stderr}");
    holder.execute_batch("ROLLBACK").unwrap();
    crate::support::end_of(child).orderly(0);
    assert_eq!(received(store), [1, 2]);
}

#[test]
fn a_journal_that_stays_locked_is_readable() {
    let (home, store) = (Home::new(), store());
    home.plants_at(&store.url(), &add("1")).ended().orderly(0);
    let holder = rusqlite::Connection::open(home.data().join("journal.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let children = ["list", "resolve"].map(|command| home.plants_at(&store.url(), &[command]).begun());
    let add = home.plants_at(&store.url(), &add("2")).begun();
    for child in children {
        let ended = crate::support::end_of(child).orderly(0);
        assert!(ended.stderr.contains("this is its last readable state"), "{ended:?}");
        assert!(!ended.stderr.contains("Nothing was sent"), "{ended:?}");
    }
    let ended = crate::support::end_of(add).orderly(3);
    assert!(ended.stderr.contains("locked: try again, or close that program. Nothing was sent."), "{ended:?}");
    assert_eq!(received(store), [1]);
}

/// `flock` fails as on a network file system without a lock service; then `fcntl`, of which `SQLite` says that another
/// program has locked the journal.
#[cfg(target_os = "linux")]
#[test]
fn a_journal_without_locks_is_readable() {
    if !crate::machine::has_strace() {
        return;
    }
    let (home, store) = (Home::new(), store());
    home.plants_at(&store.url(), &add("1")).ended().orderly(0);
    let journal = home.data().join("journal.db");
    for call in ["flock", "fcntl"] {
        let begun = [&["list"], &["resolve"], &add("2")[..]].map(|words| {
            let (trace, fault) = (format!("trace={call}"), format!("inject={call}:error=ENOLCK"));
            let of = if call == "fcntl" { vec!["-P", journal.to_str().unwrap()] } else { Vec::new() };
            let strace = ["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &fault];
            let arguments = [&strace[..], &of, &[env!("CARGO_BIN_EXE_plants")], words].concat();
            with_store(&store, home.program("strace", &arguments)).begun()
        });
        let [list, resolve, add] = begun.map(crate::support::end_of);
        for ended in [list.orderly(0), resolve.orderly(0)] {
            assert!(ended.stderr.contains("this is its last readable state"), "{call}: {ended:?}");
        }
        let ended = add.orderly(3);
        assert!(ended.stderr.contains("has no locks that work: use a local folder"), "{call}: {ended:?}");
    }
    assert_eq!(received(store), [1]);
}

#[test]
fn a_file_in_place_of_the_lock_folder_is_named() {
    let (home, store) = (Home::new(), store());
    home.plants_at(&store.url(), &add("1")).ended().orderly(0);
    let instances = home.data().join("instances");
    fs::remove_dir_all(&instances).unwrap();
    fs::write(&instances, "kept").unwrap();
    let named = format!("could not create the folder {}: ", instances.display());
    not_sent(home.plants_at(&store.url(), &add("2")), &[&named, "--data-dir", "Nothing was sent."]);
    assert_eq!(fs::read_to_string(&instances).unwrap(), "kept");
    fs::remove_file(&instances).unwrap();
    assert_eq!(listed(&home, &store.url()), [1]);
    assert_eq!(received(store), [1]);
}

/// Runs the program with a file size limit of 40 or 80 KiB, depending on the shell's unit: the journal can
/// be opened, but cannot hold a long name. By default, the signal of the limit ends a program.
const LIMITED: &str = "ulimit -f 80; exec \"$0\" \"$@\"";

#[test]
fn a_file_size_limit_is_reported_and_nothing_is_sent() {
    let (home, store, name) = (Home::new(), store(), "x".repeat(100_000));
    home.plants_at(&store.url(), &add("1")).ended().orderly(0);
    let add_long = ["add", "--id", "2", "--name", &name, "--tag", "shade", "--json"];
    let arguments = [&["-c", LIMITED, env!("CARGO_BIN_EXE_plants")], &add_long[..]].concat();
    let limited = with_store(&store, home.program("sh", &arguments));
    let journal = home.data().join("journal.db");
    not_sent(limited, &[journal.to_str().unwrap(), "Nothing reached the store", "quota", "--data-dir"]);
    assert_eq!(listed(&home, &store.url()), [1]);
    home.plants_at(&store.url(), &add_long).ended().orderly(0);
    assert_eq!(listed(&home, &store.url()), [1, 2]);
    assert_eq!(received(store), [1, 2]);
}

/// An earlier version of the journal, made from one as it is now.
#[test]
fn a_journal_whose_migration_does_not_fit_stays_as_it_was() {
    let (home, store) = (Home::new(), store());
    home.plants_at(&store.url(), &add("1")).ended().orderly(0);
    let journal = home.data().join("journal.db");
    let back = "ALTER TABLE store DROP COLUMN missing; ALTER TABLE store DROP COLUMN folded_at;
        PRAGMA user_version = 1; PRAGMA journal_mode = DELETE";
    rusqlite::Connection::open(&journal).unwrap().execute_batch(back).unwrap();
    let before = fs::read(&journal).unwrap();
    let nothing_fits = LIMITED.replace("80", "1");
    let arguments = [&["-c", nothing_fits.as_str(), env!("CARGO_BIN_EXE_plants")], &add("2")[..]].concat();
    not_sent(with_store(&store, home.program("sh", &arguments)), &["quota", "--data-dir", "Nothing was sent."]);
    let conn = rusqlite::Connection::open(&journal).unwrap();
    assert_eq!(conn.query_row("PRAGMA user_version", [], |found| found.get::<_, i64>(0)), Ok(1));
    drop(conn);
    assert_eq!(fs::read(&journal).unwrap().len(), before.len());
    home.plants_at(&store.url(), &add("2")).ended().orderly(0);
    assert_eq!(listed(&home, &store.url()), [1, 2]);
    assert_eq!(received(store), [1, 2]);
}

/// Also with the signal ignored, with a limit below the size of an empty journal, and during an import.
#[test]
fn a_file_size_limit_is_reported_for_every_command() {
    let (home, store, name) = (Home::new(), store(), "x".repeat(100_000));
    let program = env!("CARGO_BIN_EXE_plants");
    let limited = |script: &str, arguments: &[&str]| {
        let arguments = [&["-c", script, program], arguments].concat();
        with_store(&store, home.program("sh", &arguments))
    };
    let nothing_fits = LIMITED.replace("80", "1");
    let ended = not_sent(limited(&nothing_fits, &add("7")), &["quota", "--data-dir", "Nothing was sent."]);
    assert!(ended.stdout.contains("not_sent"));
    let ignored = format!("trap '' XFSZ; {LIMITED}");
    not_sent(limited(&ignored, &["add", "--id", "2", "--name", &name, "--tag", "shade", "--json"]), &["quota"]);
    // The temporary file of validated rows cannot hold the long row.
    home.write("long.csv", format!("name,id,tag\nFern,1,shade\n{name},2,shade\n"));
    let ended = limited(LIMITED, &["import", "long.csv"]).ended().orderly(3);
    assert!(ended.stderr.contains("to a temporary file") && ended.stderr.contains("Nothing was sent."), "{ended:?}");
    assert_eq!(listed(&home, &store.url()), [0; 0]);
    // These rows fit, and are sent until the journal reaches the limit.
    let rows: Vec<_> = (1..=200).map(|id| format!("{},{id},shade", "x".repeat(150))).collect();
    home.write("many.csv", format!("name,id,tag\n{}\n", rows.join("\n")));
    let ended = limited(&LIMITED.replace("80", "400"), &["import", "many.csv"]).ended();
    assert!(ended.code.is_some() && ended.stderr.contains("quota"), "{:?}", ended.code);
    let (kept, sent) = (listed(&home, &store.url()), received(store));
    assert!(!sent.is_empty() && sent.len() < 200, "{sent:?}");
    assert!(sent.iter().all(|id| kept.contains(id)), "the journal has what the store has: {kept:?}, {sent:?}");
}

#[test]
fn an_export_to_a_full_disk_creates_no_file() {
    let (home, store, name) = (Home::new(), store(), "x".repeat(100_000));
    home.plants_at(&store.url(), &["add", "--id", "2", "--name", &name, "--tag", "shade", "--json"]).ended().orderly(0);
    let older = home.write("exports/older.csv", "older");
    for (file, force) in [("exports/new.csv", "--spreadsheet"), ("exports/older.csv", "--force")] {
        let arguments = ["-c", LIMITED, env!("CARGO_BIN_EXE_plants"), "export", file, force];
        let ended = with_store(&store, home.program("sh", &arguments)).ended().orderly(3);
        assert!(ended.stderr.contains(&format!("{file} was not written: ")), "{ended:?}");
        assert_eq!(fs::read_dir(home.path().join("exports")).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(&older).unwrap(), "older");
    }
}

#[test]
fn an_export_into_a_folder_without_permission_creates_no_file() {
    let (unprivileged, store) = (Unprivileged::new(), store());
    let closed = unprivileged.home.path().join("closed");
    unprivileged.home.write("closed/older.csv", "older");
    set_mode(&closed, 0o555);
    for (file, force) in [("closed/new.csv", "--spreadsheet"), ("closed/older.csv", "--force")] {
        let ended = unprivileged.plants_at(&store, &["export", file, force]).ended().orderly(2);
        assert!(ended.stderr.contains(&format!("{file} was not written: permission denied")), "{ended:?}");
    }
    set_mode(&closed, 0o755);
    assert_eq!(fs::read_dir(&closed).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(closed.join("older.csv")).unwrap(), "older");
}

/// Returns the arguments of `unshare` for a program with mounts of its own; `None`, and a word about it, if mounting on
/// this folder is not permitted.
pub(crate) fn unshare(folder: &Path) -> Option<&'static [&'static str]> {
    let unshare: &[&str] =
        if rustix::process::geteuid().is_root() { &["--mount"] } else { &["--user", "--map-root-user", "--mount"] };
    let trial = Command::new("unshare").args(unshare).args(["mount", "-t", "tmpfs", "none"]).arg(folder).output();
    if !trial.as_ref().is_ok_and(|trial| trial.status.success()) {
        leave_out(&format!("unshare (util-linux) may not mount here; as root in a virtual machine it may: {trial:?}"));
        return None;
    }
    Some(unshare)
}

#[cfg(target_os = "linux")]
mod mounted {
    use super::*;

    /// Runs a script in its own mount namespace, in which `add` adds a plant and prints the exit code.
    /// Returns the JSON values of stdout, and stderr; `None` if mounting is not permitted.
    fn run(home: &Home, store: &RawStore, script: &str) -> Option<(Vec<Value>, String)> {
        const ADD: &str =
            r#"add() { code=0; "$0" add --id "$1" --name Fern --tag shade --json || code=$?; echo $code; }"#;
        let data = home.data();
        fs::create_dir_all(&data).unwrap();
        let unshare = unshare(&data)?;
        let script = format!("set -e; data='{}'; {ADD}; {script}", data.display());
        let arguments = [unshare, &["sh", "-c", &script, env!("CARGO_BIN_EXE_plants")]].concat();
        let ended = with_store(store, home.program("unshare", &arguments)).ended().orderly(0);
        Some((ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), ended.stderr))
    }

    /// Replaces each operation among the values by its outcome.
    fn outcomes(printed: &[Value]) -> Vec<Value> {
        printed.iter().map(|value| value.get("outcome").unwrap_or(value).clone()).collect()
    }

    #[test]
    fn a_read_only_file_system() {
        let (home, store) = (Home::new(), store());
        let script = r#"
            add 1
            mount --bind "$data" "$data"
            mount -o remount,bind,ro "$data"
            add 2
            PLANTS_DATA_DIR="$data/new" add 3
            "$0" list --json
            umount "$data"
            add 4"#;
        let Some((printed, stderr)) = run(&home, &store, script) else { return };
        let list = json!([{"name": "Fern", "id": 1, "tag": "shade", "state": "stored"}]);
        let expected = json!(["accepted", 0, "not_sent", 3, "not_sent", 3, list, "accepted", 0]);
        assert_eq!(Value::from(outcomes(&printed)), expected, "{stderr}");
        for named in [home.data().join("journal.db"), home.data().join("new")] {
            let named =
                format!("{} cannot be written: make it, its folder and the files beside it writable", named.display());
            assert!(stderr.contains(&named), "{named:?} in {stderr}");
        }
        assert_eq!(listed(&home, &store.url()), [1, 4]);
        assert_eq!(received(store), [1, 4]);
    }

    #[test]
    fn a_disk_without_room_for_a_journal() {
        let (home, store) = (Home::new(), store());
        let script = r#"
            mount -t tmpfs -o size=1m none "$data"
            ! cat /dev/zero > "$data/big"
            add 1
            rm "$data/big"
            add 2
            ! cat /dev/zero > "$data/big"
            "$0" list --json"#;
        let Some((printed, stderr)) = run(&home, &store, script) else { return };
        assert_eq!(Value::from(outcomes(&printed[..4])), json!(["not_sent", 3, "accepted", 0]), "{stderr}");
        assert!(stderr.contains("no room to write the journal ") && stderr.contains("free some space"), "{stderr}");
        assert_eq!(printed[4], json!([{"name": "Fern", "id": 2, "tag": "shade", "state": "stored"}]));
        assert_eq!(received(store), [2]);
    }

    /// Rows that were recorded and not sent are known to be unsent: importing the same file again sends each
    /// of them once.
    #[test]
    fn an_import_that_fills_the_disk_is_completed_by_the_next() {
        let (home, store) = (Home::new(), store());
        let rows = (1..=400).map(|id| format!("{id},{},t\n", "x".repeat(1000)));
        let file = home.write("rows.csv", format!("id,name,tag\n{}", rows.collect::<String>()));
        let script = format!(
            r#"
            mount -t tmpfs -o size=1m none "$data"
            "$0" import '{file}' --json 2>/dev/null | grep '"summary"'
            mount -o remount,size=64m "$data"
            "$0" import '{file}' --json 2>/dev/null | grep '"summary"'
            "$0" list --json"#,
            file = file.display()
        );
        let Some((printed, stderr)) = run(&home, &store, &script) else { return };
        let [first, second, list] = printed.as_slice() else { panic!("{printed:?}") };
        let count = |result: &Value, what: &str| result["summary"][what].as_u64().unwrap();
        assert!(first["summary"]["halted"].is_string() && count(first, "left") > 0, "{first} {stderr}");
        // Rows whose outcome could not be recorded were sent, and are not sent again.
        assert_eq!(count(second, "accepted") + count(second, "already_stored") + count(second, "unknown_before"), 400);
        assert_eq!(list.as_array().unwrap().len(), 400);
        let mut received = received(store);
        received.sort_unstable();
        assert_eq!(received, (1..=400).collect::<Vec<_>>(), "{first} {second} {stderr}");
    }

    #[test]
    fn a_disk_that_fills_up_between_two_adds() {
        let (home, store) = (Home::new(), store());
        let script = r#"
            mount -t tmpfs -o size=1m none "$data"
            add 1
            ! cat /dev/zero > "$data/big"
            add 2
            "$0" list --json
            rm "$data/big"
            add 3
            "$0" list --json"#;
        let Some((printed, stderr)) = run(&home, &store, script) else { return };
        let list = json!([{"name": "Fern", "id": 1, "tag": "shade", "state": "stored"}]);
        let expected = json!(["accepted", 0, "not_sent", 3, list, "accepted", 0]);
        assert_eq!(Value::from(outcomes(&printed[..7])), expected, "{stderr}");
        assert!(stderr.contains("no room to write the journal ") && stderr.contains("free some space"), "{stderr}");
        let ids: Vec<_> = printed[7].as_array().unwrap().iter().map(|plant| plant["id"].clone()).collect();
        assert_eq!(ids, [1, 3]);
        assert_eq!(received(store), [1, 3]);
    }
}

/// In the year 2100.
const LATER: Timestamp = Timestamp(4_102_444_800_000);

#[test]
fn the_history_keeps_its_order_when_the_clock_goes_back() {
    let (home, store) = (Home::new(), store());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let url: StoreUrl = store.url().parse().unwrap();
        let opened = Journal::open(Place::Folder(home.data()), &url, 1, LATER).await.unwrap();
        let kind = OperationKind::add(Plant { name: "Ivy".into(), id: PlantId(7), tag: "climber".into() });
        let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, LATER);
        opened.journal.record_intent(operation.clone()).await.unwrap();
        let lost = Exchange::failed(operation, FailureKind::TimedOut, String::new(), LATER);
        opened.journal.end(lost, LATER).await.unwrap();
        opened.journal.close().await;
    });
    home.plants_at(&store.url(), &add("8")).ended().orderly(0);
    // Resolves the unknown add before it, although that one has a later time.
    home.plants_at(&store.url(), &add("7")).ended().orderly(0);
    home.plants_at(&store.url(), &["delete", "8", "--yes"]).ended().orderly(0);

    let history = home.plants_at(&store.url(), &["history", "--json"]).ended().orderly(0).stdout;
    let history: Vec<Value> = serde_json::from_str(&history).unwrap();
    let result = |entry: &Value| (entry["operation"].clone(), entry["plant"]["id"].clone());
    let expected = [("delete", 8), ("add", 7), ("add", 8), ("add", 7)].map(|(what, id)| (json!(what), json!(id)));
    assert_eq!(history.iter().map(result).collect::<Vec<_>>(), expected);
    let listed: Value = serde_json::from_str(&home.listed(&store.url())).unwrap();
    assert_eq!(listed, json!([{"name": "Fern", "id": 7, "tag": "shade", "state": "stored"}]));
}

#[test]
fn without_a_home_the_named_folders_are_used() {
    let (home, store) = (Home::new(), store());
    let without_home = |mut run: Run| {
        run.command.env_remove("HOME");
        run
    };
    without_home(home.plants_at(&store.url(), &add("7"))).ended().orderly(0);
    assert_eq!(listed(&home, &store.url()), [7]);
    let unprivileged = Unprivileged::new();
    // Any other user has a home in the system, which a test must not use.
    if unprivileged.user.is_some() {
        let mut run = without_home(unprivileged.plants_at(&store, &add("8")));
        run.command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
        let ended = run.ended().orderly(2);
        for expected in ["--data-dir: no home directory is known", "set HOME", "Nothing was sent."] {
            assert!(ended.stderr.contains(expected), "{expected:?} in {ended:?}");
        }
    }
    assert_eq!(received(store), [7]);
}
