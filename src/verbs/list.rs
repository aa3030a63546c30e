//! The arguments of `list`.

use clap::Args;

use super::values::{Values, parse_count};
use crate::domain::filter::List;

#[derive(Debug, Args)]
pub struct ListArguments {
    /// Only plants that match, like 'tag:desert !fern | state:unknown'
    #[arg(value_name = "QUERY", add = Values::Query(List::Plants))]
    pub query: Vec<String>,
    /// Print the first COUNT plants only
    #[arg(long = "limit", short = 'n', value_name = "COUNT", value_parser = parse_count)]
    pub limit: Option<usize>,
    /// Sort by a column: id, name, tag, state or since; with - before it from the other end
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true, add = Values::Column)]
    pub sort: Option<String>,
    /// Leave the heading out
    #[arg(long)]
    pub no_heading: bool,
    /// Wait for all entries of the team; without them print nothing, and exit with 3
    #[arg(long)]
    pub complete: bool,
}
