//! The options of the command line that all subcommands share.
//!
//! Expands `~/` in paths, which a shell leaves in `--data-dir=~/x`. Parses no other values: they are validated together
//! with environment and config file, so that all faults are reported at once. There is no `--token VALUE`, because `ps`
//! would show it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::{env, io};

use clap::builder::{PathBufValueParser, TypedValueParser};
use tokio::process::Command;

use super::environment::home;
use super::fault::{Fault, Located};
use super::layer::{Layer, located, parsed};
use super::path::expand;
use super::setting::{BASE_URL, CA_CERT, DATA_DIR, PROFILE, READ_ONLY, TEAM, TIMEOUT, TOKEN};
use super::token_source::TokenSource;

const CONNECTION: &str = "Connection";
const APPEARANCE: &str = "Appearance and places";

/// Options before or after the subcommand.
#[derive(clap::Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the command line")]
pub struct Flags {
    #[arg(long, global = true, value_name = "URL", help_heading = CONNECTION)]
    #[arg(help = "Base URL of the store [env: PLANTS_BASE_URL]")]
    pub base_url: Option<String>,

    #[arg(long, global = true, value_name = "PATH", value_parser = path_parser(), help_heading = CONNECTION, conflicts_with = "token_stdin")]
    #[arg(help = "Read the token from this file, rather than from the variable PLANTS_TOKEN")]
    pub token_file: Option<PathBuf>,

    /// Read the token from standard input, to its end
    #[arg(long, global = true, help_heading = CONNECTION)]
    pub token_stdin: bool,

    #[arg(long, global = true, value_name = "NAME", help_heading = CONNECTION)]
    #[arg(help = "Use this profile of the config file [env: PLANTS_PROFILE]")]
    pub profile: Option<String>,

    #[arg(long, global = true, help_heading = CONNECTION)]
    #[arg(help = "Send nothing that writes [env: PLANTS_READ_ONLY]")]
    pub read_only: bool,

    /// Time limit of one whole request, like 30s or 2m, at most 1h [default: 30s]
    #[arg(long, global = true, value_name = "DURATION", help_heading = CONNECTION)]
    pub timeout: Option<String>,

    /// Trust the certificates in this PEM file, added to the system's
    #[arg(long, global = true, value_name = "PATH", value_parser = path_parser(), help_heading = CONNECTION)]
    pub ca_cert: Option<PathBuf>,

    /// Send the token over plain http to another machine, where others can read it
    #[arg(long, global = true, help_heading = CONNECTION)]
    pub allow_http: bool,

    #[arg(long, global = true, value_name = "URLS", help_heading = CONNECTION)]
    #[arg(help = "Share the journal with a team over these NATS servers, separated by commas [env: PLANTS_TEAM]")]
    pub team: Option<String>,

    /// Use the demo store inside this program, whatever else is configured
    #[arg(long, global = true, help_heading = CONNECTION, conflicts_with_all = ["base_url", "profile"])]
    pub demo: bool,

    #[arg(long, global = true, value_name = "PATH", value_parser = path_parser(), help_heading = APPEARANCE)]
    #[arg(help = "Keep the journal in this directory [env: PLANTS_DATA_DIR] [default: ~/.local/share/plants]")]
    pub data_dir: Option<PathBuf>,

    #[arg(long, global = true, value_name = "FILE", value_parser = path_parser(), help_heading = APPEARANCE)]
    #[arg(help = "Append a log for bug reports to this file, without secrets [env: PLANTS_LOG]")]
    pub log: Option<PathBuf>,

    /// Read this config file [default: ~/.config/plants/config.toml]
    #[arg(long, global = true, value_name = "PATH", value_parser = path_parser(), help_heading = APPEARANCE)]
    pub config: Option<PathBuf>,

    /// Plain mode: questions and answers line by line, for screen readers and simple terminals
    #[arg(long, global = true, help_heading = APPEARANCE)]
    pub plain: bool,

    /// Draw with ASCII characters only
    #[arg(long, global = true, help_heading = APPEARANCE)]
    pub ascii: bool,

    #[arg(long, global = true, help_heading = APPEARANCE)]
    #[arg(help = "Use no colour [env: NO_COLOR]")]
    pub no_color: bool,

    #[arg(long, global = true, help_heading = APPEARANCE)]
    #[arg(help = "Show no long table in a pager [env: PLANTS_PAGER names another one, as PAGER does]")]
    pub no_pager: bool,
}

/// Parses a path on the command line.
pub fn path_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| expand(path, home().as_deref()))
}

impl Flags {
    /// Whether a flag overrides the variable of this name, and what is wrong with it.
    pub(super) fn override_variable(&self, name: &str) -> bool {
        let names_a_store = self.demo || self.base_url.is_some() || self.profile.is_some();
        let overridden = [
            (BASE_URL, names_a_store),
            (PROFILE, names_a_store),
            (TOKEN, self.demo || self.token_file.is_some() || self.token_stdin),
            (TEAM, self.demo || self.team.is_some()),
            (DATA_DIR, self.demo || self.data_dir.is_some()),
            (READ_ONLY, self.demo || self.read_only),
        ];
        overridden.iter().any(|(setting, is_overridden)| setting.variable == name && *is_overridden)
    }

