//! The options that name a connection or a place, as they were typed.
//!
//! Kept raw: they are validated together with the environment and the file, so that every fault
//! comes at once. There is no `--token VALUE`: it would show in `ps`.

use std::path::PathBuf;

const CONNECTION: &str = "Connection";
const PLACES: &str = "Appearance and places";

/// The global options: before or after the subcommand.
#[derive(clap::Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub struct Flags {
    #[arg(long, global = true, value_name = "URL", help_heading = CONNECTION)]
    #[arg(help = "Base URL of the store; with none given anywhere the demo store runs [env: PLANTS_BASE_URL]")]
    pub base_url: Option<String>,

    #[arg(long, global = true, value_name = "PATH", help_heading = CONNECTION, conflicts_with = "token_stdin")]
    #[arg(help = "Read the token from this file, rather than from the variable PLANTS_TOKEN")]
    pub token_file: Option<PathBuf>,

    /// Read the token from standard input, to its end
    #[arg(long, global = true, help_heading = CONNECTION)]
    pub token_stdin: bool,

    #[arg(long, global = true, value_name = "NAME", help_heading = CONNECTION)]
    #[arg(help = "Use this profile of the config file [env: PLANTS_PROFILE]")]
    pub profile: Option<String>,

    /// Send nothing that writes
    #[arg(long, global = true, help_heading = CONNECTION)]
    pub read_only: bool,

    /// Time limit of one whole exchange, like 30s or 2m, at most 1h [default: 30s]
    #[arg(long, global = true, value_name = "DURATION", help_heading = CONNECTION)]
    pub timeout: Option<String>,

    /// Trust the certificates in this PEM file, added to the system's
    #[arg(long, global = true, value_name = "PATH", help_heading = CONNECTION)]
    pub ca_cert: Option<PathBuf>,

    /// Send the token over plain http to another machine, where others can read it
    #[arg(long, global = true, help_heading = CONNECTION)]
    pub allow_http: bool,

    /// Use the demo store inside this program, whatever else is configured
    #[arg(long, global = true, help_heading = CONNECTION, conflicts_with_all = ["base_url", "profile"])]
    pub demo: bool,

    #[arg(long, global = true, value_name = "PATH", help_heading = PLACES)]
    #[arg(help = "Keep the journal in this directory [env: PLANTS_DATA_DIR] [default: ~/.local/share/plants]")]
    pub data_dir: Option<PathBuf>,

    /// Read this config file [default: ~/.config/plants/config.toml]
    #[arg(long, global = true, value_name = "PATH", help_heading = PLACES)]
    pub config: Option<PathBuf>,

    /// Draw with ASCII characters only
    #[arg(long, global = true, help_heading = PLACES)]
    pub ascii: bool,

    #[arg(long, global = true, help_heading = PLACES)]
    #[arg(help = "Use no colour [env: NO_COLOR]")]
    pub no_color: bool,
}

impl Flags {
    /// Those that hold for every store, and not for the one of the start alone.
    pub(super) fn without_store(&self) -> Self {
        Self {
            base_url: None,
            profile: None,
            demo: false,
            token_file: None,
            token_stdin: false,
            // A certificate for one store would let its holder pass for any other.
            ca_cert: None,
            allow_http: false,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Parser, error::ErrorKind};

    #[derive(Parser, Debug)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
        #[command(subcommand)]
        command: Option<Sub>,
    }

    #[derive(clap::Subcommand, Debug)]
    enum Sub {
        List,
    }

    fn parsed(line: &str) -> Result<Flags, ErrorKind> {
        Line::try_parse_from(line.split_whitespace()).map(|line| line.flags).map_err(|error| error.kind())
    }

    #[test]
    fn they_stand_before_or_after_the_subcommand() {
        for line in ["plants --base-url http://h --ascii list", "plants list --base-url http://h --ascii"] {
            let flags = parsed(line).unwrap();
            assert_eq!((flags.base_url.as_deref(), flags.ascii), (Some("http://h"), true), "{line}");
        }
    }

    #[test]
    fn every_one_says_what_it_does() {
        let line = <Line as clap::CommandFactory>::command();
        for flag in line.get_arguments().filter(|flag| flag.get_id() != "help") {
            let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty() && !help.contains('`') && flag.get_help_heading().is_some(), "{flag}: {help}");
        }
    }

    #[test]
    fn contradictions_are_refused() {
        for line in
            ["plants --token-stdin --token-file x", "plants --demo --base-url http://h", "plants --demo --profile p"]
        {
            assert_eq!(parsed(line).unwrap_err(), ErrorKind::ArgumentConflict, "{line}");
        }
    }

    #[test]
    fn a_token_cannot_be_given_where_ps_shows_it() {
        assert_eq!(parsed("plants --token canary").unwrap_err(), ErrorKind::UnknownArgument);
    }
}
