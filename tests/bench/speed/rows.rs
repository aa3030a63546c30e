//! The plants that are added, and files of them for `plants import`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

const NAMES: [&str; 7] = ["Monstera", "Calathea", "Ficus", "Hoya", "Pilea", "Aloe", "Begonia"];

const TAG: &str = "tropical";

/// Returns the name of the plant with this id.
pub(crate) fn name(id: u32) -> String {
    format!("{} {id}", NAMES[id as usize % NAMES.len()])
}

/// Returns the body of the request that adds this plant.
pub(crate) fn body(id: u32) -> String {
    format!(r#"{{"name":"{}","id":{id},"tag":"{TAG}"}}"#, name(id))
}

/// Returns the arguments of `plants add` for this plant.
pub(crate) fn arguments(id: u32) -> [String; 6] {
    ["--id".to_owned(), id.to_string(), "--name".to_owned(), name(id), "--tag".to_owned(), TAG.to_owned()]
}

pub(crate) struct Rows {
    pub(crate) path: PathBuf,
    /// The number of plants.
    pub(crate) count: u32,
}

impl Rows {
    /// Writes a CSV file of `count` plants with ids from 1.
    pub(crate) fn written(folder: &Path, count: u32) -> Self {
        Self::named(folder, 1, count, name)
    }

    /// Writes a CSV file of `count` plants with ascending ids and these names.
    pub(crate) fn named(folder: &Path, first: u32, count: u32, name: fn(u32) -> String) -> Self {
        let path = folder.join(format!("plants-{count}.csv"));
        let mut file = BufWriter::new(File::create(&path).unwrap());
        writeln!(file, "name,id,tag").unwrap();
        for id in first..first + count {
            writeln!(file, "{},{id},{TAG}", name(id)).unwrap();
        }
        file.flush().unwrap();
        Self { path, count }
    }
}
