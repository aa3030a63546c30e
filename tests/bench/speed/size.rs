//! Measures the size of the program file.

use std::fs;
use std::path::Path;

use crate::table::{Row, Table, mebibytes};
use crate::{Extent, PLANTS, reference};

pub(crate) fn measure(_: &Extent, table: &mut Table) {
    let size = |path: &Path| [fs::metadata(path).map_or(0, |found| u32::try_from(found.len()).unwrap()).into()];
    let [_, client] = reference::programs();
    let (ours, other) = (size(Path::new(PLANTS)), size(Path::new(&client.words[0])));
    table.part("Size of the program");
    let other = Some(("bare ratatui + tokio + reqwest", &other[..]));
    let note = format!("{} bytes", ours[0]);
    table.row(&Row { what: "plants", ours: &ours, other, figure: None, shown: mebibytes, note: &note });
}
