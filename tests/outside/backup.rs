//! `plants journal backup` and `plants journal restore`: a copy is whole and sound whatever else writes, and a journal is
//! replaced whole or not at all.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::extent::step;
use crate::support::raw::{RawStore, Reply};
use crate::support::served::Served;
use crate::support::{Ended, Home, Run, end_of};

fn add_to(home: &Home, base: &str, id: i64) -> Ended {
    let id = id.to_string();
    home.plants_at(base, &["add", "--id", &id, "--name", "Fern", "--tag", "shade"]).ended()
}

fn add(home: &Home, base: &str, id: i64) {
    add_to(home, base, id).orderly(0);
}

/// A home with these plants in the journal, and the store that has them.
fn with_plants(ids: impl IntoIterator<Item = i64>) -> (Home, Served) {
    let (home, store) = (Home::new(), Served::calm());
    for id in ids {
        add(&home, &store.base, id);
    }
    (home, store)
}

fn ids(home: &Home, base: &str) -> Vec<i64> {
    home.states(base).into_keys().collect()
}

fn backup(home: &Home, file: &str) -> Value {
    home.plants(&["journal", "backup", file, "--json"]).ended().orderly(0).json()
}

fn restore(home: &Home, file: &Path) -> Run {
    home.plants(&["journal", "restore", file.to_str().unwrap(), "--yes", "--json"])
}

fn verified(home: &Home, file: &Path) -> Value {
    home.plants(&["journal", "verify", file.to_str().unwrap(), "--json"]).ended().orderly(0).json()
}

/// The names in the folder of the journal, without its lock files and its log.
fn names(home: &Home) -> Vec<String> {
    let found = fs::read_dir(home.data()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = found.filter(|name| name != "instances" && !name.starts_with("journal.db-")).collect();
    names.sort();
    names
}

fn has(ended: &Ended, expected: &[&str]) {
    for expected in expected {
        assert!(ended.stderr.contains(expected), "{expected:?} in {ended:?}");
    }
}

#[test]
fn a_restored_copy_brings_the_list_back_and_the_journal_before_is_kept() {
    let (home, store) = with_plants([1, 2]);
    let file = home.path().join("copy.db");
    let saved = backup(&home, "copy.db");
    let stores = json!([{ "store": store.base, "plants": 2, "requests": 2 }]);
    assert_eq!((&saved["file"], &saved["stores"]), (&json!("copy.db"), &stores));
    assert_eq!((&saved["plants"], &saved["requests"]), (&json!(2), &json!(2)));
    assert_eq!(saved["bytes"], fs::metadata(&file).unwrap().len());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(names(&home), ["journal.db"], "the journal is as it was");
    let before = fs::read(&file).unwrap();
    let mut expected = saved.clone();
    expected["file"] = json!(file);
    assert_eq!(verified(&home, &file), expected);
    let said = home.plants(&["journal", "verify", "copy.db"]).ended().orderly(0).stdout;
    let mut lines = said.lines();
    let first = lines.next().unwrap();
    assert!(
        first.starts_with("copy.db: no damage found in 2 plants and 2 requests of 1 store, the newest at "),
        "{said}"
    );
    assert_eq!(lines.next(), Some(format!("{}  2 plants and 2 requests", store.base).as_str()));

    add(&home, &store.base, 3);
    let restored = restore(&home, &file).ended().orderly(0);
    has(&restored, &["Restored 2 plants and 2 requests of 1 store", "The journal before is kept as "]);
    assert!(!restored.stderr.contains("team"), "{restored:?}");
    let restored = restored.json();
    assert_eq!((&restored["plants"], &restored["newest"]), (&saved["plants"], &saved["newest"]));
    assert_eq!(ids(&home, &store.base), [1, 2]);
    let aside = PathBuf::from(restored["set_aside"].as_str().unwrap());
    assert!(names(&home).iter().any(|name| name.starts_with("journal.db.replaced-")), "{:?}", names(&home));
    assert!(home.plants(&["paths"]).ended().orderly(0).stdout.contains(aside.to_str().unwrap()));
    assert_eq!(fs::read(&file).unwrap(), before, "the copy is not changed");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2, "no file is left beside it");

    // The restored journal works, and the one before can be restored again.
    add(&home, &store.base, 4);
    restore(&home, &aside).ended().orderly(0);
    assert_eq!(ids(&home, &store.base), [1, 2, 3]);
}

