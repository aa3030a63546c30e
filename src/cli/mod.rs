//! The command line: parses the arguments, runs the subcommand, returns the exit code.
//!
//! Messages for people go to stderr, results to stdout. The subcommands share the journal, the worker and
//! the rules of the terminal interface.

mod access;
mod add;
mod arguments;
mod backup;
mod bar;
mod check;
mod check_output;
mod clock;
mod config;
mod connect;
mod delete;
mod end;
mod error;
mod examples;
mod export;
mod found;
mod history;
mod import;
mod import_output;
mod interface;
mod json;
mod list;
mod no_store;
mod open;
mod operate;
mod packaging;
mod pager;
mod paths;
mod plain;
mod possible_values;
mod print;
mod prompt;
mod resolve;
mod restore;
mod sender;
mod serve;
mod stop;
mod table;
mod team;
mod terminal_output;
mod trim;
mod when_unknown;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use color_eyre::eyre::{self, WrapErr as _, bail};
use futures::FutureExt as _;
use futures::future::{LocalBoxFuture, ready};
use tracing::debug;

use crate::config::{Environment, Flags, Given, Settings, data_dir, explain, may_be_debugged, warnings};
use crate::journal;
use crate::os::terminal::size;
use crate::os::{process, signals};
use crate::runtime::new_file::OF_JOURNAL;
use crate::runtime::{hooks, log};
use crate::text::shown_path;
use crate::tui::input::Keymap;

use arguments::{Arguments, Command};
use error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use print::Manner;
use terminal_output::Terminal;

/// What an import adds to its niceness.
const IMPORT_NICENESS: i32 = 10;

/// Runs the program with these arguments, the first of which is its name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    if let Err(error) = hooks::install_panic_hook() {
        print::error(error.to_string());
    }
    let exit = start(arguments).unwrap_or_else(end::end);
    debug!("ended with exit code {}", exit as u8);
    exit.into()
}

/// Returns the definition of the command line, from which docs/command-line.md is made.
pub fn command() -> clap::Command {
    let mut command = Arguments::command();
    // The definitions of the subcommands are deferred until here.
    command.build();
    examples::at_end(command)
}

