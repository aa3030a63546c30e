//! The contract check: does a store keep the interface, and what does it do where the interface
//! is silent?
//!
//! ```text
//! Wanted, Lot ──▶ Run ── advance ──▶ a request, for whoever sends
//!                  ▲                           │
//!                  └──────── ended ◀── Exchange
//!                  │
//!                  └── report ──▶ Report: clauses judged, silent parts observed, left behind
//! ```
//!
//! Everything here is pure. Which requests there are is in `steps`, what they show of each
//! clause in `clauses`, and what of each silent part in `silent`. How a report is told is in
//! `format`, and what changed between two in `changes`.

mod changes;
mod clauses;
mod format;
mod json;
mod junit;
mod markdown;
mod plots;
mod report;
mod run;
mod seen;
mod silent;
mod steps;
#[cfg(test)]
mod tests;
mod text;

pub use changes::{Change, Changed, changes, how_much_changed};
pub use clauses::{CLAUSES, Clause};
pub use format::{Format, told};
pub use plots::{Beforehand, FIXED_IDS, Gone, Leftover};
pub use report::{Judged, LeftBehind, Observed, Report, Sum, Untold, Verdict, Wanted};
pub use run::{Next, PACE, Run};
pub use silent::{SILENT, Silent};
pub use steps::Lot;
