//! Lines of text that screens and dialogs share: exchanges, their messages and phases, the history of a plant, help,
//! imports.

pub(super) mod compared;
pub(super) mod exchange;
pub(super) mod help;
pub(super) mod import_progress;
pub(super) mod import_report;
pub(super) mod phases;
pub(super) mod plant_history;
pub(super) mod wire;
