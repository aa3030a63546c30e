//! The arguments of `man`.

use std::path::PathBuf;

use clap::Args;

use crate::config::path_parser;

#[derive(Debug, Args)]
pub struct ManArguments {
    /// Command, like `add` or `journal backup`; if left out, print the page of the program
    #[arg(value_name = "COMMAND")]
    pub verb: Vec<String>,
    /// Write the pages of the program and of all commands into this directory
    #[arg(long, value_name = "DIR", value_parser = path_parser(), conflicts_with = "verb")]
    pub output: Option<PathBuf>,
}
