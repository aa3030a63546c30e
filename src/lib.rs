//! `plants`: a terminal for the Plant Store service.
//!
//! The modules are layers, and this is their order: each may use those above it in the list
//! and none below. `tests/house.rs` reads the sources and fails on anything else.

pub mod domain;

pub mod client;

pub mod journal;

pub mod demo;

pub mod config;

pub mod courier;

pub mod import;

pub mod app;

pub mod ui;

pub mod runtime;

pub mod cli;
