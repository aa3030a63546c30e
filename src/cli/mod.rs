//! The command line: parses the arguments, runs the subcommand, returns the exit code.
//!
//! Messages for people go to stderr, results to stdout. The subcommands share the journal, the worker and
//! the rules of the terminal interface.

mod access;
mod add;
mod bar;
mod batch;
mod check;
mod clock;
mod completion;
mod completion_values;
mod config;
mod connect;
mod console;
mod delete;
mod end;
mod error;
mod exchange_json;
mod exchange_text;
mod export;
mod found;
mod history;
mod import;
mod import_output;
mod interface;
mod journal_verb;
mod json;
mod list;
mod no_store;
mod open;
mod packaging;
mod pager;
mod plain;
mod print;
mod profile;
mod prompt;
mod resolve;
mod sender;
mod serve;
mod session;
mod spoken;
mod stop;
mod table;
mod team;
mod terminal_output;
#[cfg(test)]
mod tests;
mod verb;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use color_eyre::eyre::{self, WrapErr as _, bail};
use futures::FutureExt as _;
use futures::future::{LocalBoxFuture, ready};
use tracing::debug;

use crate::config::{Environment, Flags, Given, Settings, data_dir, may_be_debugged, resolve, warnings};
use crate::journal;
use crate::os::terminal::{is_stdout_writable, size};
use crate::os::{process, signals};
use crate::runtime::new_file::OF_JOURNAL;
use crate::runtime::{hooks, log};
use crate::text::shown_path;
use crate::tui::input::Keymap;
use crate::verbs::{Output, Program, ResultFormat, Verb, of_shell, shell_error, version};

use console::Console;
use error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use print::Manner;
use session::Session;
use verb::carry_out;

/// What an import adds to its niceness.
const IMPORT_NICENESS: i32 = 10;

/// Runs the program with these arguments, the first of which is its name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<_> = arguments.into_iter().collect();
    if let Some(shell) = completion::asking(&arguments) {
        // Before all else: a Tab prints nothing but completions.
        completion::run(shell, arguments.get(2..).unwrap_or_default());
        return ExitCode::SUCCESS;
    }
    if let Err(error) = hooks::install_panic_hook() {
        print::error(error.to_string());
    }
    let exit = start(arguments).unwrap_or_else(end::end);
    debug!("ended with exit code {}", exit as u8);
    if let Some(why) = log::fault() {
        print::message(format!("Lines are missing in the log: {why}. Make room, or name another file with --log."));
    }
    ExitCode::from(exit as u8)
}

