//! Keys, commands, and the key table that dispatch, footer, palette, help and the README share.

pub(in crate::tui) mod arming;
mod bindings;
pub mod command;
pub mod completion;
pub mod keymap;

pub use bindings::Binding;
pub use command::{Answer, Command, Scope, Tab};
pub use keymap::{IN_A_FIELD, Keymap};
