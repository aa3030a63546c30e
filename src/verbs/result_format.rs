//! The format of a result, and how much is said beside it: options that all verbs share.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Arg, Args, Command, ValueEnum};

use crate::text::alternatives;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ResultFormat {
    Text,
    Json,
    Ndjson,
    Csv,
    Junit,
    Markdown,
}

impl ResultFormat {
    pub fn word(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Output {
    /// Format of the result: text, json, or one that the help of a command names [default: text]
    #[arg(long, short = 'o', global = true, value_enum, help_heading = "Output")]
    pub format: Option<ResultFormat>,

    /// The same as --format json; messages for people stay on stderr
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,

    /// Print no messages for people but errors and questions
    #[arg(long, short, global = true, help_heading = "Output")]
    pub quiet: bool,
}

impl Output {
    /// Returns the format that is wanted, one of the verb's; `None` if none is named.
    pub(super) fn of_verb(self, name: &str) -> Result<Option<ResultFormat>, String> {
        let formats = formats_of(name);
        match (self.format, self.json) {
            (Some(format), true) if format != ResultFormat::Json => {
                Err(format!("--json and --format {} contradict each other: leave one of them out", format.word()))
            }
            (format, json) => match format.or(json.then_some(ResultFormat::Json)) {
                Some(format) if !formats.contains(&format) => {
                    let known = alternatives(formats.iter().copied().map(ResultFormat::word));
                    Err(format!("plants {name} has no format {}: use {known}", format.word()))
                }
                format => Ok(format),
            },
        }
    }

    /// Whether any format is named, also where there is no verb.
    pub fn is_given(self) -> bool {
        self.json || self.format.is_some()
    }
}

/// Returns the formats of the verb with this name.
fn formats_of(name: &str) -> &'static [ResultFormat] {
    use ResultFormat::{Csv, Json, Junit, Markdown, Ndjson, Text};
    match name {
        "list" | "history" => &[Text, Json, Ndjson],
        "export" => &[Csv, Json, Ndjson],
        "check" => &[Text, Json, Junit, Markdown],
        "completions" | "man" => &[Text],
        _ => &[Text, Json],
    }
}

/// Leaves each verb the formats of its own, in a definition that is built.
pub fn with_own_formats(command: Command) -> Command {
    command.mut_subcommands(|verb| {
        let name = verb.get_name().to_owned();
        with_formats_of(&name, verb)
    })
}

/// Leaves a command, and those below it, the formats of the verb with this name.
pub(super) fn with_formats_of(name: &str, command: Command) -> Command {
    let own = |option: Arg| {
        if option.get_id() != "format" {
            return option;
        }
        let names = PossibleValuesParser::new(formats_of(name).iter().copied().map(ResultFormat::word));
        option.value_parser(names.try_map(|name| ResultFormat::from_str(&name, false)))
    };
    command.mut_args(own).mut_subcommands(|verb| with_formats_of(name, verb))
}
