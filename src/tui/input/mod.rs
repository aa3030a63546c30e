//! Keys, commands, and the key table that dispatch, footer, palette, help and the README share.

mod bindings;
pub mod command;
pub mod keymap;

pub use bindings::Binding;
pub use command::{Answer, Argument, Command, Scope};
pub use keymap::Keymap;
