//! The format of a result, and how much is said beside it: options that all verbs share.

use clap::{Args, ValueEnum};

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
    /// Returns the format that is wanted, one of these; `None` if none is named. `name`: of the verb.
    pub(super) fn of_verb(self, name: &str, formats: &[ResultFormat]) -> Result<Option<ResultFormat>, String> {
        match (self.format, self.json) {
            (Some(format), true) if format != ResultFormat::Json => {
                Err(format!("--json and --format {} contradict each other: leave one of them out", word(format)))
            }
            (format, json) => match format.or(json.then_some(ResultFormat::Json)) {
                Some(format) if !formats.contains(&format) => {
                    let known = alternatives(formats.iter().copied().map(word));
                    Err(format!("plants {name} has no format {}: use {known}", word(format)))
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

fn word(format: ResultFormat) -> &'static str {
    format.into()
}
