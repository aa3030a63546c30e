//! The contract check: whether a store keeps the interface, and what it does where the document leaves a point open.
//!
//! ```text
//! Event ──▶ Run::handle ──▶ Order: send, cancel, pause, finish
//!              │
//!              └── report ──▶ Report: diagnosis, rules, undocumented behaviour, leftovers
//! ```
//!
//! This layer does no IO: the Check tab and the command line carry out the orders of one [`Run`] and report events to
//! it. `steps` lists the probes and `probe_requests` builds their requests; `evidence` collects the exchanges; `table`
//! assesses the rows, which `rules` and `undocumented` list, and `diagnosis` sums them up; `render` has the output
//! formats, and `changes` compares two reports.

mod changes;
mod controls;
mod deletes;
mod diagnosis;
mod earlier_runs;
mod evidence;
mod leftover;
mod pacing;
mod probe_requests;
mod render;
mod report;
mod row;
mod rules;
mod run;
mod steps;
mod table;
mod test_plant;
#[cfg(test)]
pub(crate) mod tests;
mod undocumented;
mod wanted;

pub use changes::how_much_changed;
pub use diagnosis::{Conclusion, Diagnosis};
pub use earlier_runs::EarlierRuns;
pub use leftover::{CleanUp, EarlierLeftover, FIXED_IDS, LastDelete, Leftover};
pub use pacing::Pace;
pub use probe_requests::LONG_IDS;
pub use render::{Format, Part, Role, is_report, render, report_lines};
pub use report::Report;
pub use row::{Reason, Row, RowResult, Verdict};
pub use rules::RULES;
pub use run::{Event, Order, Run};
pub use undocumented::UNDOCUMENTED;
pub use wanted::Wanted;
