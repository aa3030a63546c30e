//! The contract check: does a store keep to the interface, and what does it do where the document
//! leaves it open?
//!
//! ```text
//! Wanted, Lot ──▶ Run ── advance ──▶ a request, for the caller to send
//!                  ▲                           │
//!                  └──────── ended ◀── Exchange
//!                  │
//!                  └── report ──▶ Report: diagnosis, rules, undocumented behaviour, leftovers
//! ```
//!
//! Everything here is pure. `steps` has the requests, `evidence` what came of them, `rules` and
//! `undocumented` what that says of each row, `diagnosis` what it comes to, `format` the outputs,
//! and `changes` what differs between two reports.

mod changes;
mod diagnosis;
mod evidence;
mod format;
mod json;
mod junit;
mod markdown;
mod report;
mod rules;
mod run;
mod steps;
mod test_plant;
#[cfg(test)]
mod tests;
mod text;
mod undocumented;

pub use changes::{Change, Changed, changes, how_much_changed};
pub use diagnosis::{Conclusion, Counts, Diagnosis};
pub use format::{Format, render};
pub use report::{CleanUp, Leftover, Observation, Reason, Report, RuleResult, Verdict, Wanted};
pub use rules::{RULES, Rule};
pub use run::{Next, PACE, Run};
pub use steps::Lot;
pub use test_plant::{Beforehand, EarlierLeftover, FIXED_IDS, Gone};
pub use undocumented::{UNDOCUMENTED, Undocumented};
