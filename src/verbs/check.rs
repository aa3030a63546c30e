//! The arguments of `check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::check::{RULES, Row, UNDOCUMENTED};
use crate::config::{parse_duration, path_parser};

#[derive(Debug, Default, PartialEq, Args)]
pub struct CheckArguments {
    /// Write the report to this file, whole or not at all; a report that exists is replaced, and - means stdout
    #[arg(long, value_name = "FILE", value_parser = path_parser())]
    pub output: Option<PathBuf>,
    /// Replace the file of --output also if it is not a report of plants
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Check without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Check this rule or behaviour only, with the requests it needs; may be given several times
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Row::all().map(|row| row.name)), hide_possible_values = true)]
    pub only: Vec<String>,
    /// Check the rules only, not undocumented behaviour
    #[arg(long)]
    pub gentle: bool,
    /// Wait this long between two requests, like 50ms or 1s [default: none on loopback; elsewhere 100ms at first, less
    /// while the store is quick]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub pace: Option<Duration>,
    /// Exit with 1 also if a rule is inconclusive
    #[arg(long)]
    pub strict: bool,
}

/// Lists the names that `--only` takes, for the help.
pub(super) fn rows_help() -> String {
    let names = |rows: &[Row]| rows.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    format!("Rules: {}.\n\nUndocumented behaviour: {}.", names(&RULES), names(&UNDOCUMENTED))
}
