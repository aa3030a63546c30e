//! The command language: each verb with its names, arguments and help. One table for the shell, plain mode and the
//! palette.
//!
//! Must not know how a verb is carried out.

#![expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]

mod add;
mod check;
mod delete;
mod examples;
mod export;
mod help;
mod history;
mod import;
mod interface;
mod journal;
mod line;
mod list;
mod next;
mod profile;
mod program;
mod resolve;
mod result_format;
mod selection;
mod serve;
mod table;
mod team;
mod values;
mod version;
mod words;

pub use self::add::AddArguments;
pub use self::check::CheckArguments;
pub use self::delete::DeleteArguments;
pub use self::examples::lines as examples;
pub use self::export::ExportArguments;
pub use self::help::{command, instead_of, no_command, no_command_of};
pub use self::history::{HistoryArguments, Shape};
pub use self::import::ImportArguments;
pub use self::interface::InterfaceVerb;
pub use self::journal::{JournalVerb, RestoreArguments, TrimArguments};
pub use self::line::{Line, Typed, aliases, lacking, of_shell, shell_error, shell_line, verbs, words as words_of_line};
pub use self::list::ListArguments;
pub use self::next::Next;
pub use self::profile::{ProfileArguments, ProfileVerb};
pub use self::program::Program;
pub use self::resolve::{Method, ResolveArguments};
pub use self::result_format::{Output, ResultFormat, with_own_formats};
pub use self::selection::{PlantWord, Selection, no_plant_called};
pub use self::serve::ServeArguments;
pub use self::table::Verb;
pub use self::team::{CompactArguments, JoinArguments, TeamVerb};
pub use self::values::{Find, Values, of_query, with_values};
pub use self::version::version;
pub use self::words::Words;
