//! The base URLs that a journal on disk knows, read beside whatever is open.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::error::JournalError;
use super::fault::Fault;
use super::locks::BUSY_TIMEOUT;
use super::{files, inspect, stored};
use crate::domain::StoreUrl;

/// How many are listed: the newest.
const MOST: usize = 50;

/// The base URLs of the journal in this folder, the one with the newest exchange first; none
/// where there is no journal.
///
/// # Errors
///
/// It cannot be read, or is not this program's.
pub fn stores_in(folder: &Path) -> Result<Vec<StoreUrl>, JournalError> {
    let path = files::file_in(folder);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let attempt = || -> Result<Vec<String>, Fault> {
        // For writing as well: one that reads only could not bring the log in order.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(&path, flags)?;
        conn.busy_timeout(BUSY_TIMEOUT)?;
        conn.pragma_update(None, "query_only", true)?;
        inspect::refuse_what_says_it_is_not_ours(&conn, &path)?;
        let tables = "SELECT count(*) FROM sqlite_schema WHERE name = 'store'";
        if conn.query_row(tables, [], |row| row.get::<_, i64>(0))? == 0 {
            return Ok(Vec::new());
        }
        let sql =
            "SELECT url FROM store ORDER BY (SELECT max(seq) FROM exchange WHERE store = store.id) DESC NULLS LAST,
            id DESC LIMIT ?1";
        stored::all(&conn, sql, [stored::as_limit(MOST)], |found| Ok(found.get::<_, String>(0)?))
    };
    let found = attempt().map_err(|fault| fault.at(&path))?;
    Ok(found.iter().filter_map(|url| url.parse().ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::journal::{Journal, Place};

    #[tokio::test]
    async fn every_store_that_was_opened_is_known_and_a_foreign_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(stores_in(folder.path()).unwrap(), []);
        let place = Place::Folder(folder.path().to_path_buf());
        let urls = ["https://a.example", "https://b.example/api"].map(|url| url.parse::<StoreUrl>().unwrap());
        for (url, origin) in urls.iter().zip(1..) {
            Journal::open(place.clone(), url, origin, Timestamp(0)).await.unwrap().journal.close().await;
        }
        let [a, b] = urls;
        assert_eq!(stores_in(folder.path()).unwrap(), [b, a], "the newest first");
        let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(files.into_iter().all(|name| name == "journal.db" || name == "instances"), "it leaves nothing behind");
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::write(files::file_in(elsewhere.path()), "no journal").unwrap();
        assert!(stores_in(elsewhere.path()).is_err());
        assert_eq!(std::fs::read(files::file_in(elsewhere.path())).unwrap(), b"no journal");
    }
}
