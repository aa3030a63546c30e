//! The table of verbs.

use std::path::PathBuf;

use clap::Subcommand;
use clap_complete::Shell;
use strum::IntoStaticStr;

use super::add::AddArguments;
use super::check::{self, CheckArguments};
use super::delete::DeleteArguments;
use super::export::ExportArguments;
use super::history::HistoryArguments;
use super::import::ImportArguments;
use super::journal::{JournalVerb, RestoreArguments, TrimArguments};
use super::list::ListArguments;
use super::profile::ProfileArguments;
use super::resolve::{Method, ResolveArguments};
use super::result_format::{Output, ResultFormat};
use super::selection::{PlantWord, STDIN, Selection};
use super::serve::ServeArguments;
use super::team::{CompactArguments, JoinArguments, TeamVerb};
use crate::config::path_parser;

/// What a person can request, in the order of the help.
#[derive(Debug, Subcommand, IntoStaticStr)]
#[command(defer = true)]
#[strum(serialize_all = "lowercase")]
pub enum Verb {
    /// Add a plant to the store, or several from standard input
    ///
    /// On a terminal, plants add asks for what is missing, and proposes the next free id. Elsewhere name, tag and one of
    /// --id and --next-id are needed: a line that is repeated must not add a plant twice.
    #[command(visible_aliases = ["new", "create"])]
    Add(AddArguments),
    /// Delete plants from the store: by id, by name or by a query
    ///
    /// A plant that is named by its id need not be in the list. Asks one question, unless --yes is given. After five
    /// outcomes in a row that prove nothing, it asks whether to go on; off a terminal it ends, unless --keep-going is
    /// given. The exit code is that of the gravest outcome: 4 unknown, 1 rejected, 3 not sent.
    #[command(visible_aliases = ["rm", "remove"], aliases = ["del"])]
    Delete(DeleteArguments),
    /// List the plants that this program knows: stored, unknown, being added or deleted
    ///
    /// --format text, json or ndjson.
    #[command(visible_aliases = ["ls", "plants"])]
    List(ListArguments),
    /// List the requests that this program sent, newest first, or print one of them
    ///
    /// With the number of an entry, prints that request and its response with headers and bodies. To add the plant of an
    /// entry again, deleted or not: plants add --from N. --format text, json or ndjson.
    #[command(visible_aliases = ["requests", "show"])]
    History(HistoryArguments),
    /// List the unknown plants, or resolve them: by id, by name, by a query or all at once
    ///
    /// An operation is unknown if no response proves whether it took effect. Without options, plants resolve lists the
    /// unknown plants, the operation and since when. --stored and --forget record your decision and send nothing;
    /// --delete and --resend send one request for each plant. --forget takes stored plants, too, for a store that has
    /// lost them. Asks for confirmation, unless --yes is given. After five outcomes in a row that prove
    /// nothing, it asks whether to go on; off a terminal it ends, unless --keep-going is given. The exit code is that of
    /// the gravest outcome: 4 unknown, 1 rejected, 3 not sent.
    #[command(visible_aliases = ["retry"])]
    Resolve(ResolveArguments),
    /// Add many plants, from a file
    ///
    /// Every row is validated first. While any row is bad, nothing is sent, unless --skip-bad leaves bad rows out.
    /// Plants that are stored already are skipped, so that a stopped import can be finished by importing the same file
    /// again. Unknown plants are not sent again, unless --resend-unknown is given. 429, and 503 with Retry-After, pause
    /// the import. After five outcomes in a row that prove nothing, it asks whether to go on; off a terminal it ends,
    /// unless --keep-going is given. Ctrl-C stops it: requests in flight are completed, and nothing
    /// more is sent; a second Ctrl-C cancels them. The exit code is that of the gravest outcome: 4 unknown, 1 rejected,
    /// 3 not sent.
    #[command(aliases = ["upload"])]
    Import(ImportArguments),
    /// Export the plants as CSV, a JSON array or NDJSON
    ///
    /// `plants import` reads the file, here or on another machine. Names and tags are exported unchanged. Unknown plants
    /// are included and counted; plants whose name is not known are left out. An existing file is replaced with --force
    /// only. --format csv, json or ndjson; else the ending of FILE decides, else CSV. With a FILE, --json prints a summary.
    /// Needs no token: nothing is sent.
    #[command(aliases = ["save"])]
    Export(ExportArguments),
    /// Check the store against its interface document, and record undocumented behaviour
    ///
    /// The contract check adds plants of its own and deletes them. Each rule of the interface document gets a verdict:
    /// pass, fail or inconclusive. Undocumented behaviour is recorded, and leftovers are listed. Exit code 0: no rule
    /// fails; 1: a rule fails, or with --strict is inconclusive; 2: no store is named, or --output names no file that can
    /// be written, and nothing was checked; 3: nothing listens at the base URL, or the report could not be written at the
    /// end; 4: no diagnosis, a wrong base URL or a rejected token. --format text, json, junit or markdown; else the ending of --output decides, else text.
    #[command(after_long_help = check::rows_help())]
    Check(CheckArguments),
    /// Save, restore, verify or trim the journal, the only record of the plants of all stores
    #[command(subcommand)]
    Journal(JournalVerb),
    /// Share the journal with a team
    ///
    /// A team shares its plants, requests and decisions over NATS servers, so that everybody sees what the others do.
    /// Needs `team` in the profile, or --team. docs/team.md explains the setup.
    #[command(subcommand)]
    Team(TeamVerb),
    /// List the profiles of the config file, show one, or choose the default
    #[command(aliases = ["switch", "context", "ctx"])]
    Profile(ProfileArguments),
    /// Say which settings are in force and where each comes from, or print an example of the config file
    ///
    /// Reads flags, environment and config file, and the certificates that they name. Lists every fault at once (exit code
    /// 2), or each setting in force with its source: a flag, a variable, a profile, the top of the config file. Never shows
    /// a token or the value of a header. Needs no token: nothing is sent.
    Config {
        // Not a doc comment: rustdoc would take the default for a link.
        #[arg(
            long,
            help = "Read flags, environment and config file, and list every fault, or what is in force [default]"
        )]
        check: bool,
        /// Print a config file with every setting, each commented out, with what it does
        #[arg(long, conflicts_with = "check")]
        example: bool,
    },
    /// Print the paths of the config file and the journal
    Paths,
    /// Run the demo store alone, as a server for other programs
    ///
    /// Its token is the one from PLANTS_TOKEN, --token-file or --token-stdin, or else `demo`. Where the interface document
    /// leaves the behaviour open, the demo store behaves as a plain REST service: 201 for a create, 204 for a delete, 400
    /// for a bad body, 401 without the token, 404 for an id that is not there, 409 for one that is. These are its own
    /// choices, not the document's.
    #[expect(clippy::doc_markdown, reason = "this is the help that people read on a terminal")]
    Serve(ServeArguments),
    /// Print the completion script for a shell
    Completions {
        /// Shell to print the script for
        shell: Shell,
    },
    /// Print the manual page of the program, or of one command
    Man {
        /// Command, like `add` or `journal backup`; if left out, print the page of the program
        #[arg(value_name = "COMMAND")]
        verb: Vec<String>,
        /// Write the pages of the program and of all commands into this directory
        #[arg(long, value_name = "DIR", value_parser = path_parser(), conflicts_with = "verb")]
        output: Option<PathBuf>,
    },
}

