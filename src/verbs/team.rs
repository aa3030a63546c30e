//! The arguments of `team`.

use clap::{Args, Subcommand};

use super::values::number;
use crate::config::Age;

#[derive(Debug, Subcommand)]
pub enum TeamVerb {
    /// Show the team, and whether its latest entries are here
    Status,
    /// Publish all that the team does not have, and read all that it has, however long that takes
    Sync,
    /// Publish a snapshot of the plants, for new members, and remove old messages that it makes up for
    Compact(CompactArguments),
    /// Join the team: create its stream if it is missing, and share the plants of this journal
    Join(JoinArguments),
}

#[derive(Debug, Args)]
pub struct JoinArguments {
    /// Join without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Keep each entry on this many servers, if the stream is created now; the default is 3 in a cluster, else 1
    #[arg(long, value_name = "N", value_parser = number(1..=5_u8))]
    pub replicas: Option<u8>,
}

#[derive(Debug, Args)]
pub struct CompactArguments {
    /// Remove messages older than this, like 90d, 6months or 1y; the default is `team_keep` of the profile, else 30d
    #[arg(long, value_name = "AGE")]
    pub older_than: Option<Age>,
    /// Remove all messages that the snapshot makes up for
    #[arg(long, conflicts_with = "older_than")]
    pub all: bool,
    /// Compact also while entries of members are missing in the stream: they are lost then
    #[arg(long)]
    pub force: bool,
    /// Only count the plants and messages
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
    /// Compact without asking
    #[arg(long, short)]
    pub yes: bool,
}
