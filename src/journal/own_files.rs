//! Tells the journal's files from all others, for everything that writes a file at a path that a user names.
//!
//! Compares files by identity, so that links and other spellings of a path are recognised. Must not know what
//! is written.

use std::fs;
use std::path::{Path, PathBuf};

use super::files;
use super::process_locks;
use crate::os::files::FileId;

/// The most links that are followed.
const MAX_LINKS: usize = 16;

/// Returns whether a path leads to a file of the journal in a folder: the journal, its log, a lock, a journal that was
/// set aside. So does a path at which the journal creates such a file later.
pub fn is_own(folder: &Path, path: &Path) -> bool {
    has_own_name(folder, &link_target(path)) || is_same_as_own(folder, path)
}

fn has_own_name(folder: &Path, path: &Path) -> bool {
    let locks = process_locks::folder_in(folder);
    let parent = FileId::at(parent_of(path));
    let is_in = |folder: &Path| parent.is_some() && parent == FileId::at(folder);
    let is_own = |name: &str| files::is_own_name(name) || locks.ends_with(name);
    is_in(&locks) || is_in(folder) && path.file_name().and_then(|name| name.to_str()).is_some_and(is_own)
}

fn is_same_as_own(folder: &Path, path: &Path) -> bool {
    let Some(id) = FileId::at(path).filter(|_| path.is_file()) else { return false };
    let locks = process_locks::folder_in(folder);
    let beside =
        paths_in(folder).filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(files::is_own_name));
    beside.chain(paths_in(&locks)).any(|own| FileId::at(&own) == Some(id))
}

fn paths_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Returns the folder that a path without links names a file in.
pub fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Follows links, also to a file that does not exist.
pub fn link_target(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = parent_of(&path).join(target);
    }
    path
}

#[cfg(test)]
#[cfg(unix)]
mod on_unix {
    use super::*;
    use crate::os::files::testing::symlink;

    #[test]
    fn a_file_of_the_journal_is_recognised_under_any_name() {
        let place = tempfile::tempdir().unwrap();
        let (folder, other) = (place.path().join("data"), place.path().join("other"));
        fs::create_dir_all(folder.join("instances")).unwrap();
        fs::create_dir(&other).unwrap();
        fs::write(folder.join("journal.db"), "").unwrap();
        fs::write(folder.join("notes.txt"), "").unwrap();
        fs::write(folder.join("instances/gate"), "").unwrap();
        fs::hard_link(folder.join("journal.db"), other.join("hard.csv")).unwrap();
        fs::hard_link(folder.join("instances/gate"), other.join("gate")).unwrap();
        symlink("../data/journal.db", other.join("link")).unwrap();
        symlink("link", other.join("link-of-link")).unwrap();
        symlink("../data/journal.db-shm", other.join("dangling")).unwrap();
        symlink("../data", other.join("data")).unwrap();
        symlink("loop", other.join("loop")).unwrap();
        for own in [
            "data/journal.db",
            "data/JOURNAL.DB-WAL",
            "data/journal.db-journal",
            "data/journal.db.rebuilding-wal",
            "data/journal.db.corrupt-20260101T000000Z",
            "data/journal.db.replaced-20260101T000000Z-2",
            "data/journal.db.restoring-a1B2c3",
            "data/instances/new.lock",
            "data/instances/../journal.db",
            "other/data/journal.db-wal",
            "other/hard.csv",
            "other/gate",
            "other/link",
            "other/link-of-link",
            "other/dangling",
        ] {
            assert!(is_own(&folder, &place.path().join(own)), "{own}");
        }
        for strange in [
            "data/notes.txt",
            "data/plants.csv",
            "data/journal.db.csv",
            "data/journal.db.bak",
            "other/journal.db",
            "other/journal.db-wal",
            "other/loop",
            "none/journal.db",
            "journal.db",
        ] {
            assert!(!is_own(&folder, &place.path().join(strange)), "{strange}");
        }
        for special in ["/dev/null", "/dev/zero", "/", "", "."] {
            assert!(!is_own(&folder, Path::new(special)), "{special}");
        }
        assert!(!is_own(&place.path().join("none"), &place.path().join("none/journal.db")), "no folder, no file");
        fs::remove_dir_all(folder.join("instances")).unwrap();
        assert!(is_own(&folder, &folder.join("instances")), "the folder of the locks is created later");
    }
}
