//! Passes the arguments to [`plants::cli`] and returns its exit code. Must not know any subcommand.

use std::process::ExitCode;

fn main() -> ExitCode {
    plants::cli::main(std::env::args_os())
}
