//! The arguments of `delete`.

use clap::Args;

use super::selection::Selection;

#[derive(Debug, Args)]
pub struct DeleteArguments {
    #[command(flatten)]
    pub selection: Selection,
    /// Delete without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Print which plants would be deleted, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print each request and its response
    #[arg(long, short)]
    pub verbose: bool,
    /// Go on after five outcomes in a row that prove nothing
    #[arg(long)]
    pub keep_going: bool,
}