    /// Parses the settings that they give.
    pub(super) fn layer(&self, faults: &mut Vec<Fault>) -> Layer {
        let stdin = self.token_stdin.then_some(TokenSource::Stdin);
        Layer {
            profile: self.profile.clone().map(|value| Located::named(PROFILE.flag, value)),
            data_dir: self.data_dir.clone(),
            log: self.log.clone(),
            no_color: self.no_color.then_some(true),
            plain: self.plain.then_some(true),
            ascii: self.ascii.then_some(true),
            timeout: self.timeout.as_deref().and_then(|raw| parsed(raw, TIMEOUT.flag, faults)),
            read_only: self.read_only.then_some(true),
            base_url: located(self.base_url.as_deref(), BASE_URL.flag, faults),
            token_source: self.token_file.clone().map(TokenSource::File).or(stdin),
            ca_cert: self.ca_cert.clone().map(|value| Located::named(CA_CERT.flag, value)),
            allow_http: self.allow_http.then_some(true),
            team: located(self.team.as_deref(), TEAM.flag, faults),
            ..Layer::default()
        }
    }

    /// Returns the flags without the settings of one store.
    pub(super) fn without_store(&self) -> Self {
        Self {
            base_url: None,
            profile: None,
            demo: false,
            token_file: None,
            token_stdin: false,
            // The owner of the certificate could pose as any other store.
            ca_cert: None,
            allow_http: false,
            team: None,
            ..self.clone()
        }
    }

    /// Writes them for another run of the program, but those that concern the terminal and the log of this one.
    fn arguments(&self) -> Vec<OsString> {
        let Self { base_url, token_file, token_stdin, profile, read_only, timeout, ca_cert, allow_http, team, .. } =
            self;
        let Self { demo, data_dir, log: _, config, plain: _, ascii, no_color, no_pager: _, .. } = self;
        let texts = [("--base-url", base_url), ("--profile", profile), ("--team", team), ("--timeout", timeout)];
        let paths =
            [("--data-dir", data_dir), ("--config", config), ("--ca-cert", ca_cert), ("--token-file", token_file)];
        let switches = [
            ("--demo", demo),
            ("--token-stdin", token_stdin),
            ("--read-only", read_only),
            ("--allow-http", allow_http),
            ("--ascii", ascii),
            ("--no-color", no_color),
        ];
        let texts = texts.into_iter().filter_map(|(name, value)| Some((name, value.clone()?.into())));
        let paths = paths.into_iter().filter_map(|(name, value)| Some((name, value.clone()?.into())));
        let valued = texts.chain(paths).map(|(name, value): (&str, OsString)| {
            let mut argument = OsString::from(format!("{name}="));
            argument.push(value);
            argument
        });
        valued.chain(switches.into_iter().filter(|(_, is_set)| **is_set).map(|(name, _)| name.into())).collect()
    }

    /// Composes a run of this program with these words, which has these settings and asks nothing. `withheld`: variables.
    ///
    /// # Errors
    ///
    /// The path of the program is not known.
    pub(super) fn command(&self, words: &[String], withheld: &[&str]) -> io::Result<Command> {
        let mut command = Command::new(env::current_exe()?);
        command.args(self.arguments()).args(words);
        for variable in withheld {
            command.env_remove(variable);
        }
        command.env_remove("FORCE_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::piped()).kill_on_drop(true);
        Ok(command)
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
    fn flags_are_valid_before_and_after_the_subcommand() {
        for line in ["plants --base-url http://h --ascii list", "plants list --base-url http://h --ascii"] {
            let flags = parsed(line).unwrap();
            assert_eq!((flags.base_url.as_deref(), flags.ascii), (Some("http://h"), true), "{line}");
        }
    }

    #[test]
    fn another_run_has_the_same_store_and_places() {
        for line in [
            "plants --base-url http://h --team=-x --data-dir /d --config /c --allow-http --no-color --token-stdin",
            "plants --profile p --read-only --timeout 5s --ca-cert /ca --token-file /t --ascii",
        ] {
            let flags = parsed(line).unwrap();
            let again = [OsString::from("plants")].into_iter().chain(flags.arguments());
            assert_eq!(format!("{:?}", Line::try_parse_from(again).unwrap().flags), format!("{flags:?}"));
        }
    }

    #[test]
    fn every_flag_has_help_without_backticks() {
        let line = <Line as clap::CommandFactory>::command();
        for flag in line.get_arguments().filter(|flag| flag.get_id() != "help") {
            let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty() && !help.contains('`') && flag.get_help_heading().is_some(), "{flag}: {help}");
        }
    }

    #[test]
    fn conflicting_flags_are_invalid() {
        for line in
            ["plants --token-stdin --token-file x", "plants --demo --base-url http://h", "plants --demo --profile p"]
        {
            assert_eq!(parsed(line).unwrap_err(), ErrorKind::ArgumentConflict, "{line}");
        }
    }

    #[test]
    fn no_flag_takes_a_token() {
        assert_eq!(parsed("plants --token canary").unwrap_err(), ErrorKind::UnknownArgument);
    }
}
