//! `plants`: a terminal for the Plant Store service.
//!
//! The modules are layers, and this is their order: each may use those above it in the list
//! and none below. `tests/library/house.rs` reads the sources and fails on anything else.

pub mod domain;

pub mod check;

pub mod client;

pub mod journal;

pub mod demo;

pub mod config;

pub mod worker;

pub mod import;

pub mod tui;

pub mod runtime;

pub mod cli;
