//! What may be typed: the subcommands, the options of all of them, and the help.

use clap::{Parser, Subcommand};

use super::add::AddArguments;
use super::check::{self, CheckArguments};
use super::completions::CompletionsArguments;
use super::delete::DeleteArguments;
use super::export::ExportArguments;
use super::history::HistoryArguments;
use super::import::ImportArguments;
use super::man::ManArguments;
use super::resolve::ResolveArguments;
use super::serve::ServeArguments;
use super::trim::TrimArguments;
use crate::config::Flags;

/// A terminal for the Plant Store service.
///
/// Without a subcommand it opens the terminal interface. With nothing configured it talks to
/// the demo store, a real HTTP server inside the program.
#[derive(Debug, Parser)]
#[command(name = "plants", version, after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP, disable_help_subcommand = true)]
pub(super) struct Arguments {
    /// What to do; the terminal interface if left out
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    // A doc comment here would replace the program's own in --help.
    pub(super) flags: Flags,

    /// Be shown around: the terminal interface on its demo store, a step with each Space
    #[arg(long)]
    pub(super) tour: bool,

    /// Print one machine-readable value on stdout; words for people stay on stderr
    #[arg(long, global = true, help_heading = "Output")]
    pub(super) json: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Add one plant to the store
    Add(AddArguments),
    /// Delete one plant from the store, by its id
    Delete(DeleteArguments),
    /// The plants that this program knows: stored, unknown, and those being added or deleted
    List,
    /// The unknown plants; or a decision about them, by id or all at once
    ///
    /// An add or a delete ended unknown where no response decided it. Without options the plants are
    /// listed, with what is unknown and since when. --stored and --forget take your word and send
    /// nothing; --delete and --resend send a request for each plant. It asks first, unless --yes says
    /// otherwise. Of all that is not accepted the gravest makes the exit code: 4 unknown, 1 rejected,
    /// 3 not sent.
    Resolve(ResolveArguments),
    /// The plants as a file: CSV, a JSON array, or NDJSON
    ///
    /// `plants import` reads it, here or elsewhere. Nothing in it is changed, whatever a name or tag
    /// holds. Unknown plants are in it, and their number is shown; those whose names nobody knows
    /// are not. No file is overwritten without --force. Needs no token: nothing is sent.
    Export(ExportArguments),
    /// The requests: everything that was sent from here, newest first
    ///
    /// The search looks for all that is given at once. A plant that is gone can be added again
    /// from its line: plants add --from PLACE.
    History(HistoryArguments),
    /// Let request and response of old exchanges go
    ///
    /// What was asked, when and how it ended stays in the history, and so does all of what is in
    /// doubt. The room in the journal is used for what comes next.
    Trim(TrimArguments),
    /// Many creates, from a file of plants
    ///
    /// Every row is validated first: while one is bad nothing is sent, unless --skip-bad leaves those
    /// out. What is stored already is skipped, so that an import that was stopped is begun again with
    /// the same file. What is unknown is not sent again, unless --resend-unknown says so. 429 and 503
    /// with Retry-After pause it. Ctrl-C waits for what is out and sends no more; twice, it does not
    /// wait. Of all that is not accepted the gravest makes the exit code: 4 unknown, 1 rejected, 3 not
    /// sent.
    Import(ImportArguments),
    /// The contract check: does this store keep to its interface, and what does it do beyond it?
    ///
    /// It adds plants of its own and deletes them, gives each rule of the interface document a
    /// verdict (pass, fail or inconclusive), and writes down undocumented behaviour. Leftovers are
    /// listed. Exit code 0: every rule with a verdict passes; 1: a rule fails, with --strict also
    /// where one is inconclusive; 3: nothing listens; 4: no diagnosis (responses are missing),
    /// a wrong base URL or a rejected token.
    #[command(after_long_help = check::rows_help())]
    Check(CheckArguments),
    /// Where the config file and the journal are
    Paths,
    /// The demo store alone, for others to call
    ///
    /// Its token is the one from PLANTS_TOKEN, --token-file or --token-stdin, else `demo`. Where
    /// the interface document is silent it does as a plain REST service would: 201 for a create,
    /// 204 for a delete, 400 for a bad body, 401 without the token, 404 for an id that is not
    /// there, 409 for one that is. That is its own choice and not the document's.
    #[expect(clippy::doc_markdown, reason = "this is the help that people read on a terminal")]
    Serve(ServeArguments),
    /// Print the script with which a shell completes what is typed
    Completions(CompletionsArguments),
    /// Print the manual page of the program, or of one subcommand
    Man(ManArguments),
}

const AFTER_HELP: &str = "Try `plants` with nothing configured: it opens on a demo store.\n`plants --help` says more: outcomes, exit codes, examples.";

const AFTER_LONG_HELP: &str = "\
OutcomeCounts, and what each proves:
  accepted  the store said yes: a 2xx status
  rejected  the store said no: a 3xx status (never followed) or 4xx except 408
  unknown   the request may have reached the store, and no status that resolves it came back
  not sent  provably nothing reached the store: trying again is safe

Exit codes:
  0 done   1 rejected   2 wrong usage, configuration or input   3 not sent   4 outcome unknown
  130 interrupted

Examples:
  plants                                        the terminal interface, on the demo store
  plants serve --port 8080                      the demo store alone; its token is `demo`
  export PLANTS_BASE_URL=http://127.0.0.1:8080 PLANTS_TOKEN=demo
  plants add --id 7 --name Monstera --tag tropical --json
  plants delete 7 --yes
  plants list
  plants export plants.csv
  plants history --outcome unknown
  plants resolve                                the plants that are unknown
  plants resolve 7 8 --stored                   you know that they are there
  plants add --from 42                          what entry 42 of the history was about, again

Signals: TERM, HUP, QUIT and others that end a program give the terminal back first. The interface
then exits 0 and what was in flight is unknown; a subcommand exits 130.

A token comes from --token-file, --token-stdin, PLANTS_TOKEN, the profile in the config file,
or a masked prompt. There is no --token VALUE: other users of the machine would see it. Neither a
debugger nor a core dump gets at the program's memory, unless PLANTS_DUMPABLE is set.";
