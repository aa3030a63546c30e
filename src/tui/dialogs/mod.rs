//! The dialogs, one file each. A dialog must not know another one: it opens one by a UI effect.

pub(super) mod add;
mod answer_keys;
pub(super) mod base_url;
pub(super) mod confirm;
pub(super) mod delete_by_id;
pub(super) mod file_prompt;
pub(super) mod import;
mod import_preview;
mod list;
pub(super) mod palette;
mod path_input;
pub(super) mod profile;
pub(super) mod re_add;
pub(super) mod reader;
pub(super) mod runs;
pub(super) mod stores;
pub(super) mod token;
pub(super) mod typed_token;
mod values;
pub(in crate::tui) mod whole_line;

use super::context::Context;
use super::effect::Effect;

/// Stops waiting for a store that is being opened.
fn stop_connecting(cx: &mut Context) {
    cx.session.stores.connecting = None;
    cx.out.effect(Effect::StopConnecting);
}
