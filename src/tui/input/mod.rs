//! Keys and what they mean: the one table that dispatch, footer, palette, help and the README read.

mod bindings;
pub mod command;
pub mod key;
pub mod keymap;

pub use bindings::Binding;
pub use command::{Command, Scope};
pub use key::Key;
pub use keymap::Keymap;
