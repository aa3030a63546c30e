//! Finds the names in a folder that complete a typed path.
//!
//! Must not know the field. Reads a bounded number of entries, in the background: a folder can be huge, or on a disk that
//! does not respond.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use super::new_file::error_text;
use crate::domain::file_format::FileFormat;
use crate::tui::Msg;
use crate::tui::input::completion::{PathKind, PathMatches, PathQuery};

/// Entries of a folder that are read.
const ENTRIES: usize = 100_000;
/// Names that are kept for display.
const NAMES: usize = 200;

pub(super) async fn find(folder: PathBuf, query: PathQuery) -> Msg {
    let wanted = query.clone();
    let found = tokio::task::spawn_blocking(move || in_folder(&folder, &wanted, ENTRIES)).await;
    let found = found.unwrap_or_else(|panic| Err(io::Error::other(panic)));
    Msg::Paths(query, found.map_err(|why| error_text(&why).into()))
}

/// Reads at most `limit` entries of a folder.
fn in_folder(folder: &Path, query: &PathQuery, limit: usize) -> io::Result<PathMatches> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (mut all, mut fitting) = (Vec::new(), Vec::new());
    let mut entries = fs::read_dir(here)?;
    for entry in entries.by_ref().take(limit) {
        let Ok(entry) = entry else { continue };
        // A name that is not UTF-8 cannot be typed.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_hidden = name.starts_with('.') && !query.start.starts_with('.');
        if is_hidden || !name.starts_with(&query.start) {
            continue;
        }
        let (is_folder, is_of_plants) = (is_folder(&entry), FileFormat::of_file(Path::new(&name)).is_some());
        let name = if is_folder { format!("{name}/") } else { name };
        if query.kind == PathKind::Plants && (is_folder || is_of_plants) {
            fitting.push(name.clone());
        }
        all.push(name);
    }
    let names = if fitting.is_empty() { all } else { fitting };
    Ok(matches(names, &query.start, entries.next().is_some()))
}

/// Whether an entry is a folder, or a link to one.
fn is_folder(entry: &DirEntry) -> bool {
    let is_link_to_one = || fs::metadata(entry.path()).is_ok_and(|about| about.is_dir());
    entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_symlink() && is_link_to_one())
}

/// Keeps the first names in order. Of a folder that was not read to its end, they have in common only what was typed.
pub(super) fn matches(mut names: Vec<String>, typed: &str, is_partial: bool) -> PathMatches {
    names.sort_unstable();
    let common = match (names.first(), names.last()) {
        (Some(first), Some(last)) if !is_partial => {
            let same = first.chars().zip(last.chars()).take_while(|(one, other)| one == other);
            same.map(|(letter, _)| letter).collect()
        }
        _ => typed.to_owned(),
    };
    let count = names.len();
    names.truncate(NAMES);
    PathMatches { names, count, common, is_partial }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::os::files::testing::os_string;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            if name.ends_with('/') { fs::create_dir(path).unwrap() } else { fs::write(path, "").unwrap() }
        }
        folder
    }

    fn found(folder: &tempfile::TempDir, start: &str, kind: PathKind) -> PathMatches {
        in_folder(folder.path(), &PathQuery::new(start, kind), ENTRIES).unwrap()
    }

    fn names(folder: &tempfile::TempDir, start: &str, kind: PathKind) -> (Vec<String>, String) {
        let found = found(folder, start, kind);
        assert_eq!(found.count, found.names.len());
        (found.names, found.common)
    }

    #[test]
    fn names_are_found_in_order_with_what_they_have_in_common() {
        let folder = folder(&["orders-2.txt", "orders-1.txt", "orders/", "other", "é1", "é2"]);
        let expected = ["orders-1.txt", "orders-2.txt", "orders/"].map(str::to_owned).to_vec();
        assert_eq!(names(&folder, "ord", PathKind::Any), (expected, "orders".to_owned()));
        assert_eq!(names(&folder, "orders-2", PathKind::Any).1, "orders-2.txt");
        assert_eq!(names(&folder, "é", PathKind::Any).1, "é");
        assert_eq!(names(&folder, "", PathKind::Any).1, "");
        assert_eq!(found(&folder, "x", PathKind::Any), PathMatches { common: "x".into(), ..PathMatches::default() });
    }

    #[test]
    fn hidden_names_are_found_only_by_their_dot() {
        let folder = folder(&[".config/", ".cache", "config"]);
        assert_eq!(names(&folder, "", PathKind::Any).0, ["config"]);
        assert_eq!(names(&folder, ".c", PathKind::Any), (vec![".cache".into(), ".config/".into()], ".c".into()));
    }

    #[test]
    fn files_of_plants_and_folders_come_before_other_files() {
        let folder = folder(&["plants.csv", "plants.txt", "plants-old/", "notes.txt"]);
        assert_eq!(names(&folder, "plants", PathKind::Plants).0, ["plants-old/", "plants.csv"]);
        assert_eq!(names(&folder, "plants.", PathKind::Plants).1, "plants.csv");
        assert_eq!(names(&folder, "no", PathKind::Plants).1, "notes.txt");
    }

    #[test]
    fn a_name_that_is_not_utf_8_is_left_out() {
        let folder = folder(&["a.csv"]);
        // Not every file system has such names.
        let _ = fs::write(folder.path().join(os_string(b"a\xff.csv")), "");
        assert_eq!(names(&folder, "a", PathKind::Plants), (vec!["a.csv".into()], "a.csv".into()));
    }

    #[test]
    fn of_a_huge_folder_nothing_is_completed_and_few_names_are_kept() {
        let many: Vec<_> = (0..500).map(|number| format!("plant-{number:03}")).collect();
        let folder = folder(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let all = found(&folder, "p", PathKind::Any);
        assert_eq!((all.count, all.names.len(), all.is_partial), (500, NAMES, false));
        assert_eq!((all.names[0].as_str(), all.names[NAMES - 1].as_str()), ("plant-000", "plant-199"));
        assert_eq!(all.common, "plant-");
        let some = in_folder(folder.path(), &PathQuery::new("p", PathKind::Any), 100).unwrap();
        assert_eq!((some.count, some.common.as_str(), some.is_partial), (100, "p", true));
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;
        use crate::os::files::testing::symlink;

        #[test]
        fn a_link_to_a_folder_is_a_folder() {
            let folder = folder(&["real/"]);
            symlink("real", folder.path().join("link")).unwrap();
            symlink("gone", folder.path().join("broken")).unwrap();
            assert_eq!(names(&folder, "", PathKind::Any).0, ["broken", "link/", "real/"]);
        }
    }
}
