//! The dialogs, one file each. A dialog must not know another one: it opens one by a UI effect.

pub(super) mod add;
mod answer_keys;
pub(super) mod base_url;
pub(super) mod confirm;
pub(super) mod delete_by_id;
pub(super) mod file_prompt;
pub(super) mod import;
mod list;
pub(super) mod palette;
mod path_input;
pub(super) mod profile;
pub(super) mod re_add;
pub(super) mod reader;
pub(super) mod runs;
pub(super) mod stores;
mod text_with_choices;
pub(super) mod token;
pub(super) mod typed_token;
mod values;
pub(in crate::tui) mod whole_line;

use super::context::Context;
use super::effect::Effect;
use crate::domain::{IdFault, PlantId};

/// Stops waiting for a store that is being opened.
fn stop_connecting(cx: &mut Context) {
    cx.session.stores.connecting = None;
    cx.out.effect(Effect::StopConnecting);
}

/// Returns why a typed id is invalid, except while it can still become a valid one before Enter was pressed.
fn id_fault(typed: &str, is_submitted: bool) -> Option<IdFault> {
    let fault = typed.parse::<PlantId>().err()?;
    (is_submitted || fault != IdFault::Empty && typed != "-").then_some(fault)
}
