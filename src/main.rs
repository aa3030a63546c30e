//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    plants::cli::main(std::env::args_os())
}
