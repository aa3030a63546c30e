//! The library and its sources, in one process that starts hardly another: a program that is being started
//! holds, for a moment, the locks of every journal that is open here.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[expect(dead_code, reason = "the outside tests use the rest")]
#[path = "../support/closed_port.rs"]
mod closed_port;
#[path = "../support/extent.rs"]
mod extent;
mod flows;
mod fuzz;
mod house;
mod journal;
mod paper;
mod picture;
mod readme;
#[path = "../support/script.rs"]
mod script;
mod typed;
mod view;
mod worker;

use plants::terminal;
