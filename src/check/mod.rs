//! The contract check: does a store keep to the interface, and what does it do where the document
//! leaves it open?
//!
//! ```text
//! Event ──▶ Run::handle ──▶ Order: send, cancel, pause, forget, keep, finish
//!              │
//!              └── report ──▶ Report: diagnosis, rules, undocumented behaviour, leftovers
//! ```
//!
//! Everything here is pure: the Check tab and the command line carry the orders of one [`Run`] out and tell
//! it what happened. `steps` names the probes and `draw` makes requests of them, `evidence` has what came of
//! them, `rules` and `undocumented` what that says of each row, `diagnosis` what it comes to, `render` the
//! output formats, and `changes` how much differs between two reports.

mod changes;
mod diagnosis;
mod draw;
mod evidence;
mod leftover;
mod pacing;
mod render;
mod report;
mod rules;
mod run;
mod steps;
mod test_plant;
#[cfg(test)]
mod tests;
mod undocumented;
mod wanted;

pub use changes::how_much_changed;
pub use diagnosis::{Conclusion, Counts, Diagnosis};
pub use leftover::{CleanUp, EarlierLeftover, EarlierRuns, FIXED_IDS, Gone, Leftover};
pub use pacing::PACE;
pub use render::{Format, render};
pub use report::Report;
pub use rules::{RULES, Reason, Rule, RuleResult, Verdict};
pub use run::{Event, Order, Run};
pub use undocumented::{Observation, UNDOCUMENTED, Undocumented};
pub use wanted::Wanted;
