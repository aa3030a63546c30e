//! Measures the bytes on disk for each plant: those of the heads apart, where each response has another one.

use std::path::Path;

use plants::journal::file_in;
use rusqlite::Connection;

use crate::Extent;
use crate::cores::Core;
use crate::import::import;
use crate::rows::Rows;
use crate::spread::folder;
use crate::store::{Head, Store};
use crate::table::{Other, Row, Table, bytes};

/// The most bytes for a plant.
const GOAL: f64 = 250.0;

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let files = folder();
    let rows = Rows::written(files.path(), extent.many);
    for (headers, head) in
        [("3 headers", Head::Short), ("20 headers", Head::Long), ("20 headers with a request id", Head::LongWithId)]
    {
        let (journal, store) = (folder(), Store::start(Core::Any, head));
        import(&rows, 64, Core::Any, &store, journal.path());
        let size = std::fs::metadata(file_in(journal.path())).unwrap().len();
        let each = |size: u64| f64::from(u32::try_from(size).unwrap()) / f64::from(rows.count);
        let what = format!("journal for each of {} plants, responses of {headers}", rows.count);
        let heads = stored_heads(&file_in(journal.path()));
        if head == Head::LongWithId {
            let (beside, whole) = (format!("{what}: beside their heads"), format!("{what}: their heads"));
            table.row(&Row { what: &beside, ours: &[each(size - heads)], other: Other::Goal(GOAL), shown: bytes });
            let sent = [head.bytes()];
            let other = Other::Program("as they were", &sent);
            table.row(&Row { what: &whole, ours: &[each(heads)], other, shown: bytes });
        } else {
            table.row(&Row { what: &what, ours: &[each(size)], other: Other::Goal(GOAL), shown: bytes });
        }
    }
}

/// Returns the bytes of the stored heads, with eight for the place of each in its table.
fn stored_heads(journal: &Path) -> u64 {
    let opened = Connection::open(journal).unwrap();
    let sum = "SELECT coalesce(sum(length(text) + 8), 0) FROM head";
    opened.query_row(sum, [], |found| found.get::<_, i64>(0)).unwrap().cast_unsigned()
}
