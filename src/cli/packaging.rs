//! `plants completions` and `plants man`: what packagers install beside the program, made from
//! the definitions that the parser reads. Neither looks at configuration or journal.

use std::io;

use clap::{Args, Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::open::failed;
use super::{AFTER_LONG_HELP, Arguments, Exit, say};

/// The program's name and version, at the foot of every page.
const SOURCE: &str = concat!("plants ", env!("CARGO_PKG_VERSION"));

/// `plants completions`
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell
    pub shell: Shell,
}

/// `plants man`
#[derive(Debug, Args)]
pub struct ManArguments {
    /// The subcommand, like `add`; the page of the program if left out
    pub subcommand: Option<String>,
}

/// `plants completions`
pub(super) fn completions(arguments: &CompletionsArguments, json: bool) -> Exit {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "plants", &mut script);
    print(&script, json)
}

/// `plants man`
pub(super) fn man(arguments: &ManArguments, json: bool) -> Exit {
    // Built, so that each subcommand knows its whole name and the options of all.
    let mut program = Arguments::command();
    program.build();
    let page = match &arguments.subcommand {
        None => program_page(program),
        Some(name) => match program.find_subcommand(name) {
            Some(subcommand) => page(subcommand.clone()),
            None => {
                let names: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
                let why = format!("there is no subcommand {name}: write one of {}", names.join(", "));
                return failed(Exit::Usage, &why);
            }
        },
    };
    match page {
        Ok(page) => print(&page, json),
        Err(why) => failed(Exit::NotSent, &format!("the page cannot be made: {why}")),
    }
}

fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).source(SOURCE).render(&mut page)?;
    Ok(page)
}

/// The page with what `--help` says at its end set line by line, as it is there: it has columns.
fn program_page(program: Command) -> io::Result<Vec<u8>> {
    let nothing = || None::<&'static str>;
    let mut page = page(program.after_help(nothing()).after_long_help(nothing()))?;
    let mut more = Roff::new();
    more.control("SH", ["MORE"]).control("nf", []);
    for line in AFTER_LONG_HELP.lines() {
        more.text([roman(line)]);
    }
    more.control("fi", []).to_writer(&mut page)?;
    Ok(page)
}

fn print(text: &[u8], json: bool) -> Exit {
    if json {
        return failed(Exit::Usage, "a script or a page has no JSON form: leave --json out");
    }
    let text = String::from_utf8_lossy(text);
    if say::result(text.trim_end_matches('\n')) { Exit::Done } else { Exit::NotSent }
}
