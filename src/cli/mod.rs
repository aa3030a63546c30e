//! The command line: what may be typed, which subcommand it is, and the exit code.
//!
//! People's words go to stderr, results to stdout. The subcommands share the interface's
//! journal, courier and rules.

mod ask;
mod check;
mod connect;
mod export;
mod history;
mod import;
mod interface;
mod list;
mod open;
mod operate;
mod output;
mod packaging;
mod pages;
mod paths;
mod resolve;
mod say;
mod serve;
mod stop;
mod told;
mod zone;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::app::keys::KeyTable;
use crate::config::{Environment, Fault, Flags, exposed, may_be_debugged, resolve};
use crate::runtime::{signals, terminal};

pub use check::CheckArguments;
pub use export::ExportArguments;
pub use history::{HistoryArguments, OutcomeChoice, Shape, TrimArguments};
pub use import::ImportArguments;
pub use operate::{AddArguments, DeleteArguments};
pub use packaging::{CompletionsArguments, ManArguments};
pub use resolve::ResolveArguments;
pub use serve::ServeArguments;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// The store said no.
    Rejected,
    /// Wrong usage, configuration or input; nothing was sent.
    Usage,
    /// Nothing reached the store.
    NotSent,
    /// Nobody knows whether the store has it.
    Unknown,
    /// Somebody stopped it.
    Interrupted,
}

impl Exit {
    /// The exit code of the design.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Rejected => 1,
            Self::Usage => 2,
            Self::NotSent => 3,
            Self::Unknown => 4,
            Self::Interrupted => 130,
        }
    }
}

/// A terminal for the Plant Store service.
///
/// Without a subcommand it opens the terminal interface. With nothing configured it talks to
/// the demo store, a real HTTP server inside the program.
#[derive(Debug, Parser)]
#[command(name = "plants", version, after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP, disable_help_subcommand = true)]
pub struct Arguments {
    /// What to do; the terminal interface if left out
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would replace the program's own in --help")]
    pub flags: Flags,

    /// Be shown around: the terminal interface on its demo store, a step with each Space
    #[arg(long)]
    pub tour: bool,

    /// Print one machine-readable value on stdout; words for people stay on stderr
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
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
    /// Let request and answer of old exchanges go
    ///
    /// What was asked, when and how it ended stays in the history, and so does all of what is in
    /// doubt. The room in the journal is used for what comes next.
    Trim(TrimArguments),
    /// Many creates, from a file of plants
    ///
    /// Every row is judged first: while one is bad nothing is sent, unless --skip-bad leaves those
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
Outcomes, and what each proves:
  accepted  the store said yes: a 2xx status
  rejected  the store said no: a 3xx status (never followed) or 4xx except 408
  unknown   the request may have reached the store, and no status that settles it came back
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

/// Runs the program with these arguments, the first of which is its name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    if let Err(why) = terminal::install_panic_hook() {
        say::error(&why.to_string());
    }
    let arguments = match parse(arguments) {
        Ok(arguments) => arguments,
        Err(exit) => return exit,
    };
    if !may_be_debugged() {
        guard_memory();
    }
    let threads =
        terminal::starting(|| tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build());
    let threads = match threads {
        Ok(threads) => threads,
        Err(why) => {
            say::error(&format!("the program cannot start its threads: {why}"));
            return Exit::NotSent;
        }
    };
    let exit = catch_unwind(AssertUnwindSafe(|| threads.block_on(run(arguments)).unwrap_or_else(|exit| exit)));
    // A blocking read of stdin, a name look-up that nobody waits for, or a read of a terminal that
    // is gone, which never returns, must not hold up the end; a panic neither.
    threads.shutdown_background();
    exit.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Keeps the memory, which may hold a token from the first moment on, out of core dumps and away from
/// other programs of the same user.
fn guard_memory() {
    let limit = getrlimit(Resource::Core);
    // It always may have less.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), ..limit });
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, Exit> {
    let command = Arguments::command();
    // Under whatever name it was started, which the help would repeat.
    let arguments = ["plants".into()].into_iter().chain(arguments.into_iter().skip(1));
    command.try_get_matches_from(arguments).and_then(|matches| Arguments::from_arg_matches(&matches)).map_err(|told| {
        if told.use_stderr() {
            // It quotes what was typed, which a script may have from anywhere.
            say::indented(&told.render().to_string());
            Exit::Usage
        } else {
            let _ = told.print();
            Exit::Done
        }
    })
}

/// The exit code either way; `Err` where the settings have faults, which are told.
async fn run(arguments: Arguments) -> Result<Exit, Exit> {
    let Arguments { command, flags, tour, json } = arguments;
    if let Err(why) = signals::outlive_file_size_limit() {
        say::error(&format!("the limit for the size of files cannot be watched: {why}"));
    }
    if tour && flags.read_only {
        let why = "the tour adds plants to its demo store and deletes one: --tour goes without --read-only";
        return Err(open::failed(Exit::Usage, why));
    }
    if tour && command.is_some() {
        return Err(open::failed(Exit::Usage, "--tour is for the terminal interface: plants --tour"));
    }
    let environment = Environment::read();
    let settings =
        |flags: &Flags| resolve(flags, &environment, KeyTable::faults).map_err(|faults| list_faults(&faults));
    // The interface shows the same as notices.
    let warned = |flags: &Flags| {
        let settings = settings(flags)?;
        for warning in exposed(&settings) {
            say::words(&format!("Warning: {warning}"));
        }
        Ok(settings)
    };
    Ok(match command {
        None => {
            // The tour adds and deletes: it does so nowhere else.
            let flags = Flags { demo: flags.demo || tour, ..flags };
            let settings = settings(&flags)?;
            Box::pin(interface::run(flags, environment, settings, interface::Wanted { tour, json })).await
        }
        Some(Command::Add(add)) => operate::add(warned(&flags)?, add, json).await,
        Some(Command::Delete(delete)) => operate::delete(warned(&flags)?, delete, json).await,
        Some(Command::List) => list::run(warned(&flags)?, json).await,
        Some(Command::Resolve(arguments)) => resolve::run(warned(&flags)?, arguments, json).await,
        Some(Command::Export(export)) => export::run(warned(&flags)?, export, json).await,
        Some(Command::History(history)) => history::run(warned(&flags)?, history, json).await,
        Some(Command::Import(import)) => import::run(warned(&flags)?, import, json).await,
        Some(Command::Check(check)) => check::run(warned(&flags)?, check, json).await,
        Some(Command::Trim(trim)) => history::trim(warned(&flags)?, trim, json).await,
        Some(Command::Paths) => paths::run(&warned(&flags)?, json),
        Some(Command::Serve(serve)) => {
            // It connects to no store: faults of a connection that is configured are not its own.
            warned(&Flags { demo: true, base_url: None, profile: None, ..flags.clone() })?;
            serve::run(&flags, &environment, serve, json).await
        }
        // Whoever builds a package has configured nothing.
        Some(Command::Completions(completions)) => packaging::completions(&completions, json),
        Some(Command::Man(man)) => packaging::man(&man, json),
    })
}

/// Every fault on a line of its own; nothing was sent.
fn list_faults(faults: &[Fault]) -> Exit {
    for fault in faults {
        say::error(&fault.to_string());
    }
    say::words("Nothing was sent.");
    Exit::Usage
}
