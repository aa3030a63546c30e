//! The arguments of `export`.

use std::path::PathBuf;

use clap::Args;

use super::values::Values;
use crate::config::path_parser;
use crate::domain::filter::List;

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// File to write, whole or not at all; - or no FILE means stdout
    #[arg(value_parser = path_parser(), add = Values::PlantFile)]
    pub file: Option<PathBuf>,
    /// Export only the plants that match a query, like 'tag:desert !fern'
    #[arg(long = "match", value_name = "QUERY", add = Values::Query(List::Plants))]
    pub matching: Option<String>,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
    /// Put a ' before names and tags that a spreadsheet would run as formulas
    ///
    /// These are names and tags in which any line begins with =, +, -, @, one of these in full width, or
    /// a tab; and names and tags that begin with a line break. They are changed: if the file is imported,
    /// the ' is a part of the name or tag. The number of changed values is printed.
    ///
    /// The option does not help with a program that uses another separator than the comma, that removes
    /// the ' or leading spaces before it looks for formulas, or that turns text into numbers and dates:
    /// 1E5, 007 and 3-4 are no formulas. Import such a column as text.
    #[arg(long)]
    pub spreadsheet: bool,
    /// Wait for all entries of the team; without them write nothing, and exit with 3
    #[arg(long)]
    pub complete: bool,
}

impl ExportArguments {
    /// Whether the plants go to a file, and stdout is free for a summary.
    pub fn writes_file(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.as_os_str() != "-")
    }
}
