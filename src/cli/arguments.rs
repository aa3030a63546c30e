//! The arguments of the program: its subcommands, the options that all of them share, and the help.

use clap::{Parser, Subcommand};

use super::add::AddArguments;
use super::backup::BackupArguments;
use super::check::{self, CheckArguments};
use super::config::ConfigArguments;
use super::delete::DeleteArguments;
use super::export::ExportArguments;
use super::history::HistoryArguments;
use super::import::ImportArguments;
use super::list::ListArguments;
use super::packaging::{CompletionsArguments, ManArguments};
use super::resolve::ResolveArguments;
use super::restore::RestoreArguments;
use super::serve::ServeArguments;
use super::team::TeamArguments;
use super::trim::TrimArguments;
use crate::config::Flags;

/// A terminal for the Plant Store service.
///
/// Without a subcommand, plants opens the terminal interface. With nothing configured, it uses the
/// demo store, a real HTTP server inside the program. Subcommands use the demo store only with --demo.
#[derive(Debug, Parser)]
#[command(name = "plants", version, after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP, disable_help_subcommand = true)]
pub(super) struct Arguments {
    /// What to do; if left out, open the terminal interface
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    // A doc comment here would replace the program's own in --help.
    pub(super) flags: Flags,

    /// Open the terminal interface with a guided tour of the demo store
    #[arg(long)]
    pub(super) tour: bool,

    /// Print one machine-readable value on stdout; messages for people stay on stderr
    #[arg(long, global = true, help_heading = "Output")]
    pub(super) json: bool,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Add one plant to the store
    Add(AddArguments),
    /// Delete one plant from the store, by its id
    Delete(DeleteArguments),
    /// List the plants that this program knows: stored, unknown, being added or deleted
    List(ListArguments),
    /// List the unknown plants, or resolve them, by id, by filter or all at once
    ///
    /// An operation is unknown if no response proves whether it took effect. Without options, plants
    /// resolve lists the unknown plants, the operation and since when. --stored and --forget record your
    /// decision and send nothing; --delete and --resend send one request for each plant. --forget takes
    /// stored plants, too, for a store that has lost them. Asks for confirmation, unless --yes is given.
    /// After five unknown outcomes in a row it asks whether to go on; off a terminal it ends, unless
    /// --keep-going is given. The exit code is that of the gravest outcome: 4 unknown, 1 rejected, 3 not
    /// sent.
    Resolve(ResolveArguments),
    /// Export the plants as CSV, a JSON array or NDJSON
    ///
    /// `plants import` reads the file, here or on another machine. Names and tags are exported
    /// unchanged. Unknown plants are included and counted; plants whose name is not known are left out.
    /// An existing file is replaced with --force only. Needs no token: nothing is sent.
    Export(ExportArguments),
    /// List the requests that this program sent, newest first
    ///
    /// Filters are combined: a request is listed if it matches all of them. To add the plant of an entry
    /// again, deleted or not: plants add --from N, where N is the number of the entry, without #.
    History(HistoryArguments),
    /// Delete the content of old requests and responses from the journal
    ///
    /// What was requested, when, and the outcome stay in the history. Requests of unknown plants are kept
    /// whole. The journal reuses the space for new requests.
    Trim(TrimArguments),
    /// Save a copy of the journal, or verify one
    ///
    /// The journal is the only record of the plants of all stores. The copy is one moment of it, also while
    /// other programs add and delete; it is verified, and written whole or not at all. Other users cannot
    /// read it. Needs no store and no token: nothing is sent.
    Backup(BackupArguments),
    /// Replace the journal by a copy that plants backup saved
    ///
    /// The copy is verified first. The journal of now is kept beside the restored one, under a name with the
    /// time. Close every other plants program before. Asks for confirmation, unless --yes is given. Needs no
    /// store and no token: nothing is sent.
    Restore(RestoreArguments),
    /// Add many plants, from a file
    ///
    /// Every row is validated first. While any row is bad, nothing is sent, unless --skip-bad leaves bad
    /// rows out. Plants that are stored already are skipped, so that a stopped import can be finished by
    /// importing the same file again. Unknown plants are not sent again, unless --resend-unknown is given.
    /// 429, and 503 with Retry-After, pause the import. After five unknown outcomes in a row it asks whether
    /// to go on; off a terminal it ends, unless --keep-going is given. Ctrl-C stops it: requests in flight
    /// are completed, and nothing more is sent; a second Ctrl-C cancels them. The exit code is that of the
    /// gravest outcome: 4 unknown, 1 rejected, 3 not sent.
    Import(ImportArguments),
    /// Check the store against its interface document, and record undocumented behaviour
    ///
    /// The contract check adds plants of its own and deletes them. Each rule of the interface document
    /// gets a verdict: pass, fail or inconclusive. Undocumented behaviour is recorded, and leftovers are
    /// listed. Exit code 0: no rule fails; 1: a rule fails, or with --strict is inconclusive; 2: no store is
    /// named, and nothing was checked; 3: nothing listens at the base URL, or the report cannot be written; 4:
    /// no diagnosis (responses are missing), a wrong base URL or a rejected token.
    #[command(after_long_help = check::rows_help())]
    Check(CheckArguments),
    /// Share the journal with a team
    ///
    /// A team shares its plants, requests and decisions over NATS servers, so that everybody sees what the
    /// others do. Needs `team` in the profile, or --team. docs/team.md explains the setup.
    Team(TeamArguments),
    /// Say which settings are in force and where each comes from, or print an example of the config file
    ///
    /// Reads flags, environment and config file, and the certificates that they name. Lists every fault at once
    /// (exit code 2), or each setting in force with its source: a flag, a variable, a profile, the top of the
    /// config file. Never shows a token or the value of a header. Needs no token: nothing is sent.
    Config(ConfigArguments),
    /// Print the paths of the config file and the journal
    Paths,
    /// Run the demo store alone, as a server for other programs
    ///
    /// Its token is the one from PLANTS_TOKEN, --token-file or --token-stdin, or else `demo`. Where
    /// the interface document leaves the behaviour open, the demo store behaves as a plain REST service:
    /// 201 for a create, 204 for a delete, 400 for a bad body, 401 without the token, 404 for an id that
    /// is not there, 409 for one that is. These are its own choices, not the document's.
    #[expect(clippy::doc_markdown, reason = "this is the help that people read on a terminal")]
    Serve(ServeArguments),
    /// Print the completion script for a shell
    Completions(CompletionsArguments),
    /// Print the manual page of the program, or of one subcommand
    Man(ManArguments),
}