fn start(arguments: impl IntoIterator<Item = OsString>) -> eyre::Result<Exit> {
    let environment = Environment::read();
    log::conceal(environment.token(), &[]);
    let program = parse(arguments)?;
    check_outputs(&program.flags, &environment)?;
    begin_log(&program.flags, &environment, program.verb.as_ref().map(Verb::name))?;
    if !may_be_debugged() {
        process::guard_memory();
    }
    if matches!(program.verb, Some(Verb::Import(_))) {
        // Gives way to an interface on the same journal: a person waits there. Threads inherit it.
        process::give_way(IMPORT_NICENESS);
    }
    let threads = hooks::starting(|| runtime(program.verb.as_ref()).enable_all().build());
    let threads = threads.wrap_err("the program cannot start its threads").or_exit(Exit::NotSent)?;
    let exit = catch_unwind(AssertUnwindSafe(|| {
        let begun = {
            let _inside = threads.enter();
            begin(program, environment)?
        };
        threads.block_on(begun)
    }));
    // Does not wait for blocking threads: a read of stdin, a name look-up, or a read of a vanished
    // terminal, which never returns.
    threads.shutdown_background();
    exit.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Returns the runtime for a verb. The interface draws while a large response is read. A verb that does one thing has all
/// of it on this thread, because each hand-over to another takes time; so does an import, whose threads would also wait
/// for each other at the allocator, as one frees what another has built.
fn runtime(verb: Option<&Verb>) -> tokio::runtime::Builder {
    let beside_this = if matches!(verb, None | Some(Verb::Serve(_))) {
        2
    } else if matches!(verb, Some(Verb::Check(_) | Verb::Resolve(_))) {
        1
    } else {
        return tokio::runtime::Builder::new_current_thread();
    };
    let mut threads = tokio::runtime::Builder::new_multi_thread();
    threads.worker_threads(beside_this);
    threads
}

/// Fails if stdout cannot be written, if the log is stdout, and if a stream or the log leads to a file of the journal.
fn check_outputs(flags: &Flags, environment: &Environment) -> eyre::Result<()> {
    if !is_stdout_writable() {
        bail!(Failure::usage(format!("standard output is not open for writing. {NOTHING_SENT}")));
    }
    let log = flags.log.as_deref().or(environment.log());
    if log.is_some_and(print::is_stdout) {
        bail!(Failure::usage(format!(
            "the log is standard output, which has the results: name a file. {NOTHING_SENT}"
        )));
    }
    let Some(folder) = data_dir(flags, environment) else { return Ok(()) };
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
fn begin_log(flags: &Flags, environment: &Environment, verb: Option<&str>) -> eyre::Result<()> {
    let Some(path) = flags.log.as_deref().or(environment.log()) else { return Ok(()) };
    log::open(path, clock::now).map_err(|why| {
        Failure::usage(format!(
            "the log {} cannot be opened: {why}. Name another file with --log. Nothing was sent.",
            shown_path(path)
        ))
    })?;
    let (columns, rows) = size();
    debug!(
        version = version(),
        system = std::env::consts::OS,
        machine = std::env::consts::ARCH,
        columns,
        rows,
        term = environment.term.as_deref().unwrap_or_default(),
        colorterm = environment.colorterm.as_deref().unwrap_or_default(),
        "started: {}",
        verb.unwrap_or("interface")
    );
    Ok(())
}

/// Parses the arguments, or prints what they ask for, or why they are invalid. Not inlined, for the same reason as
/// [`begin`].
#[inline(never)]
fn parse(arguments: impl IntoIterator<Item = OsString>) -> eyre::Result<Program> {
    of_shell(arguments).or_else(|error| {
        if error.use_stderr() {
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = error.print();
            } else {
                // The error quotes arguments, which a script may take from anywhere.
                print::error(shell_error(&error));
            }
            bail!(Failure::printed(Exit::Usage));
        }
        print::written(error.print().and_then(|()| io::stdout().flush()))?;
        bail!(Failure::printed(Exit::Done))
    })
}

/// Begins what the arguments request.
///
/// Not inlined: the stack of its caller would keep the room in which each future is built for as long as the program
/// runs.
#[inline(never)]
fn begin(program: Program, environment: Environment) -> eyre::Result<LocalBoxFuture<'static, eyre::Result<Exit>>> {
    let Program { verb, flags, tour, output } = program;
    if let Err(why) = signals::outlive_file_size_limit() {
        print::error(format!("the signal of the file size limit cannot be handled: {why}"));
    }
    if tour && verb.is_some() {
        bail!(Failure::usage("--tour opens the terminal interface: use it without a subcommand, as plants --tour"));
    }
    let Some(verb) = verb else { return interface(flags, environment, output, tour) };
    let format = verb.format(output).map_err(Failure::usage)?;
    let json = format == Some(ResultFormat::Json);
    print::be_quiet(output.quiet);
    // Of a verb that connects to no store, faults of a configured connection are not reported.
    let without_store = || Flags { demo: true, base_url: None, profile: None, ..flags.clone() };
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others are carried out in a session")]
    let (verb, settings) = match verb {
        // Reports faults as its result.
        Verb::Config { example, .. } => {
            return Ok(ready(config::run(&flags, &environment, example, json)).boxed_local());
        }
        Verb::Completions { shell } => return Ok(ready(packaging::completions(shell)).boxed_local()),
        Verb::Man { verb, output } => {
            let folder = data_dir(&flags, &environment).unwrap_or_default();
            return Ok(ready(packaging::man(&verb, output.as_deref(), &folder)).boxed_local());
        }
        Verb::Serve(arguments) => {
            warned(&without_store(), &environment)?;
            return Ok(serve::run(flags, environment, arguments, json).boxed_local());
        }
        // Repairs a default that names no profile.
        Verb::Profile(arguments) if arguments.chooses() => {
            (Verb::Profile(arguments), warned(&without_store(), &environment)?)
        }
        verb => (verb, warned(&flags, &environment)?),
    };
    if verb.needs_store() {
        no_store::check(&settings, &flags)?;
    }
    prompt::suspend_on_signal();
    Ok(async move {
        let console = Console::of_command();
        let mut session = Session { flags, environment, settings, console, ready: None };
        let exit = carry_out(&mut session, verb, format, output).await;
        session.close().await;
        exit
    }
    .boxed_local())
}

/// Begins the terminal interface, or plain mode.
fn interface(
    flags: Flags,
    environment: Environment,
    output: Output,
    tour: bool,
) -> eyre::Result<LocalBoxFuture<'static, eyre::Result<Exit>>> {
    // The tour adds and deletes plants: in the demo store only.
    let flags = Flags { demo: flags.demo || tour, ..flags };
    let settings = settings(&flags, &environment)?;
    if tour && settings.read_only {
        let why = "the tour adds and deletes plants in its demo store: leave --tour out, or what makes it read-only";
        bail!(Failure::usage(why));
    }
    let is_plain = is_plain(&settings, &environment);
    if tour && is_plain {
        let why = "the tour needs the terminal interface: leave --tour out, or plain mode with PLANTS_PLAIN=0";
        bail!(Failure::usage(why));
    }
    let has_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !is_plain && !has_terminal {
        bail!(Failure::usage(
            "the terminal interface needs a terminal. Without one, use a subcommand: plants add, plants delete, plants list, plants serve; plants --help lists all"
        ));
    }
    if output.is_given() {
        bail!(Failure::usage("--json needs a subcommand: plants add, delete, list or serve; plants --help lists all"));
    }
    if is_plain {
        prompt::suspend_on_signal();
        return Ok(plain::run(flags, settings, environment).boxed_local());
    }
    Ok(interface::run(flags, environment, settings, tour).boxed_local())
}

fn settings(flags: &Flags, environment: &Environment) -> eyre::Result<Settings> {
    let settings = resolve(flags, environment, Keymap::faults).map_err(|faults| {
        for fault in faults {
            debug!("fault of the configuration: {fault}");
            print::error(fault.to_string());
        }
        print::message(NOTHING_SENT);
        Failure::printed(Exit::Usage)
    })?;
    for Given { name, value, from, .. } in &settings.given {
        debug!("setting {name} = {value} ({from})");
    }
    print::be_ascii(settings.ascii);
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
