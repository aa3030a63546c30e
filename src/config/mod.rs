//! Merges flags, environment and config file into settings, and fetches the token.
//!
//! Reports every fault at once, each with its location. Reads no other file than the config file, the certificate file
//! and the source of the token. Must not know the network, the screen, or the actions of the terminal interface.
//!
//! ```text
//! Flags ─┐
//! Environment ─┼─ resolve ─→ Settings ─→ TokenSource::fetch ─→ Token
//! config file ─┘      └────→ every Fault
//! ```

mod certificates;
mod clipboard;
mod custom_command;
mod document;
mod environment;
mod fault;
mod file;
mod flags;
mod given;
mod layer;
pub mod new_profile;
mod options;
mod path;
pub mod preference;
mod profile;
mod resolve;
mod secret_command;
mod secret_source;
mod setting;
mod settings;
mod sources;
mod started;
mod system_proxy;
mod table;
mod target;
mod team_access;
mod token_source;
mod top_line;
mod value;
mod variable;
mod warnings;
mod withheld;

pub use clipboard::Clipboard;
pub use custom_command::{CommandSubject, CustomCommand};
pub use environment::{Environment, ZoneSource, completing_shell, may_be_debugged, zone_source};
pub use fault::{Fault, Location};
pub use file::{no_such_profile, withhold_variables_of};
pub use flags::{Flags, path_parser};
pub use given::Given;
pub use options::{Colors, HeaderColor, LanguageChoice, Motion, Notify, Pager, ProgressBar, ThemeChoice};
pub use path::expand;
pub use resolve::{config_file, data_dir, resolve};
pub use secret_command::Patience;
pub use setting::{example, settings_markdown};
pub use settings::{Connection, KeySettings, Remap, Settings, TeamSettings};
pub use started::Started;
pub use target::{ConnectionTarget, KnownStore, OpenStore, OtherStore};
pub use team_access::TeamAccess;
pub use token_source::{HeaderSource, TokenError, TokenSource};
pub use value::{Age, parse_duration};
pub use warnings::{absences, exposed_token_file, warnings};
pub use withheld::withhold_secrets;