impl Verb {
    /// Returns the format that is wanted for its result; `None` if none is named.
    ///
    /// # Errors
    ///
    /// Says which formats it has, or that two contradict each other.
    pub fn format(&self, output: Output) -> Result<Option<ResultFormat>, String> {
        // With a file, --json is for the summary.
        let json = output.json && !matches!(self, Self::Export(arguments) if arguments.writes_file());
        Output { json, ..output }.of_verb(self.name())
    }

    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Whether it asks before it does anything.
    pub fn asks(&self) -> bool {
        matches!(
            self,
            Self::Delete(DeleteArguments { yes: false, dry_run: false, .. })
                | Self::Check(CheckArguments { yes: false, .. })
                | Self::Journal(
                    JournalVerb::Restore(RestoreArguments { yes: false, dry_run: false, .. })
                        | JournalVerb::Trim(TrimArguments { yes: false, dry_run: false, .. })
                )
                | Self::Team(
                    TeamVerb::Compact(CompactArguments { yes: false, dry_run: false, .. })
                        | TeamVerb::Join(JoinArguments { yes: false, .. })
                )
        ) || matches!(self, Self::Resolve(resolve) if resolve.method().is_some() && !resolve.yes && !resolve.dry_run)
    }

    /// Whether it sends requests to the store.
    pub fn sends(&self) -> bool {
        match self {
            Self::Add(AddArguments { dry_run, .. })
            | Self::Delete(DeleteArguments { dry_run, .. })
            | Self::Import(ImportArguments { dry_run, .. }) => !dry_run,
            Self::Resolve(resolve) => !resolve.dry_run && resolve.method().is_some_and(Method::sends),
            Self::Check(_) => true,
            Self::List(_)
            | Self::History(_)
            | Self::Export(_)
            | Self::Journal(_)
            | Self::Team(_)
            | Self::Profile(_)
            | Self::Config { .. }
            | Self::Paths
            | Self::Serve(_)
            | Self::Completions { .. }
            | Self::Man { .. } => false,
        }
    }

    /// Whether it reads standard input.
    pub fn reads_stdin(&self) -> bool {
        let names_stdin = |selection: &Selection| selection.plants.contains(&PlantWord::Stdin);
        matches!(self, Self::Add(arguments) if arguments.reads_stdin())
            || matches!(self, Self::Delete(arguments) if names_stdin(&arguments.selection))
            || matches!(self, Self::Resolve(arguments) if names_stdin(&arguments.selection))
            || matches!(self, Self::Import(arguments) if arguments.file.as_os_str() == STDIN)
    }

    /// Whether it is about the plants of one store.
    pub fn needs_store(&self) -> bool {
        if let Self::Journal(verb) = self {
            return matches!(verb, JournalVerb::Trim(_));
        }
        !Self::is_for_shell(self.name()) && !matches!(self, Self::Config { .. } | Self::Profile(_) | Self::Paths)
    }

    /// Whether the verb of this name makes sense only in a shell, where it is the whole program.
    pub(super) fn is_for_shell(name: &str) -> bool {
        matches!(name, "serve" | "completions" | "man")
    }
}
