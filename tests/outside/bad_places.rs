//! Places where the journal cannot be written: nothing is sent, nothing is destroyed, and the
//! words name the place and say what to do.

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

/// The ids of the view that `plants list` tells.
fn listed(home: &Home, base: &str) -> Vec<i64> {
    let listed: Value = serde_json::from_str(&home.listed(base)).unwrap();
    listed.as_array().unwrap().iter().map(|plant| plant["id"].as_i64().unwrap()).collect()
}

/// Holds a run to what every journal that cannot be written promises.
fn not_sent(run: Run, words: &[&str]) -> Ended {
    let ended = run.ended().orderly(3);
    let told = ended.json();
    assert_eq!((&told["outcome"], &told["status"]), (&json!("not_sent"), &Value::Null), "{ended:?}");
    for words in words {
        assert!(ended.stderr.contains(words), "{words:?} in {ended:?}");
    }
    ended
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Adds what a store wants to know to a run that does not say `plants` itself.
fn told_of(store: &RawStore, run: Run) -> Run {
    run.env("PLANTS_BASE_URL", store.url()).env("PLANTS_TOKEN", "demo")
}

/// Somebody whom permissions bind; root they do not.
struct Anybody {
    home: Home,
    program: PathBuf,
    user: Option<u32>,
}

impl Anybody {
    fn new() -> Self {
        /// Of nobody whom the system knows.
        const USER: u32 = 54_987;
        let (home, built) = (Home::new(), PathBuf::from(env!("CARGO_BIN_EXE_plants")));
        if !rustix::process::geteuid().is_root() {
            return Self { home, program: built, user: None };
        }
        // Where it was built perhaps only root can get to. Copied by another program: while a file
        // is open for writing here, what a test beside this one starts inherits it, and the system
        // does not run such a file.
        let program = home.path().join("plants");
        assert!(Command::new("cp").args([&built, &program]).status().unwrap().success());
        chown(home.path(), Some(USER), Some(USER)).unwrap();
        Self { home, program, user: Some(USER) }
    }

    fn plants_at(&self, store: &RawStore, words: &[&str]) -> Run {
        let mut run = told_of(store, self.home.program(&self.program, words));
        if let Some(user) = self.user {
            run.command.uid(user).gid(user);
        }
        run
    }
}

/// Where the journal is if nothing says otherwise.
#[test]
fn a_folder_that_is_missing_is_made_with_those_above_it() {
    let (home, store) = (Home::new(), store());
    let folder = home.path().join("a/b c/é");
    let run = home.plants_at(&store.url(), &add("7")).env("PLANTS_DATA_DIR", &folder);
    assert_eq!(run.ended().orderly(0).json()["outcome"], json!("accepted"));
    assert!(folder.join("journal.db").is_file());
    assert_eq!(received(store), [7]);
}

#[test]
fn a_folder_without_permission_is_named() {
    let (anybody, store) = (Anybody::new(), store());
    let home = &anybody.home;
    let closed = home.path().join("closed");
    home.write("closed/held/file", "");
    for (closed_mode, place, named) in [
        // Neither a journal in it, nor a folder, nor one further down.
        (0o555, closed.clone(), closed.join("journal.db")),
        (0o555, closed.join("new"), closed.join("new")),
        (0o555, closed.join("new/er"), closed.join("new/er")),
        (0o000, closed.join("held"), closed.join("held")),
    ] {
        set_mode(&closed, closed_mode);
        let run = anybody.plants_at(&store, &add("7")).env("PLANTS_DATA_DIR", &place);
        let named = format!("access to {} is denied: ", named.display());
        not_sent(run, &[&named, "permissions", "--data-dir", "Nothing was sent."]);
        set_mode(&closed, 0o755);
        assert_eq!(fs::read_dir(&closed).unwrap().count(), 1, "nothing was left behind");
    }
    assert_eq!(received(store), [0; 0]);
}

#[test]
fn a_journal_that_cannot_be_written_is_left_as_it_is() {
    let (anybody, store) = (Anybody::new(), store());
    anybody.plants_at(&store, &add("1")).ended().orderly(0);
    let data = anybody.home.data();
    let journal = data.join("journal.db");
    let before = fs::read(&journal).unwrap();
    for (path, closed, words) in [
        (journal.clone(), 0o444, "cannot be written: make it, "),
        (journal.clone(), 0o400, "cannot be written: make it, "),
        (journal.clone(), 0o000, "is denied: change its permissions or those of its folder"),
        (data.clone(), 0o500, "make it, its folder and the files beside it writable"),
        (data.join("instances"), 0o500, "is denied: change its permissions or those of its folder"),
    ] {
        let open = fs::metadata(&path).unwrap().permissions();
        set_mode(&path, closed);
        for command in [&add("2")[..], &["delete", "1", "--yes", "--json"]] {
            let run = anybody.plants_at(&store, command);
            not_sent(run, &[path.to_str().unwrap(), words, "--data-dir", "Nothing was sent."]);
        }
        // What can be read is shown all the same.
        let code = if closed == 0 { 3 } else { 0 };
        for command in ["list", "history", "export"] {
            let ended = anybody.plants_at(&store, &[command, "--json"]).ended().orderly(code);
            let told = format!("The journal {} cannot be written: it is shown as it was", journal.display());
            assert_eq!(ended.stderr.contains(&told), code == 0, "{ended:?}");
            assert_eq!(ended.stdout.contains("Fern"), code == 0, "{ended:?}");
        }
        assert!(!data.join("journal.db-wal").exists() && !data.join("journal.db-shm").exists());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, closed);
        fs::set_permissions(&path, open).unwrap();
        assert_eq!(fs::read(&journal).unwrap(), before);
    }
    assert_eq!(listed(&anybody.home, &store.url()), [1]);
    assert_eq!(received(store), [1]);
}

