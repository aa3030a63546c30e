//! Flags, environment and config file, made into one parsed connection.
//!
//! It lists every fault at once, each with its place, and touches nothing but the config file,
//! the certificate file and, when asked for it, the token's source. It sends nothing, draws
//! nothing, and knows no key names of the terminal interface.
//!
//! ```text
//! Flags ─┐
//! Environment ─┼─ resolve ─→ Settings ─→ TokenSource::fetch ─→ Token
//! config file ─┘      └────→ every Fault
//! ```

mod certificates;
pub mod choice;
mod document;
pub mod environment;
pub mod exposure;
pub mod fault;
mod file;
pub mod flags;
pub mod new_profile;
mod profile;
mod reader;
mod resolve;
pub mod settings;
pub mod token_source;
mod value;
pub mod wish;

pub use choice::{HeaderColor, ThemeChoice};
pub use environment::{Environment, RawToken, may_be_debugged, names_a_zone};
pub use exposure::{exposed, exposed_token_file};
pub use fault::Fault;
pub use file::Remap;
pub use flags::Flags;
pub use resolve::resolve;
pub use settings::{Connection, DEFAULT_TIMEOUT, Settings, StoreChoice};
pub use token_source::{TokenError, TokenSource};
pub use wish::{KnownStore, OtherStore, Started, Wish};
