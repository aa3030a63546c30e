//! `plants`: a terminal for the Plant Store service.
//!
//! The modules are layers in this order: a module may use only those above it in the list.
//! `tests/library/house.rs` reads the sources and fails on any other import.

pub mod text;

pub mod os;

pub mod domain;

pub mod check;

pub mod client;

pub mod journal;

pub mod demo;

pub mod config;

pub mod worker;

pub mod import;

pub mod team;

pub mod verbs;

pub mod terminal;

pub mod tui;

pub mod runtime;

pub mod cli;

#[cfg(test)]
#[path = "../tests/support/extent.rs"]
mod extent;