#[test]
fn a_copy_is_restored_where_there_was_no_journal() {
    let (home, store) = with_plants([7]);
    backup(&home, "copy.db");
    let elsewhere = Home::new();
    let ended = restore(&elsewhere, &home.path().join("copy.db")).ended().orderly(0);
    assert_eq!(ended.json()["set_aside"], Value::Null);
    assert_eq!(names(&elsewhere), ["journal.db"]);
    assert_eq!(fs::metadata(elsewhere.data().join("journal.db")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(ids(&elsewhere, &store.base), [7]);
}

#[test]
fn an_existing_file_is_replaced_with_force_only_and_only_its_owner_can_read_it() {
    let (home, _store) = with_plants([1]);
    let file = home.write("copy.db", "older");
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    let ended = home.plants(&["journal", "backup", "copy.db"]).ended().orderly(2);
    has(&ended, &["copy.db: this file exists and was not changed; --force replaces it"]);
    assert_eq!(fs::read(&file).unwrap(), b"older");
    home.plants(&["journal", "backup", "copy.db", "--force"]).ended().orderly(0);
    assert_eq!(verified(&home, &file)["plants"], 1);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    for (file, why) in [("-", "name a file"), ("/dev/null", "no regular file"), ("none/copy.db", "no such folder")] {
        has(&home.plants(&["journal", "backup", file, "--force"]).ended().orderly(2), &[why]);
    }
    let empty = Home::new();
    has(
        &empty.plants(&["journal", "backup", "copy.db"]).ended().orderly(2),
        &["was not written: there is no journal at "],
    );
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

/// Rows of a file for the import.
fn rows(home: &Home, count: i64) {
    let rows = (1..=count).map(|id| format!("{id},plant {id},t{id}\n"));
    home.write("rows.csv", format!("id,name,tag\n{}", rows.collect::<String>()));
}

#[test]
fn copies_during_an_import_are_sound_and_grow() {
    let (home, store) = with_plants([]);
    rows(&home, 500);
    let mut import = home.plants_at(&store.base, &["import", "rows.csv"]);
    import.command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut import = import.begun();
    let mut counts = Vec::new();
    // The journal exists once a program has opened it.
    home.plants_at(&store.base, &["list"]).ended().orderly(0);
    loop {
        let is_over = import.try_wait().unwrap().is_some();
        let saved = home.plants(&["journal", "backup", "copy.db", "--force", "--json"]).ended().orderly(0).json();
        assert_eq!(verified(&home, &home.path().join("copy.db"))["plants"], saved["plants"]);
        counts.push(saved["plants"].as_i64().unwrap());
        if is_over {
            break;
        }
    }
    assert!(counts.is_sorted(), "{counts:?}");
    assert_eq!(counts.last(), Some(&500));
}

#[test]
fn what_was_in_flight_in_a_copy_is_unknown_and_an_open_journal_is_not_replaced() {
    let (home, store) = (Home::new(), Served::with(&["--latency", "1h"]));
    rows(&home, 5);
    let mut import = home.plants_at(&store.base, &["import", "rows.csv"]).begun();
    while home.states(&store.base).values().filter(|state| *state == "adding").count() < 5 {}
    assert_eq!(backup(&home, "copy.db")["plants"], 5);
    let file = home.path().join("copy.db");
    let before = names(&home);
    let ended = restore(&home, &file).ended().orderly(3);
    has(&ended, &[&format!("process {} has the journal ", import.id()), "open: close it, then try again"]);
    assert_eq!(names(&home), before);
    let elsewhere = Home::new();
    restore(&elsewhere, &file).ended().orderly(0);
    assert!(elsewhere.states(&store.base).into_values().eq(["unknown"; 5]));
    import.kill().unwrap();
    end_of(import);
    // The log of the killed program stays with its journal.
    let restored = restore(&home, &file).ended().orderly(0).json();
    let aside = PathBuf::from(restored["set_aside"].as_str().unwrap());
    assert_eq!(verified(&home, &aside)["plants"], 5);
    assert!(home.states(&store.base).into_values().eq(["unknown"; 5]));
}

#[test]
fn a_log_beside_a_copy_is_a_part_of_it() {
    let (home, store) = with_plants([1]);
    // An open connection prevents the checkpoint of the log.
    let open = rusqlite::Connection::open(home.data().join("journal.db")).unwrap();
    open.query_row("SELECT count(*) FROM plant", [], |found| found.get::<_, i64>(0)).unwrap();
    add(&home, &store.base, 2);
    for ending in ["", "-wal"] {
        fs::copy(home.data().join(format!("journal.db{ending}")), home.path().join(format!("copy.db{ending}")))
            .unwrap();
    }
    drop(open);
    let file = home.path().join("copy.db");
    let before = fs::read(&file).unwrap();
    assert_eq!(verified(&home, &file)["plants"], 2);
    let elsewhere = Home::new();
    restore(&elsewhere, &file).ended().orderly(0);
    let log = home.path().join("copy.db-wal");
    assert_eq!(ids(&elsewhere, &store.base), [1, 2]);
    assert_eq!(fs::read(&file).unwrap(), before);
    let read_with = format!(", read together with {})", log.display());
    assert!(home.plants(&["journal", "verify", "copy.db"]).ended().orderly(0).stdout.contains(&read_with));
    has(&restore(&elsewhere, &file).ended().orderly(0), &[&read_with]);

    // It would be read as a part of another copy, too.
    add(&home, &store.base, 3);
    for words in [&["--force"][..], &[]] {
        let ended = home.plants(&[&["journal", "backup", "copy.db"], words].concat()).ended().orderly(2);
        has(&ended, &["copy.db was not written: ", "copy.db-wal lies beside it", "move that file away"]);
        assert!(log.exists() && words.is_empty() != file.exists());
        let _ = fs::remove_file(&file);
    }
    fs::remove_file(&log).unwrap();
    backup(&home, "copy.db");
    assert_eq!(verified(&home, &file)["plants"], 3);
    home.write("copy.db-journal", "of another program");
    for ended in [restore(&home, &file), home.plants(&["journal", "verify", "copy.db"])].map(Run::ended) {
        has(&ended.orderly(2), &["copy.db-journal lies beside it"]);
    }
}

#[test]
fn a_wrong_file_is_named_and_changes_nothing() {
    let (home, store) = with_plants(1..=30);
    let lost = RawStore::replying(vec![Reply::Says(Vec::new())]);
    add_to(&home, &lost.url(), 31).orderly(4);
    home.plants_at(&lost.url(), &["resolve", "31", "--stored", "--yes"]).ended().orderly(0);
    let good = home.path().join("good.db");
    backup(&home, "good.db");
    let bytes = fs::read(&good).unwrap();
    let altered = |name: &str, statement: &str| {
        let path = home.write(name, &bytes);
        rusqlite::Connection::open(&path).unwrap().execute_batch(statement).unwrap();
        path
    };
    let other = home.path().join("other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE tab (a)").unwrap();
    let no_table = home.path().join("no-table.db");
    rusqlite::Connection::open(&no_table).unwrap().execute_batch("VACUUM").unwrap();
    let journal = home.data().join("journal.db");
    let before = fs::read(&journal).unwrap();
    for (file, why) in [
        (home.path().join("none.db"), "cannot be read: "),
        (home.data(), "is not a file"),
        (home.write("empty.db", ""), "is not a journal of plants"),
        (home.write("text.db", "x".repeat(5000)), "is not a journal of plants"),
        (home.write("plants.csv", "id,name,tag\n"), "is not a journal of plants"),
        (other, "is not a journal of plants"),
        (no_table, "is not a journal of plants"),
        (home.write("short.db", &bytes[..50]), "is damaged"),
        (home.write("cut.db", &bytes[..bytes.len() - 4096]), "is damaged"),
        (home.write("cut-in-a-page.db", &bytes[..bytes.len() - 64]), "is damaged"),
        (home.write("longer.db", [&bytes[..], b"x"].concat()), "is damaged"),
        (altered("newer.db", "PRAGMA user_version = 99"), "is from a newer release (version 99): update plants"),
        (altered("more.db", "CREATE TABLE tab (a)"), "the table tab does not belong in it"),
        (altered("state.db", "UPDATE plant SET state = 3 WHERE id = 7"), "is damaged"),
        (altered("outcome.db", "UPDATE exchange SET outcome = 1 WHERE seq = 7"), "is damaged"),
        (altered("time.db", "UPDATE exchange SET elapsed_us = -1 WHERE seq = 30"), "is damaged"),
        (altered("below.db", "UPDATE exchange SET seq = -seq, elapsed_us = -1 WHERE seq = 30"), "is damaged"),
        (
            altered(
                "lowest.db",
                "UPDATE entry SET seq = -9223372036854775808, resolution = 9 WHERE resolution IS NOT NULL",
            ),
            "is damaged",
        ),
        (altered("alone.db", "DELETE FROM operation WHERE seq = 30"), "is damaged"),
    ] {
        let verify = home.plants(&["journal", "verify", file.to_str().unwrap(), "--json"]).ended().orderly(2);
        for ended in [verify, restore(&home, &file).ended().orderly(2)] {
            has(&ended, &[file.to_str().unwrap(), why]);
            assert_eq!(ended.stdout, "");
        }
        assert_eq!(fs::read(&journal).unwrap(), before);
        assert_eq!(names(&home), ["journal.db"], "{}", file.display());
    }
    assert_eq!(ids(&home, &store.base).len(), 30);
    has(&home.plants(&["journal", "restore", "good.db"]).ended().orderly(2), &["add --yes to restore without asking"]);
}

#[test]
fn a_copy_of_a_damaged_journal_does_not_replace_a_good_one() {
    let (home, store) = with_plants(1..=30);
    backup(&home, "copy.db");
    let journal = home.data().join("journal.db");
    let damage = "UPDATE exchange SET elapsed_us = -1 WHERE seq = 7";
    rusqlite::Connection::open(&journal).unwrap().execute_batch(damage).unwrap();
    let ended = home.plants(&["journal", "backup", "copy.db", "--force"]).ended().orderly(3);
    has(&ended, &["copy.db was not written: the journal ", "is damaged"]);
    assert_eq!(verified(&home, &home.path().join("copy.db"))["plants"], 30);
    // The next start rebuilds it, as the message says.
    let ended = home.plants_at(&store.base, &["list"]).ended().orderly(0);
    has(&ended, &["The journal was damaged."]);
    backup(&home, "rebuilt.db");
}

/// Runs the program with a file size limit of 40 or 80 KiB, depending on the shell's unit.
#[test]
fn without_room_no_copy_is_left_and_the_journal_stays() {
    const LIMITED: &str = "ulimit -f 80; exec \"$0\" \"$@\"";
    let (home, store) = with_plants([1]);
    let name = "x".repeat(100_000);
    home.plants_at(&store.base, &["add", "--id", "2", "--name", &name, "--tag", "shade"]).ended().orderly(0);
    backup(&home, "copy.db");
    let limited = |arguments: &[&str]| {
        let arguments = [&["-c", LIMITED, env!("CARGO_BIN_EXE_plants")], arguments].concat();
        home.program("sh", &arguments).ended().orderly(3)
    };
    let ended = limited(&["journal", "backup", "new.db"]);
    has(&ended, &["new.db was not written: ", "quota or a limit"]);
    let ended = limited(&["journal", "restore", "copy.db", "--yes"]);
    has(&ended, &["copy.db was not restored: ", "quota or a limit"]);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2, "the copy and the data folder");
    assert_eq!(names(&home), ["journal.db"]);
    assert_eq!(ids(&home, &store.base), [1, 2]);
}

/// Kills `plants journal backup` while it copies; the next backup into the folder removes what was left.
#[cfg(target_os = "linux")]
#[test]
fn the_hidden_copy_of_a_killed_backup_is_removed_by_the_next() {
    if !crate::machine::has_strace() {
        return;
    }
    let (home, _store) = with_plants([1]);
    home.write(".copy.db.a1B2c3", "of another program");
    for existing in [&[][..], &["--force"]] {
        let words = [&["journal", "backup", "copy.db"], existing].concat();
        let fault = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=KILL:when=1"];
        let arguments = [&fault[..], &[env!("CARGO_BIN_EXE_plants")], &words].concat();
        assert_ne!(home.program("strace", &arguments).ended().code, Some(0));
        let hidden = || {
            let names =
                fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.filter(|name| name.starts_with(".copy.db")).count()
        };
        assert!(hidden() == 2, "the copy that was not finished, and a file of another program");
        home.plants(&words).ended().orderly(0);
        assert_eq!(hidden(), 1, "{existing:?}");
    }
}

/// Writes to the journal as a program that is killed then: its log stays.
#[cfg(target_os = "linux")]
fn leave_log(home: &Home) {
    let journal = home.data().join("journal.db");
    let open = rusqlite::Connection::open(&journal).unwrap();
    open.execute_batch("UPDATE plant SET changed_at = changed_at + 1").unwrap();
    let log = fs::read(journal.with_extension("db-wal")).unwrap();
    drop(open);
    fs::write(journal.with_extension("db-wal"), log).unwrap();
}

/// Asserts that no file of the journal has two names, and that each journal that was set aside is sound.
#[cfg(target_os = "linux")]
fn assert_set_aside(home: &Home, case: &str) {
    for name in names(home) {
        let path = home.data().join(&name);
        assert_eq!(fs::metadata(&path).unwrap().nlink(), 1, "{case}: {name}");
        if let Some(journal) = name.strip_suffix("-wal") {
            assert!(home.data().join(journal).exists(), "{case}: {name} alone");
        } else if name.contains("replaced") {
            assert_eq!(verified(home, &path)["plants"], 2, "{case}: {name}");
        }
    }
    for name in names(home).iter().filter(|name| name.contains("replaced")) {
        fs::remove_file(home.data().join(name)).unwrap();
    }
}

/// Kills `plants journal restore` at each of its calls that change names or flush files.
#[cfg(target_os = "linux")]
#[test]
fn a_restore_killed_at_any_point_leaves_one_of_the_two_journals() {
    if !crate::machine::has_strace() {
        return;
    }
    let (home, store) = with_plants([1]);
    backup(&home, "one.db");
    add(&home, &store.base, 2);
    backup(&home, "two.db");
    let (mut kills, mut replaced) = (0, 0);
    for call in ["rename", "unlink", "fsync"] {
        for nth in (1..).step_by(step(2)) {
            let aside = restore(&home, &home.path().join("two.db")).ended().orderly(0).json();
            let aside = aside["set_aside"].as_str().unwrap();
            let _ = (fs::remove_file(aside).unwrap(), fs::remove_file(format!("{aside}-wal")));
            // A log beside the journal is set aside with it.
            leave_log(&home);
            let (trace, fault) = (format!("trace={call}"), format!("inject={call}:signal=KILL:when={nth}"));
            let strace = ["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &fault];
            let arguments =
                [&strace[..], &[env!("CARGO_BIN_EXE_plants"), "journal", "restore", "one.db", "--yes"]].concat();
            let ended = home.program("strace", &arguments).ended();
            let left = ids(&home, &store.base);
            assert!(left == [1] || left == [1, 2], "{call} {nth}: {left:?}");
            assert_set_aside(&home, &format!("{call} {nth}"));
            let is_whole = home.plants(&["journal", "backup", "check.db", "--force"]).ended();
            assert_eq!(is_whole.code, Some(0), "{call} {nth}: {is_whole:?}");
            if ended.code == Some(0) {
                assert_eq!(left, [1]);
                break;
            }
            kills += 1;
            replaced += usize::from(left == [1]);
        }
    }
    assert!(kills >= 4 && replaced > 0 && replaced < kills, "{kills} kills, {replaced} after the replacement");
}

#[test]
fn nothing_is_restored_where_a_pipe_is() {
    let (home, _store) = with_plants([1]);
    backup(&home, "one.db");
    let journal = home.data().join("journal.db");
    fs::remove_file(&journal).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&journal).status().unwrap().success());
    let ended = restore(&home, &home.path().join("one.db")).ended().orderly(3);
    has(&ended, &["journal.db is not a journal of plants", "use another folder"]);
}
