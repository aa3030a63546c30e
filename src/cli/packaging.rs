//! `plants completions` and `plants man`: shell scripts and manual pages for packagers; the pages are generated from the
//! definitions that the parser uses. Reads neither configuration nor journal.

use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use color_eyre::eyre::{self, WrapErr as _};

use super::error::{Exit, Failure, OrExit as _, unwritten};
use super::{completion, print};
use crate::domain::PROGRAM;
use crate::runtime::new_file::{Existing, NewFile, Readers};
use crate::text::shown_path;
use crate::verbs::{Program, examples, no_command_of};

pub(super) fn completions(shell: Shell) -> eyre::Result<Exit> {
    print_text(completion::script(shell).as_bytes())
}

/// `data_dir` is the folder of the journal.
pub(super) fn man(verb: &[String], output: Option<&Path>, data_dir: &Path) -> eyre::Result<Exit> {
    let mut program = Program::command().disable_help_subcommand(true);
    // Gives each subcommand its whole name and the global options.
    program.build();
    if let Some(folder) = output {
        return write_pages(program, folder, data_dir);
    }
    let page = if verb.is_empty() {
        program_page(program)
    } else {
        let found = verb.iter().try_fold(&program, |command, name| {
            command.find_subcommand(name).ok_or_else(|| Failure::usage(no_command_of(command, &program, name)))
        });
        page(found?.clone())
    };
    print_text(&page.wrap_err("the page cannot be made").or_exit(Exit::NotSent)?)
}

fn write_pages(program: Command, folder: &Path, data_dir: &Path) -> eyre::Result<Exit> {
    fs::create_dir_all(folder).wrap_err_with(|| format!("{} was not made", shown_path(folder))).or_exit(Exit::Usage)?;
    let write = |name: &str, page: io::Result<Vec<u8>>| {
        let path = folder.join(format!("{name}.1"));
        let written = page.and_then(|page| {
            let mut file = NewFile::begin_regular(&path, Existing::Replaced, Readers::Usual, data_dir)?;
            file.write_all(&page)?;
            file.end()
        });
        written.map_err(|why| unwritten(&shown_path(&path), why, Exit::Usage))
    };
    let below = |command: &Command| command.get_subcommands().cloned().collect::<Vec<_>>();
    let all = below(&program).into_iter().flat_map(|verb| [vec![verb.clone()], below(&verb)].concat());
    for verb in all {
        write(&verb.get_bin_name().unwrap_or_default().replace(' ', "-"), page(verb))?;
    }
    write("plants", program_page(program))?;
    Ok(Exit::Done)
}

fn print_text(text: &[u8]) -> eyre::Result<Exit> {
    print::exact(String::from_utf8_lossy(text).trim_end_matches('\n'))?;
    Ok(Exit::Done)
}

/// Renders the page of a subcommand, with its examples.
fn page(subcommand: Command) -> io::Result<Vec<u8>> {
    let examples = examples(&subcommand);
    let mut page = rendered(subcommand)?;
    add_lines("EXAMPLES", examples, &mut page)?;
    Ok(page)
}

/// Renders the page of the program with the end of `--help`.
fn program_page(program: Command) -> io::Result<Vec<u8>> {
    let help = program.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let nothing = || None::<&'static str>;
    let mut page = rendered(program.after_help(nothing()).after_long_help(nothing()))?;
    add_lines("MORE", help.lines(), &mut page)?;
    Ok(page)
}

/// Renders a page with the usage of the help as its synopsis, and the exit codes of the program's help.
fn rendered(mut command: Command) -> io::Result<Vec<u8>> {
    let (mut page, usage) = (Vec::new(), command.render_usage().to_string());
    let command = command.override_usage(usage.trim_start_matches("Usage: ").to_owned());
    Man::new(command.long_version(None)).source(PROGRAM).render(&mut page)?;
    let help = Program::command().get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let codes = help.lines().skip_while(|line| *line != "Exit codes:").skip(1).take_while(|line| !line.is_empty());
    add_lines("EXIT STATUS", codes.map(str::trim_start), &mut page)?;
    Ok(page)
}

/// Adds a section line by line, because its text has columns.
fn add_lines<'a>(heading: &str, lines: impl Iterator<Item = &'a str>, page: &mut Vec<u8>) -> io::Result<()> {
    let mut section = Roff::new();
    section.control("SH", [heading]).control("nf", []);
    for line in lines {
        section.text([roman(line)]);
    }
    section.control("fi", []).to_writer(page)
}
