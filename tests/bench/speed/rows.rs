//! Writes files for `plants import`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

pub(crate) struct Rows {
    pub(crate) path: PathBuf,
    /// The number of plants.
    pub(crate) count: u32,
}

impl Rows {
    /// Writes a CSV file of `count` plants with ascending ids. Their name is that of every response of the minimal store,
    /// so that there are no mismatches.
    pub(crate) fn written(folder: &Path, first: u32, count: u32) -> Self {
        let path = folder.join(format!("plants-{count}.csv"));
        let mut file = BufWriter::new(File::create(&path).unwrap());
        writeln!(file, "name,id,tag").unwrap();
        for id in first..first + count {
            writeln!(file, "Monstera,{id},tropical").unwrap();
        }
        file.flush().unwrap();
        Self { path, count }
    }
}