const AFTER_HELP: &str = "Try `plants` with nothing configured: it opens the demo store.\n`plants --help` explains outcomes and exit codes, with examples.";

const AFTER_LONG_HELP: &str = "\
Outcomes, and what each proves:
  accepted  the store said yes: a 2xx status
  rejected  the store said no: a 3xx status (never followed) or 4xx except 408
  unknown   the request may have reached the store, and no status came back that decides
  not sent  nothing reached the store: trying again is safe

Exit codes:
  0 done   1 rejected   2 wrong usage, configuration or input   3 not sent   4 outcome unknown
  130 interrupted

Examples:
  plants                                        open the terminal interface, on the demo store
  plants serve --port 8080                      run the demo store alone; its token is `demo`
  export PLANTS_BASE_URL=http://127.0.0.1:8080 PLANTS_TOKEN=demo
  plants add --id 7 --name Monstera --tag tropical --json
  plants delete 7 --yes
  plants list
  plants export plants.csv
  plants history --outcome unknown
  plants resolve                                list the unknown plants
  plants resolve 7 8 --stored                   you know that they are there
  plants add --from 42                          re-add the plant of entry #42 of the history

Signals: TERM, HUP, QUIT and other signals that end a program restore the terminal first. The
interface then exits 0, and operations in flight are unknown; a subcommand exits 130.

The token comes from --token-file, --token-stdin, PLANTS_TOKEN, the profile in the config file,
or a masked prompt. There is no --token VALUE: other users of the machine would see it. Debuggers
and core dumps cannot read the program's memory, unless PLANTS_DUMPABLE is set.";

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::path::PathBuf;

    use clap::CommandFactory as _;

    use super::*;
    use crate::config::Environment;

    /// Returns how each path can be given to this command and those below it, with the value that is parsed.
    fn parsed(command: &clap::Command) -> Vec<(String, Option<PathBuf>)> {
        let program = command.clone().mut_args(|argument| argument.required(false)).ignore_errors(true);
        let paths =
            command.get_arguments().filter(|argument| argument.get_value_parser().type_id() == TypeId::of::<PathBuf>());
        let own = paths.map(|argument| {
            let word = argument.get_long().map_or_else(|| "~/x".to_owned(), |name| format!("--{name}=~/x"));
            let matches = program.clone().try_get_matches_from([command.get_name(), &word]).unwrap();
            let value = matches.get_one::<PathBuf>(argument.get_id().as_str()).cloned();
            (format!("{} {word}", command.get_name()), value)
        });
        own.chain(command.get_subcommands().flat_map(parsed)).collect()
    }

    #[test]
    fn a_tilde_is_expanded_in_every_path_of_the_command_line() {
        let mut program = Arguments::command();
        program.build();
        let parsed = parsed(&program);
        let expanded = Environment::read().home.unwrap().join("x");
        let wrong: Vec<_> = parsed.iter().filter(|(_, value)| value.as_ref() != Some(&expanded)).collect();
        assert!(wrong.is_empty() && parsed.len() > 10, "{wrong:?} of {parsed:?}");
    }
}