fn start(arguments: impl IntoIterator<Item = OsString>) -> eyre::Result<Exit> {
    let (arguments, subcommand) = parse(arguments)?;
    let environment = Environment::read();
    keep_off_journal(&arguments.flags, &environment)?;
    begin_log(&arguments.flags, &environment, subcommand.as_deref())?;
    if !may_be_debugged() {
        process::guard_memory();
    }
    if matches!(arguments.command, Some(Command::Import(_))) {
        // Gives way to an interface on the same journal: a person waits there. Threads inherit it.
        process::give_way(IMPORT_NICENESS);
    }
    let threads = hooks::starting(|| runtime(arguments.command.as_ref()).enable_all().build());
    let threads = threads.wrap_err("the program cannot start its threads").or_exit(Exit::NotSent)?;
    let exit = catch_unwind(AssertUnwindSafe(|| {
        let begun = {
            let _inside = threads.enter();
            begin(arguments, environment)?
        };
        threads.block_on(begun)
    }));
    // Does not wait for blocking threads: a read of stdin, a name look-up, or a read of a vanished
    // terminal, which never returns.
    threads.shutdown_background();
    exit.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Returns the runtime for a subcommand. The interface draws while a large response is read. A command that does one
/// thing has all of it on this thread, because each hand-over to another takes time; so does an import, whose threads
/// would also wait for each other at the allocator, as one frees what another has built.
fn runtime(command: Option<&Command>) -> tokio::runtime::Builder {
    let beside_this = if matches!(command, None | Some(Command::Serve(_))) {
        2
    } else if matches!(command, Some(Command::Check(_) | Command::Resolve(_))) {
        1
    } else {
        return tokio::runtime::Builder::new_current_thread();
    };
    let mut threads = tokio::runtime::Builder::new_multi_thread();
    threads.worker_threads(beside_this);
    threads
}

/// Fails if a stream or the log leads to a file of the journal.
fn keep_off_journal(flags: &Flags, environment: &Environment) -> eyre::Result<()> {
    let Some(folder) = data_dir(flags, environment) else { return Ok(()) };
    let log = flags.log.as_deref().or(environment.log.as_deref());
    if journal::is_own(&folder, Path::new("/dev/stderr")) {
        // A message would be written onto it.
        bail!(Failure::printed(Exit::Usage));
    }
    if journal::is_own(&folder, Path::new("/dev/stdout")) {
        bail!(Failure::usage(format!("standard output: {OF_JOURNAL}. {NOTHING_SENT}")));
    }
    if let Some(log) = log.filter(|log| journal::is_own(&folder, log)) {
        bail!(Failure::usage(format!("the log {}: {OF_JOURNAL}. {NOTHING_SENT}", shown_path(log))));
    }
    Ok(())
}

/// Opens the log, if one is named, and says which program this is and where it runs.
fn begin_log(flags: &Flags, environment: &Environment, subcommand: Option<&str>) -> eyre::Result<()> {
    let Some(path) = flags.log.as_ref().or(environment.log.as_ref()) else { return Ok(()) };
    log::open(path, clock::now).map_err(|why| {
        Failure::usage(format!(
            "the log {} cannot be opened: {why}. Name another file with --log. Nothing was sent.",
            shown_path(path)
        ))
    })?;
    let (columns, rows) = size();
    debug!(
        version = env!("CARGO_PKG_VERSION"),
        system = std::env::consts::OS,
        machine = std::env::consts::ARCH,
        columns,
        rows,
        term = environment.term.as_deref().unwrap_or_default(),
        colorterm = environment.colorterm.as_deref().unwrap_or_default(),
        "started: {}",
        subcommand.unwrap_or("interface")
    );
    Ok(())
}

/// Returns the arguments, and the name of the subcommand. Not inlined, for the same reason as [`begin`].
#[inline(never)]
fn parse(arguments: impl IntoIterator<Item = OsString>) -> eyre::Result<(Arguments, Option<String>)> {
    // The help would repeat the name under which the program was started.
    let arguments: Vec<_> = ["plants".into()].into_iter().chain(arguments.into_iter().skip(1)).collect();
    let parsed = |command: clap::Command| {
        let matches = command.try_get_matches_from(&arguments)?;
        let subcommand = matches.subcommand_name().map(str::to_owned);
        Arguments::from_arg_matches(&matches).map(|arguments| (arguments, subcommand))
    };
    // Where that parses, the help of the whole command line is not needed.
    parsed(without_others(&Arguments::command(), &arguments)).or_else(|_| parsed(command())).map_err(|error| {
        let exit = if error.use_stderr() {
            // The error quotes arguments, which a script may take from anywhere.
            let text = error.render().to_string();
            let lines = text.strip_prefix("error: ").unwrap_or(&text).lines().map(str::trim);
            print::error(lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"));
            Exit::Usage
        } else {
            let _ = error.print();
            Exit::Done
        };
        Failure::printed(exit).into()
    })
}

/// Leaves out every subcommand but the one that the arguments name, because the options of all subcommands are copied
/// into each. Also leaves out the help.
fn without_others(command: &clap::Command, arguments: &[OsString]) -> clap::Command {
    let named = arguments.iter().skip(1).find_map(|argument| command.find_subcommand(argument));
    let shared = clap::Command::new("plants").args(command.get_arguments().cloned());
    shared.subcommands(named.cloned())
}

/// Begins what the arguments request; a subcommand that never waits is over when this returns.
///
/// Not inlined: the stack of its caller would keep the room in which each future is built for as long as the program
/// runs.
#[inline(never)]
fn begin(arguments: Arguments, environment: Environment) -> eyre::Result<LocalBoxFuture<'static, eyre::Result<Exit>>> {
    let Arguments { command, flags, tour, json } = arguments;
    if let Err(why) = signals::outlive_file_size_limit() {
        print::error(format!("the signal of the file size limit cannot be handled: {why}"));
    }
    if tour && command.is_some() {
        bail!(Failure::usage("--tour opens the terminal interface: use it without a subcommand, as plants --tour"));
    }
    let warned = |flags: &Flags| warned(flags, &environment);
    let at_store = |flags: &Flags| {
        let settings = warned(flags)?;
        no_store::check(&settings, flags).map(|()| settings)
    };
    // A terminal without escape sequences shows the columns, but no colours.
    let with_terminal = |flags: &Flags| {
        let settings = at_store(flags)?;
        let has_columns = !json && settings.plain != Some(true);
        let terminal = has_columns.then(|| Terminal::of_stdout(&settings, &environment)).flatten();
        eyre::Ok((settings, terminal))
    };
    Ok(match command {
        None => {
            // The tour adds and deletes plants: in the demo store only.
            let flags = Flags { demo: flags.demo || tour, ..flags };
            let settings = settings(&flags, &environment)?;
            if tour && settings.read_only {
                let why =
                    "the tour adds and deletes plants in its demo store: leave --tour out, or what makes it read-only";
                bail!(Failure::usage(why));
            }
            if is_plain(&settings, &environment) {
                if tour {
                    let why =
                        "the tour needs the terminal interface: leave --tour out, or plain mode with PLANTS_PLAIN=0";
                    bail!(Failure::usage(why));
                }
                interface::check_json(json)?;
                return Ok(plain::run(settings, environment).boxed_local());
            }
            interface::check_terminal(json)?;
            interface::run(flags, environment, settings, tour).boxed_local()
        }
        Some(Command::Add(add)) => add::run(at_store(&flags)?, add, json).boxed_local(),
        Some(Command::Delete(delete)) => delete::run(at_store(&flags)?, delete, json).boxed_local(),
        Some(Command::List(list)) => {
            let (settings, terminal) = with_terminal(&flags)?;
            list::run(settings, list, json, terminal).boxed_local()
        }
        Some(Command::Resolve(resolve)) => resolve::run(at_store(&flags)?, resolve, json).boxed_local(),
        Some(Command::Export(export)) => export::run(at_store(&flags)?, export, json).boxed_local(),
        Some(Command::History(history)) => {
            let (settings, terminal) = with_terminal(&flags)?;
            history::run(settings, history, json, terminal).boxed_local()
        }
        Some(Command::Import(import)) => import::run(at_store(&flags)?, import, json).boxed_local(),
        Some(Command::Check(check)) => {
            let (settings, terminal) = with_terminal(&flags)?;
            check::run(settings, check, json, terminal).boxed_local()
        }
        Some(Command::Trim(trim)) => trim::run(at_store(&flags)?, trim, json).boxed_local(),
        Some(Command::Backup(backup)) => backup::run(warned(&flags)?, backup, json).boxed_local(),
        Some(Command::Restore(restore)) => restore::run(warned(&flags)?, restore, json).boxed_local(),
        Some(Command::Team(team)) => team::run(at_store(&flags)?, team, json).boxed_local(),
        Some(Command::Config(config)) => ready(config::run(&flags, &environment, &config, json)).boxed_local(),
        Some(Command::Paths) => ready(paths::run(&warned(&flags)?, json)).boxed_local(),
        Some(Command::Serve(serve)) => {
            // Reports no faults of a configured connection: serve connects to no store.
            warned(&Flags { demo: true, base_url: None, profile: None, ..flags.clone() })?;
            serve::run(flags, environment, serve, json).boxed_local()
        }
        Some(Command::Completions(shell)) => ready(packaging::completions(self::command(), &shell, json)).boxed_local(),
        Some(Command::Man(page)) => ready(packaging::man(Arguments::command(), &page, json)).boxed_local(),
    })
}

fn settings(flags: &Flags, environment: &Environment) -> eyre::Result<Settings> {
    let (settings, given) = explain(flags, environment, Keymap::faults).map_err(|faults| {
        for fault in faults {
            debug!("fault of the configuration: {fault}");
            print::error(fault.to_string());
        }
        print::message(NOTHING_SENT);
        Failure::printed(Exit::Usage)
    })?;
    for Given { name, value, from, .. } in given {
        debug!("setting {name} = {value} ({from})");
    }
    Ok(settings)
}

/// Whether nothing may be painted: because a person chose that, or because the terminal obeys no escape sequences.
fn is_plain(settings: &Settings, environment: &Environment) -> bool {
    let is_dumb = || environment.is_named_dumb() && io::stdin().is_terminal() && io::stdout().is_terminal();
    settings.plain.unwrap_or_else(is_dumb)
}

/// Resolves the settings of a subcommand, and prints the warnings.
fn warned(flags: &Flags, environment: &Environment) -> eyre::Result<Settings> {
    let settings = settings(flags, environment)?;
    if is_plain(&settings, environment) {
        print::choose(Manner::PlainCommand);
    }
    for warning in warnings(&settings) {
        print::message(format!("Warning: {warning}"));
    }
    Ok(settings)
}
