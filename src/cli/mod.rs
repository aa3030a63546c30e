//! The command line: parses what was typed, runs the subcommand, returns the exit code.
//!
//! Messages for people go to stderr, results to stdout. The subcommands share the journal, the worker and
//! the rules of the terminal interface.

mod account;
mod add;
mod arguments;
mod bar;
mod check;
mod clock;
mod completions;
mod connect;
mod delete;
mod end;
mod error;
mod exit;
mod export;
mod history;
mod import;
mod interface;
mod json;
mod list;
mod man;
mod open;
mod operate;
mod output;
mod paths;
mod print;
mod prompt;
mod resolve;
mod serve;
mod stop;
mod table;
mod trim;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use color_eyre::eyre::{self, WrapErr as _, bail};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::config::{Environment, Fault, Flags, Settings, exposed, may_be_debugged, resolve};
use crate::runtime::{signals, terminal};
use crate::tui::input::Keymap;

use arguments::{Arguments, Command};
use error::{Failure, OrExit as _};
use exit::Exit;

/// Runs the program with these arguments, the first of which is its name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    if let Err(error) = terminal::install_panic_hook() {
        print::error(&error.to_string());
    }
    start(arguments).unwrap_or_else(end::end).into()
}

/// Returns the definition of the command line, from which docs/command-line.md is made.
pub fn command() -> clap::Command {
    Arguments::command()
}

fn start(arguments: impl IntoIterator<Item = OsString>) -> eyre::Result<Exit> {
    let arguments = parse(arguments)?;
    if !may_be_debugged() {
        guard_memory();
    }
    let threads =
        terminal::starting(|| tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build());
    let threads = threads.wrap_err("the program cannot start its threads").or_exit(Exit::NotSent)?;
    let exit = catch_unwind(AssertUnwindSafe(|| threads.block_on(run(arguments))));
    // A blocking read of stdin, a name look-up that nothing waits for, or a read of a terminal that
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

fn parse(arguments: impl IntoIterator<Item = OsString>) -> eyre::Result<Arguments> {
    // Under whatever name it was started, which the help would repeat.
    let arguments = ["plants".into()].into_iter().chain(arguments.into_iter().skip(1));
    let parsed =
        Arguments::command().try_get_matches_from(arguments).and_then(|matches| Arguments::from_arg_matches(&matches));
    parsed.map_err(|told| {
        let exit = if told.use_stderr() {
            // It quotes what was typed, which a script may have from anywhere.
            print::indented(&told.render().to_string());
            Exit::Usage
        } else {
            let _ = told.print();
            Exit::Done
        };
        Failure::told(exit).into()
    })
}

async fn run(arguments: Arguments) -> eyre::Result<Exit> {
    let Arguments { command, flags, tour, json } = arguments;
    if let Err(why) = signals::outlive_file_size_limit() {
        print::error(&format!("the limit for the size of files cannot be watched: {why}"));
    }
    if tour && flags.read_only {
        let why = "the tour adds plants to its demo store and deletes one: --tour goes without --read-only";
        bail!(Failure::usage(why));
    }
    if tour && command.is_some() {
        bail!(Failure::usage("--tour is for the terminal interface: plants --tour"));
    }
    let environment = Environment::read();
    let warned = |flags: &Flags| warned(flags, &environment);
    match command {
        None => {
            // The tour adds and deletes: it does so nowhere else.
            let flags = Flags { demo: flags.demo || tour, ..flags };
            let settings = settings(&flags, &environment)?;
            interface::check_terminal(json)?;
            Box::pin(interface::run(flags, environment, settings, tour)).await
        }
        Some(Command::Add(add)) => add::run(warned(&flags)?, add, json).await,
        Some(Command::Delete(delete)) => delete::run(warned(&flags)?, delete, json).await,
        Some(Command::List) => list::run(warned(&flags)?, json).await,
        Some(Command::Resolve(resolve)) => resolve::run(warned(&flags)?, resolve, json).await,
        Some(Command::Export(export)) => export::run(warned(&flags)?, export, json).await,
        Some(Command::History(history)) => history::run(warned(&flags)?, history, json).await,
        Some(Command::Import(import)) => import::run(warned(&flags)?, import, json).await,
        Some(Command::Check(check)) => check::run(warned(&flags)?, check, json).await,
        Some(Command::Trim(trim)) => trim::run(warned(&flags)?, trim, json).await,
        Some(Command::Paths) => paths::run(&warned(&flags)?, json),
        Some(Command::Serve(serve)) => {
            // It connects to no store: faults of a connection that is configured are not its own.
            warned(&Flags { demo: true, base_url: None, profile: None, ..flags.clone() })?;
            serve::run(&flags, &environment, serve, json).await
        }
        // Packagers have configured nothing.
        Some(Command::Completions(completions)) => completions::run(Arguments::command(), &completions, json),
        Some(Command::Man(man)) => man::run(Arguments::command(), &man, json),
    }
}

fn settings(flags: &Flags, environment: &Environment) -> eyre::Result<Settings> {
    resolve(flags, environment, Keymap::faults).map_err(|faults| list_faults(&faults).into())
}

/// Resolves the settings of a subcommand, and warns of what others could read; the interface shows notices.
fn warned(flags: &Flags, environment: &Environment) -> eyre::Result<Settings> {
    let settings = settings(flags, environment)?;
    for warning in exposed(&settings) {
        print::message(&format!("Warning: {warning}"));
    }
    Ok(settings)
}

/// Tells every fault on a line of its own.
fn list_faults(faults: &[Fault]) -> Failure {
    for fault in faults {
        print::error(&fault.to_string());
    }
    print::message("Nothing was sent.");
    Failure::told(Exit::Usage)
}
