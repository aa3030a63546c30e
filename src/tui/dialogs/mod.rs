//! A file for each dialog. None knows another: one opens another by an outcome.

pub(super) mod add;
pub(super) mod base_url;
pub(super) mod confirm;
pub(super) mod delete_by_id;
pub(super) mod export;
pub(super) mod import;
mod list;
pub(super) mod palette;
pub(super) mod preview;
pub(super) mod profile;
pub(super) mod re_add;
pub(super) mod reader;
pub(super) mod report;
pub(super) mod runs;
pub(super) mod stores;
pub(super) mod token;
