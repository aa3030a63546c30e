//! The whole command line of a shell: a verb, and the options that all of them share.

use clap::Parser;

use super::result_format::Output;
use super::table::Verb;
use super::version::{long_version, version};
use crate::config::Flags;

/// A terminal for the Plant Store service.
///
/// Without a command, plants opens the terminal interface. With nothing configured, it uses the demo store, a real HTTP
/// server inside the program. Commands use the demo store only with --demo.
#[derive(Debug, Parser)]
#[command(name = "plants", version = version(), long_version = long_version(), after_help = END, after_long_help = LONG_END)]
pub struct Program {
    /// What to do; if left out, open the terminal interface
    #[command(subcommand)]
    pub verb: Option<Verb>,

    #[command(flatten)]
    // A doc comment here would replace the program's own in --help.
    pub flags: Flags,

    /// Open the terminal interface with a guided tour of the demo store
    #[arg(long)]
    pub tour: bool,

    #[command(flatten)]
    // Likewise.
    pub output: Output,
}

const END: &str = "Try `plants` with nothing configured: it opens the demo store.\n`plants --help` explains outcomes and exit codes, with examples.";

const LONG_END: &str = "\
Outcomes, and what each proves:
  accepted  the store said yes: a 2xx status
  rejected  the store said no: a 3xx status (never followed) or 4xx except 408
  unknown   the request may have reached the store, and no status came back that decides
  not sent  nothing reached the store: trying again is safe

Exit codes:
  0 done   1 rejected   2 wrong usage, configuration or input   3 not sent   4 outcome unknown
  130 interrupted

Examples:
  plants                                        open the terminal interface, on the demo store
  plants serve --port 8080                      run the demo store alone; its token is `demo`
  export PLANTS_BASE_URL=http://127.0.0.1:8080 PLANTS_TOKEN=demo
  plants add Monstera --id 7 --tag tropical
  plants delete 7 --yes
  plants list tag:tropical
  plants export plants.csv
  plants history outcome:unknown since:1d
  plants resolve                                list the unknown plants
  plants resolve 7 8 --stored                   you know that they are there
  plants add --from 42                          re-add the plant of entry #42 of the history

Signals: TERM, HUP, QUIT, ALRM, VTALRM, PROF, XCPU, USR1, USR2 and PWR restore the terminal first.
The interface then exits 0, and operations in flight are unknown; a command exits 130, serve 0.

The token comes from --token-file, --token-stdin, PLANTS_TOKEN, the profile in the config file,
or a masked prompt. There is no --token VALUE: other users of the machine would see it. Debuggers
and core dumps cannot read the program's memory, unless PLANTS_DUMPABLE is set.

docs/command-line.md has the whole.";
