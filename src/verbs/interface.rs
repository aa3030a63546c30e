//! The verbs that only the palette has: they change what is on screen.

use clap::Subcommand;

use super::values::{RestOfLine, Values};

#[derive(Debug, Subcommand)]
pub enum InterfaceVerb {
    /// Show only the lines that match a query
    #[command(hide = true, aliases = ["search", "find"])]
    Filter {
        #[arg(allow_hyphen_values = true, add = Values::QueryHere, add = RestOfLine)]
        query: Option<String>,
    },
    /// Sort by a column; with - before it from the other end
    #[command(hide = true, aliases = ["order"])]
    Sort {
        #[arg(allow_hyphen_values = true, add = Values::Column)]
        column: Option<String>,
    },
    /// Choose what the demo store does to requests
    #[command(hide = true)]
    Weather {
        #[arg(add = Values::Weather, add = RestOfLine)]
        name: Option<String>,
    },
    /// Choose the colours
    #[command(hide = true, aliases = ["colors"])]
    Theme {
        #[arg(add = Values::Theme)]
        name: String,
    },
    /// Choose the language of the Greenhouse and the tour
    #[command(hide = true, aliases = ["locale", "sprache", "idioma"])]
    Language {
        #[arg(add = Values::Language)]
        name: String,
    },
}
