//! `plants completions`: a shell's script, made from the definitions that the parser reads. Looks at neither
//! configuration nor journal.

use clap::{Args, Command};
use clap_complete::{Shell, generate};
use color_eyre::eyre;

use super::error::Failure;
use super::exit::Exit;
use super::print;

#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(mut program: Command, arguments: &CompletionsArguments, json: bool) -> eyre::Result<Exit> {
    if json {
        return Err(Failure::usage("a script or a page has no JSON form: leave --json out").into());
    }
    let mut script = Vec::new();
    generate(arguments.shell, &mut program, "plants", &mut script);
    print::result(String::from_utf8_lossy(&script).trim_end_matches('\n'))?;
    Ok(Exit::Done)
}
