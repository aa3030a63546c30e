//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(plants::cli::main(std::env::args_os()).code())
}