/// With its log beside it, as a program leaves it that was killed, or has it open.
#[test]
fn a_journal_that_cannot_be_written_is_read_with_its_log_or_says_what_is_left_out() {
    let (anybody, store) = (Anybody::new(), store());
    anybody.plants_at(&store, &add("1")).ended().orderly(0);
    let data = anybody.home.data();
    // Keeps the log from going into the journal.
    let open = rusqlite::Connection::open(data.join("journal.db")).unwrap();
    open.query_row("SELECT count(*) FROM plant", [], |found| found.get::<_, i64>(0)).unwrap();
    anybody.plants_at(&store, &add("2")).ended().orderly(0);
    let copy = anybody.home.path().join("copy");
    assert!(Command::new("cp").arg("-Rp").args([&data, &copy]).status().unwrap().success());
    let ids = |ended: &Ended| {
        let listed: Value = serde_json::from_str(&ended.stdout).unwrap();
        listed.as_array().unwrap().iter().map(|plant| plant["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    set_mode(&copy.join("journal.db"), 0o400);
    set_mode(&copy, 0o500);
    let list = || anybody.plants_at(&store, &["list", "--json"]).env("PLANTS_DATA_DIR", &copy).ended().orderly(0);
    let whole = list();
    assert_eq!(ids(&whole), [1, 2], "{whole:?}");
    assert!(whole.stderr.contains("cannot be written") && !whole.stderr.contains("-wal"), "{whole:?}");
    set_mode(&copy, 0o700);
    fs::remove_file(copy.join("journal.db-shm")).unwrap();
    set_mode(&copy, 0o500);
    let part = list();
    assert_eq!(ids(&part), [1], "{part:?}");
    let told = format!("{} lies beside it and cannot be read", copy.join("journal.db-wal").display());
    assert!(part.stderr.contains(&told) && part.stderr.contains("may be missing"), "{part:?}");
    set_mode(&copy, 0o700);
    drop(open);
    assert_eq!(received(store), [1, 2]);
}

/// A script that reads stdout alone learns why.
#[test]
fn an_import_without_a_journal_says_why_in_its_last_line() {
    let (anybody, store) = (Anybody::new(), store());
    let closed = anybody.home.path().join("closed");
    fs::create_dir(&closed).unwrap();
    let rows = anybody.home.write("rows.csv", "id,name,tag\n1,Fern,shade\n2,Fern,shade\n");
    set_mode(&rows, 0o644);
    set_mode(&closed, 0o555);
    for words in [&["import", "rows.csv", "--json"][..], &["import", "rows.csv", "--json", "--dry-run"]] {
        let ended = anybody.plants_at(&store, words).env("PLANTS_DATA_DIR", &closed).ended().orderly(3);
        let summary = ended.json()["summary"].take();
        assert_eq!((&summary["rows"], &summary["left"], &summary["accepted"]), (&json!(2), &json!(2), &json!(0)));
        let why = summary["halted"].as_str().unwrap();
        assert!(why.contains("is denied") && why.contains("Nothing was sent."), "{ended:?}");
    }
    set_mode(&closed, 0o755);
    assert_eq!(received(store), [0; 0]);
}

/// Who keeps it locked is told while it is waited for; afterwards all goes on.
#[test]
fn a_journal_that_is_locked_for_long_is_waited_for_and_the_process_is_named() {
    let (home, store) = (Home::new(), store());
    home.plants_at(&store.url(), &add("1")).ended().orderly(0);
    let journal = home.data().join("journal.db");
    let holder = rusqlite::Connection::open(&journal).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut child = home.plants_at(&store.url(), &add("2")).begun();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let told = format!("process {} keeps the journal {} locked: waiting", std::process::id(), journal.display());
    assert!(said.starts_with(&told), "{said}");
    holder.execute_batch("ROLLBACK").unwrap();
    crate::support::end_of(child).orderly(0);
    assert_eq!(received(store), [1, 2]);
}

#[test]
fn something_else_in_the_place_of_the_lock_files_is_named() {
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

/// The program with a limit on the size of files, of 40 or 80 KiB, as the shell counts: the journal can
/// be opened, and does not take a long name. The signal that comes with it ends a program by default.
const LIMITED: &str = "ulimit -f 80; exec \"$0\" \"$@\"";

/// The system refuses to let a file grow, as it does where a quota is used up.
#[test]
fn a_limit_on_the_size_of_files_is_told() {
    let (home, store, name) = (Home::new(), store(), "x".repeat(100_000));
    home.plants_at(&store.url(), &add("1")).ended().orderly(0);
    let add_long = ["add", "--id", "2", "--name", &name, "--tag", "shade", "--json"];
    let words = [&["-c", LIMITED, env!("CARGO_BIN_EXE_plants")], &add_long[..]].concat();
    let limited = told_of(&store, home.program("sh", &words));
    let journal = home.data().join("journal.db");
    not_sent(limited, &[journal.to_str().unwrap(), "Nothing reached the store", "quota", "--data-dir"]);
    assert_eq!(listed(&home, &store.url()), [1]);
    home.plants_at(&store.url(), &add_long).ended().orderly(0);
    assert_eq!(listed(&home, &store.url()), [1, 2]);
    assert_eq!(received(store), [1, 2]);
}

/// The same where the signal is ignored already, where not even an empty journal has room, and of an
/// import, whose first rows go out.
#[test]
fn a_limit_on_the_size_of_files_ends_nothing_without_a_word() {
    let (home, store, name) = (Home::new(), store(), "x".repeat(100_000));
    let program = env!("CARGO_BIN_EXE_plants");
    let limited = |script: &str, words: &[&str]| {
        let words = [&["-c", script, program], words].concat();
        told_of(&store, home.program("sh", &words))
    };
    let nothing_fits = LIMITED.replace("80", "1");
    let ended = not_sent(limited(&nothing_fits, &add("7")), &["quota", "--data-dir", "Nothing was sent."]);
    assert!(ended.stdout.contains("not_sent"));
    let ignored = format!("trap '' XFSZ; {LIMITED}");
    not_sent(limited(&ignored, &["add", "--id", "2", "--name", &name, "--tag", "shade", "--json"]), &["quota"]);
    // The rows are held in a file before they are sent, which has no room for the long one.
    home.write("long.csv", format!("name,id,tag\nFern,1,shade\n{name},2,shade\n"));
    let ended = limited(LIMITED, &["import", "long.csv"]).ended().orderly(3);
    assert!(ended.stderr.contains("File too large") && ended.stderr.contains("Nothing was sent."), "{ended:?}");
    assert_eq!(listed(&home, &store.url()), [0; 0]);
    // These fit, and go out until the journal takes no more.
    let rows: Vec<_> = (1..=200).map(|id| format!("{},{id},shade", "x".repeat(150))).collect();
    home.write("many.csv", format!("name,id,tag\n{}\n", rows.join("\n")));
    let ended = limited(&LIMITED.replace("80", "400"), &["import", "many.csv"]).ended();
    assert!(ended.code.is_some() && ended.stderr.contains("quota"), "{:?}", ended.code);
    let (kept, sent) = (listed(&home, &store.url()), received(store));
    assert!(!sent.is_empty() && sent.len() < 200, "{sent:?}");
    assert!(sent.iter().all(|id| kept.contains(id)), "the journal has what the store has: {kept:?}, {sent:?}");
}

/// The same for an export that has begun: the file is not there, and an older one stays.
#[test]
fn an_export_that_finds_no_room_leaves_nothing_behind() {
    let (home, store, name) = (Home::new(), store(), "x".repeat(100_000));
    home.plants_at(&store.url(), &["add", "--id", "2", "--name", &name, "--tag", "shade", "--json"]).ended().orderly(0);
    let older = home.write("exports/older.csv", "older");
    for (file, force) in [("exports/new.csv", "--spreadsheet"), ("exports/older.csv", "--force")] {
        let words = ["-c", LIMITED, env!("CARGO_BIN_EXE_plants"), "export", file, force];
        let ended = told_of(&store, home.program("sh", &words)).ended().orderly(3);
        assert!(ended.stderr.contains(&format!("{file} was not written: ")), "{ended:?}");
        assert_eq!(fs::read_dir(home.path().join("exports")).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(&older).unwrap(), "older");
    }
}

#[test]
fn an_export_into_a_closed_folder_is_told_and_leaves_nothing_behind() {
    let (anybody, store) = (Anybody::new(), store());
    let closed = anybody.home.path().join("closed");
    anybody.home.write("closed/older.csv", "older");
    set_mode(&closed, 0o555);
    for (file, force) in [("closed/new.csv", "--spreadsheet"), ("closed/older.csv", "--force")] {
        let ended = anybody.plants_at(&store, &["export", file, force]).ended().orderly(2);
        assert!(ended.stderr.contains(&format!("{file} was not written: permission denied")), "{ended:?}");
    }
    set_mode(&closed, 0o755);
    assert_eq!(fs::read_dir(&closed).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(closed.join("older.csv")).unwrap(), "older");
}

#[cfg(target_os = "linux")]
mod mounted {
    use super::*;

    /// Runs a script that may mount what nobody else sees, and in which `add` adds a plant and
    /// prints its exit code. Returns what it printed, a value on each line, and its words for
    /// people; `None` on a system that does not let us mount.
    fn run(home: &Home, store: &RawStore, script: &str) -> Option<(Vec<Value>, String)> {
        const ADD: &str =
            r#"add() { code=0; "$0" add --id "$1" --name Fern --tag shade --json || code=$?; echo $code; }"#;
        let data = home.data();
        fs::create_dir_all(&data).unwrap();
        let unshare: &[&str] =
            if rustix::process::geteuid().is_root() { &["--mount"] } else { &["--user", "--map-root-user", "--mount"] };
        let trial = Command::new("unshare").args(unshare).args(["mount", "-t", "tmpfs", "none"]).arg(&data).output();
        if !trial.as_ref().is_ok_and(|trial| trial.status.success()) {
            leave_out(&format!(
                "unshare (util-linux) may not mount here; as root in a virtual machine it may: {trial:?}"
            ));
            return None;
        }
        let script = format!("set -e; data='{}'; {ADD}; {script}", data.display());
        let words = [unshare, &["sh", "-c", &script, env!("CARGO_BIN_EXE_plants")]].concat();
        let ended = told_of(store, home.program("unshare", &words)).ended().orderly(0);
        Some((ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), ended.stderr))
    }

    /// The outcomes and exit codes among what was printed.
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
        let Some((printed, said)) = run(&home, &store, script) else { return };
        let list = json!([{"name": "Fern", "id": 1, "tag": "shade", "state": "stored"}]);
        let expected = json!(["accepted", 0, "not_sent", 3, "not_sent", 3, list, "accepted", 0]);
        assert_eq!(Value::from(outcomes(&printed)), expected, "{said}");
        for named in [home.data().join("journal.db"), home.data().join("new")] {
            let named =
                format!("{} cannot be written: make it, its folder and the files beside it writable", named.display());
            assert!(said.contains(&named), "{named:?} in {said}");
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
            "$0" list --json"#;
        let Some((printed, said)) = run(&home, &store, script) else { return };
        assert_eq!(Value::from(outcomes(&printed[..4])), json!(["not_sent", 3, "accepted", 0]), "{said}");
        assert!(said.contains("no room to write the journal ") && said.contains("free some space"), "{said}");
        assert_eq!(printed[4], json!([{"name": "Fern", "id": 2, "tag": "shade", "state": "stored"}]));
        assert_eq!(received(store), [2]);
    }

    /// Rows that were recorded ahead and never left are known to be unsent: the same file imported
    /// again sends each of them, and none twice.
    #[test]
    fn an_import_that_fills_the_disk_up_is_finished_by_the_next() {
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
        let Some((printed, said)) = run(&home, &store, &script) else { return };
        let [first, second, list] = printed.as_slice() else { panic!("{printed:?}") };
        let count = |told: &Value, what: &str| told["summary"][what].as_u64().unwrap();
        assert!(first["summary"]["halted"].is_string() && count(first, "left") > 0, "{first} {said}");
        // Those whose results could not be recorded went out, and are not sent again.
        assert_eq!(count(second, "accepted") + count(second, "already_stored") + count(second, "unknown_before"), 400);
        assert_eq!(list.as_array().unwrap().len(), 400);
        let mut received = received(store);
        received.sort_unstable();
        assert_eq!(received, (1..=400).collect::<Vec<_>>(), "{first} {second} {said}");
    }

    #[test]
    fn a_disk_that_fills_up_between_two_adds() {
        let (home, store) = (Home::new(), store());
        let script = r#"
            mount -t tmpfs -o size=1m none "$data"
            add 1
            ! cat /dev/zero > "$data/big"
            add 2
            "$0" list --json || echo $?
            rm "$data/big"
            add 3
            "$0" list --json"#;
        let Some((printed, said)) = run(&home, &store, script) else { return };
        let expected = json!(["accepted", 0, "not_sent", 3, 3, "accepted", 0]);
        assert_eq!(Value::from(outcomes(&printed[..7])), expected, "{said}");
        assert!(said.contains("no room to write the journal ") && said.contains("free some space"), "{said}");
        let ids: Vec<_> = printed[7].as_array().unwrap().iter().map(|plant| plant["id"].clone()).collect();
        assert_eq!(ids, [1, 3]);
        assert_eq!(received(store), [1, 3]);
    }
}

/// In the year 2100.
const LATER: Timestamp = Timestamp(4_102_444_800_000);

#[test]
fn a_clock_that_went_back_changes_no_order() {
    let (home, store) = (Home::new(), store());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let url: StoreUrl = store.url().parse().unwrap();
        let opened = Journal::open(Place::Folder(home.data()), &url, 1, LATER).await.unwrap();
        let kind = OperationKind::Add(Plant { name: "Ivy".into(), id: PlantId(7), tag: "climber".into() });
        let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, LATER);
        opened.journal.record_intent(operation.clone()).await.unwrap();
        let lost = Exchange::failed(operation, FailureKind::TimedOut, String::new(), LATER);
        opened.journal.end(lost, LATER).await.unwrap();
        opened.journal.close().await;
    });
    home.plants_at(&store.url(), &add("8")).ended().orderly(0);
    // Speaks for the doubt before it, however much later that claims to be.
    home.plants_at(&store.url(), &add("7")).ended().orderly(0);
    home.plants_at(&store.url(), &["delete", "8", "--yes"]).ended().orderly(0);

    let history = home.plants_at(&store.url(), &["history", "--json"]).ended().orderly(0).stdout;
    let history: Vec<Value> = serde_json::from_str(&history).unwrap();
    let told = |entry: &Value| (entry["operation"].clone(), entry["plant"]["id"].clone());
    let expected = [("delete", 8), ("add", 7), ("add", 8), ("add", 7)].map(|(what, id)| (json!(what), json!(id)));
    assert_eq!(history.iter().map(told).collect::<Vec<_>>(), expected);
    let listed: Value = serde_json::from_str(&home.listed(&store.url())).unwrap();
    assert_eq!(listed, json!([{"name": "Fern", "id": 7, "tag": "shade", "state": "stored"}]));
}

#[test]
fn without_a_home_the_folders_that_are_named_do() {
    let (home, store) = (Home::new(), store());
    let without_home = |mut run: Run| {
        run.command.env_remove("HOME");
        run
    };
    without_home(home.plants_at(&store.url(), &add("7"))).ended().orderly(0);
    assert_eq!(listed(&home, &store.url()), [7]);
    let anybody = Anybody::new();
    // Of everybody else the system knows a home, which is not for a test to look at.
    if anybody.user.is_some() {
        let mut run = without_home(anybody.plants_at(&store, &add("8")));
        run.command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
        let ended = run.ended().orderly(2);
        for words in ["--data-dir: no home directory is known", "set HOME", "Nothing was sent."] {
            assert!(ended.stderr.contains(words), "{words:?} in {ended:?}");
        }
    }
    assert_eq!(received(store), [7]);
}
