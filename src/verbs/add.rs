//! The arguments of `add`.

use clap::Args;

use super::selection::STDIN;
use super::values::{RestOfLine, Values, entry_number};
use crate::domain::PlantId;

#[derive(Debug, Clone, Default, Args)]
pub struct AddArguments {
    /// Name of the plant; - reads plants from standard input: an object, an array or lines of JSON
    #[arg(value_name = "NAME", conflicts_with = "named", add = RestOfLine)]
    positional: Option<String>,
    /// Name of the plant: any text; one that is spelled like an option needs =, as in --name=--json
    #[arg(long = "name", value_name = "NAME", allow_hyphen_values = true)]
    named: Option<String>,
    /// Tag of the plant: any text; one that is spelled like an option needs =, as in --tag=--json
    #[arg(long, allow_hyphen_values = true, add = Values::Tags)]
    pub tag: Option<String>,
    /// Id of the plant: a whole number of 64 bits
    #[arg(long, allow_negative_numbers = true)]
    pub id: Option<PlantId>,
    /// Take the next free id, and print it before the plant is sent
    #[arg(long, conflicts_with = "id")]
    pub next_id: bool,
    /// Add the plant of entry N of `plants history` again; name, --id and --tag take precedence
    #[arg(long, value_name = "N", value_parser = entry, add = Values::Entries)]
    pub from: Option<i64>,
    /// Send without asking what is probably a slip, as an id that the list has
    #[arg(long, short)]
    pub yes: bool,
    /// Print what would be sent, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print the request and its response
    #[arg(long, short)]
    pub verbose: bool,
    /// Of standard input: go on after five outcomes in a row that prove nothing
    #[arg(long)]
    pub keep_going: bool,
}

fn entry(typed: &str) -> Result<i64, &'static str> {
    entry_number(typed).ok_or("write the number of a request in the history, like 42")
}

impl AddArguments {
    /// Returns the name, if it is given.
    pub fn name(&self) -> Option<&str> {
        self.positional.as_deref().or(self.named.as_deref())
    }

    /// Whether plants come from standard input.
    pub fn reads_stdin(&self) -> bool {
        self.positional.as_deref() == Some(STDIN)
    }

    /// # Errors
    ///
    /// Names the option that contradicts standard input, or is for it alone.
    pub fn check(&self) -> Result<(), String> {
        if !self.reads_stdin() {
            return if self.keep_going {
                Err("--keep-going is for plants of standard input".to_owned())
            } else {
                Ok(())
            };
        }
        let given = [
            (self.tag.is_some(), "--tag"),
            (self.id.is_some(), "--id"),
            (self.next_id, "--next-id"),
            (self.from.is_some(), "--from"),
            (self.verbose, "--verbose"),
        ];
        let given = given.into_iter().find(|(is_given, _)| *is_given);
        given
            .map_or(Ok(()), |(_, option)| Err(format!("{option} contradicts -: standard input gives name, id and tag")))
    }
}
