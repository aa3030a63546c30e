//! Text that screens and dialogs share: exchanges, their messages and phases, the history of a plant, help, imports,
//! the output of custom commands; and the tables of plants and of requests, which the command line prints, too.

pub(super) mod command_output;
pub(super) mod compared;
pub(super) mod exchange;
pub(super) mod help;
pub(super) mod import_report;
pub(super) mod phases;
pub(super) mod plant_history;
pub(crate) mod plant_table;
pub(crate) mod request_table;
pub(crate) mod table;
pub(super) mod wire;
