//! Measures the size of the program file.

use std::fs;

use crate::table::{Other, Row, Table, megabytes};
use crate::{Extent, PLANTS};

/// The most bytes.
const GOAL: f64 = 11e6;

pub(crate) fn measure(_: &Extent, table: &mut Table) {
    let size = u32::try_from(fs::metadata(PLANTS).unwrap().len()).unwrap();
    table.row(&Row { what: "program file", ours: &[size.into()], other: Other::Goal(GOAL), shown: megabytes });
}
