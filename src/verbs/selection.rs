//! How plants are named on a line: by id, by name, by a query, or on standard input.

use std::str::FromStr;

use clap::Args;

use super::values::Values;
use crate::domain::filter::{List, quoted};
use crate::domain::plant::IdFault;
use crate::domain::{Details, PlantId};
use crate::text::clean;

/// The word that stands for standard input.
pub(super) const STDIN: &str = "-";

/// A plant as a person names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlantWord {
    Id(PlantId),
    /// The name of one plant in the list.
    Name(String),
    /// A row of the list, as standard input has it.
    Row(PlantId, Option<Details>),
    /// Plants are named on standard input.
    Stdin,
}

impl FromStr for PlantWord {
    type Err = IdFault;

    /// Parses `-`, an id, or a name. A number that is no id is no name either.
    fn from_str(typed: &str) -> Result<Self, IdFault> {
        match typed.parse() {
            _ if typed == STDIN => Ok(Self::Stdin),
            Err(IdFault::NotANumber) => Ok(Self::Name(typed.to_owned())),
            id => id.map(Self::Id),
        }
    }
}

/// Says in a sentence that no plant has this name, why it is no id if it looks like one, and asks whether a query was meant,
/// if it looks like one.
pub fn no_plant_called(name: &str) -> String {
    let meant = List::Plants.split_field(name).filter(|(_, value)| !value.is_empty()).and_then(|(field, value)| {
        let query = format!("{field}:{}", quoted(value)?);
        Some(format!("; did you mean --match {}?", shlex::try_quote(&query).ok()?))
    });
    let meant = meant.unwrap_or_else(|| ".".to_owned());
    let is_like_an_id = name.trim_start_matches('-').starts_with(char::is_numeric);
    let no_id = if is_like_an_id { ", which is not a whole number" } else { "" };
    format!("no plant in the list is called {}{no_id}{meant}", clean(name))
}

#[derive(Debug, Clone, Args)]
pub struct Selection {
    /// Plants, by id or by name; - reads ids, or rows of plants list -o ndjson, from standard input
    #[arg(value_name = "PLANT", allow_negative_numbers = true, add = Values::PlantIds)]
    pub plants: Vec<PlantWord>,
    /// The plants that match a query, like 'tag:desert !fern'; 'tag:"x"' is this tag alone
    #[arg(long = "match", value_name = "QUERY", conflicts_with = "plants", add = Values::Query(List::Plants))]
    pub matching: Option<String>,
}

impl Selection {
    pub fn is_empty(&self) -> bool {
        self.plants.is_empty() && self.matching.is_none()
    }
}
