//! The arguments of `resolve`.

use clap::{ArgGroup, Args};

use super::selection::Selection;
use crate::domain::{Resolution, StoreUrl};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("resolution").args(["stored", "forget", "delete", "resend"]))]
pub struct ResolveArguments {
    #[command(flatten)]
    pub selection: Selection,
    /// Resolve all unknown plants
    #[arg(long, conflicts_with_all = ["plants", "matching"])]
    pub all: bool,
    /// Mark them as stored, because you know that they are there; nothing is sent
    #[arg(long)]
    stored: bool,
    /// Remove them from the list, also stored ones, because you know that they are gone; nothing is sent. An unknown add
    /// to the id of a stored plant leaves that plant in the list
    #[arg(long)]
    forget: bool,
    /// Send a delete for each of them
    #[arg(long)]
    delete: bool,
    /// Send the unknown operation of each again: a plant may then be stored twice
    #[arg(long)]
    resend: bool,
    /// Resolve without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Print which plants would be resolved, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Go on after five outcomes in a row that prove nothing
    #[arg(long)]
    pub keep_going: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Records the person's decision, and sends nothing.
    Record(Resolution),
    Delete,
    Resend,
}

impl ResolveArguments {
    pub fn method(&self) -> Option<Method> {
        let all = [
            (self.stored, Method::Record(Resolution::MarkStored)),
            (self.forget, Method::Record(Resolution::Forget)),
            (self.delete, Method::Delete),
            (self.resend, Method::Resend),
        ];
        all.into_iter().find(|(is_given, _)| *is_given).map(|(_, method)| method)
    }
}

impl Method {
    pub fn sends(self) -> bool {
        matches!(self, Self::Delete | Self::Resend)
    }

    /// Renders the question before the plants are resolved; `names` are the first of `plants`, and `twice` warns of what
    /// is sent again.
    pub fn question(self, plants: &str, store: &StoreUrl, names: &str, twice: &str) -> String {
        match self {
            Self::Record(Resolution::MarkStored) => {
                format!("Mark {plants} at {store} as stored, without proof from a response: {names}?")
            }
            Self::Record(Resolution::Forget) => {
                format!(
                    "Forget {plants} at {store}: {names}? This changes the list alone, whatever the store has; nothing is sent."
                )
            }
            Self::Delete => format!("Send a delete for {plants} to {store}: {names}?"),
            Self::Resend => format!("Send the operation of {plants} to {store} again: {names}? {twice}"),
        }
    }
}
