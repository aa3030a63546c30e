//! The program as others meet it: a process of its own, its client at stores of every kind, its files and parts.
//!
//! All tests share one process: each changes signals, limits, the environment and the current directory of its
//! child processes alone.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[cfg(target_os = "linux")]
mod at_a_terminal;
#[cfg(unix)]
mod backlog;
#[cfg(unix)]
mod backup;
#[cfg(unix)]
mod bad_input;
#[cfg(unix)]
mod bad_places;
mod check;
mod client;
mod command_line;
#[cfg(unix)]
mod gateway;
mod import;
#[cfg(unix)]
mod journal_files;
mod kills;
#[cfg(target_os = "linux")]
mod machine;
mod plain;
#[cfg(unix)]
mod secrets;
#[cfg(unix)]
mod supply;
#[cfg_attr(windows, expect(dead_code, reason = "the tests that are for Unix alone use the rest"))]
#[path = "../support/mod.rs"]
mod support;
#[cfg(unix)]
mod team;
#[cfg(unix)]
mod week;
