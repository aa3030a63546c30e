//! Measures the bytes on disk for each plant.

use plants::journal::file_in;

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
    for (headers, head) in [
        ("3 headers", Head::Short),
        ("20 headers", Head::Long),
        ("20 headers with a request id, beside the head", Head::LongWithId),
    ] {
        let (journal, store) = (folder(), Store::start(Core::Any, head));
        import(&rows, 64, Core::Any, &store, journal.path());
        let size = std::fs::metadata(file_in(journal.path())).unwrap().len();
        let mut each = f64::from(u32::try_from(size).unwrap()) / f64::from(rows.count);
        if head == Head::LongWithId {
            // The other heads are stored once; of these, each is another.
            each -= head.bytes();
        }
        let what = format!("journal for each of {} plants, responses of {headers}", rows.count);
        table.row(&Row { what: &what, ours: &[each], other: Other::Goal(GOAL), shown: bytes });
    }
}
