//! The program as others meet it: a process of its own, its client at stores of every kind, its files and parts.
//!
//! All tests share one process: each changes signals, limits, the environment and the current directory of its
//! child processes alone.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod backup;
mod bad_input;
mod bad_places;
mod check;
mod client;
mod command_line;
mod gateway;
mod import;
mod journal_files;
mod kills;
#[cfg(target_os = "linux")]
mod machine;
mod plain;
mod secrets;
mod supply;
#[path = "../support/mod.rs"]
mod support;
mod team;
