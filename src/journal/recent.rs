//! Lists the base URLs in a journal on disk, whether or not a program has it open.

use std::path::Path;

use super::error::JournalError;
use super::fault::Fault;
use super::schema::IS_USED;
use super::{access, files, inspect, sql};
use crate::domain::StoreUrl;

/// The largest number of base URLs that are listed.
const MOST: i64 = 50;

/// Returns the base URLs of the journal in this folder, the one with the newest exchange first; none
/// if there is no journal.
///
/// # Errors
///
/// The file cannot be read, or is not a journal.
pub fn stores_in(folder: &Path) -> Result<Vec<StoreUrl>, JournalError> {
    let path = files::readable_in(folder);
    if files::is_absent_in(folder) {
        return Ok(Vec::new());
    }
    let attempt = || -> Result<Vec<String>, Fault> {
        let conn = access::connect(&path)?;
        inspect::reject_foreign_header(&conn, &path)?;
        if sql::count(&conn, "SELECT count(*) FROM sqlite_schema WHERE name = 'store'", [])? == 0 {
            return Ok(Vec::new());
        }
        let newest = format!(
            "SELECT url FROM store WHERE {IS_USED}
            ORDER BY (SELECT max(seq) FROM exchange WHERE store = store.id) DESC NULLS LAST, id DESC LIMIT ?1"
        );
        sql::column(&conn, &newest, [MOST])
    };
    let found = attempt().map_err(|fault| fault.at(&path))?;
    Ok(found.iter().filter_map(|url| url.parse().ok()).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::{Outcome, Timestamp};
    use crate::journal::tests::{add, record_and_end};
    use crate::journal::{Journal, Place, verify};

    #[tokio::test]
    async fn used_stores_are_listed_and_a_foreign_file_is_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(stores_in(folder.path()).unwrap(), []);
        let place = Place::Folder(folder.path().to_path_buf());
        let urls = ["https://a.example", "https://b.example/api", "https://only-read.example"];
        let urls = urls.map(|url| url.parse::<StoreUrl>().unwrap());
        for (url, origin) in urls.iter().zip(1..) {
            let journal = Journal::open(place.clone(), url, origin, Timestamp(0)).await.unwrap().journal;
            if origin < 3 {
                record_and_end(&journal, add(origin, 1, 7, "Fern"), Outcome::NotSent).await;
            }
            journal.close().await;
        }
        let [a, b, _] = urls;
        assert_eq!(stores_in(folder.path()).unwrap(), [b, a], "newest first");
        let contents = verify(&files::file_in(folder.path()), &Arc::default()).unwrap();
        assert_eq!((contents.stores.len(), contents.requests()), (2, 2));
        let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(files.into_iter().all(|name| name == "journal.db" || name == "instances"), "no other file is created");
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::write(files::file_in(elsewhere.path()), "no journal").unwrap();
        assert!(stores_in(elsewhere.path()).is_err());
        assert_eq!(std::fs::read(files::file_in(elsewhere.path())).unwrap(), b"no journal");
    }
}
