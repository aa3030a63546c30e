//! Files that `plants import` reads.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// A file of plants.
pub(crate) struct Rows {
    pub(crate) path: PathBuf,
    /// How many there are.
    pub(crate) count: u32,
}

impl Rows {
    /// Writes a CSV file of so many plants, their ids from this one on. They are called what
    /// every response of the minimal server says, so that none is unlike the document.
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
