//! The arguments of `journal`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::config::{Age, path_parser};

#[derive(Debug, Subcommand)]
pub enum JournalVerb {
    /// Save a copy of the journal
    ///
    /// The copy is one moment of the journal, also while other programs add and delete; it is verified, and written whole
    /// or not at all. Other users cannot read it. It is not written beside a FILE-wal or FILE-journal, which would be read
    /// as a part of it. Needs no store and no token: nothing is sent.
    Backup {
        /// File to write
        #[arg(value_parser = path_parser())]
        file: PathBuf,
        /// Replace FILE if it exists
        #[arg(long)]
        force: bool,
    },
    /// Replace the journal by a copy that plants journal backup saved
    ///
    /// The copy is verified first. The journal of now is kept beside the restored one, under a name with the time. Close
    /// every other plants program before. Asks for confirmation, unless --yes is given. Needs no store and no token:
    /// nothing is sent.
    Restore(RestoreArguments),
    /// Verify a copy of the journal, and print what it holds
    ///
    /// Every row is read, also those of FILE-wal, if it lies beside FILE. A letter of a name that has become another one is
    /// not noticed. The exit code is 2 if FILE is damaged, or is not a journal of this release.
    Verify {
        /// Copy to verify
        #[arg(value_parser = path_parser())]
        file: PathBuf,
    },
    /// Delete the content of old requests and responses from the journal
    ///
    /// What was requested, when, and the outcome stay in the history. Requests of unknown plants are kept whole. The
    /// journal reuses the space for new requests.
    Trim(TrimArguments),
}

#[derive(Debug, Args)]
pub struct RestoreArguments {
    /// Copy that replaces the journal; it is not changed
    #[arg(value_parser = path_parser())]
    pub file: PathBuf,
    /// Restore without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Verify the copy, print what it holds, and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct TrimArguments {
    /// Trim requests older than this, like 90d, 6months or 1y
    #[arg(long, value_name = "AGE")]
    pub older_than: Age,
    /// Print how many requests would be trimmed, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Trim without asking
    #[arg(long, short)]
    pub yes: bool,
}
