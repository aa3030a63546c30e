//! The arguments of `history`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{Values, entry_number, parse_count};
use crate::config::path_parser;

#[derive(Debug, Default, PartialEq, Args)]
pub struct HistoryArguments {
    /// Only requests that match, like 'tag:desert outcome:unknown since:1h', or the number of one; requests of contract
    /// checks are listed only if the query asks for them: check, id:7
    #[arg(value_name = "QUERY", add = Values::EntriesOrQuery)]
    pub query: Vec<String>,
    /// Print the newest COUNT requests only
    #[arg(long = "limit", short = 'n', value_name = "COUNT", value_parser = parse_count)]
    pub limit: Option<usize>,
    /// Print the last ten requests, or COUNT, then each one that is sent from now on, until Ctrl-C
    #[arg(long)]
    pub follow: bool,
    /// Print curl commands for sh, bash, zsh or fish that send the same bytes, or a report to share
    #[arg(long = "as", value_enum, conflicts_with_all = ["follow", "har"])]
    pub shape: Option<Shape>,
    /// Write the requests into this file as an HTTP Archive (HAR 1.2), oldest first, with credentials masked; - means
    /// stdout
    #[arg(long, value_name = "FILE", value_parser = path_parser(), conflicts_with = "follow")]
    pub har: Option<PathBuf>,
    /// Replace the file of --har if it exists
    #[arg(long, requires = "har")]
    pub force: bool,
    /// Leave the heading out
    #[arg(long)]
    pub no_heading: bool,
    /// Wait for all entries of the team; without them print nothing, and exit with 3
    #[arg(long)]
    pub complete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// A shell script, oldest request first, which takes the token from `$PLANTS_TOKEN`
    Curl,
    /// Markdown, with credentials masked
    Markdown,
}

impl HistoryArguments {
    /// Returns the same query without other options, but that of following.
    #[must_use]
    pub fn of_query(&self) -> Self {
        Self { query: self.query.clone(), follow: self.follow, ..Self::default() }
    }

    /// Returns the number of an entry, if that is all that is asked for.
    pub fn number(&self) -> Option<i64> {
        match self.query.as_slice() {
            [word] => entry_number(word),
            _ => None,
        }
    }
}
