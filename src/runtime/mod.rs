//! The event loop, and carrying out effects.
//!
//! The only part of the interface that does IO. Events become messages to the app, and the effects that the app returns
//! are carried out here. Must not know what an effect is for.

mod child;
mod clipboard;
mod config_file;
mod custom_command;
mod effects;
pub mod event;
mod event_loop;
pub mod export;
pub mod har;
pub mod hooks;
mod imports;
pub mod input;
pub mod json;
pub mod log;
pub mod new_file;
mod paths;
mod queries;
mod reading;
pub mod report;
mod store_switch;
mod theme_detection;
mod worker_handle;

pub use config_file::use_profile;
pub use effects::{Own, Ports};
pub use event_loop::{EventLoop, Turn};
pub use new_file::WriteError;
pub use queries::trim;
pub use theme_detection::DetectedTheme;
pub use worker_handle::{Connect, Connected, WorkerHandle};
