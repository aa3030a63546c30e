//! The arguments of `import`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use color_eyre::eyre::{self, WrapErr as _, ensure};

use super::values::{RestOfLine, Values, number};
use crate::config::path_parser;
use crate::import::{CONCURRENCY, Separator};

const MOST_CONCURRENT: u16 = 512;

#[derive(Debug, Default, PartialEq, Args)]
pub struct ImportArguments {
    /// File of plants: .csv with a header, .json (an array) or .ndjson; - means stdin
    #[arg(value_name = "FILE", value_parser = path_parser(), add = Values::PlantFile, add = RestOfLine)]
    pub file: PathBuf,
    /// Validate every row, print what an import would do, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// What separates the columns of a table [default: what its header has, or its first line says (sep=;)]
    #[arg(long, value_name = "SEPARATOR", value_parser = separators())]
    pub separator: Option<Separator>,
    /// Leave bad rows out, and send the others
    #[arg(long)]
    pub skip_bad: bool,
    /// Greatest number of requests in flight
    #[arg(long, value_name = "N", default_value_t = CONCURRENCY, value_parser = number(1..=MOST_CONCURRENT))]
    pub concurrency: u16,
    /// Send at most N rows a second, like 50 or 0.5
    #[arg(long, value_name = "N", value_parser = read_rate)]
    pub rate: Option<f64>,
    /// Send rows of unknown plants again: the plants may then be stored twice
    #[arg(long)]
    pub resend_unknown: bool,
    /// Send rows of stored plants again, to a store that has lost them
    #[arg(long)]
    pub resend_stored: bool,
    /// Go on after five outcomes in a row that prove nothing
    #[arg(long)]
    pub keep_going: bool,
}

impl ImportArguments {
    /// Returns those of a file without options.
    pub fn of(file: PathBuf) -> Self {
        Self { file, concurrency: CONCURRENCY, ..Self::default() }
    }
}

/// Parses a separator by its word, or the character itself.
fn separators() -> impl TypedValueParser<Value = Separator> {
    let words = Separator::ALL.map(|separator| PossibleValue::new(separator.word()).alias(separator.sign()));
    PossibleValuesParser::new(words).try_map(|typed| Separator::named(&typed).ok_or("no such separator"))
}

fn read_rate(typed: &str) -> eyre::Result<f64> {
    let rate: f64 = typed.parse().wrap_err("the rate is not a number")?;
    ensure!((0.001..=1_000_000.0).contains(&rate), "the rate must lie between 0.001 and 1000000 rows a second");
    Ok(rate)
}
