//! `plants man`: the manual pages, made from the definitions that the parser reads. Looks at neither
//! configuration nor journal.

use std::io;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use color_eyre::eyre::{self, OptionExt as _, WrapErr as _};

use super::error::{Failure, OrExit as _};
use super::exit::Exit;
use super::print;

const SOURCE: &str = concat!("plants ", env!("CARGO_PKG_VERSION"));

#[derive(Debug, Args)]
pub(super) struct ManArguments {
    /// The subcommand, like `add`; the page of the program if left out
    subcommand: Option<String>,
}

pub(super) fn run(mut program: Command, arguments: &ManArguments, json: bool) -> eyre::Result<Exit> {
    if json {
        return Err(Failure::usage("a script or a page has no JSON form: leave --json out").into());
    }
    // Built, so that each subcommand knows its whole name and the options of all.
    program.build();
    let page = match &arguments.subcommand {
        None => program_page(program),
        Some(name) => {
            let names: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
            let none = format!("there is no subcommand {name}: write one of {}", names.join(", "));
            page(program.find_subcommand(name).ok_or_eyre(none).or_exit(Exit::Usage)?.clone())
        }
    };
    let page = page.wrap_err("the page cannot be made").or_exit(Exit::NotSent)?;
    print::result(String::from_utf8_lossy(&page).trim_end_matches('\n'))?;
    Ok(Exit::Done)
}

fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).source(SOURCE).render(&mut page)?;
    Ok(page)
}

/// Renders the page with what `--help` says at its end set line by line, as it is there: it has columns.
fn program_page(program: Command) -> io::Result<Vec<u8>> {
    let help = program.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let nothing = || None::<&'static str>;
    let mut page = page(program.after_help(nothing()).after_long_help(nothing()))?;
    let mut more = Roff::new();
    more.control("SH", ["MORE"]).control("nf", []);
    for line in help.lines() {
        more.text([roman(line)]);
    }
    more.control("fi", []).to_writer(&mut page)?;
    Ok(page)
}
